/*
 * Builds dist/: the executable (CommonJS, one chunk per command), the library (ESM) and the texts
 * that never change. README.md states what each optimization of the start-up buys.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { build, esmExternalRequirePlugin, runnerImport } from 'vite';
import { cellWidth } from './cell-width.js';
import { notices } from './notices.js';

const startedAt = new Date();
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
/* What several commands load together is one chunk each: fewer files start faster. */
const parts = {
  core: 'api/ids|cli/output/show|runtime/(carbon-error|hint|proxy)',
  client:
    'api/(client|connection-errors|errors|member-names|request|responses)|cli/(parse-ids|output/records)|pace/rate-limit-headers|runtime/transport',
  output: 'cli/(live-status|output/print-rows)|runtime/nearest|table/output-cell|terminal/format',
  store:
    'cli/input-table|kept/(append-log|lines|paths|store)|runtime/(atomic-file|file-lines|flatten-string)|workbook/foreign-format',
  records:
    'api/(field-kinds|read-record|record-fields|untyped|vocabulary)|cli/read-snapshot|organizations/(emissions|history|matches|targets|trend)|records/(?!listed-rows).*|kept/view',
  rows: 'iso-3166/1-a3-to-1-a2|kept/(choose-list|journal|kept-options|known-rows|listed-ids)|list/(columns|doubtful-rows|former-readings|rows)|registration/(countries|country-words|fields|iso-codes)|runtime/file-lock|records/listed-rows|table/(cell|code-pages|dialect|input-file|map-option|rows|text-rows)',
  checks: 'checks/(compared-figures|figure-(errors|rules|warnings)|findings)',
  summary: 'report/(emissions|entry|spread|summary)',
  changes: 'report/(diff|diff-text)',
  spend:
    'footprint/(basis-words|decimal|entries|footprint|line-item|named-suppliers|statements|supplier-groups|suppliers|totals|factors/.*|spend/(?!sums).*|views/(tables|words))',
  text: 'get-east-asian-width/.*|terminal/(section|text)',
};
const groups = Object.entries(parts).map(([name, files]) => ({
  name,
  test: new RegExp(`/(src|src/(client|display|lists|portfolio)|node_modules)/(${files})\\.[jt]s$`),
}));

/**
 * Reduces package.json to what carbon prints of it, because every start loads it.
 *
 * @returns {import('vite').Plugin}
 */
function shortPackageJson() {
  const file = join(root, 'package.json');
  const { version, homepage } = JSON.parse(readFileSync(file, 'utf8'));
  const text = JSON.stringify({ version, homepage });
  return { name: 'short-package-json', load: (id) => (id === file ? text : null) };
}

