import { codeOf } from '../code-names.ts';
import { byValues, type Candidate } from './candidate.ts';
import type { ReadColumn } from './columns.ts';

/**
 * Parts of the customer's address that their values tell: a column of names of countries, and numbered
 * lines of an address (`address1` … `address6`), of which one is the postcode.
 */
export function addressPartsByValue(known: readonly ReadColumn[]): readonly Candidate[] {
  const buyer = known.filter(({ role, context }) => role === 'buyer' && context.size === 0);
  return [...countryByValue(buyer), ...numberedAddress(buyer)];
}

const countriesMin = 3;

function countryByValue(buyer: readonly ReadColumn[]): readonly Candidate[] {
  if (buyer.some(({ words }) => words.has('country'))) return [];
  return buyer
    .filter(({ values }) => isCountries(values))
    .map((column) =>
      byValues('buyer.address.country', column, 0.78, 'Its values are names of countries.', [
        { kind: 'map', list: 'countries', values: {} },
      ]),
    );
}

function isCountries(values: readonly string[]): boolean {
  const names = new Set(values.filter((value) => value.length > 3));
  const held = [...names].filter((name) => codeOf('countries', name) !== undefined);
  return held.length >= countriesMin && held.length / names.size >= 0.8;
}

function numberedAddress(buyer: readonly ReadColumn[]): readonly Candidate[] {
  if (buyer.some(({ words }) => words.has('city') || words.has('postcode'))) return [];
  const parts = buyer
    .flatMap((column) => {
      const number = [...column.words].find((word) => /^\d$/.test(word));
      const isPart = number !== undefined && column.words.has('address') && column.words.size === 2;
      return isPart ? [{ column, number: Number(number) }] : [];
    })
    .sort((one, other) => one.number - other.number);
  const at = parts.findIndex(({ column }) => isPostcodes(column.values));
  const part = (index: number) => (index > 0 ? parts[index]?.column : undefined);
  const [postcode, state, city] = [part(at), part(at - 1), part(at - 2)];
  if (postcode === undefined) return [];
  const why = 'Its values, and its place among the lines of the address, say so.';
  return [
    byValues('buyer.address.post_code', postcode, 0.75, why),
    ...(state === undefined || city === undefined
      ? []
      : [
          byValues('buyer.address.subdivision', state, 0.7, why),
          byValues('buyer.address.city', city, 0.72, why),
        ]),
  ];
}

function isPostcodes(values: readonly string[]): boolean {
  const codes = values.filter((value) => /^(?=.*\d)[A-Z0-9][A-Z0-9 -]{2,9}$/i.test(value.trim()));
  return values.length > 0 && codes.length / values.length >= 0.7;
}
