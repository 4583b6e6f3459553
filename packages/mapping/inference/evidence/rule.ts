import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { Arithmetic } from '../arithmetic.ts';
import type { Candidate } from '../candidate.ts';
import type { DescribedColumn, ReadColumn } from '../columns.ts';
import type { WantedValues } from '../wanted-values.ts';

/** What candidates are judged by besides their names. */
export interface CandidateEvidence {
  readonly known: readonly ReadColumn[];
  readonly documents: readonly SourceDocument[];
  readonly sums: Arithmetic | undefined;
  readonly wanted: WantedValues;
  /** Amounts of which it cannot be seen in which money they are. */
  readonly doubtful: ReadonlySet<ReadColumn>;
  /** Amounts that are the document's only where its currency is that of the books. */
  readonly ofBooks: ReadonlySet<ReadColumn>;
  /** Columns of another party than the one that is invoiced. */
  readonly ofOtherParties: ReadonlySet<DescribedColumn>;
}

/** The candidate as the evidence leaves it; undefined where that refutes it. */
export type Rule = (candidate: Candidate, evidence: CandidateEvidence) => Candidate | undefined;

/** The candidate with another confidence, within 0 and 0.99, and a reason more. */
export function withConfidence(
  candidate: Candidate,
  confidence: number,
  reason?: string,
): Candidate {
  const kept = Math.round(Math.max(0, Math.min(0.99, confidence)) * 100) / 100;
  const text = reason === undefined ? candidate.reason : `${candidate.reason} ${reason}`;
  return { ...candidate, confidence: kept, reason: text };
}

/** The candidate with no more confidence than that, and the reason where it had more. */
export function atMost(candidate: Candidate, most: number, reason?: string): Candidate {
  return candidate.confidence <= most ? candidate : withConfidence(candidate, most, reason);
}
