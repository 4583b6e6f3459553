import { type Decimal, decimal, format, round } from '@drawbridge/decimal/decimal.ts';
import { type CimObject, decimalOf, groupsOf, isTrue } from './json.ts';

/** Decimals of a computed amount, rounded half away from zero. */
export const amountPlaces = 2;

/** An amount as the CIM writes it: rounded to two decimals, plain notation. */
export function amountText(value: Decimal): string {
  return format(round(value, amountPlaces), amountPlaces);
}

/** Quantity × price ÷ base quantity, unrounded; undefined when one of them is unknown. */
export function priceExtension(line: CimObject): Decimal | undefined {
  const quantity = decimalOf(line.qty);
  const price = decimalOf(line.unit_price);
  const base = decimalOf(line.base_qty) ?? decimal(1);
  if (quantity === undefined || price === undefined || base.eq(0)) return undefined;
  return quantity.times(price).div(base);
}

/**
 * Allowances (negative) and charges (positive) of a line or document, from any of the members that
 * hold them.
 */
export function adjustmentsOf(
  group: CimObject,
): readonly { readonly sign: 1 | -1; readonly entry: CimObject }[] {
  return [
    ...groupsOf(group.allowances).map((entry) => ({ sign: -1 as const, entry })),
    ...groupsOf(group.charges).map((entry) => ({ sign: 1 as const, entry })),
    ...groupsOf(group.allowances_charges).map((entry) => ({
      sign: isTrue(entry.is_charge) ? (1 as const) : (-1 as const),
      entry,
    })),
  ];
}
