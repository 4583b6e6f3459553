import { faultOfSources, type Variables } from '@drawbridge/messaging/broadcast/variables.ts';
import { type Channel, channels } from '@drawbridge/messaging/message.ts';
import { readPhone } from '@drawbridge/messaging/phone.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { firstRows } from '../../platform/db/keyset.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { claimKeys } from '../../platform/idempotency/claim.ts';
import { newId } from '../../platform/ids.ts';
import { addEvents } from '../../webhooks/store.ts';
import { appNotFound } from '../apps/routes.ts';
import { findApp, listApps } from '../apps/store.ts';
import { findSegmentId } from '../contacts/segments/store.ts';
import { findContact, findContactByAddress } from '../contacts/store.ts';
import { fail, invalid } from '../errors.ts';
import { findTemplatesByName, type TemplateRow } from '../templates/store.ts';
import { type BroadcastContext, broadcastQueue } from './context.ts';
import { broadcastEvent } from './events.ts';
import { broadcastNotFound } from './not-found.ts';
import { planOf } from './plan.ts';
import type { BroadcastRequest, BroadcastResend, BroadcastTestRequest } from './schema.ts';
import {
  type BroadcastRow,
  findBroadcast,
  insertBroadcast,
  listResends,
  lockBroadcast,
  type NewBroadcast,
} from './store.ts';

interface Own {
  readonly id: string;
  readonly author: string;
}

export interface CreateRequest {
  /** Throws an `ApiError` that says why the broadcast cannot be made. */
  draft(tx: Tx, own: Own): Promise<NewBroadcast>;
  readonly author: string;
  /** Present when the request may be repeated: see platform/idempotency. */
  readonly key: { route: string; key: string; fingerprint: string } | undefined;
}

export interface Created {
  readonly row: BroadcastRow;
  /** An earlier request with this key made the broadcast. */
  readonly isReplay: boolean;
}

/** Writes the broadcast with its job. Throws what `draft` throws. */
export async function createBroadcast(
  tx: Tx,
  context: BroadcastContext,
  scope: TenantScope,
  { draft: draftFor, author, key }: CreateRequest,
): Promise<Created> {
  const { tenantId, environment } = scope;
  const id = newId('brc', context.clock, context.random);
  if (key !== undefined) {
    const [verdict] = await claimKeys(tx, tenantId, [{ ...key, environment, madeId: id }]);
    if (verdict?.kind === 'mismatch') {
      const detail = 'This Idempotency-Key was used for another broadcast; take a new one.';
      throw fail('idempotency_payload_mismatch', detail);
    }
    if (verdict?.kind === 'replay') {
      return { row: (await findBroadcast(tx, scope, verdict.madeId))!, isReplay: true };
    }
  }
  const draft = await draftFor(tx, { id, author });
  await insertBroadcast(tx, scope, draft);
  const row = (await findBroadcast(tx, scope, id))!;
  await addEvents(tx, tenantId, [broadcastEvent(context, scope, 'queued', row, context.clock())]);
  const job = { queue: broadcastQueue, key: id, payload: { environment } };
  const isLater = draft.schedule_at > context.clock();
  await context.jobs.enqueue(tx, tenantId, [isLater ? { ...job, runAt: draft.schedule_at } : job]);
  return { row, isReplay: false };
}

/** The broadcast that a request describes, with everything it names looked up and checked. */
export async function draftOf(
  tx: Tx,
  context: BroadcastContext,
  scope: TenantScope,
  request: BroadcastRequest,
  own: Own,
): Promise<NewBroadcast> {
  const { segment, schedule_at } = request;
  const now = context.clock();
  const scheduleAt = scheduleOf(schedule_at, now);
  const segmentId = await findSegmentId(tx, scope, segment);
  if (segmentId === undefined) {
    throw fail('segment_not_found', `There is no segment "${segment}".`);
  }
  const audience = { ...noAudience, segment_id: segmentId, segment };
  return draftFor(tx, context, scope, request, { ...own, ...audience, schedule_at: scheduleAt });
}

