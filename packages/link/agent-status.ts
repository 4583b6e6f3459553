import { z } from 'zod';
import { limits } from './limits.ts';

/** Controls, and marks that turn the order in which a text is read. */
const unprintable = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** A text for people: what could act on a terminal or a page's order is replaced, and the rest is cut off. */
const text = (max: number) =>
  z.string().transform((value) => value.slice(0, max).replace(unprintable, '\ufffd'));

const count = z.int().min(0);
const instant = z.iso.datetime();
const condition = z.object({ state: z.enum(['room', 'full']), detail: text(500) });

/**
 * What a linked agent says of itself, and what its doctor found. It is small and has no secrets; texts
 * that are too long are cut, more rows than there may be are refused.
 */
const agentStatus = z.object({
  queue: condition.extend({
    /** Write-backs to do. */
    pending_commands: count,
    oldest_pending_at: instant.nullable(),
    /** Events, the documents among them, that the control plane has not taken yet. */
    unsent_events: count,
    unsent_documents: count,
    unsent_bytes: count,
    oldest_unsent_at: instant.nullable(),
  }),
  disk: condition.extend({
    /** Rounded down to 64 MiB: a status that changes with each byte would be sent without end. */
    free_bytes: count,
  }),
  /** Sources that do not take what is to be written. */
  waiting: z
    .array(z.object({ connector: text(100), detail: text(500), since: instant }))
    .max(limits.statusRowsMax),
  /** What the doctor found when it last looked; empty before it has. */
  findings: z
    .array(
      z.object({
        component: text(40),
        target: text(300),
        status: z.enum(['ok', 'warn', 'fail']),
        detail: text(500),
        /** Of findings.ts, where something can be done. */
        code: z
          .string()
          .regex(/^[a-z][a-z_]{0,39}$/)
          .optional(),
      }),
    )
    .max(limits.statusRowsMax),
  /** When the doctor last looked. */
  examined_at: instant.nullable(),
});

export type AgentStatus = z.infer<typeof agentStatus>;

/** What an agent sent as its status; undefined when it does not read, or is over the limit. */
export function readAgentStatus(body: unknown): AgentStatus | undefined {
  if (JSON.stringify(body ?? null).length > limits.statusLengthMax) return undefined;
  return agentStatus.safeParse(body).data;
}
