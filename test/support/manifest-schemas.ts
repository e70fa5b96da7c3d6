/*
 * Validators of Kubernetes and Compose files from npm packages that only CI installs: they have
 * many files.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';

const directory = process.env['CARBON_TEST_MANIFESTS'];

/** Whether CARBON_TEST_MANIFESTS names a directory with the packages. */
export const hasManifestSchemas = directory !== undefined && directory !== '';

/** Loads a file of a package of CARBON_TEST_MANIFESTS, such as `name/lib/index.js`. */
export function loadManifestPackage(file: string): unknown {
  return createRequire(import.meta.url)(join(directory ?? '', 'node_modules', file));
}

/** A validator that ajv compiled ahead of time. */
interface Validator {
  (value: unknown): boolean;
  readonly errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}

/**
 * Returns the violations of the schema of Kubernetes for a resource, and its unknown fields, which
 * the schema allows.
 */
export function kubernetesProblems(resource: { readonly [name: string]: unknown }): string[] {
  const [group = '', version = ''] = `${resource['apiVersion']}`.replace(/^v/, 'core/v').split('/');
  const prefix = `IoK8sApi${capitalize(group)}${capitalize(version)}`;
  const module = `kubernetes-models/_schemas/${prefix}${resource['kind']}.js`;
  const { validate } = loadManifestPackage(module) as { validate: Validator };
  const watched = watchReads(resource, '');
  const isValid = validate(watched.value);
  const errors = (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  return [...(isValid ? [] : errors), ...watched.unread().map((path) => `${path} is unknown`)];
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/*
 * Wraps a value and records its members that are read. The validators read every member that the
 * schema knows, so the other members are unknown.
 */
function watchReads(value: unknown, path: string): { value: unknown; unread(): string[] } {
  if (typeof value !== 'object' || value === null) return { value, unread: () => [] };
  const read = new Set<string>();
  const members = new Map(
    Object.entries(value).map(([name, member]) => [name, watchReads(member, `${path}/${name}`)]),
  );
  const proxy = new Proxy(value, {
    get: (target, name, receiver) => {
      if (typeof name === 'string') read.add(name);
      const member = typeof name === 'string' ? members.get(name) : undefined;
      return member === undefined ? Reflect.get(target, name, receiver) : member.value;
    },
  });
  const unread = () =>
    [...members].flatMap(([name, member]) =>
      read.has(name) ? member.unread() : [`${path}/${name}`],
    );
  return { value: proxy, unread };
}
