import type { CommandMethod, Params, Result } from '@drawbridge/link/methods.ts';
import type { Db } from '../platform/db/database.ts';
import type { CallOptions, CallOutcome } from './agent-call.ts';
import type { AgentAddress } from './remote-calls.ts';
import { insertCommand, notifyNodes, orderCommands, readAgent, readCommand } from './store.ts';

export interface CommandQueue {
  readonly db: Db;
  newId(): string;
  /** Calls `wake` when the command has its outcome; the returned function cancels that. */
  whenDone(commandId: string, wake: () => void): () => void;
}

/**
 * Queues a command durably and waits for its outcome. When the wait ends first the command stays
 * queued: the same call, made again with the same idempotency key, finds it, or its outcome.
 */
export async function sendCommand(
  { db, newId, whenDone }: CommandQueue,
  { tenantId, agentId }: AgentAddress,
  params: Params<CommandMethod>,
  { signal, deadlineMs }: CallOptions,
): Promise<CallOutcome<CommandMethod>> {
  const { connector, command } = params;
  const target = { agentId, connector, key: command.idempotencyKey };
  const known = await db.tenant(tenantId, async (tx) => {
    if ((await readAgent(tx, tenantId, agentId)) === undefined) return undefined;
    await orderCommands(tx, agentId);
    const added = await insertCommand(tx, tenantId, { id: newId(), ...target, params });
    if (added) await notifyNodes(tx, { kind: 'command', agentId });
    return readCommand(tx, tenantId, target);
  });
  if (known === undefined) return { kind: 'absent' };
  const over = AbortSignal.timeout(deadlineMs);
  const giveUp = signal ? AbortSignal.any([signal, over]) : over;
  const woken = Promise.withResolvers<void>();
  const forget = whenDone(known.id, woken.resolve);
  giveUp.addEventListener('abort', () => woken.resolve(), { once: true });
  // Read after listening began, so that an outcome in between is not missed.
  let { outcome } = (await db.tenant(tenantId, (tx) => readCommand(tx, tenantId, target))) ?? known;
  if (outcome === null && !giveUp.aborted) {
    await woken.promise;
    outcome = (await db.tenant(tenantId, (tx) => readCommand(tx, tenantId, target)))?.outcome;
  }
  forget();
  if (outcome === null || outcome === undefined) return { kind: 'timeout' };
  return { kind: 'answered', result: outcome as Result<CommandMethod> };
}
