import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verify } from '@drawbridge/webhooks/signature.ts';

interface ReceivedEvent {
  readonly id: string;
  readonly event: string;
  readonly invoice: string;
  readonly verified: boolean;
}

/** A client's webhook receiver: checks each signature over the raw body, drops repeats by id. */
export interface Receiver {
  readonly url: string;
  readonly events: readonly ReceivedEvent[];
  /** How many deliveries came twice; at-least-once allows it. */
  readonly repeats: number;
  setSecret(secret: string): void;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const events: ReceivedEvent[] = [];
  const seen = new Set<string>();
  let secret = '';
  let repeats = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const id = String(request.headers['webhook-id']);
    if (seen.has(id)) repeats += 1;
    else {
      seen.add(id);
      const verdict = verify({ body, secrets: [secret], now: new Date() });
      const event = JSON.parse(body.toString('utf8'));
      const verified = verdict.kind === 'verified';
      events.push({ id, event: event.event, invoice: event.id, verified });
    }
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    events,
    get repeats() {
      return repeats;
    },
    setSecret: (value) => {
      secret = value;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