/** A test: the same for a few people, now, and whatever the hour. */
export async function testDraftOf(
  tx: Tx,
  context: BroadcastContext,
  scope: TenantScope,
  { to, ...request }: BroadcastTestRequest,
  own: Own,
): Promise<NewBroadcast> {
  const found: string[] = [];
  for (const [at, person] of to.entries()) {
    found.push(await namedContact(tx, scope, person, `to.${at}`));
  }
  const contacts = [...new Set(found)].sort();
  const audience = { ...noAudience, test_contacts: contacts, schedule_at: context.clock() };
  const rest = { time_zone: 'UTC', require_consent: false };
  return draftFor(tx, context, scope, { ...request, ...rest }, { ...own, ...audience });
}

const noAudience = {
  segment_id: null,
  segment: null,
  resend_of: null,
  resend_statuses: null,
  test_contacts: null,
} as const;

/** The id of a contact that is named by its id or its number. Throws `invalid_request`. */
async function namedContact(
  tx: Tx,
  scope: TenantScope,
  person: string,
  field: string,
): Promise<string> {
  if (person.startsWith('con_')) {
    if ((await findContact(tx, scope, person)) !== undefined) return person;
    throw invalid(field, 'no contact has this id');
  }
  const phone = readPhone(person);
  if (phone.kind === 'refused') throw invalid(field, phone.reason);
  const id = await findContactByAddress(tx, scope, phone.e164, []);
  if (id === undefined) throw invalid(field, 'no contact has this number: create it first');
  return id;
}

/** What a resend goes to, by the word for it. */
const resendStatuses = { failed: ['failed', 'expired'], unknown: ['unknown'] } as const;

/** The same broadcast again, to those whom it did not reach. */
export async function resendDraftOf(
  tx: Tx,
  context: BroadcastContext,
  scope: TenantScope,
  id: string,
  { to, schedule_at }: BroadcastResend,
  own: Own,
): Promise<NewBroadcast> {
  const row = await lockBroadcast(tx, scope, id, { isPatient: true });
  if (row === undefined) throw broadcastNotFound(id);
  if (row.state !== 'completed' && row.state !== 'canceled') {
    throw fail('broadcast_state', `It is ${row.state}: only one that is over is sent again.`);
  }
  const statuses = [...new Set(to)].flatMap((word): readonly string[] => resendStatuses[word]);
  const earlier = await listResends(tx, scope, id);
  const same = earlier.find((each) => each.resend_statuses.some((one) => statuses.includes(one)));
  if (same !== undefined) {
    // Those people would get it twice.
    throw fail('broadcast_resent', `It was sent again as "${same.id}": resend that one.`);
  }
  const now = context.clock();
  const draft: NewBroadcast = {
    id: own.id,
    author: own.author,
    channel: row.channel,
    app_id: row.app_id,
    template_id: row.template_id,
    template: row.template,
    language: row.language,
    variables: row.variables,
    time_zone: row.time_zone,
    quiet_from: row.quiet_from,
    quiet_to: row.quiet_to,
    require_consent: row.require_consent,
    track_urls: row.track_urls,
    ...noAudience,
    segment: row.segment,
    resend_of: id,
    resend_statuses: statuses,
    created_at: now,
    schedule_at: scheduleOf(schedule_at, now),
  };
  await checkPlan(tx, context, scope, draft);
  return draft;
}

type Message = Omit<BroadcastRequest, 'segment' | 'dry_run' | 'schedule_at'>;
type WhomAndWhen = Own & Pick<NewBroadcast, keyof typeof noAudience | 'schedule_at'>;

