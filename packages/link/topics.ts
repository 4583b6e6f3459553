import { z } from 'zod';
import { documentsRead, sourceReconciled } from './documents.ts';
import { limits } from './limits.ts';
import { connectorName, type Method, methods, ref, writeBackOutcome } from './methods.ts';

function answered<M extends Method>(method: M) {
  const { params, result } = methods[method];
  return z.object({ method: z.literal(method), params, result });
}

/** Topic and body of the events an agent sends. */
export const topics = {
  /** The outcome of a command; the event's id is the command's. */
  'command.done': writeBackOutcome,
  /**
   * Documents of a watched connector that are new or changed, oldest first, without their content: what
   * agents before version 4 send, and what these are sent to.
   */
  'documents.changed': z.object({
    connector: connectorName,
    refs: z.array(ref).max(limits.pageRefsMax),
  }),
  /** From version 4 on. */
  'documents.read': documentsRead,
  'source.reconciled': sourceReconciled,
  /** The answer to a call that was not made, for a control plane that cannot ask: see bundle.ts. */
  'call.answered': z.discriminatedUnion('method', [
    answered('connector.read'),
    answered('connector.describe'),
    answered('connector.test'),
  ]),
} as const;

/** The name of a topic. */
export type Topic = keyof typeof topics;
