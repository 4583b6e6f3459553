import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { connectorSuite } from '../contract.suite.ts';
import { fault } from '../fault.ts';
import {
  createTables,
  type SqlProbe,
  sampleChanges,
  sampleSections,
  sampleSlot,
  sqlSource,
} from '../sql/source.suite.ts';
import { sqlite } from '../sqlite/connector.ts';
import { sqliteDialect } from '../sqlite/driver.ts';
import { answerAgentCall } from './answer.ts';
import type { AgentCall } from './call.ts';
import { agent } from './connector.ts';

const never = new AbortController().signal;
const clock = () => new Date('2026-02-01T00:00:00Z');

const openAgent = (connector: string, agentCall?: AgentCall) =>
  agent.open(
    { connector },
    { clock, allowedRoots: [], ...(agentCall === undefined ? {} : { agentCall }) },
  );

const overTheWire = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

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
  await createTables(probe, { identity, decimal: text, text, timestamp: text, binary: 'BLOB' });
  const settings = { file, sections: sampleSections, changes: sampleChanges };
  const columns = { mode: 'columns', columns: sampleSlot };
  const context = { clock, allowedRoots: [folder] };
  const erp = await sqlite.open(sqlite.settings.parse(settings), context);
  const slots = await sqlite.open(
    sqlite.settings.parse({ ...settings, writeBack: columns }),
    context,
  );
  const call: AgentCall = async (method, params, signal) => {
    const find = (name: string) => ({ erp, slots })[name];
    const answer = await answerAgentCall(find, method, overTheWire(params), signal);
    if (answer.kind === 'refused') throw new Error(answer.message);
    return { kind: 'answered', result: overTheWire(answer.result) };
  };
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
    async stop() {
      database.close();
      await rm(folder, { recursive: true });
    },
  };
});

describe('an agent', () => {
  const answering =
    (result: unknown): AgentCall =>
    async () => ({ kind: 'answered', result });

  test.each([
    ['nothing', undefined],
    ['text', 'found'],
    ['an unknown kind', { kind: 'perhaps' }],
    ['a document without sections', { kind: 'found', document: { ref: 'a' } }],
    [
      'a value that is no text',
      {
        kind: 'found',
        document: { ref: 'a', sections: { header: [{ origin: 'o', key: '1', values: { n: 1 } }] } },
      },
    ],
    ['a fault without retry', { kind: 'unreachable', fault: { code: 'x', message: 'y' } }],
  ])('that answers %s is not believed', async (_name, result) => {
    const connector = await openAgent('erp', answering(result));
    expect(await connector.read('a', never)).toMatchObject({
      kind: 'unreachable',
      fault: { code: 'agent_answer' },
    });
  });

  test('that answers fewer documents than asked is not believed', async () => {
    const connector = await openAgent('erp', answering([{ kind: 'missing' }]));
    const outcomes = await connector.readMany(['a', 'b'], never);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['unreachable', 'unreachable']);
  });

  test('that was never assigned is said to be missing', async () => {
    expect(await (await openAgent('erp')).test(never)).toMatchObject({
      kind: 'failed',
      fault: { code: 'agent_missing', retry: 'never' },
    });
  });

  test('answers for a connector that it does not have', async () => {
    const call: AgentCall = async (method, params, signal) => {
      const answer = await answerAgentCall(() => undefined, method, params, signal);
      return { kind: 'answered', result: answer.kind === 'answered' ? answer.result : undefined };
    };
    const connector = await openAgent('gone', call);
    const missing = { fault: { code: 'agent_connector_missing', retry: 'never' } };
    expect(await connector.test(never)).toMatchObject(missing);
    expect(await connector.readMany(['a', 'b'], never)).toMatchObject([missing, missing]);
  });

  test.each([
    ['an unknown method', 'connector.drop', { connector: 'erp' }],
    ['no params', 'connector.read', undefined],
    ['no ref', 'connector.read', { connector: 'erp' }],
    ['no command', 'connector.writeBack', { connector: 'erp' }],
    [
      'a command without an invoice',
      'connector.writeBack',
      { connector: 'erp', command: { idempotencyKey: 'k', environment: 'live' } },
    ],
  ])('refuses %s', async (_name, method, params) => {
    const connector = await openAgent('x', answering({ kind: 'missing' }));
    const answer = await answerAgentCall(() => connector, method, params, never);
    expect(answer.kind).toBe('refused');
  });
});
