import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { methods, type Params } from '@drawbridge/link/methods.ts';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { connectorSuite } from '../contract.suite.ts';
import type { AgentCall, AgentMethod, Connector } from '../contract.ts';
import { fault } from '../fault.ts';
import {
  createTables,
  headerQuery,
  type SqlProbe,
  sampleChanges,
  sampleDrafts,
  sampleSections,
  sampleSlot,
  sqlSource,
} from '../sql/source.suite.ts';
import { sqlite } from '../sqlite/connector.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { endlessQuery, isSqliteWorking } from '../sqlite/endless.suite.ts';
import { agent } from './connector.ts';

const never = new AbortController().signal;
const clock = () => new Date('2026-02-01T00:00:00Z');

const openAgent = (connector: string, agentCall?: AgentCall, timeoutMs?: number) =>
  agent.open(
    { connector },
    {
      clock,
      allowedRoots: [],
      ...(agentCall === undefined ? {} : { agentCall }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    },
  );

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const calls: {
  readonly [M in AgentMethod]: (
    connector: Connector,
    params: Params<M>,
    signal: AbortSignal,
  ) => Promise<unknown>;
} = {
  'connector.test': (connector, _, signal) => connector.test(signal),
  'connector.describe': (connector, _, signal) => connector.describe(signal),
  'connector.discover': (connector, { wish }, signal) => connector.discover!(wish, signal),
  'connector.read': (connector, { ref }, signal) => connector.read(ref, signal),
  'connector.readMany': (connector, { refs }, signal) => connector.readMany(refs, signal),
  'connector.list': (connector, { cursor }, signal) => connector.list(cursor, signal),
  'connector.writeBack': (connector, { command }, signal) => connector.writeBack(command, signal),
  'connector.reject': (connector, { command }, signal) =>
    connector.rejectDocument!(command, signal),
  'connector.import': (connector, { command }, signal) => connector.importDraft!(command, signal),
};

/** An agent that takes and gives only what the link lets through. */
function agentWith(connectors: Readonly<Record<string, Connector>>): AgentCall {
  return async (method, params, signal) => {
    const asked = methods[method].params.parse(overTheWire(params));
    const outcome = await calls[method](connectors[asked.connector]!, asked as never, signal);
    const result = methods[method].result.parse(overTheWire(outcome));
    return { kind: 'answered', result: result as never };
  };
}

connectorSuite('agent', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-agent-'));
  const file = path.join(folder, 'erp.db');
  const database = new Database(file);
  database.pragma('synchronous = off');
  const probe: SqlProbe = {
    dialect: sqliteDialect,
    async execute(text, values = []) {
      database.prepare(text).run(...values);
    },
    async rows(text, values = []) {
      return database.prepare(text).all(...values) as Record<string, unknown>[];
    },
  };
  const text = 'TEXT';
  const identity = 'INTEGER PRIMARY KEY';
  await createTables(probe, {
    identity,
    decimal: text,
    text,
    longText: text,
    timestamp: text,
    binary: 'BLOB',
  });
  const settings = { file, sections: sampleSections, changes: sampleChanges };
  const columns = { mode: 'columns', columns: sampleSlot };
  const context = { clock, allowedRoots: [folder] };
  const erp = await sqlite.open(sqlite.settings.parse(settings), context);
  const slots = await sqlite.open(
    sqlite.settings.parse({ ...settings, writeBack: columns, drafts: sampleDrafts }),
    context,
  );
  const endless = await sqlite.open(
    sqlite.settings.parse({ file, ...headerQuery(endlessQuery) }),
    context,
  );
  const call = agentWith({ erp, slots, endless });
  const offline: AgentCall = async () => ({
    kind: 'unreachable',
    fault: fault('agent_offline', 'The bridge agent is not connected.', 'later'),
  });
  const { slot, ...common } = sqlSource(probe);
  return {
    ...common,
    connector: await openAgent('erp', call),
    unreachable: await openAgent('erp', offline),
    columns: { connector: await openAgent('slots', call), slot },
    endless: {
      open: (timeoutMs) => openAgent('endless', call, timeoutMs),
      refs: ['x'],
      isWorking: isSqliteWorking,
    },
    async stop() {
      database.close();
      await rm(folder, { recursive: true });
    },
  };
});

describe('an agent', () => {
  test('that answers fewer documents than asked for gives a fault', async () => {
    const short: AgentCall = async () => ({
      kind: 'answered',
      result: [{ kind: 'missing' }] as never,
    });
    const connector = await openAgent('erp', short);
    const outcomes = await connector.readMany(['a', 'b'], never);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['unreachable', 'unreachable']);
  });

  test('looks through its source: tables, layouts and documents pass the link', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-agent-'));
    const file = path.join(folder, 'erp.db');
    const database = new Database(file);
    database.exec(`
      CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT, phone TEXT);
      CREATE TABLE invoice (id INTEGER PRIMARY KEY, invoice_number TEXT, invoice_date TEXT,
        customer_id INTEGER REFERENCES customer, total_amount TEXT);
      CREATE TABLE invoice_line (id INTEGER PRIMARY KEY, invoice_id INTEGER REFERENCES invoice,
        description TEXT, quantity TEXT, unit_price TEXT);
      INSERT INTO customer VALUES (1, 'Gulf Star', 'Dubai', '04 555'), (2, '${'x'.repeat(300)}', 'Ajman', '06 555');
      INSERT INTO invoice VALUES (1, 'INV-1', '2026-01-05', 1, '20'), (2, 'INV-2', '2026-01-06', 2, '30');
      INSERT INTO invoice_line VALUES (1, 1, 'Pump', '2', '10'), (2, 2, 'Valve', '3', '10');`);
    database.close();
    const settings = sqlite.settings.parse({ file });
    const erp = await sqlite.open(settings, { clock, allowedRoots: [folder] });
    const connector = await openAgent('erp', agentWith({ erp }));
    const outcome = await connector.discover!({}, never);
    expect(outcome).toEqual(await erp.discover!({}, never));
    expect(outcome).toMatchObject({
      kind: 'discovered',
      layouts: [{ layout: { sections: { header: { table: 'invoice' } } } }],
      documents: [{ number: 'INV-2', customer: 'x'.repeat(100) }, { customer: 'Gulf Star' }],
    });
    await erp.close();
    await rm(folder, { recursive: true });
  });

  test('that was never assigned gives the fault agent_missing', async () => {
    expect(await (await openAgent('erp')).test(never)).toMatchObject({
      kind: 'failed',
      fault: { code: 'agent_missing', retry: 'never' },
    });
  });
});
