/* Builds dist/bench: the bench as JavaScript that every supported Node runs. */
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  build: {
    ssr: true,
    target: 'node20.19',
    outDir: join(root, 'dist/bench'),
    emptyOutDir: false,
    rolldownOptions: {
      input: ['bench', 'load-server', 'bare-pool', 'bare-retrieval', 'bare-reading'].map((name) =>
        join(import.meta.dirname, `${name}.ts`),
      ),
    },
  },
});
