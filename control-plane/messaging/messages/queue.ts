/**
 * Takes messages to be sent: `queueMessage` checks all that can be known at once, reserves the
 * money, writes the message and its job in one transaction, and answers. Sending is the outbox's.
 */

import { faultsOf } from '@drawbridge/messaging/content-check.ts';
import type { Channel as ChannelWord, Content } from '@drawbridge/messaging/message.ts';
import { isoCountryOf } from '@drawbridge/messaging/phone.ts';
import { previewOf } from '@drawbridge/messaging/preview.ts';
import type { Status } from '@drawbridge/messaging/status.ts';
import { serviceWindow } from '@drawbridge/messaging/window.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { claimKeys } from '../../platform/idempotency/claim.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { addEvents } from '../../webhooks/store.ts';
import type { AppDesk, OpenedApp } from '../apps/desk.ts';
import { appNotFound } from '../apps/routes.ts';
import { findApp, listApps } from '../apps/store.ts';
import { optedOut } from '../contacts/consent-store.ts';
import { readNumber } from '../contacts/directory.ts';
import { contactNotFound } from '../contacts/place.ts';
import { findContact, findHolder, type Place } from '../contacts/store.ts';
import { fail, invalid } from '../errors.ts';
import { fillTemplate, requireApproved } from '../templates/use.ts';
import { shortOfFunds } from '../tenants/short-of-funds.ts';
import { findWallet, reserveMany } from '../tenants/wallet-store.ts';
import { priceOf } from './billing.ts';
import type { Asked } from './compose.ts';
import { eventOf } from './events.ts';
import type { MessageHooks } from './hooks.ts';
import type { MessageRow, Registration } from './message-row.ts';
import { outboxQueue } from './outbox.ts';
import { findCorrespondent, findMessages, insertMessages } from './store.ts';

export interface QueueEdge {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly desk: AppDesk;
  readonly hooks: readonly MessageHooks[];
}

/** Whom it goes to: exactly one of the first three. */
export interface Target {
  readonly phone?: string | undefined;
  /** The network's own id of the person. */
  readonly userId?: string | undefined;
  readonly contactId?: string | undefined;
  /** Beside `contactId`: the one of the contact's addresses that is preferred. */
  readonly address?: string | undefined;
}

export interface QueueRequest {
  readonly channel: ChannelWord;
  /** Default: the tenant's only app of the channel. */
  readonly appId: string | undefined;
  readonly to: Target;
  readonly asked: Asked;
  /** Our id, or the network's, of the message that it answers. */
  readonly replyTo?: string | undefined;
  readonly ttlSeconds?: number | undefined;
  /** Key or user. */
  readonly author: string;
  /** Of a request that may be repeated: see platform/idempotency. */
  readonly key?: { readonly route: string; readonly key: string; readonly fingerprint: string };
}

export interface Queued {
  readonly id: string;
  readonly status: Status;
  /** An earlier request with the key made it. */
  readonly isReplay: boolean;
}

/** Throws an `ApiError` that says why it cannot be sent. */
export function queueMessage(
  edge: QueueEdge,
  place: Place,
  request: QueueRequest,
): Promise<Queued> {
  const { db, clock, random } = edge;
  const id = newId('msg', clock, random);
  return db.tenant(place.tenantId, async (tx) => {
    const replayed = await replay(tx, place, request, id);
    if (replayed !== undefined) return replayed;
    const opened = await chooseApp(tx, edge, place, request);
    const person = await findPerson(tx, place, request);
    const { content, registration } = await contentOf(tx, place, request, opened);
    await refuseUnwanted(tx, edge, place, opened, person.address, content);
    refuseContent(opened, content, { id, address: person.address, now: clock() });
    refuseUnregistered(opened, person.address, registration);
    const row = await price(tx, edge, place, {
      ...{ id, channel: request.channel, direction: 'out', app_id: opened.row.id },
      ...{ contact_id: person.contactId, address: person.address, content },
      ...{ preview: previewOf(content), status: 'queued', provider_id: null },
      reply_to: await networkIdOf(tx, place, request, person),
      ttl_seconds: request.ttlSeconds ?? null,
      registration,
      due_at: clock(),
      author: request.author,
      created_at: clock(),
    });
    await write(tx, edge, place, row);
    return { id, status: 'queued', isReplay: false };
  });
}

