import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeMember } from '@drawbridge/control-plane/people/members/new-member.ts';
import { appRoleOf } from '@drawbridge/control-plane/platform/db/app-role.ts';
import { openDb } from '@drawbridge/control-plane/platform/db/database.ts';
import { sqlAt } from '../../test/kit/postgres.ts';
import { Client } from './client.ts';
import { type ControlPlane, Environment, residentMiB } from './environment.ts';
import { createErp, erpSettings } from './erp.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { type OpenInbox, openInbox } from './open-inbox.ts';
import { submitAll } from './pipeline.ts';
import { type Receiver, startReceiver, subscribe } from './receiver.ts';
import { makeConnector } from './set-up.ts';

const peopleCount = 200;
const signInsAtOnce = 4;
const warmUpCount = 200;
const measuredCount = 600;
const connections = 10;
/** Messages one after another while nothing else happens. */
const quietMessages = 40;
const betweenMs = 1_000;
const restMs = 10_000;

const figure = figuresOf('console');

/**
 * People who have the team inbox open, each with a stream of events, which carry what the
 * page shows: what they cost at rest and with a
 * message a second, how fast a message is there for all of them, and what the pipeline of e-invoicing
 * keeps beside them.
 */
export const openInboxes: Bench = {
  name: 'console',
  title: `${peopleCount} people with open inboxes, beside the pipeline`,
  run: async () => {
    const environment = await Environment.open();
    const receiver = await startReceiver();
    try {
      return await measure(environment, receiver);
    } finally {
      await environment.close();
      await receiver.close();
    }
  },
};

async function measure(environment: Environment, receiver: Receiver): Promise<Figure[]> {
  const { file } = await environment.startAuthority();
  const control = await environment.startControlPlane({ AUTHORITIES_FILE: file });
  const pipeline = await preparePipeline(control, receiver);
  const sender = await prepareSender(environment, control);
  const cookies = await signInAll(environment, control);
  const [alone, aloneCpu] = await pipeline.run(measuredCount);

  const idleCpu = await coresOver(control, () => delay(restMs));
  const memoryBefore = await residentMiB(control.pid);
  const inboxes = cookies.map((cookie) => openInbox(control.baseUrl, cookie));
  await Promise.all(inboxes.map(({ opened }) => opened));
  const atRestCpu = await coresOver(control, () => delay(restMs));
  const memoryAfter = await residentMiB(control.pid);

  const quiet: number[][] = [];
  const quietCpu = await coresOver(control, async () => {
    for (let at = 0; at < quietMessages; at += 1) {
      const next = delay(betweenMs);
      quiet.push(await sender.send(inboxes));
      await next;
    }
  });
  const busy: number[][] = [];
  const writing = new AbortController();
  const writer = write(sender, inboxes, busy, writing.signal);
  const [beside, besideCpu] = await pipeline.run(measuredCount);
  writing.abort();
  await writer;
  const loads = inboxes.flatMap(({ loadsMs }) => loadsMs);
  await Promise.all(inboxes.map(({ close }) => close()));
  await pipeline.close();
  return [
    figure('pipeline alone', alone, 'invoices/s'),
    figure('pipeline beside the inboxes, with a message a second', beside, 'invoices/s'),
    figure('× alone', beside / alone, ''),
    figure('control plane, an invoice alone', aloneCpu, 'ms of CPU'),
    figure('control plane, an invoice beside the inboxes', besideCpu, 'ms of CPU'),
    figure('control plane at rest', idleCpu, 'cores'),
    figure(`control plane with ${peopleCount} streams at rest`, atRestCpu, 'cores'),
    figure(`control plane with ${peopleCount} streams, a message a second`, quietCpu, 'cores'),
    figure('memory of a stream', ((memoryAfter - memoryBefore) * 1_024) / peopleCount, 'KiB'),
    ...latencies('a message until it is on a stream', quiet.flat()),
    ...latencies('a message until it is on all streams', quiet.map(highest)),
    ...latencies('beside the pipeline until it is on all streams', busy.map(highest)),
    ...latencies('a page loads its list', loads),
  ];
}

