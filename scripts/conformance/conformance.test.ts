import { profiles } from '@drawbridge/profiles/registry.ts';
import { artefactsOf } from '@drawbridge/rules/rule-coverage.suite.ts';
import { describe, expect, test } from 'vitest';
import { casesOf } from './cases.ts';
import { measure } from './measure.ts';

describe("the authorities' verdicts", () => {
  test.for(profiles)('$id agrees on every document', { timeout: 120_000 }, (profile, context) => {
    const agreement = measure(profile, casesOf(artefactsOf(profile, context)));
    expect(agreement.documents).toBeGreaterThan(1_000);
    expect(agreement.disagreements).toEqual([]);
    expect(agreement.schema.documents).toBeGreaterThan(1_000);
    expect(agreement.schema.disagreements).toEqual([]);
  });
});

describe('measuring', () => {
  const profile = profiles.find(({ id }) => id === 'PINT-MY')!;
  const verdict = {
    selfBilling: false,
    schemaValid: true,
    warning: new Set<string>(),
    stopped: false,
  };
  const empty = '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>';

  test('separates missing from extra breaches, rule by rule', () => {
    const agreement = measure(profile, [
      { ...verdict, id: 'a', xml: empty, fatal: new Set(['ibr-001', 'ibr-invented']) },
    ]);
    expect(agreement.agreed.fatal).toBe(0);
    expect(agreement.rules.get('ibr-001')).toEqual({ matched: 1, missing: 0, extra: 0 });
    expect(agreement.rules.get('ibr-invented')).toEqual({ matched: 0, missing: 1, extra: 0 });
    expect(agreement.rules.get('ibr-002')).toEqual({ matched: 0, missing: 0, extra: 1 });
  });

  test('counts a document that cannot be read as a disagreement', () => {
    const agreement = measure(profile, [{ ...verdict, id: 'a', xml: '<a', fatal: new Set() }]);
    expect(agreement.agreed.fatal).toBe(0);
    expect(agreement.disagreements[0]?.refused).toContain('not well-formed');
  });

  test('compares stage 1 with the official schema', () => {
    const agreement = measure(profile, [
      { ...verdict, id: 'a', xml: empty, fatal: new Set(), schemaValid: true },
      { ...verdict, id: 'b', xml: empty, fatal: new Set(), schemaValid: false },
    ]);
    expect(agreement.schema).toMatchObject({ documents: 2, agreed: 1 });
    expect(agreement.schema.disagreements).toMatchObject([
      { document: 'a', official: 'valid', fault: expect.stringContaining('/Invoice') },
    ]);
  });

  test('leaves out documents on which the authority stopped', () => {
    const agreement = measure(profile, [
      { ...verdict, id: 'a', xml: empty, fatal: new Set(), stopped: true },
    ]);
    expect(agreement).toMatchObject({ documents: 0, stopped: 1, disagreements: [] });
  });
});
