# Builds an image with carbon, Node and nothing else: docker build --tag carbon .
# docs/operations.md describes how to run it.
# Dependabot updates images in FROM lines, not in arguments. --build-context replaces the stages node
# and base (Debian): docker build --build-context node=docker-image://registry.example/node:24 .
FROM node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS node
FROM debian:bookworm-slim@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716 AS base

FROM node AS build
WORKDIR /src
COPY package.json package-lock.json ./
# No script of a dependency runs. The lock file contains a hash of every package.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node build/build.js

# The executable bundles its dependencies, so the image needs neither npm nor node_modules.
FROM base
ARG VERSION=unreleased
ARG REVISION=unknown
ARG SOURCE=
LABEL org.opencontainers.image.title="carbon" \
  org.opencontainers.image.description="Climate data for every company on your list" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.source="$SOURCE"
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /usr/local/LICENSE /opt/carbon/NODE-LICENSE
COPY --from=build /src/package.json /src/LICENSE /opt/carbon/
COPY --from=build /src/bin/carbon.cjs /opt/carbon/bin/carbon.cjs
COPY --from=build /src/dist/*.cjs /src/dist/prerendered.json \
  /src/dist/THIRD-PARTY-NOTICES.txt /opt/carbon/dist/
COPY --from=build /src/dist/chunks/*.cjs /src/dist/chunks/*.json /opt/carbon/dist/chunks/
COPY --from=build /src/dist/compiled /opt/carbon/dist/compiled
RUN ln -s /opt/carbon/bin/carbon.cjs /usr/local/bin/carbon
WORKDIR /data
# Kubernetes checks a number, not a name, for runAsNonRoot. The user owns no file of the image.
USER 65532:65532
# The build fails if the base lacks a library that Node needs.
RUN ["carbon", "--version"]
ENTRYPOINT ["carbon"]
CMD ["--help"]
