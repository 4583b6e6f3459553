/** Messages that people sent: each is stored once, whatever the network repeats. */
import type { InboundContent } from '../../../channels/contract.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import { addEvents } from '../../../webhooks/store.ts';
import { recordPersonConsents } from '../../contacts/consents/person-consents.ts';
import { eventOf } from '../events.ts';
import type { MessageRow } from '../message-row.ts';
import { insertMessages, type NewMessage, recordCorrespondents } from '../store.ts';
import { keywordIn } from './content-keyword.ts';
import { inboundPreview } from './inbound-preview.ts';
import type { IntakeContext } from './intake-context.ts';
import { addressOf, contactOf } from './sender-contact.ts';
import { joinParts, lockAddress, lockOfAddress } from './store.ts';
import type { AppEvent } from './webhook-verdict.ts';

type Inbound = AppEvent<'inbound'>;

export async function applyInboundMessages(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  items: readonly Inbound[],
): Promise<void> {
  if (items.length === 0) return;
  const drafts: NewMessage[] = [];
  // A fixed order, so that two transactions with the same people cannot deadlock.
  const inOrder = items.toSorted((a, b) => {
    const [one, other] = [addressOf(a.event.from), addressOf(b.event.from)];
    return lockOfAddress(one) - lockOfAddress(other) || compare(one, other);
  });
  for (const item of inOrder) {
    const whole = await wholeOf(tx, context, scope, item);
    if (whole !== undefined) drafts.push(await draftOf(tx, context, scope, whole));
  }
  const rows = await insertMessages(tx, scope, drafts);
  if (rows.length === 0) return;
  await recordCorrespondents(
    tx,
    scope,
    rows.map(({ app_id, address, channel, created_at }) => {
      return { app_id, address, channel, at: created_at };
    }),
  );
  await applyKeywords(tx, context, scope, rows);
  const events = rows.map((row) => receivedEvent(scope, row, context));
  await addEvents(tx, scope.tenantId, events);
  for (const hook of context.hooks) await hook.received?.(tx, scope, rows);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The message with all its parts; undefined while some are missing. */
async function wholeOf(
  tx: Tx,
  { clock }: IntakeContext,
  scope: TenantScope,
  item: Inbound,
): Promise<Inbound | undefined> {
  const { opened, event } = item;
  const { part, content } = event;
  if (part === undefined || content.kind !== 'text') return item;
  // Parts arrive at once, on two nodes: without it neither would see the other.
  await lockAddress(tx, scope, addressOf(event.from));
  const parts = await joinParts(
    tx,
    scope,
    {
      app_id: opened.row.id,
      address: addressOf(event.from),
      reference: part.reference,
      number: part.index,
      total: part.total,
      provider_id: event.providerId,
      text: content.text,
    },
    clock(),
  );
  if (parts === undefined) return undefined;
  const text = parts.map((each) => each.text).join('');
  const { provider_id: providerId } = parts[0]!;
  return { opened, event: { ...event, providerId, content: { kind: 'text', text } } };
}

async function draftOf(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  { opened, event }: Inbound,
): Promise<NewMessage> {
  const { clock, random } = context;
  const { channel, id: appId } = opened.row;
  const now = clock();
  return {
    id: newId('msg', () => now, random),
    channel,
    direction: 'in',
    app_id: appId,
    contact_id: await contactOf(tx, scope, channel, event.from, context),
    address: addressOf(event.from),
    content: storable(event.content),
    preview: inboundPreview(event.content),
    status: 'received',
    provider_id: event.providerId.slice(0, 500),
    reply_to: event.replyTo?.slice(0, 500) ?? null,
    ttl_seconds: null,
    registration: null,
    due_at: null,
    price: null,
    currency: null,
    author: null,
    // The service window follows the network's clock, unless it is ahead of ours.
    created_at: event.at === undefined || event.at > now ? now : event.at,
  };
}

/** The database's JSON can hold neither NUL nor half a surrogate pair. */
function storable(content: InboundContent): InboundContent {
  const text = JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  );
  return JSON.parse(text) as InboundContent;
}

const noteMax = 40;

/** STOP blocks messages to the person on a channel, START allows them again. */
async function applyKeywords(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  rows: readonly MessageRow[],
): Promise<void> {
  const said = rows.flatMap((row) => {
    const { content, preview, channel, address, contact_id: contactId, created_at: at } = row;
    const keyword = keywordIn(content);
    if (keyword !== 'stop' && keyword !== 'start') return [];
    const state = keyword === 'stop' ? ('revoked' as const) : ('granted' as const);
    const note = preview.slice(0, noteMax) || null;
    return [{ contactId, channel, address, state, source: 'inbound', note, at }];
  });
  await recordPersonConsents(tx, scope, context, said);
}

function receivedEvent(scope: TenantScope, row: MessageRow, { random }: IntakeContext) {
  const { id, channel, app_id, contact_id, address, preview, content, created_at } = row;
  const data = { channel, app_id, contact_id, address, preview, content, reply_to: row.reply_to };
  return eventOf(scope, 'message.received', id, data, created_at, random);
}
