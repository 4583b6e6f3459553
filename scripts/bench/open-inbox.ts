import { Agent } from 'undici';

/**
 * A person's page of the team inbox, as far as the server knows of it: it loads its list once, and what
 * changes comes with the events.
 */
export interface OpenInbox {
  /** Resolves when the stream of events is open and the list was loaded. */
  readonly opened: Promise<void>;
  /** Resolves when the next message is on the stream. */
  next(): Promise<void>;
  /** How long the load of the list took, in milliseconds. */
  readonly loadsMs: readonly number[];
  close(): Promise<void>;
}

const listPath = '/team-inbox/api/conversations/?state=open';

export function openInbox(origin: string, cookie: string): OpenInbox {
  const agent = new Agent({ connections: 2, bodyTimeout: 0 });
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const loadsMs: number[] = [];
  let waiting: (() => void)[] = [];

  async function load(): Promise<void> {
    const begun = performance.now();
    const { statusCode, body } = await agent.request({
      origin,
      path: listPath,
      method: 'GET',
      headers,
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`a list was answered with ${statusCode}`);
    loadsMs.push(performance.now() - begun);
  }

  function hear(event: string): void {
    if (!event.includes('event: message.received')) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  async function listen(): Promise<void> {
    const path = '/team-inbox/api/events/';
    const { statusCode, body } = await agent.request({ origin, path, method: 'GET', headers });
    if (statusCode !== 200) throw new Error(`a stream was answered with ${statusCode}`);
    let text = '';
    body.on('data', (chunk: Buffer) => {
      const events = (text + chunk.toString()).split('\n\n');
      text = events.pop()!;
      events.forEach(hear);
    });
    body.on('error', () => {}); // ended by `close`
    await load();
  }

  return {
    opened: listen(),
    next: () => new Promise((resolve) => waiting.push(resolve)),
    loadsMs,
    close: () => agent.destroy(),
  };
}
