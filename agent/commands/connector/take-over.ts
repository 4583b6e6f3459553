import { z } from 'zod';
import { fetchCompany } from '../../company/fetch-company.ts';
import { type Asked, readAs } from '../../control-plane/answers.ts';
import type { ApiCall } from '../../control-plane/client.ts';
import { listRemoteConnectors, type RemoteConnector } from '../../mapping/approval.ts';
import { failed, type Outcome } from '../../outcome.ts';
import { openConnectors, openHome, openStore } from '../../store/home.ts';
import type { CommandContext } from '../command.ts';
import { type KeyOptions, type Remote, withRemote } from '../remote.ts';

export interface TakeOverOptions extends KeyOptions {
  readonly from?: string;
}

/**
 * Has the connectors of the control plane that name a former agent name this one, and has their sources sent again: what
 * this agent told before was of no connector.
 */
export async function takeOver(
  context: CommandContext,
  options: TakeOverOptions,
): Promise<Outcome> {
  const { runtime, settings } = context;
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const connectors = openConnectors(home.value);
  if (connectors.kind === 'failed') return connectors.outcome;
  const names = new Set<unknown>(connectors.value.map(({ name }) => name));
  return withRemote(context, home.value, options, async (remote): Promise<Outcome> => {
    const formers =
      options.from === undefined ? (remote.identity.formerAgents ?? []) : [options.from];
    if (formers.length === 0) {
      return failed('usage', 'This host was no other agent before: name the former one by --from.');
    }
    const listed = await listRemoteConnectors(remote.call);
    if (listed.kind === 'failed') return listed;
    const theirs = listed.value.filter(({ agentId = '' }) => formers.includes(agentId));
    const taken = theirs.filter(({ source }) => names.has(source));
    const opened = openStore(home.value, runtime.clock);
    if (opened.kind === 'failed') return opened.outcome;
    const { store } = opened.value;
    try {
      for (const { id, source } of taken) {
        const named = await nameAgent(remote.call, id, remote.identity.agentId);
        if (named.kind === 'failed') return named;
        // At once: this connector is none of a former agent any more, and would not be found another time.
        store.rewind(String(source), undefined, { sendAgain: true });
      }
    } finally {
      store.close();
    }
    // The copy that is kept was signed for the former agent; one that cannot be had is fetched by hand.
    await fetchCompany(home.value, remote.identity, remote.call);
    return told(remote, formers, taken, theirs);
  });
}

const patched = z.object({ id: z.string().max(100) });

async function nameAgent(call: ApiCall, id: string, agentId: string): Promise<Asked<unknown>> {
  const path = `/v1/connectors/${encodeURIComponent(id)}`;
  return readAs(patched, await call('PATCH', path, { agent_id: agentId }));
}

function told(
  { identity: { agentId }, url }: Remote,
  formers: readonly string[],
  taken: readonly RemoteConnector[],
  theirs: readonly RemoteConnector[],
): Outcome {
  const left = theirs.filter((one) => !taken.includes(one));
  const shown = [
    ...taken.map(({ id, source }) => `${id} reads "${source}" by this agent now, ${agentId}.`),
    ...left.map(({ id, source }) => `${id} reads "${source}", which this host does not have.`),
    theirs.length === 0
      ? `No connector at ${url} names ${formers.join(' or ')}.`
      : `What they hold is sent again; what was submitted is known. Revoke the former agent in the console, under Sources.`,
  ];
  const shownOf = ({ id, source }: RemoteConnector) => ({ id, source });
  const data = { agent_id: agentId, taken: taken.map(shownOf), left: left.map(shownOf) };
  return { kind: 'done', data, shown: shown.join('\n') };
}
