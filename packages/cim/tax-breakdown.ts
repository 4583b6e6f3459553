import { type Decimal, decimal, format, round, sum, zero } from '@drawbridge/decimal/decimal.ts';
import { adjustmentsOf, amountPlaces, amountText } from './amounts.ts';
import {
  type CimObject,
  decimalOf,
  exactNumber,
  groupOf,
  groupsOf,
  textOf,
  withDefaults,
} from './json.ts';
import { lookUp } from './look-up.ts';

/** How a profile treats its tax categories. */
export interface TaxTreatment {
  /** Categories whose tax is 0 at any rate. */
  readonly untaxed: ReadonlySet<string>;
  /** Categories that are written without a rate; a zero of the source is left out. */
  readonly rateless: ReadonlySet<string>;
  /** The fixed rate of a category, used when the source has none. */
  readonly rates: Readonly<Record<string, string>>;
  /** As `rates`, where it differs for allowances and charges of the whole document. */
  readonly documentRates?: Readonly<Record<string, string>>;
  /** The category for a positive rate without one. */
  readonly standard?: string;
  /** Tax scheme of categories that are not of VAT. */
  readonly schemes?: Readonly<Record<string, string>>;
}

/** The sums of the lines, allowances and charges of one category and rate. */
interface Share {
  readonly category: string;
  readonly rate: Decimal | undefined;
  readonly scheme: string | undefined;
  readonly exemption_code: string | undefined;
  readonly exemption: string | undefined;
  readonly taxable: Decimal;
  /** Tax that the lines state themselves (a fixed sum per unit has no rate). */
  readonly stated: Decimal | undefined;
  /** Tax rounded line by line, as some ERPs do before they sum. */
  readonly byLine: Decimal;
}

/**
 * Adds a tax breakdown by category and rate; returns the document unchanged when none can be
 * computed.
 */
export function completeBreakdown(cim: CimObject, taxes: TaxTreatment): CimObject {
  if (cim.tax_totals !== undefined) return cim;
  const shares = sharesOf(cim, taxes);
  const given = groupsOf(cim.tax_breakdown);
  if (given.length > 0) {
    return { ...cim, tax_breakdown: given.map((entry) => completeEntry(entry, shares, taxes)) };
  }
  if (shares === undefined || shares.length === 0) return cim;
  const amounts = taxesOf(shares, decimalOf(groupOf(cim.totals)?.tax), taxes);
  const breakdown = shares.map((share, index) => entryOf(share, amounts[index]));
  return { ...cim, tax_breakdown: breakdown };
}

/**
 * The tax of each share. A total of the source decides between two ways of rounding (by category,
 * as in the rules, or by line); for a single share it is the tax itself.
 */
function taxesOf(
  shares: readonly Share[],
  total: Decimal | undefined,
  taxes: TaxTreatment,
): readonly (Decimal | undefined)[] {
  const perShare = shares.map((share) => taxOf(share, taxes));
  if (total === undefined) return perShare;
  if (shares.length === 1) return [total];
  const perLine = shares.map((share, index) =>
    share.rate === undefined || taxes.untaxed.has(share.category) ? perShare[index] : share.byLine,
  );
  const sumsUp = (amounts: readonly (Decimal | undefined)[]): boolean =>
    sum(amounts.map((amount) => amount ?? zero)).eq(total);
  return !sumsUp(perShare) && sumsUp(perLine) ? perLine : perShare;
}

/**
 * The shares; undefined when a line has no category or net amount: a partial breakdown is wrong.
 */
function sharesOf(cim: CimObject, taxes: TaxTreatment): readonly Share[] | undefined {
  const parts: Share[] = [];
  for (const line of groupsOf(cim.lines)) {
    const net = decimalOf(line.net);
    const lineTaxes = groupsOf(line.tax);
    if (net === undefined || lineTaxes.length === 0) return undefined;
    for (const tax of lineTaxes) {
      const part = partOf(tax, net, taxes);
      if (part === undefined) return undefined;
      parts.push({ ...part, stated: statedTax(line, part.category) });
    }
  }
  for (const { sign, entry } of adjustmentsOf(cim)) {
    const amount = decimalOf(entry.amount);
    const part = partOf(groupOf(entry.tax) ?? {}, (amount ?? zero).times(sign), taxes);
    if (amount !== undefined && part !== undefined) parts.push(part);
  }
  return merged(parts);
}

