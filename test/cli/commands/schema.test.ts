import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { events } from '../../../build/docs/events.ts';
import { documents } from '../../../src/cli/commands/schema.ts';
import { VirtualClock } from '../../support/clock.ts';
import { eventNames } from '../../support/event-schemas.ts';
import { compile } from '../../support/json-schema.ts';
import { newFolder, run, transcript } from '../../support/run.ts';

const schemaOf = async (name: string) =>
  JSON.parse((await run(['schema', name, '--json'])).stdout) as object;

describe('carbon schema', () => {
  it.each(Object.keys(documents))('prints a valid JSON Schema 2020-12 of %s', async (name) => {
    const schema = await schemaOf(name);
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
    expect(() => compile(schema)).not.toThrow();
  });

  it('prints an indented schema without --json', async () => {
    const { stdout } = await run(['schema', 'metrics']);
    expect(JSON.parse(stdout)).toEqual(await schemaOf('metrics'));
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      '{',
      '  "$schema": "https://json-schema.org/draft/2020-12/schema",',
      '  "title": "Run metrics",',
      expect.stringMatching(/^ {2}"description": "File that --metrics-file run.json of batch, /),
    ]);
  });

  it('lists the documents when the name is unknown', async () => {
    expect(await transcript(['schema', 'records'])).toMatchInlineSnapshot(`
      "--- stderr
      Error: No schema for "records"
      Hint: Use one of record, registration, error, metrics.
      --- exit 2"
    `);
  });

  it('accepts a record of the sandbox and a registration', async () => {
    const home = newFolder();
    const clock = new VirtualClock();
    const dry = ['register', '--sandbox', '--name', 'Acme AG', '--hq-region', 'DE', '--dry-run'];
    const body = await run([...dry, '--json'], { home });
    const record = await run(
      ['register', '--sandbox', '--name', 'Acme AG', '--wait', '--json', '--no-progress'],
      { home, clock },
    );
    const accepts = compile(await schemaOf('record'));
    expect(accepts(JSON.parse(record.stdout))).toEqual([]);
    expect(accepts({ id: 1, name: 'Acme AG', score: 'high' })).not.toEqual([]);
    const acceptsBody = compile(await schemaOf('registration'));
    expect(acceptsBody(JSON.parse(body.stdout))).toEqual([]);
    expect(acceptsBody({ name: '' })).not.toEqual([]);
  });

  it('permits members that a later version adds', async () => {
    const { stderr } = await run(['get', '1', '--json']);
    const { error } = JSON.parse(stderr);
    const accepts = compile(await schemaOf('error'));
    expect(accepts({ error: { ...error, added: 1 }, more: true })).toEqual([]);
  });

  it('describes each event in the source, and the reference lists it', () => {
    const source = join(import.meta.dirname, '../../../src');
    const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(source, file), 'utf8'));
    const named = texts.flatMap((text) =>
      [...text.matchAll(/\bevent: '(\w+)'/g)].map(([, name]) => name),
    );
    expect([...new Set(named)].sort()).toEqual([...eventNames].sort());
    expect(events.flatMap(([names]) => names.split(', ')).sort()).toEqual([...eventNames].sort());
  });
});
