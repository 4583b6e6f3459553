/**
 * What an agent does after a close: `never` waits for a person, `later` dials after a backoff,
 * `now` dials at once.
 */
type Redial = 'never' | 'later' | 'now';

interface Close {
  readonly code: number;
  readonly redial: Redial;
  readonly reason: string;
}

/** Why a session ends: the WebSocket close code is the public contract and is never reused. */
export const closeReasons = {
  draining: { code: 4000, redial: 'now', reason: 'this end is going away' },
  superseded: { code: 4001, redial: 'never', reason: 'a newer copy of this agent holds the link' },
  revoked: { code: 4002, redial: 'never', reason: 'the agent was revoked' },
  unknown_agent: { code: 4003, redial: 'never', reason: 'no agent with this id is enrolled' },
  bad_proof: { code: 4004, redial: 'never', reason: 'the signature does not verify' },
  no_common_version: { code: 4005, redial: 'later', reason: 'no protocol version in common' },
  suspended: { code: 4006, redial: 'later', reason: 'the workspace is suspended' },
  retired_key: {
    code: 4007,
    redial: 'never',
    reason: 'the control plane no longer has the key that the agent trusts',
  },
  replayed: { code: 4010, redial: 'later', reason: 'a frame came a second time' },
  out_of_order: { code: 4011, redial: 'later', reason: 'a frame is missing before this one' },
  oversized: { code: 4012, redial: 'later', reason: 'a frame or a result is over the limit' },
  unsealed: { code: 4013, redial: 'later', reason: 'a frame is not sealed with the session key' },
  malformed: { code: 4014, redial: 'later', reason: 'a frame does not read as its kind' },
  unknown_kind: { code: 4015, redial: 'later', reason: 'no frame of this kind' },
  unknown_version: { code: 4016, redial: 'later', reason: 'a frame of a version not agreed' },
  unexpected: { code: 4017, redial: 'later', reason: 'a frame of this kind is not due now' },
  silent: { code: 4018, redial: 'later', reason: 'the peer fell silent' },
  failed: { code: 4019, redial: 'later', reason: 'this end could not carry on' },
  over_credit: { code: 4021, redial: 'later', reason: 'more was sent than was granted' },
  unsigned_identity: {
    code: 4020,
    redial: 'later',
    reason: 'a new key is not signed with the trusted one',
  },
} as const satisfies Record<string, Close>;

/** A name of a row of `closeReasons`. */
export type CloseReason = keyof typeof closeReasons;

/** The row of this close code; undefined for codes of a network or a proxy. */
export function closeReasonOf(code: number): CloseReason | undefined {
  const names = Object.keys(closeReasons) as CloseReason[];
  return names.find((name) => closeReasons[name].code === code);
}
