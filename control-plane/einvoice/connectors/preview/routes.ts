import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { ReadOutcome } from '@drawbridge/connectors/contract.ts';
import { fingerprint } from '@drawbridge/mapping/fingerprint.ts';
import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';
import type { Company } from '@drawbridge/profiles/company.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import { type Examination, refusedExamination } from '@drawbridge/validation/preview/examine.ts';
import { type Objection, summaryOf } from '@drawbridge/validation/preview/objections.ts';
import { seemingTotals } from '@drawbridge/validation/preview/seeming-totals.ts';
import { z } from 'zod';
import { type Principal, permits } from '../../../platform/auth/principal.ts';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { storable } from '../../../platform/db/storable.ts';
import { route } from '../../../platform/http/route.ts';
import { settledOr } from '../../document-checks/refusal.ts';
import { fail } from '../../errors.ts';
import {
  type Described,
  describe,
  type MappingRoutesContext,
  type Place,
  placeOf,
  readCompany,
  readMapping,
} from '../mapping-place.ts';
import { mappingQuery } from '../mapping-schema.ts';
import { connectorId } from '../schema.ts';
import { unanswered, unansweredErrors } from '../unanswered.ts';
import { examine } from './examination.ts';
import { objectionsMax, previewDocumentsMax, previewRequest, previewView } from './schema.ts';
import { findPreview, type KeptObjection, savePreview } from './store.ts';

const params = z.strictObject({ id: connectorId });
/** Of reading and examining all documents; what was done until then is answered. */
const previewTimeoutMs = 30_000;
/** Documents that are in memory at the same time. */
const readAtOnce = 10;

export function previewRoute(context: MappingRoutesContext) {
  /** Tenants and connectors whose preview is under way on this node. */
  const underWay = new Set<string>();
  return route({
    method: 'post',
    path: '/v1/connectors/{id}/mapping/preview',
    operationId: 'previewMapping',
    summary: 'What the newest documents would come to, before the mapping is approved',
    description:
      'Reads the newest documents through the mapping as if all of it were approved, with the company profile: how ' +
      "many would pass, what refuses the others, and our totals and tax beside the ERP's own. Nothing is submitted. What " +
      'stands against the mapping is an objection: where the caller may propose or approve mappings, those of the ' +
      'stored mapping are kept, and its approval has to answer them (`accepted_objections`).',
    tag: 'Mapping',
    auth: { scope: 'connectors:read' },
    unaudited: 'it changes no setting; what is accepted later is in the audit log',
    limit: 'write',
    request: { params, query: mappingQuery, body: previewRequest.prefault({}) },
    responses: { 200: { description: 'What they would come to.', schema: previewView } },
    errors: [
      'connector_not_found',
      'profile_required',
      'mapping_invalid',
      'preview_under_way',
      ...unansweredErrors,
    ],
    handler: async ({ params: { id }, query, body, principal, signal }) => {
      const key = `${principal.tenantId} ${id}`;
      if (underWay.has(key)) {
        throw fail(
          'preview_under_way',
          'A preview of this connector is under way: send yours when it has ended.',
          { headers: { 'retry-after': '5' } },
        );
      }
      underWay.add(key);
      try {
        const place = await placeOf(context, principal.tenantId, id, query.profile);
        return { status: 200, body: await preview(context, principal, place, body, signal) };
      } finally {
        underWay.delete(key);
      }
    },
  });
}

async function preview(
  context: MappingRoutesContext,
  principal: Principal,
  place: Place,
  { mapping: given, documents: wanted }: z.output<typeof previewRequest>,
  hangUp: AbortSignal,
) {
  const { row, profile } = place;
  if (given?.profile !== undefined && given.profile !== profile.id) {
    throw fail(
      'mapping_invalid',
      `The mapping is for ${given.profile}, and the call for ${profile.id}: add ?profile=${given.profile}.`,
    );
  }
  const signal = AbortSignal.any([hangUp, AbortSignal.timeout(previewTimeoutMs)]);
  const described = await describe(place.connector);
  const mapping =
    given ?? (await readMapping(context, principal.tenantId, place, described)).document;
  if (mapping.fields.length === 0) {
    throw fail('mapping_invalid', 'The mapping has no fields yet: map some, then preview it.');
  }
  const company = await readCompany(context, principal);
  const examined = await examineNewest(
    context,
    principal.tenantId,
    { ...place, described, mapping, company },
    wanted,
    signal,
  );
  const { objections, ...summary } = summaryOf(
    { profile, mapping, company },
    examined.examinations,
  );
  // A look at fewer documents must not take away what more of them showed.
  const isKept =
    given === undefined &&
    wanted === previewDocumentsMax &&
    !hangUp.aborted &&
    (permits(principal, 'connectors:write') || permits(principal, 'mappings:approve'));
  const isWhole = examined.stopped === undefined;
  const kept = isKept
    ? await keep(context, principal, place, mapping, { objections, isWhole })
    : [];
  const answered = new Set(kept.filter(({ accepted }) => accepted).map(({ id }) => id));
  const shown = objections.map((each) => ({ ...each, accepted: answered.has(each.id) }));
  const isOpen = shown.some(({ accepted }) => !accepted);
  return {
    connector_id: row.id,
    profile: profile.id,
    ...summary,
    ...(examined.stopped === undefined ? {} : { stopped: examined.stopped }),
    objections: shown,
    next: nextSteps(`/v1/connectors/${row.id}/mapping`, profile.id, isOpen),
  };
}

