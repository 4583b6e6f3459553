import { type Node, nodes, type Path } from '@drawbridge/cim/node.ts';
import { type Decimal, zero } from '@drawbridge/decimal/decimal.ts';
import { childrenOf, type Element, elementPath, onlyElement, reach } from '../language/element.ts';
import { anywhere, limitedDecimals, onLines, path, present, rule } from '../language/rule-kinds.ts';
import { all, compares, either, exists, not, reads } from '../language/statement.ts';
import { compareExactly, roundHalfUp, toCents, toDecimal, toDouble } from '../language/xpath.ts';
import { type Context, DynamicError, type Rule, type Statement } from '../rule.ts';
import type { Scope } from '../scope.ts';
import { lineElements } from '../ubl-elements.ts';
import { type VatCategory, vatCategories } from './vat-categories.ts';
import { allowanceCategories, codeOf, rateOf } from './vat-facts.ts';
import { isAllowance, isCharge, isVat } from './vat-scheme.ts';

/** `zero` is compared in decimals; the other two are untyped comparisons, so in doubles. */
const rates: Record<VatCategory['rate'], { message: string; holds: Statement }> = {
  zero: {
    message: 'has the rate 0',
    holds: all(
      exists('cbc:Percent'),
      reads('cbc:Percent', (rate) => toDecimal(rate).eq(0)),
    ),
  },
  positive: { message: 'has a rate above 0', holds: compares('cbc:Percent', [1], 0) },
  'not-negative': {
    message: 'has a rate of 0 or more',
    holds: compares('cbc:Percent', [0, 1], 0),
  },
  none: { message: 'has no rate', holds: not(exists('cbc:Percent')) },
};

const at = {
  allowancesCharges: path('allowances_charges'),
  category: elementPath('cac:TaxCategory'),
  ofLine: elementPath('cac:Item/cac:ClassifiedTaxCategory'),
  code: elementPath('cbc:ID'),
  rate: elementPath('cbc:Percent'),
  amount: elementPath('cbc:Amount'),
  net: elementPath('cbc:LineExtensionAmount'),
  taxable: elementPath('cbc:TaxableAmount'),
  tax: elementPath('cbc:TaxAmount'),
};

/** Rates, bases and tax of each VAT category, and of any tax subtotal. */
export const vatAmountContexts: readonly Context[] = [
  {
    each: anywhere('cac:TaxTotal/cac:TaxSubtotal'),
    rules: [
      present(
        'BR-45',
        'cbc:TaxableAmount',
        ['IBT-116'],
        'A tax breakdown needs the taxable amount.',
      ),
      present('BR-46', 'cbc:TaxAmount', ['IBT-117'], 'A tax breakdown needs the tax amount.'),
      rule('BR-47', ['IBT-118'], 'A tax breakdown needs the VAT category.', (subtotal) =>
        vatOf(subtotal).some((category) => reach(category, at.code).length > 0),
      ),
      rule(
        'BR-48',
        ['IBT-119'],
        'A tax breakdown needs the rate, except where nothing is subject to VAT.',
        (subtotal) =>
          vatOf(subtotal).some((category) => reach(category, at.rate).length > 0) ||
          vatOf(subtotal).some((category) => codeOf(category) === 'O'),
      ),
      rule(
        'BR-CO-17',
        ['IBT-117', 'IBT-116', 'IBT-119'],
        'The tax amount of a category is not its taxable amount times its rate.',
        subtotalIsRight,
      ),
      decimals('BR-DEC-19', 'cbc:TaxableAmount', 'IBT-116', 'The taxable amount of a category'),
      decimals('BR-DEC-20', 'cbc:TaxAmount', 'IBT-117', 'The tax amount of a category'),
    ],
  },
  ...vatCategories.flatMap(categoryContexts),
];

function categoryContexts(category: VatCategory): Context[] {
  const { prefix, code, name } = category;
  const ofCode = { of: codeOf, is: [code] };
  const ofRate = (number: string, what: string, term: 'IBT-096' | 'IBT-152'): Rule =>
    rule(
      `BR-${prefix}-${number}`,
      [term],
      `${what} of category ${code} (${name}) ${rates[category.rate].message}.`,
      rates[category.rate].holds,
    );
  return [
    {
      each: ['tax_totals.breakdown.tax_category'],
      code: ofCode,
      match: isVat,
      rules: breakdownRules(category),
    },
    {
      each: anywhere('cac:AllowanceCharge/cac:TaxCategory'),
      code: ofCode,
      match: (node) => isVat(node) && isAllowance(node.parent!),
      rules: [ofRate('06', 'An allowance', 'IBT-096')],
    },
    {
      each: anywhere('cac:AllowanceCharge/cac:TaxCategory'),
      code: ofCode,
      match: (node) => isVat(node) && isCharge(node.parent!),
      rules: [ofRate('07', 'A charge', 'IBT-096')],
    },
    {
      each: onLines('cac:Item/cac:ClassifiedTaxCategory'),
      code: ofCode,
      match: isVat,
      rules: [ofRate('05', 'A line', 'IBT-152')],
    },
  ];
}

