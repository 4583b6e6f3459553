/**
 * For tests of this folder: the pipeline on a real database, with the authorities' simulators on
 * the wire and a sample ERP, under one clock that stands still until it is moved. Nothing runs by
 * itself: a test takes the jobs that are due, as a worker would.
 *
 *   const stage = await startStage();
 *   await stage.fresh();             // before each test
 *   const id = await stage.submit('MY');
 *   await stage.settle();
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ConnectorContext,
  ReadOutcome,
  WriteBackOutcome,
} from '@drawbridge/connectors/contract.ts';
import { sqlite } from '@drawbridge/connectors/sqlite/connector.ts';
import type { SqliteSettings } from '@drawbridge/connectors/sqlite/settings.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import pg from 'pg';
import { erpDate } from '../../../scripts/demo/erp-documents.ts';
import { mappings } from '../../../scripts/demo/mappings.ts';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { seeded, standingClock } from '../../authorities/contract.suite.ts';
import {
  type MyInvoisControl,
  startMyInvoisSimulator,
} from '../../authorities/myinvois/simulator.ts';
import { type PeppolControl, startPeppolSimulator } from '../../authorities/peppol/simulator.ts';
import { newId, newUuid } from '../../platform/ids.ts';
import { claimer } from '../../platform/jobs/claim.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { openJobs } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log/log.ts';
import { createMetrics } from '../../platform/metrics/metrics.ts';
import { addEndpoint } from '../../webhooks/endpoint-store.ts';
import { insertConnector, saveMapping } from '../connectors/store.ts';
import { type Change, type Company, type Erp, erpSettings, openErp } from '../erp.kit.ts';
import { Intake } from '../invoices/intake.ts';
import type { InvoiceRow } from '../invoices/store.ts';
import { acknowledgeAtEnd } from './acknowledge.ts';
import { type Arrival, takeArrivals } from './arrivals.ts';
import { AuthorityDesk } from './authority-desk.ts';
import type { Memory, PipelineContext, Sources } from './course.ts';
import { type ForwardJob, forward } from './forward.ts';
import { advance } from './pipeline.ts';
import { openLanes } from './workers.ts';
import { type WriteBackJob, type WriteBacks, writeBack } from './write-back.ts';

export type Queue = 'invoice' | 'write-back' | 'forward' | 'acknowledge' | 'arrival';

export interface Stage {
  readonly kit: TestDb;
  readonly context: PipelineContext;
  /** Of the test at hand, see `fresh`. */
  readonly tenantId: string;
  readonly erp: Erp;
  readonly peppol: PeppolControl;
  readonly myinvois: MyInvoisControl;
  /** Take an authority out to leave it unconfigured, change its credentials to be refused. */
  readonly endpoints: Record<string, { baseUrl: string; credentials: Record<string, string> }>;
  /** Stand in for the connectors; undefined: the ERP itself. */
  readonly moods: { read?: Sources['read']; write?: WriteBacks['write'] };
  /** What the ERP itself answers. */
  readonly readErp: Sources['read'];
  readonly logged: string[];
  clock(): Date;
  advance(ms: number): void;
  /** A tenant and connector of the test's own, no jobs, no mishaps, and the authorities' ways as at first. */
  fresh(): Promise<void>;
  /** Accepts a submission of a new document of that company, or of the one that is named. */
  submit(company: Company, over?: Over): Promise<string>;
  addConnector(tenantId: string, duplicates?: 'warn' | 'reject'): Promise<string>;
  /** The jobs that are due by the stage's clock, claimed. */
  claim(queue?: Queue): Promise<readonly Job<Memory>[]>;
  /** Works on the jobs that are due; answers how many there were. */
  turn(queue?: Queue): Promise<number>;
  /** Takes turns, the clock moving to each next due time, until the queue is empty. */
  settle(queue?: Queue): Promise<void>;
  /** Ends every lease, as when its worker died. */
  abandon(): Promise<void>;
  invoice(id: string): Promise<InvoiceRow>;
  /** States in the order of their events. */
  states(id: string): Promise<string[]>;
  content(
    id: string,
  ): Promise<{ document: string; clearance: string | null; final: string | null }>;
  jobs(): Promise<{ queue: string; key: string; run_at: Date; payload: Memory }[]>;
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

