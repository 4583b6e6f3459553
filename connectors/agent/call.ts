import type { ConnectorFault } from '../contract.ts';

/** What a bridge agent can be asked to do with one of its connectors. */
export const agentMethods = [
  'connector.test',
  'connector.describe',
  'connector.read',
  'connector.readMany',
  'connector.list',
  'connector.writeBack',
] as const;
export type AgentMethod = (typeof agentMethods)[number];

/** The connector's name on the agent, and the arguments of the method; plain JSON. */
export interface AgentParams {
  readonly connector: string;
  readonly ref?: string;
  readonly refs?: readonly string[];
  readonly cursor?: string;
  readonly command?: unknown;
}

export type AgentReply =
  /** The method's outcome as plain JSON; checked by the receiver. */
  | { readonly kind: 'answered'; readonly result: unknown }
  /** The agent is offline, or did not answer in time. */
  | { readonly kind: 'unreachable'; readonly fault: ConnectorFault };

/** Asks the bridge agent; settles when it answers, is found offline, or `signal` aborts. */
export type AgentCall = (
  method: AgentMethod,
  params: AgentParams,
  signal: AbortSignal,
) => Promise<AgentReply>;
