import { z } from 'zod';
import { scopeOf } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { faultOf } from '../../platform/db/errors.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { Clock } from '../../platform/ids.ts';
import { requireConnector } from '../connectors/required.ts';
import { fail } from '../errors.ts';
import { forgetUnrouted } from '../network-messages/store.ts';
import {
  countParticipants,
  deleteParticipant,
  findParticipant,
  listParticipants,
  type ParticipantRow,
  saveParticipant,
} from './participants-store.ts';
import {
  participantId,
  participantList,
  participantRequest,
  participant as participantSchema,
} from './schema.ts';

export interface ParticipantsContext {
  readonly db: Db;
  readonly clock: Clock;
}

const tag = 'Received documents';
const params = z.strictObject({ id: participantId });
const path = '/v1/participants/{id}';
/** Whoever claims an address keeps it from others. */
const participantsMax = 200;

/** The electronic addresses to which suppliers send a tenant's documents. */
export function participantRoutes(context: ParticipantsContext): AnyRoute[] {
  return [listRoute(context), putRoute(context), deleteRoute(context)];
}

function listRoute({ db }: ParticipantsContext) {
  return route({
    method: 'get',
    path: '/v1/participants',
    operationId: 'listParticipants',
    summary: 'List the addresses to which suppliers send',
    tag,
    auth: { scope: 'received:read' },
    limit: 'read',
    responses: { 200: { description: 'All of them.', schema: participantList } },
    handler: async ({ principal }) => {
      const scope = scopeOf(principal);
      const rows = await db.tenant(scope.tenantId, (tx) => listParticipants(tx, scope));
      return { status: 200, body: { results: rows.map(show), next: null, previous: null } };
    },
  });
}

function putRoute({ db, clock }: ParticipantsContext) {
  return route({
    method: 'put',
    path,
    operationId: 'putParticipant',
    summary: 'Have the documents for an address come here',
    description:
      'An address has one tenant. In the sandbox it counts at once; in live once the host has seen to it that ' +
      'it is yours (`participant confirm`). Documents that came for it before come then too.',
    tag,
    auth: { scope: 'participants:write' },
    limit: 'write',
    request: { params, body: participantRequest.prefault({}) },
    responses: { 200: { description: 'The address.', schema: participantSchema } },
    errors: ['connector_not_found', 'participant_taken', 'state_conflict'],
    handler: async ({ params: { id }, body, principal, audit }) => {
      const scope = scopeOf(principal);
      const { tenantId, environment } = scope;
      const now = clock();
      const row = await db
        .tenant(tenantId, async (tx) => {
          if (body.import_to !== null) await requireConnector(tx, tenantId, body.import_to);
          const before = await findParticipant(tx, scope, id);
          if (before === undefined && (await countParticipants(tx, scope)) >= participantsMax) {
            throw fail(
              'state_conflict',
              `There are ${participantsMax} addresses: remove one first.`,
            );
          }
          const after = await saveParticipant(tx, scope, {
            id,
            import_to: body.import_to,
            confirmed_at: environment === 'sandbox' ? now : null,
            created_at: now,
          });
          await audit.record(tx, tenantId, {
            subject: id,
            ...(before === undefined ? {} : { before: show(before) }),
            after: show(after),
          });
          return after;
        })
        .catch((error: unknown) => {
          const { code, constraint } = faultOf(error);
          if (code === 'duplicate' && constraint === 'tenant_directory_pkey') throw taken(id);
          throw error;
        });
      if (row.confirmed_at !== null) {
        await db.system((tx) => forgetUnrouted(tx, environment, id));
      }
      return { status: 200, body: show(row) };
    },
  });
}

function deleteRoute({ db }: ParticipantsContext) {
  return route({
    method: 'delete',
    path,
    operationId: 'deleteParticipant',
    summary: 'Have no more documents for an address come here',
    description: 'Those that came stay.',
    tag,
    auth: { scope: 'participants:write' },
    limit: 'write',
    request: { params },
    responses: { 204: { description: 'It was removed.' } },
    errors: ['participant_not_found'],
    handler: async ({ params: { id }, principal, audit }) => {
      const scope = scopeOf(principal);
      await db.tenant(scope.tenantId, async (tx) => {
        const before = await findParticipant(tx, scope, id);
        if (before === undefined || (await deleteParticipant(tx, scope, id)) === 0) {
          throw fail('participant_not_found', `There is no participant "${id}".`);
        }
        await audit.record(tx, scope.tenantId, { subject: id, before: show(before) });
      });
      return { status: 204 };
    },
  });
}

function taken(id: string) {
  return fail(
    'participant_taken',
    `Another tenant of this installation has ${id}. If it is yours, tell the host.`,
  );
}

function show(row: ParticipantRow) {
  return {
    id: row.id,
    ...(row.import_to === null ? {} : { import_to: row.import_to }),
    status: row.confirmed_at === null ? ('unconfirmed' as const) : ('confirmed' as const),
    created_at: row.created_at.toISOString(),
  };
}