interface Previewed extends Place {
  readonly described: Described;
  readonly mapping: Mapping;
  readonly company: Company | undefined;
}

interface Examined {
  readonly examinations: readonly Examination[];
  /** Why not all were examined. */
  readonly stopped?: string;
}

async function examineNewest(
  context: MappingRoutesContext,
  tenantId: string,
  previewed: Previewed,
  wanted: number,
  signal: AbortSignal,
): Promise<Examined> {
  const { connector, row, described, mapping, profile } = previewed;
  const test = await connector.test(signal);
  if (test.kind === 'failed') throw unanswered(test.fault);
  const refs = test.sampleRefs.slice(0, wanted);
  const examinations: Examination[] = [];
  let totals: readonly MappingField[] | undefined;
  for (let start = 0; start < refs.length; start += readAtOnce) {
    const part = refs.slice(start, start + readAtOnce);
    const outcomes = await context.open.read(tenantId, row, part, signal);
    totals ??= seemingTotals(
      mapping,
      await proposalFor(context, tenantId, {
        profile,
        described,
        documents: documentsOf(outcomes),
      }),
    );
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.kind === 'missing') continue;
      if (signal.aborted) return { examinations, stopped: stoppedWords(examinations, refs) };
      if (outcome.kind === 'unreachable') {
        if (examinations.length === 0) throw unanswered(outcome.fault);
        return { examinations, stopped: `The source stopped answering: ${outcome.fault.message}` };
      }
      const ref = part[index]!;
      examinations.push(
        outcome.kind === 'found'
          ? await examine(context, tenantId, previewed, outcome.document, totals)
          : refusedExamination(ref, profile, `SOURCE-${outcome.fault.code}`, outcome.fault.message),
      );
      await yieldToOthers();
    }
  }
  return { examinations };
}

async function proposalFor(
  { checker }: MappingRoutesContext,
  tenantId: string,
  {
    profile,
    described,
    documents,
  }: Pick<Previewed, 'profile' | 'described'> & {
    readonly documents: readonly SourceDocument[];
  },
): Promise<Mapping> {
  const { columns, joins } = described;
  return settledOr(await checker.proposal(tenantId, { profile, columns, joins, documents }));
}

function documentsOf(outcomes: readonly ReadOutcome[]): readonly SourceDocument[] {
  return outcomes.flatMap((outcome) => (outcome.kind === 'found' ? [outcome.document] : []));
}

function stoppedWords(examined: readonly Examination[], refs: readonly string[]): string {
  return (
    `After ${previewTimeoutMs / 1_000} seconds ${examined.length} of ${refs.length} documents were read. ` +
    'Ask for fewer, or again when the source is less busy.'
  );
}

interface Outcome {
  readonly objections: readonly Objection[];
  /** All documents were read: what they do not show stands no more. */
  readonly isWhole: boolean;
}

/** Keeps the objections in place of those before; what was accepted of the same stays so. */
async function keep(
  { db, clock }: MappingRoutesContext,
  principal: Principal,
  { row, profile }: Place,
  mapping: Mapping,
  { objections, isWhole }: Outcome,
): Promise<readonly KeptObjection[]> {
  const scope = scopeOf(principal);
  const previewed = fingerprint(mapping);
  return db.tenant(scope.tenantId, async (tx) => {
    const before = await findPreview(tx, scope, row.id, profile.id);
    const accepted = new Map(before?.objections.map((each) => [each.id, each.accepted]));
    const kept = objections.map(({ id, kind, words, documents }): KeptObjection => {
      const answer = accepted.get(id);
      return { id, kind, words: storable(words), documents, ...(answer && { accepted: answer }) };
    });
    const ids = new Set(kept.map(({ id }) => id));
    const isSame = before?.fingerprint === previewed;
    const earlier = isSame && !isWhole ? before.objections.filter(({ id }) => !ids.has(id)) : [];
    const all = [...kept, ...earlier].slice(0, objectionsMax);
    const preview = { fingerprint: previewed, objections: all };
    await savePreview(tx, scope, row.id, profile.id, preview, clock());
    return kept;
  });
}

function nextSteps(base: string, profile: string, isOpen: boolean) {
  const approve = `POST ${base}/approve?profile=${profile}`;
  if (!isOpen) return [{ why: 'Nothing stands against it: approve the mapping.', call: approve }];
  return [
    {
      why: 'Objections are open: correct the mapping, or the documents in the ERP, and preview again.',
      call: `PUT ${base}?profile=${profile}`,
    },
    { why: 'Or accept them in the approval, each with a reason.', call: approve },
  ];
}