/** @type {import('vite').Plugin} V8 parses the methods of a module in an arrow function twice. */
const eagerModules = {
  name: 'eager-modules',
  renderChunk: (code) => ({
    code: code.replace(/\(\((exports(?:, module)?)\) => \{/g, '(function ($1) {'),
    map: null,
  }),
};

const nodeModules = builtinModules
  .filter((name) => !name.endsWith('sqlite'))
  .map((name) => `node:${name}`);

/**
 * Leaves out Node modules that parts of libraries load which carbon does not use: node:sqlite,
 * which Node 20 lacks, and node:child_process, which costs every command 4 ms.
 *
 * @type {import('vite').Plugin}
 */
const leaveOut = {
  name: 'leave-out',
  enforce: 'pre',
  resolveId: (id, from) =>
    /^node:(sqlite .*\/undici|child_process .*\/commander)\//.test(`${id} ${from}`) ? '\0no' : null,
  load: (id) => (id === '\0no' ? '' : null),
};

const validationOfConf = /^(ajv\/dist\/2020\.js|ajv-formats|semver|env-paths|debounce-fn)$/;

/**
 * Leaves out what conf needs for schemas, migrations and watching, which carbon does not use: nine
 * tenths of conf, and 15 ms of each command with a stored profile.
 *
 * @type {import('vite').Plugin}
 */
const onlyStoreOfConf = {
  name: 'only-store-of-conf',
  enforce: 'pre',
  resolveId: (id, from) =>
    validationOfConf.test(id) && from?.includes('/conf/') ? '\0unused' : null,
  load: (id) =>
    id === '\0unused' ? 'export default undefined; export const Ajv2020 = undefined;' : null,
};

/**
 * Keeps the words for countries in a file of their own, which the bundle reads when it needs them.
 *
 * @returns {import('vite').Plugin}
 */
function countryWords() {
  const module = join(root, 'src/client/registration/country-words.ts');
  return {
    name: 'country-words',
    enforce: 'pre',
    resolveId: (id) => (id === './country-words.json' ? { id, external: true } : null),
    load: (id) =>
      id === module ? "export const countryWords = () => require('./country-words.json');" : null,
  };
}

/**
 * Replaces what follows from the zod schema by its values: the table of the reader of files, the
 * names of the fields of a record, and the fields that `carbon get` shows as the schema says.
 *
 * @returns {Promise<import('vite').Plugin>}
 */
async function recordFields() {
  const fileOf = (/** @type {string} */ name) => join(root, `src/client/api/${name}.ts`);
  const read = async (/** @type {string} */ name) =>
    (await runnerImport(fileOf(name), { root, configFile: false })).module;
  const { recordFields } = await read('record-fields');
  const { memberNames } = await read('member-names');
  const { shownFields } = await read('shown-fields');
  // Equal fields are one object: the table is a third as long.
  /** @type {Map<string, string>} */
  const names = new Map();
  /** @type {(field?: import('../src/client/api/field-kinds.ts').RecordField) => string} */
  const write = (field) => {
    if (field === undefined) return 'undefined';
    const { kinds, item, members, other, main } = field;
    const all = [...(members ?? [])].map(
      ([name, each]) => `${JSON.stringify(name)}: ${write(each)}`,
    );
    const parts = [
      `kinds: ${kinds}`,
      `item: ${write(item)}`,
      `members: ${members && `new Map(Object.entries({ ${all.join(', ')} }))`}`,
      `other: ${JSON.stringify(other)}`,
      `main: ${JSON.stringify(main)}`,
    ];
    const code = `{ ${parts.join(', ')} }`;
    if (!names.has(code)) names.set(code, `field${names.size}`);
    return names.get(code) ?? '';
  };
  const top = write(recordFields);
  const constants = [...names].map(([code, name]) => `const ${name} = ${code};`);
  const results = new Map([
    [fileOf('record-fields'), [...constants, `export const recordFields = ${top};`].join('\n')],
    [fileOf('member-names'), `export const memberNames = ${JSON.stringify(memberNames)};`],
    [fileOf('shown-fields'), `export const shownFields = ${JSON.stringify(shownFields)};`],
  ]);
  return {
    name: 'record-fields',
    enforce: 'pre',
    load: (id) => {
      const code = results.get(id);
      return code === undefined ? null : { code, moduleType: 'js' };
    },
  };
}
const fieldsOfRecord = await recordFields();

const { module: ofCommands } = await runnerImport(join(root, 'src/cli/prerendered.ts'), {
  root,
  configFile: false,
});
/** @type {import('vite').Plugin} Replaces what all declarations of commands say by its result. */
const repeatedOptions = {
  name: 'repeated-options',
  enforce: 'pre',
  load: (id) =>
    id === join(root, 'src/cli/repeated-options.ts')
      ? `export const loadRepeatedOptions = async () => (${JSON.stringify(ofCommands.repeatedOptions)});`
      : null,
};

/**
 * Bundles for Node. Prints only warnings and errors.
 *
 * @param {import('vite').BuildOptions} options
 * @param {import('vite').SSROptions} [ssr]
 * @param {import('vite').Plugin[]} [plugins]
 */
const bundle = (options, ssr = {}, plugins = []) =>
  build({
    root,
    plugins,
    configFile: false,
    logLevel: 'warn',
    ssr,
    build: { ssr: true, outDir: dist, target: 'node20.19', sourcemap: true, ...options },
  });

await bundle(
  {
    emptyOutDir: true,
    minify: true,
    rolldownOptions: {
      input: { main: 'src/main.ts' },
      plugins: [shortPackageJson(), notices(), eagerModules],
      output: {
        format: 'cjs',
        // Like the modules of src/. V8 also runs sloppy code slower.
        strict: true,
        sourcemapExcludeSources: true,
        // import() of a Node module reads all its properties, and some of them load further
        // modules.
        dynamicImportInCjs: false,
        codeSplitting: { includeDependenciesRecursively: false, groups },
        entryFileNames: '[name].cjs',
        // The entry of a command is <name>.ts or <name>/command.ts in the directory of its group.
        chunkFileNames: ({ facadeModuleId }) => {
          const [, name] =
            /src\/cli\/commands\/[a-z]+\/([a-z]+)(?:\/command)?\.ts$/.exec(facadeModuleId ?? '') ??
            [];
          return `chunks/${name ?? '[name]'}.cjs`;
        },
      },
    },
  },
  { noExternal: true },
  [cellWidth, countryWords(), fieldsOfRecord, repeatedOptions, leaveOut, onlyStoreOfConf],
);
copyFileSync(
  join(root, 'src/client/registration/country-words.json'),
  join(dist, 'chunks/country-words.json'),
);

// The library for import and for require(). It contains undici, so that bundlers of other projects
// meet no require() of a Node module in it.
for (const [format, suffix] of /** @type {const} */ ([
  ['esm', 'js'],
  ['cjs', 'cjs'],
])) {
  await bundle(
    {
      emptyOutDir: false,
      sourcemap: false,
      rolldownOptions: {
        input: { index: 'src/index.ts' },
        // Otherwise, the index also exports what its chunks share.
        preserveEntrySignatures: 'strict',
        external: [/^zod/],
        output: {
          format,
          strict: true,
          entryFileNames: `[name].${suffix}`,
          chunkFileNames: `library/[name].${suffix}`,
        },
      },
    },
    { noExternal: [/^undici/, 'iso-3166'] },
    // Otherwise the ES module calls require(), and bundlers of other projects warn about it.
    format === 'esm'
      ? [fieldsOfRecord, leaveOut, esmExternalRequirePlugin({ external: nodeModules })]
      : [fieldsOfRecord],
  );
}

const prerendered = join(dist, 'prerendered.json');
writeFileSync(prerendered, JSON.stringify(ofCommands.answers));
// Without the settings of the user, such as NODE_OPTIONS.
const { PATH = '', SystemRoot = '' } = process.env;
execFileSync(process.execPath, [join(import.meta.dirname, 'compiled-code.cjs')], {
  env: { PATH, SystemRoot },
  stdio: 'pipe',
});
// is-fresh.js compares this time with that of the sources.
utimesSync(prerendered, startedAt, startedAt);
