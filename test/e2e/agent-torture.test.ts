import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { erpSettings } from '@drawbridge/control-plane/einvoice/erp.kit.ts';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningAgent, runAgent, startAgent } from '../kit/agent-process.ts';
import { expectStatus } from '../kit/api.ts';
import { seeded } from '../kit/clock.ts';
import { eventually } from '../kit/eventually.ts';
import { type FakeTime, fakeTime } from '../kit/faketime.ts';
import { mountSmallDisk, type SmallDisk } from '../kit/small-disk.ts';
import { startTcpProxy, type TcpProxy } from './crash.kit.ts';
import { addConnector, type EinvoiceHarness, startEinvoiceHarness } from './einvoice.kit.ts';

/** How long everything is tortured, and how many documents meanwhile; `npm run torture` sets the first. */
const tortureMs = Number(process.env.TORTURE_SECONDS ?? 10) * 1_000;
const documentCount = Number(process.env.TORTURE_DOCUMENTS ?? Math.ceil(tortureMs / 60));
const seed = Number(process.env.TORTURE_SEED ?? randomInt(1_000_000));
const settleWithinMs = 180_000 + documentCount * 120;
const diskMiB = 64;

let harness: EinvoiceHarness;
let disk: SmallDisk | undefined;
let clock: FakeTime | undefined;
let nodeClock: FakeTime | undefined;
let link: TcpProxy;
let agent: SupervisedAgent | undefined;
let connector: string;
let home: string;
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  disk = mountSmallDisk(diskMiB);
  if (disk === undefined) return;
  clock = fakeTime(join(disk.path, 'clock'));
  nodeClock = fakeTime(join(disk.path, 'node-clock'));
  if (clock === undefined || nodeClock === undefined) return;
  console.log(`agent torture with TORTURE_SEED=${seed}, ${documentCount} documents`);
  harness = await startEinvoiceHarness(seeded(seed), nodeClock.env);
  await harness.erp.run(`alter table OSALES add column CHANGES integer not null default 0;
    update OSALES set DOC_DATE = '20200131';
    create index OSALES_CHANGES on OSALES (CHANGES, DOC_NO);
    create index if not exists OSALES_NUMBER on OSALES (DOC_NO)`);
  // The first confirmation makes the ERP's side table; from then on each is counted.
  await harness.submit('AE');
  const sideTable = `select name from sqlite_master where name = 'einv_status_sandbox'`;
  await eventually(async () => {
    await harness.makeJobsDue();
    expect(harness.erp.rows(sideTable)).toHaveLength(1);
  });
  await harness.countWrites();
  await setUpAgent();
}, 180_000);
afterAll(async () => {
  await agent?.stop();
  await harness?.stop();
  await link?.close();
  disk?.unmount();
}, 60_000);

// Not tried again: what was lost or doubled once is not to be found well the second time.
const options = { timeout: tortureMs + 2 * settleWithinMs, retry: 0 };

test(
  'whatever is killed, cut off, full or wrong about the time: no document is lost, none is doubled',
  options,
  async (context) => {
    if (disk === undefined) return context.skip('only root may mount a small disk');
    if (clock === undefined || nodeClock === undefined) {
      return context.skip('libfaketime is not installed');
    }
    agent = superviseAgent();
    const people = releaseHeld();
    const [happened] = await Promise.all([
      torture(agent, disk, clock, nodeClock),
      createDocuments(),
    ]);
    console.log(`${JSON.stringify(happened)}, the agent ended ${JSON.stringify(agent.codes)}`);
    await settled();
    await people.stop();
    await agent.stop();
    // Nobody was told that the agent is a copy, or is to end for good.
    expect(Object.keys(agent.codes).filter((code) => !['0', '5', 'null'].includes(code))).toEqual(
      [],
    );
    await audit();
  },
);

const env = () => ({
  ...clock!.env,
  DRAWBRIDGE_FILE_ROOTS: harness.folder,
  DRAWBRIDGE_WATCH_SECONDS: '1',
  DRAWBRIDGE_FREE_BYTES_MIN: '0',
  DRAWBRIDGE_RECONCILE_MINUTES: '1',
});

