import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from './client.ts';

/** A client's webhook receiver that only counts. */
export interface Receiver {
  readonly url: string;
  /** Deliveries so far. */
  readonly count: number;
  /** Resolves when there are `count`; throws when that takes longer. */
  until(count: number, withinMs: number): Promise<void>;
  close(): Promise<void>;
}

/** The events of an invoice that is delivered. */
export const eventTypes = ['received', 'validating', 'validated', 'submitted', 'delivered'].map(
  (state) => `invoice.${state}`,
);

export async function startReceiver(): Promise<Receiver> {
  let count = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let reached = (): void => {};
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(204).end();
      count += 1;
      if (count >= wanted) reached();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    get count() {
      return count;
    },
    until: async (target, withinMs) => {
      if (count >= target) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve, reject) => {
        wanted = target;
        reached = resolve;
        const late = () => reject(new Error(`${count} of ${target} webhooks in ${withinMs} ms`));
        timer = setTimeout(late, withinMs);
      });
      clearTimeout(timer);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Makes one endpoint for each event type, because an endpoint gets 200 a second at most. */
export async function subscribe(client: Client, { url }: Receiver): Promise<void> {
  for (const type of eventTypes) {
    await client.send('POST', '/v1/webhook-endpoints', { url, event_types: [type] });
  }
}
