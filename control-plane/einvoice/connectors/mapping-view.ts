import type { ColumnDescription, Connector } from '@drawbridge/connectors/contract.ts';
import { explain } from '@drawbridge/explanations/explain.ts';
import { changesOf } from '@drawbridge/mapping/changes.ts';
import { withCompany } from '@drawbridge/mapping/company.ts';
import { coverage } from '@drawbridge/mapping/coverage.ts';
import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';
import { valueMaps } from '@drawbridge/mapping/value-maps.ts';
import type { Company } from '@drawbridge/profiles/company.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { Examination } from '@drawbridge/validation/preview/examine.ts';
import { lackingFields } from '@drawbridge/validation/preview/lacking-fields.ts';
import type { DocumentChecker } from '../document-checks/document-checker.ts';
import { settledOr } from '../document-checks/refusal.ts';
import type { MappingSample } from './mapping-sample.ts';
import type { KeptMapping } from './store.ts';

/** A sample document of the source, as the mapping reads it. */
export interface Sample extends MappingSample {
  readonly ref: string;
}

const sampleTimeoutMs = 20_000;

/**
 * Reads one document and maps it by every field, approved or not. Undefined when the source has
 * none now.
 */
export async function sampleOf(
  checker: DocumentChecker,
  tenantId: string,
  connector: Connector,
  mapping: Mapping,
): Promise<Sample | undefined> {
  const signal = AbortSignal.timeout(sampleTimeoutMs);
  const test = await connector.test(signal);
  const ref = test.kind === 'ok' ? test.sampleRefs[0] : undefined;
  if (ref === undefined) return undefined;
  const read = await connector.read(ref, signal);
  if (read.kind !== 'found') return undefined;
  return { ref, ...settledOr(await checker.sample(tenantId, read.document, mapping)) };
}

/** A mapping as it is stored or proposed. */
export interface Held extends KeptMapping {
  /** Real documents, where they were read: the newest ones. */
  readonly documents?: readonly SourceDocument[];
}

/** What is known of a mapping besides itself. */
export interface Shown extends Held {
  readonly documents: readonly SourceDocument[];
  /** What those would come to that were looked at. */
  readonly examinations: readonly Examination[];
  readonly columns: readonly ColumnDescription[];
  readonly sample: Sample | undefined;
  readonly company: Company | undefined;
  /** Changed documents of the source that are not submitted yet. */
  readonly documentsWaiting: number;
}

/** A mapping as the API shows it: the fields with samples, what is missing, and what to do next. */
export function viewOf(
  connectorId: string,
  profile: Profile,
  {
    document,
    version,
    approved,
    changed_by,
    documents,
    examinations,
    columns,
    sample,
    company,
    documentsWaiting,
  }: Shown,
) {
  const maps = valueMaps(document, profile.codeLists.billing, documents);
  const whole = withCompany(document, company, profile.id);
  const lacking = lackingFields(examinations, explain);
  const covered = coverage(whole, profile.fields, profile.filled, maps, lacking);
  return {
    connector_id: connectorId,
    profile: profile.id,
    version,
    status: statusOf(document),
    ...(changed_by === null ? {} : { changed_by }),
    fields: document.fields.map((field) => withSample(field, sample)),
    ...(document.lists === undefined ? {} : { lists: document.lists }),
    ...(document.joins === undefined ? {} : { joins: document.joins }),
    changes: changesOf(approved ?? undefined, document),
    coverage: {
      documents: examinations.length,
      counts: covered.counts,
      missing: covered.missing,
      fields: covered.fields.map(({ field: _, ...row }) => row),
    },
    value_maps: maps,
    columns,
    ...(sample === undefined ? {} : { sample_ref: sample.ref }),
    problems: sample?.problems ?? [],
    documents_waiting: documentsWaiting,
    next: nextSteps(connectorId, profile, document, covered.missing, documentsWaiting),
  };
}

function statusOf({ fields }: Mapping): 'empty' | 'proposed' | 'partly_approved' | 'approved' {
  if (fields.length === 0) return 'empty';
  const approved = fields.filter((field) => field.status === 'approved').length;
  if (approved === 0) return 'proposed';
  return approved === fields.length ? 'approved' : 'partly_approved';
}

function withSample(field: MappingField, sample: Sample | undefined) {
  if (sample?.values.has(field.target) !== true) return field;
  return { ...field, sample: sample.values.get(field.target) };
}

function nextSteps(
  id: string,
  profile: Profile,
  mapping: Mapping,
  missing: readonly string[],
  documentsWaiting: number,
) {
  const open = mapping.fields.filter((field) => field.status === 'proposed').length;
  const base = `/v1/connectors/${id}/mapping`;
  const isFirst = documentsWaiting > 0 && mapping.fields.length === open;
  return [
    ...(missing.length === 0
      ? []
      : [
          {
            why: `${missing.length} fields without which documents are refused are missing: see coverage.missing.`,
            call: `PUT ${base}?profile=${profile.id}`,
          },
        ]),
    ...(open === 0
      ? []
      : [
          {
            why:
              `${open} proposed fields wait for approval; without it they are not used.` +
              (isFirst ? ` ${documentsWaiting} documents wait for it.` : ''),
            call: `POST ${base}/approve?profile=${profile.id}`,
          },
        ]),
    ...(open === 0 && missing.length === 0
      ? [{ why: 'The mapping is complete: submit a document.', call: 'POST /v1/invoices' }]
      : []),
  ];
}
