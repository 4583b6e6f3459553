import type { Params } from '@drawbridge/link/methods.ts';
import { isCompanyField } from '@drawbridge/profiles/company.ts';
import {
  type AgentMethod,
  type AgentReply,
  type Connector,
  type ConnectorContext,
  type ConnectorKind,
  limits,
  type ReadOutcome,
} from '../contract.ts';
import { abortFault, untilAborted, withTimeLimit } from '../fault.ts';
import { agentAnswerFault, agentMissing } from './errors.ts';
import { fittingImport } from './fitting-import.ts';
import { type AgentSettings, agentSettings } from './settings.ts';

/** Refs asked for in one call, so that the answer fits the link's limits. */
const refsPerCallMax = 50;

/** Longer than the agent's own limit, which words better what took so long. */
const defaultTimeoutMs = 2 * limits.callTimeoutMs;

/** Any source that a bridge agent reads inside the client's network. */
export const agent: ConnectorKind<AgentSettings> = {
  kind: 'agent',
  pattern: 'agent',
  mayTakeInvalid: true,
  title: 'Through a bridge agent',
  settings: agentSettings,
  isReadElsewhere: true,
  async open(settings, context) {
    return openAgent(settings.connector, context);
  },
};

function openAgent(connector: string, context: ConnectorContext): Connector {
  const ask = <M extends AgentMethod>(method: M, params: Params<M>, signal: AbortSignal) =>
    askAgent(context, method, params, signal);
  return {
    takesInvalid: true, // the agent knows its sources
    async test(signal) {
      const reply = await ask('connector.test', { connector }, signal);
      return reply.kind === 'answered' ? reply.result : { kind: 'failed', fault: reply.fault };
    },
    async describe(signal) {
      const reply = await ask('connector.describe', { connector }, signal);
      return reply.kind === 'answered' ? reply.result : reply;
    },
    async discover(wish, signal) {
      const reply = await ask('connector.discover', { connector, wish }, signal);
      if (reply.kind !== 'answered') return reply;
      const { result } = reply;
      if (result.kind !== 'discovered') return result;
      // A newer agent may know more of a company than this side.
      const company = result.company.flatMap(({ field, ...rest }) =>
        isCompanyField(field) ? [{ field, ...rest }] : [],
      );
      return { ...result, company };
    },
    async read(ref, signal) {
      if (!isRef(ref)) return { kind: 'missing' };
      const reply = await ask('connector.read', { connector, ref }, signal);
      return reply.kind === 'answered' ? reply.result : reply;
    },
    async readMany(refs, signal) {
      const asked = refs.filter(isRef);
      const outcomes: ReadOutcome[] = [];
      for (let start = 0; start < asked.length; start += refsPerCallMax) {
        const part = asked.slice(start, start + refsPerCallMax);
        const reply = await ask('connector.readMany', { connector, refs: part }, signal);
        const isWhole = reply.kind === 'answered' && reply.result.length === part.length;
        const cause = reply.kind === 'unreachable' ? reply.fault : agentAnswerFault(connector);
        const failed = { kind: 'unreachable', fault: cause } as const;
        outcomes.push(...(isWhole ? reply.result : part.map(() => failed)));
      }
      const rest = outcomes.values();
      return refs.map((ref) => (isRef(ref) ? rest.next().value! : { kind: 'missing' }));
    },
    async list(cursor, signal) {
      const params = cursor === undefined ? { connector } : { connector, cursor };
      const reply = await ask('connector.list', params, signal);
      return reply.kind === 'answered' ? reply.result : reply;
    },
    async writeBack(command, signal) {
      const reply = await ask('connector.writeBack', { connector, command }, signal);
      return reply.kind === 'answered' ? reply.result : reply;
    },
    async importDraft(given, signal) {
      const command = fittingImport(connector, given);
      if (command === undefined) {
        const { draft } = given.document;
        const found = `The draft of ${given.document.id} is too long for a bridge agent (${draft.lines.length} lines). Put it into the ERP by hand.`;
        return { kind: 'conflict', found };
      }
      const reply = await ask('connector.import', { connector, command }, signal);
      return reply.kind === 'answered' ? reply.result : reply;
    },
    async rejectDocument(command, signal) {
      const reply = await ask('connector.reject', { connector, command }, signal);
      return reply.kind === 'answered' ? reply.result : reply;
    },
    async close() {
      // The agent keeps its own connectors open.
    },
  };
}

/** No source holds another ref, and the link carries none. */
function isRef(ref: string): boolean {
  return ref !== '' && ref.length <= limits.refLengthMax;
}

async function askAgent<M extends AgentMethod>(
  { agentCall, timeoutMs = defaultTimeoutMs }: ConnectorContext,
  method: M,
  params: Params<M>,
  signal: AbortSignal,
): Promise<AgentReply<M>> {
  if (agentCall === undefined) return { kind: 'unreachable', fault: agentMissing };
  const limited = withTimeLimit(signal, timeoutMs);
  const where = `the bridge agent's "${params.connector}"`;
  const gaveUp = () =>
    ({ kind: 'unreachable', fault: abortFault(limited, where, timeoutMs) }) as const;
  if (limited.aborted) return gaveUp();
  return untilAborted(agentCall(method, params, limited), limited, gaveUp);
}
