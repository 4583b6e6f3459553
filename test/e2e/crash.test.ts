import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentSections } from '../../scripts/demo/mappings.ts';
import { runAgent, startAgent } from '../kit/agent-process.ts';
import { expectStatus } from '../kit/api.ts';
import { seeded } from '../kit/clock.ts';
import {
  addConnector,
  agentHome,
  type Company,
  type EinvoiceHarness,
  type Submitted,
  startEinvoiceHarness,
} from './einvoice.kit.ts';

/** How long nodes are killed; `npm run torture` sets it. */
const tortureMs = Number(process.env.TORTURE_SECONDS ?? 12) * 1_000;
const seed = Number(process.env.TORTURE_SEED ?? randomInt(1_000_000));
const killsMin = 4;
const settleWithinMs = 90_000;
const timeout = tortureMs + 2 * settleWithinMs;
const companies: readonly Company[] = ['AE', 'MY', 'BE'];

let harness: EinvoiceHarness;
const all: Submitted[] = [];

beforeAll(async () => {
  console.log(`crash tests with TORTURE_SEED=${seed}`);
  harness = await startEinvoiceHarness(seeded(seed));
  // The first confirmation makes the ERP's side table; from then on each is counted.
  const first = await harness.submit('AE');
  await settled([first]);
  await harness.countWrites();
}, 120_000);
afterAll(() => harness?.stop(), 60_000);

const between = (min: number, max: number) => min + harness.random() * (max - min);
const submitMany = async (count: number, pauseMs: number): Promise<Submitted[]> => {
  const submitted: Promise<Submitted>[] = [];
  for (let index = 0; index < count; index += 1) {
    submitted.push(harness.submit(companies[index % companies.length]!));
    await delay(pauseMs);
  }
  return Promise.all(submitted);
};

test(
  'nodes that are killed at any moment lose nothing and double nothing',
  async () => {
    const count = Math.max(60, Math.round(tortureMs / 200));
    const submitting = submitMany(count, (tortureMs * 0.8) / count);
    const end = performance.now() + tortureMs;
    let killed = 0;
    while (performance.now() < end || killed < killsMin) {
      await delay(between(100, 1_200));
      mishap();
      const [victim, other] = harness.random() < 0.5 ? [0, 1] : [1, 0];
      if (harness.nodes[victim]!.isUp) killed += 1;
      await harness.nodes[victim]!.end('SIGKILL');
      const coming = harness.nodes[victim]!.start();
      // Sometimes both are killed at once.
      if (harness.random() < 0.3) {
        await harness.nodes[other]!.end('SIGKILL');
        killed += 1;
        await harness.nodes[other]!.start();
      }
      await coming;
    }
    console.log(`killed ${killed} nodes while ${count} invoices went through`);
    all.push(...(await submitting));
    await settled(all);
    await audit(all);
  },
  timeout,
);

test(
  'a database that is killed under load loses nothing and doubles nothing',
  async () => {
    const submitting = submitMany(24, 60);
    for (let crashes = 0; crashes < 2; crashes += 1) {
      await delay(between(300, 1_200));
      await harness.postgres.crash();
    }
    const submitted = await submitting;
    await settled(submitted);
    await audit(submitted);
  },
  timeout,
);

test(
  'an agent that is killed while it reads and writes loses nothing and doubles nothing',
  async () => {
    const home = await agentHome(harness);
    const env = { DRAWBRIDGE_FILE_ROOTS: harness.folder };
    const token = expectStatus(
      await harness.call('post', '/v1/agents/enrolment-tokens', {}),
      201,
      'a token',
    ).token;
    const url = harness.nodes[0]!.sandboxUrl;
    expect(await runAgent(home, ['enroll', '--url', url], { input: token, env })).toMatchObject({
      code: 0,
    });
    const settings = join(harness.folder, 'agent.json');
    await writeFile(settings, JSON.stringify({ file: harness.erp.file, sections: agentSections }));
    const add = ['connector', 'add', 'sqlite', '--name', 'erp', '--settings-file', settings];
    expect(await runAgent(home, add, { env })).toMatchObject({ code: 0 });
    let agent = startAgent(home, env);
    await agent.event('connected');
    const agents = expectStatus(await harness.call('get', '/v1/agents'), 200, 'agents').results;
    const connector = await addConnector(harness.call, 'BIS-3.0', {
      pattern: 'agent',
      kind: 'agent',
      agent_id: agents[0].id,
      settings: { connector: 'erp' },
    });
    const submitted: Submitted[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (let index = 0; index < 4; index += 1) {
        submitted.push(await harness.submit('BE', { connector }));
      }
      await delay(between(0, 400));
      await agent.stop('SIGKILL');
      submitted.push(await harness.submit('BE', { connector }));
      agent = startAgent(home, env);
      await agent.event('connected');
    }
    try {
      await settled(submitted);
      await audit(submitted);
    } finally {
      await agent.stop('SIGTERM');
    }
  },
  timeout,
);

