/** Answers that came in bundles, in place of an agent that cannot be asked. */
import type { Method, Params } from '@drawbridge/link/methods.ts';
import type { Db } from '../platform/db/database.ts';
import type { CallOutcome } from './agent-call.ts';
import type { AgentAddress } from './remote-calls.ts';
import { findAnswers } from './store.ts';

/** The newest answer to this call, of several documents to those that came; undefined when none did. */
export async function carriedAnswer(
  db: Db,
  { tenantId, agentId }: AgentAddress,
  method: Method,
  params: unknown,
): Promise<CallOutcome | undefined> {
  if (method === 'connectors.list' || method === 'connector.list') return undefined;
  const { connector, ref = '', refs = [ref] } = params as Question;
  const isOfMany = method === 'connector.readMany';
  const asked = isOfMany ? 'connector.read' : method;
  const found = await db.tenant(tenantId, (tx) =>
    findAnswers(tx, tenantId, { agentId, method: asked, connector, refs }),
  );
  if (found.size === 0) return undefined;
  // Each was checked by the schema of its method when it came.
  const results = refs.map((each) => found.get(each) ?? notCarried);
  return { kind: 'answered', result: isOfMany ? results : results[0] } as CallOutcome;
}

type Question = Params<'connector.test'> & { readonly ref?: string; readonly refs?: string[] };

const notCarried = {
  kind: 'unreachable',
  fault: {
    code: 'agent_offline',
    message: 'The bridge agent is not connected, and no bundle has brought this document.',
    retry: 'later',
  },
} as const;
