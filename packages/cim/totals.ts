import { type Decimal, decimal, format, round, sum, zero } from '@drawbridge/decimal/decimal.ts';
import { adjustmentsOf, amountPlaces, amountText, priceExtension } from './amounts.ts';
import {
  type CimObject,
  decimalOf,
  groupOf,
  groupsOf,
  isTrue,
  textOf,
  withDefaults,
  without,
} from './json.ts';
import { lookUp } from './look-up.ts';
import { completeBreakdown, type TaxTreatment } from './tax-breakdown.ts';

/**
 * Computes amounts from the lines: line nets, amounts of allowances and charges, the tax breakdown
 * and the totals. Values of the source are never changed. Amounts that cannot be computed (a line
 * without price, two tax rates without lines) stay absent, so that the rules report them.
 */
export function completeAmounts(cim: CimObject, taxes: TaxTreatment): CimObject {
  const sourceTaxes = groupsOf(cim.tax_breakdown);
  const soleTax = sourceTaxes.length === 1 ? sourceTaxes[0] : undefined;
  const lines = groupsOf(cim.lines).map((line) => completeLine(line, soleTax, taxes));
  const nets = lines.map((line) => decimalOf(line.net));
  const linesTotal = sumOfAll(nets);
  const adjusted = completeAdjustments(
    lines.length === 0 ? cim : { ...cim, lines },
    linesTotal,
    (entry) => withTax(entry, taxOfAllLines(lines), taxes),
  );
  const taxed = completeBreakdown(adjusted, taxes);
  return completeTotals(taxed, linesTotal);
}

function completeLine(
  line: CimObject,
  soleTax: CimObject | undefined,
  taxes: TaxTreatment,
): CimObject {
  const gross = decimalOf(line.gross_price);
  const discount = decimalOf(line.price_discount) ?? zero;
  const priced = withDefaults(line, {
    unit_price: gross === undefined ? undefined : format(gross.minus(discount)),
  });
  const extension = priceExtension(priced);
  const adjusted = completeAdjustments(priced, extension, (entry) => entry);
  const change = adjustmentTotal(adjusted);
  const net = extension === undefined || change === undefined ? undefined : extension.plus(change);
  const netted = withDefaults(adjusted, { net: net && amountText(net) });
  return withLineTax(withSchemes(netted, taxes), soleTax, taxes);
}

/** Adds the scheme of the category to taxes that a line states itself. */
function withSchemes(line: CimObject, taxes: TaxTreatment): CimObject {
  if (line.tax_totals === undefined || taxes.schemes === undefined) return line;
  const withScheme = (entry: CimObject): CimObject =>
    withDefaults(entry, { scheme: lookUp(taxes.schemes, textOf(entry.category) ?? '') });
  const totals = groupsOf(line.tax_totals).map((total) => {
    const breakdown = groupsOf(total.breakdown).map(withScheme);
    return breakdown.length === 0 ? total : { ...total, breakdown };
  });
  return { ...line, tax_totals: totals };
}

function withLineTax(
  line: CimObject,
  soleTax: CimObject | undefined,
  taxes: TaxTreatment,
): CimObject {
  const given = groupsOf(line.tax);
  if (given.length === 0) {
    if (soleTax?.category === undefined) return line;
    return { ...line, tax: completeTax(tax(soleTax), taxes, taxes.rates) };
  }
  const completed = given.map((each) => completeTax(each, taxes, taxes.rates));
  return { ...line, tax: completed.length === 1 ? completed[0]! : completed };
}

function tax(entry: CimObject): CimObject {
  return withDefaults({ category: entry.category }, { rate: entry.rate, scheme: entry.scheme });
}

function completeTax(
  given: CimObject,
  taxes: TaxTreatment,
  rates: Readonly<Record<string, string>>,
): CimObject {
  const rate = decimalOf(given.rate);
  const category = textOf(given.category) ?? (rate?.gt(0) === true ? taxes.standard : undefined);
  if (category === undefined) return given;
  const fixed = lookUp(rates, category);
  const isRateless = taxes.rateless.has(category) && fixed === undefined;
  const kept = isRateless && rate?.eq(0) === true ? without(given, 'rate') : given;
  return withDefaults(kept, {
    category,
    rate: fixed,
    scheme: lookUp(taxes.schemes, category),
  });
}

/** The tax of all lines, if they have the same one. */
function taxOfAllLines(lines: readonly CimObject[]): CimObject | undefined {
  const taxesOfLines = lines.map((line) => groupOf(line.tax));
  const first = taxesOfLines[0];
  if (first === undefined) return undefined;
  const rate = decimalOf(first.rate);
  const isSame = (other: CimObject | undefined): boolean =>
    textOf(other?.category) === textOf(first.category) &&
    (rate === undefined ? other?.rate === undefined : decimalOf(other?.rate)?.eq(rate) === true);
  return taxesOfLines.every(isSame) ? tax(first) : undefined;
}

function withTax(entry: CimObject, shared: CimObject | undefined, taxes: TaxTreatment): CimObject {
  const given = groupOf(entry.tax) ?? shared;
  if (given === undefined) return entry;
  const rates = { ...taxes.rates, ...taxes.documentRates };
  return { ...entry, tax: completeTax(given, taxes, rates) };
}

