/** Measures requests to others: `const end = times.begin({ environment, to }); … end(outcome);` */
import type { Histogram } from 'prom-client';
import type { RequestLabel } from './metrics.ts';

/** How a request ended: with an answer of that status, or without one. */
export type RequestEnd = number | 'unsent' | 'maybe-sent';

/** Who is asked, by the id of an authority or provider, and in which environment. */
interface RequestTo {
  readonly environment: string;
  readonly to: string;
}

/** Measures requests. */
export interface RequestTimes {
  /** A request begins; the returned function is called when it has ended. */
  begin(request: RequestTo): (end: RequestEnd) => void;
}

/** Writes the times into a histogram. `stopwatch` gives monotonic milliseconds. */
export function createRequestTimes(
  seconds: Histogram<RequestLabel>,
  stopwatch: () => number,
): RequestTimes {
  return {
    begin: ({ environment, to }) => {
      const begunAtMs = stopwatch();
      return (end) => {
        const labels = { environment, to, outcome: outcomeOf(end) };
        seconds.observe(labels, (stopwatch() - begunAtMs) / 1_000);
      };
    },
  };
}

/** Measures nothing. */
export const unmeasured: RequestTimes = { begin: () => () => {} };

function outcomeOf(end: RequestEnd): string {
  if (typeof end === 'number') return `${Math.trunc(end / 100)}xx`;
  return end === 'unsent' ? 'unsent' : 'maybe_sent';
}
