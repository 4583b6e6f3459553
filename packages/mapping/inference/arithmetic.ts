import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import { isDayNumber } from '../calendar.ts';
import { isCurrency } from '../code-names.ts';
import type { Transform } from '../transform.ts';
import type { ReadColumn } from './columns.ts';
import { isRemainder } from './remainders.ts';

/** How a discount is written; `piece`: an amount for each of the quantity. */
type DiscountForm = 'percent' | 'fraction' | 'amount' | 'piece';

/** What the sums of the sample documents say. Columns are those of the lines unless a section is named. */
export interface Arithmetic {
  /** Quantity × price, less the discount, is a column of the line or sums up to one of the header. */
  readonly quantity: ReadColumn | undefined;
  readonly price: ReadColumn | undefined;
  readonly discount: { readonly column: ReadColumn; readonly form: DiscountForm } | undefined;
  /** The share of lines or documents for which that holds. */
  readonly share: number;
  /** Columns with the amount of a line: as quantity × price gives it. */
  readonly lineAmounts: readonly ReadColumn[];
  /** Discounts that are in the price already. */
  readonly idleDiscounts: readonly ReadColumn[];
  readonly tax: PriceTax;
  /** A column of the lines that, times their amounts, gives the tax of the header. */
  readonly taxRate: ReadColumn | undefined;
  /** Rates that give the tax of some documents, and not of others. */
  readonly partialRates: readonly ReadColumn[];
  /** Amounts are kept in the smallest coin: 1250 is 12.50. */
  readonly isInCents: boolean;
  /** Header columns by what they are the sum of; a column in none of them is something else. */
  readonly totals: ReadonlyMap<ReadColumn, 'net' | 'tax' | 'gross' | 'lines'>;
  /** Whether there was enough to compare header columns with. */
  readonly hasTotals: boolean;
}

/** Whether prices have tax in them, as the sums say. */
type PriceTax =
  | { readonly kind: 'without'; readonly share: number }
  /** With the steps that take it out. */
  | { readonly kind: 'included'; readonly share: number; readonly steps: readonly Transform[] }
  | { readonly kind: 'mixed' }
  /** No tax was seen beside the prices. */
  | { readonly kind: 'unknown'; readonly isTaxSeen: boolean };

/** Documents that sums are compared of, at most. */
const documentsMax = 60;
/** Columns that are tried with each other, at most: each combination is a pass over all lines. */
const triedMax = {
  quantities: 8,
  prices: 12,
  discounts: 4,
  amounts: 40,
  headers: 60,
  taxes: 3,
} as const;
const shareMin = 0.8;

/** Checks prices, discounts and totals against each other. */
export function findArithmetic(
  all: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): Arithmetic {
  const columns = all.filter((one) => !isRemainder(one, all));
  const read = documents
    .slice(0, documentsMax)
    .filter((one) => (one.sections.lines ?? []).length > 0);
  const lines = columns.filter(({ column }) => column.section === 'lines');
  const numeric = (one: ReadColumn) => one.values.length > 0 && one.values.every(isNumber);
  const of = (...words: readonly string[]) =>
    lines.filter((one) => numeric(one) && words.some((word) => one.words.has(word)));
  const isCost = ({ words }: ReadColumn) => words.has('cost') || words.has('created');
  const counted = of('quantity').filter((one) => !isCost(one) && one.values.some(isCounted));
  const ordered = counted.filter(({ words }) => !words.has('delivery'));
  const quantities = (ordered.length > 0 ? ordered : counted).slice(0, triedMax.quantities);
  const hasPrice = of('price').length > 0;
  const prices = of('price', 'rate', 'cost', 'amount')
    .filter(
      (one) =>
        !one.words.has('tax') &&
        // Where nothing else is a price, what a piece costs is it.
        (!isCost(one) || (!hasPrice && one.words.size === 1)) &&
        !one.words.has('discount') &&
        !one.words.has('total') &&
        // Factors of 1 prove nothing.
        one.values.some((value) => Math.abs(numberOf(value)) !== 1 && numberOf(value) !== 0),
    )
    .slice(0, triedMax.prices);
  const discounts = lines
    .filter(
      (one) =>
        numeric(one) &&
        (one.words.has('discount') || (one.words.has('percent') && !one.words.has('tax'))) &&
        one.values.some((value) => Number(value) !== 0),
    )
    .slice(0, triedMax.discounts);
  const amounts = lines
    .filter(
      (one) =>
        numeric(one) &&
        !quantities.includes(one) &&
        !one.words.has('id') &&
        !one.words.has('tax') &&
        !isCost(one) &&
        one.values.some((value) => Number(value) !== 0),
    )
    .slice(0, triedMax.amounts);
  const numbers = columns
    .filter(
      (one) =>
        one.column.section === 'header' &&
        numeric(one) &&
        !one.isKey &&
        !areDays(one.values) &&
        !areRecordNumbers(one.values) &&
        one.values.some((value) => Number(value) !== 0),
    )
    .slice(0, triedMax.headers);
  // 3 and 1 are 4 in any number of documents.
  const differing = numbers.filter(({ values }) => new Set(values).size > 1);
  const headers = differing.length > 0 ? differing : numbers;
  const taxesOfLines = lines.filter((one) => numeric(one) && isTaxAmount(one));
  const named = bestProduct(
    read,
    quantities,
    prices,
    discounts,
    amounts,
    headers,
    taxesOfLines.slice(0, triedMax.taxes),
  );
  const isNamed = named !== undefined && named.share >= shareMin;
  const offs = (discounts.length > 0 ? discounts : lines.filter(mayBeDiscount)).slice(
    0,
    triedMax.discounts,
  );
  const found = isNamed ? named : (unnamedProduct(read, lines, offs, headers) ?? named);
  if (found === undefined) return nothing;
  const off = found.product.discount ?? discountBeside(read, found.product, discounts);
  const best = { ...found, product: { ...found.product, discount: off } };
  const facts = read.map((document) => factsOf(document, best.product));
  const taxes = taxSources(columns, lines);
  // A charge may be the same in all documents.
  const charges = numbers.filter(({ words }) => words.has('charge') || words.has('delivery'));
  const totals = new Map(totalsOf(facts, headers, charges));
  const rated = ratedTax(facts, lines, headers, totals);
  for (const [column, kind] of taxedTotals(facts, headers, taxes.amounts)) {
    if (!totals.has(column)) totals.set(column, kind);
  }
  if (rated !== undefined && !totals.has(rated.total)) totals.set(rated.total, rated.kind);
  const idle =
    best.product.discount === undefined
      ? discounts
      : discounts.filter((one) => one !== best.product.discount?.column);
  return {
    quantity: best.product.quantity,
    price: best.product.price,
    discount: best.product.discount,
    share: best.share,
    lineAmounts: amounts.filter(
      (one) => one !== best.product.price && shareOfLines(read, best.product, one) >= shareMin,
    ),
    idleDiscounts: best.share >= shareMin ? idle : [],
    tax: priceTax(facts, headers, taxes, columns),
    taxRate: rated?.rate,
    partialRates: rated === undefined ? partialRates(facts, headers, columns) : [],
    isInCents: areCents(best, columns, totals),
    totals,
    hasTotals: totals.size > 0,
  };
}