function breakdownRules(category: VatCategory): Rule[] {
  const { prefix, code, name } = category;
  const isTaxed = category.breakdown === 'many';
  const isExempt = category.exemptionReason === 'required';
  const hasReason = either(exists('cbc:TaxExemptionReason'), exists('cbc:TaxExemptionReasonCode'));
  return [
    rule(
      `BR-${prefix}-08`,
      ['IBT-116'],
      `The taxable amount of category ${code} (${name}) is not the sum of what is in it.`,
      (node, scope) =>
        isTaxed ? taxableIsNear(node, category, scope) : taxableIsExact(node, code, scope),
    ),
    rule(
      `BR-${prefix}-09`,
      ['IBT-117'],
      isTaxed
        ? `The tax of category ${code} (${name}) is not its taxable amount times its rate.`
        : `The tax of category ${code} (${name}) is 0.`,
      (node) => (isTaxed ? taxIsNear(node) : (amountOf(node.parent!, at.tax)?.eq(0) ?? false)),
    ),
    rule(
      `BR-${prefix}-10`,
      ['IBT-120', 'IBT-121'],
      `Category ${code} (${name}) ${isExempt ? 'needs an' : 'allows no'} exemption reason.`,
      isExempt ? hasReason : not(hasReason),
    ),
  ];
}

function taxableIsExact(node: Node, code: string, scope: Scope): boolean {
  const taxable = amountOf(node.parent!, at.taxable);
  const { root } = scope;
  return lineElements.some(
    (name) =>
      scope.everywhere(name).length > 0 && (taxable?.eq(inCategory(root, name, code)) ?? false),
  );
}

/** Whether the taxable amount differs by less than one unit of currency, for each rate. */
function taxableIsNear(node: Node, { code }: VatCategory, scope: Scope): boolean {
  const percent = onlyElement(node, at.rate);
  if (percent === undefined) return true;
  const rate = { written: percent.text, value: toDecimal(percent.text) };
  const taxable = onlyElement(node.parent!, at.taxable);
  const near = (name: string): boolean => {
    if (taxable === undefined) return false;
    const total = inCategory(scope.root, name, code, rate);
    // As published: the difference to one is computed in doubles and only then cast to a decimal.
    const stated = toDouble(taxable.text);
    return compareExactly(stated - 1, total) < 0 && compareExactly(stated + 1, total) > 0;
  };
  const charged = (): boolean =>
    allowanceCategories(scope, 'both').all.some((each) => each.code === code) &&
    scope.everywhere('cac:AllowanceCharge').some((each) => isIn(each, at.category, code, rate));
  return lineElements.some((name) => {
    const lines = scope.everywhere(name);
    const isUsed =
      code === 'S'
        ? lines.some((line) => isIn(line, at.ofLine, code, rate)) || charged()
        : lines.length > 0;
    return isUsed && near(name);
  });
}

interface Rate {
  readonly written: string;
  readonly value: Decimal;
}

function isOf(category: Element, code: string): boolean {
  return codeOf(category) === code;
}

/** Whether the category has the rate, or `rate` is undefined. Most rates are written alike. */
function isAtRate(category: Element, rate: Rate | undefined): boolean {
  if (rate === undefined) return true;
  const percent = onlyElement(category, at.rate);
  if (percent === undefined) return false;
  return percent.text === rate.written || toDecimal(percent.text).eq(rate.value);
}

/** Whether some tax category at `path` has the code and, if `rate` is given, some has the rate. */
function isIn(holder: Element, path: Path, code: string, rate: Rate | undefined): boolean {
  const categories = reach(holder, path);
  // Usually there is one.
  if (categories.length === 1) return isOf(categories[0]!, code) && isAtRate(categories[0]!, rate);
  return (
    categories.some((each) => isOf(each, code)) && categories.some((each) => isAtRate(each, rate))
  );
}

/** Lines plus charges less allowances of the code and rate. */
function inCategory(root: Node, lineName: string, code: string, rate?: Rate): Decimal {
  let total = zero;
  for (const line of childrenOf(root, lineName)) {
    if (isIn(line, at.ofLine, code, rate)) total = total.plus(amountOf(line, at.net) ?? zero);
  }
  for (const part of nodes(root, at.allowancesCharges)) {
    const [isAdded, isTaken] = [isCharge(part), isAllowance(part)];
    if (!(isAdded || isTaken) || !isIn(part, at.category, code, rate)) continue;
    const amount = amountOf(part, at.amount) ?? zero;
    if (isAdded) total = total.plus(amount);
    if (isTaken) total = total.minus(amount);
  }
  return total;
}

/** Whether the tax differs by less than one unit of currency, ignoring signs. */
function taxIsNear(node: Node): boolean {
  const tax = amountOf(node.parent!, at.tax);
  const taxable = amountOf(node.parent!, at.taxable);
  return isNear(tax, taxable, rateOf(node));
}

function isNear(
  tax: Decimal | undefined,
  taxable: Decimal | undefined,
  rate: Decimal | undefined,
): boolean {
  if (tax === undefined || taxable === undefined || rate === undefined) return false;
  const due = toCents(taxable.abs().times(rate.div(100)));
  return tax.abs().minus(1).lt(due) && tax.abs().plus(1).gt(due);
}

function subtotalIsRight(subtotal: Node): boolean {
  const rates = vatOf(subtotal).flatMap((category) => rateOf(category) ?? []);
  if (rates.length > 1) throw new DynamicError('Several rates where one is expected.');
  const rate = rates[0];
  const tax = amountOf(subtotal, at.tax);
  if (rate === undefined || roundHalfUp(rate).eq(0)) {
    return tax !== undefined && roundHalfUp(tax).eq(0);
  }
  return isNear(tax, amountOf(subtotal, at.taxable), rate);
}

function vatOf(subtotal: Element): readonly Element[] {
  return reach(subtotal, at.category).filter(isVat);
}

function amountOf(holder: Element, path: Path): Decimal | undefined {
  const amount = onlyElement(holder, path);
  return amount && toDecimal(amount.text);
}

function decimals(id: string, name: string, term: Rule['terms'][number], what: string): Rule {
  return limitedDecimals(id, name, 2, [term], `${what} has at most two decimals.`);
}