/** The pipeline of e-invoicing, with documents of a database file. */
async function preparePipeline(control: ControlPlane, receiver: Receiver) {
  const erp = join(control.folder, 'erp.sqlite');
  const refs = createErp(erp, warmUpCount + 2 * measuredCount, new Date()).values();
  const client = new Client(control.baseUrl, control.key, connections);
  await subscribe(client, receiver);
  const settings = erpSettings(erp);
  const connector = await makeConnector(client, { pattern: 'database', kind: 'sqlite', settings });
  const submit = (count: number) =>
    submitAll({ client, receiver }, connector, refs.take(count).toArray());
  await submit(warmUpCount);
  return {
    /** Invoices a second, and the processor's milliseconds for one. */
    run: async (count: number): Promise<readonly [number, number]> => {
      const begun = performance.now();
      const before = await control.cpuSeconds();
      await submit(count);
      const cpuMs = ((await control.cpuSeconds()) - before) * 1_000;
      return [(count * 1_000) / (performance.now() - begun), cpuMs / count];
    },
    close: () => client.close(),
  };
}

interface Sender {
  /** A person writes; resolves with the milliseconds until it was on each of the streams. */
  send(inboxes: readonly OpenInbox[]): Promise<number[]>;
}

/** People write SMS by the simulator of the sandbox. */
async function prepareSender(environment: Environment, control: ControlPlane): Promise<Sender> {
  const home = environment.controlPlaneEnv().DRAWBRIDGE_HOME;
  const { messaging, simulators } = JSON.parse(
    await readFile(join(home, 'credentials.json'), 'utf8'),
  );
  const client = new Client(control.baseUrl, messaging.sandbox_key, 1);
  const app = await client.send('POST', '/sms/v1/apps/', {
    provider: 'generic-http-sms',
    name: 'Bench',
  });
  await client.close();
  let count = 0;
  return {
    send: async (inboxes) => {
      const begun = performance.now();
      const heard = inboxes.map(({ next }) => next().then(() => performance.now() - begun));
      count += 1;
      // Of fifty people, so that most messages belong to conversations that are there.
      const from = `6012${String(3_000_000 + (count % 50))}`;
      const message = { from, to: app.settings.from, text: `Question ${count}` };
      const response = await fetch(`${simulators['generic-http-sms']}/_control/inbound`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(message),
      });
      if (!response.ok) throw new Error(await response.text());
      return Promise.all(heard);
    },
  };
}

async function write(
  sender: Sender,
  inboxes: readonly OpenInbox[],
  times: number[][],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const next = delay(betweenMs);
    times.push(await sender.send(inboxes));
    await next;
  }
}

/** Makes the people, who sign in in a browser; resolves with their cookies. */
async function signInAll(environment: Environment, control: ControlPlane): Promise<string[]> {
  const [tenant] = await sqlAt<{ id: string }>(environment.databaseUrl, 'select id from tenant');
  const db = await openDb({ url: appRoleOf(environment.databaseUrl).url, poolMax: 2 });
  const platform = { db, clock: () => new Date(), random: randomBytes };
  const numbers = Array.from({ length: peopleCount }, (_, at) => at).values();
  const cookies: string[] = [];
  const signIn = async (): Promise<void> => {
    for (const number of numbers) {
      const email = `person${number}@bench.example`;
      const person = { email, name: `Person ${number}`, role: 'agent' } as const;
      const { password } = await makeMember(platform, tenant!.id, person);
      cookies.push(await cookieOf(control, { email, password: password! }));
    }
  };
  await Promise.all(Array.from({ length: signInsAtOnce }, signIn));
  await db.close();
  return cookies;
}

async function cookieOf({ baseUrl }: ControlPlane, person: object): Promise<string> {
  const response = await fetch(`${baseUrl}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify(person),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}

/** Cores that the control plane takes while something goes on. */
async function coresOver(control: ControlPlane, work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  const before = await control.cpuSeconds();
  await work();
  const used = (await control.cpuSeconds()) - before;
  return (used * 1_000) / (performance.now() - begun);
}

const highest = (times: readonly number[]) => Math.max(...times);

function latencies(name: string, times: readonly number[]): Figure[] {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return [figure(`${name}: p50`, at(0.5), 'ms'), figure(`${name}: p95`, at(0.95), 'ms')];
}
