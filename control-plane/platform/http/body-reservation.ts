import type { BytesUnderWay } from '../limits/bytes-under-way.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { commonFail } from './errors.ts';
import { retryAfter } from './retry-after.ts';

/** A body up to this size is parsed and worked on where it arrives: an invoice in some milliseconds. */
export const smallBodyBytes = 16 * 1_024;
/** One above this size has a turn of the event loop of its own. */
export const tinyBodyBytes = 4 * 1_024;
const retryMs = 2_000;

/** The share that the body of one request has of the bytes under way; small ones need none. */
export class BodyReservation {
  readonly #bodies: BytesUnderWay;
  readonly #tenantId: string;
  readonly #refusals: Metrics['loadRefusals'];
  #bytes = 0;

  constructor(bodies: BytesUnderWay, tenantId: string, refusals: Metrics['loadRefusals']) {
    this.#bodies = bodies;
    this.#tenantId = tenantId;
    this.#refusals = refusals;
  }

  /** Makes sure of that many bytes in all, however many there were before. Throws `ApiError`. */
  extendTo(bytes: number): void {
    if (bytes <= smallBodyBytes || bytes <= this.#bytes) return;
    const verdict = this.#bodies.take(this.#tenantId, bytes - this.#bytes);
    if (verdict !== 'taken') {
      this.#refusals.inc({ reason: `${verdict}_bytes` });
      throw refusal(verdict);
    }
    this.#bytes = bytes;
  }

  /** Gives all of it back. */
  end(): void {
    this.#bodies.giveBack(this.#tenantId, this.#bytes);
    this.#bytes = 0;
  }
}

function refusal(verdict: 'tenant' | 'all'): Error {
  const headers = retryAfter(retryMs);
  return verdict === 'tenant'
    ? commonFail(
        'rate_limited',
        'As many bytes of your large bodies are under way as may be at once: send fewer at a time.',
        { headers },
      )
    : commonFail('unavailable', 'Too many large bodies are under way: try again in a moment.', {
        headers,
      });
}
