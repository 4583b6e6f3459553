import { type Company, companyFields } from '@drawbridge/profiles/company.ts';
import { z } from 'zod';
import { keyVariable } from '../control-plane/api-key.ts';
import { beAccepted } from './acceptance.ts';
import { tryMapping } from './mapping-trial.ts';
import { faultOf, withRemote } from './remote-access.ts';
import type { FoundIdentity, FoundRemote, RemoteAccess, RemoteWork, Work } from './work.ts';
import type { WorkContext } from './work-context.ts';

/** Work for which the control plane is asked, or a mapping is tried. */
export function performRemote(context: WorkContext, todo: RemoteWork): Promise<unknown> {
  switch (todo.id) {
    case 'identity':
      return lookAtIdentity(context);
    case 'remote':
      return lookRemote(context, todo.access);
    case 'company':
      return tellCompany(context, todo.access, todo.company);
    case 'proposed':
      return tryMapping(context, todo.trial, undefined);
    case 'tried':
    case 'retried':
      return tryMapping(context, todo.trial, todo.changes);
    case 'accepted':
      return beAccepted(context, todo);
    case 'policy':
      return setPolicy(context, todo);
  }
}

async function lookAtIdentity({ home, runtime }: WorkContext): Promise<FoundIdentity> {
  return {
    isEnrolled: home.identity.read().kind !== 'absent',
    hasKey: (runtime.env[keyVariable] ?? '') !== '',
  };
}

/** What the control plane knows of the company. */
async function lookRemote(context: WorkContext, access: RemoteAccess): Promise<FoundRemote> {
  return withRemote(context, access, async ({ url, call }): Promise<FoundRemote> => {
    const answered = await call('GET', '/v1/company');
    if (answered.kind !== 'ok') return faultOf(answered.outcome);
    return { kind: 'company', url, company: companyOf(answered.body) };
  });
}

/** Adds what was said to what the control plane knows of the company. */
function tellCompany(
  context: WorkContext,
  access: RemoteAccess,
  company: Company,
): Promise<FoundRemote> {
  return withRemote(context, access, async ({ url, call }): Promise<FoundRemote> => {
    const answered = await call('PUT', '/v1/company', company);
    if (answered.kind !== 'ok') return faultOf(answered.outcome);
    return { kind: 'company', url, company: companyOf(answered.body) };
  });
}

const names = companyFields.map(({ name }) => name);
const told = z.object({ company: z.partialRecord(z.enum(names), z.string()).optional() });

function companyOf(body: unknown): Company {
  return told.safeParse(body).data?.company ?? {};
}

/** Says what happens to documents from now on, in this environment. */
function setPolicy(
  context: WorkContext,
  { access, connectorId, hold }: Extract<Work, { id: 'policy' }>,
): Promise<FoundRemote> {
  return withRemote(context, access, async ({ url, call }): Promise<FoundRemote> => {
    const submission = hold === 'none' ? null : { hold };
    const path = `/v1/connectors/${encodeURIComponent(connectorId)}`;
    const answered = await call('PATCH', path, { submission });
    if (answered.kind !== 'ok') return faultOf(answered.outcome);
    return { kind: 'company', url, company: {} };
  });
}