function partOf(tax: CimObject, taxable: Decimal, taxes: TaxTreatment): Share | undefined {
  const category = textOf(tax.category);
  if (category === undefined) return undefined;
  const rate = taxes.rateless.has(category) ? undefined : decimalOf(tax.rate);
  return {
    category,
    rate,
    scheme: textOf(tax.scheme),
    exemption_code: textOf(tax.exemption_code),
    exemption: textOf(tax.exemption),
    taxable,
    stated: undefined,
    byLine: percentOf(taxable, rate ?? zero),
  };
}

function statedTax(line: CimObject, category: string): Decimal | undefined {
  const entries = groupsOf(line.tax_totals)
    .flatMap((total) => groupsOf(total.breakdown))
    .filter((entry) => textOf(entry.category) === category);
  const amounts = entries.map((entry) => decimalOf(entry.amount));
  return entries.length === 0 ? undefined : sum(amounts.map((amount) => amount ?? zero));
}

function merged(parts: readonly Share[]): readonly Share[] {
  const byKey = new Map<string, Share>();
  for (const part of parts) {
    const key = `${part.category}|${part.rate === undefined ? '' : format(part.rate)}`;
    const known = byKey.get(key);
    byKey.set(
      key,
      known === undefined
        ? part
        : {
            ...known,
            exemption_code: known.exemption_code ?? part.exemption_code,
            exemption: known.exemption ?? part.exemption,
            taxable: known.taxable.plus(part.taxable),
            byLine: known.byLine.plus(part.byLine),
            stated:
              part.stated === undefined ? known.stated : part.stated.plus(known.stated ?? zero),
          },
    );
  }
  return [...byKey.values()];
}

function taxOf(share: Share, taxes: TaxTreatment): Decimal | undefined {
  if (taxes.untaxed.has(share.category)) return zero;
  if (share.rate === undefined) return share.stated;
  return percentOf(share.taxable, share.rate);
}

function percentOf(amount: Decimal, rate: Decimal): Decimal {
  return round(amount.times(rate).div(decimal(100)), amountPlaces);
}

function entryOf(share: Share, tax: Decimal | undefined): CimObject {
  return withDefaults(
    { taxable: amountText(share.taxable) },
    {
      amount: tax && amountText(tax),
      category: share.category,
      rate: share.rate && exactNumber(format(share.rate)),
      exemption_code: share.exemption_code,
      exemption: share.exemption,
      scheme: share.scheme,
    },
  );
}

/** Adds the missing amounts to an entry of the source. */
function completeEntry(
  entry: CimObject,
  shares: readonly Share[] | undefined,
  taxes: TaxTreatment,
): CimObject {
  const category = textOf(entry.category);
  if (category === undefined) return entry;
  const rate = decimalOf(entry.rate);
  const fitting = (shares ?? []).filter(
    (share) =>
      share.category === category &&
      (rate === undefined || share.rate === undefined || share.rate.eq(rate)),
  );
  const share = fitting.length === 1 ? fitting[0] : undefined;
  const isRateless = taxes.rateless.has(category);
  const fixed = isRateless ? undefined : lookUp(taxes.rates, category);
  const filled = withDefaults(entry, {
    taxable: share && amountText(share.taxable),
    rate: isRateless ? undefined : ((share?.rate && exactNumber(format(share.rate))) ?? fixed),
    scheme: lookUp(taxes.schemes, category),
  });
  const taxable = decimalOf(filled.taxable);
  if (taxable === undefined) return filled;
  const part = partOf(filled, taxable, taxes);
  const tax = part && taxOf({ ...part, stated: share?.stated }, taxes);
  return withDefaults(filled, { amount: tax && amountText(tax) });
}