async function setUpAgent(): Promise<void> {
  const { nodes, call, folder, erp } = harness;
  const portOf = (node: (typeof nodes)[number]) => Number(new URL(node.sandboxUrl).port);
  link = await startTcpProxy(() => portOf(nodes.find(({ isUp }) => isUp) ?? nodes[0]!));
  home = join(disk!.path, 'home');
  const { token } = expectStatus(
    await call('post', '/v1/agents/enrolment-tokens', {}),
    201,
    'token',
  );
  const url = `http://127.0.0.1:${link.port}`;
  const enrolled = await runAgent(home, ['enroll', '--url', url], { input: token, env: env() });
  expect(enrolled).toMatchObject({ code: 0 });
  const settings = join(folder, 'agent.json');
  const changes = { column: 'CHANGES', key: 'DOC_NO' };
  await writeFile(settings, JSON.stringify({ ...erpSettings(erp.file), changes }));
  const add = [
    'connector',
    'add',
    'sqlite',
    '--name',
    'erp',
    '--watch',
    '--settings-file',
    settings,
  ];
  expect(await runAgent(home, add, { env: env() })).toMatchObject({ code: 0 });
  const first = startAgent(home, env());
  await first.event('connected');
  const { results } = expectStatus(await call('get', '/v1/agents'), 200, 'agents');
  connector = await addConnector(call, 'PINT-AE', {
    pattern: 'agent',
    kind: 'agent',
    agent_id: results[0].id,
    settings: { connector: 'erp' },
  });
  // Every document waits for a person, so that all that is killed is killed while invoices are held.
  const policy = { submit_from: today, submission: { hold: 'release' } };
  const patched = await call('patch', `/v1/connectors/${connector}`, policy);
  expectStatus(patched, 200, 'submitting from today, when released');
  await first.stop('SIGTERM');
}

const refs: string[] = [];
/** Those that validation rejects until they are corrected. */
const faulty: string[] = [];

/** What people do in the ERP: new documents, corrections of rejected ones, changes of those that were sent. */
async function createDocuments(): Promise<void> {
  const { erp, random } = harness;
  let changes = 0;
  const next = () => {
    changes += 1;
    return changes;
  };
  const touch = (ref: string) =>
    erp.run(`update OSALES set CHANGES = ${next()} where DOC_NO = '${ref}'`);
  const correct = async (ref: string) => {
    await erp.run(`update OCUST set TAX_NO = (select c.TAX_NO from OCUST c join OSALES s using (CUST_NO)
      where s.DOC_NO = '${refs[0]}') where CUST_NO = '${ref}'`);
    await touch(ref);
  };
  const uncorrected: string[] = [];
  /** Numbers of changes that were taken, and whose documents come later, as late commits do. */
  const late: number[] = [];
  for (let made = 0; made < documentCount; made += 1) {
    if (random() < 0.05) late.push(next());
    const change = late.length > 3 ? late.shift()! : next();
    const header = { DOC_DATE: today.replaceAll('-', ''), CHANGES: change };
    const isFaulty = made > 0 && random() < 0.2;
    const ref = await erp.add('AE', isFaulty ? { header, customer: { TAX_NO: '1' } } : { header });
    refs.push(ref);
    if (isFaulty) {
      faulty.push(ref);
      uncorrected.push(ref);
    }
    if (random() < 0.2) await touch(refs[Math.floor(random() * refs.length)]!);
    if (uncorrected.length > 10) await correct(uncorrected.shift()!);
    await delay((tortureMs * 0.8) / documentCount);
  }
  for (const ref of uncorrected) await correct(ref);
}

/** Releases what is held, a little after it is held, until it is stopped. */
function releaseHeld(): { stop(): Promise<void> } {
  let isStopping = false;
  const ended = (async () => {
    while (!isStopping) {
      await delay(between(200, 1_500));
      const listed = await harness.call('get', '/v1/invoices?waits_for=release&limit=100');
      const { results } = expectStatus(listed, 200, 'what is held');
      const invoices = results.map(({ id }: { id: string }) => id);
      if (invoices.length === 0) continue;
      await harness.call('post', '/v1/invoices/release', { invoices });
    }
  })();
  return {
    async stop() {
      isStopping = true;
      await ended;
    },
  };
}

interface SupervisedAgent {
  /** How often it ended with which code; null when it was killed. */
  readonly codes: Record<string, number>;
  kill(): void;
  stop(): Promise<void>;
}

