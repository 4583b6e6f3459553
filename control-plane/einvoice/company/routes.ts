import { companyStatement, stateCompany } from '@drawbridge/link/company-statement.ts';
import { withCompany } from '@drawbridge/mapping/company.ts';
import { coverage } from '@drawbridge/mapping/coverage.ts';
import { type Company, companyFields, companyProblems } from '@drawbridge/profiles/company.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import type { LinkIdentities } from '../../agents/identities.ts';
import { readTrustedKey } from '../../agents/store.ts';
import { scopeOf } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { Clock } from '../../platform/ids.ts';
import { fail } from '../errors.ts';
import {
  companyQuestions,
  company as companySchema,
  companyView,
  signedCompanyQuery,
} from './schema.ts';
import { findCompany, saveCompany } from './store.ts';

export interface CompanyRoutesContext {
  readonly db: Db;
  readonly clock: Clock;
  /** By which agents know this control plane. */
  readonly identities: Pick<LinkIdentities, 'find' | 'newest'>;
}

const tag = 'Company';
const path = '/v1/company';

/** What a tenant says of its own company, which fills what its sources do not hold. */
export function companyRoutes(context: CompanyRoutesContext): AnyRoute[] {
  return [getRoute(context), putRoute(context), questionsRoute(), signedRoute(context)];
}

function getRoute({ db }: CompanyRoutesContext) {
  return route({
    method: 'get',
    path,
    operationId: 'getCompany',
    summary: 'Read the company profile',
    tag,
    auth: { scope: 'company:read' },
    limit: 'read',
    responses: { 200: { description: 'What holds in this environment.', schema: companyView } },
    handler: async ({ principal }) => {
      const scope = scopeOf(principal);
      const row = await db.tenant(scope.tenantId, (tx) => findCompany(tx, scope));
      return { status: 200, body: show(row?.profile, row?.updated_at) };
    },
  });
}

function putRoute({ db, clock }: CompanyRoutesContext) {
  return route({
    method: 'put',
    path,
    operationId: 'putCompany',
    summary: 'Say who the company is',
    description:
      'Once for all connectors and profiles of this environment: it replaces what was said before. What a source ' +
      'does not hold comes from here, on the side of the seller, or of the buyer where a mapping makes self-billed ' +
      'documents. A document that is validated from now on has it; those that are on their way stay as they are.',
    tag,
    auth: { scope: 'company:write' },
    needsProof: true,
    limit: 'write',
    request: { body: companySchema },
    responses: { 200: { description: 'What holds now.', schema: companyView } },
    handler: async ({ body, principal, audit }) => {
      const scope = scopeOf(principal);
      const company = body as Company;
      refuseProblems(company);
      const now = clock();
      await db.tenant(scope.tenantId, async (tx) => {
        const before = await findCompany(tx, scope);
        await saveCompany(tx, scope, company, now);
        await audit.record(tx, scope.tenantId, {
          subject: 'company',
          ...(before === undefined ? {} : { before: before.profile }),
          after: company,
        });
      });
      return { status: 200, body: show(company, now) };
    },
  });
}

function questionsRoute() {
  return route({
    method: 'get',
    path: `${path}/questions`,
    operationId: 'listCompanyQuestions',
    summary: 'List what a company profile may say',
    description: 'In the order in which a form asks for it.',
    tag,
    auth: { scope: 'company:read' },
    limit: 'read',
    responses: { 200: { description: 'All of it.', schema: companyQuestions } },
    handler: async () => {
      const results = companyFields.map(({ name, label, help, example }) => {
        const required = name === 'legal_name' || name === 'country';
        return { name, label, help, example, required };
      });
      return { status: 200, body: { results } };
    },
  });
}

function signedRoute({ db, clock, identities }: CompanyRoutesContext) {
  return route({
    method: 'get',
    path: `${path}/signed`,
    operationId: 'getSignedCompany',
    summary: 'The company profile, signed for a bridge agent',
    description:
      'With the key by which that agent knows this control plane, so that it believes the answer whoever carries it: ' +
      '`drawbridge company import` takes it as a file. Without a company profile it says so by an empty one.',
    tag,
    auth: { scope: 'company:read' },
    limit: 'read',
    request: { query: signedCompanyQuery },
    responses: { 200: { description: 'For this environment.', schema: companyStatement } },
    errors: ['agent_not_found', 'bundle_retired_key'],
    handler: async ({ query: { agent_id: agentId }, principal }) => {
      const scope = scopeOf(principal);
      const { tenantId, environment } = scope;
      const [agent, row] = await db.tenant(tenantId, async (tx) => [
        await readTrustedKey(tx, tenantId, agentId),
        await findCompany(tx, scope),
      ]);
      if (agent === undefined) {
        throw fail(
          'agent_not_found',
          `There is no agent "${agentId}". GET /v1/agents lists yours.`,
        );
      }
      const { control_plane_key: trusted } = agent;
      const identity = trusted === null ? identities.newest() : await identities.find(trusted);
      if (identity === undefined) {
        throw fail(
          'bundle_retired_key',
          'The key that the agent trusts was retired: enrol it again.',
        );
      }
      const said = { agent_id: agentId, environment, control_plane_key: identity.publicKey };
      const body = stateCompany(said, row?.profile ?? {}, clock(), identity.secretKey);
      return { status: 200, body };
    },
  });
}

function refuseProblems(company: Company): void {
  const problems = Object.entries(companyProblems(company));
  if (problems.length === 0) return;
  const sentence = problems.map(([name, problem]) => `"${name}" ${problem}`).join('; ');
  throw fail('invalid_request', `${sentence}.`, {
    body: { errors: Object.fromEntries(problems.map(([name, problem]) => [name, [problem]])) },
  });
}

function show(company: Company | undefined, updatedAt: Date | undefined) {
  return {
    ...(company === undefined ? {} : { company: company as never }),
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt.toISOString() }),
    lacking: profiles.map(({ id, fields, filled }) => {
      const own = fields.filter((row) => row.path.startsWith('seller.'));
      const told = withCompany({ fields: [] }, company, id);
      const open = coverage(told, own, filled).fields.filter(({ state }) => state === 'missing');
      return { profile: id, fields: open.map((row) => row.path) };
    }),
  };
}