async function draftFor(
  tx: Tx,
  context: BroadcastContext,
  scope: TenantScope,
  request: Message,
  own: WhomAndWhen,
): Promise<NewBroadcast> {
  const template = await chooseTemplate(tx, scope, request);
  const { quiet_hours: quiet, require_consent, track_urls, time_zone } = request;
  const draft: NewBroadcast = {
    ...own,
    channel: template.channel,
    template_id: template.id,
    template: template.name,
    language: template.language,
    time_zone,
    app_id: await chooseApp(tx, scope, template, request.app_id),
    variables: checkVariables(template, request.variables),
    quiet_from: quiet?.from ?? null,
    quiet_to: quiet?.to ?? null,
    require_consent,
    track_urls,
    created_at: context.clock(),
  };
  await checkPlan(tx, context, scope, draft);
  return draft;
}

/** Throws an `ApiError` when the broadcast could not be sent. */
async function checkPlan(
  tx: Tx,
  context: BroadcastContext,
  scope: TenantScope,
  draft: NewBroadcast,
): Promise<void> {
  const planning = await planOf(tx, context, scope, draft, draft.schedule_at);
  if (planning.kind === 'refused') throw fail(planning.code, planning.detail);
}

const aheadMsMax = 366 * 86_400_000;
/** A request may be on its way for some time, and the caller's clock may be slow. */
const lateMsMax = 60_000;

/** When it goes: now, when that was some seconds ago. Throws `invalid_request`. */
export function scheduleOf(asked: string | undefined, now: Date): Date {
  if (asked === undefined) return now;
  const at = new Date(asked);
  if (at.getTime() < now.getTime() - lateMsMax) {
    throw invalid('schedule_at', `is in the past: it is ${now.toISOString()} now`);
  }
  if (at.getTime() > now.getTime() + aheadMsMax) {
    throw invalid('schedule_at', 'is more than a year ahead');
  }
  return at > now ? at : now;
}

/** The template of that name; channel and language are only needed where there are several. */
async function chooseTemplate(
  tx: Tx,
  scope: TenantScope,
  { template, channel, language: asked }: Pick<Message, 'template' | 'channel' | 'language'>,
): Promise<TemplateRow> {
  const language = asked ?? null;
  const wanted: readonly Channel[] = channel === undefined ? channels : [channel];
  const found: TemplateRow[] = [];
  for (const each of wanted) {
    found.push(...(await findTemplatesByName(tx, scope, each, template, language)));
  }
  const approved = found.filter(({ status }) => status === 'approved');
  const usable = approved.length > 0 ? approved : found;
  const [first] = usable;
  if (first === undefined) {
    const where = language === null ? '' : ` in ${language}`;
    throw fail('template_not_found', `There is no template "${template}"${where}.`);
  }
  if (usable.some((each) => each.channel !== first.channel)) {
    throw invalid('channel', 'is needed: several channels have a template of this name');
  }
  if (usable.length > 1) throw invalid('language', 'is needed: the template has several');
  return first;
}

/** The app in the request, else the template's as long as it is there, else the only app of the channel. */
async function chooseApp(
  tx: Tx,
  scope: TenantScope,
  { channel, app_id }: TemplateRow,
  asked: string | undefined,
): Promise<string> {
  if (asked !== undefined) {
    const row = await findApp(tx, scope, asked);
    if (row?.channel !== channel) throw appNotFound(asked);
    return asked;
  }
  const own = app_id === null ? undefined : await findApp(tx, scope, app_id);
  if (own !== undefined) return own.id;
  const [only, another] = await listApps(tx, scope, channel, firstRows(2));
  if (only === undefined) {
    throw fail('app_not_found', 'This channel has no app yet: connect one first.');
  }
  if (another !== undefined) {
    throw invalid('app_id', 'is needed: the channel has more than one app');
  }
  return only.id;
}

/** Throws `invalid_request` for sources that do not fit the template's variables. */
function checkVariables(
  { definition }: TemplateRow,
  asked: BroadcastRequest['variables'],
): Variables {
  const fault = faultOfSources(definition, asked);
  if (fault !== undefined) throw invalid(`variables.${fault.variable}`, fault.problem);
  return asked;
}