/** Lines with a discount that prove where it is taken off, at least. */
const discountedMin = 5;

/**
 * A percentage that, of quantity × price, is an amount of discount beside it: the amount of the line is before that
 * discount. Of a price that it is off already it would be another amount.
 */
function discountBeside(
  documents: readonly SourceDocument[],
  product: Product,
  discounts: readonly ReadColumn[],
): Product['discount'] {
  const rows = documents.flatMap(({ sections }) => sections.lines ?? []);
  const percent = discounts.find((column) =>
    discounts.some((amount) => {
      if (amount === column) return false;
      const telling = rows.filter((row) => (numberAt(row, column) ?? 0) !== 0);
      const right = telling.filter((row) => {
        const expected = ((amountOf(row, product) ?? 0) * (numberAt(row, column) ?? 0)) / 100;
        return isNear(Math.abs(expected), Math.abs(numberAt(row, amount) ?? 0), 1);
      });
      return telling.length >= discountedMin && right.length >= telling.length * shareMin;
    }),
  );
  return percent === undefined ? undefined : { column: percent, form: 'percent' };
}

/** Percents that some lines have and others have not, a few different ones. */
function mayBeDiscount({ values, isKey, isJoined }: ReadColumn): boolean {
  const different = new Set(values);
  return (
    !isKey &&
    !isJoined &&
    different.size > 1 &&
    different.size <= 8 &&
    values.every((value) => isNumber(value) && numberOf(value) >= 0 && numberOf(value) < 100) &&
    values.some((value) => numberOf(value) === 0)
  );
}

/** Moments and days: of two that are close, one is the other and a little more, as a total is with tax. */
function areDays(values: readonly string[]): boolean {
  return values.every((value) => isDayNumber(value.trim()));
}

/** Numbers of records, of which any two are alike but for their last digits. */
function areRecordNumbers(values: readonly string[]): boolean {
  return values.every((value) => /^\d{10,}$/.test(value.trim()));
}

const nothing: Arithmetic = {
  quantity: undefined,
  price: undefined,
  discount: undefined,
  share: 0,
  lineAmounts: [],
  idleDiscounts: [],
  tax: { kind: 'unknown', isTaxSeen: true },
  taxRate: undefined,
  partialRates: [],
  isInCents: false,
  totals: new Map(),
  hasTotals: false,
};

export interface Product {
  readonly quantity: ReadColumn;
  readonly price: ReadColumn;
  readonly discount: { readonly column: ReadColumn; readonly form: DiscountForm } | undefined;
}