export interface Content {
  readonly document: string;
  readonly clearance: string | null;
  readonly final: string | null;
}

export interface Over {
  readonly change?: Change;
  readonly ref?: string;
  readonly environment?: 'live' | 'sandbox';
  readonly tenantId?: string;
  readonly connectorId?: string;
}

interface Submitter {
  readonly tenantId: string;
  readonly connectorId: string;
}

/** The buyer of every document of the company AE. */
export const emiratesReceiver = '0235:1008765432';
const profiles = { AE: 'PINT-AE', MY: 'PINT-MY', BE: 'BIS-3.0' } as const;
const roundsMax = 200;
const leaseMs = 60_000;
const newClaimId = () => newUuid(() => new Date(), randomBytes);

const sideTable = { writeBack: { mode: 'side-table' } };

export const hours = 3_600_000;

export async function startStage(): Promise<Stage> {
  // Ahead of the server's, so that a job is due only when this clock says so.
  const time = standingClock(`${new Date().getUTCFullYear() + 1}-03-01T08:00:00Z`);
  const kit = await startDb();
  const owner = new pg.Client({ connectionString: kit.url });
  await owner.connect();
  const folder = await mkdtemp(join(tmpdir(), 'pipeline-'));
  const erp = openErp(join(folder, 'erp.db'), time.clock());
  const { peppol, myinvois, endpoints } = await startAuthorities(time.clock);
  const settings = { ...erpSettings(erp.file), ...sideTable } as SqliteSettings;
  const reach = { clock: time.clock, allowedRoots: [folder] } as unknown as ConnectorContext;
  const source = await sqlite.open(settings, reach);
  const readErp: Sources['read'] = (_tenant, _row, ...call) => source.readMany(...call);
  const writeErp: WriteBacks['write'] = (_tenant, _row, ...call) => source.writeBack(...call);
  const moods: Stage['moods'] = {};
  const logged: string[] = [];
  const log = createLog({
    level: 'info',
    destination: { write: (line) => void logged.push(line) },
  });
  const context: PipelineContext = {
    ...{ db: kit.db, clock: time.clock, random: randomBytes, log },
    jobs: await openJobs({
      ...{ db: kit.db, log, newClaimId, leaseMs, metrics: createMetrics() },
    }),
    validator: new Validator(),
    authorities: new AuthorityDesk({ live: {}, sandbox: endpoints }, time.clock),
    sources: { read: (...call) => (moods.read ?? readErp)(...call) },
    giveWay: async () => {},
    lanes: openLanes(),
    settings: { sourceGiveUpMs: 72 * hours, authorityGiveUpMs: 720 * hours },
  };
  const writeBacks: WriteBacks = {
    write: (...call) => (moods.write ?? writeErp)(...call),
  };
  const actions = actionsOf({ owner, kit, context, writeBacks, erp, logged, ...time });
  const own = { tenantId: '', connectorId: '' };
  const given = structuredClone(endpoints);
  const calm = () => {
    for (const simulator of [peppol, myinvois]) simulator.control.clearFaults();
    peppol.control.receiver(emiratesReceiver, 'accepts');
    myinvois.control.set({ validationDelayMs: 1_000 });
    Object.assign(endpoints, structuredClone(given));
    Reflect.deleteProperty(moods, 'read');
    Reflect.deleteProperty(moods, 'write');
  };
  return {
    ...{ kit, context, erp, endpoints, moods, readErp, logged, ...time },
    ...{ peppol: peppol.control, myinvois: myinvois.control },
    ...actions,
    get tenantId() {
      return own.tenantId;
    },
    fresh: async () => {
      await actions.sql('truncate job');
      own.tenantId = await addTenant(kit, time.clock);
      own.connectorId = await actions.addConnector(own.tenantId);
      calm();
      logged.length = 0;
    },
    submit: (company, over = {}) => actions.submitTo({ ...own, ...over }, company),
    stop: async () => {
      await context.jobs.close();
      await source.close();
      await Promise.all([peppol.stop(), myinvois.stop()]);
      erp.close();
      await owner.end();
      await kit.stop();
      await rm(folder, { recursive: true });
    },
  };
}

