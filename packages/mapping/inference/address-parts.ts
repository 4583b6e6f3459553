import { codeOf } from '../code-names.ts';
import { byValues, type Candidate } from './candidate.ts';
import type { ReadColumn } from './columns.ts';
import { shareOf } from './numbers.ts';

/**
 * Parts of the customer's address that their values tell: a column of names of countries, and numbered
 * lines of an address (`address1` … `address6`), of which one is the postcode, or beside which it stands.
 */
export function addressPartsByValue(known: readonly ReadColumn[]): readonly Candidate[] {
  const buyer = known.filter(({ role, context }) => role === 'buyer' && context.size === 0);
  const numbered = numberedLines(buyer);
  return [
    ...countryByValue(buyer),
    ...numberedAddress(buyer, numbered),
    ...lineBelowName(buyer, numbered),
  ];
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

/** Numbered lines of one address, in their order, and the column beside them with its postcode. */
interface NumberedLines {
  readonly lines: readonly ReadColumn[];
  readonly beside: ReadColumn | undefined;
}

/** Lines that are called alike and are an address, at least. */
const linesMin = 3;

function numberedAddress(
  buyer: readonly ReadColumn[],
  numbered: readonly NumberedLines[],
): readonly Candidate[] {
  const known = new Set(numbered.flatMap(({ lines, beside }) => [...lines, beside]));
  const isTold = ({ words }: ReadColumn) => words.has('city') || words.has('postcode');
  if (buyer.some((one) => isTold(one) && !known.has(one))) return [];
  return numbered.map(partsOf).find((parts) => parts.length > 0) ?? [];
}

const stemAndNumber = /^(.*\D)(\d)$/;

/** Columns that are called alike but for their number, of which the first is called an address, or has streets. */
function numberedLines(buyer: readonly ReadColumn[]): readonly NumberedLines[] {
  const numbered = buyer.flatMap((column) => {
    const { section, column: name } = column.column;
    const [, stem, number] = stemAndNumber.exec(name) ?? [];
    return stem === undefined ? [] : [{ column, section, stem, number: Number(number) }];
  });
  const groups = Map.groupBy(numbered, ({ section, stem }) => `${section}\n${stem}`);
  return [...groups.values()].flatMap((group) => {
    const lines = group
      .toSorted((one, other) => one.number - other.number)
      .map(({ column }) => column);
    const [{ section, stem }] = group as [(typeof numbered)[number]];
    const beside = buyer.find(
      ({ column, values }) =>
        column.section === section &&
        column.column.startsWith(stem) &&
        !/\d/.test(column.column) &&
        isPostcodes(values),
    );
    const [first] = lines;
    const isAddress = first!.words.has('address') || areStreets(first!.values);
    return isAddress && lines.length >= linesMin ? [{ lines, beside }] : [];
  });
}

/** The second line of an address whose first repeats the name: as it is printed on an envelope. */
function lineBelowName(
  buyer: readonly ReadColumn[],
  numbered: readonly NumberedLines[],
): readonly Candidate[] {
  const names = buyer
    .filter(({ words, values }) => words.has('name') && values.length > 0)
    .map(({ values }) => values.join('\n'));
  const printed = numbered.find(({ lines }) => names.includes(lines[0]!.values.join('\n')));
  const line = printed?.lines[1];
  const why = 'The line above it repeats the name.';
  return line === undefined ? [] : [byValues('buyer.address.line1', line, 0.75, why)];
}

function partsOf({ lines, beside }: NumberedLines): readonly Candidate[] {
  const at = lines.findIndex(({ values }, index) => index > 0 && isPostcodes(values));
  const postcode = lines[at] ?? beside;
  if (postcode === undefined) return [];
  const between = lines.slice(1, at === -1 ? undefined : at).filter(isMostlyFilled);
  const [line, last] = between.slice(-2);
  const [city, state] =
    line !== undefined && areTowns(line.values) ? [line, last] : [last, undefined];
  const why = 'Its values, and its place among the lines of the address, say so.';
  const add = (target: string, column: ReadColumn | undefined, confidence: number) =>
    column === undefined ? [] : [byValues(`buyer.address.${target}`, column, confidence, why)];
  return [
    ...add('line1', lines[0], 0.75),
    ...add('post_code', postcode, 0.75),
    ...add('subdivision', state, 0.7),
    ...add('city', city, 0.72),
  ];
}

const filledMin = 0.5;

function isMostlyFilled({ filled, values }: ReadColumn): boolean {
  return (filled ?? (values.length > 0 ? 1 : 0)) >= filledMin;
}

function areStreets(values: readonly string[]): boolean {
  return shareOf(values, (value) => /\p{Letter}{2}/u.test(value) && /\d/.test(value)) >= 0.7;
}

function areTowns(values: readonly string[]): boolean {
  return shareOf(values, (value) => /^\p{Letter}[\p{Letter} .'-]+$/u.test(value.trim())) >= 0.8;
}

function isPostcodes(values: readonly string[]): boolean {
  const isPostcode = (value: string) => /^(?=.*\d)[A-Z0-9][A-Z0-9 -]{2,9}$/i.test(value.trim());
  return shareOf(values, isPostcode) >= 0.7;
}
