import { decodeJwt } from 'jose';
import { z } from 'zod';
import { memberScopesOf } from '../../../people/sessions/sessions.ts';
import { findSession } from '../../../people/sessions/store.ts';
import { bearerToken } from '../../../platform/auth/authenticator.ts';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import type { Clock } from '../../../platform/ids.ts';
import { fail } from '../../errors.ts';
import { tag } from '../context.ts';
import { conversationNotFound } from '../conversations/actions.ts';
import { findConversations } from '../conversations/store.ts';
import { params, presenceRequest } from '../schema.ts';
import type { EventHub } from './event-hub.ts';

export interface LiveEventsContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly eventHub: EventHub;
}

const headers = z.object({
  'last-event-id': z
    .string()
    .max(100)
    .optional()
    .describe('The last event that was seen: what came since then comes first.'),
});

export function liveEventRoutes(context: LiveEventsContext): AnyRoute[] {
  return [subscribeRoute(context), presenceRoute(context)];
}

/** A browser comes back by itself, and is asked again then whether its session still holds. */
const browserStreamMs = 15 * 60_000;

function subscribeRoute({ db, clock, eventHub }: LiveEventsContext) {
  return route({
    method: 'get',
    path: '/team-inbox/api/events/',
    operationId: 'watchInbox',
    summary: 'Watch what changes, as Server-Sent Events',
    description:
      'For people who are signed in. Events are `message.received`, `message.queued`, ' +
      '`message.moved`, `call.happened`, `conversation.changed` and `conversation.removed`, with ids ' +
      'to ask for, and `conversation.presence` without. `conversation.changed` carries the ' +
      '`conversation` as it is by then, unless a later event of it does. `reset` means that some are lost: load anew. It ends with the access token: come back with the ' +
      'next one and `Last-Event-ID`; with the cookie of a browser after a quarter of an hour, and ' +
      'EventSource comes back by itself.',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { headers },
    responses: { 200: { description: 'Events, without end.', mediaType: 'text/event-stream' } },
    errors: ['session_required', 'too_many_streams'],
    handler: async ({ principal, headers: { 'last-event-id': lastEventId }, raw }) => {
      const { id, sessionId } = principal;
      if (sessionId === undefined) {
        throw fail('session_required', 'Events are for people: sign in at /token/.');
      }
      const token = bearerToken(raw.headers.authorization);
      const body = await eventHub.subscribe(scopeOf(principal), {
        id,
        sessionId,
        lastEventId,
        endsAt: token === undefined ? new Date(clock().getTime() + browserStreamMs) : endOf(token),
        mayContinue: () => mayStillRead(db, sessionId, clock()),
      });
      if (body === undefined) {
        const headers = { 'retry-after': '10' };
        throw fail('too_many_streams', 'Too many streams are open: end one.', { headers });
      }
      return { status: 200, body, headers: { 'x-accel-buffering': 'no' } };
    },
  });
}

function presenceRoute({ db, eventHub }: LiveEventsContext) {
  return route({
    method: 'post',
    path: '/team-inbox/api/conversations/{id}/presence/',
    operationId: 'tellPresence',
    summary: 'Tell the team that you look at a conversation, or type an answer',
    description:
      'Those who watch the inbox now get the event `conversation.presence`; it is kept nowhere. Repeat ' +
      'it every 20 seconds while it lasts: who does not for 45 seconds is gone.',
    tag,
    auth: { scope: 'inbox:read' },
    unaudited: 'nothing is changed',
    limit: 'read',
    request: { params, body: presenceRequest },
    responses: { 204: { description: 'They are told.' } },
    errors: ['conversation_not_found', 'session_required'],
    handler: async ({ params: { id }, body: { state }, principal }) => {
      const scope = scopeOf(principal);
      const [row] = await db.tenant(scope.tenantId, (tx) => findConversations(tx, scope, [id]));
      if (row === undefined) throw conversationNotFound(id);
      if (principal.sessionId === undefined) {
        throw fail('session_required', 'Only people are present: sign in at /token/.');
      }
      const data = { conversation_id: id, user_id: principal.id, state };
      eventHub.tell(scope, { type: 'conversation.presence', data });
      return { status: 204 };
    },
  });
}

/** The token was verified when the request was authenticated. */
function endOf(token: string): Date {
  return new Date((decodeJwt(token).exp ?? 0) * 1_000);
}

/** An open stream may outlive its session, or its member may get a role that may not read. */
async function mayStillRead(db: Db, sessionId: string, now: Date): Promise<boolean> {
  const session = await db.system((tx) => findSession(tx, sessionId));
  if (session === undefined || session.expires_at <= now) return false;
  return memberScopesOf('jc', session).includes('inbox:read');
}
