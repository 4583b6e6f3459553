import type { Params, Result } from '@drawbridge/link/methods.ts';
import type { Db } from '../platform/db/database.ts';
import type { CallOptions, CallOutcome } from './outcome.ts';
import { type AgentAddress, wordOf } from './relay.ts';
import { insertCommand, notify, orderCommands, readAgent, readCommand } from './store.ts';

export interface WriteBackEdge {
  readonly db: Db;
  newId(): string;
  /** Wakes whoever waits for a command's outcome; the given function undoes it. */
  whenDone(commandId: string, wake: () => void): () => void;
}

/**
 * Queues a write-back durably and waits for its outcome. When the wait ends first the command stays
 * queued: the same call, made again with the same idempotency key, finds it, or its outcome.
 */
export async function writeBack(
  { db, newId, whenDone }: WriteBackEdge,
  { tenantId, agentId }: AgentAddress,
  params: Params<'connector.writeBack'>,
  { signal, deadlineMs }: CallOptions,
): Promise<CallOutcome<'connector.writeBack'>> {
  const { connector, command } = params;
  const place = { agentId, connector, key: command.idempotencyKey };
  const known = await db.tenant(tenantId, async (tx) => {
    if ((await readAgent(tx, tenantId, agentId)) === undefined) return undefined;
    await orderCommands(tx, agentId);
    const added = await insertCommand(tx, tenantId, { id: newId(), ...place, params });
    if (added) await notify(tx, wordOf({ kind: 'command', agentId }));
    return readCommand(tx, tenantId, place);
  });
  if (known === undefined) return { kind: 'offline' };
  const over = AbortSignal.timeout(deadlineMs);
  const giveUp = signal ? AbortSignal.any([signal, over]) : over;
  const woken = Promise.withResolvers<void>();
  const forget = whenDone(known.id, woken.resolve);
  giveUp.addEventListener('abort', () => woken.resolve(), { once: true });
  // Read after listening began, or an outcome that came between would be waited for in vain.
  let { outcome } = (await db.tenant(tenantId, (tx) => readCommand(tx, tenantId, place))) ?? known;
  if (outcome === null && !giveUp.aborted) {
    await woken.promise;
    outcome = (await db.tenant(tenantId, (tx) => readCommand(tx, tenantId, place)))?.outcome;
  }
  forget();
  if (outcome === null || outcome === undefined) return { kind: 'timeout' };
  return { kind: 'answered', result: outcome as Result<'connector.writeBack'> };
}
