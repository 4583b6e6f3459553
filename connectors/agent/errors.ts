import type { ConnectorFault } from '../contract.ts';
import { fault } from '../fault.ts';

/** No agent is assigned to this connector. */
export const agentMissing: ConnectorFault = fault(
  'agent_missing',
  'No bridge agent is assigned to this connector. Assign the agent that can reach the source.',
  'never',
);

/** The agent's answer is not an outcome; `connector` is the connector's name on the agent. */
export function agentAnswerFault(connector: string): ConnectorFault {
  return fault(
    'agent_answer',
    `The bridge agent's answer for "${connector}" was not understood. Is it an older version?`,
    'later',
  );
}
