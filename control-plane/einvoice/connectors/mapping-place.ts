import type { Connector, DescribeOutcome } from '@drawbridge/connectors/contract.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import { profileById, profileIds } from '@drawbridge/profiles/registry.ts';
import type { Principal } from '../../platform/auth/principal.ts';
import { scopeOf } from '../../platform/auth/tenant-scope.ts';
import { findCompany } from '../company/store.ts';
import type { DocumentChecker } from '../document-checks/document-checker.ts';
import { settledOr } from '../document-checks/refusal.ts';
import { fail } from '../errors.ts';
import type { Held } from './mapping-view.ts';
import { newestDocuments } from './newest-documents.ts';
import { type ConnectorRoutesContext, readConnector } from './routes.ts';
import { type ConnectorRow, findMapping } from './store.ts';
import { unanswered } from './unanswered.ts';

const describeTimeoutMs = 20_000;
/** Documents whose values and sums a proposal is made from. */
export const documentsMax = 20;

export interface MappingRoutesContext extends ConnectorRoutesContext {
  readonly checker: DocumentChecker;
}

/** One connector for one profile. */
export interface Place {
  readonly row: ConnectorRow;
  readonly connector: Connector;
  readonly profile: Profile;
}

/** The connector, opened, with the profile that is wanted, or its own. Throws `ApiError`. */
export async function placeOf(
  { db, open }: ConnectorRoutesContext,
  tenantId: string,
  id: string,
  wanted: string | undefined,
): Promise<Place> {
  const row = await readConnector(db, tenantId, id);
  const profileId = wanted ?? row.default_profile;
  if (profileId === null) {
    throw fail(
      'profile_required',
      `The connector has no default profile: add ?profile= and one of ${profileIds.join(', ')}.`,
    );
  }
  return { row, connector: await open.use(tenantId, row), profile: profileById(profileId)! };
}

export type Described = Extract<DescribeOutcome, { readonly kind: 'described' }>;

/** The columns of the source. Throws `unansweredErrors`. */
export async function describe(connector: Connector): Promise<Described> {
  const outcome = await connector.describe(AbortSignal.timeout(describeTimeoutMs));
  if (outcome.kind === 'described') return outcome;
  throw unanswered(outcome.fault);
}

/** What the tenant says of its own company in the caller's environment. */
export async function readCompany({ db }: ConnectorRoutesContext, principal: Principal) {
  const scope = scopeOf(principal);
  return (await db.tenant(scope.tenantId, (tx) => findCompany(tx, scope)))?.profile;
}

/** The stored mapping, or a proposal made from the columns and the newest documents. */
export async function readMapping(
  { db, checker }: MappingRoutesContext,
  tenantId: string,
  { row, profile, connector }: Place,
  { columns, joins }: Described,
): Promise<Held> {
  const kept = await db.tenant(tenantId, (tx) => findMapping(tx, tenantId, row.id, profile.id));
  if (kept !== undefined) return kept;
  const documents = await newestDocuments(connector, documentsMax);
  const input = { profile, columns, joins, documents };
  const document = settledOr(await checker.proposal(tenantId, input));
  return { document, approved: null, changed_by: null, version: 0, documents };
}