type Draft = Omit<Parameters<typeof insertMessages>[2][number], 'price' | 'currency'>;

async function replay(
  tx: Tx,
  place: Place,
  { key }: QueueRequest,
  madeId: string,
): Promise<Queued | undefined> {
  if (key === undefined) return undefined;
  const { tenantId, environment } = place;
  const [verdict] = await claimKeys(tx, tenantId, [{ ...key, environment, madeId }]);
  if (verdict?.kind === 'mismatch') {
    const detail = 'This Idempotency-Key was used for another message; take a new one.';
    throw fail('idempotency_payload_mismatch', detail);
  }
  if (verdict?.kind !== 'replay') return undefined;
  const [row] = await findMessages(tx, place, [verdict.madeId]);
  return { id: verdict.madeId, status: (row?.status ?? 'queued') as Status, isReplay: true };
}

/** The app that is named, or the only one there is. */
export async function chooseApp(
  tx: Tx,
  { desk }: Pick<QueueEdge, 'desk'>,
  place: Place,
  { channel, appId }: Pick<QueueRequest, 'channel' | 'appId'>,
): Promise<OpenedApp> {
  const all = { after: '', limit: 2 };
  const rows =
    appId === undefined
      ? await listApps(tx, place, channel, all)
      : [await findApp(tx, place, appId)].filter((row) => row?.channel === channel);
  const [row] = rows;
  if (row === undefined) {
    if (appId !== undefined) throw appNotFound(appId);
    throw fail('app_not_found', 'This channel has no app yet: connect one first.');
  }
  if (rows.length > 1) throw invalid('app_id', 'is needed: the channel has more than one app');
  if (row.state === 'stopped') {
    const why = row.stopped_reason ?? 'a person stopped it';
    throw fail('app_stopped', `The app "${row.name}" is stopped (${why}). PATCH its state.`);
  }
  return desk.open(place, row);
}

interface Addressee {
  readonly address: string;
  readonly contactId: string | null;
}

async function findPerson(tx: Tx, place: Place, { channel, to }: QueueRequest): Promise<Addressee> {
  if (to.contactId !== undefined) return addressOf(tx, place, channel, to.contactId, to.address);
  const phone = to.phone === undefined ? undefined : readNumber(to.phone);
  const address = phone ?? to.userId!;
  const identifiers = to.userId === undefined ? [] : [{ channel, external_id: to.userId }];
  const contactId = await findHolder(tx, place, phone, identifiers);
  return { address, contactId: contactId ?? null };
}

/** How the channel reaches a contact: bots know people by chat alone, the others by phone first. */
async function addressOf(
  tx: Tx,
  place: Place,
  channel: ChannelWord,
  contactId: string,
  preferred: string | undefined,
): Promise<Addressee> {
  const contact = await findContact(tx, place, contactId);
  if (contact === undefined) throw contactNotFound(contactId);
  const identifiers = contact.channel_identifiers.filter((each) => each.channel === channel);
  const phone = channel === 'botchat' ? null : contact.phone;
  const own = [phone, ...identifiers.map((each) => each.external_id)].filter(
    (each) => each !== null,
  );
  const address = own.find((each) => each === preferred) ?? own[0];
  if (address === undefined) throw invalid('contact_id', 'has no address on this channel');
  return { address, contactId };
}

async function contentOf(
  tx: Tx,
  place: Place,
  { channel, asked }: QueueRequest,
  { row }: OpenedApp,
): Promise<{ content: Content; registration: Registration | null }> {
  if (asked.kind === 'filled') return fillTemplate(tx, place, channel, asked.template);
  const { content } = asked;
  if (content.kind === 'template') await requireApproved(tx, place, row, content.template);
  return { content, registration: null };
}

