import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from './client.ts';
import {
  type ControlPlane,
  Environment,
  type Running,
  residentMiB,
  watchMemory,
} from './environment.ts';
import { createErp, erpSettings } from './erp.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { eventTypes, type Receiver, startReceiver, subscribe } from './receiver.ts';
import { makeConnector } from './set-up.ts';

const warmUpCount = 200;
const measuredCount = 1_000;
const connections = 10;
const finishWithinMs = 60_000;

const figure = figuresOf('pipeline');

/**
 * Invoices of ten lines a second, from the first POST until the receiver has all five webhooks of
 * every invoice: read from a real database file, by the control plane itself and by a bridge agent;
 * and the memory of both meanwhile.
 */
export const pipeline: Bench = {
  name: 'pipeline',
  title: 'From POST /v1/invoices to delivered, with signed webhooks',
  run: async () => [...(await onStage(measureFile)), ...(await onStage(measureAgent))],
};

async function onStage(measure: (setting: Setting) => Promise<Figure[]>): Promise<Figure[]> {
  const environment = await Environment.open();
  const receiver = await startReceiver();
  try {
    const { file } = await environment.startAuthority();
    const control = await environment.startControlPlane({ AUTHORITIES_FILE: file });
    const erp = join(control.folder, 'erp.sqlite');
    const refs = createErp(erp, warmUpCount + measuredCount, new Date());
    const client = new Client(control.baseUrl, control.key, connections);
    await subscribe(client, receiver);
    const figures = await measure({ environment, receiver, control, client, erp, refs });
    await client.close();
    return figures;
  } finally {
    await environment.close();
    await receiver.close();
  }
}

interface Setting {
  readonly environment: Environment;
  readonly receiver: Receiver;
  readonly control: ControlPlane;
  readonly client: Client;
  readonly erp: string;
  readonly refs: readonly string[];
}

async function measureFile(setting: Setting): Promise<Figure[]> {
  const { client, control, erp } = setting;
  const settings = erpSettings(erp);
  const connector = await makeConnector(client, { pattern: 'database', kind: 'sqlite', settings });
  return load(setting, connector, 'sqlite file', { 'control plane': control });
}

async function measureAgent(setting: Setting): Promise<Figure[]> {
  const { client, control } = setting;
  const { id, agent } = await startAgent(setting);
  const connector = await makeConnector(client, {
    pattern: 'agent',
    kind: 'agent',
    agent_id: id,
    settings: { connector: 'erp' },
  });
  return load(setting, connector, 'bridge agent', { 'control plane': control, agent });
}

/** Starts a bridge agent as its operator does: enrols it and adds the ERP as its source. */
async function startAgent({ environment, client, control, erp }: Setting): Promise<{
  readonly id: string;
  readonly agent: Running;
}> {
  const env = {
    DRAWBRIDGE_AGENT_HOME: join(environment.folder, 'agent'),
    DRAWBRIDGE_FILE_ROOTS: environment.folder,
  };
  const { token } = await client.send('POST', '/v1/agents/enrolment-tokens', {});
  await environment.run(['agent/main.ts', 'enroll', '--url', control.baseUrl], env, token);
  const settings = join(environment.folder, 'erp.json');
  await writeFile(settings, JSON.stringify(erpSettings(erp)));
  const add = ['connector', 'add', 'sqlite', '--name', 'erp', '--settings-file', settings];
  await environment.run(['agent/main.ts', ...add], env);
  const agent = await environment.start(['agent/main.ts', 'run'], env, /connected/i);
  const { results } = await client.send('GET', '/v1/agents');
  return { id: results[0].id, agent };
}

/** Warms up, rests, and submits; measures the memory of the processes at rest and at its peak. */
async function load(
  setting: Setting,
  connector: string,
  how: string,
  processes: Readonly<Record<string, Running>>,
): Promise<Figure[]> {
  const { refs, control } = setting;
  const atRest = await Promise.all(Object.values(processes).map(({ pid }) => residentMiB(pid)));
  await submitAll(setting, connector, refs.slice(0, warmUpCount));
  const watches = Object.values(processes).map(({ pid }) => watchMemory(pid));
  const cpuBefore = await control.cpuSeconds();
  const startedAt = performance.now();
  await submitAll(setting, connector, refs.slice(warmUpCount));
  const seconds = (performance.now() - startedAt) / 1_000;
  const cpu = (await control.cpuSeconds()) - cpuBefore;
  const peaks = await Promise.all(watches.map((highest) => highest()));
  return [
    figure(`${how}: delivered`, measuredCount / seconds, 'invoices/s'),
    figure(`${how}: control plane, an invoice`, (cpu * 1_000) / measuredCount, 'ms of CPU'),
    figure(`${how}: control plane`, cpu / seconds, 'cores'),
    ...Object.keys(processes).flatMap((name, index) => [
      figure(`${how}: ${name} at rest`, atRest[index]!, 'MiB'),
      figure(`${how}: ${name} under load`, peaks[index]!, 'MiB'),
    ]),
  ];
}

/** Submits the documents, and waits until the receiver has all webhooks of each. */
export async function submitAll(
  { client, receiver }: Pick<Setting, 'client' | 'receiver'>,
  connector: string,
  refs: readonly string[],
): Promise<void> {
  const expected = receiver.count + refs.length * eventTypes.length;
  const left = refs.values();
  const callers = Array.from({ length: connections }, async () => {
    for (const ref of left) await client.submit(connector, ref);
  });
  await Promise.all(callers);
  await receiver.until(expected, finishWithinMs);
}