/** Plans a fault of an authority. */
function mishap(): void {
  const simulator = harness.random() < 0.5 ? harness.peppol : harness.myinvois;
  const kinds = ['cut-before', 'cut-after', 503, 500] as const;
  const kind = kinds[Math.floor(harness.random() * kinds.length)]!;
  simulator.control.fault({ call: 'submit', kind, times: 1 });
}

interface Waiting {
  readonly id: string;
  readonly state: string;
  readonly authority_status: string | null;
}

async function settled(submitted: readonly Submitted[]): Promise<void> {
  const ids = submitted.map(({ id }) => id);
  const end = performance.now() + settleWithinMs;
  for (;;) {
    const open = await harness.postgres
      .sql<Waiting>(
        `select id, state, authority_status from invoice where id = any($1) and (state not in
         ('delivered', 'cleared') or id in (select split_part(key, '/', 1) from job
           where queue in ('invoice', 'write-back')))`,
        [ids],
      )
      .catch(() => undefined);
    if (open?.length === 0) return;
    if (performance.now() > end) {
      const lines = harness.nodes.flatMap((node) => node.lines.slice(-5)).join('\n');
      throw new Error(`not settled: ${JSON.stringify(open?.slice(0, 5))}\n${lines}`);
    }
    await delay(500);
    await harness.makeJobsDue().catch(() => {});
  }
}

/** Checks every invoice from outside: API, webhooks, authority and ERP. */
async function audit(submitted: readonly Submitted[]): Promise<void> {
  const ids = submitted.map(({ id }) => id);
  expect(new Set(ids).size).toBe(submitted.length);
  await atAuthorities(ids);
  await inTimelines(ids);
  for (const { ref } of submitted) {
    const writes = harness.erp.rows(`select status from WRITES where source_ref = '${ref}'`);
    expect(writes, `confirmations of ${ref}`).toHaveLength(1);
  }
}

async function atAuthorities(ids: readonly string[]): Promise<void> {
  const rows = await harness.postgres.sql<{
    profile: string;
    number: string;
    submission_key: string;
  }>('select profile, number, submission_key from invoice where id = any($1)', [ids]);
  expect(rows).toHaveLength(ids.length);
  for (const { profile, number, submission_key } of rows) {
    const held =
      profile === 'PINT-MY'
        ? harness.myinvois.control.documents(number)
        : harness.peppol.control.deliveries(submission_key);
    expect(held, `documents of ${number} at the authority`).toHaveLength(1);
  }
}

/** Checks that each transition has one event, in order, which reached the receiver. */
async function inTimelines(ids: readonly string[]): Promise<void> {
  const query = `select e.id, e.subject_id, e.type from webhook_event e
    join webhook_delivery d on d.event_id = e.id where e.subject_id = any($1) order by d.seq`;
  const events = await harness.postgres.sql<{ id: string; subject_id: string; type: string }>(
    query,
    [ids],
  );
  const received = () => new Map(harness.receiver.events.map((event) => [event.id, event]));
  await expect
    .poll(() => events.filter(({ id }) => !received().has(id)).length, { timeout: 60_000 })
    .toBe(0);
  const told = received();
  for (const { id, subject_id, type } of events) {
    expect(told.get(id)).toEqual({ id, event: type, invoice: subject_id, verified: true });
  }
  const begun = ['received', 'validating', 'validated', 'submitted'];
  for (const [id, own] of Map.groupBy(events, ({ subject_id }) => subject_id)) {
    const moves = own.map(({ type }) => type.replace('invoice.', ''));
    expect(moves, `moves of ${id}`).toEqual([...begun, expect.stringMatching(/delivered|cleared/)]);
  }
}
