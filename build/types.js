/* Copies the types of the library for require(): TypeScript reads them as those of CommonJS. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const dist = join(import.meta.dirname, '../dist');
cpSync(join(dist, 'types'), join(dist, 'types-cjs'), { recursive: true });
writeFileSync(join(dist, 'types-cjs/package.json'), '{ "type": "commonjs" }\n');
