import type { ConnectorFault } from '../contract.ts';
import { fault } from '../fault.ts';

/** Nobody gave this connector an agent. */
export const agentMissing: ConnectorFault = fault(
  'agent_missing',
  'No bridge agent is assigned to this connector. Assign the agent that can reach the source.',
  'never',
);

/** The agent answered something that is no outcome; `connector` is its name on the agent. */
export function agentAnswerFault(connector: string): ConnectorFault {
  return fault(
    'agent_answer',
    `The bridge agent's answer for "${connector}" was not understood. Is it an older version?`,
    'later',
  );
}

/** The agent has no connector of that name. */
export function connectorMissing(connector: string): ConnectorFault {
  return fault(
    'agent_connector_missing',
    `The bridge agent has no connector "${connector}". Add it there, or correct the name.`,
    'never',
  );
}