/** The product that fits best; the first of equal ones, in the order of the columns' names. */
function bestProduct(
  documents: readonly SourceDocument[],
  quantities: readonly ReadColumn[],
  prices: readonly ReadColumn[],
  discounts: readonly ReadColumn[],
  amounts: readonly ReadColumn[],
  headers: readonly ReadColumn[],
  taxes: readonly ReadColumn[],
): { readonly product: Product; readonly share: number } | undefined {
  const options: (Product['discount'] | undefined)[] = [undefined, ...discountForms(discounts)];
  let best: { product: Product; share: number; score: number } | undefined;
  const taxed = new Set(taxedAmounts(documents, amounts, taxes));
  for (const quantity of quantities) {
    for (const price of prices) {
      if (price === quantity) continue;
      for (const discount of options) {
        const product = { quantity, price, discount };
        const shares = amounts
          .filter((one) => one !== price && one !== discount?.column)
          .map((one) => ({ one, share: shareOfLines(documents, product, one) }));
        const byLine = Math.max(0, ...shares.map(({ share }) => share));
        const byTotals = shareOfTotals(documents, product, headers);
        const share = Math.max(byLine, byTotals);
        const isTaxed = shares.some((each) => each.share >= shareMin && taxed.has(each.one));
        // A line may keep its amount before and after the discount; the header has what is asked for.
        const score = share + 0.1 * byTotals + nameBonus(product) + (isTaxed ? taxedBonus : 0);
        if (best === undefined || score > best.score + 1e-9) best = { product, share, score };
      }
    }
  }
  return best;
}

const taxedBonus = 0.05;
/** Lines with tax that tell, at least. */
const taxedMin = 8;

/** Amounts of lines that, with the tax beside them, are another amount: those before tax. */
function taxedAmounts(
  documents: readonly SourceDocument[],
  amounts: readonly ReadColumn[],
  taxes: readonly ReadColumn[],
): readonly ReadColumn[] {
  const rows = documents.flatMap(({ sections }) => sections.lines ?? []);
  return amounts.filter((net) =>
    taxes.some((tax) => {
      const taxed = rows.filter((row) => (numberAt(row, tax) ?? 0) !== 0);
      return (
        taxed.length >= taxedMin &&
        amounts.some((gross) =>
          taxed.every((row) => {
            const [one, more, all] = [net, tax, gross].map((each) => numberAt(row, each) ?? 0);
            return one !== 0 && isNear(one! + more!, all!, 1);
          }),
        )
      );
    }),
  );
}

/** Columns of numbers that are tried as quantity, price and amount, at most. */
const unnamedMax = 14;
/** The share of lines that it must explain, at least. */
const unnamedMin = 0.95;
/** Lines that a product without names must explain, at least: by chance a few always fit. */
const tellingMin = 8;

/**
 * The product that values alone prove, where names say nothing: of two columns whose product is a third. Of the
 * two the price is the one that items have in common, and that has digits after the point.
 */
function unnamedProduct(
  documents: readonly SourceDocument[],
  lines: readonly ReadColumn[],
  discounts: readonly ReadColumn[],
  headers: readonly ReadColumn[],
): { readonly product: Product; readonly share: number } | undefined {
  const numbers = lines
    .filter(
      (one) =>
        !one.isKey &&
        !one.isJoined &&
        one.values.length > 0 &&
        one.values.every(isNumber) &&
        new Set(one.values).size > 2,
    )
    .slice(0, unnamedMax);
  const rows = documents.flatMap(({ sections }) => sections.lines ?? []);
  let best: { product: Product; share: number; score: number } | undefined;
  for (const [at, one] of numbers.entries()) {
    for (const other of numbers.slice(at + 1)) {
      const [quantity, price] = wholeness(one) >= wholeness(other) ? [one, other] : [other, one];
      for (const discount of [undefined, ...discountForms(discounts)]) {
        const product = { quantity, price, discount };
        for (const amount of numbers) {
          if (amount === one || amount === other || amount === discount?.column) continue;
          const share = tellingShare(rows, product, amount);
          if (share < unnamedMin) continue;
          const score =
            share + 0.1 * shareOfTotals(documents, product, headers) - (discount ? 0.01 : 0);
          if (score > (best?.score ?? 0)) best = { product, share, score };
        }
      }
    }
  }
  return best;
}

function discountForms(discounts: readonly ReadColumn[]): NonNullable<Product['discount']>[] {
  return discounts.flatMap((column) =>
    (['percent', 'fraction', 'amount', 'piece'] as const).map((form) => ({ column, form })),
  );
}

/** The share of values that are small whole numbers, as quantities are. */
function wholeness({ values }: ReadColumn): number {
  const whole = values.filter((value) => Number.isInteger(Math.abs(numberOf(value)))).length;
  const size = values.reduce((sum, value) => sum + Math.abs(numberOf(value)), 0) / values.length;
  return whole / values.length - Math.log10(1 + size) / 20;
}

/** The share of lines that a product explains, of those in which neither factor is 0 or 1. */
function tellingShare(rows: readonly SourceRow[], product: Product, amount: ReadColumn): number {
  let all = 0;
  let right = 0;
  for (const row of rows) {
    const factors = [product.quantity, product.price].map((one) =>
      Math.abs(numberAt(row, one) ?? 0),
    );
    const expected = amountOf(row, product);
    const found = numberAt(row, amount);
    if (expected === undefined || found === undefined || factors.some((one) => one <= 1)) continue;
    all += 1;
    if (isNear(Math.abs(expected), Math.abs(found), 1)) right += 1;
    else if (all - right > rows.length * (1 - unnamedMin)) return 0;
  }
  return all < tellingMin ? 0 : right / all;
}

