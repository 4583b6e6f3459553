import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { reach } from '@drawbridge/rules/element.ts';
import { rule, some } from '@drawbridge/rules/kinds.ts';
import { allCategories, isOfScheme } from '@drawbridge/rules/pint/tax-categories.ts';
import type { Rule, Scope } from '@drawbridge/rules/rule.ts';
import { isDecimal, normalizeSpace, textOf, toDecimal } from '@drawbridge/rules/xpath.ts';
import { hasTypeCode, isOfType } from './transaction-type.ts';

/** Which VAT categories a document may hold, and that each one used is in the breakdown. */
export const presenceRules: readonly Rule[] = [
  brokenDown('aligned-ibrp-e-01', 'E', 'exactly one', (count) => count === 1),
  brokenDown('aligned-ibrp-o-01', 'O', 'exactly one', (count) => count === 1),
  rule(
    'aligned-ibrp-s-01',
    ['IBG-23', 'IBT-118'],
    'Category S is in the breakdown when lines, allowances or charges are of it, and only then.',
    (root, scope) => isStandardUsed(scope) === hasInBreakdown(root, 'S'),
  ),
  brokenDown('aligned-ibrp-z-01', 'Z', 'exactly one', (count) => count === 1),
  brokenDown('aligned-ibrp-ae-01-ae', 'AE', 'at least one', (count) => count >= 1),
  rule(
    'ibr-105-ae',
    ['IBG-23', 'IBT-118'],
    'Category N has exactly one breakdown.',
    (_, scope) =>
      !isUsed(scope.everywhere('cac:TaxCategory'), 'N') || breakdownsOf(scope, 'N') === 1,
  ),
  rule(
    'ibr-122-ae',
    ['IBT-151', 'IBT-095', 'IBT-003'],
    'In a document of type 480 or 81 every VAT category is E, O or Z.',
    (root, scope) =>
      !hasTypeCode(root, '81', '480') ||
      codesOf(scope).every((code) => ['E', 'O', 'Z'].includes(normalizeSpace(code))),
  ),
  rule(
    'ibr-116-ae',
    ['IBT-151', 'BTAE-02'],
    'Under the margin scheme every VAT category is N.',
    (root, scope) =>
      !isOfType(root, 'margin-scheme') ||
      codesOf(scope).every((code) => normalizeSpace(code) === 'N'),
  ),
  rule(
    'ibr-151-ae',
    ['IBT-151', 'IBT-003'],
    'A document of type 380 or 381 has at least one line that is neither exempt nor out of scope.',
    (root) =>
      !hasTypeCode(root, '380', '381') ||
      nodes(root, 'lines.tax').some(
        (tax) => !['E', 'O'].includes(normalizeSpace(textOf(tax, 'category'))),
      ),
  ),
  rule(
    'ibr-190-ae',
    ['IBT-119', 'IBT-096'],
    'The standard rate (category S) is 5.00.',
    (_, { everywhere }) =>
      everywhere('cac:TaxCategory')
        .filter((tax) => some(tax, 'category', 'S'))
        .flatMap((tax) => values(tax, 'rate'))
        .every((rate) => isDecimal(rate) && toDecimal(rate).eq(5)),
  ),
];

function brokenDown(
  id: string,
  code: string,
  many: string,
  isRight: (count: number) => boolean,
): Rule {
  return rule(
    id,
    ['IBG-23', 'IBT-118'],
    `Lines, allowances or charges are of category ${code}: the breakdown then has ${many} of it.`,
    (root, scope) => {
      if (!isUsed(allCategories(scope), code)) return true;
      const broken = nodes(root, 'tax_totals.breakdown.tax_category').filter((tax) =>
        isOfScheme(tax, 'VAT'),
      );
      return isRight(broken.flatMap((tax) => values(tax, 'category')).filter(is(code)).length);
    },
  );
}

function isUsed(categories: readonly Node[], code: string): boolean {
  const isCode = is(code);
  return categories.some((tax) => isOfScheme(tax, 'VAT') && values(tax, 'category').some(isCode));
}

function isStandardUsed({ everywhere }: Scope): boolean {
  const onAllowances = everywhere('cac:TaxCategory').filter(
    (tax) => tax.parent?.shape.element === 'cac:AllowanceCharge',
  );
  return [...onAllowances, ...everywhere('cac:ClassifiedTaxCategory')].some(
    (tax) => normalizeSpace(textOf(tax, 'category')) === 'S',
  );
}

function hasInBreakdown(root: Node, code: string): boolean {
  return nodes(root, 'tax_totals.breakdown.tax_category').some(
    (tax) => normalizeSpace(textOf(tax, 'category')) === code,
  );
}

function breakdownsOf({ everywhere }: Scope, code: string): number {
  return everywhere('cac:TaxSubtotal').filter((each) =>
    reach(each, 'cac:TaxCategory/cbc:ID').some((id) => id.text === code),
  ).length;
}

function codesOf(scope: Scope): string[] {
  return allCategories(scope).flatMap((tax) => values(tax, 'category'));
}

function is(code: string): (text: string) => boolean {
  return (text) => normalizeSpace(text) === code;
}
