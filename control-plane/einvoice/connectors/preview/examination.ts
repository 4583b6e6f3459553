import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';
import type { Company } from '@drawbridge/profiles/company.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import { type Examination, refusedExamination } from '@drawbridge/validation/preview/examine.ts';
import { endedMessage, settledOr } from '../../document-checks/refusal.ts';
import type { MappingRoutesContext, Place } from '../mapping-place.ts';

/** What documents are looked at with. */
export interface ExaminedPlace extends Pick<Place, 'row' | 'profile'> {
  readonly mapping: Mapping;
  readonly company: Company | undefined;
}

/** What one document would come to; one that takes too much is refused. */
export async function examine(
  { checker, clock }: Pick<MappingRoutesContext, 'checker' | 'clock'>,
  tenantId: string,
  { profile, mapping, company, row }: ExaminedPlace,
  source: SourceDocument,
  seemingTotals: readonly MappingField[],
): Promise<Examination> {
  const outcome = await checker.examine(tenantId, {
    profile,
    mapping,
    company,
    source,
    connectorId: row.id,
    now: clock(),
    seemingTotals,
  });
  if (outcome.kind !== 'ended' || outcome.cause === 'crash') return settledOr(outcome);
  return refusedExamination(source.ref, profile, 'LIMIT-work', endedMessage(outcome.cause));
}

/** Milliseconds after which no further document is looked at for a view. */
const examinedMs = 5_000;

/** What the documents would come to, as many as can be looked at while somebody waits for a view. */
export async function examineAll(
  context: Pick<MappingRoutesContext, 'checker' | 'clock'>,
  tenantId: string,
  place: ExaminedPlace,
  documents: readonly SourceDocument[],
): Promise<readonly Examination[]> {
  if (place.mapping.fields.length === 0) return [];
  const end = AbortSignal.timeout(examinedMs);
  const examinations: Examination[] = [];
  for (const document of documents) {
    if (end.aborted) break;
    examinations.push(await examine(context, tenantId, place, document, []));
    await yieldToOthers();
  }
  return examinations;
}
