import type { z } from 'zod';
import type { Connector, ConnectorFault, ConnectorKind, ReadOutcome } from '../contract.ts';
import { abortFault } from '../fault.ts';
import type { AgentCall, AgentMethod, AgentParams } from './call.ts';
import { agentAnswerFault, agentMissing } from './errors.ts';
import {
  describeOutcome,
  listOutcome,
  readManyOutcome,
  readOutcome,
  testOutcome,
  writeBackOutcome,
} from './outcomes.ts';
import { type AgentSettings, agentSettings } from './settings.ts';

/** Refs asked for in one call, so that an answer stays of a size that a connection carries. */
const refsPerCallMax = 50;

/** Any source that a bridge agent reads inside the client's network. */
export const agent: ConnectorKind<AgentSettings> = {
  kind: 'agent',
  pattern: 'agent',
  title: 'Through a bridge agent',
  settings: agentSettings,
  async open(settings, context) {
    return openAgent(settings.connector, context.agentCall);
  },
};

function openAgent(connector: string, call: AgentCall | undefined): Connector {
  const ask = <T>(
    method: AgentMethod,
    params: Omit<AgentParams, 'connector'>,
    schema: z.ZodType<T>,
    signal: AbortSignal,
  ) => askAgent(call, method, { ...params, connector }, schema, signal);
  return {
    async test(signal) {
      const reply = await ask('connector.test', {}, testOutcome, signal);
      return reply.kind === 'outcome' ? reply.outcome : { kind: 'failed', fault: reply.fault };
    },
    async describe(signal) {
      const reply = await ask('connector.describe', {}, describeOutcome, signal);
      return reply.kind === 'outcome' ? reply.outcome : reply;
    },
    async read(ref, signal) {
      const reply = await ask('connector.read', { ref }, readOutcome, signal);
      return reply.kind === 'outcome' ? reply.outcome : reply;
    },
    async readMany(refs, signal) {
      const outcomes: ReadOutcome[] = [];
      for (let start = 0; start < refs.length; start += refsPerCallMax) {
        const part = refs.slice(start, start + refsPerCallMax);
        const reply = await ask('connector.readMany', { refs: part }, readManyOutcome, signal);
        const isWhole = reply.kind === 'outcome' && reply.outcome.length === part.length;
        const cause = reply.kind === 'unreachable' ? reply.fault : agentAnswerFault(connector);
        const failed = { kind: 'unreachable', fault: cause } as const;
        outcomes.push(...(isWhole ? reply.outcome : part.map(() => failed)));
      }
      return outcomes;
    },
    async list(cursor, signal) {
      const params = cursor === undefined ? {} : { cursor };
      const reply = await ask('connector.list', params, listOutcome, signal);
      return reply.kind === 'outcome' ? reply.outcome : reply;
    },
    async writeBack(command, signal) {
      const reply = await ask('connector.writeBack', { command }, writeBackOutcome, signal);
      return reply.kind === 'outcome' ? reply.outcome : reply;
    },
    async close() {
      // The agent keeps its own connectors open.
    },
  };
}

type Asked<T> =
  | { readonly kind: 'outcome'; readonly outcome: T }
  | { readonly kind: 'unreachable'; readonly fault: ConnectorFault };

async function askAgent<T>(
  call: AgentCall | undefined,
  method: AgentMethod,
  params: AgentParams,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): Promise<Asked<T>> {
  const where = `the bridge agent's "${params.connector}"`;
  if (call === undefined) return { kind: 'unreachable', fault: agentMissing };
  if (signal.aborted) return { kind: 'unreachable', fault: abortFault(signal, where) };
  const reply = await call(method, params, signal);
  if (reply.kind === 'unreachable') return reply;
  // What comes from another machine is checked like any input.
  const parsed = schema.safeParse(reply.result);
  return parsed.success
    ? { kind: 'outcome', outcome: parsed.data }
    : { kind: 'unreachable', fault: agentAnswerFault(params.connector) };
}
