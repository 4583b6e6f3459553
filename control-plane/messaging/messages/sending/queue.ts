/**
 * Accepts messages for sending: `queueMessage` checks everything that can be known at once,
 * reserves the money, and writes the message and its job in one transaction. The outbox sends it.
 */

import { faultsOf } from '@drawbridge/messaging/content-check.ts';
import type { Channel as ChannelWord, Content } from '@drawbridge/messaging/message.ts';
import { isoCountryOf } from '@drawbridge/messaging/phone.ts';
import { previewMax, previewOf } from '@drawbridge/messaging/preview.ts';
import type { Status } from '@drawbridge/messaging/status.ts';
import { serviceWindow } from '@drawbridge/messaging/window.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import { firstRows } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { claimKeys } from '../../../platform/idempotency/claim.ts';
import { type Clock, newId, type RandomBytes } from '../../../platform/ids.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { addEvents } from '../../../webhooks/store.ts';
import type { AppOpener, OpenedApp } from '../../apps/app-opener.ts';
import { appNotFound } from '../../apps/routes.ts';
import { findApp, listApps } from '../../apps/store.ts';
import { readAddress, readNumber } from '../../contacts/actions.ts';
import { optedOut } from '../../contacts/consents/store.ts';
import { contactNotFound } from '../../contacts/contact-not-found.ts';
import { findContact, holdContactByAddress, holdContacts } from '../../contacts/store.ts';
import { fail, invalid } from '../../errors.ts';
import { fillTemplate, readApproved } from '../../templates/approved-templates.ts';
import { insufficientFunds } from '../../tenants/wallet/insufficient-funds.ts';
import { findWallet, reserveMany } from '../../tenants/wallet/store.ts';
import { eventOf } from '../events.ts';
import type { MessageHooks } from '../hooks.ts';
import type { MessageRow, Registration } from '../message-row.ts';
import { findCorrespondent, findMessages, insertMessages } from '../store.ts';
import { priceOf } from './billing.ts';
import { outboxQueue } from './outbox.ts';
import { memberOf, type RequestedContent } from './requested-content.ts';

export interface QueueContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly appOpener: AppOpener;
  readonly hooks: readonly MessageHooks[];
}

/** The recipient: exactly one of the first three. */
export interface QueueTarget {
  readonly phone?: string | undefined;
  /** The network's own id of the person. */
  readonly userId?: string | undefined;
  readonly contactId?: string | undefined;
  /** With `contactId`: the preferred one of the contact's addresses. */
  readonly address?: string | undefined;
}

export interface QueueRequest {
  readonly channel: ChannelWord;
  /** Default: the tenant's only app of the channel. */
  readonly appId: string | undefined;
  readonly to: QueueTarget;
  readonly content: RequestedContent;
  /** Where the caller has a member of the channel's request, when that is not what it sent. */
  readonly placeOf?: (member: string) => string;
  /** Our id, or the network's, of the message that this one answers. */
  readonly replyTo?: string | undefined;
  readonly ttlSeconds?: number | undefined;
  /** The API key or user. */
  readonly author: string;
  /** Present when the request may be repeated: see platform/idempotency. */
  readonly key?: { readonly route: string; readonly key: string; readonly fingerprint: string };
}

export interface Queued {
  readonly id: string;
  readonly status: Status;
  /** An earlier request with this key made the message. */
  readonly isReplay: boolean;
}

