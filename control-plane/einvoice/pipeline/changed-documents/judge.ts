import { notPosted, type PostedCondition } from '@drawbridge/lifecycle/submission-policy.ts';
import { apply } from '@drawbridge/mapping/apply.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { CompanyRow } from '../../company/store.ts';
import type { MappingRow } from '../../connectors/store.ts';

/** What decides whether a changed document is submitted. */
export interface Wanted {
  /** Some of it is approved. */
  readonly mapping: Mapping;
  /** The day of issue from which documents are submitted. */
  readonly from: string;
  readonly posted: PostedCondition | undefined;
  /** Of all profiles: what was sent may be of another one. */
  readonly mappings: readonly MappingRow[];
  readonly company: CompanyRow | undefined;
}

/** Whether a changed document is submitted. */
export type Judgement =
  | { readonly kind: 'submit' }
  /** Not as it is now; `reason` goes on after "it is not sent:". */
  | { readonly kind: 'unwanted'; readonly reason: string };

/** Judges a document as its source holds it. */
export function judge(document: SourceDocument, { mapping, from, posted }: Wanted): Judgement {
  const header = document.sections.header?.[0]?.values;
  // One without that column is submitted and rejected, so that the client sees what to correct.
  const canBeJudged = posted !== undefined && header?.[posted.column] !== undefined;
  if (canBeJudged && notPosted(posted, header) !== undefined) {
    return {
      kind: 'unwanted',
      reason: `it is not posted: ${posted.column} is "${header[posted.column] ?? ''}"`,
    };
  }
  const { issue_date: issued } = apply(document, mapping).cim;
  return typeof issued === 'string' && issued < from
    ? { kind: 'unwanted', reason: `it was issued on ${issued}, before ${from}` }
    : { kind: 'submit' };
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