/** An agent that is started again whenever it ends, as its service does. */
function superviseAgent(): SupervisedAgent {
  const codes: Record<string, number> = {};
  let isStopping = false;
  let running: RunningAgent | undefined;
  const ended = (async () => {
    while (!isStopping) {
      running = startAgent(home, env());
      const code = String(await running.exited);
      codes[code] = (codes[code] ?? 0) + 1;
      await delay(100);
    }
  })();
  return {
    codes,
    kill: () => void running?.stop('SIGKILL'),
    async stop() {
      isStopping = true;
      await running?.stop('SIGTERM');
      await ended;
    },
  };
}

const between = (min: number, max: number) => min + harness.random() * (max - min);

/** Lets things happen until the time is over, each at least once; returns how often each did. */
async function torture(
  agent: SupervisedAgent,
  full: SmallDisk,
  time: FakeTime,
  nodeTime: FakeTime,
) {
  const { nodes, postgres, peppol, random } = harness;
  const happenings: Readonly<Record<string, () => Promise<void> | void>> = {
    agentKilled: () => agent.kill(),
    async nodeKilled() {
      const [victim, other] = random() < 0.5 ? [nodes[0]!, nodes[1]!] : [nodes[1]!, nodes[0]!];
      await victim.end('SIGKILL');
      if (random() < 0.3) {
        await other.end('SIGKILL');
        await other.start();
      }
      await victim.start();
    },
    databaseKilled: () => postgres.crash(),
    linkDropped: () => link.drop(),
    async linkStalled() {
      link.stall();
      await delay(between(200, 4_000));
      link.resume();
    },
    async diskFull() {
      full.fill();
      await delay(between(200, 3_000));
      if (random() < 0.3) agent.kill();
      full.empty();
    },
    // Weeks ahead, and back by hours: what it holds for the present is then in the future.
    clockJumped: () => time.jump(Math.round(between(-86_400, 30 * 86_400))),
    clockSetRight: () => time.jump(0),
    // The control plane's by hours: who is a day off submits documents of another day.
    nodeClockJumped: () => nodeTime.jump(Math.round(between(-4 * 3_600, 4 * 3_600))),
    nodeClockSetRight: () => nodeTime.jump(0),
    authorityFailed() {
      const kinds = ['cut-before', 'cut-after', 503, 500] as const;
      const kind = kinds[Math.floor(random() * kinds.length)]!;
      peppol.control.fault({ call: 'submit', kind, times: 1 });
    },
  };
  const names = Object.keys(happenings);
  const happened = Object.fromEntries(names.map((name) => [name, 0]));
  const end = performance.now() + tortureMs;
  while (performance.now() < end || Object.values(happened).includes(0)) {
    await delay(between(50, 800));
    const unseen = names.filter((name) => happened[name] === 0);
    const choice = performance.now() < end ? names : unseen;
    if (choice.length === 0) break;
    const name = choice[Math.floor(random() * choice.length)]!;
    await happenings[name]!();
    happened[name]! += 1;
  }
  time.jump(0);
  nodeTime.jump(0);
  return happened;
}

/** Longer than any request of these tests is under way. */
const settlePauseMs = 5_000;
const queues = ['invoice', 'write-back', 'changed-document', 'document-batch'];

interface Progress {
  readonly delivered: number;
  readonly waiting: number;
}

/** For whoever looks for the reason: invoices that are under way, and waiting jobs. */
const whatIsLeft = `
  select 'invoice ' || state || coalesce(' for ' || waits_for, '') as what, count(*)::int from invoice
  where connector_id = $1 and state not in ('delivered', 'rejected') group by 1
  union all
  select 'job ' || queue || case when parked_at is null then '' else ', parked' end
    || case when attempts >= 5 then ', doubtful' else '' end || coalesce(': ' || left(last_error, 200), ''), count(*)::int from job
  where queue = any($2) group by 1`;

/** Documents that were not delivered, each with its invoices and what they were rejected for. */
const whatIsLacking = `
  select ref, (select array_agg(state || coalesce(' ' || (errors -> 0 ->> 'rule'), '') order by id)
               from invoice where connector_id = $1 and source_ref = ref) as invoices
  from unnest($2::text[]) as ref
  where not exists (select from invoice where connector_id = $1 and source_ref = ref and state = 'delivered')`;

