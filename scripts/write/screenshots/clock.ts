/** A clock that goes on from wherever it was set to, so that data get the times that they shall have. */
export interface SettableClock {
  readonly now: () => Date;
  /** Later than it is: nothing may have happened after what comes next. */
  set(iso: string): void;
}

export function settableClock(iso: string): SettableClock {
  let from = Date.parse(iso);
  let since = performance.now();
  const now = () => new Date(from + performance.now() - since);
  return {
    now,
    set: (later) => {
      if (Date.parse(later) < now().getTime()) throw new Error(`it is ${now().toISOString()}`);
      from = Date.parse(later);
      since = performance.now();
    },
  };
}
