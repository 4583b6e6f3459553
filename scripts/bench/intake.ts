import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from './client.ts';
import { commitsPerSecond } from './commits.ts';
import { type ControlPlane, Environment } from './environment.ts';
import { createErp, erpSettings } from './erp.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { makeConnector } from './set-up.ts';

const seconds = 4;
const documentCount = 1_000;

const figure = figuresOf('intake');

/**
 * Submissions accepted per second (each durable before its 202), compared with single-row commits
 * per second of the same PostgreSQL in the same run: alone, and while the pipeline processes the
 * accepted ones.
 */
export const intake: Bench = {
  name: 'intake',
  title: 'POST /v1/invoices, accepted',
  run: async () => {
    const environment = await Environment.open();
    try {
      return await measure(environment);
    } finally {
      await environment.close();
    }
  },
};

async function measure(environment: Environment): Promise<Figure[]> {
  const { file } = await environment.startAuthority();
  const control = await environment.startControlPlane({ AUTHORITIES_FILE: file });
  const client = new Client(control.baseUrl, control.key, 1);
  const connectorOn = async (name: string): Promise<{ id: string; refs: readonly string[] }> => {
    const path = join(control.folder, name);
    const refs = createErp(path, documentCount, new Date());
    const settings = erpSettings(path, { mode: 'none' });
    // The same documents are submitted again and again.
    const database = { pattern: 'database', kind: 'sqlite', settings, duplicates: 'warn' } as const;
    return { id: await makeConnector(client, database), refs };
  };
  // With an unreachable source the pipeline costs almost nothing, so only acceptance is measured.
  const away = await connectorOn('away.sqlite');
  await rm(join(control.folder, 'away.sqlite'));
  const present = await connectorOn('present.sqlite');
  await client.close();
  const commits = await commitsPerSecond(environment.databaseUrl, { connections: 10, seconds });
  await acceptedPerSecond(control, away, 10, 1);
  const figures = [figure('commits, 10 connections', commits, 'commits/s')];
  for (const [name, connector] of [
    ['accepted, sources away', away],
    ['accepted while the pipeline works', present],
  ] as const) {
    for (const connections of [10, 50, 200]) {
      const accepted = await acceptedPerSecond(control, connector, connections, seconds);
      const full = `${name}, ${connections} connections`;
      figures.push(
        figure(full, accepted, 'requests/s'),
        figure(full, accepted / commits, '× commits', { is: 'at-least', value: 1 / 3 }),
      );
    }
  }
  return figures;
}

async function acceptedPerSecond(
  control: ControlPlane,
  { id, refs }: { readonly id: string; readonly refs: readonly string[] },
  connections: number,
  forSeconds: number,
): Promise<number> {
  const client = new Client(control.baseUrl, control.key, connections);
  const startedAt = performance.now();
  const endsAt = startedAt + forSeconds * 1_000;
  let count = 0;
  const callers = Array.from({ length: connections }, async () => {
    while (performance.now() < endsAt) {
      await client.submit(id, refs[count++ % refs.length]!);
    }
  });
  await Promise.all(callers);
  await client.close();
  return (count * 1_000) / (performance.now() - startedAt);
}
