import { type CallFlow, exitsOf } from './flow.ts';
import type { Segment } from './segment.ts';

/** What the tenant's law requires before a call may be recorded. */
export type RecordingPolicy =
  | 'free'
  /** The caller hears an announcement first (a node marked so), or has consented. */
  | 'announced'
  /** The caller's consent is recorded. */
  | 'consented';

/** The policy, and whether this person's consent is recorded. */
export interface RecordingConsent {
  readonly policy: RecordingPolicy;
  readonly hasConsented: boolean;
  /** The person withdrew the consent, which overrides every policy. */
  readonly hasRefused?: boolean;
}

/** The consent by the person's latest answer; undefined: they never answered. */
export function recordingConsent(
  policy: RecordingPolicy,
  said: boolean | undefined,
): RecordingConsent {
  return { policy, hasConsented: said === true, hasRefused: said === false };
}

/** Whether the whole call may be recorded, which starts before any announcement. */
export function mayRecordWholeCall({
  policy,
  hasConsented,
  hasRefused,
}: RecordingConsent): boolean {
  return hasRefused !== true && (hasConsented || policy === 'free');
}

/**
 * The segment without a recording that the policy forbids: the call ends there instead, and
 * `refused` names the node. Both the documents and the PBX sessions use it.
 */
export function withoutForbiddenRecording(
  flow: CallFlow,
  segment: Segment,
  consent: RecordingConsent,
): { readonly segment: Segment; readonly refused?: string } {
  const { end } = segment;
  if (end.kind !== 'record' || !unpermittedRecords(flow, consent).has(end.node)) return { segment };
  return { segment: { ...segment, end: { kind: 'hangup' } }, refused: end.node };
}

/**
 * Nodes that would record against the policy: with `announced`, those that some path reaches
 * without an announcement; after a withdrawn consent, all nodes that record.
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
