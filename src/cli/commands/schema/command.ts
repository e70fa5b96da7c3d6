import { Argument, type Command } from 'commander';
import { UsageError } from '../../../runtime/carbon-error.ts';
import type { Run, Session } from '../../session.ts';

/** Documents that have a schema, with their meaning. */
export const documents = {
  record: 'a record, as get and watch --json print it',
  registration: 'the body of a registration, as register --dry-run prints it',
  error: 'an error line on standard error',
  events: 'any line on standard error',
  summary: 'the file that --metrics-file run.json of batch, watch and footprint writes',
} as const;

/** Name of a document that has a schema. */
export type DocumentName = keyof typeof documents;

const names = Object.keys(documents) as DocumentName[];

const howItWorks = `
Documents:
${names.map((name) => `  ${name.padEnd(13)} ${documents[name]}`).join('\n')}

The schema is JSON Schema 2020-12. A later version of carbon or of the service
may add members, so a reader must ignore those that it does not know.`;

/** Declares `carbon schema`. */
export function addSchema(program: Command, run: Run): Command {
  return program
    .command('schema')
    .description('Print the JSON Schema of a document that carbon reads or prints')
    .addArgument(
      new Argument('<document>', 'the document to describe').choices(names).argParser(readName),
    )
    .addHelpText('after', howItWorks)
    .action((name: DocumentName, _: unknown, command: Command) =>
      run(command, ['human', 'json'], (session) => printSchema(session, name)),
    );
}

function readName(text: string): DocumentName {
  const name = names.find((known) => known === text);
  if (name !== undefined) return name;
  throw new UsageError(`No schema for "${text}"`, `Use one of ${names.join(', ')}.`);
}

async function printSchema(session: Session, name: DocumentName): Promise<number> {
  const { jsonSchemaOf } = await import('./json-schema.ts');
  const schema = jsonSchemaOf(name);
  if (session.format === 'json') session.printJson(JSON.stringify(schema));
  else session.print(`${JSON.stringify(schema, undefined, 2)}\n`);
  return 0;
}
