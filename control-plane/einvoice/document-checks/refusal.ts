import type { EndCause, ThreadOutcome } from '../../platform/concurrency/thread-pool.ts';
import { retryAfter } from '../../platform/http/retry-after.ts';
import { fail } from '../errors.ts';

const busyRetryMs = 2_000;

/** The result of a check for somebody who waits for it. Throws `ApiError` when there is none. */
export function settledOr<Result>(outcome: ThreadOutcome<Result>): Result {
  switch (outcome.kind) {
    case 'done':
      return outcome.result;
    case 'busy':
      throw fail(
        'rate_limited',
        'As many large documents of yours are being checked as may be at once: send fewer at a time.',
        { headers: retryAfter(busyRetryMs) },
      );
    case 'ended':
      if (outcome.cause === 'crash') throw new Error('a thread ended while it checked a document');
      throw fail('payload_too_large', endedMessage(outcome.cause));
  }
}

/** What is said of a document whose check was ended. */
export function endedMessage(cause: EndCause): string {
  const what = { time: 'time', memory: 'memory', crash: 'work' }[cause];
  return `The document takes more ${what} to be checked than a document may. Divide it into several.`;
}
