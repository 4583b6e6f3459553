/**
 * The protocol's history: a version number that grows by one, a date, and what changed. Rows are
 * added and never edited.
 */
export const history = [
  {
    version: 1,
    date: '2026-11-21',
    change: 'Signed handshake, sealed frames, calls with results in parts, commands and events.',
  },
  {
    version: 2,
    date: '2026-11-23',
    change:
      'The hello names the key that the agent trusts; `identity` and `trusts` replace it by a new one.',
  },
  {
    version: 3,
    date: '2026-11-23',
    change: 'Commands may be imports of received documents; a document may come as the XML it is.',
  },
  {
    version: 4,
    date: '2026-11-23',
    change:
      'Documents are sent in batches (`documents.read`) as far as `credit` allows; the welcome says what is stored of each source.',
  },
  {
    version: 5,
    date: '2026-11-23',
    change: 'An agent changes its own key: `key`, answered by `knows`.',
  },
  {
    version: 6,
    date: '2026-11-23',
    change: "A supplier's document is rejected by the call `connector.reject`.",
  },
  {
    version: 7,
    date: '2026-11-24',
    change: 'A source is looked through for its invoices by the call `connector.discover`.',
  },
  {
    version: 8,
    date: '2026-11-24',
    change:
      'An agent says how it is: `status`, with its queue, its disk and what its doctor found.',
  },
  {
    version: 9,
    date: '2026-11-30',
    change: 'A confirmation names the earlier invoices of its document that it replaces.',
  },
  {
    version: 10,
    date: '2026-11-30',
    change:
      'A confirmation may say `invalid` (rejected by our checks, never sent) and `cancelled` (by its authority).',
  },
  {
    version: 11,
    date: '2026-11-30',
    change: 'A draft names the invoice that its document corrects.',
  },
] as const;

/** The versions that one side supports, from `min` to `max`. */
export interface VersionRange {
  readonly min: number;
  readonly max: number;
}

/** The versions that this build supports; the newest is the last of the history. */
export const supported: VersionRange = { min: 1, max: history.at(-1)!.version };

/** The first version in which an agent changes its own key. */
export const agentKeyChangeVersion = 5;

/** The first version in which an agent takes rejections of suppliers' documents. */
export const rejectionVersion = 6;

/** The first version in which an agent looks through its sources. */
export const discoveryVersion = 7;

/** The first version in which an agent says how it is. */
export const statusVersion = 8;

/** The first version in which documents are sent in batches, against credit. */
export const batchVersion = 4;

/** The first version in which an agent follows to a new key of the control plane. */
export const identityChangeVersion = 2;

/** The highest version that both sides support, or undefined when there is none. */
export function negotiate(ours: VersionRange, theirs: VersionRange): number | undefined {
  const highest = Math.min(ours.max, theirs.max);
  return highest >= Math.max(ours.min, theirs.min) ? highest : undefined;
}