/** Totals that the amounts of tax of the lines make: their sum, and that with the lines. */
function taxedTotals(
  facts: readonly Facts[],
  headers: readonly ReadColumn[],
  lineTaxes: readonly ReadColumn[],
): readonly (readonly [ReadColumn, 'tax' | 'gross'])[] {
  const telling = facts.filter(({ sum }) => sum !== 0);
  if (telling.length < 3) return [];
  for (const lineTax of lineTaxes) {
    const taxOfLines = ({ rows }: Facts) =>
      rows.reduce((sum, row) => sum + (numberAt(row, lineTax) ?? 0), 0);
    if (telling.every((fact) => taxOfLines(fact) === 0)) continue;
    const found = headers.flatMap((one) =>
      (['tax', 'gross'] as const).flatMap((kind) => {
        const right = telling.filter((fact) => {
          const total = fact.header === undefined ? undefined : numberAt(fact.header, one);
          const expected = taxOfLines(fact) + (kind === 'gross' ? fact.sum : 0);
          return total !== undefined && isNear(Math.abs(total), Math.abs(expected), fact.count);
        });
        const share = right.length / telling.length;
        return share >= shareMin ? [{ column: one, kind, share }] : [];
      }),
    );
    if (found.length > 0) {
      return found.filter((one) => isBest(one, found)).map(({ column, kind }) => [column, kind]);
    }
  }
  return [];
}

/** A rate of the lines and a total of the header: the amounts of the lines times the rate are that total, or are in it. */
function ratedTax(
  facts: readonly Facts[],
  lines: readonly ReadColumn[],
  headers: readonly ReadColumn[],
  totals: Arithmetic['totals'],
):
  | { readonly rate: ReadColumn; readonly total: ReadColumn; readonly kind: 'tax' | 'gross' }
  | undefined {
  const telling = facts.filter(({ sum }) => sum !== 0);
  if (telling.length < 3) return undefined;
  const rates = lines.filter(
    ({ values, isKey }) =>
      !isKey &&
      values.length > 0 &&
      values.every((value) => isNumber(value) && numberOf(value) >= 0 && numberOf(value) <= 40) &&
      values.some((value) => numberOf(value) > 0) &&
      new Set(values).size <= 8,
  );
  for (const rate of rates) {
    for (const total of headers) {
      const known = totals.get(total);
      if (known !== undefined && known !== 'tax' && known !== 'gross') continue;
      const holds = (isGross: boolean) =>
        telling.filter(({ header, rows, amounts, count, sum }) => {
          const found = header === undefined ? undefined : numberAt(header, total);
          const tax = amounts.reduce(
            (all, amount, at) =>
              all + amount * (rateFactor(numberAt(rows[at]!, rate) ?? 0, rate) - 1),
            0,
          );
          const expected = isGross ? sum + tax : tax;
          return found !== undefined && isNear(Math.abs(expected), Math.abs(found), count);
        }).length /
          telling.length >=
        0.95;
      if (holds(false)) return { rate, total, kind: 'tax' };
      if (holds(true)) return { rate, total, kind: 'gross' };
    }
  }
  return undefined;
}

/** The rate of a line; one that is the same in all rows may stand in another section. */
function rateAt(row: SourceRow, rate: ReadColumn): number {
  const isOwn = rate.column.section === 'lines';
  return (isOwn ? numberAt(row, rate) : numberOf(rate.values[0]!)) ?? 0;
}

/** Documents of which a rate gives the tax, for it to be one at all. */
const partialMin = 0.15;

function partialRates(
  facts: readonly Facts[],
  headers: readonly ReadColumn[],
  columns: readonly ReadColumn[],
): readonly ReadColumn[] {
  const telling = facts.filter(({ sum }) => sum !== 0);
  const isOne = ({ values }: ReadColumn) => new Set(values).size === 1;
  const rates = columns.filter(
    (one) =>
      (one.column.section === 'lines' || isOne(one)) &&
      one.column.section !== 'header' &&
      one.values.length > 0 &&
      one.values.every(
        (value) => isNumber(value) && numberOf(value) >= 0 && numberOf(value) <= 40,
      ) &&
      one.values.some(isCounted),
  );
  const totals = headers.filter(isTaxAmount);
  return rates.filter((rate) =>
    totals.some((total) => {
      const right = telling.filter(({ header, rows, amounts, count }) => {
        const found = header === undefined ? undefined : numberAt(header, total);
        const tax = amounts.reduce(
          (all, amount, at) => all + amount * (rateFactor(rateAt(rows[at]!, rate), rate) - 1),
          0,
        );
        return found !== undefined && found !== 0 && isNear(Math.abs(tax), Math.abs(found), count);
      });
      const share = right.length / telling.length;
      return share >= partialMin && share < shareMin;
    }),
  );
}

const centNames = /(^|_)(cents?|minor|sen|fils|pence|rappen)($|_)|(Cents|Minor)$/;

/**
 * Whether amounts are in cents: the name says so, or all are whole numbers though currencies have decimals and
 * taxes, being shares, would have made some.
 */
