/** How a draft becomes the mapping of the control plane: it is sent, previewed there, and approved with answers. */

import { reading } from '@drawbridge/mapping/fingerprint.ts';
import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';
import { mappingSchema } from '@drawbridge/mapping/mapping.ts';
import { z } from 'zod';
import { type Asked, readAs } from '../control-plane/answers.ts';
import type { ApiCall } from '../control-plane/client.ts';
import type { Failed } from '../outcome.ts';
import type { Identity } from '../store/identity.ts';
import { mappingChanges } from './diff.ts';

const connectorPage = z.object({
  results: z.array(
    z.object({
      id: z.string().max(100),
      pattern: z.string(),
      agent_id: z.string().optional(),
      settings: z.record(z.string(), z.unknown()),
    }),
  ),
  next: z.string().max(1_000).nullable(),
});

const pageLimit = 200;
/** Pages of connectors that are looked through. */
const pagesMax = 50;

/** A connector of the control plane that reads through an agent. */
export interface RemoteConnector {
  readonly id: string;
  readonly agentId: string | undefined;
  /** The name by which it asks its agent for the source. */
  readonly source: unknown;
}

export async function listRemoteConnectors(
  call: ApiCall,
): Promise<Asked<readonly RemoteConnector[]>> {
  const found: RemoteConnector[] = [];
  let cursor = '';
  for (let page = 0; page < pagesMax; page += 1) {
    const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/v1/connectors?limit=${pageLimit}${after}`;
    const asked = readAs(connectorPage, await call('GET', path));
    if (asked.kind === 'failed') return asked;
    for (const { id, pattern, agent_id: agentId, settings } of asked.value.results) {
      if (pattern === 'agent') found.push({ id, agentId, source: settings.connector });
    }
    if (asked.value.next === null) break;
    cursor = asked.value.next;
  }
  return { kind: 'answer', value: found };
}

/**
 * The id of the control plane's connector through which it reads that of an agent; undefined when there is none. One
 * that still names an agent that this host was before is a failure: a second one beside it would submit all again.
 */
export async function findRemoteConnector(
  call: ApiCall,
  { agentId, formerAgents = [] }: Pick<Identity, 'agentId' | 'formerAgents'>,
  name: string,
): Promise<Asked<string | undefined>> {
  const listed = await listRemoteConnectors(call);
  if (listed.kind === 'failed') return listed;
  const ofSource = listed.value.filter(({ source }) => source === name);
  const own = ofSource.find((one) => one.agentId === agentId);
  if (own !== undefined) return { kind: 'answer', value: own.id };
  const former = ofSource.find((one) => formerAgents.some((id) => id === one.agentId));
  if (former === undefined) return { kind: 'answer', value: undefined };
  const cause = `${former.id} reads "${name}", and names ${former.agentId}, which this host was before.`;
  return { kind: 'failed', error: 'connector_of_former_agent', cause };
}

/** Makes one; returns its id. */
export async function makeRemoteConnector(
  call: ApiCall,
  agentId: string,
  name: string,
  profile: string,
): Promise<Asked<string>> {
  const made = await call('POST', '/v1/connectors', {
    pattern: 'agent',
    kind: 'agent',
    name,
    agent_id: agentId,
    default_profile: profile,
    settings: { connector: name },
  });
  const asked = readAs(z.object({ id: z.string().max(100) }), made);
  return asked.kind === 'failed' ? asked : { kind: 'answer', value: asked.value.id };
}

/** A connector of the control plane, for one profile. */
export interface RemotePlace {
  readonly connectorId: string;
  readonly profile: string;
}

const { lists, joins } = mappingSchema.shape;
const mappingView = z.object({
  version: z.int(),
  documents_waiting: z.int().default(0),
  next: z.array(z.object({ why: z.string().max(1_000) })).default([]),
  fields: z.array(z.looseObject({ sample: z.unknown().optional() })),
  lists,
  joins,
});

/** The mapping of the control plane as it is now; version 0 when it has none and only proposes one. */
export interface RemoteMapping {
  readonly version: number;
  readonly mapping: Mapping;
  /** New and changed documents that are not submitted yet; a control plane of before tells none. */
  readonly documentsWaiting: number;
  /** What a person should do there next, a sentence each. */
  readonly next: readonly string[];
}

export async function readRemoteMapping(
  call: ApiCall,
  place: RemotePlace,
): Promise<Asked<RemoteMapping>> {
  const asked = readAs(mappingView, await call('GET', pathOf(place)));
  if (asked.kind === 'failed') return asked;
  const { version, fields, documents_waiting: documentsWaiting, next, ...rest } = asked.value;
  const plain = fields.map(({ sample: _, ...field }) => field);
  const parsed = readAs(mappingSchema, { kind: 'ok', body: { ...rest, fields: plain } });
  if (parsed.kind === 'failed') return parsed;
  const steps = next.map(({ why }) => why);
  return {
    kind: 'answer',
    value: { version, mapping: parsed.value, documentsWaiting, next: steps },
  };
}

/** What is approved of it. */
export function approvedPart({ version, mapping }: RemoteMapping): Mapping {
  const fields = version === 0 ? [] : mapping.fields.filter(({ status }) => status === 'approved');
  return { ...mapping, fields };
}

const objection = z.object({
  id: z.string().max(100),
  kind: z.string().max(100),
  words: z.string(),
  documents: z.int(),
  accepted: z.boolean(),
});
/** What stands against approving a mapping. */
type Objection = z.infer<typeof objection>;

const preview = z.object({
  documents: z.object({ read: z.int(), passed: z.int(), refused: z.int() }),
  objections: z.array(objection),
});
export type RemotePreview = z.infer<typeof preview>;

/** Reasons by the ids of the objections that they answer. */
export type Answers = ReadonlyMap<string, string>;

export type ApprovalOutcome =
  | { readonly kind: 'approved'; readonly version: number; readonly preview: RemotePreview }
  /** Nothing was changed: these are not answered. */
  | { readonly kind: 'open'; readonly preview: RemotePreview; readonly open: readonly Objection[] }
  | Failed;

/**
 * Approves a draft. `answer` is asked for reasons before anything is changed, as fields that say something new are used by
 * nobody between the sending and the approval.
 */
export async function approveDraft(
  call: ApiCall,
  place: RemotePlace,
  draft: Mapping,
  answer: (preview: RemotePreview) => Promise<Answers>,
): Promise<ApprovalOutcome> {
  const held = await readRemoteMapping(call, place);
  if (held.kind === 'failed') return held;
  const { version } = held.value;
  const mapping = withApprovals(draft, approvedPart(held.value));
  const looked = readAs(preview, await call('POST', pathOf(place, '/preview'), { mapping }));
  if (looked.kind === 'failed') return looked;
  const answers = await answer(looked.value);
  const unanswered = openOf(looked.value, answers);
  if (unanswered.length > 0) return { kind: 'open', preview: looked.value, open: unanswered };
  // Who proposes and who approves may be two people: what is there already is not sent again.
  const isThere = version > 0 && mappingChanges(held.value.mapping, draft).length === 0;
  if (!isThere) {
    const sent = await call('PUT', pathOf(place), { version, mapping });
    if (sent.kind !== 'ok') return sent.outcome;
  }
  const kept = readAs(preview, await call('POST', pathOf(place, '/preview'), {}));
  if (kept.kind === 'failed') return kept;
  const open = openOf(kept.value, answers);
  if (open.length > 0) return { kind: 'open', preview: kept.value, open };
  const approved = await call('POST', pathOf(place, '/approve'), {
    accepted_objections: kept.value.objections.flatMap(({ id }) => {
      const reason = answers.get(id);
      return reason === undefined ? [] : [{ id, reason }];
    }),
  });
  const done = readAs(z.object({ version: z.int() }), approved);
  if (done.kind === 'failed') {
    const { error, cause } = done;
    return { kind: 'failed', error, cause: `The draft is proposed there now. ${cause}` };
  }
  return { kind: 'approved', version: done.value.version, preview: kept.value };
}

function openOf({ objections }: RemotePreview, answers: Answers): readonly Objection[] {
  return objections.filter(({ id, accepted }) => !accepted && !answers.has(id));
}

/** A field that says what is approved stays so, and documents are read by it all the while. */
function withApprovals(draft: Mapping, approved: Mapping): Mapping {
  const known = new Set(approved.fields.map((field) => reading(field, approved)));
  const fields = draft.fields.map((field): MappingField => {
    const { approved_by: _by, approved_at: _at, proposed_by: _proposer, ...plain } = field;
    return { ...plain, status: known.has(reading(field, draft)) ? 'approved' : 'proposed' };
  });
  return { ...draft, fields };
}

function pathOf({ connectorId, profile }: RemotePlace, step = ''): string {
  return `/v1/connectors/${encodeURIComponent(connectorId)}/mapping${step}?profile=${profile}`;
}
