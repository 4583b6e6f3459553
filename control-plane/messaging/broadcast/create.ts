/** Makes a broadcast of a request: whatever can be known at once is checked at once. */
import { type Variables, variablesNeeded } from '@drawbridge/messaging/broadcast/variables.ts';
import { type Channel, channels } from '@drawbridge/messaging/message.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { claimKeys } from '../../platform/idempotency/claim.ts';
import { newId } from '../../platform/ids.ts';
import { addEvents } from '../../webhooks/store.ts';
import { appNotFound } from '../apps/routes.ts';
import { findApp, listApps } from '../apps/store.ts';
import { findSegmentId } from '../contacts/segment-store.ts';
import type { Place } from '../contacts/store.ts';
import { fail, invalid } from '../errors.ts';
import { findTemplatesByName, type TemplateRow } from '../templates/store.ts';
import { type BroadcastEdge, broadcastQueue } from './edge.ts';
import { broadcastEvent } from './events.ts';
import { planOf } from './plan.ts';
import type { BroadcastRequest } from './schema.ts';
import { type BroadcastRow, findBroadcast, insertBroadcast, type NewBroadcast } from './store.ts';

export interface Creation {
  readonly request: BroadcastRequest;
  readonly author: string;
  /** Of a request that may be repeated: see platform/idempotency. */
  readonly key: { route: string; key: string; fingerprint: string } | undefined;
}

export interface Created {
  readonly row: BroadcastRow;
  /** An earlier request with the key made it. */
  readonly isReplay: boolean;
}

/** Throws an `ApiError` that says why it cannot be made. */
export async function createBroadcast(
  tx: Tx,
  edge: BroadcastEdge,
  place: Place,
  { request, author, key }: Creation,
): Promise<Created> {
  const { tenantId, environment } = place;
  const id = newId('brc', edge.clock, edge.random);
  if (key !== undefined) {
    const [verdict] = await claimKeys(tx, tenantId, [{ ...key, environment, madeId: id }]);
    if (verdict?.kind === 'mismatch') {
      const detail = 'This Idempotency-Key was used for another broadcast; take a new one.';
      throw fail('idempotency_payload_mismatch', detail);
    }
    if (verdict?.kind === 'replay') {
      return { row: (await findBroadcast(tx, place, verdict.madeId))!, isReplay: true };
    }
  }
  const draft = await draftOf(tx, edge, place, request, { id, author });
  await insertBroadcast(tx, place, draft);
  const row = (await findBroadcast(tx, place, id))!;
  await addEvents(tx, tenantId, [broadcastEvent(edge, place, 'queued', row, edge.clock())]);
  const job = { queue: broadcastQueue, key: id, payload: { environment } };
  const isLater = draft.schedule_at > edge.clock();
  await edge.jobs.enqueue(tx, tenantId, [isLater ? { ...job, runAt: draft.schedule_at } : job]);
  return { row, isReplay: false };
}

/** What a request asks for, with everything it names looked up and checked. */
export async function draftOf(
  tx: Tx,
  edge: BroadcastEdge,
  place: Place,
  request: BroadcastRequest,
  own: { readonly id: string; readonly author: string },
): Promise<NewBroadcast> {
  const template = await chooseTemplate(tx, place, request);
  const segmentId = await findSegmentId(tx, place, request.segment);
  if (segmentId === undefined) {
    throw fail('segment_not_found', `There is no segment "${request.segment}".`);
  }
  const now = edge.clock();
  const asked = request.schedule_at === undefined ? now : new Date(request.schedule_at);
  const { quiet_hours: quiet, require_consent, track_urls, time_zone, segment } = request;
  const draft: NewBroadcast = {
    ...{ ...own, channel: template.channel, template_id: template.id, template: template.name },
    ...{ language: template.language, segment_id: segmentId, segment, time_zone },
    app_id: await chooseApp(tx, place, template, request.app_id),
    variables: checkVariables(template, request.variables),
    ...{ quiet_from: quiet?.from ?? null, quiet_to: quiet?.to ?? null },
    ...{ require_consent, track_urls, created_at: now },
    schedule_at: asked > now ? asked : now,
  };
  if (asked.getTime() > now.getTime() + aheadMsMax) {
    throw invalid('schedule_at', 'is more than a year ahead');
  }
  const planning = await planOf(tx, edge, place, draft, draft.schedule_at);
  if (planning.kind === 'refused') throw fail(planning.code, planning.detail);
  return draft;
}

export const aheadMsMax = 366 * 86_400_000;

/** The template of the name; channel and language are needed only where there are several. */
async function chooseTemplate(
  tx: Tx,
  place: Place,
  { template, channel, language: asked }: BroadcastRequest,
): Promise<TemplateRow> {
  const language = asked ?? null;
  const wanted: readonly Channel[] = channel === undefined ? channels : [channel];
  const found: TemplateRow[] = [];
  for (const each of wanted) {
    found.push(...(await findTemplatesByName(tx, place, each, template, language)));
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

/** The app that is named, else the template's own, else the only one of the channel. */
async function chooseApp(
  tx: Tx,
  place: Place,
  { channel, app_id }: TemplateRow,
  asked: string | undefined,
): Promise<string> {
  const named = asked ?? app_id ?? undefined;
  if (named !== undefined) {
    const row = await findApp(tx, place, named);
    if (row?.channel !== channel) throw appNotFound(named);
    return named;
  }
  const [only, another] = await listApps(tx, place, channel, { after: '', limit: 2 });
  if (only === undefined) {
    throw fail('app_not_found', 'This channel has no app yet: connect one first.');
  }
  if (another !== undefined) {
    throw invalid('app_id', 'is needed: the channel has more than one app');
  }
  return only.id;
}

/** Every variable that nothing else names must have a source, and every source a variable. */
function checkVariables(
  { definition }: TemplateRow,
  asked: BroadcastRequest['variables'],
): Variables {
  const needed = variablesNeeded(definition);
  for (const name of Object.keys(asked)) {
    if (!needed.includes(name)) {
      throw invalid(`variables.${name}`, 'is no variable of the template');
    }
  }
  const isNameless = (name: string) => /^(\d+|header|button_\d)$/.test(name);
  const missing = needed.find((name) => isNameless(name) && !Object.hasOwn(asked, name));
  if (missing !== undefined) throw invalid(`variables.${missing}`, 'is needed by the template');
  return Object.fromEntries(
    Object.entries(asked).map(([name, source]) => {
      return [name, typeof source === 'string' ? { attribute: source } : source];
    }),
  );
}
