import { Agent } from 'undici';

/** A request from a provider to its customer. */
export interface OutgoingWebhook {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Providers wait about this long for their customer; Plivo has the shortest wait, eight seconds.
 */
const timeoutMs = 10_000;
const connectionsMax = 64;

/** Keep-alive: a provider calls the same few addresses, thousands of times a minute. */
const agent = new Agent({
  connections: connectionsMax,
  pipelining: 1,
  headersTimeout: timeoutMs,
  bodyTimeout: timeoutMs,
  connect: { timeout: timeoutMs },
});

/** The result of one call. No status: nobody answered, or the connection broke. */
export interface Answer {
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly body?: string;
}

const bodyCharactersMax = 10_000;

/** Makes the call once, without following redirects. */
export async function sendWebhookOnce({
  method,
  url,
  headers,
  body,
}: OutgoingWebhook): Promise<Answer> {
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
    return {}; // the customer is down: the retry policy decides what follows
  }
}