/** Resolves when every document is delivered and nothing waits any more. */
async function settled(): Promise<void> {
  const { postgres, makeJobsDue, nodes } = harness;
  const end = performance.now() + settleWithinMs;
  // What a node with a clock ahead has sent would be looked up by the right clock hours from now.
  await delay(settlePauseMs);
  await postgres.sql(
    `update invoice set sent_at = now() - interval '1 hour' where sent_at > now() + interval '1 minute'`,
  );
  let before = '';
  for (;;) {
    const [progress] = await postgres
      .sql<Progress>(
        `select (select count(distinct source_ref)::int from invoice
                 where connector_id = $1 and state = 'delivered') as delivered,
                (select count(*)::int from job where queue = any($2)) as waiting`,
        [connector, queues],
      )
      .catch(() => []);
    if (progress?.delivered === refs.length && progress.waiting === 0) return;
    if (performance.now() > end) {
      const left = await postgres.sql(whatIsLeft, [connector, queues]);
      const lacking = await postgres.sql(whatIsLacking, [connector, refs]);
      const lines = nodes.flatMap((node) => node.lines.slice(-5)).join('\n');
      throw new Error(
        `${refs.length} documents, ${JSON.stringify(progress)}, ${JSON.stringify(left)}, ${JSON.stringify(lacking)}\n${lines}`,
      );
    }
    await delay(settlePauseMs);
    // While something becomes less, trying all that waits for its turn would only take time from it.
    const isStill = before === JSON.stringify(progress);
    before = JSON.stringify(progress);
    if (!isStill) continue;
    await makeJobsDue().catch(() => {});
    // The tests' server has no autovacuum; with many jobs made due again and again it would slow down.
    await postgres.sql('vacuum analyze').catch(() => {});
  }
}

interface Submission {
  readonly source_ref: string;
  readonly state: string;
  readonly number: string;
  readonly submission_key: string;
  /** Of what it was rejected for. */
  readonly rule: string | null;
}

/** ERP, both stores and the authority's ledger, each by itself and beside the others. */
async function audit(): Promise<void> {
  const { postgres, peppol, erp } = harness;
  const invoices = await postgres.sql<Submission>(
    `select source_ref, state, number, submission_key, errors -> 0 ->> 'rule' as rule
     from invoice where connector_id = $1`,
    [connector],
  );
  const sent = invoices.filter(({ state }) => state !== 'rejected');
  expect(sent.map(({ state }) => state).filter((state) => state !== 'delivered')).toEqual([]);
  expect(sent).toHaveLength(refs.length);
  expect(new Set(sent.map((one) => one.source_ref))).toEqual(new Set(refs));
  // What changed in the ERP while it was held is rejected, never sent, and submitted anew.
  const outdated = ({ rule }: Submission) => rule === 'PINT-AE-SOURCE-CHANGED';
  const rejected = new Set(
    invoices
      .filter((one) => one.state === 'rejected' && !outdated(one))
      .map((one) => one.source_ref),
  );
  expect([...rejected].filter((ref) => !faulty.includes(ref))).toEqual([]);

  const ledger = Map.groupBy(peppol.control.deliveries(), ({ instanceId }) => instanceId);
  const atAuthority = sent.map(({ submission_key: key }) => ledger.get(key)?.length ?? 0);
  expect(atAuthority.filter((count) => count !== 1)).toEqual([]);

  const written = erp.rows(
    'select source_ref, status, count(*) as times from WRITES group by 1, 2',
  );
  const confirmed = written as { source_ref: string; status: string; times: number }[];
  const delivered = confirmed.filter(({ status }) => status === 'delivered');
  expect(delivered.filter(({ times }) => times !== 1)).toEqual([]);
  const own = new Set(refs);
  const ours = delivered.filter(({ source_ref }) => own.has(source_ref));
  expect(ours).toHaveLength(refs.length);

  const commands = await postgres.sql('select id from agent_command where outcome is null');
  expect(commands).toEqual([]);
  const store = new Database(join(home, 'queue.db'), { readonly: true });
  const count = (sql: string) => store.prepare(sql).pluck().get();
  expect(store.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(count('select count(*) from inbox where outcome is null')).toBe(0);
  expect(count(`select count(*) from outbox where topic = 'documents.read'`)).toBe(0);
  const [{ all }] = erp.rows('select count(*) as "all" from OSALES') as [{ all: number }];
  expect(count('select count(*) from document')).toBe(all);
  store.close();
}
