/** When a session in a browser ends by itself. */

/** So long before it is told. */
const noticeSeconds = 120;

export interface SessionEnd {
  /** `idle`: what a person does puts it off. `life`: nothing does. */
  readonly kind: 'idle' | 'life';
  readonly seconds: number;
}

interface Told {
  readonly idle_seconds: number;
  readonly remaining_seconds: number;
}

interface Times {
  readonly now: Date;
  /** When the last answer came to a request that told of a person, in any window. */
  readonly answeredAt: Date;
  /** When the session was told, in milliseconds since 1970. */
  readonly toldAtMs: number;
}

/** The end that comes first, by the clock of this browser alone: that of the server may go otherwise. */
export function endOf(told: Told, { now, answeredAt, toldAtMs }: Times): SessionEnd {
  const idle = told.idle_seconds - (now.getTime() - answeredAt.getTime()) / 1_000;
  const life = told.remaining_seconds - (now.getTime() - toldAtMs) / 1_000;
  return life <= idle ? { kind: 'life', seconds: life } : { kind: 'idle', seconds: idle };
}

export const isNear = ({ seconds }: SessionEnd) => seconds > 0 && seconds <= noticeSeconds;