async function startAuthorities(clock: () => Date) {
  const chance = { clock, random: seeded(11) };
  const [peppol, myinvois] = [
    await startPeppolSimulator(chance),
    await startMyInvoisSimulator(chance),
  ];
  const endpoints: Stage['endpoints'] = {
    peppol: {
      baseUrl: peppol.url,
      credentials: { dialect: 'phoss-ap', token: 'sandbox-token' },
    },
    myinvois: {
      baseUrl: myinvois.url,
      credentials: { client_id: 'sandbox-client', client_secret: 'sandbox-secret' },
    },
  };
  return { peppol, myinvois, endpoints };
}

/** A tenant with one webhook endpoint that wants everything. */
export async function addTenant(kit: TestDb, clock: () => Date): Promise<string> {
  const tenantId = newUuid(() => new Date(), randomBytes);
  await sqlAt(kit.url, `insert into tenant (id, name) values ($1, 'Test')`, [tenantId]);
  await kit.db.tenant(tenantId, (tx) =>
    addEndpoint(tx, tenantId, {
      ...{ id: newId('whe', clock, randomBytes), service: 'einvoice', environment: null },
      ...{ url: 'http://127.0.0.1:9/', event_types: [], description: '', secrets: [] },
      created_at: clock(),
    }),
  );
  return tenantId;
}

interface Ground {
  /** A connection of the database's owner. */
  readonly owner: pg.Client;
  readonly kit: TestDb;
  readonly context: PipelineContext;
  readonly writeBacks: WriteBacks;
  readonly erp: Erp;
  readonly logged: string[];
  clock(): Date;
  advance(ms: number): void;
}

function actionsOf(ground: Ground) {
  const { owner, kit, context, erp, clock } = ground;
  const intake = new Intake(kit.db, context.jobs, clock, randomBytes);
  const sql = async <Row>(text: string, values: unknown[] = []) =>
    (await owner.query(text, values)).rows as Row[];
  // The owner is held by row-level security too: what is a tenant's is read as that tenant.
  const row = async <Row>(text: string, id: string): Promise<Row> => {
    for (const tenant of await sql<{ id: string }>('select id from tenant order by id desc')) {
      const found = await kit.db.tenant(tenant.id, (tx) => tx.row<Row>(text, [id]));
      if (found !== undefined) return found;
    }
    throw new Error(`nothing of ${id}`);
  };
  return {
    ...queuesOf(ground, sql),
    sql,
    addConnector: (tenantId: string, duplicates: 'warn' | 'reject' = 'warn') =>
      addConnector(kit, tenantId, clock, duplicates),
    submitTo: async (over: Over & Submitter, company: Company) => {
      const { tenantId, connectorId, environment = 'sandbox' } = over;
      // Written as the ERP writes them, on the day by the stage's clock.
      const due = new Date(clock().getTime() + 720 * hours);
      const today = { DOC_DATE: erpDate(clock()), DUE_DATE: erpDate(due) };
      const change = { ...over.change, header: { ...today, ...over.change?.header } };
      const sourceRef = over.ref ?? erp.add(company, change);
      const profile = profiles[company];
      const accepted = await intake.accept({
        ...{ tenantId, environment, connectorId, profile, sourceRef },
        ...{ idempotencyKey: undefined, fingerprint: '' },
      });
      if (accepted.kind !== 'created') throw new Error(accepted.kind);
      return accepted.id;
    },
    invoice: (id: string) => row<InvoiceRow>('select * from invoice where id = $1', id),
    states: async (id: string) => {
      const found = await sql<{ type: string; deliveries: number }>(
        `select e.type, count(d.*)::int as deliveries from webhook_event e
         left join webhook_delivery d on d.event_id = e.id
         where e.subject_id = $1 group by e.id, e.type order by min(d.seq)`,
        [id],
      );
      return found.map(({ type, deliveries }) =>
        deliveries === 1 ? type.replace('invoice.', '') : `${type}: ${deliveries} deliveries`,
      );
    },
    content: (id: string) =>
      row<Content>(
        'select document, clearance, final from invoice_content where invoice_id = $1',
        id,
      ),
  };
}

