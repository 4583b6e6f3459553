/** What commands of this host ask of the running agent: one request a connection, answered by lines of JSON. */
import { z } from 'zod';
import { type ErrorName, errors } from '../errors.ts';

const errorName = z.custom<ErrorName>(
  (value) => typeof value === 'string' && Object.hasOwn(errors, value),
);

export const channelRequest = z.discriminatedUnion('method', [
  /** Try again now what waits: all of it, or of one source. */
  z.object({ method: z.literal('retry'), connector: z.string().optional() }),
  /** Send what another process has queued. */
  z.object({ method: z.literal('deliver') }),
  /** Change the agent's own key. */
  z.object({ method: z.literal('rotate-key') }),
  /** Tell what passes on the link, until the connection is closed. */
  z.object({ method: z.literal('tap'), content: z.boolean() }),
]);
export type ChannelRequest = z.infer<typeof channelRequest>;

export const channelAnswer = z.discriminatedUnion('kind', [
  /** One of many. */
  z.object({ kind: z.literal('line'), value: z.unknown() }),
  z.object({ kind: z.literal('done'), value: z.unknown() }),
  z.object({ kind: z.literal('failed'), error: errorName, cause: z.string() }),
]);
export type ChannelAnswer = z.infer<typeof channelAnswer>;

export const channelLimits = {
  /** Characters of a request. */
  requestLength: 65_536,
  /** Within which a request must be there. */
  requestMs: 5_000,
  connections: 16,
  /** Bytes that wait for a reader; what is more is left out, and counted. */
  unreadBytes: 1_048_576,
  /** Characters of an answer's line. */
  lineLength: 4_194_304,
} as const;
