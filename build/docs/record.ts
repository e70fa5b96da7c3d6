/* The page of the fields of a record, which follow from the schema. */
import { jsonSchemas } from './json-schemas.ts';
import { code, escapeText, prose, table, writePage } from './markdown.ts';

/* The parts of a JSON Schema that describe a field. */
interface Field {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Field[];
  readonly properties?: Readonly<Record<string, Field>>;
  readonly items?: Field;
}

/* Every field may be null, and a field without a type may be anything. */
function typeOf({ type, anyOf = [] }: Field): string {
  const types = [type ?? [], ...anyOf.map((each) => each.type ?? [])].flat();
  const named = types.filter((name) => name !== 'null');
  return anyOf.some((each) => Object.keys(each).length === 0) ? 'any' : named.join(', ') || 'any';
}

/* A row for each field in a part of the record, under the path that `get --full` shows. */
function rowsOf(path: string, { properties, items, anyOf = [] }: Field): string[][] {
  const own = Object.entries(properties ?? {}).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const { description = '' } = field;
    return [[code(at), typeOf(field), escapeText(description)], ...rowsOf(at, field)];
  });
  const listed = items === undefined ? [] : rowsOf(`${path}[]`, items);
  return [...own, ...listed, ...anyOf.flatMap((each) => rowsOf(path, each))];
}

/** Writes docs/reference/record.md. */
export function writeRecord(): string {
  return writePage([
    '# Fields of a record',
    prose(
      'Any field may be absent or null, and a service may send further fields, which `carbon get --full` and `--json` show. The specification gives no type for a field of the type any. [JSON documents](json.md#record) lists the known words of a status and a rank, and [record.schema.json](record.schema.json) is for programs.',
    ),
    table(['field', 'type', 'meaning'], rowsOf('', jsonSchemas.get('record') ?? {})),
  ]);
}
