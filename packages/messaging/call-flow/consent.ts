import { type CallFlow, exitsOf } from './flow.ts';
import type { Segment } from './segment.ts';

/** What a tenant's law asks for before a call may be recorded. */
export type RecordingPolicy =
  | 'free'
  /** The caller is told first, by a node marked so; or has consented. */
  | 'announced'
  /** The caller has consented, on record. */
  | 'consented';

/** The policy, and whether this call's person has consented, on record. */
export interface RecordingConsent {
  readonly policy: RecordingPolicy;
  readonly hasConsented: boolean;
  /** What was allowed was taken back, which holds against every policy. */
  readonly hasRefused?: boolean;
}

/** Of what the person said last: yes, no, or nothing. */
export function recordingConsent(
  policy: RecordingPolicy,
  said: boolean | undefined,
): RecordingConsent {
  return { policy, hasConsented: said === true, hasRefused: said === false };
}

/** Whether a whole call may be recorded: that begins before anything could announce it. */
export function mayRecordAll({ policy, hasConsented, hasRefused }: RecordingConsent): boolean {
  return hasRefused !== true && (hasConsented || policy === 'free');
}

/**
 * The segment as the policy allows it: one that may not record ends the call instead. Whoever plays a
 * segment, by a document or by itself, takes it from here.
 */
export function permitted(
  flow: CallFlow,
  segment: Segment,
  consent: RecordingConsent,
): { readonly segment: Segment; readonly refused?: string } {
  const { end } = segment;
  if (end.kind !== 'record' || !unpermittedRecords(flow, consent).has(end.node)) return { segment };
  return { segment: { ...segment, end: { kind: 'hangup' } }, refused: end.node };
}

/**
 * Nodes that record although the policy is not met: with `announced`, those that some way leads to on
 * which nothing tells of it. Who took back a consent is not recorded by any.
 */
function unpermittedRecords(
  flow: CallFlow,
  { policy, hasConsented, hasRefused = false }: RecordingConsent,
): ReadonlySet<string> {
  if (!hasRefused && (policy === 'free' || hasConsented)) return new Set();
  const reached = new Set([flow.start]);
  for (const name of reached) {
    const node = flow.nodes[name]!;
    const isAnnouncement = 'announces_recording' in node && node.announces_recording;
    if (policy === 'announced' && isAnnouncement && !hasRefused) continue;
    for (const { to } of exitsOf(node)) reached.add(to);
  }
  return new Set([...reached].filter((name) => flow.nodes[name]!.type === 'record'));
}
