import {
  follow,
  isSeveral,
  Node,
  nodes,
  onlyValue,
  type Path,
  value,
} from '@drawbridge/cim/node.ts';
import { type Decimal, decimal, zero } from '@drawbridge/decimal/decimal.ts';
import { type Element, elementPath, reach } from '../language/element.ts';
import { anywhere, onLines, path } from '../language/rule-kinds.ts';
import { all, any, holds, reads } from '../language/statement.ts';
import {
  decimalAt,
  normalizeSpace,
  onlyTextOf,
  textOf,
  toDecimal,
  withinSlack,
} from '../language/xpath.ts';
import { type Context, perDocument, type Rule, type Statement } from '../rule.ts';
import type { Scope } from '../scope.ts';
import { lineElements } from '../ubl-elements.ts';
import { allowancesCharges, equal, sumOf } from './totals.ts';

/**
 * Shared by the countries' tax rules. A category occurs on lines, on allowances and charges, and in
 * the breakdown; its members are always `category`, `rate`, `exemption_code`, `exemption` and
 * `scheme`.
 */

const at = {
  category: path('category'),
  rate: path('rate'),
  taxSchemes: path('tax_scheme'),
  scheme: path('scheme'),
  net: path('net'),
  amount: path('amount'),
  taxable: path('taxable'),
  taxTotals: path('tax_totals'),
  ofAllowance: elementPath('cac:TaxCategory'),
  ofLine: elementPath('cac:Item/cac:ClassifiedTaxCategory'),
};

/** How far a stated amount may be from a computed one. */
export const slack = decimal('0.02');

/** The tax category has this code. */
export function ofCode(code: string): Statement {
  return reads('category', (text) => normalizeSpace(text) === code);
}

/** As `isOfScheme`, as a statement on a group with a tax scheme. */
export function ofScheme(scheme: string): Statement {
  return any(
    'tax_scheme',
    reads('scheme', (text) => schemeCode(text) === scheme),
  );
}

/** Whether the tax category's code is `code`, of the tax scheme. */
export function isTax(category: Node, code: string, scheme = 'VAT'): boolean {
  return codeOf(category) === code && isOfScheme(category, scheme);
}

/**
 * Whether a group with a tax scheme (a category, a tax registration) has that scheme, in any case.
 */
export function isOfScheme(group: Node, scheme: string): boolean {
  const schemes = follow(group, at.taxSchemes.from(group.shape).shapes);
  if (schemes === undefined) return false;
  if (!Array.isArray(schemes)) return schemeOf(schemes) === scheme;
  return schemes.some((each) => schemeOf(each) === scheme);
}

/** Tax scheme codes of a group, in capitals; a scheme without a code is `''`. */
export function schemesOf(group: Node): string[] {
  return nodes(group, at.taxSchemes).map(schemeOf);
}

function schemeOf(taxScheme: Node): string {
  return schemeCode(textOf(taxScheme, at.scheme));
}

function schemeCode(text: string): string {
  return text === 'VAT' ? text : normalizeSpace(text.toUpperCase());
}

/** The tax category's code, `''` when it has none; several are an error. */
export function codeOf(category: Node): string {
  return normalizeSpace(textOf(category, at.category));
}

/** The category in the tax breakdown of the document. */
export function inBreakdown(code: string, rules: readonly Rule[], scheme = 'VAT'): Context {
  return {
    each: ['tax_totals.breakdown.tax_category'],
    code: { of: codeOf, is: [code] },
    match: ofScheme(scheme),
    rules,
  };
}

/** The category on a line. */
export function onLine(code: string, rules: readonly Rule[]): Context {
  return {
    each: onLines('cac:Item/cac:ClassifiedTaxCategory'),
    code: { of: codeOf, is: [code] },
    match: ofScheme('VAT'),
    rules,
  };
}

/** The category on an allowance, of the document or of a line. */
export function onAllowance(code: string, rules: readonly Rule[]): Context {
  return onAllowanceCharge(code, false, rules);
}

/** The category on a charge, of the document or of a line. */
export function onCharge(code: string, rules: readonly Rule[]): Context {
  return onAllowanceCharge(code, true, rules);
}

function onAllowanceCharge(code: string, charge: boolean, rules: readonly Rule[]): Context {
  return {
    each: anywhere('cac:AllowanceCharge/cac:TaxCategory'),
    code: { of: codeOf, is: [code] },
    match: all(holds('../is_charge', charge), ofScheme('VAT')),
    rules,
  };
}

/** Reads the rate of a category as written. */
type RateOf = (category: Node) => string | undefined;

/** The rate as published for the UAE: several are an error; an absent one equals no rate. */
export const statedRate: RateOf = (category) => onlyTextOf(category, at.rate);

/** The rate as published for Malaysia: the first one, or zero when there is none. */
export function rateOrZero(category: Node): string {
  return value(category, at.rate) ?? '0';
}

/**
 * Whether the taxable amount of a breakdown is, within the tolerance, the sum of lines, charges and
 * allowances of this category and rate. The published rule tests invoice lines, then credit note
 * lines, so with an allowance or charge at the rate the sum without lines is accepted too.
 */
export function isTaxableAtRate(
  category: Node,
  code: string,
  rateOf: RateOf,
  scope: Scope,
): boolean {
  const written = rateOf(category);
  if (written === undefined) return true;
  const rate = { written, value: toDecimal(written) };
  const isMine = (group: Taxed): boolean => hasRate(group, code, rate, rateOf);
  return taxedLines(scope).some(({ taxed }) => {
    const lines = taxed.filter(isMine);
    if (lines.length === 0 && !taxedAllowances(scope).some(isMine)) return false;
    const total = netCharges(scope, isMine).plus(sumOfDocument(lines, at.net));
    return withinSlack(decimalAt(category.parent!, at.taxable), total, slack);
  });
}

