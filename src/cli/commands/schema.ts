import { UsageError } from '../../runtime/carbon-error.ts';
import type { CommandDeclaration } from '../declaration.ts';

/** Documents that have a schema, with their meaning. */
export const documents = {
  record: 'a record, as get and watch --json print it',
  registration: 'the body of a registration, as register --dry-run prints it',
  error: 'an error line on standard error',
  metrics: 'the file of --metrics-file run.json',
} as const;

/** Name of a document that has a schema. */
export type DocumentName = keyof typeof documents;

const names = Object.keys(documents) as DocumentName[];

const howItWorks = `
Documents:
${names.map((name) => `  ${name.padEnd(13)} ${documents[name]}`).join('\n')}

The schema is JSON Schema 2020-12. A later version of carbon or of the service
may add members, so a reader must ignore those that it does not know.`;

/** `carbon schema` */
export const schemaCommand: CommandDeclaration = {
  name: 'schema',
  group: 'Developers',
  summary: 'Print the JSON Schema of a document that carbon reads or prints',
  arguments: [{ term: '<document>', description: 'the document to describe', values: names }],
  examples: ['carbon schema record', 'carbon schema metrics > metrics.schema.json'],
  notes: howItWorks,
  formats: ['human', 'json'],
  missing: ['the name of a document', 'Try `carbon schema record`, or `carbon help schema`.'],
  async run(session, [given = '']) {
    const name = names.find((known) => known === given);
    if (name === undefined)
      throw new UsageError(`No schema for "${given}"`, `Use one of ${names.join(', ')}.`);
    const { jsonSchemaOf } = await import('./schema-documents.ts');
    const schema = jsonSchemaOf(name);
    if (session.format === 'json') session.printJson(JSON.stringify(schema));
    else session.print(`${JSON.stringify(schema, undefined, 2)}\n`);
    return 0;
  },
};
