/** Messages that people sent: kept once, whatever the network repeats. */
import { keywordOf } from '@drawbridge/messaging/opt-out.ts';
import type { InboundContent } from '../../channels/contract.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { newId } from '../../platform/ids.ts';
import { addEvents } from '../../webhooks/store.ts';
import { recordConsent } from '../contacts/consents.ts';
import { tellConsent } from '../contacts/events.ts';
import type { Place } from '../contacts/store.ts';
import { eventOf } from './events.ts';
import { inboundPreview } from './inbound-preview.ts';
import type { IntakeContext } from './intake.ts';
import type { Item } from './judgement.ts';
import type { MessageRow } from './message-row.ts';
import { addressOf, contactOf } from './people.ts';
import { joinParts } from './people-store.ts';
import { insertMessages, meet, type NewMessage } from './store.ts';

type Inbound = Item<'inbound'>;

export async function receiveMessages(
  tx: Tx,
  context: IntakeContext,
  place: Place,
  items: readonly Inbound[],
): Promise<void> {
  if (items.length === 0) return;
  const drafts: NewMessage[] = [];
  // In one order for all, so that two transactions with the same people do not wait for each other.
  const inOrder = items.toSorted((a, b) =>
    compare(addressOf(a.event.from), addressOf(b.event.from)),
  );
  for (const item of inOrder) {
    const whole = await wholeOf(tx, context, place, item);
    if (whole !== undefined) drafts.push(await draftOf(tx, context, place, whole));
  }
  const rows = await insertMessages(tx, place, drafts);
  if (rows.length === 0) return;
  await meet(
    tx,
    place,
    rows.map(({ app_id, address, channel, created_at }) => {
      return { app_id, address, channel, at: created_at };
    }),
  );
  await heedKeywords(tx, context, place, rows);
  const events = rows.map((row) => receivedEvent(place, row, context));
  await addEvents(tx, place.tenantId, events);
  for (const hook of context.hooks) await hook.received?.(tx, place, rows);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The message with all its parts; undefined while some are missing. */
async function wholeOf(
  tx: Tx,
  { clock }: IntakeContext,
  place: Place,
  item: Inbound,
): Promise<Inbound | undefined> {
  const { opened, event } = item;
  const { part, content } = event;
  if (part === undefined || content.kind !== 'text') return item;
  const parts = await joinParts(
    tx,
    place,
    {
      ...{ app_id: opened.row.id, address: addressOf(event.from), reference: part.reference },
      ...{ place: part.index, total: part.total, provider_id: event.providerId },
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
  place: Place,
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
    contact_id: await contactOf(tx, place, channel, event.from, context),
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
    // The network's clock counts for the service window, where it is not ahead of ours.
    created_at: event.at === undefined || event.at > now ? now : event.at,
  };
}

/** JSON of the database holds neither NUL nor half a character. */
function storable(content: InboundContent): InboundContent {
  const text = JSON.stringify(content, (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  );
  return JSON.parse(text) as InboundContent;
}

/** STOP ends what may be sent on a channel, START lets it begin again. */
async function heedKeywords(
  tx: Tx,
  context: IntakeContext,
  place: Place,
  rows: readonly MessageRow[],
): Promise<void> {
  for (const { content, channel, address } of rows) {
    if (content.kind !== 'text') continue;
    const keyword = keywordOf(content.text);
    if (keyword !== 'stop' && keyword !== 'start') continue;
    const state = keyword === 'stop' ? 'revoked' : 'granted';
    const said = { channel, address, state, source: 'inbound', recorded_by: null } as const;
    await recordConsent(tx, place, context, { ...said, note: content.text.slice(0, 40) });
    await tellConsent(tx, place, context, state, { channel, address, source: 'inbound' });
  }
}

function receivedEvent(place: Place, row: MessageRow, { random }: IntakeContext) {
  const { id, channel, app_id, contact_id, address, preview, content, created_at } = row;
  const data = { channel, app_id, contact_id, address, preview, content, reply_to: row.reply_to };
  return eventOf(place, 'message.received', id, data, created_at, random);
}
