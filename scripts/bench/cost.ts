import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createApp } from '@drawbridge/control-plane/app.ts';
import { Intake } from '@drawbridge/control-plane/einvoice/invoices/intake.ts';
import { modules } from '@drawbridge/control-plane/modules/registry.ts';
import { appRoleOf } from '@drawbridge/control-plane/platform/db/app-role.ts';
import { type Db, openDb } from '@drawbridge/control-plane/platform/db/database.ts';
import { newUuid } from '@drawbridge/control-plane/platform/ids.ts';
import { type Jobs, openJobs } from '@drawbridge/control-plane/platform/jobs/jobs.ts';
import { createLog } from '@drawbridge/control-plane/platform/log/log.ts';
import { createMetrics } from '@drawbridge/control-plane/platform/metrics/metrics.ts';
import { readSettings } from '@drawbridge/control-plane/settings.ts';
import { sqlAt } from '../../test/kit/postgres.ts';
import { Client } from './client.ts';
import { Environment } from './environment.ts';
import { createErp, erpSettings } from './erp.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';
import { cpuMs, partCosts } from './parts.ts';
import { eventTypes, type Receiver, startReceiver, subscribe } from './receiver.ts';
import { makeConnector } from './set-up.ts';
import { recorded, replay, type Transaction } from './statements.ts';

const warmUpCount = 600;
const wholeCount = 1_000;
const recordedCount = 300;
const finishWithinMs = 60_000;
const clock = () => new Date();

const figure = figuresOf('cost');

/**
 * CPU of the control plane for one invoice, from the job to the last webhook, compared with the sum
 * of its parts measured alone. Another process enqueues the invoices, so that no HTTP request of a
 * client is counted; their confirmations are not written back.
 */
export const cost: Bench = {
  name: 'cost',
  title: 'CPU of the pipeline for one invoice of ten lines',
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
  const authority = await environment.startAuthority();
  const env = { AUTHORITIES_FILE: authority.file };
  const control = await environment.startControlPlane(env);
  const erp = join(control.folder, 'erp.sqlite');
  const refs = createErp(erp, warmUpCount + wholeCount + recordedCount, clock());
  const settings = erpSettings(erp, { mode: 'none' });
  const client = new Client(control.baseUrl, control.key, 1);
  await subscribe(client, receiver);
  const connector = await makeConnector(client, { pattern: 'database', kind: 'sqlite', settings });
  await client.close();

  const gate = await openGate(environment.databaseUrl, connector, receiver);
  await gate.pass(refs.slice(0, warmUpCount));
  const before = await control.cpuSeconds();
  await gate.pass(refs.slice(warmUpCount, warmUpCount + wholeCount));
  const whole = (((await control.cpuSeconds()) - before) * 1_000) / wholeCount;
  await environment.stop(control);

  const transactions: Transaction[] = [];
  const app = await createApp({
    settings: readSettings({ ...env, ...environment.controlPlaneEnv() }),
    clock,
    random: randomBytes,
    stopwatch: () => performance.now(),
    log: createLog({ level: 'error' }),
    modules: modules.map((module) => recorded(module, transactions)),
  });
  await app.listen(); // a node takes jobs once it listens
  await gate.pass(refs.slice(-recordedCount));
  await app.close();
  const sql = await sqlCost(gate, transactions);
  await gate.close();

  const alone = await partCosts({
    erp,
    settings,
    folder: environment.folder,
    refs: refs.slice(-recordedCount),
    authorityUrl: authority.baseUrl,
    receiverUrl: await environment.startSink(),
  });
  return figuresFrom(whole, { ...alone, SQL: sql });
}

/** Parts that are mostly work of the operating system and the HTTP client. */
const wire = ['authority on the wire', 'webhooks on the wire'];

function figuresFrom(whole: number, parts: Readonly<Record<string, number>>): Figure[] {
  const sum = Object.values(parts).reduce((total, each) => total + each, 0);
  const onWire = wire.reduce((total, name) => total + parts[name]!, 0);
  const unit = 'ms of CPU';
  return [
    ...Object.entries(parts).map(([name, ms]) => figure(name, ms, unit)),
    figure('sum of the parts', sum, unit),
    figure('sum without the wire', sum - onWire, unit),
    figure('whole pipeline', whole, unit),
    figure('whole pipeline', whole / sum, '× the parts', { is: 'at-most', value: 1.5 }),
    figure('whole pipeline', whole / (sum - onWire), '× the parts without the wire'),
  ];
}

interface Gate {
  readonly db: Db;
  readonly tenantId: string;
  /** Enqueues submissions without HTTP; resolves when all their webhooks have come. */
  pass(refs: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

async function openGate(ownerUrl: string, connectorId: string, receiver: Receiver): Promise<Gate> {
  const [tenant] = await sqlAt<{ id: string }>(ownerUrl, 'select id from tenant');
  const tenantId = tenant!.id;
  const db = await openDb({ url: appRoleOf(ownerUrl).url });
  const metrics = createMetrics();
  const jobs: Jobs = await openJobs({
    db,
    log: createLog({ level: 'error' }),
    metrics,
    newClaimId: () => newUuid(clock, randomBytes),
  });
  const intake = new Intake(db, { jobs, metrics }, clock, randomBytes);
  return {
    db,
    tenantId,
    pass: async (refs) => {
      const expected = receiver.count + refs.length * eventTypes.length;
      const submit = (sourceRef: string) =>
        intake.accept({
          tenantId,
          environment: 'sandbox',
          connectorId,
          sourceRef,
          profile: 'PINT-AE',
          idempotencyKey: undefined,
          fingerprint: '',
        });
      await Promise.all(refs.map(submit));
      await receiver.until(expected, finishWithinMs);
    },
    close: async () => {
      await jobs.close();
      await db.close();
    },
  };
}

/** CPU of this process for sending the statements of one invoice again. */
async function sqlCost({ db, tenantId }: Gate, transactions: readonly Transaction[]) {
  // In the state before, so that each round changes the same rows.
  const reset = () =>
    db.tenant(tenantId, async (tx) => {
      for (const sql of resets) await tx.run(sql);
    });
  await reset();
  const again = async (): Promise<void> => {
    await replay(db, transactions);
    await reset();
  };
  return (await cpuMs(again)) / recordedCount;
}

const resets = [
  `update invoice set state = 'received'`,
  'delete from invoice_content',
  'delete from webhook_attempt',
  'delete from webhook_delivery',
  `delete from webhook_event where type <> 'invoice.received'`,
  'delete from job',
];