async function refuseUnwanted(
  tx: Tx,
  { clock }: QueueEdge,
  place: Place,
  { row, channel }: OpenedApp,
  address: string,
  content: Content,
): Promise<void> {
  const unwanted = await optedOut(tx, place, row.channel, [address]);
  if (unwanted.has(address)) {
    throw fail('opted_out', 'The person asked not to be written to on this channel.');
  }
  if (channel.access === 'anyone') return;
  const known = await findCorrespondent(tx, place, row.id, address);
  if (channel.access === 'started' && (known === undefined || known.blocked_at !== null)) {
    const why = known === undefined ? 'has not started the bot' : 'blocked the bot';
    throw fail('not_started', `The person ${why}, and a bot cannot write first.`);
  }
  if (channel.access !== 'service-window' || content.kind === 'template') return;
  const window = serviceWindow(known?.last_inbound_at, clock());
  if (window.kind === 'open') return;
  const since = window.since === undefined ? 'The person never wrote' : 'More than 24 hours passed';
  throw fail('window_closed', `${since}: only an approved template may be sent now.`);
}

function refuseContent(
  { channel, app }: OpenedApp,
  content: Content,
  { id, address, now }: { readonly id: string; readonly address: string; readonly now: Date },
): void {
  const faults = faultsOf(content, channel.content);
  const [first] = faults;
  if (first !== undefined) {
    const errors = Object.fromEntries(faults.map(({ field, message }) => [field, [message]]));
    throw fail('content_refused', `${first.field}: ${first.message}`, { body: { errors } });
  }
  // What only the network's own form shows, such as bytes of a button.
  const message = { id, to: recipientOf(address), content };
  const encoding = channel.encode(message, app, { now });
  if (encoding.kind === 'refused') throw fail('content_refused', encoding.detail);
}

/** A phone begins with a plus; networks' own ids never do. */
export function recipientOf(address: string) {
  return address.startsWith('+')
    ? ({ kind: 'phone', phone: address } as const)
    : ({ kind: 'user', id: address } as const);
}

/** Indian carriers drop every text that is not registered with them. */
function refuseUnregistered(
  { row }: OpenedApp,
  address: string,
  registration: Registration | null,
): void {
  if (row.channel !== 'sms' || registration !== null || isoCountryOf(address) !== 'IN') return;
  throw fail(
    'registration_missing',
    'Indian carriers take registered texts only: send a template with its DLT registration.',
  );
}

/** The id the network knows the answered message by; one of its own is taken as it is. */
async function networkIdOf(
  tx: Tx,
  place: Place,
  { channel, replyTo }: QueueRequest,
  { address, contactId }: Addressee,
): Promise<string | null> {
  if (replyTo === undefined) return null;
  if (!replyTo.startsWith('msg_')) return replyTo;
  const [row] = await findMessages(tx, place, [replyTo]);
  const isTheirs = row?.address === address || (contactId && row?.contact_id === contactId);
  if (row?.channel === channel && isTheirs) return row.provider_id;
  throw invalid('reply_to', 'is no message of this person on this channel');
}

async function price(tx: Tx, { clock }: QueueEdge, place: Place, draft: Draft) {
  const { address, content, channel, id } = draft;
  const billed = [{ address, content: content as Content }];
  const billing = await priceOf(tx, place, channel, billed);
  const asked = billing.kind === 'priced' ? billing.prices[0]! : undefined;
  if (asked === null) return { ...draft, price: null, currency: null };
  const { tenantId, environment } = place;
  const isPaid =
    asked !== undefined &&
    (await reserveMany(tx, tenantId, environment, [{ reference: id, ...asked }], clock()));
  if (!isPaid) {
    throw shortOfFunds('message', asked, await findWallet(tx, tenantId, environment));
  }
  return { ...draft, price: asked.amount, currency: asked.currency };
}

async function write(
  tx: Tx,
  { jobs, clock, random, hooks }: QueueEdge,
  place: Place,
  draft: Parameters<typeof insertMessages>[2][number],
): Promise<void> {
  const rows: readonly MessageRow[] = await insertMessages(tx, place, [draft]);
  const { tenantId, environment } = place;
  const { id, channel, app_id, contact_id, address, preview } = draft;
  await jobs.enqueue(tx, tenantId, [{ queue: outboxQueue, key: id, payload: { environment } }]);
  const data = { channel, app_id, contact_id, address, status: 'queued', preview };
  const event = eventOf(...([place, 'message.queued', id, data, clock(), random] as const));
  await addEvents(tx, tenantId, [event]);
  for (const hook of hooks) await hook.queued?.(tx, place, rows);
}