/** Throws an `ApiError` that says why the message cannot be sent. */
export function queueMessage(
  context: QueueContext,
  scope: TenantScope,
  request: QueueRequest,
): Promise<Queued> {
  const { db, clock, random } = context;
  const id = newId('msg', clock, random);
  return db.tenant(scope.tenantId, async (tx) => {
    const replayed = await replay(tx, scope, request, id);
    if (replayed !== undefined) return replayed;
    const opened = await chooseApp(tx, context, scope, request);
    const person = await findPerson(tx, scope, request);
    const { content, preview, registration } = await contentOf(tx, scope, request, opened);
    await refuseUnwanted(tx, context, scope, opened, person.address, content);
    refuseContent(opened, content, request, { id, address: person.address, now: clock() });
    refuseUnregistered(opened, person.address, registration);
    const row = await price(tx, context, scope, {
      id,
      channel: request.channel,
      direction: 'out',
      app_id: opened.row.id,
      contact_id: person.contactId,
      address: person.address,
      content,
      preview,
      status: 'queued',
      provider_id: null,
      reply_to: await networkIdOf(tx, scope, request, person),
      ttl_seconds: request.ttlSeconds ?? null,
      registration,
      due_at: clock(),
      author: request.author,
      created_at: clock(),
    });
    await write(tx, context, scope, row);
    return { id, status: 'queued', isReplay: false };
  });
}

type Draft = Omit<Parameters<typeof insertMessages>[2][number], 'price' | 'currency'>;

async function replay(
  tx: Tx,
  scope: TenantScope,
  { key }: QueueRequest,
  madeId: string,
): Promise<Queued | undefined> {
  if (key === undefined) return undefined;
  const { tenantId, environment } = scope;
  const [verdict] = await claimKeys(tx, tenantId, [{ ...key, environment, madeId }]);
  if (verdict?.kind === 'mismatch') {
    const detail = 'This Idempotency-Key was used for another message; take a new one.';
    throw fail('idempotency_payload_mismatch', detail);
  }
  if (verdict?.kind !== 'replay') return undefined;
  const [row] = await findMessages(tx, scope, [verdict.madeId]);
  return { id: verdict.madeId, status: (row?.status ?? 'queued') as Status, isReplay: true };
}

/** The app in the request, or the only app of the channel. */
export async function chooseApp(
  tx: Tx,
  { appOpener }: Pick<QueueContext, 'appOpener'>,
  scope: TenantScope,
  { channel, appId }: Pick<QueueRequest, 'channel' | 'appId'>,
): Promise<OpenedApp> {
  const rows =
    appId === undefined
      ? await listApps(tx, scope, channel, firstRows(2))
      : [await findApp(tx, scope, appId)].filter((row) => row?.channel === channel);
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
  return appOpener.open(scope, row);
}

interface Addressee {
  readonly address: string;
  readonly contactId: string | null;
}

async function findPerson(
  tx: Tx,
  scope: TenantScope,
  { channel, to }: QueueRequest,
): Promise<Addressee> {
  if (to.contactId !== undefined) return addressOf(tx, scope, channel, to.contactId, to.address);
  const phone = to.phone === undefined ? undefined : readNumber(to.phone, 'to');
  const userId = to.userId === undefined ? undefined : readAddress(to.userId, channel, 'recipient');
  const address = phone ?? userId!;
  const identifiers = userId === undefined ? [] : [{ channel, external_id: userId }];
  const contactId = await holdContactByAddress(tx, scope, phone, identifiers);
  return { address, contactId: contactId ?? null };
}

/** The address for a contact on the channel: bots only know chats, the others prefer the phone. */
async function addressOf(
  tx: Tx,
  scope: TenantScope,
  channel: ChannelWord,
  contactId: string,
  preferred: string | undefined,
): Promise<Addressee> {
  await holdContacts(tx, scope, [contactId]);
  const contact = await findContact(tx, scope, contactId);
  if (contact === undefined) throw await contactNotFound(tx, scope, contactId);
  const identifiers = contact.channel_identifiers.filter((each) => each.channel === channel);
  const phone = channel === 'botchat' ? null : contact.phone;
  const own = [phone, ...identifiers.map((each) => each.external_id)].filter(
    (each) => each !== null,
  );
  const address = own.find((each) => each === preferred) ?? own[0];
  if (address === undefined) throw invalid('contact_id', 'has no address on this channel');
  return { address, contactId };
}

interface ReadContent {
  readonly content: Content;
  /** As one text for lists. */
  readonly preview: string;
  readonly registration: Registration | null;
}

