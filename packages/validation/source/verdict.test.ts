import { type Mapping, mappingSchema } from '@drawbridge/mapping/mapping.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import { describe, expect, test } from 'vitest';
import { documents, type SampleDocument } from '../../../scripts/demo/erp-documents.ts';
import { companies, customers, type Row } from '../../../scripts/demo/erp-schema.ts';
import { mappings } from '../../../scripts/demo/mappings.ts';
import { Validator } from '../validate.ts';
import { decideVerdict, rejection } from './verdict.ts';

const now = new Date('2026-11-21T08:00:00Z');
const samples = documents('20261121', '080000');
const validator = new Validator();
const connectorId = 'con_1';

/** A sample document as a connector reads it. */
function sourceOf({ header, lines }: SampleDocument): SourceDocument {
  const row = (origin: string, key: string, values: Row): SourceRow => ({
    origin,
    key: String(values[key] ?? ''),
    values: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value === null ? null : String(value)]),
    ),
  });
  const one = (table: readonly Row[], key: string) =>
    table.filter((each) => each[key] === header[key]);
  // A table has every column, also those that are empty in this document.
  const whole = { CORRECTS_NO: null, CORRECTS_DATE: null, REASON: null, GROSS_CONTROL: null };
  return {
    ref: String(header.DOC_NO),
    sections: {
      header: [row('OSALES', 'DOC_NO', { ...whole, DOC_TIME: null, ...header })],
      company: one(companies, 'COMP_ID').map((each) =>
        row('OCOMP', 'COMP_ID', { STATE: null, ZIP: null, STREET2: null, ...each }),
      ),
      customer: one(customers, 'CUST_NO').map((each) =>
        row('OCUST', 'CUST_NO', {
          STATE: null,
          ZIP: null,
          STREET2: null,
          PHONE: null,
          EMAIL: null,
          REG_NO: null,
          ...each,
        }),
      ),
      lines: lines.map((each, at) => row('OLINES', 'LINE_ID', { LINE_ID: at + 1, ...each })),
      corrected: [],
    },
  };
}

function mappingOf(profile: SampleDocument['profile'], status = 'approved'): Mapping {
  const fields = mappings[profile].fields.map((field) => ({ ...field, status }));
  return mappingSchema.parse({ profile, fields });
}

const judged = (sample: SampleDocument, more: { mapping?: Mapping | undefined } = {}) =>
  decideVerdict({
    validator,
    profile: profileById(sample.profile)!,
    now,
    connectorId,
    source: sourceOf(sample),
    mapping: mappingOf(sample.profile),
    ...more,
  });

const good = samples.filter(({ expect: { kind }, header, profile }) => {
  // A Malaysian credit note names an identifier that only a cleared invoice has.
  return kind === 'settles' && !(profile === 'PINT-MY' && header.DOC_KIND === 'C');
});
const named = (sample: SampleDocument) => [String(sample.header.DOC_NO), sample] as const;

describe('a good document passes', () => {
  test.each(good.map(named))('%s', (_ref, sample) => {
    const verdict = judged(sample);
    expect(verdict.kind === 'failed' ? verdict.errors : []).toEqual([]);
    if (verdict.kind !== 'passed') return;
    expect(verdict.document).toContain(String(sample.header.DOC_NO));
    // Only a clearance market has a separate document.
    expect(verdict.clearance !== undefined).toBe(sample.profile === 'PINT-MY');
    expect(verdict.cim.number).toBe(sample.header.DOC_NO);
  });
});

describe('a bad one fails by the rule, at the column', () => {
  const bad = samples.flatMap((sample) =>
    sample.expect.kind === 'rejected' ? [[...named(sample), sample.expect] as const] : [],
  );
  test.each(bad)('%s', (_ref, sample, { rule, at }) => {
    const verdict = judged(sample);
    if (verdict.kind === 'passed') throw new Error('passed');
    const fault = verdict.errors.find((each) => rule.test(each.rule));
    expect(fault).toMatchObject({ severity: 'fatal', source: { connector: connectorId } });
    expect(`${fault?.source?.origin}.${fault?.source?.column}`).toBe(at);
    expect(verdict.checks).toEqual(
      /-XSD-/.test(fault!.rule)
        ? { schema: 'failed', business_rules: 'skipped' }
        : { schema: 'passed', business_rules: 'failed' },
    );
  });
});

const [first] = good as [SampleDocument];

test.each([
  ['no mapping', undefined],
  ['a mapping that nobody approved', mappingOf('PINT-AE', 'proposed')],
])('with %s it is refused, and told how to go on', (_name, mapping) => {
  const verdict = judged(first, { mapping });
  expect(verdict).toMatchObject({
    kind: 'failed',
    checks: { schema: 'skipped', business_rules: 'skipped' },
    cim: undefined,
    document: undefined,
    errors: [
      {
        rule: 'PINT-AE-MAPPING-NOT-APPROVED',
        message: expect.stringContaining('/v1/connectors/con_1/mapping/approve'),
      },
    ],
  });
});

test('a value that does not map names the column it comes from', () => {
  const sample = { ...first, header: { ...first.header, DOC_DATE: 'yesterday' } };
  const verdict = judged(sample);
  expect(verdict).toMatchObject({
    kind: 'failed',
    checks: { schema: 'failed', business_rules: 'skipped' },
    document: undefined,
    errors: [
      {
        field: 'issue_date',
        rule: expect.stringMatching(/^PINT-AE-MAP-/),
        source: { origin: 'OSALES', column: 'DOC_DATE', value: 'yesterday' },
      },
    ],
  });
});

test('a value that only the clearance authority requires is a fault of this stage, at its column', () => {
  const sample = samples.find(({ profile }) => profile === 'PINT-MY')!;
  const source = sourceOf(sample);
  const [company] = source.sections.company!;
  const without = { ...company!, values: { ...company!.values, MSIC: null, ACTIVITY: null } };
  const verdict = decideVerdict({
    validator,
    profile: profileById('PINT-MY')!,
    now,
    connectorId,
    mapping: mappingOf('PINT-MY'),
    source: { ...source, sections: { ...source.sections, company: [without] } },
  });
  if (verdict.kind === 'passed') throw new Error('passed');
  expect(verdict.errors.map(({ source: at }) => at?.column)).toContain('MSIC');
});

test('the first emission fixes the time of issue, so that the same verdict gives the same bytes', () => {
  const sample = samples.find(({ profile }) => profile === 'PINT-MY')!;
  const timeless = { ...sample, header: { ...sample.header, DOC_TIME: null } };
  const [one, other] = [judged(timeless), judged(timeless)];
  expect(one).toEqual(other);
  expect(one.cim?.issue_time).toBe('16:00:00+08:00');
});

test('a rejection is one fatal fault of the whole document', () => {
  expect(rejection(profileById('BIS-3.0')!, 'SOURCE-NOT-FOUND', 'None.')).toEqual({
    kind: 'failed',
    checks: { schema: 'skipped', business_rules: 'skipped' },
    identity: {},
    warnings: [],
    errors: [{ field: '/', rule: 'BIS-3.0-SOURCE-NOT-FOUND', message: 'None.', severity: 'fatal' }],
    cim: undefined,
    provenance: undefined,
    document: undefined,
  });
});
