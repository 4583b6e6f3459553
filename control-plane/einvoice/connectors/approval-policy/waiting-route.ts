import { z } from 'zod';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { profile } from '../../invoices/schema.ts';
import { countWaitingDocuments } from '../../pipeline/changed-documents/store.ts';
import { documentsWaitingMax } from '../mapping-schema.ts';
import { connectorId } from '../schema.ts';
import { actorOf } from './second-person.ts';
import {
  findApprovalPolicy,
  findNames,
  listHeldSubmissions,
  listProposedMappings,
  listUnmappedConnectors,
} from './store.ts';

/** The most of each kind in the answer. */
const waitingMax = 200;
/** Connectors without a mapping whose documents are counted: each is a statement. */
const countedMax = 20;

const waiting = z
  .strictObject({
    kind: z
      .enum(['mapping', 'first_mapping', 'live_submission'])
      .describe(
        '`first_mapping`: documents of the source wait, and nobody has put a mapping forward yet. ' +
          '`live_submission`: submitting by itself was begun with a hold, which another person ends; in live alone.',
      ),
    connector_id: connectorId,
    connector_name: z.string(),
    profile: profile.optional().describe('Of a mapping.'),
    fields: z.int().optional().describe('How many fields of the mapping wait.'),
    documents_waiting: z
      .int()
      .optional()
      .describe(
        `New and changed documents that are submitted once a first mapping is approved; at most ${documentsWaitingMax} are counted.`,
      ),
    submit_from: z.iso.date().optional(),
    put_forward_by: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string().nullable().describe('null: who is not there any more.'),
      }),
    ),
    is_yours: z
      .boolean()
      .describe('You alone have put it forward: where it takes two people, another one approves.'),
    since: z.iso.datetime(),
  })
  .meta({ id: 'WaitingApproval' });

const waitingList = z
  .strictObject({ results: z.array(waiting), next: z.null(), previous: z.null() })
  .meta({ id: 'WaitingApprovalList' });

type Waiting = z.output<typeof waiting>;

/** What somebody has put forward, and another one may approve. */
export function waitingRoute({ db }: { readonly db: Db }): AnyRoute {
  return route({
    method: 'get',
    path: '/v1/approvals',
    operationId: 'listWaitingApprovals',
    summary: 'List what waits for an approval, newest first',
    description:
      'Mappings with fields that are put forward and not approved, sources whose documents wait for a first one and, where beginning to submit takes two people, ' +
      'connectors whose hold another person ends.',
    tag: 'Mapping',
    auth: { scope: 'connectors:read' },
    limit: 'read',
    responses: { 200: { description: 'What waits.', schema: waitingList } },
    handler: async ({ principal }) => {
      const { tenantId, environment } = scopeOf(principal);
      const results = await db.tenant(tenantId, async (tx) => {
        const unmapped = await unmappedConnectors(tx, tenantId);
        const proposed = await listProposedMappings(tx, tenantId, waitingMax);
        const mappings = proposed.map((row) => ({ ...row, ...unmapped.waitingOf(row) }));
        const first = unmapped.connectors.filter((row) => !proposed.some(isSameMapping(row)));
        const held = environment === 'live' ? await heldSubmissions(tx, tenantId) : [];
        const by = [...mappings, ...held].flatMap(({ put_forward_by }) => put_forward_by);
        const names = await findNames(tx, tenantId, [...new Set(by)]);
        const actor = await actorOf(tx, principal);
        const show = (
          kind: Waiting['kind'],
          row: (typeof mappings | typeof first | typeof held)[number],
        ) => ({
          ...row,
          kind,
          since: row.since.toISOString(),
          put_forward_by: row.put_forward_by.map((id) => ({ id, name: names.get(id) ?? null })),
          is_yours: row.put_forward_by.length > 0 && row.put_forward_by.every((id) => id === actor),
        });
        return [
          ...mappings.map((row) => show('mapping', row)),
          ...first.map((row) => show('first_mapping', row)),
          ...held.map((row) => show('live_submission', row)),
        ];
      });
      results.sort((a, b) => b.since.localeCompare(a.since));
      return { status: 200, body: { results, next: null, previous: null } };
    },
  });
}

async function heldSubmissions(tx: Tx, tenantId: string) {
  const { live_submission: people } = await findApprovalPolicy(tx, tenantId);
  return people === 'two' ? listHeldSubmissions(tx, tenantId, waitingMax) : [];
}

type MappingPlace = Readonly<Record<'connector_id' | 'profile', string>>;

const isSameMapping = (one: MappingPlace) => (other: MappingPlace) =>
  one.connector_id === other.connector_id && one.profile === other.profile;

/** Connectors whose documents wait for a first mapping, with how many do. */
async function unmappedConnectors(tx: Tx, tenantId: string) {
  const unmapped = await listUnmappedConnectors(tx, tenantId, countedMax);
  const connectors: ((typeof unmapped)[number] & { readonly documents_waiting: number })[] = [];
  for (const row of unmapped) {
    const { connector_id: id } = row;
    const documents = await countWaitingDocuments(tx, tenantId, id, documentsWaitingMax);
    if (documents > 0) connectors.push({ ...row, documents_waiting: documents });
  }
  const waitingOf = (place: MappingPlace) => {
    const found = connectors.find(isSameMapping(place));
    return found && { documents_waiting: found.documents_waiting };
  };
  return { connectors, waitingOf };
}
