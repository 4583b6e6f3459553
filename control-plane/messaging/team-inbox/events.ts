import { decodeJwt } from 'jose';
import { z } from 'zod';
import { bearerToken } from '../../platform/auth/authenticator.ts';
import type { Db } from '../../platform/db/database.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { placeOf } from '../contacts/place.ts';
import { fail } from '../errors.ts';
import { scopesOf } from '../rbac.ts';
import { findSession } from '../token/store.ts';
import { tag } from './query.ts';
import type { Watchtower } from './watch.ts';

export interface EventsEdge {
  readonly db: Db;
  readonly watchtower: Watchtower;
}

const headers = z.object({
  'last-event-id': z
    .string()
    .max(100)
    .optional()
    .describe('The last event that was seen: what came since then comes first.'),
});

export function eventRoutes(edge: EventsEdge): AnyRoute[] {
  return [watchRoute(edge)];
}

function watchRoute({ db, watchtower }: EventsEdge) {
  return route({
    method: 'get',
    path: '/team-inbox/api/events/',
    operationId: 'watchInbox',
    summary: 'Watch what changes, as Server-Sent Events',
    description:
      'For people who are signed in. Events are `message.received`, `message.queued`, ' +
      '`message.moved`, `call.happened`, `conversation.changed` and `conversation.removed`, with ids ' +
      'to ask for; `reset` means that some are lost: load anew. It ends with the access token: come back with the ' +
      'next one and `Last-Event-ID`.',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { headers },
    responses: { 200: { description: 'Events, without end.', mediaType: 'text/event-stream' } },
    errors: ['session_required', 'too_many_streams'],
    handler: async ({ principal, headers: { 'last-event-id': lastEventId }, raw }) => {
      const token = bearerToken(raw.headers.authorization);
      if (!token?.startsWith('eyJ')) {
        throw fail('session_required', 'Events are for people: sign in at /token/.');
      }
      // Verified when the caller was admitted.
      const { exp = 0, sid } = decodeJwt<{ sid: string }>(token);
      const body = await watchtower.watch(placeOf(principal), {
        ...{ id: principal.id, lastEventId, endsAt: new Date(exp * 1_000) },
        isGood: () => mayStillRead(db, sid),
      });
      if (body === undefined) {
        const headers = { 'retry-after': '10' };
        throw fail('too_many_streams', 'Too many streams are open: end one.', { headers });
      }
      return { status: 200, body, headers: { 'x-accel-buffering': 'no' } };
    },
  });
}

/** A session may be ended, or its person be given a role that may not read, while it watches. */
async function mayStillRead(db: Db, sessionId: string): Promise<boolean> {
  const session = await db.system((tx) => findSession(tx, sessionId));
  return session !== undefined && scopesOf([`role:${session.role}`]).includes('inbox:read');
}
