import { channels } from '@drawbridge/messaging/message.ts';
import type { z } from 'zod';
import type { Tx } from '../../platform/db/tx.ts';
import { pageOf } from '../../platform/http/cursor.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { placeOf } from '../contacts/place.ts';
import type { Place } from '../contacts/store.ts';
import { afterCursor, pageSchema } from '../paging.ts';
import { type ListedCallRow, listCalls } from './call-store.ts';
import { findContactOf } from './conversation-store.ts';
import type { InboxEdge } from './edge.ts';
import { firstIdAt, stemOf, stemPattern } from './item-id.ts';
import { type InboxMessageRow, listInboxMessages } from './message-store.ts';
import { assigneeOf, tag } from './query.ts';
import { inboxMessageView, messageQuery } from './schema.ts';

export function messageRoutes(edge: InboxEdge): AnyRoute[] {
  return [listRoute(edge)];
}

function listRoute({ db }: InboxEdge) {
  return route({
    method: 'get',
    path: '/team-inbox/api/messages/',
    operationId: 'listInboxMessages',
    summary: 'List messages and calls of every channel and direction, newest first',
    description:
      'Filters hold together. Broadcasts are left out, but not where a conversation or a contact ' +
      'is asked for: there they are part of what was said.',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { query: messageQuery },
    responses: {
      200: {
        description: 'A page of messages.',
        schema: pageSchema(inboxMessageView, 'InboxMessagePage'),
      },
    },
    handler: async ({ query, principal }) => {
      const place = placeOf(principal);
      const bounds = boundsOf(query);
      const assigneeId = assigneeOf(query.assignee, principal);
      const items = await db.tenant(place.tenantId, async (tx) => {
        const contactId = await contactOf(tx, place, query);
        if (contactId === null) return [];
        const filter = { ...query, ...bounds, assigneeId, contactId };
        return list(tx, place, filter, query.limit + 1);
      });
      return { status: 200, body: pageOf(items, query.limit, (item) => item.stem, show) };
    },
  });
}

type Query = z.output<typeof messageQuery>;

/** Stems of ids: below the cursor and the end, from the beginning on. */
function boundsOf({ cursor, since, until }: Query) {
  const stemAt = (instant: string) => stemOf(firstIdAt('msg', new Date(instant)));
  const after = afterCursor(cursor, stemPattern);
  const end = until === undefined ? undefined : stemAt(until);
  return {
    below: after !== undefined && end !== undefined && end < after ? end : (after ?? end),
    from: since === undefined ? undefined : stemAt(since),
  };
}

/** Whose messages are asked for; undefined: anybody's, null: there is nobody of whom all is true. */
async function contactOf(
  tx: Tx,
  place: Place,
  { conversation, contact }: Query,
): Promise<string | undefined | null> {
  if (conversation === undefined) return contact;
  const found = await findContactOf(tx, place, conversation);
  return found === undefined || (contact ?? found) !== found ? null : found;
}

interface Item {
  readonly stem: string;
  readonly view: z.input<typeof inboxMessageView>;
}

interface Filter extends Pick<Query, 'channel' | 'text' | 'state'> {
  readonly contactId: string | undefined;
  readonly assigneeId: string | null | undefined;
  readonly below: string | undefined;
  readonly from: string | undefined;
}

/** Messages and calls as one list; a call has no words. */
async function list(tx: Tx, place: Place, filter: Filter, limit: number): Promise<Item[]> {
  const { channel: asked, text, below, from } = filter;
  const channel = channels.find((each) => each === asked);
  const idOf = (stem: string | undefined) => (stem === undefined ? undefined : `msg_${stem}`);
  const bounds = { channel, below: idOf(below), fromId: idOf(from) };
  const messages =
    asked === 'voice' ? [] : await listInboxMessages(tx, place, { ...filter, ...bounds }, limit);
  const hasCalls = channel === undefined && text === undefined;
  const calls = hasCalls ? await listCalls(tx, place, filter, limit) : [];
  return [...messages.map(messageItem), ...calls.map(callItem)]
    .toSorted((a, b) => (a.stem > b.stem ? -1 : 1))
    .slice(0, limit);
}

const show = ({ view }: Item) => view;
const time = (at: Date | null) => at?.toISOString() ?? null;

function messageItem(row: InboxMessageRow): Item {
  const { error_code, error_detail } = row;
  const view = {
    ...{ id: row.id, conversation_id: row.conversation_id, contact: showContact(row) },
    ...{ channel: row.channel, direction: row.direction, status: row.status },
    ...{ text: row.preview, content: row.content, call: null, author: row.author },
    broadcast_id: row.broadcast_id,
    error: error_code === null ? null : { code: error_code, detail: error_detail ?? '' },
    created_at: row.created_at.toISOString(),
    sent_at: time(row.sent_at),
    delivered_at: time(row.delivered_at),
    read_at: time(row.read_at),
    failed_at: time(row.failed_at),
  };
  return { stem: stemOf(row.id), view };
}

function callItem(row: ListedCallRow): Item {
  const { duration_seconds } = row;
  const nothing = { broadcast_id: null, error: null, sent_at: null, delivered_at: null };
  const view = {
    ...{ id: row.id, conversation_id: row.conversation_id, contact: showContact(row) },
    ...{ channel: 'voice' as const, direction: row.direction, status: row.status },
    ...{ text: '', content: null, call: { duration_seconds }, author: row.author },
    ...{ ...nothing, read_at: null, failed_at: null, created_at: row.created_at.toISOString() },
  };
  return { stem: row.item, view };
}

function showContact(row: Pick<InboxMessageRow, 'contact_id' | 'contact_name' | 'contact_phone'>) {
  if (row.contact_id === null) return null;
  return { id: row.contact_id, name: row.contact_name, phone: row.contact_phone };
}
