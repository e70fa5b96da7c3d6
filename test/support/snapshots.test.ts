import { expect, it } from 'vitest';
import { newFolder } from './run.ts';

it('snapshots show the folder of a test under one name', () => {
  const path = `${newFolder()}/records.ndjson`;
  expect({ path, text: `a file ${path}, "${path}"` }).toMatchInlineSnapshot(`
    {
      "path": "<folder>/records.ndjson",
      "text": "a file <folder>/records.ndjson, "<folder>/records.ndjson"",
    }
  `);
});
