import { channels } from '@drawbridge/messaging/message.ts';
import type { z } from 'zod';
import { scopeOf, type TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { newestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { endOf, type Page, type PageRequest, pageUpTo } from '../../../platform/http/cursor.ts';
import { pageSchema, requestedPage } from '../../../platform/http/paging.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { firstIdAt } from '../../../platform/ids.ts';
import { assigneeOf } from '../assignee-parameter.ts';
import { type InboxContext, tag } from '../context.ts';
import { findContactOf } from '../conversations/store.ts';
import { idSuffixOf, idSuffixPattern } from '../item-id.ts';
import { inboxMessageView, messageQuery } from '../schema.ts';
import { type ListedCallRow, listCalls } from './call-store.ts';
import { findInboxMessages, type InboxMessageRow, listInboxMessages } from './store.ts';

export function messageRoutes(context: InboxContext): AnyRoute[] {
  return [listRoute(context)];
}

function listRoute({ db }: InboxContext) {
  return route({
    method: 'get',
    path: '/team-inbox/api/messages/',
    operationId: 'listInboxMessages',
    summary: 'List messages and calls of every channel and direction, newest first',
    description:
      'Filters hold together. Broadcasts are left out, but not where a conversation or a contact ' +
      'is asked for: there they are part of what was said. A search that few messages pass may ' +
      'give a page that is not full, or empty, and a "next" or "previous" that goes on: the list ' +
      'ends where they are null.',
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
      const scope = scopeOf(principal);
      const page = requestedPage(query, idSuffixPattern);
      const bounds = boundsOf(query, page);
      const assigneeId = assigneeOf(query.assignee, principal);
      const body = await db.tenant(scope.tenantId, async (tx) => {
        const contactId = await contactOf(tx, scope, query);
        if (contactId === null) return pageUpTo(page, undefined, []);
        return itemsOf(tx, scope, { ...query, ...bounds, assigneeId, contactId }, page);
      });
      return { status: 200, body };
    },
  });
}

type Query = z.output<typeof messageQuery>;

/** Bounds of ids without their prefix: those of the asked time, the one of them moved to the cut. */
function boundsOf({ since, until }: Query, { key, isBackward }: PageRequest) {
  const suffixAt = (instant: string) => idSuffixOf(firstIdAt('msg', new Date(instant)));
  const below = until === undefined ? undefined : suffixAt(until);
  const from = since === undefined ? undefined : suffixAt(since);
  if (key === null) return { below, from };
  if (isBackward) return { below, from: from !== undefined && from > key ? from : key };
  return { below: below !== undefined && below < key ? below : key, from };
}

/** The contact whose messages are requested; undefined: any; null: no contact fits all filters. */
async function contactOf(
  tx: Tx,
  scope: TenantScope,
  { conversation, contact }: Query,
): Promise<string | undefined | null> {
  if (conversation === undefined) return contact;
  const found = await findContactOf(tx, scope, conversation);
  return found === undefined || (contact ?? found) !== found ? null : found;
}

interface Item {
  readonly suffix: string;
  readonly view: z.input<typeof inboxMessageView>;
}

interface Filter extends Pick<Query, 'channel' | 'text' | 'state'> {
  readonly contactId: string | undefined;
  readonly assigneeId: string | null | undefined;
  readonly below: string | undefined;
  readonly from: string | undefined;
}

/** Messages and calls as one list; calls have no words to search. */
async function itemsOf(
  tx: Tx,
  scope: TenantScope,
  filter: Filter,
  page: PageRequest,
): Promise<Page<Item['view']>> {
  const { channel: asked, text, below, from } = filter;
  const channel = channels.find((each) => each === asked);
  const idOf = (suffix: string | undefined) => (suffix === undefined ? undefined : `msg_${suffix}`);
  const bounds = { channel, below: idOf(below), fromId: idOf(from) };
  const reading = newestFirst(page);
  const { ids, continuesAt } =
    asked === 'voice'
      ? { ids: [], continuesAt: undefined }
      : await findInboxMessages(tx, scope, { ...filter, ...bounds }, reading);
  const messages = ids.length === 0 ? [] : await listInboxMessages(tx, scope, ids);
  const hasCalls = channel === undefined && text === undefined;
  const calls = hasCalls ? await listCalls(tx, scope, filter, reading) : [];
  const items = [...messages.map(messageItem), ...calls.map(callItem)].toSorted((a, b) =>
    a.suffix > b.suffix === (reading.order === 'desc') ? -1 : 1,
  );
  const end = endOf(page, items, ({ suffix }) => suffix);
  const shown = items.slice(0, page.limit).map(({ view }) => view);
  return pageUpTo(page, end ?? (continuesAt && idSuffixOf(continuesAt)), shown);
}

const time = (at: Date | null) => at?.toISOString() ?? null;

function messageItem(row: InboxMessageRow): Item {
  const { error_code, error_detail } = row;
  const view = {
    id: row.id,
    conversation_id: row.conversation_id,
    contact: showContact(row),
    channel: row.channel,
    direction: row.direction,
    status: row.status,
    text: row.preview,
    content: row.content,
    call: null,
    author: row.author,
    broadcast_id: row.broadcast_id,
    error: error_code === null ? null : { code: error_code, detail: error_detail ?? '' },
    created_at: row.created_at.toISOString(),
    sent_at: time(row.sent_at),
    delivered_at: time(row.delivered_at),
    read_at: time(row.read_at),
    failed_at: time(row.failed_at),
  };
  return { suffix: idSuffixOf(row.id), view };
}

function callItem(row: ListedCallRow): Item {
  const { duration_seconds } = row;
  const nothing = { broadcast_id: null, error: null, sent_at: null, delivered_at: null };
  const view = {
    id: row.id,
    conversation_id: row.conversation_id,
    contact: showContact(row),
    channel: 'voice' as const,
    direction: row.direction,
    status: row.status,
    text: '',
    content: null,
    call: { duration_seconds },
    author: row.author,
    ...nothing,
    read_at: null,
    failed_at: null,
    created_at: row.created_at.toISOString(),
  };
  return { suffix: row.item, view };
}

function showContact(row: Pick<InboxMessageRow, 'contact_id' | 'contact_name' | 'contact_phone'>) {
  if (row.contact_id === null) return null;
  return { id: row.contact_id, name: row.contact_name, phone: row.contact_phone };
}
