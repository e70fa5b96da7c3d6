import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compile } from '../support/json-schema.ts';
import { anyCharacter, runs } from '../support/seed.ts';
import { startTestSandbox, type TestSandbox } from './test-sandbox.ts';

/* Documented requests, each with the status of its response. */
const registrations = [
  [200, { name: 'Acme AG', hq_region: 'DE', currency: 'EUR' }],
  ...['complete', 'sparse'].map((name) => [200, { name: `Sandbox ${name}` }] as const),
  ...[401, 404, 429, 500].map((status) => [status, { name: `Sandbox ${status}` }] as const),
  [400, { name: 'Acme AG', currency: 'XXX' }],
  [422, { name: 'Acme AG', hq_region: 'ZZ' }],
] as const;
const retrievals = [
  ...['1?currency=CHF', '2', '3'].map((id) => [200, id] as const),
  [400, '1?currency=XXX'],
  [404, '999'],
] as const;

interface Member {
  readonly type: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
}

async function startService(): Promise<TestSandbox> {
  const sandbox = await startTestSandbox({ researchMs: 0 });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function documentOf(sandbox: TestSandbox) {
  const { text } = await sandbox.send('GET', '/openapi.json', undefined, {});
  return JSON.parse(text);
}

describe('/openapi.json', () => {
  it('describes every response of the sandbox', async () => {
    const sandbox = await startService();
    const { paths, components } = await documentOf(sandbox);
    const accepts = new Map<string, ReturnType<typeof compile>>();
    const check = (path: string, method: string, status: number, body: string) => {
      const { content } = paths[path][method].responses[status];
      const name = content['application/json'].schema.$ref.split('/').pop();
      const errorsOf = accepts.get(name) ?? compile(components.schemas[name]);
      accepts.set(name, errorsOf);
      expect(errorsOf(JSON.parse(body))).toEqual([]);
    };
    for (const [status, body] of registrations) {
      const response = await sandbox.register(body);
      expect(response.status).toBe(status);
      check('/organizations', 'post', status, response.text);
    }
    for (const [status, id] of retrievals) {
      const response = await sandbox.retrieve(id);
      expect(response.status).toBe(status);
      check('/organizations/{id}', 'get', status, response.text);
    }
  });

  it('allows only registrations that the sandbox accepts', { tags: ['property'] }, async () => {
    const sandbox = await startService();
    const { info, components } = await documentOf(sandbox);
    expect(info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
    const { properties, required } = components.schemas.Registration;
    const validate = compile(components.schemas.Registration);
    expect(validate({ name: 'Acme AG', hq_region: 'DE', currency: 'EUR' })).toEqual([]);
    for (const wrong of [{ hq_region: 'ZZ' }, { currency: 'XXX' }])
      expect(validate({ name: 'Acme AG', ...wrong })).not.toEqual([]);
    const values = Object.entries(properties as Record<string, Member>).map(
      ([name, { type, enum: codes, pattern }]) => {
        if (codes !== undefined) return [name, fc.constantFrom(...codes)] as const;
        if (type === 'boolean') return [name, fc.boolean()] as const;
        const text = fc.string({ unit: anyCharacter, maxLength: 30 });
        return [
          name,
          pattern === undefined ? text : fc.stringMatching(new RegExp(pattern)),
        ] as const;
      },
    );
    const body = fc.record(Object.fromEntries(values), { requiredKeys: required });
    await fc.assert(
      fc.asyncProperty(body, async (registration) => {
        expect(validate(registration)).toEqual([]);
        expect((await sandbox.register(registration)).status).toBe(200);
      }),
      { numRuns: runs(50) },
    );
  });

  it('needs no API key, and accepts only GET', async () => {
    const sandbox = await startService();
    const { status, headers } = await sandbox.send('GET', '/openapi.json', undefined, {});
    expect([status, headers['carbon-sandbox']]).toEqual([200, 'synthetic']);
    expect((await sandbox.send('POST', '/openapi.json', '{}')).headers.allow).toBe('GET');
  });
});
