import * as z from 'zod/mini';
import { waitForResearch } from '../client/api/carbon-client.ts';
import { PendingError } from '../client/api/errors.ts';
import { hasEnded, readReference } from '../client/api/ids.ts';
import type { RecordResponse } from '../client/api/responses.ts';
import {
  checkIdentifier,
  describeProblems,
  doubtsAbout,
  type Registration,
} from '../client/registration/fields.ts';
import { identifierSchema } from '../client/registration/schema.ts';
import { invalidInput } from '../runtime/carbon-error.ts';
import { dataNote, defineTool, type Service, type Tool, type ToolContext } from './tool.ts';

/* Clients give up on a call after about a minute. */
const maxWatchSeconds = 45;

const id = z
  .union([z.int().check(z.nonnegative()), z.string().check(z.regex(/^\d{1,20}$/))])
  .check(z.describe('Id in the service'));
const currency = z.optional(
  z.string().check(z.regex(/^[A-Z]{3}$/), z.describe('ISO 4217, for revenue and factors')),
);

export function serviceTools(context: ToolContext): readonly Tool[] {
  const read = [getTool(context), watchTool(context)];
  return context.allowsRegistration ? [...read, registerTool(context)] : read;
}

function getTool({ connect }: ToolContext): Tool {
  return defineTool({
    name: 'get_organization',
    title: 'Record of an organization',
    description: `Get the record of a registered organization: emissions by year and scope (unit undocumented), score (0 to 1), ranks (industry_rank: of the industry among all), climate programs, research status. ${dataNote}`,
    input: z.strictObject({ id, currency }),
    isReadOnly: true,
    run: async (given, signal) => {
      const service = await connect();
      const { client } = service;
      const received = await client.retrieve(given.id, { currency: given.currency }, signal);
      return resultOf(received, service);
    },
  });
}

function watchTool({ connect }: ToolContext): Tool {
  return defineTool({
    name: 'watch_organization',
    title: 'Wait for research',
    description: `Wait until research on an organization ends, then return its record. Call again if ended is false. ${dataNote}`,
    input: z.strictObject({
      id,
      currency,
      timeout_seconds: z._default(
        z.int().check(z.minimum(1), z.maximum(maxWatchSeconds), z.describe('Longest wait')),
        maxWatchSeconds,
      ),
    }),
    isReadOnly: true,
    run: async (given, signal, report) => {
      const service = await connect();
      const options = {
        onStatus: (status: string | undefined) => report(status ?? 'no status'),
        currency: given.currency,
        timeoutMs: given.timeout_seconds * 1_000,
        signal,
      };
      try {
        const received = await waitForResearch(service.client, given.id, options);
        return resultOf(received, service);
      } catch (error) {
        if (!(error instanceof PendingError)) throw error;
        const { researchStatus: status = null } = error;
        return { ended: false, synthetic: service.isSynthetic(), status };
      }
    },
  });
}

function registerTool({ connect }: ToolContext): Tool {
  return defineTool({
    name: 'register_organization',
    title: 'Register an organization',
    description: `Register an organization (safe to repeat) and start research. It costs quota and cannot be undone: confirm it with the user. Give identifying details, such as the website. ${dataNote}`,
    input: z.extend(identifierSchema, {
      doubtful: z.optional(z.literal('send').check(z.describe('Send it as it is'))),
    }),
    isReadOnly: false,
    run: async ({ doubtful, ...given }, signal) => {
      const { registration, problems } = checkIdentifier(given as Registration);
      if (problems.length > 0)
        throw invalidInput(describeProblems(problems), 'Correct the value or leave it out.');
      const doubts = doubtful === 'send' ? [] : doubtsAbout(registration);
      if (doubts.length > 0)
        throw invalidInput(
          describeProblems(doubts),
          'Correct the value or leave it out. If the user means it, add doubtful: "send".',
        );
      const service = await connect();
      return resultOf(await service.client.register(registration, signal), service);
    },
  });
}

function resultOf({ record }: RecordResponse, service: Service): object {
  const { status } = readReference(record);
  return {
    ended: hasEnded(status),
    synthetic: service.isSynthetic(),
    status: status ?? null,
    record,
  };
}
