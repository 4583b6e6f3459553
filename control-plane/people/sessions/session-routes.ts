import { z } from 'zod';
import { plainAddress } from '../../platform/auth/address-ranges.ts';
import type { Db } from '../../platform/db/database.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { Clock } from '../../platform/ids.ts';
import type { PeopleApi } from '../api.ts';
import { fail } from '../errors.ts';
import { everyMember, requireSession, workspaceOf } from './own-session.ts';
import { sessionList } from './schema.ts';
import {
  endSession,
  endSessions,
  listSessions,
  revokeSession,
  type ShownSession,
} from './store.ts';

export interface SessionRoutesContext {
  readonly db: Db;
  readonly clock: Clock;
}

const tag = 'Authentication';
/** Of more sessions the newest are listed. */
const listedMax = 200;

export function sessionRoutes(api: PeopleApi, context: SessionRoutesContext): AnyRoute[] {
  return [
    logoutRoute(api, context),
    listRoute(api, context),
    endRoute(api, context),
    endOthersRoute(api, context),
  ];
}

function logoutRoute({ paths }: PeopleApi, { db }: SessionRoutesContext) {
  return route({
    method: 'post',
    path: paths.logout,
    operationId: 'logOut',
    summary: 'End this session',
    description: 'Neither of its tokens opens anything any more, on any node.',
    tag,
    auth: { scope: everyMember },
    limit: 'write',
    responses: { 204: { description: 'It has ended.' } },
    errors: ['session_needed'],
    isOfWorkspace: true,
    handler: async ({ principal }) => {
      const { tenantId, sessionId } = requireSession(principal);
      await db.tenant(tenantId, (tx) => revokeSession(tx, tenantId, sessionId));
      return { status: 204 };
    },
  });
}

function listRoute({ paths }: PeopleApi, { db, clock }: SessionRoutesContext) {
  return route({
    method: 'get',
    path: paths.sessions,
    operationId: 'listSessions',
    summary: 'List your sessions',
    description:
      'In all workspaces and both environments; the newest first, at most 200. A session that an identity ' +
      'provider vouched for sees those of its own workspace.',
    tag,
    auth: { scope: everyMember },
    limit: 'read',
    responses: { 200: { description: 'Those that have not ended.', schema: sessionList } },
    errors: ['session_needed'],
    isOfWorkspace: true,
    handler: async ({ principal }) => {
      const { userId, sessionId } = requireSession(principal);
      const range = { userId, tenantId: workspaceOf(principal) };
      const rows = await db.system((tx) => listSessions(tx, range, clock(), listedMax));
      return { status: 200, body: { results: rows.map((row) => show(row, sessionId)) } };
    },
  });
}

function endRoute({ paths }: PeopleApi, { db, clock }: SessionRoutesContext) {
  return route({
    method: 'delete',
    path: paths.session,
    operationId: 'endSession',
    summary: 'End one of your sessions',
    tag,
    auth: { scope: everyMember },
    limit: 'write',
    request: { params: z.strictObject({ id: z.string().max(100) }) },
    responses: { 204: { description: 'It has ended.' } },
    errors: ['session_not_found'],
    isOfWorkspace: true,
    handler: async ({ params: { id }, principal }) => {
      const range = { userId: principal.id, tenantId: workspaceOf(principal) };
      const isEnded =
        principal.sessionId !== undefined &&
        (await db.system((tx) => endSession(tx, range, id, clock())));
      if (!isEnded) throw fail('session_not_found', `You have no session "${id}".`);
      return { status: 204 };
    },
  });
}

function endOthersRoute({ paths }: PeopleApi, { db, clock }: SessionRoutesContext) {
  return route({
    method: 'delete',
    path: paths.sessions,
    operationId: 'endOtherSessions',
    summary: 'End all of your sessions but this one',
    tag,
    auth: { scope: everyMember },
    limit: 'write',
    responses: { 204: { description: 'They have ended.' } },
    errors: ['session_needed'],
    isOfWorkspace: true,
    handler: async ({ principal }) => {
      const { userId, sessionId } = requireSession(principal);
      const range = { userId, tenantId: workspaceOf(principal) };
      await db.system((tx) => endSessions(tx, range, { but: sessionId, now: clock() }));
      return { status: 204 };
    },
  });
}

function show(row: ShownSession, currentId: string) {
  return {
    ...row,
    ip: row.ip === null ? null : plainAddress(row.ip),
    is_current: row.id === currentId,
    created_at: row.created_at.toISOString(),
    refreshed_at: row.refreshed_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
  };
}