async function contentOf(
  tx: Tx,
  scope: TenantScope,
  { channel, content: asked }: QueueRequest,
  { row }: OpenedApp,
): Promise<ReadContent> {
  if (asked.kind === 'filled') {
    const filled = await fillTemplate(tx, scope, channel, asked.template);
    return { ...filled, preview: previewOf(filled.content) };
  }
  const { content } = asked;
  if (content.kind !== 'template') {
    return { content, preview: previewOf(content), registration: null };
  }
  const text = await readApproved(tx, scope, row, content.template);
  return { content, preview: text.slice(0, previewMax), registration: null };
}

async function refuseUnwanted(
  tx: Tx,
  { clock }: QueueContext,
  scope: TenantScope,
  { row, channel }: OpenedApp,
  address: string,
  content: Content,
): Promise<void> {
  const unwanted = await optedOut(tx, scope, row.channel, [address]);
  if (unwanted.has(address)) {
    throw fail('opted_out', 'The person has opted out of this channel.');
  }
  if (channel.access === 'anyone') return;
  const known = await findCorrespondent(tx, scope, row.id, address);
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
  { channel: word, content: asked, placeOf = (member) => member }: QueueRequest,
  { id, address, now }: { readonly id: string; readonly address: string; readonly now: Date },
): void {
  const faults = faultsOf(content, channel.content).map(({ field, message }) => {
    const member = asked.kind === 'filled' ? 'template' : memberOf(word, content, field);
    return [placeOf(member), message] as const;
  });
  const [first] = faults;
  if (first !== undefined) {
    const errors = Object.fromEntries(faults.map(([place, message]) => [place, [message]]));
    throw fail('content_refused', first.join(': '), { body: { errors } });
  }
  // Checks what only the network's own form shows, such as the bytes of a button.
  const message = { id, to: recipientOf(address), content };
  const encoding = channel.encode(message, app, { now });
  if (encoding.kind === 'refused') throw fail('content_refused', encoding.detail);
}

/** A phone begins with a plus; the networks' own ids never do. */
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

/** The network's id of the answered message; an id of the network is used as it is. */
async function networkIdOf(
  tx: Tx,
  scope: TenantScope,
  { channel, replyTo }: QueueRequest,
  { address, contactId }: Addressee,
): Promise<string | null> {
  if (replyTo === undefined) return null;
  if (!replyTo.startsWith('msg_')) return replyTo;
  const [row] = await findMessages(tx, scope, [replyTo]);
  const isTheirs = row?.address === address || (contactId && row?.contact_id === contactId);
  if (row?.channel === channel && isTheirs) return row.provider_id;
  throw invalid('reply_to', 'is not a message of this person on this channel');
}

async function price(tx: Tx, { clock }: QueueContext, scope: TenantScope, draft: Draft) {
  const { address, content, channel, id } = draft;
  const billed = [{ address, content: content as Content }];
  const billing = await priceOf(tx, scope, channel, billed);
  const asked = billing.kind === 'priced' ? billing.prices[0]! : undefined;
  if (asked === null) return { ...draft, price: null, currency: null };
  const { tenantId, environment } = scope;
  const isPaid =
    asked !== undefined &&
    (await reserveMany(tx, tenantId, environment, [{ reference: id, ...asked }], clock()));
  if (!isPaid) {
    throw insufficientFunds('message', asked, await findWallet(tx, tenantId, environment));
  }
  return { ...draft, price: asked.amount, currency: asked.currency };
}

async function write(
  tx: Tx,
  { jobs, clock, random, hooks }: QueueContext,
  scope: TenantScope,
  draft: Parameters<typeof insertMessages>[2][number],
): Promise<void> {
  const rows: readonly MessageRow[] = await insertMessages(tx, scope, [draft]);
  const { tenantId, environment } = scope;
  const { id, channel, app_id, contact_id, address, preview } = draft;
  await jobs.enqueue(tx, tenantId, [{ queue: outboxQueue, key: id, payload: { environment } }]);
  const data = { channel, app_id, contact_id, address, status: 'queued', preview };
  const event = eventOf(scope, 'message.queued', id, data, clock(), random);
  await addEvents(tx, tenantId, [event]);
  for (const hook of hooks) await hook.queued?.(tx, scope, rows);
}
