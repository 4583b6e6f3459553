import { setTimeout as delay } from 'node:timers/promises';
import { isSettled, states } from '@drawbridge/lifecycle/transitions.ts';
import { z } from 'zod';
import type { ApiCall } from '../control-plane/client.ts';
import { approveDraft, findRemoteConnector, makeRemoteConnector } from '../mapping/approval.ts';
import { openDrafts } from '../mapping/drafts.ts';
import { mappingOf } from '../mapping/mapping-file.ts';
import type { Identity } from '../store/identity.ts';
import { whileLinked } from './linked.ts';
import { faultOf, withSandbox } from './remote-access.ts';
import type { FoundAcceptance, RemoteFault, WorkInputs } from './work.ts';
import type { WorkContext } from './work-context.ts';

/** Approves the mapping at the control plane, and submits the first document. */
export function beAccepted(
  context: WorkContext,
  { access, trial, ref, reasons }: WorkInputs['accepted'],
): Promise<FoundAcceptance> {
  const { connector: name, profile: profileId } = trial;
  return withSandbox(context, access, async ({ call, identity }): Promise<FoundAcceptance> => {
    const drafts = openDrafts(context.home.path);
    const draft = drafts.read(name, profileId, 'draft');
    if (draft.kind !== 'read') throw new Error('the draft was written a moment ago');
    const linked = await whileLinked(context, async (): Promise<FoundAcceptance> => {
      const connectorId = await remoteConnector(call, identity, name, profileId);
      if (typeof connectorId !== 'string') return connectorId;
      const place = { connectorId, profile: profileId };
      const answers = new Map(Object.entries(reasons));
      const approved = await approveDraft(call, place, mappingOf(draft.file), async () => answers);
      if (approved.kind === 'failed') return faultOf(approved);
      if (approved.kind === 'open') {
        const open = approved.open.map(({ id, words }) => ({ id, words }));
        return { kind: 'open', objections: open };
      }
      drafts.write(name, draft.file, 'approved');
      if (ref === undefined) return { kind: 'approved', connectorId };
      return submit(call, connectorId, profileId, ref);
    });
    return linked.kind === 'failed' ? faultOf(linked) : linked.value;
  });
}

async function remoteConnector(
  call: ApiCall,
  identity: Identity,
  name: string,
  profile: string,
): Promise<string | RemoteFault> {
  const found = await findRemoteConnector(call, identity, name);
  if (found.kind === 'failed') return faultOf(found);
  if (found.value !== undefined) return found.value;
  const made = await makeRemoteConnector(call, identity.agentId, name, profile);
  return made.kind === 'failed' ? faultOf(made) : made.value;
}

const invoice = z.object({
  id: z.string().max(100),
  status: z.string().max(50),
  errors: z.array(z.object({ rule: z.string(), message: z.string() })).default([]),
});
const settled: ReadonlySet<string> = new Set(states.filter(isSettled));
const pollMs = 500;
const pollsMax = 40;

async function submit(
  call: ApiCall,
  connectorId: string,
  profile: string,
  ref: string,
): Promise<FoundAcceptance> {
  const body = { connector_id: connectorId, profile, source_ref: ref };
  const sent = await call('POST', '/v1/invoices', body);
  if (sent.kind === 'refused' && sent.code === 'duplicate_document') {
    const why = sent.outcome.cause;
    return { kind: 'not-accepted', connectorId, ref, id: undefined, why };
  }
  if (sent.kind !== 'ok') return faultOf(sent.outcome);
  const accepted = invoice.safeParse(sent.body);
  if (!accepted.success) return { kind: 'approved', connectorId };
  const { id } = accepted.data;
  let { status, errors } = accepted.data;
  for (let count = 0; count < pollsMax && !settled.has(status); count++) {
    await delay(pollMs);
    const asked = await call('GET', `/v1/invoices/${encodeURIComponent(id)}`);
    if (asked.kind !== 'ok') break; // its state is told as it was last
    ({ status, errors } = invoice.safeParse(asked.body).data ?? { status, errors });
  }
  if (status !== 'rejected') return { kind: 'accepted', connectorId, ref, id, status };
  const why = errors.map(({ rule, message }) => `${rule}: ${message}`).join(' ');
  return { kind: 'not-accepted', connectorId, ref, id, why };
}
