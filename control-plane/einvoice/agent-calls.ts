import type { AgentCall, AgentReply } from '@drawbridge/connectors/agent/call.ts';
import type { Hub } from '../agents/hub.ts';
import type { CallOutcome } from '../agents/outcome.ts';

/** How long an agent may take; the caller's signal may end it sooner. */
const answerWithinMs = 60_000;
/** A write-back is queued durably, and its outcome brings its job back: nobody waits for long. */
const writtenWithinMs = 5_000;

/** A way to ask one agent of a tenant, as the agent connector wants it. */
export function agentCalls(hub: Hub): (tenantId: string, agentId: string) => AgentCall {
  return (tenantId, agentId) => async (method, params, signal) => {
    const agent = { tenantId, agentId };
    const deadlineMs = method === 'connector.writeBack' ? writtenWithinMs : answerWithinMs;
    const outcome = await hub.call(agent, method, params as never, { signal, deadlineMs });
    return replyOf(outcome);
  };
}

function replyOf(outcome: CallOutcome): AgentReply {
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'answered', result: outcome.result };
    case 'fault':
      return { kind: 'unreachable', fault: outcome.fault };
    case 'offline':
      return unreachable('agent_offline', 'The bridge agent is not connected. Is it running?');
    case 'timeout':
      return unreachable('agent_timeout', 'The bridge agent did not answer in time.');
  }
}

function unreachable(code: string, message: string): AgentReply {
  return { kind: 'unreachable', fault: { code, message, retry: 'later' } };
}