function areCents(
  { product, share }: { readonly product: Product; readonly share: number },
  columns: readonly ReadColumn[],
  totals: Arithmetic['totals'],
): boolean {
  if (share < shareMin) return false;
  const { price } = product;
  const areWhole = ({ values }: ReadColumn) =>
    values.length > 0 && values.every((value) => /^-?\d+$/.test(value.trim()));
  const money = [price, ...totals.keys()];
  if (!money.every(areWhole)) return false;
  if (money.some(({ column }) => centNames.test(column.column))) return true;
  const currencies = columns.filter(({ values }) => values.length > 0 && values.every(isCurrency));
  const isFine = currencies.some(({ values }) => values.every((value) => decimalsOf(value) === 2));
  const taxes = [...totals].filter(([, kind]) => kind === 'tax').map(([column]) => column);
  const isTaxUneven = taxes.some(
    ({ values }) => values.filter((value) => Number(value) % 100 !== 0).length >= values.length / 4,
  );
  return isFine && isTaxUneven && price.values.some((value) => Number(value) >= 100);
}

export function decimalsOf(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: currency.toUpperCase(),
  }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}

function nameBonus({ price, quantity, discount }: Product): number {
  const isPlain = price.words.has('price') && price.words.size <= 2 ? 0.03 : 0;
  const isQuantity = quantity.words.size === 1 ? 0.02 : 0;
  // A discount is believed only when it explains more than its absence does.
  return isPlain + isQuantity - (discount === undefined ? 0 : 0.01);
}

function shareOfLines(
  documents: readonly SourceDocument[],
  product: Product,
  amount: ReadColumn,
): number {
  let all = 0;
  let right = 0;
  for (const row of documents.flatMap(({ sections }) => sections.lines ?? [])) {
    const expected = amountOf(row, product);
    const found = numberAt(row, amount);
    if (expected === undefined || found === undefined || (expected === 0 && found === 0)) continue;
    all += 1;
    if (isNear(Math.abs(expected), Math.abs(found), 1)) right += 1;
  }
  return all === 0 ? 0 : right / all;
}

function shareOfTotals(
  documents: readonly SourceDocument[],
  product: Product,
  headers: readonly ReadColumn[],
): number {
  const facts = documents
    .map((document) => factsOf(document, product))
    .filter(({ sum }) => sum !== 0);
  if (facts.length === 0) return 0;
  const shares = headers.map(
    (header) =>
      facts.filter(({ sum, header: row, count }) => {
        const total = row === undefined ? undefined : numberAt(row, header);
        return total !== undefined && isNear(Math.abs(total), Math.abs(sum), count);
      }).length / facts.length,
  );
  return Math.max(0, ...shares);
}

/** The amount of a line: quantity × price, less the discount. */
export function amountOf(
  row: SourceRow,
  { quantity, price, discount }: Product,
): number | undefined {
  const q = numberAt(row, quantity);
  const p = numberAt(row, price);
  if (q === undefined || p === undefined) return undefined;
  if (discount === undefined) return q * p;
  const d = numberAt(row, discount.column) ?? 0;
  if (discount.form === 'amount') return q * p - d;
  if (discount.form === 'piece') return q * (p - d);
  return q * p * (1 - (discount.form === 'percent' ? d / 100 : d));
}