/** UNCL5189 95: discount. */
const discountCode = '95';

/**
 * Computes amounts of allowances and charges that are given as a percentage of `base`. An entry of
 * 0 (a discount column that holds 0) is left out, because the rules would require a reason for it.
 */
function completeAdjustments(
  group: CimObject,
  base: Decimal | undefined,
  more: (entry: CimObject) => CimObject,
): CimObject {
  let completed = group;
  for (const member of ['allowances', 'charges', 'allowances_charges']) {
    if (group[member] === undefined || group[member] === null) continue;
    const entries = groupsOf(group[member])
      .filter((entry) => !isNothing(entry))
      .map((entry) => more(completeAdjustment(entry, base, member)));
    completed = without(completed, member);
    if (entries.length > 0) completed = { ...completed, [member]: entries };
  }
  return completed;
}

function isNothing(entry: CimObject): boolean {
  const figures = [decimalOf(entry.amount), decimalOf(entry.percent)];
  const isZero = figures.every((figure) => figure === undefined || figure.eq(0));
  return isZero && textOf(entry.reason) === undefined && textOf(entry.reason_code) === undefined;
}

function completeAdjustment(
  entry: CimObject,
  groupBase: Decimal | undefined,
  member: string,
): CimObject {
  const isAllowance = member === 'allowances' || (member !== 'charges' && !isTrue(entry.is_charge));
  const hasReason = textOf(entry.reason) !== undefined || textOf(entry.reason_code) !== undefined;
  const reasoned =
    isAllowance && !hasReason ? withDefaults(entry, { reason_code: discountCode }) : entry;
  const percent = decimalOf(entry.percent);
  const base = decimalOf(entry.base) ?? groupBase;
  if (percent === undefined || base === undefined) return reasoned;
  const rounded = round(base, amountPlaces);
  const computed = amountText(rounded.times(percent).div(100));
  const agrees =
    entry.amount === undefined || decimalOf(entry.amount)?.eq(decimal(computed)) === true;
  // A computed base may not fit an amount of the source, which would make a valid document
  // invalid.
  return withDefaults(reasoned, agrees ? { amount: computed, base: amountText(rounded) } : {});
}

/** Charges less allowances, or undefined when one of them has no amount. */
function adjustmentTotal(group: CimObject): Decimal | undefined {
  return sumOfAll(
    adjustmentsOf(group).map(({ sign, entry }) => decimalOf(entry.amount)?.times(sign)),
  );
}

function sumOfAll(values: readonly (Decimal | undefined)[]): Decimal | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? sum(known) : undefined;
}

function completeTotals(cim: CimObject, linesTotal: Decimal | undefined): CimObject {
  const given = groupOf(cim.totals) ?? {};
  const adjustments = adjustmentsOf(cim);
  const totalOf = (sign: 1 | -1): Decimal | undefined => {
    const entries = adjustments.filter((each) => each.sign === sign);
    return entries.length === 0
      ? undefined
      : sumOfAll(entries.map((each) => decimalOf(each.entry.amount)));
  };
  const hasLines = groupsOf(cim.lines).length > 0;
  const lines = decimalOf(given.lines) ?? (hasLines ? linesTotal : undefined);
  const change = adjustmentTotal(cim);
  // When prices include the tax the totals are computed otherwise; only the source has them.
  const isIncluded = isTrue(cim.tax_included);
  const net =
    decimalOf(given.net) ??
    (lines === undefined || change === undefined || isIncluded ? undefined : lines.plus(change));
  const taxTotal = documentTax(cim);
  const gross =
    decimalOf(given.gross) ??
    (net === undefined || taxTotal === undefined || isIncluded ? undefined : net.plus(taxTotal));
  const prepaid = decimalOf(given.prepaid) ?? paidTotal(cim);
  const due = gross?.minus(prepaid ?? zero).plus(decimalOf(given.rounding) ?? zero);
  const derived = { lines, net, gross, allowances: totalOf(-1), charges: totalOf(1), prepaid, due };
  const texts = Object.fromEntries(
    Object.entries(derived).map(([name, value]) => [name, value && amountText(value)]),
  );
  const tax =
    cim.tax_totals === undefined && taxTotal !== undefined ? amountText(taxTotal) : undefined;
  const totals = withDefaults(given, { ...texts, tax });
  return Object.keys(totals).length === 0 ? cim : { ...cim, totals };
}

function paidTotal(cim: CimObject): Decimal | undefined {
  const paid = groupsOf(cim.paid_amounts);
  return paid.length === 0 ? undefined : sumOfAll(paid.map((each) => decimalOf(each.amount)));
}

/** The tax of the document in its own currency: as given, or the sum of the breakdown. */
export function documentTax(cim: CimObject): Decimal | undefined {
  const given = decimalOf(groupOf(cim.totals)?.tax);
  if (given !== undefined) return given;
  const own = groupsOf(cim.tax_totals).find((each) => {
    const currency = textOf(groupOf(each.amount)?.currencyID);
    return currency === undefined || currency === textOf(cim.currency);
  });
  if (own !== undefined) return decimalOf(own.amount);
  const breakdown = groupsOf(cim.tax_breakdown);
  if (breakdown.length === 0) return undefined;
  return sumOfAll(breakdown.map((each) => decimalOf(each.amount)));
}
