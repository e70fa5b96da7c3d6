import { expect, it } from 'vitest';
import { commandNames } from '../../../src/cli/program.ts';
import { html, withCommands } from '../../../src/display/page/html.ts';

const marked = (text: string) =>
  [...html`${withCommands(text)}`.text.matchAll(/<code[^>]*>(.*?)<\/code>/g)].map(([, code]) =>
    code?.replace(/<[^>]*>/g, ''),
  );

it.each([
  ['For that, run carbon footprint.', ['carbon footprint']],
  ['right, Acme (carbon check)', ['carbon check']],
  [
    'add a LEI, then run carbon sync list.csv. Or add it to these rows, then run carbon sync list.csv --map website=Website',
    ['carbon sync list.csv', 'carbon sync list.csv --map website=Website'],
  ],
  [
    'run carbon footprint <your purchases> --records list.csv',
    ['carbon footprint &lt;your purchases&gt; --records list.csv'],
  ],
  [
    "carbon sync 'my list.xlsx' --sheet Data, then carbon sync 'my list.xlsx' --sheet '2'",
    [
      'carbon sync &#39;my list.xlsx&#39; --sheet Data',
      'carbon sync &#39;my list.xlsx&#39; --sheet &#39;2&#39;',
    ],
  ],
  [
    'run carbon footprint p.csv --unit t --goal "67% by 2028"; then',
    ['carbon footprint p.csv --unit t --goal &quot;67% by 2028&quot;'],
  ],
  [
    'carbon get 1001 --full lists its sources, which carbon footprint --csv lists',
    ['carbon get 1001 --full', 'carbon footprint --csv'],
  ],
  [
    'save it (carbon footprint <file> --json > 2023.ndjson), then',
    ['carbon footprint &lt;file&gt; --json &gt; 2023.ndjson'],
  ],
  [
    'carbon report counts whole companies, and carbon footprint only known ones',
    ['carbon report', 'carbon footprint'],
  ],
  ['carbon estimates nothing; the carbon footprints; low-carbon report', []],
])('marks the commands in %s', (text, expected) => {
  expect(marked(text)).toEqual(expected);
});

it('marks only commands that exist', () => {
  const named = commandNames.filter((name) => marked(`carbon ${name}`).length > 0);
  expect(named.toSorted()).toEqual(['check', 'footprint', 'get', 'list', 'report', 'sync']);
});

it('escapes the rest of the text, and what is marked', () => {
  expect(html`${withCommands('<b> carbon check <b>')}`.text).toBe(
    '&lt;b&gt; <code>carbon check &lt;b&gt;</code>',
  );
});
