import { currencyDecimals, isCurrency } from '../../code-names.ts';
import type { ReadColumn } from '../columns.ts';
import { shareOf } from '../numbers.ts';
import type { TotalKind } from './totals.ts';

const centNames = /(^|_)(cents?|minor|sen|fils|pence|rappen)($|_)|(Cents|Minor)$/;

/** Of the amounts of tax those that are no whole hundreds, at least: taxes are shares of an amount. */
const unevenMin = 0.25;

/**
 * Whether amounts are in cents: the name says so, or all are whole numbers though currencies have decimals and
 * taxes, being shares, would have made some.
 */
export function areCents(
  price: ReadColumn,
  totals: ReadonlyMap<ReadColumn, TotalKind>,
  columns: readonly ReadColumn[],
  lineTaxes: readonly ReadColumn[],
): boolean {
  const money = [price, ...totals.keys()];
  if (!money.every(areWhole)) return false;
  if (money.some(({ column }) => centNames.test(column.column))) return true;
  const currencies = columns.filter(({ values }) => values.length > 0 && values.every(isCurrency));
  const haveCents = currencies.some(({ values }) =>
    values.every((value) => currencyDecimals(value) === 2),
  );
  const taxes = [...totals].flatMap(([column, kind]) => (kind === 'tax' ? [column] : []));
  const isTaxUneven = [...taxes, ...lineTaxes.filter(areWhole)].some(
    ({ values }) => shareOf(values, (value) => Number(value) % 100 !== 0) >= unevenMin,
  );
  return haveCents && isTaxUneven && price.values.some((value) => Number(value) >= 100);
}

function areWhole({ values }: ReadColumn): boolean {
  return values.length > 0 && values.every((value) => /^-?\d+$/.test(value.trim()));
}