interface Facts {
  readonly document: SourceDocument;
  readonly header: SourceRow | undefined;
  readonly rows: readonly SourceRow[];
  readonly quantities: readonly number[];
  readonly amounts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

function factsOf(document: SourceDocument, product: Product): Facts {
  const rows = document.sections.lines ?? [];
  const amounts = rows.map((row) => amountOf(row, product) ?? 0);
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  const quantities = rows.map((row) => numberAt(row, product.quantity) ?? 0);
  const header = document.sections.header?.[0];
  return { document, header, rows, quantities, amounts, sum, count: rows.length };
}

/** A column with a rate or an amount of tax, of the line or joined to it. */
interface TaxSources {
  /** Of the lines' own section. */
  readonly rates: readonly ReadColumn[];
  readonly amounts: readonly ReadColumn[];
  /** Of the section `taxes`. */
  readonly breakdown: readonly ReadColumn[];
}

function taxSources(columns: readonly ReadColumn[], lines: readonly ReadColumn[]): TaxSources {
  const isTax = (one: ReadColumn) =>
    one.words.has('tax') && !one.isKey && one.values.length > 0 && one.values.every(isNumber);
  const rates = lines.filter((one) => isTax(one) && !one.words.has('amount') && isRate(one.values));
  return {
    rates,
    amounts: lines.filter(
      (one) =>
        isTax(one) && isTaxAmount(one) && !['rate', 'percent'].some((word) => one.words.has(word)),
    ),
    breakdown: columns.filter(
      (one) =>
        one.column.section === 'taxes' && one.words.has('amount') && one.values.every(isNumber),
    ),
  };
}

function isRate(values: readonly string[]): boolean {
  return values.every((value) => Number(value) >= 0 && Number(value) <= 100);
}

/** A column whose share of documents is so much less than that of another one of its kind is of the books' money. */
const sameKindMargin = 0.02;

type TotalKind = 'net' | 'tax' | 'gross' | 'lines';

interface Share {
  readonly kind: TotalKind;
  /** Of the documents for which it holds. */
  readonly share: number;
}

function isBest({ kind, share }: Share, all: readonly Share[]): boolean {
  return all.every((one) => one.kind !== kind || one.share <= share + sameKindMargin);
}

function totalsOf(
  facts: readonly Facts[],
  headers: readonly ReadColumn[],
  charges: readonly ReadColumn[],
): Arithmetic['totals'] {
  const found = new Map<ReadColumn, Share>();
  const telling = facts.filter(({ sum }) => sum !== 0);
  if (telling.length === 0) return new Map();
  const values = new Map(
    headers.map((one) => [
      one,
      telling.map(({ header }) => (header === undefined ? undefined : numberAt(header, one))),
    ]),
  );
  const shareOf = (test: (index: number) => boolean) =>
    telling.filter((_, index) => test(index)).length / telling.length;
  const add = (column: ReadColumn, kind: TotalKind, share: number) => {
    if (share > (found.get(column)?.share ?? 0)) found.set(column, { kind, share });
  };
  for (const a of headers) {
    for (const b of headers) {
      for (const c of headers) {
        if (a === b || b === c || a === c || !isTaxAmount(b)) continue;
        const share = shareOf((index) => {
          const [x, y, z] = [a, b, c].map((one) => values.get(one)![index]);
          if (x === undefined || y === undefined || z === undefined) return false;
          return Math.abs(y) <= Math.abs(x) * 0.5 && isNear(Math.abs(x + y), Math.abs(z), 1);
        });
        const isTaxed = values.get(b)!.some((value) => value !== undefined && value !== 0);
        if (share < shareMin || !isTaxed) continue;
        add(a, 'net', share);
        add(b, 'tax', share);
        add(c, 'gross', share);
      }
    }
  }
  for (const one of headers) {
    const share = shareOf((index) => {
      const value = values.get(one)![index];
      const { sum, count } = telling[index]!;
      return value !== undefined && isNear(Math.abs(value), Math.abs(sum), count);
    });
    if (share >= shareMin && !found.has(one)) add(one, 'lines', share);
  }
  for (const charged of chargedNets(telling, headers, charges, found)) add(charged, 'net', 1);
  const isGrossFound = [...found.values()].some(({ kind }) => kind === 'gross');
  for (const [net, { kind, share }] of isGrossFound ? [] : [...found]) {
    const gross = kind === 'net' ? withTaxOf(net, headers) : undefined;
    if (gross !== undefined && !found.has(gross)) add(gross, 'gross', share);
  }
  const best = [...found].filter(([, each]) => isBest(each, [...found.values()]));
  return new Map(best.map(([column, { kind }]) => [column, kind]));
}

/** Totals that are what the lines come to and a charge beside it: "total without tax" of "products" and "shipping". */
function chargedNets(
  facts: readonly Facts[],
  headers: readonly ReadColumn[],
  charges: readonly ReadColumn[],
  found: ReadonlyMap<ReadColumn, Share>,
): readonly ReadColumn[] {
  const lines = headers.filter((one) => found.get(one)?.kind === 'lines');
  const totals = headers.filter((one) => !found.has(one) && one.words.has('net'));
  const at = ({ header }: Facts, column: ReadColumn) =>
    header === undefined ? 0 : (numberAt(header, column) ?? 0);
  return totals.filter((total) =>
    lines.some((line) =>
      charges.some((charge) => {
        const isSum = (fact: Facts) =>
          isNear(at(fact, line) + at(fact, charge), at(fact, total), 1);
        return total !== charge && facts.filter(isSum).length >= facts.length * shareMin;
      }),
    ),
  );
}

/** The column that is called as one without tax is, but with tax: `total_incl` beside `total_excl`. */
function withTaxOf(net: ReadColumn, headers: readonly ReadColumn[]): ReadColumn | undefined {
  if (!net.words.has('net')) return undefined;
  const wanted = new Set([...net.words].map((word) => (word === 'net' ? 'gross' : word)));
  return headers.find(
    (one) =>
      one.words.size === wanted.size &&
      [...wanted].every((word) => one.words.has(word)) &&
      one.values.length === net.values.length &&
      one.values.every(
        (value, row) => Math.abs(numberOf(value)) >= Math.abs(numberOf(net.values[row]!)),
      ),
  );
}

/** Whether it is called a tax, and no amount with or without one: `total_tax`, not `total_excl_tax`. */
function isTaxAmount({ words }: Pick<ReadColumn, 'words'>): boolean {
  return words.has('tax') && !words.has('net') && !words.has('gross');
}

function priceTax(
  facts: readonly Facts[],
  headers: readonly ReadColumn[],
  sources: TaxSources,
  columns: readonly ReadColumn[],
): PriceTax {
  const headerTaxes = headers.filter(
    (one) =>
      isTaxAmount(one) &&
      !one.words.has('rate') &&
      !one.words.has('percent') &&
      !one.values.every((value) => /^[01]$/.test(value)),
  );
  let without = 0;
  let within = 0;
  let telling = 0;
  const grossFacts: { fact: Facts; net: number }[] = [];
  for (const fact of facts) {
    const outcome = taxOf(fact, headers, headerTaxes, sources);
    if (outcome === undefined) continue;
    telling += 1;
    if (outcome.kind === 'without') without += 1;
    else if (outcome.kind === 'included') {
      within += 1;
      grossFacts.push({ fact, net: outcome.net });
    }
  }
  const isTaxSeen =
    headerTaxes.length > 0 ||
    sources.breakdown.length > 0 ||
    sources.rates.some(({ values }) => values.some((value) => Number(value) !== 0));
  if (telling > 0 && without / telling >= shareMin) {
    return { kind: 'without', share: without / telling };
  }
  if (within === 0 && areTaxedLines(facts, sources, columns)) return { kind: 'without', share: 1 };
  if (telling === 0) return { kind: 'unknown', isTaxSeen };
  const flag = includedFlag(
    columns,
    facts,
    grossFacts.map(({ fact }) => fact),
  );
  if (
    within / telling >= shareMin ||
    (within > 0 && flag !== undefined && within + without >= telling * shareMin)
  ) {
    const steps = stepsWithout(grossFacts, sources, flag);
    if (steps !== undefined) return { kind: 'included', share: within / telling, steps };
  }
  return within > 0 ? { kind: 'mixed' } : { kind: 'unknown', isTaxSeen };
}

/** Lines with tax that tell, at least. */
const taxedLinesMin = 8;

/** Whether lines have a column that is their amount, or price, and its tax: then no tax is in that. */
function areTaxedLines(
  facts: readonly Facts[],
  { rates, amounts }: TaxSources,
  columns: readonly ReadColumn[],
): boolean {
  const lines = facts.flatMap(({ rows, amounts: nets, quantities }) =>
    rows.map((row, at) => ({ row, net: nets[at]!, price: nets[at]! / quantities[at]! })),
  );
  const gross = columns.filter(
    ({ column, words }) => column.section === 'lines' && words.has('gross'),
  );
  type Line = (typeof lines)[number];
  const isGross = (taxed: readonly Line[], expected: (line: Line) => number) =>
    taxed.length >= taxedLinesMin &&
    gross.some((column) => {
      const isRight = (line: Line) => isNear(expected(line), numberAt(line.row, column) ?? 0, 1);
      return taxed.filter(isRight).length >= taxed.length * shareMin;
    });
  const byRate = rates.some((rate) => {
    const factorOf = ({ row }: Line) => rateFactor(numberAt(row, rate) ?? 0, rate);
    const taxed = lines.filter((line) => factorOf(line) > 1 && line.net !== 0);
    return isGross(taxed, (line) => line.net * factorOf(line));
  });
  const byAmount = amounts.some((tax) => {
    const taxOf = ({ row }: Line) => numberAt(row, tax) ?? 0;
    const taxed = lines.filter((line) => taxOf(line) > 0 && line.net !== 0);
    return (
      isGross(taxed, (line) => line.net + taxOf(line)) ||
      isGross(taxed, (line) => line.price + taxOf(line))
    );
  });
  return byRate || byAmount;
}

/** Whether the lines of a document sum up to its net or to its gross total; undefined without tax. */
function taxOf(
  { document, header, rows, amounts, sum, count }: Facts,
  headers: readonly ReadColumn[],
  headerTaxes: readonly ReadColumn[],
  sources: TaxSources,
):
  | { readonly kind: 'without' | 'neither' }
  | { readonly kind: 'included'; readonly net: number }
  | undefined {
  if (header === undefined || sum === 0) return undefined;
  const totals = headers.flatMap((one) => {
    const value = numberAt(header, one);
    return value === undefined || headerTaxes.includes(one) ? [] : [Math.abs(value)];
  });
  const breakdown = (document.sections.taxes ?? []).map((row) =>
    sources.breakdown.map((one) => numberAt(row, one) ?? 0),
  );
  const inBreakdown =
    breakdown.length === 0
      ? []
      : breakdown[0]!.map((_, at) =>
          breakdown.reduce((total, row) => total + Math.abs(row[at]!), 0),
        );
  const lineTaxes = sources.amounts.map((one) =>
    rows.reduce((total, row) => total + (numberAt(row, one) ?? 0), 0),
  );
  const taxes = [
    ...headerTaxes.map((one) => numberAt(header, one) ?? 0),
    ...inBreakdown,
    ...lineTaxes,
  ]
    .map(Math.abs)
    .filter((tax) => tax > Math.abs(sum) * 0.005);
  const lines = Math.abs(sum);
  const near = (one: number, other: number) => isNear(one, other, count);
  const known = [...totals, ...inBreakdown];
  for (const tax of taxes) {
    if (tax > lines * 0.6) continue;
    if (known.some((total) => near(total, lines + tax))) return { kind: 'without' };
    const hasGross = totals.some((total) => near(total, lines));
    if (hasGross && known.some((total) => near(total, lines - tax))) {
      return { kind: 'included', net: lines - tax };
    }
  }
  for (const rate of sources.rates) {
    const factors = rows.map((row) => rateFactor(numberAt(row, rate) ?? 0, rate));
    if (factors.every((factor) => factor === 1)) continue;
    const more = Math.abs(amounts.reduce((total, amount, at) => total + amount * factors[at]!, 0));
    const less = Math.abs(amounts.reduce((total, amount, at) => total + amount / factors[at]!, 0));
    if (totals.some((total) => near(total, more))) return { kind: 'without' };
    if (totals.some((total) => near(total, lines)) && totals.some((total) => near(total, less))) {
      return { kind: 'included', net: less };
    }
    for (const tax of taxes) {
      if (near(tax, more - lines)) return { kind: 'without' };
      if (near(tax, lines - less)) return { kind: 'included', net: less };
    }
  }
  if (!taxes.some((tax) => tax <= lines * 0.6)) return undefined;
  // Where only a net total and its tax are kept.
  return totals.some((total) => near(total, lines)) &&
    inBreakdown.length === 0 &&
    headerTaxes.length > 0
    ? { kind: 'without' }
    : { kind: 'neither' };
}

/** 1.2 for a rate of 20 % that is written 20 or 0.2. */
function rateFactor(rate: number, column: ReadColumn): number {
  return 1 + (isFraction(column.values) ? rate : rate / 100);
}

/** Whether rates are written as fractions: all below one, and some not zero. */
export function isFraction(values: readonly string[]): boolean {
  const numbers = values.map(Number);
  return numbers.some((value) => value !== 0) && numbers.every((value) => value >= 0 && value < 1);
}

/** A header column that says whether prices have tax in them. */
function includedFlag(
  columns: readonly ReadColumn[],
  facts: readonly Facts[],
  grossFacts: readonly Facts[],
): { readonly column: string; readonly value: string } | undefined {
  for (const { column, words } of columns) {
    const isNamed =
      words.has('tax') && (words.has('gross') || words.has('included') || words.has('price'));
    if (column.section !== 'header' || !isNamed) continue;
    const flagOf = ({ header }: Facts) => header?.values[column.column] ?? '';
    const values = new Set(grossFacts.map(flagOf));
    const [value] = values;
    const isFlag = facts.every((fact) => /^(0|1|t|f|true|false|y|n|yes|no)$/i.test(flagOf(fact)));
    if (isFlag && values.size === 1 && value !== undefined && /^(1|t|true|y|yes)$/i.test(value)) {
      return { column: column.column, value };
    }
  }
  return undefined;
}

/** Steps that take the tax out of a price, proved by the net sums. */
function stepsWithout(
  gross: readonly { readonly fact: Facts; readonly net: number }[],
  sources: TaxSources,
  flag: { readonly column: string; readonly value: string } | undefined,
): readonly Transform[] | undefined {
  const when =
    flag === undefined
      ? {}
      : { when: { section: 'header', column: flag.column, value: flag.value } };
  const holds = (netOf: (fact: Facts) => number) =>
    gross.filter(({ fact, net }) => isNear(Math.abs(netOf(fact)), net, fact.count)).length /
      gross.length >=
    shareMin;
  for (const unitTax of sources.amounts) {
    const isProved = gross.every(({ fact, net }) => {
      const tax = fact.rows.reduce((total, row, at) => {
        const own = numberAt(row, unitTax) ?? 0;
        return total + own * Math.abs(fact.quantities[at]!);
      }, 0);
      return isNear(Math.abs(fact.sum) - Math.abs(tax), net, fact.count);
    });
    if (isProved) return [{ kind: 'subtract', by: { column: unitTax.column.column }, ...when }];
  }
  for (const rate of sources.rates) {
    const netOf = ({ amounts, rows }: Facts) =>
      amounts.reduce(
        (total, amount, at) => total + amount / rateFactor(numberAt(rows[at]!, rate) ?? 0, rate),
        0,
      );
    if (!holds(netOf)) continue;
    const onTop = isFraction(rate.values) ? 'fraction' : 'percent';
    return [
      {
        kind: 'divide',
        by: { column: rate.column.column, section: rate.column.section },
        on_top: onTop,
        ...when,
      },
      { kind: 'round', places: 6 },
    ];
  }
  const ratios = gross.map(({ fact, net }) => Math.abs(fact.sum) / net);
  const ratio = Math.round((ratios[0] ?? 0) * 1_000) / 1_000;
  const isOne = ratios.every((each) => Math.abs(each - ratio) < 0.002);
  if (!isOne || ratio <= 1) return undefined;
  return [
    { kind: 'divide', by: { value: String(ratio) }, ...when },
    { kind: 'round', places: 6 },
  ];
}

function numberAt(row: SourceRow, { column }: ReadColumn): number | undefined {
  const text = row.values[column.column];
  if (text == null || text.trim() === '') return undefined;
  const value = numberOf(text);
  return Number.isNaN(value) ? undefined : value;
}

function numberOf(text: string): number {
  const plain = text.trim();
  if (/^-?\d+,\d+$/.test(plain)) return Number(plain.replace(',', '.'));
  if (/^-?\d{1,3}(\.\d{3})+(,\d+)?$/.test(plain)) {
    return Number(plain.replaceAll('.', '').replace(',', '.'));
  }
  return Number(plain.replaceAll(',', ''));
}

function isCounted(value: string): boolean {
  return numberOf(value) !== 0;
}

function isNumber(value: string): boolean {
  return !Number.isNaN(numberOf(value));
}

/** Equal but for rounding, of which each line may have its own. */
function isNear(one: number, other: number, lines: number): boolean {
  return Math.abs(one - other) <= 0.006 + 0.01 * lines + 0.0001 * Math.abs(other);
}
