import { Node, nodes, values } from '@drawbridge/cim/node.ts';
import { type Decimal, decimal } from '@drawbridge/decimal/decimal.ts';
import { type Element, reach } from '../element.ts';
import { anywhere } from '../kinds.ts';
import { type Context, perDocument, type Rule, type Scope } from '../rule.ts';
import {
  decimalAt,
  normalizeSpace,
  someBoolean,
  textOf,
  toDecimal,
  withinSlack,
} from '../xpath.ts';
import { allowancesCharges, equal, sumOf } from './totals.ts';

/**
 * What the countries' tax rules share. A category is met on lines, on allowances and charges, and
 * in the breakdown; everywhere its members are called `category`, `rate`, `exemption_code`,
 * `exemption` and `scheme`.
 */

/** How far a stated amount may be from a computed one. */
export const slack = decimal('0.02');

/** Whether the tax category's code is `code`, of the tax scheme. */
export function isTax(category: Node, code: string, scheme = 'VAT'): boolean {
  return normalizeSpace(textOf(category, 'category')) === code && isOfScheme(category, scheme);
}

/**
 * Whether a group with a tax scheme (a category, a tax registration) is of that scheme, however it
 * is spelt.
 */
export function isOfScheme(group: Node, scheme: string): boolean {
  let isFound = false;
  for (const each of nodes(group, 'tax_scheme')) if (schemeOf(each) === scheme) isFound = true;
  return isFound;
}

/** Tax scheme codes of a group, in capitals; a scheme without a code is `''`. */
export function schemesOf(group: Node): string[] {
  return nodes(group, 'tax_scheme').map(schemeOf);
}

function schemeOf(taxScheme: Node): string {
  return normalizeSpace(textOf(taxScheme, 'scheme').toUpperCase());
}

/** The category in the tax breakdown of the document. */
export function inBreakdown(code: string, rules: readonly Rule[], scheme = 'VAT'): Context {
  return {
    each: ['tax_totals.breakdown.tax_category'],
    match: (category) => isTax(category, code, scheme),
    rules,
  };
}

/** The category on a line. */
export function onLine(code: string, rules: readonly Rule[]): Context {
  return { each: ['lines.tax'], match: (category) => isTax(category, code), rules };
}

/** The category on an allowance, wherever it stands. */
export function onAllowance(code: string, rules: readonly Rule[]): Context {
  return onAllowanceCharge(code, false, rules);
}

/** The category on a charge, wherever it stands. */
export function onCharge(code: string, rules: readonly Rule[]): Context {
  return onAllowanceCharge(code, true, rules);
}

function onAllowanceCharge(code: string, charge: boolean, rules: readonly Rule[]): Context {
  return {
    each: anywhere('cac:AllowanceCharge/cac:TaxCategory'),
    match: (category) =>
      someBoolean(category.parent!, 'is_charge', charge) && isTax(category, code),
    rules,
  };
}

/** The rate that a rule reads from a category. */
type RateOf = (category: Node) => Decimal | undefined;

/** The rate as published for the UAE: several are an error, none matches nothing. */
export const statedRate: RateOf = (category) => decimalAt(category, 'rate');

/** The rate as published for Malaysia: the first, and zero when there is none. */
export const rateOrZero: RateOf = (category) => toDecimal(values(category, 'rate')[0] ?? '0');

/**
 * Whether the taxable amount of a breakdown is, within the slack, what lines, charges and
 * allowances of this category and rate add up to. The published rule also accepts the sum without
 * the lines when an allowance or charge has the rate.
 */
export function isTaxableAtRate(
  category: Node,
  code: string,
  rateOf: RateOf,
  { root, everywhere }: Scope,
): boolean {
  const rate = rateOf(category);
  if (rate === undefined) return true;
  const isMine = (group: Node): boolean => hasRate(group, code, rate, rateOf);
  const taxable = (): Decimal | undefined => decimalAt(category.parent!, 'taxable');
  const lines = nodes(root, 'lines').filter(isMine);
  const anyAllowance = everywhere('cac:AllowanceCharge').some(isMine);
  if (lines.length === 0 && !anyAllowance) return false;
  const others = netCharges(root, isMine);
  if (withinSlack(taxable(), others.plus(sumOf(lines, 'net')), slack)) return true;
  return anyAllowance && withinSlack(taxable(), others, slack);
}

/** Lines of the category, at its rate. */
export function linesAtRate(root: Node, code: string, rate: Decimal): readonly Node[] {
  return nodes(root, 'lines').filter((line) => hasRate(line, code, rate, statedRate));
}

function hasRate(group: Node, code: string, rate: Decimal, rateOf: RateOf): boolean {
  return hasCategory(group, code) && taxesOf(group).some((each) => equal(rateOf(each), rate));
}

function hasCategory(group: Node, code: string): boolean {
  return taxesOf(group).some((each) => normalizeSpace(textOf(each, 'category')) === code);
}

/** Categories of a line, or of an allowance or charge wherever it stands. */
function taxesOf(group: Node): readonly Node[] {
  const path =
    group.shape.element === 'cac:AllowanceCharge'
      ? 'cac:TaxCategory'
      : 'cac:Item/cac:ClassifiedTaxCategory';
  const found = reach(group, path);
  return found.every(isNode) ? found : found.filter(isNode);
}

function isNode(element: Element): element is Node {
  return element instanceof Node;
}

/** Document level charges less allowances that `isMine` picks. */
function netCharges(root: Node, isMine: (group: Node) => boolean): Decimal {
  return sumOf(allowancesCharges(root, true).filter(isMine), 'amount').minus(
    sumOf(allowancesCharges(root, false).filter(isMine), 'amount'),
  );
}

/**
 * Whether the taxable amount is exactly what lines, charges and allowances of the category add up
 * to.
 */
export function isTaxableOfCategory(category: Node, code: string, { root }: Scope): boolean {
  const lines = nodes(root, 'lines');
  if (lines.length === 0) return false;
  const mine = lines.filter((line) => hasCategory(line, code));
  const others = netCharges(root, (each) => hasCategory(each, code));
  return equal(decimalAt(category.parent!, 'taxable'), others.plus(sumOf(mine, 'net')));
}

/** What the tax totals of the category's lines, its charges and its allowances add up to. */
export function taxOfCategory(code: string, { root }: Scope): Decimal {
  const lines = nodes(root, 'lines').filter((line) => hasCategory(line, code));
  const taxes = lines.flatMap((line) => nodes(line, 'tax_totals'));
  return netCharges(root, (each) => hasCategory(each, code)).plus(sumOf(taxes, 'amount'));
}

/** Every tax category of the document, on lines and elsewhere. */
export const allCategories = perDocument(({ everywhere }): readonly Node[] => [
  ...everywhere('cac:TaxCategory'),
  ...everywhere('cac:ClassifiedTaxCategory'),
]);
