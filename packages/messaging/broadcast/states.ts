/** Where a broadcast stands. `queued`: its audience is not fixed yet. */
export const broadcastStates = [
  'queued',
  'running',
  'paused',
  'completed',
  'failed',
  'canceled',
] as const;
/** One of `broadcastStates`. */
export type BroadcastState = (typeof broadcastStates)[number];

/** What a user or the sender does to a broadcast. */
export type BroadcastAction = 'start' | 'pause' | 'resume' | 'cancel' | 'complete' | 'fail';

const moves: Readonly<Record<BroadcastAction, Partial<Record<BroadcastState, BroadcastState>>>> = {
  start: { queued: 'running' },
  pause: { queued: 'paused', running: 'paused', paused: 'paused' },
  resume: { queued: 'queued', paused: 'running', running: 'running' },
  cancel: { queued: 'canceled', running: 'canceled', paused: 'canceled', canceled: 'canceled' },
  complete: { running: 'completed' },
  fail: { queued: 'failed', running: 'failed', paused: 'failed' },
};

/**
 * The state after an action; undefined when the action is too late or makes no sense. A broadcast
 * that was paused before its audience was fixed is queued again.
 */
export function stateAfter(
  state: BroadcastState,
  action: BroadcastAction,
  isFixed: boolean,
): BroadcastState | undefined {
  const after = moves[action][state];
  return action === 'resume' && state === 'paused' && !isFixed ? 'queued' : after;
}
