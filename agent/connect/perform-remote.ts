import { type Company, companyFields } from '@drawbridge/profiles/company.ts';
import { z } from 'zod';
import { fetchCompany } from '../company/fetch-company.ts';
import { ownCompany } from '../company/signed-company.ts';
import { keyVariable } from '../control-plane/api-key.ts';
import { openDrafts } from '../mapping/drafts.ts';
import { type Home, openAddedConnectors, openConnectors } from '../store/home.ts';
import { exclusively } from '../store/lock.ts';
import { beAccepted } from './acceptance.ts';
import { tryMapping } from './mapping-trial.ts';
import { faultOf, withSandbox } from './remote-access.ts';
import type {
  FoundIdentity,
  FoundPolicy,
  FoundRemote,
  Performers,
  RemoteAccess,
  WorkInputs,
} from './work.ts';
import type { WorkContext } from './work-context.ts';

/** What is done with the control plane, or with a mapping. */
export const remotePerformers: Performers<
  'identity' | 'remote' | 'company' | 'proposed' | 'tried' | 'retried' | 'accepted' | 'policy'
> = {
  identity: (context) => lookAtIdentity(context),
  remote: (context, { access }) => lookRemote(context, access),
  company: (context, { access, company }) => tellCompany(context, access, company),
  proposed(context, todo) {
    removeEarlierDraft(context, todo);
    return tryMapping(context, todo.trial, undefined);
  },
  tried: (context, todo) => tryMapping(context, todo.trial, todo),
  retried: (context, todo) => tryMapping(context, todo.trial, todo),
  accepted: (context, todo) => beAccepted(context, todo),
  policy: (context, todo) => setPolicy(context, todo),
};

/** The draft of a profile that was taken back; not where its mapping was approved once. */
function removeEarlierDraft(
  { home }: WorkContext,
  { trial: { connector, profile }, earlier }: WorkInputs['proposed'],
): void {
  if (earlier === undefined || earlier === profile) return;
  const drafts = openDrafts(home.path);
  if (drafts.read(connector, earlier, 'approved').kind !== 'absent') return;
  drafts.removeDraft(connector, earlier);
}

async function lookAtIdentity({ home, runtime }: WorkContext): Promise<FoundIdentity> {
  const country = ownCompany(home)?.country;
  const connectors = openConnectors(home);
  const { profiles } = openDrafts(home.path);
  const names = connectors.kind === 'opened' ? connectors.value.map(({ name }) => name) : [];
  const [profile, ...others] = new Set(names.flatMap((name) => profiles(name)));
  return {
    isEnrolled: home.identity.read().kind !== 'absent',
    hasKey: (runtime.env[keyVariable] ?? '') !== '',
    ...(country !== undefined && { country }),
    ...(profile !== undefined && others.length === 0 && { profile }),
  };
}

/** What the control plane knows of the company. */
async function lookRemote(context: WorkContext, access: RemoteAccess): Promise<FoundRemote> {
  return withSandbox(context, access, async ({ url, call, identity }): Promise<FoundRemote> => {
    const answered = await call('GET', '/v1/company');
    if (answered.kind !== 'ok') return faultOf(answered.outcome);
    await fetchCompany(context.home, identity, call); // one that cannot be had is fetched by hand
    return { kind: 'company', url, company: companyOf(answered.body) };
  });
}

/** Adds what was said to what the control plane knows of the company. */
function tellCompany(
  context: WorkContext,
  access: RemoteAccess,
  company: Company,
): Promise<FoundRemote> {
  return withSandbox(context, access, async ({ url, call, identity }): Promise<FoundRemote> => {
    const answered = await call('PUT', '/v1/company', company);
    if (answered.kind !== 'ok') {
      const refused = answered.kind === 'refused' ? answered.members : undefined;
      return { ...faultOf(answered.outcome), ...(refused !== undefined && { refused }) };
    }
    await fetchCompany(context.home, identity, call); // one that cannot be had is fetched by hand
    return { kind: 'company', url, company: companyOf(answered.body) };
  });
}

const names = companyFields.map(({ name }) => name);
const told = z.object({ company: z.partialRecord(z.enum(names), z.string()).optional() });

function companyOf(body: unknown): Company {
  return told.safeParse(body).data?.company ?? {};
}

/**
 * Says what happens to documents from now on, in this environment. Those that come by themselves do so
 * because the source is watched, and those of before today are left alone.
 */
function setPolicy(
  context: WorkContext,
  { access, connectorId, connector, hold }: WorkInputs['policy'],
): Promise<FoundPolicy> {
  return withSandbox(context, access, async ({ call }): Promise<FoundPolicy> => {
    const isWatched = hold !== 'none';
    const from = context.runtime.clock().toISOString().slice(0, 'YYYY-MM-DD'.length);
    const path = `/v1/connectors/${encodeURIComponent(connectorId)}`;
    const answered = await call('PATCH', path, {
      submission: isWatched ? { hold } : null,
      submit_from: isWatched ? from : null,
    });
    if (answered.kind !== 'ok') return faultOf(answered.outcome);
    keepWatching(context.home, connector, isWatched);
    return { kind: 'set', ...(isWatched && { from }) };
  });
}

/** One of the configuration file is watched as it says there. */
function keepWatching(home: Home, name: string, watch: boolean): void {
  exclusively(home.path, () => {
    const added = openAddedConnectors(home);
    if (added.kind === 'failed') return; // its mapping was tried a moment ago
    home.connectors.write(added.value.map((one) => (one.name === name ? { ...one, watch } : one)));
  });
}