function queuesOf(ground: Ground, sql: Stage['sql']) {
  const { context, writeBacks, logged, clock, advance: pass } = ground;
  const claim = async (queue: Queue = 'invoice') => {
    await sql(
      `update job set run_at = '2000-01-01' where queue = $1 and claim_id is null and run_at <= $2`,
      [queue, clock()],
    );
    const { db } = context;
    const { jobs } = await claimer({ db, queue, batch: 100, newClaimId, leaseMs, pollMs: 1 })();
    return jobs as readonly Job<Memory>[];
  };
  const turn = async (queue: Queue = 'invoice') => {
    const jobs = await claim(queue);
    if (queue === 'invoice') await advance(context, jobs, AbortSignal.any([]));
    else if (queue === 'arrival') await takeArrivals(context, jobs as readonly Job<Arrival>[]);
    else if (queue === 'forward') await forward(context, jobs as readonly Job<ForwardJob>[]);
    else if (queue === 'acknowledge') await acknowledgeAtEnd(context, jobs);
    else for (const job of jobs) await writeBack(context, writeBacks, job as Job<WriteBackJob>);
    return jobs.length;
  };
  const jobs: Stage['jobs'] = () =>
    sql('select queue, key, run_at, payload from job order by queue, key');
  return {
    ...{ claim, turn, jobs },
    settle: async (queue: Queue = 'invoice') => {
      for (let round = 0; round < roundsMax; round += 1) {
        const waiting = (await jobs()).filter((each) => each.queue === queue);
        if (waiting.length === 0) return;
        const next = Math.min(...waiting.map(({ run_at }) => run_at.getTime()));
        pass(Math.max(0, next - clock().getTime()));
        await turn(queue);
      }
      throw new Error(`not settled: ${JSON.stringify((await jobs())[0])} ${logged.slice(-3)}`);
    },
    abandon: async () => void (await sql(`update job set claim_id = null, run_at = '2000-01-01'`)),
  };
}

async function addConnector(
  kit: TestDb,
  tenantId: string,
  clock: () => Date,
  duplicates: 'warn' | 'reject',
): Promise<string> {
  const id = newId('con', () => new Date(), randomBytes);
  await kit.db.tenant(tenantId, async (tx) => {
    await insertConnector(tx, tenantId, {
      ...{ id, pattern: 'database', kind: 'sqlite', name: 'ERP', agent_id: null },
      ...{ default_profile: null, duplicates, created_at: clock() },
      submit_from: {},
      settings: 'the test opens it itself',
    });
    for (const [profile, { fields }] of Object.entries(mappings)) {
      const approved = fields.map((field) => ({ ...field, status: 'approved' }));
      const document = { profile, fields: approved } as never;
      await saveMapping(tx, tenantId, id, profile, document, 0, clock());
    }
  });
  return id;
}

export const unreachable = (message = 'The ERP is down.'): ReadOutcome & WriteBackOutcome => ({
  kind: 'unreachable',
  fault: { code: 'unreachable', message, retry: 'later' },
});
