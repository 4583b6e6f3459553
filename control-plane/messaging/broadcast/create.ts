/** Creates a broadcast from a request; everything that can be known at once is checked at once. */
import { type Variables, variablesNeeded } from '@drawbridge/messaging/broadcast/variables.ts';
import { type Channel, channels } from '@drawbridge/messaging/message.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { claimKeys } from '../../platform/idempotency/claim.ts';
import { newId } from '../../platform/ids.ts';
import { addEvents } from '../../webhooks/store.ts';
import { appNotFound } from '../apps/routes.ts';
import { findApp, listApps } from '../apps/store.ts';
import { findSegmentId } from '../contacts/segments/store.ts';
import { fail, invalid } from '../errors.ts';
import { findTemplatesByName, type TemplateRow } from '../templates/store.ts';
import { type BroadcastContext, broadcastQueue } from './context.ts';
import { broadcastEvent } from './events.ts';
import { planOf } from './plan.ts';
import type { BroadcastRequest } from './schema.ts';
import { type BroadcastRow, findBroadcast, insertBroadcast, type NewBroadcast } from './store.ts';

export interface CreateRequest {
  readonly request: BroadcastRequest;
  readonly author: string;
  /** Present when the request may be repeated: see platform/idempotency. */
  readonly key: { route: string; key: string; fingerprint: string } | undefined;
}

export interface Created {
  readonly row: BroadcastRow;
  /** An earlier request with this key made the broadcast. */
  readonly isReplay: boolean;
}

/** Throws an `ApiError` that says why the broadcast cannot be made. */
export async function createBroadcast(
  tx: Tx,
  context: BroadcastContext,
  scope: TenantScope,
  { request, author, key }: CreateRequest,
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
  const draft = await draftOf(tx, context, scope, request, { id, author });
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
  own: { readonly id: string; readonly author: string },
): Promise<NewBroadcast> {
  const template = await chooseTemplate(tx, scope, request);
  const segmentId = await findSegmentId(tx, scope, request.segment);
  if (segmentId === undefined) {
    throw fail('segment_not_found', `There is no segment "${request.segment}".`);
  }
  const now = context.clock();
  const asked = request.schedule_at === undefined ? now : new Date(request.schedule_at);
  const { quiet_hours: quiet, require_consent, track_urls, time_zone, segment } = request;
  const draft: NewBroadcast = {
    ...own,
    channel: template.channel,
    template_id: template.id,
    template: template.name,
    language: template.language,
    segment_id: segmentId,
    segment,
    time_zone,
    app_id: await chooseApp(tx, scope, template, request.app_id),
    variables: checkVariables(template, request.variables),
    quiet_from: quiet?.from ?? null,
    quiet_to: quiet?.to ?? null,
    require_consent,
    track_urls,
    created_at: now,
    schedule_at: asked > now ? asked : now,
  };
  if (asked.getTime() > now.getTime() + aheadMsMax) {
    throw invalid('schedule_at', 'is more than a year ahead');
  }
  const planning = await planOf(tx, context, scope, draft, draft.schedule_at);
  if (planning.kind === 'refused') throw fail(planning.code, planning.detail);
  return draft;
}

export const aheadMsMax = 366 * 86_400_000;

/** The template of that name; channel and language are only needed where there are several. */
async function chooseTemplate(
  tx: Tx,
  scope: TenantScope,
  { template, channel, language: asked }: BroadcastRequest,
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

/** The app in the request, else the template's, else the only app of the channel. */
async function chooseApp(
  tx: Tx,
  scope: TenantScope,
  { channel, app_id }: TemplateRow,
  asked: string | undefined,
): Promise<string> {
  const named = asked ?? app_id ?? undefined;
  if (named !== undefined) {
    const row = await findApp(tx, scope, named);
    if (row?.channel !== channel) throw appNotFound(named);
    return named;
  }
  const [only, another] = await listApps(tx, scope, channel, { after: '', limit: 2 });
  if (only === undefined) {
    throw fail('app_not_found', 'This channel has no app yet: connect one first.');
  }
  if (another !== undefined) {
    throw invalid('app_id', 'is needed: the channel has more than one app');
  }
  return only.id;
}

/** Every variable without another source must have one, and every source must be for a variable. */
function checkVariables(
  { definition }: TemplateRow,
  asked: BroadcastRequest['variables'],
): Variables {
  const needed = variablesNeeded(definition);
  for (const name of Object.keys(asked)) {
    if (!needed.includes(name)) {
      throw invalid(`variables.${name}`, 'is not a variable of the template');
    }
  }
  const isNameless = (name: string) => /^(\d+|header|button_\d)$/.test(name);
  const missing = needed.find((name) => isNameless(name) && !Object.hasOwn(asked, name));
  if (missing !== undefined) throw invalid(`variables.${missing}`, 'is required by the template');
  return Object.fromEntries(
    Object.entries(asked).map(([name, source]) => {
      return [name, typeof source === 'string' ? { attribute: source } : source];
    }),
  );
}
