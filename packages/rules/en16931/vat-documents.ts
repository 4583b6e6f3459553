import { type Node, nodes } from '@drawbridge/cim/node.ts';
import { hasChildren } from '../language/element.ts';
import { rule } from '../language/rule-kinds.ts';
import { lengthOf, textOf } from '../language/xpath.ts';
import type { Rule } from '../rule.ts';
import type { Scope } from '../scope.ts';
import { type VatCategory, vatCategories } from './vat-categories.ts';
import {
  allowanceCategories,
  breakdown,
  everyCategory,
  isUnused,
  isWritten,
  lineCategories,
  registrations,
  TaxCategories,
  usedCategories,
} from './vat-facts.ts';
import { isAllowance, isCharge } from './vat-scheme.ts';

/**
 * What a document must have when it uses a VAT category anywhere: its breakdown, and registrations.
 */
export const vatDocumentRules: readonly Rule[] = [
  ...vatCategories.flatMap(categoryRules),
  ...intraCommunityRules(),
  ...notSubjectRules(),
  ...splitPaymentRules(),
];

function categoryRules(category: VatCategory): Rule[] {
  const { prefix, code, name } = category;
  const test = category.breakdown === 'one' ? hasOneBreakdown : hasBreakdowns;
  return [
    rule(
      `BR-${prefix}-01`,
      ['IBT-118', 'IBT-151', 'IBT-095'],
      `Category ${code} (${name}) must stand in the tax breakdown when it is used, and only then.`,
      (_, scope) => isUnused(code, scope) || test(code, scope),
    ),
    rule(
      `BR-${prefix}-02`,
      ['IBT-151'],
      `A line of category ${code} (${name}) ${category.partiesMessage}.`,
      (_, scope) => isUnused(code, scope) || linesHaveParties(category, scope),
    ),
    partiesRule(`BR-${prefix}-03`, category, 'allowances'),
    partiesRule(`BR-${prefix}-04`, category, 'charges'),
  ];
}

function partiesRule(id: string, category: VatCategory, which: 'allowances' | 'charges'): Rule {
  const { code, name } = category;
  const [what, isOne] =
    which === 'allowances'
      ? (['An allowance', isAllowance] as const)
      : (['A charge', isCharge] as const);
  return rule(
    id,
    ['IBT-095'],
    `${what} of category ${code} (${name}) ${category.partiesMessage}.`,
    (root, scope) => {
      const all = code === 'O' ? ofDocument(root, isOne) : allowanceCategories(scope, which);
      if (isUnused(code, scope)) return true;
      // For exports parties are read for any scheme, though the scheme decides in the end.
      const isMet = code === 'G' ? all.has(code) : all.hasVat(code);
      if (isMet && category.parties(registrations(scope))) return true;
      // For charges under IGIC the parties are read only when the code has no white space around
      // it.
      const isAsWritten = code === 'L' && which === 'charges';
      if (isAsWritten) return !all.all.some((each) => each.says(code) && each.isVat);
      return !all.hasVat(code);
    },
  );
}

/** Tax categories of the document's own allowances, or charges. */
function ofDocument(root: Node, isOne: (node: Node) => boolean): TaxCategories {
  const parts = nodes(root, 'allowances_charges').filter(isOne);
  return TaxCategories.of(parts.flatMap((each) => nodes(each, 'tax')));
}

function hasOneBreakdown(code: string, scope: Scope): boolean {
  const isUsed = everyCategory(scope).writesVat(code) || lineCategories(scope).writesVat(code);
  return !isUsed || breakdown(scope).countVat(code) === 1;
}

function hasBreakdowns(code: string, scope: Scope): boolean {
  const used = usedCategories(scope);
  if (code === 'S') {
    // The published rule does not check the scheme here.
    const isInBreakdown = breakdown(scope).all.some((each) => each.code === code);
    return used.has(code) === isInBreakdown;
  }
  if (used.ofVat(code).length === 0) return breakdown(scope).ofVat(code).length === 0;
  return breakdown(scope).all.some((each) => each.says(code) && (code === 'L' || each.isVat));
}

function linesHaveParties(category: VatCategory, scope: Scope): boolean {
  const { code } = category;
  const lines = lineCategories(scope);
  if (lines.hasVat(code)) return category.parties(registrations(scope));
  // For S a line whose scheme is not VAT fails as well.
  return code !== 'S' || !lines.has(code);
}

function intraCommunityRules(): Rule[] {
  const isUsed = (scope: Scope): boolean => breakdown(scope).writesVat('K');
  return [
    rule(
      'BR-IC-11',
      ['IBT-072', 'IBG-14'],
      'An intra-community supply needs the delivery date or the invoicing period.',
      (root, scope) =>
        !isUsed(scope) ||
        lengthOf(textOf(root, 'delivery.date')) > 1 ||
        nodes(root, 'period').some((period) => hasChildren(period)),
    ),
    rule(
      'BR-IC-12',
      ['IBT-080'],
      'An intra-community supply needs the country it is delivered to.',
      (root, scope) => !isUsed(scope) || lengthOf(textOf(root, 'delivery.address.country')) > 1,
    ),
  ];
}

function notSubjectRules(): Rule[] {
  const others: readonly (readonly [string, string, (scope: Scope) => readonly object[]])[] = [
    ['11', 'another tax breakdown', (scope) => otherThanO(breakdown(scope))],
    ['12', 'a line of another VAT category', (scope) => otherThanO(lineCategories(scope))],
    [
      '13',
      'an allowance of another VAT category',
      (scope) => otherThanO(allowanceCategories(scope, 'allowances')),
    ],
    [
      '14',
      'a charge of another VAT category',
      (scope) => otherThanO(allowanceCategories(scope, 'charges')),
    ],
  ];
  return others.map(([number, what, find]) =>
    rule(
      `BR-O-${number}`,
      ['IBT-118'],
      `An invoice that is not subject to VAT (category O) allows no ${what.replace(/^an? /, '')}.`,
      (_, scope) => !breakdown(scope).writesVat('O') || find(scope).length === 0,
    ),
  );
}

function otherThanO({ all }: TaxCategories): readonly object[] {
  return all.filter((each) => each.code !== 'O' && each.isVat);
}

/** Italian split payment: category B. Codes are compared as written, for any scheme. */
function splitPaymentRules(): Rule[] {
  return [
    rule(
      'BR-B-01',
      ['IBT-151'],
      'Split payment (category B) is for domestic Italian invoices only.',
      (_, scope) =>
        !isWritten('B', scope) ||
        scope.everywhere('cbc:IdentificationCode').every(({ text }) => text === 'IT'),
    ),
    rule(
      'BR-B-02',
      ['IBT-151'],
      'Split payment (category B) and the standard rate (category S) exclude each other.',
      (root, scope) => !(usesCode('B', root, scope) && usesCode('S', root, scope)),
    ),
  ];
}

function usesCode(code: string, root: Node, scope: Scope): boolean {
  if (!isWritten(code, scope)) return false;
  return (
    breakdown(scope).says(code) ||
    TaxCategories.of(nodes(root, 'allowances_charges.tax')).says(code) ||
    lineCategories(scope).says(code)
  );
}