/** Those of the category and rate. */
export function atRate(groups: readonly Taxed[], code: string, written: string): readonly Taxed[] {
  const rate = { written, value: toDecimal(written) };
  return groups.filter((group) => hasRate(group, code, rate, statedRate));
}

/** The sum of a member over the groups that are in the document itself. */
export function sumOfDocument(groups: readonly Taxed[], member: Path): Decimal {
  let total = zero;
  for (const { node } of groups) {
    const value = node.parent!.parent === undefined ? decimalAt(node, member) : undefined;
    if (value !== undefined) total = total.plus(value);
  }
  return total;
}

/** A line, allowance or charge with its tax categories; those without one are left out. */
export interface Taxed {
  readonly node: Node;
  readonly taxes: Node | readonly Node[];
  /** The code of the only category, read once for all rules; undefined when there are several. */
  readonly code: string | undefined;
}

interface Rate {
  readonly written: string;
  readonly value: Decimal;
}

/** Lines of both document types at any place, because published rules test one, then the other. */
export const taxedLines = perDocument(({ everywhere }) =>
  lineElements.map((name) => {
    const lines = everywhere(name);
    return { isUsed: lines.length > 0, taxed: taxed(lines, at.ofLine) };
  }),
);

const taxedAllowances = perDocument(({ everywhere }) =>
  taxed(everywhere('cac:AllowanceCharge'), at.ofAllowance),
);

function taxed(groups: readonly Node[], path: Path): readonly Taxed[] {
  const found: Taxed[] = [];
  for (const node of groups) {
    const taxes = taxesOf(node, path);
    if (taxes === undefined) continue;
    const code = isSeveral(taxes) ? null : onlyValue(taxes, at.category);
    found.push({ node, taxes, code: code === null ? undefined : normalizeSpace(code ?? '') });
  }
  return found;
}

function taxesOf(group: Node, path: Path): Node | readonly Node[] | undefined {
  const { shapes } = path.from(group.shape);
  if (shapes.length > 0) return follow(group, shapes);
  const all = reach(group, path);
  return all.length === 0 ? undefined : all.filter(isNode);
}

function isNode(element: Element): element is Node {
  return element instanceof Node;
}

function hasRate(group: Taxed, code: string, rate: Rate, rateOf: RateOf): boolean {
  if (!hasCategory(group, code)) return false;
  const { taxes } = group;
  if (!isSeveral(taxes)) return isAtRate(taxes, rate, rateOf);
  return taxes.some((tax) => isAtRate(tax, rate, rateOf));
}

function isAtRate(tax: Node, rate: Rate, rateOf: RateOf): boolean {
  const written = rateOf(tax);
  if (written === rate.written) return true;
  return written !== undefined && toDecimal(written).eq(rate.value);
}

function hasCategory(group: Taxed, code: string): boolean {
  if (group.code !== undefined) return group.code === code;
  const { taxes } = group;
  return isSeveral(taxes) ? taxes.some((tax) => codeOf(tax) === code) : codeOf(taxes) === code;
}

/** Document level charges less allowances, of those that `isMine` accepts. */
function netCharges(scope: Scope, isMine: (group: Taxed) => boolean): Decimal {
  return sumOfDocument(taxedCharges(scope).filter(isMine), at.amount).minus(
    sumOfDocument(taxedDiscounts(scope).filter(isMine), at.amount),
  );
}

/** Charges of the document itself. */
const taxedCharges = perDocument(({ root }) =>
  taxed(allowancesCharges(root, true), at.ofAllowance),
);

/** Allowances of the document itself. */
const taxedDiscounts = perDocument(({ root }) =>
  taxed(allowancesCharges(root, false), at.ofAllowance),
);

/**
 * Whether the taxable amount is exactly the sum of lines, charges and allowances of the category.
 */
export function isTaxableOfCategory(category: Node, code: string, scope: Scope): boolean {
  return taxedLines(scope).some(({ isUsed, taxed }) => {
    if (!isUsed) return false;
    const isMine = (group: Taxed): boolean => hasCategory(group, code);
    const lines = sumOfDocument(taxed.filter(isMine), at.net);
    const total = netCharges(scope, isMine).plus(lines);
    return equal(decimalAt(category.parent!, at.taxable), total);
  });
}

/** Whether the tax is the sum of the category's lines, charges and allowances. */
export function isTaxOfCategory(category: Node, code: string, scope: Scope): boolean {
  return taxedLines(scope).some(({ isUsed, taxed }) => {
    if (!isUsed) return false;
    const isMine = (group: Taxed): boolean => hasCategory(group, code);
    const taxes = taxed
      .filter((line) => isMine(line) && line.node.parent!.parent === undefined)
      .flatMap(({ node }) => nodes(node, at.taxTotals));
    const total = netCharges(scope, isMine).plus(sumOf(taxes, at.amount));
    return withinSlack(decimalAt(category.parent!, at.amount)?.abs(), total, slack);
  });
}

/** Every tax category of the document, on lines and elsewhere. */
export const allCategories = perDocument(({ everywhere }): readonly Node[] => [
  ...everywhere('cac:TaxCategory'),
  ...everywhere('cac:ClassifiedTaxCategory'),
]);
