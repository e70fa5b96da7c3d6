import { describe, expect, it } from 'vitest';
import { jsonSchemas } from '../build/docs/json-schemas.ts';
import { VirtualClock } from './support/clock.ts';
import { compile } from './support/json-schema.ts';
import { newFolder, run } from './support/run.ts';

describe('a JSON Schema', () => {
  it.each([...jsonSchemas])('of %s is valid JSON Schema 2020-12', (_, schema) => {
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
    expect(() => compile(schema)).not.toThrow();
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
    const accepts = compile(jsonSchemas.get('record') ?? {});
    expect(accepts(JSON.parse(record.stdout))).toEqual([]);
    expect(accepts({ id: 1, name: 'Acme AG', score: 'high' })).not.toEqual([]);
    const acceptsBody = compile(jsonSchemas.get('registration') ?? {});
    expect(acceptsBody(JSON.parse(body.stdout))).toEqual([]);
    expect(acceptsBody({ name: '' })).not.toEqual([]);
  });

  it('allows members that a later version adds', async () => {
    const { stderr } = await run(['get', '1', '--json']);
    const { error } = JSON.parse(stderr);
    const accepts = compile(jsonSchemas.get('error') ?? {});
    expect(accepts({ error: { ...error, added: 1 }, more: true })).toEqual([]);
  });
});
