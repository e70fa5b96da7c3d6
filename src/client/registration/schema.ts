/* The schema of the body of a registration, which follows from the table of fields. */
import * as z from 'zod/mini';
import { type Field, type Identifier, identifierFields, type RequestField } from './fields.ts';

type FieldSchema<Name extends Field> = Name extends 'name'
  ? z.ZodMiniString
  : z.ZodMiniOptional<
      Identifier[Name] extends boolean | undefined ? z.ZodMiniBoolean : z.ZodMiniString
    >;

function schemaOf({ name, about, placeholder }: RequestField): z.ZodMiniType {
  const text = name === 'name' ? z.string().check(z.minLength(1)) : z.optional(z.string());
  const schema = placeholder === undefined ? z.optional(z.boolean()) : text;
  z.globalRegistry.add(schema, { description: about });
  return schema;
}

/** Schema of the body of a registration (section 9 of docs/service.md); rejects unknown fields. */
export const identifierSchema = z.strictObject(
  Object.fromEntries(identifierFields.map((field) => [field.name, schemaOf(field)])),
) as unknown as z.ZodMiniObject<{ readonly [Name in Field]: FieldSchema<Name> }, z.core.$strict>;
