/**
 * For tests of this folder: the pipeline on a real database, with the authorities' simulators
 * on real sockets and a sample ERP. Its clock stands still until a test moves it, and a test runs
 * the due jobs as a worker would.
 *
 *   const harness = await startPipelineHarness();
 *   await harness.reset();             // before each test
 *   const id = await harness.submit('MY');
 *   await harness.runAllJobs();
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
import { seeded, standingClock } from '../../../test/kit/clock.ts';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import {
  type MyInvoisControl,
  startMyInvoisSimulator,
} from '../../authorities/myinvois/simulator.ts';
import { type PeppolControl, startPeppolSimulator } from '../../authorities/peppol/simulator.ts';
import { openThreadPool } from '../../platform/concurrency/thread-pool.ts';
import { newId, newUuid } from '../../platform/ids.ts';
import { createFairClaim } from '../../platform/jobs/fair-claim.ts';
import type { Job } from '../../platform/jobs/job.ts';
import { openJobs } from '../../platform/jobs/jobs.ts';
import { createLog } from '../../platform/log/log.ts';
import { createMetrics } from '../../platform/metrics/metrics.ts';
import { addEndpoint } from '../../webhooks/endpoint-store.ts';
import { insertConnector, saveMapping } from '../connectors/store.ts';
import { DocumentChecker, documentThread } from '../document-checks/document-checker.ts';
import { type Change, type Company, type Erp, erpSettings, openErp } from '../erp.kit.ts';
import { Intake } from '../invoices/intake.ts';
import type { InvoiceRow } from '../invoices/store.ts';
import { advance } from './advance.ts';
import { acknowledgeUncancelled } from './after-clearance/acknowledge.ts';
import { type ForwardJobPayload, forward } from './after-clearance/forward.ts';
import { submitBatches } from './changed-documents/batches.ts';
import {
  type ChangedDocumentJobPayload,
  submitChangedDocuments,
} from './changed-documents/changed-documents.ts';
import { AuthorityGateway } from './submission/authority-gateway.ts';
import { PullPortions } from './validation/pull-portions.ts';
import type { PipelineContext, PipelineJobPayload, Sources } from './work-item.ts';
import { createConcurrencyLimits } from './workers.ts';
import {
  type WriteBackJobPayload,
  type WriteBacks,
  writeAllBack,
} from './write-back/write-back.ts';

type Queue =
  | 'invoice'
  | 'write-back'
  | 'forward'
  | 'acknowledge'
  | 'changed-document'
  | 'document-batch';

export interface PipelineHarness {
  readonly kit: TestDb;
  readonly context: PipelineContext;
  /** The tenant of the current test, see `reset`. */
  readonly tenantId: string;
  readonly connectorId: string;
  readonly erp: Erp;
  readonly peppol: PeppolControl;
  readonly myinvois: MyInvoisControl;
  /** Delete an authority to leave it unconfigured; change its credentials to have them refused. */
  readonly endpoints: Record<string, { baseUrl: string; credentials: Record<string, string> }>;
  /** Replace the connectors; without them the sample ERP answers. */
  readonly standIns: { read?: Sources['read']; write?: WriteBacks['write'] };
  /** Reads the sample ERP. */
  readonly readErp: Sources['read'];
  readonly logged: string[];
  clock(): Date;
  advance(ms: number): void;
  /** Moves the clock as if the waiting jobs had been tried again all the while, and nothing had come of it. */
  passTrying(ms: number): Promise<void>;
  /** A new tenant and connector, no jobs, no faults, and authorities in their initial state. */
  reset(): Promise<void>;
  /** Submits a new document of that company, or the one named in `over`. */
  submit(company: Company, over?: SubmissionOptions): Promise<string>;
  addConnector(tenantId: string, duplicates?: 'warn' | 'reject'): Promise<string>;
  /** The jobs that are due by the harness's clock, claimed. */
  claim(queue?: Queue): Promise<readonly Job<PipelineJobPayload>[]>;
  /** Runs the jobs that are due; returns how many there were. */
  runDueJobs(queue?: Queue): Promise<number>;
  /** Runs jobs until the queue is empty, moving the clock to each next due time. */
  runAllJobs(queue?: Queue): Promise<void>;
  /** Ends every lease, as when its worker died. */
  expireLeases(): Promise<void>;
  invoice(id: string): Promise<InvoiceRow>;
  /** States in the order of their events. */
  states(id: string): Promise<string[]>;
  content(
    id: string,
  ): Promise<{ document: string; clearance: string | null; final: string | null }>;
  jobs(): Promise<{ queue: string; key: string; run_at: Date; payload: PipelineJobPayload }[]>;
  sql<Row>(text: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

interface Content {
  readonly document: string;
  readonly clearance: string | null;
  readonly final: string | null;
}

interface SubmissionOptions {
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

export async function startPipelineHarness(): Promise<PipelineHarness> {
  // Ahead of the server's clock, so that a job is due only by this clock.
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
  const standIns: PipelineHarness['standIns'] = {};
  const logged: string[] = [];
  const log = createLog({
    level: 'info',
    destination: { write: (line) => void logged.push(line) },
  });
  const threads = openThreadPool({ program: documentThread, threads: 1 });
  const metrics = createMetrics();
  const context: PipelineContext = {
    db: kit.db,
    clock: time.clock,
    random: randomBytes,
    log,
    jobs: await openJobs({
      db: kit.db,
      log,
      newClaimId,
      leaseMs,
      metrics,
    }),
    metrics,
    checker: new DocumentChecker(new Validator(), threads),
    authorities: new AuthorityGateway({ live: {}, sandbox: endpoints }, time.clock),
    sources: { read: (...call) => (standIns.read ?? readErp)(...call) },
    yieldToRequests: async () => {},
    concurrency: createConcurrencyLimits(),
    pullPortions: new PullPortions(100),
    settings: { sourceGiveUpMs: 72 * hours, authorityGiveUpMs: 720 * hours },
  };
  const writeBacks: WriteBacks = {
    write: (...call) => (standIns.write ?? writeErp)(...call),
  };
  const actions = actionsOf({ owner, kit, context, writeBacks, erp, logged, ...time });
  const own = { tenantId: '', connectorId: '' };
  const given = structuredClone(endpoints);
  const calm = () => {
    for (const simulator of [peppol, myinvois]) simulator.control.clearFaults();
    peppol.control.receiver(emiratesReceiver, 'accepts');
    myinvois.control.set({ validationDelayMs: 1_000 });
    Object.assign(endpoints, structuredClone(given));
    Reflect.deleteProperty(standIns, 'read');
    Reflect.deleteProperty(standIns, 'write');
  };
  return {
    kit,
    context,
    erp,
    endpoints,
    standIns: standIns,
    readErp,
    logged,
    ...time,
    peppol: peppol.control,
    myinvois: myinvois.control,
    ...actions,
    get tenantId() {
      return own.tenantId;
    },
    get connectorId() {
      return own.connectorId;
    },
    reset: async () => {
      await actions.sql('truncate job');
      own.tenantId = await addTenant(kit, time.clock);
      own.connectorId = await actions.addConnector(own.tenantId);
      calm();
      logged.length = 0;
    },
    submit: (company, over = {}) => actions.submitTo({ ...own, ...over }, company),
    stop: async () => {
      await context.jobs.close();
      await threads.close();
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
  const endpoints: PipelineHarness['endpoints'] = {
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

/** A tenant with one webhook endpoint that gets every event. */
export async function addTenant(kit: TestDb, clock: () => Date): Promise<string> {
  const tenantId = newUuid(() => new Date(), randomBytes);
  await sqlAt(kit.url, `insert into tenant (id, name) values ($1, 'Test')`, [tenantId]);
  await kit.db.tenant(tenantId, (tx) =>
    addEndpoint(tx, tenantId, {
      id: newId('whe', clock, randomBytes),
      service: 'einvoice',
      environment: null,
      url: 'http://127.0.0.1:9/',
      event_types: [],
      description: '',
      secrets: [],
      created_at: clock(),
    }),
  );
  return tenantId;
}

interface PipelineParts {
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

function actionsOf(parts: PipelineParts) {
  const { owner, kit, context, erp, clock } = parts;
  const intake = new Intake(kit.db, context, clock, randomBytes);
  const sql = async <Row>(text: string, values: unknown[] = []) =>
    (await owner.query(text, values)).rows as Row[];
  // Row-level security holds for the owner too, so a tenant's rows are read as that tenant.
  const row = async <Row>(text: string, id: string): Promise<Row> => {
    for (const tenant of await sql<{ id: string }>('select id from tenant order by id desc')) {
      const found = await kit.db.tenant(tenant.id, (tx) => tx.row<Row>(text, [id]));
      if (found !== undefined) return found;
    }
    throw new Error(`nothing of ${id}`);
  };
  return {
    ...queuesOf(parts, sql),
    sql,
    addConnector: (tenantId: string, duplicates: 'warn' | 'reject' = 'warn') =>
      addConnector(kit, tenantId, clock, duplicates),
    submitTo: async (over: SubmissionOptions & Submitter, company: Company) => {
      const { tenantId, connectorId, environment = 'sandbox' } = over;
      // In the ERP's own form, with the day of the harness's clock.
      const due = new Date(clock().getTime() + 720 * hours);
      const today = { DOC_DATE: erpDate(clock()), DUE_DATE: erpDate(due) };
      const change = { ...over.change, header: { ...today, ...over.change?.header } };
      const sourceRef = over.ref ?? (await erp.add(company, change));
      const profile = profiles[company];
      const accepted = await intake.accept({
        tenantId,
        environment,
        connectorId,
        profile,
        sourceRef,
        idempotencyKey: undefined,
        fingerprint: '',
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

function queuesOf(parts: PipelineParts, sql: PipelineHarness['sql']) {
  const { context, writeBacks, logged, clock, advance: moveClock } = parts;
  const claim = async (queue: Queue = 'invoice') => {
    await sql(
      `update job set run_at = '2000-01-01' where queue = $1 and claim_id is null and run_at <= $2`,
      [queue, clock()],
    );
    const { db } = context;
    const { jobs } = await createFairClaim({
      db,
      queue,
      batch: 100,
      newClaimId,
      leaseMs,
      pollMs: 1,
    })();
    return jobs as readonly Job<PipelineJobPayload>[];
  };
  const runDueJobs = async (queue: Queue = 'invoice') => {
    const jobs = await claim(queue);
    if (queue === 'invoice') await advance(context, jobs, AbortSignal.any([]));
    else if (queue === 'changed-document')
      await submitChangedDocuments(context, jobs as readonly Job<ChangedDocumentJobPayload>[]);
    else if (queue === 'document-batch') await submitBatches(context, jobs);
    else if (queue === 'forward') await forward(context, jobs as readonly Job<ForwardJobPayload>[]);
    else if (queue === 'acknowledge') await acknowledgeUncancelled(context, jobs);
    else await writeAllBack(context, writeBacks, jobs as readonly Job<WriteBackJobPayload>[]);
    return jobs.length;
  };
  const jobs: PipelineHarness['jobs'] = () =>
    sql('select queue, key, run_at, payload from job order by queue, key');
  return {
    claim,
    runDueJobs,
    jobs,
    runAllJobs: async (queue: Queue = 'invoice') => {
      for (let round = 0; round < roundsMax; round += 1) {
        const waiting = (await jobs()).filter((each) => each.queue === queue);
        if (waiting.length === 0) return;
        const next = Math.min(...waiting.map(({ run_at }) => run_at.getTime()));
        moveClock(Math.max(0, next - clock().getTime()));
        await runDueJobs(queue);
      }
      throw new Error(`not settled: ${JSON.stringify((await jobs())[0])} ${logged.slice(-3)}`);
    },
    passTrying: async (ms: number) => {
      moveClock(ms);
      await sql(
        `update job set run_at = $1, payload = payload || jsonb_build_object('dueAt', $2::text)`,
        [clock(), clock().toISOString()],
      );
    },
    expireLeases: async () =>
      void (await sql(`update job set claim_id = null, run_at = '2000-01-01'`)),
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
      id,
      pattern: 'database',
      kind: 'sqlite',
      name: 'ERP',
      agent_id: null,
      default_profile: null,
      duplicates,
      created_at: clock(),
      submit_from: {},
      receives: {},
      submission: {},
      settings: 'the test opens it itself',
    });
    for (const [profile, { fields }] of Object.entries(mappings)) {
      const approved = fields.map((field) => ({ ...field, status: 'approved' }));
      const document = { profile, fields: approved } as never;
      const kept = { version: 0, document, approved: document, changed_by: null };
      await saveMapping(tx, tenantId, id, profile, kept, clock());
    }
  });
  return id;
}

export const unreachable = (message = 'The ERP is down.'): ReadOutcome & WriteBackOutcome => ({
  kind: 'unreachable',
  fault: { code: 'unreachable', message, retry: 'later' },
});
