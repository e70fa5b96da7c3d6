import { constants } from 'node:os';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorObject } from '../../../src/cli/errors.ts';
import { renderError, renderText } from '../../../src/cli/messages.ts';
import { escapeForTerminal } from '../../../src/cli/output/json.ts';
import { NotFoundError, RejectedError, UnavailableError } from '../../../src/client/api/errors.ts';
import { loadStyle, plainStyle } from '../../../src/display/terminal/style.ts';
import { wrap } from '../../../src/display/terminal/text.ts';
import { LocalError, outputError, toCarbonError } from '../../../src/runtime/carbon-error.ts';
import { badLines } from '../../support/screen.ts';
import { anyCharacter } from '../../support/seed.ts';

const pipe = { style: plainStyle, columns: 80, terminal: false, wrap: (line: string) => [line] };
const terminal = { ...pipe, terminal: true, wrap };

const hint =
  'Only registered organizations can be retrieved: carbon register --help shows how to register one.';
const notFound = new NotFoundError('Organization 12 was not found', {
  status: 404,
  title: 'Organization Not found',
  detail: "Couldn't find an Organization with the provided id.",
  id: '12',
});

const jsonOf = (error: object) => escapeForTerminal(JSON.stringify({ error }));

describe('renderError', () => {
  it('states what failed, why, and what to do', () => {
    expect(renderError(notFound, terminal, { hint })).toMatchInlineSnapshot(`
      "Error: Organization 12 was not found
      Hint: Only registered organizations can be retrieved: carbon register --help
        shows how to register one."
    `);
  });

  it('omits causes that the message contains', () => {
    const message = 'The service rejected Acme (422): no such country';
    const refused = new RejectedError(message, { detail: 'no such country' });
    expect(renderError(refused, pipe)).toBe(`Error: ${message}`);
  });

  it('lists the chain of causes', () => {
    const refused = new Error('connect ECONNREFUSED 127.0.0.1:1');
    const cause = new TypeError('fetch failed', { cause: refused });
    const message = 'https://a.example could not be reached';
    const error = new UnavailableError('network', message, { cause });
    expect(renderError(error, pipe)).toMatchInlineSnapshot(`
    "Error: https://a.example could not be reached
      fetch failed
      connect ECONNREFUSED 127.0.0.1:1"
  `);
    const several = new AggregateError([new Error('connect ECONNREFUSED ::1:1')]);
    expect(renderError(new LocalError('No', { cause: several }), pipe)).toContain(
      'ECONNREFUSED ::1:1',
    );
    const disk = Object.assign(new Error('ENOSPC: no space left'), { syscall: 'write' });
    expect(renderError(toCarbonError(disk), pipe)).toBe('Error: ENOSPC: no space left');
  });

  it('names an exceeded disk quota, for which Node has no name', () => {
    const errno = -constants.errno.EDQUOT;
    const unknown = `Unknown system error ${errno}`;
    const details = { code: unknown, errno, syscall: 'write' };
    const quota = Object.assign(new Error(`${unknown}: ${unknown}, write`), details);
    const shown = 'disk quota exceeded (EDQUOT)';
    expect(renderError(toCarbonError(quota), pipe)).toBe(`Error: ${shown}`);
    expect(outputError(quota).message).toBe(`Standard output could not be written: ${shown}`);
  });

  it('ends when a cause is its own cause', () => {
    const cause: Error = new Error('round');
    cause.cause = cause;
    expect(renderError(new LocalError('No', { cause }), pipe)).toBe('Error: No\n  round');
  });

  it('prints only the first word in bold', async () => {
    const style = await loadStyle(1);
    const view = { ...terminal, style };
    expect(renderError(new LocalError('No'), view, { hint: 'Yes' })).toBe(
      '\u001b[1mError:\u001b[22m No\n\u001b[1mHint:\u001b[22m Yes',
    );
    expect(renderText('Careful', view, 'Warning')).toBe('\u001b[1mWarning:\u001b[22m Careful');
  });

  it('omits unknown members from its line of JSON', () => {
    expect(jsonOf(errorObject(notFound))).toMatchInlineSnapshot(
      `"{"error":{"code":"not_found","exit":5,"message":"Organization 12 was not found","status":404,"title":"Organization Not found","detail":"Couldn't find an Organization with the provided id.","id":"12","retryable":false,"hint":"The IDs of a list: \`carbon list <list> --columns id,name\`. For a new organization: \`carbon register --name \\"<name>\\"\`."}}"`,
    );
    expect(jsonOf(errorObject(new LocalError('a\u009b\u202e\nb')))).toBe(
      '{"error":{"code":"local","exit":1,"message":"a\\u009b\\u202e\\nb","retryable":false}}',
    );
  });

  it('keeps any untrusted text within its line and width', {
    tags: ['property'],
  }, () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('\u001b[2J', 'a\nHint: forged', 'x'.repeat(300)),
    );
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.integer({ min: 0, max: 120 }),
        (message, detail, hint, columns) => {
          const view = { ...terminal, columns };
          const error = new RejectedError(message, { detail, cause: new Error(detail + hint) });
          const lines = [
            renderError(error, view, { hint }),
            renderText(message, view, 'Warning'),
          ].join('\n');
          expect(badLines(lines, Math.max(40, columns))).toEqual([]);
          expect(renderError(error, pipe, { hint }).split('\n').length).toBeLessThanOrEqual(4);
          expect(JSON.parse(jsonOf(errorObject(error))).error.message).toBe(message);
        },
      ),
    );
  });
});
