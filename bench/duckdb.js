/*
 * The same sum as bare-reading.ts in DuckDB. Install it with
 * `npm install --no-save @duckdb/node-api`. Argument: the file.
 */
const library = '@duckdb/node-api';
const { DuckDBInstance } = await import(library);
const [, , path] = process.argv;
if (path !== undefined) {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const result = await connection.runAndReadAll(
    `select sum(score) from read_json_auto('${path}', ignore_errors = true)`,
  );
  process.stdout.write(`${result.getRows()}\n`);
}
