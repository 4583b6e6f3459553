/** For tests of this folder: receivers on real sockets, endpoints and events in a real database. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { type Clock, newId, newUuid } from '../platform/ids.ts';
import { createLog } from '../platform/log/log.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { createSecrets } from '../platform/secrets/secrets.ts';
import type { DeliveryOptions } from './delivery.ts';
import { mintSecret } from './endpoint-secrets.ts';
import { addEndpoint, type NewEndpoint } from './endpoint-store.ts';
import { addEvents, findDelivery, type NewEvent } from './store.ts';

const sealKey = '11'.repeat(32);
const seal = createSecrets(sealKey);

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Monotonic milliseconds. */
  readonly atMs: number;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Resolves when that many requests have come. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

export type Behaviour = (response: ServerResponse, received: Received, nth: number) => void;

export const ok: Behaviour = (response) => void response.writeHead(200).end('thanks');

export async function startReceiver(behave: Behaviour = ok): Promise<Receiver> {
  const received: Received[] = [];
  const waiters = new Set<() => void>();
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const body = Buffer.concat(chunks).toString();
      received.push({ headers, body, atMs: performance.now() });
      behave(response, received.at(-1)!, received.length);
      for (const waiter of waiters) waiter();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    until: (count) =>
      new Promise((done) => {
        const check = () => {
          if (received.length < count) return;
          waiters.delete(check);
          done();
        };
        waiters.add(check);
        check();
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

export interface Kit {
  readonly test: TestDb;
  readonly tenantId: string;
  readonly logged: string[];
  readonly options: DeliveryOptions;
  endpoint(url: string, over?: Partial<NewEndpoint>): Promise<{ id: string; secret: string }>;
  events(subjects: readonly string[], over?: Partial<NewEvent>): Promise<NewEvent[]>;
  /** The delivery of an event once it is in `state`. */
  delivery(endpointId: string, event: NewEvent, state: string): Promise<Delivered>;
  /** Makes waiting retries due now. */
  hurry(endpointId: string): Promise<void>;
  stop(): Promise<void>;
}

const pollMs = 5;

type Delivered = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

export async function startKit(clock: Clock): Promise<Kit> {
  const test = await startDb();
  const { db } = test;
  const tenantId = newUuid(clock, randomBytes);
  await sqlAt(test.url, 'insert into tenant (id, name) values ($1, $2)', [tenantId, 'Test']);
  const logged: string[] = [];
  const destination = { write: (line: string) => void logged.push(line) };
  return {
    test,
    tenantId,
    logged,
    options: {
      db,
      seal,
      clock,
      stopwatch: () => performance.now(),
      random: randomBytes,
      log: createLog({ level: 'warn', destination }),
      metrics: createMetrics(),
      keepBackMs: 600_000,
      allowLoopback: true,
    },
    endpoint: async (url, over = {}) => {
      const id = newId('whe', clock, randomBytes);
      const { secret, row } = mintSecret(id, { seal, clock, random: randomBytes });
      const endpoint: NewEndpoint = {
        id,
        service: 'einvoice',
        environment: null,
        url,
        event_types: [],
        description: '',
        secrets: [row],
        created_at: clock(),
        ...over,
      };
      await db.tenant(tenantId, (tx) => addEndpoint(tx, tenantId, endpoint));
      return { id, secret };
    },
    events: async (subjects, over = {}) => {
      const events = subjects.map((subject) => eventOf(subject, clock, over));
      await db.tenant(tenantId, (tx) => addEvents(tx, tenantId, events));
      return events;
    },
    delivery: async (endpointId, { id, environment }, state) => {
      for (;;) {
        const found = await db.tenant(tenantId, (tx) =>
          findDelivery(tx, tenantId, endpointId, { environment, eventId: id, isHeld: false }),
        );
        const isWaiting = state === 'pending' && found?.attempts.length === 0;
        if (found?.state === state && !isWaiting) return found;
        await delay(pollMs); // the deliverer shares this process and its database
      }
    },
    hurry: async (endpointId) => {
      await sqlAt(
        test.url,
        `update webhook_delivery set next_at = now() where endpoint_id = $1 and state = 'pending'`,
        [endpointId],
      );
      await sqlAt(test.url, `select pg_notify('webhook_due', $1)`, [endpointId]);
    },
    stop: test.stop,
  };
}

/** An event of a subject, by default of the sandbox. */
export function eventOf(subject: string, clock: Clock, over: Partial<NewEvent> = {}): NewEvent {
  const type = over.type ?? 'invoice.received';
  const now = clock();
  return {
    id: newId('evt', clock, randomBytes),
    environment: 'sandbox',
    service: 'einvoice',
    type,
    subject_id: subject,
    payload: JSON.stringify({ event: type, id: subject, timestamp: now.toISOString() }),
    created_at: now,
    ...over,
  };
}

/** A process of its own that delivers and replays until it is killed. */
export async function startNode({ test }: Kit): Promise<ChildProcess> {
  const node = spawn(process.execPath, [join(import.meta.dirname, 'node.fixture.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, APP_URL: test.appUrl, SEAL_KEY: sealKey },
  });
  await once(node.stdout, 'data');
  return node;
}
