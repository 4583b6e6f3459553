import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { withCompany } from '@drawbridge/mapping/company.ts';
import { type Coverage, coverage } from '@drawbridge/mapping/coverage.ts';
import { infer } from '@drawbridge/mapping/infer.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import { type ValueMap, valueMaps } from '@drawbridge/mapping/value-maps.ts';
import type { Company } from '@drawbridge/profiles/company.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import {
  allApproved,
  type Examination,
  examineDocument,
  refusedExamination,
} from '@drawbridge/validation/preview/examine.ts';
import { summaryOf } from '@drawbridge/validation/preview/objections.ts';
import { seemingTotals } from '@drawbridge/validation/preview/seeming-totals.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import type { SourceSample } from './source.ts';

/** A mapping to try, and what it is tried with. */
export interface TriedMapping {
  /** Name of the connector, by which places are told. */
  readonly connector: string;
  readonly profile: Profile;
  readonly mapping: Mapping;
  readonly company: Company | undefined;
}

/** What the documents would come to, decided as the control plane's own preview decides it. */
export type LocalPreview = ReturnType<typeof summaryOf> & {
  readonly coverage: Coverage;
  readonly valueMaps: readonly ValueMap[];
};

/** Holds the documents of a sample against the mapping as if all of it were approved. */
export async function previewLocally(
  { connector, profile, mapping, company }: TriedMapping,
  { columns, joins, documents, unread }: SourceSample,
  now: Date,
): Promise<LocalPreview> {
  const validator = new Validator();
  const totals = seemingTotals(mapping, infer(columns, profile, { documents, joins }));
  const examinations: Examination[] = unread.map(({ ref, fault: { code, message } }) =>
    refusedExamination(ref, profile, `SOURCE-${code}`, message),
  );
  for (const source of documents) {
    const given = { validator, profile, mapping, company, source, connectorId: connector, now };
    examinations.push(examineDocument({ ...given, seemingTotals: totals }));
    await yieldToOthers(); // so that Ctrl-C is heard
  }
  const maps = valueMaps(mapping, profile.codeLists.billing, documents);
  const whole = withCompany(allApproved(mapping), company, profile.id);
  return {
    ...summaryOf({ profile, mapping, company }, examinations),
    coverage: coverage(whole, profile.fields, profile.filled, maps),
    valueMaps: maps,
  };
}
