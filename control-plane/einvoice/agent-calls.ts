import type { AgentCall, AgentMethod, AgentReply } from '@drawbridge/connectors/contract.ts';
import { isCommandMethod } from '@drawbridge/link/methods.ts';
import type { CallOutcome } from '../agents/agent-call.ts';
import type { Hub } from '../agents/hub.ts';

/** How long an agent may take to answer; the caller's signal may end the wait sooner. */
const answerWithinMs = 60_000;
/** Short, because a command is queued durably and its outcome starts its job again. */
const doneWithinMs = 5_000;

/** Makes the `agentCall` of the agent connector for one agent of a tenant. */
export function agentCalls(hub: Hub): (tenantId: string, agentId: string) => AgentCall {
  return (tenantId, agentId) => async (method, params, signal) => {
    const agent = { tenantId, agentId };
    const deadlineMs = isCommandMethod(method) ? doneWithinMs : answerWithinMs;
    const outcome = await hub.call(agent, method, params, { signal, deadlineMs });
    return replyOf(outcome);
  };
}

function replyOf<M extends AgentMethod>(outcome: CallOutcome<M>): AgentReply<M> {
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'answered', result: outcome.result };
    case 'fault':
      return { kind: 'unreachable', fault: outcome.fault };
    case 'offline':
      return unreachable('agent_offline', 'The bridge agent is not connected. Is it running?');
    case 'absent':
      return unreachable(
        'agent_revoked',
        'The bridge agent of this connector was revoked. Let it name another one: `agent_id` of PATCH /v1/connectors/{id}, or `drawbridge connector take-over` on its host.',
      );
    case 'timeout':
      return unreachable('agent_timeout', 'The bridge agent did not answer in time.');
  }
}

function unreachable(code: string, message: string) {
  return { kind: 'unreachable', fault: { code, message, retry: 'later' } } as const;
}
