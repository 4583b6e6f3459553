import { Agent } from 'undici';
import type { OutgoingWebhook } from './webhooks.ts';

/** Providers wait this long for their customer; Plivo, the most hurried, eight seconds. */
const timeoutMs = 10_000;
const connectionsMax = 64;

/** Kept alive: a provider calls the same few addresses, thousands of times a minute. */
const agent = new Agent({
  connections: connectionsMax,
  pipelining: 1,
  headersTimeout: timeoutMs,
  bodyTimeout: timeoutMs,
  connect: { timeout: timeoutMs },
});

/** What came of one call. No status: nobody was there, or the line broke. */
export interface Answer {
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly body?: string;
}

const bodyCharactersMax = 10_000;

/** Makes the call once; redirects are not followed. */
export async function tryOnce({ method, url, headers, body }: OutgoingWebhook): Promise<Answer> {
  try {
    const { origin, pathname, search } = new URL(url);
    const response = await agent.request({
      origin,
      path: pathname + search,
      method,
      headers: { ...headers },
      ...(method === 'GET' ? {} : { body }),
    });
    const text = (await response.body.text()).slice(0, bodyCharactersMax);
    const seconds = Number(response.headers['retry-after']);
    const wait = seconds > 0 ? { retryAfterMs: seconds * 1_000 } : {};
    return { status: response.statusCode, body: text, ...wait };
  } catch {
    return {}; // the customer is down: that is what further attempts are for
  }
}
