import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { childrenOf, elementPath, elementText, reach } from '@drawbridge/rules/language/element.ts';
import { path, rule, some } from '@drawbridge/rules/language/rule-kinds.ts';
import { castDecimal, normalizeSpace } from '@drawbridge/rules/language/xpath.ts';
import { allCategories, codeOf, isOfScheme } from '@drawbridge/rules/pint/tax-categories.ts';
import { DynamicError, perDocument, type Rule } from '@drawbridge/rules/rule.ts';
import type { Scope } from '@drawbridge/rules/scope.ts';
import { lineElements } from '@drawbridge/rules/ubl-elements.ts';
import { hasTypeCode, isOfType } from './transaction-type.ts';

const at = {
  category: path('category'),
  rate: path('rate'),
  breakdown: path('tax_totals.breakdown.tax_category'),
  code: elementPath('cbc:ID'),
  ofLine: elementPath('cac:Item/cac:ClassifiedTaxCategory'),
};

/** Which VAT categories a document may hold, and that each one used is in the breakdown. */
export const presenceRules: readonly Rule[] = [
  brokenDown('aligned-ibrp-e-01', 'E', 'exactly one', isOnceInBreakdown),
  brokenDown('aligned-ibrp-o-01', 'O', 'exactly one', isOnceInBreakdown),
  rule(
    'aligned-ibrp-s-01',
    ['IBG-23', 'IBT-118'],
    'Category S is in the breakdown when lines, allowances or charges are of it, and only then.',
    (root, scope) => isStandardUsed(scope) === nodes(root, at.breakdown).some(isStandard),
  ),
  brokenDown('aligned-ibrp-z-01', 'Z', 'exactly one', isOnceInBreakdown),
  brokenDown('aligned-ibrp-ae-01-ae', 'AE', 'at least one', isInBreakdown),
  rule(
    'ibr-105-ae',
    ['IBG-23', 'IBT-118'],
    'Category N has exactly one breakdown.',
    (_, scope) => !isUsed(chargedCodes(scope), 'N') || breakdownsOf(scope, 'N') === 1,
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
      lineElements.some((element) =>
        childrenOf(root, element).some((line) =>
          reach(line, at.ofLine).some((tax) => !isUntaxed(elementText(tax, at.code))),
        ),
      ),
  ),
  rule(
    'ibr-190-ae',
    ['IBT-119', 'IBT-096'],
    'The standard rate (category S) is 5.00.',
    (_, { everywhere }) =>
      everywhere('cac:TaxCategory').every(
        (tax) =>
          !some(tax, at.category, 'S') ||
          values(tax, at.rate).every((rate) => castDecimal(rate)?.eq(5) ?? false),
      ),
  ),
];

function brokenDown(
  id: string,
  code: string,
  many: string,
  isRight: (scope: Scope, code: string) => boolean,
): Rule {
  return rule(
    id,
    ['IBG-23', 'IBT-118'],
    `Lines, allowances or charges are of category ${code}: the breakdown then has ${many} of it.`,
    (_, scope) => !isUsed(usedCodes(scope), code) || isRight(scope, code),
  );
}

/** Codes of VAT categories, up to the first category that cannot be read. */
interface Codes {
  readonly codes: ReadonlySet<string>;
  readonly fault: DynamicError | undefined;
}

/** The codes of lines, allowances, charges and the breakdown. */
const usedCodes = perDocument((scope) => vatCodes(allCategories(scope)));

function isOnceInBreakdown({ root }: Scope, code: string): boolean {
  return nodes(root, at.breakdown).flatMap((tax) => vatCodesOf(tax, code)).length === 1;
}

/** Whether the breakdown has the code; stops at the first that does. */
function isInBreakdown({ root }: Scope, code: string): boolean {
  return nodes(root, at.breakdown).some((tax) => vatCodesOf(tax, code).length > 0);
}

function vatCodesOf(tax: Node, code: string): readonly string[] {
  if (!isOfScheme(tax, 'VAT')) return [];
  return values(tax, at.category).filter((each) => normalizeSpace(each) === code);
}

/** As `usedCodes`, without those of lines. */
const chargedCodes = perDocument(({ everywhere }) => vatCodes(everywhere('cac:TaxCategory')));

function vatCodes(categories: readonly Node[]): Codes {
  const codes = new Set<string>();
  try {
    for (const tax of categories) {
      if (!isOfScheme(tax, 'VAT')) continue;
      for (const code of nodes(tax, at.category)) codes.add(normalizeSpace(code.text));
    }
  } catch (fault) {
    if (fault instanceof DynamicError) return { codes, fault };
    throw fault;
  }
  return { codes, fault: undefined };
}

/** Whether the code is used. A category that cannot be read is an error only if it comes before. */
function isUsed({ codes, fault }: Codes, code: string): boolean {
  if (codes.has(code)) return true;
  if (fault !== undefined) throw fault;
  return false;
}

function isUntaxed(code: string): boolean {
  return ['E', 'O'].includes(normalizeSpace(code));
}

/** Whether category S is used. Reads every category, because the published rule counts them. */
function isStandardUsed({ everywhere }: Scope): boolean {
  let isFound = false;
  for (const tax of everywhere('cac:TaxCategory')) {
    if (tax.parent?.shape.element === 'cac:AllowanceCharge' && isStandard(tax)) isFound = true;
  }
  for (const tax of everywhere('cac:ClassifiedTaxCategory')) if (isStandard(tax)) isFound = true;
  return isFound;
}

function isStandard(category: Node): boolean {
  return codeOf(category) === 'S';
}

function breakdownsOf({ everywhere }: Scope, code: string): number {
  return everywhere('cac:TaxSubtotal').filter(
    (each) =>
      each.parent?.shape.element === 'cac:TaxTotal' &&
      reach(each, 'cac:TaxCategory/cbc:ID').some((id) => id.text === code),
  ).length;
}

function codesOf(scope: Scope): string[] {
  return allCategories(scope).flatMap((tax) => values(tax, at.category));
}
