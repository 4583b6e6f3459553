import { apply } from '@drawbridge/mapping/apply.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';

/** Whether a changed document is submitted; `unmapped` when nothing tells its day of issue yet. */
export type Judgement = 'submit' | 'over' | 'unmapped';

/** Judges a document as its source holds it, by the day of issue from which the connector submits. */
export function judge(
  document: SourceDocument,
  mapping: Mapping | undefined,
  from: string,
): Judgement {
  const isApproved = mapping?.fields.some(({ status }) => status === 'approved') ?? false;
  if (mapping === undefined || !isApproved) return 'unmapped';
  const { issue_date: issued } = apply(document, mapping).cim;
  return typeof issued === 'string' && issued < from ? 'over' : 'submit';
}

/** The day of issue from which documents are submitted; older ones may have been submitted and deleted. */
export function firstDay(
  submitFrom: string | undefined,
  lifeDays: number | undefined,
  now: Date,
): string | undefined {
  if (submitFrom === undefined || lifeDays === undefined) return submitFrom;
  const oldest = new Date(now.getTime() - lifeDays * 86_400_000).toISOString().slice(0, 10);
  return oldest > submitFrom ? oldest : submitFrom;
}
