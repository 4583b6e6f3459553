/** How many messages become due at an instant. */
export interface DueCount {
  readonly at: Date;
  readonly count: number;
}

/**
 * When the last message will have been sent, at `perSecond` messages a second from each due time
 * on; undefined when there is no message.
 */
export function finishTime(due: readonly DueCount[], perSecond: number): Date | undefined {
  let end: number | undefined;
  for (const { at, count } of due.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    end = Math.max(end ?? 0, at.getTime()) + (count / perSecond) * 1_000;
  }
  return end === undefined ? undefined : new Date(Math.ceil(end));
}
