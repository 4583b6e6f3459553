import type { SourceDocument } from '@drawbridge/records/document.ts';
import { isCutDate } from '../calendar.ts';
import { codeOf, isCurrency } from '../code-names.ts';
import { assessSamples } from '../samples.ts';
import { type Transform, transform } from '../transform.ts';
import { byValues, type Candidate } from './candidate.ts';
import { isNamedBy, type ReadColumn } from './columns.ts';
import { isAmountOfOne } from './line-amounts.ts';
import { shareOf, taxRateMax } from './numbers.ts';

/** Sections of the buyer, besides its own, whose values are looked at. */
const ofBuyer = ['address', 'phone', 'email', 'vatnumber'];
/** Values of which a form is judged, at least. */
const valuesMin = 3;

/**
 * Columns whose values have a form that few things have: currencies, mail addresses, numbers of taxpayers,
 * firms. They stand behind what names say, for names may be in any language, or say nothing.
 */
export function valuesWithForm(
  known: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): readonly Candidate[] {
  const buyer = known.filter(
    ({ role, context }) =>
      role === 'buyer' && (context.size === 0 || ofBuyer.some((word) => context.has(word))),
  );
  const header = known.filter(({ column }) => column.section === 'header');
  const lines = known.filter(
    ({ role, context }) => (role === 'line' || role === 'item') && context.size === 0,
  );
  return [
    ...refs(header, documents),
    ...currencies([...header, ...known.filter(isOfCurrency)], buyer),
    ...dates(header, documents),
    ...buyerForms(buyer),
    ...taxpayersOf(header, buyer),
    ...ownNumber(header, buyer),
    ...taxRates(known),
    ...places(buyer),
    ...lineTexts(lines.filter((column) => !isOfDocument(column, documents))),
    ...pricesByItem(known, documents),
  ];
}

/** The column that documents are found by is their number, whatever it is called. */
function refs(header: readonly ReadColumn[], documents: readonly SourceDocument[]): Candidate[] {
  if (documents.length < valuesMin) return [];
  return header
    .filter((column) => areRefs(column, documents))
    .map((column) => byValues('number', column, 0.82, 'It tells documents apart.'));
}

function areRefs({ column }: ReadColumn, documents: readonly SourceDocument[]): boolean {
  return (
    documents.length > 0 &&
    documents.every(({ ref, sections }) =>
      isNamedBy(ref, sections.header?.[0]?.values[column.column] ?? ''),
    )
  );
}

/** Where no column is named for the price, the one amount that is the same for an item whatever its quantity. */
function pricesByItem(
  known: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): Candidate[] {
  const lines = known.filter(({ column }) => column.section === 'lines');
  if (lines.some(({ words }) => words.has('price'))) return [];
  const amounts = lines.filter(
    ({ words, isKey }) => words.has('amount') && words.size === 1 && !isKey,
  );
  const costs = lines.filter(({ words }) => words.has('cost') && words.size === 1);
  if (costs.length === 1) {
    return [
      byValues('lines[].unit_price', costs[0]!, 0.7, 'No other column is named for a price.'),
    ];
  }
  const why = 'It is the same for an item whatever its quantity.';
  return amounts.length === 1 && isAmountOfOne(amounts[0]!, known, documents) === true
    ? [byValues('lines[].unit_price', amounts[0]!, 0.78, why)]
    : [];
}

/** The share of the values of a column for which something holds; 0 where there are too few different ones. */
function shareOfValues({ values }: ReadColumn, holds: (value: string) => boolean): number {
  return new Set(values).size < valuesMin ? 0 : shareOf(values, (value) => holds(value.trim()));
}

/** Of the table of currencies that documents point at. */
function isOfCurrency({ column, context }: ReadColumn): boolean {
  return column.section.startsWith('header_') && context.has('currency');
}

function currencies(header: readonly ReadColumn[], buyer: readonly ReadColumn[]) {
  const areCurrencies = ({ values }: ReadColumn) =>
    values.length >= valuesMin && values.every((value) => isCurrency(value.trim()));
  const found = header.filter(areCurrencies);
  const several = found.filter(({ values }) => new Set(values).size > 1);
  const all = several.length > 0 ? several : found.length > 0 ? found : buyer.filter(areCurrencies);
  return all.map((column) =>
    byValues('currency', column, all.length === 1 ? 0.82 : 0.7, 'Its values are currencies.', [
      ...(column.values.every((value) => /^[A-Z]+$/.test(value)) ? [] : [upper]),
    ]),
  );
}

const otherDates = ['due', 'modified', 'deleted', 'delivery', 'paid', 'payment', 'original'];

/** A date that is no other than that of the document: where nothing else is kept, when it was entered. */
function dates(header: readonly ReadColumn[], documents: readonly SourceDocument[]): Candidate[] {
  const found = header.flatMap((column) => {
    if (otherDates.some((word) => column.words.has(word)) || column.values.length < valuesMin)
      return [];
    // Numbers that are counted up may read as moments.
    if (column.words.has('id') || areRefs(column, documents)) return [];
    const { verdict, transforms } = assessSamples(column.values, 'issue_date', 'date');
    return verdict === 'for' ? [{ column, transforms }] : [];
  });
  const formatOf = ({ transforms: [step] }: (typeof found)[number]) =>
    step?.kind === 'date' ? step.format : 'ISO';
  const cut = found.filter((one) => isCutDate(formatOf(one)));
  const written = found.filter((one) => formatOf(one) !== 'EXCEL' && !cut.includes(one));
  if (written.length === 0) return pairedDates(cut);
  const others = written.filter(({ column }) => !column.words.has('created'));
  const likely = others.length > 0 ? others : written;
  if (likely.length === 1) {
    const [{ column, transforms }] = likely as [(typeof likely)[number]];
    return [byValues('issue_date', column, 0.72, 'Its values are days.', transforms)];
  }
  const first = firstDay(likely);
  return likely.map(({ column, transforms }) =>
    column === first
      ? byValues(
          'issue_date',
          column,
          0.6,
          'No other day of the document is before it.',
          transforms,
        )
      : byValues('issue_date', column, 0.55, 'Its values are days.', transforms),
  );
}

/** The column whose day no other one is before, in any document. */
function firstDay(
  dates: readonly { readonly column: ReadColumn; readonly transforms: readonly Transform[] }[],
): ReadColumn | undefined {
  const days = dates.map(({ column, transforms }) => ({
    column,
    days: column.values.map((value) => {
      const read = transform(value.trim(), transforms, () => undefined);
      return 'fault' in read ? '' : (read.value ?? '');
    }),
  }));
  const found = days.filter((one) =>
    days.every(
      (other) =>
        other.days.length === one.days.length &&
        other.days.every((day, at) => (one.days[at] ?? '') <= day),
    ),
  );
  return found[0]?.column;
}

/** Of numbers that read as days, where there are two in one form: the one that is never after any other. */
function pairedDates(
  found: readonly { readonly column: ReadColumn; readonly transforms: readonly Transform[] }[],
): Candidate[] {
  const formOf = ({ transforms }: (typeof found)[number]) => JSON.stringify(transforms);
  const first = found.find((one) => {
    const same = found.filter(
      (other) =>
        formOf(other) === formOf(one) && other.column.values.length === one.column.values.length,
    );
    const isFirst = same.every(({ column }) =>
      column.values.every((value, at) => Number(one.column.values[at]) <= Number(value)),
    );
    return same.length > 1 && isFirst;
  });
  const why = 'Its values read as days, the first of those that the document has.';
  return first === undefined
    ? []
    : [byValues('issue_date', first.column, 0.6, why, first.transforms)];
}

/** Whether a column of the lines says the same in all lines of each document, or whose address it is. */
function isOfDocument(
  { column: { section, column }, words, owner }: ReadColumn,
  documents: readonly SourceDocument[],
): boolean {
  if (section !== 'lines') return false;
  if (owner !== undefined || words.has('address')) return true;
  const lists = documents
    .map(({ sections }) => sections.lines ?? [])
    .filter((rows) => rows.length > 1);
  return (
    lists.length >= valuesMin &&
    lists.every((rows) => new Set(rows.map(({ values }) => values[column])).size === 1)
  );
}

/** What texts of lines are about that say what kind of thing is sold, and where from, and not what it is. */
const notNameWords = ['unit', 'tax', 'category', 'type', 'status', 'warehouse', 'location'];

/** What a line is called, and the code of its item: texts of words, and short ones of letters and digits. */
function lineTexts(lines: readonly ReadColumn[]): Candidate[] {
  // Of texts of an item that are called alike the name is the short one.
  const isLonger = (column: ReadColumn) =>
    lines.some(
      (one) =>
        one.column.section === column.column.section &&
        [...one.words].join() === [...column.words].join() &&
        shareOfValues(one, isWords) >= 0.8 &&
        lengthOf(one) < lengthOf(column),
    );
  return lines.flatMap((column) => {
    if (column.isKey || notNameWords.some((word) => column.words.has(word))) return [];
    const isCode = (value: string) => /^(?=.*[A-Z])(?=.*[\d-])[A-Z0-9._/-]{3,25}$/.test(value);
    if (shareOfValues(column, isWords) >= 0.8 && lengthOf(column) >= 5) {
      const why = 'Its values are words that differ from line to line.';
      const ofName = column.role === 'line' ? 0.66 : isLonger(column) ? 0.61 : 0.63;
      return [
        byValues('lines[].name', column, ofName, why),
        byValues('lines[].description', column, 0.62, why),
      ];
    }
    if ((column.isJoined || column.role === 'item') && shareOfValues(column, isCode) >= 0.8) {
      return [byValues('lines[].sku', column, 0.64, 'It names the item of the line.')];
    }
    return [];
  });
}

function isWords(value: string): boolean {
  return /\p{Letter}{3}/u.test(value) && !/^[A-Z0-9._/-]*\d[A-Z0-9._/-]*$/.test(value);
}

function lengthOf({ values }: ReadColumn): number {
  return values.reduce((sum, value) => sum + value.length, 0) / values.length;
}

const upper: Transform = { kind: 'upper' };
const email = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;
const phone = /^\+?[\d\s()./-]{7,22}$/;
const firm =
  /\b(gmbh|ag|kg|ohg|llc|l\.l\.c|ltd|limited|inc|corp|company|co|sarl|sas|s\.?a\.?|s\.?l\.?|sdn\.? ?bhd|bhd|fze|fzco|fz-llc|pt|cv|b\.?v\.?|n\.?v\.?|ab|oy|aps|a\/s|s\.?p\.?a|s\.?r\.?l|lda|ltda|plc|pty|trading|group)\b\.?/i;

/** Whether values are names of firms: many have a legal form, and few are alike. */
export function areFirms(all: readonly string[]): boolean {
  const different = new Set(all);
  return (
    different.size >= valuesMin &&
    different.size > all.length / 4 &&
    all.filter((value) => firm.test(value)).length >= all.length * 0.4
  );
}

function buyerForms(buyer: readonly ReadColumn[]): Candidate[] {
  const found: Candidate[] = [];
  for (const column of buyer) {
    if (shareOfValues(column, (value) => email.test(value)) >= 0.8) {
      const why = 'Its values are mail addresses.';
      found.push(byValues('buyer.contact.email', column, 0.82, why));
    }
    const isPhone = (value: string) =>
      phone.test(value) && value.replace(/\D/g, '').length >= 7 && /[+\s()/-]/.test(value);
    if (shareOfValues(column, isPhone) >= 0.9) {
      const why = 'Its values look like telephone numbers.';
      found.push(byValues('buyer.contact.phone', column, 0.68, why));
    }
    if (areTaxpayers(column.values)) {
      const why = 'Its values are numbers of taxpayers with their country.';
      found.push(byValues('buyer.trn', column, 0.78, why));
    }
    const isWritten = (value: string) => !value.includes('@') && /\p{Letter}{3}/u.test(value);
    const isName = new Set(column.values).size > column.values.length / 4;
    if (
      isName &&
      shareOfValues(column, isWritten) >= 0.9 &&
      shareOfValues(column, (value) => firm.test(value)) >= 0.4
    ) {
      found.push(byValues('buyer.name', column, 0.74, 'Its values are names of firms.'));
    }
  }
  return found;
}

/** Where the customer has no such column, the document may have one. */
function taxpayersOf(header: readonly ReadColumn[], buyer: readonly ReadColumn[]): Candidate[] {
  const isHeld = ({ values, words }: ReadColumn) => areTaxpayers(values) && !words.has('delivery');
  if (buyer.some(isHeld)) return [];
  const why = 'Its values are numbers of taxpayers with their country.';
  return header.filter(isHeld).map((column) => byValues('buyer.trn', column, 0.7, why));
}

/** Fewer digits behind two letters may be the beginning of numbers of documents. */
const longNumber = /\d{8}/;

/** A number of a taxpayer that is the same in all documents, though their buyers differ, is that of the seller. */
function ownNumber(header: readonly ReadColumn[], buyer: readonly ReadColumn[]): Candidate[] {
  const areMany = buyer.some(({ values }) => new Set(values).size >= valuesMin);
  const isOne = ({ values }: ReadColumn) =>
    values.length >= valuesMin &&
    new Set(values).size === 1 &&
    longNumber.test(values[0]!) &&
    isTaxpayer(values[0]!.trim());
  const why = 'It is one number of a taxpayer in all documents, whoever buys.';
  return areMany
    ? header.filter(isOne).map((column) => byValues('seller.trn', column, 0.74, why))
    : [];
}

/** The number in the table of taxes that a line points at; it may be called the amount of the tax. */
function taxRates(known: readonly ReadColumn[]): Candidate[] {
  const likely = known.filter(
    ({ column, values, isKey, words }) =>
      /^(lines|item)_tax/.test(column.section) &&
      !isKey &&
      !words.has('id') &&
      !words.has('unit') &&
      new Set(values).size > 1 &&
      new Set(values).size <= 8 &&
      values.every((value) => /^\d+(\.\d+)?$/.test(value) && Number(value) <= taxRateMax),
  );
  const rates = likely.filter(({ words }) => !words.has('amount'));
  const found = rates.length > 0 ? rates : likely;
  if (found.length !== 1) return [];
  const { transforms } = assessSamples(found[0]!.values, 'lines[].tax.rate', 'percentage');
  const why = 'It is the number in the table of taxes.';
  return [byValues('lines[].tax.rate', found[0]!, 0.7, why, transforms)];
}

/** Numbers that are counted up and padded: AW000123, AW000124. */
const padded = /^[A-Z]{2}000/;

/** Whether most values are numbers of taxpayers. */
export function areTaxpayers(values: readonly string[]): boolean {
  const all = values.map((value) => value.trim());
  if (new Set(all).size < valuesMin || all.every((value) => padded.test(value))) return false;
  return all.filter(isTaxpayer).length / all.length >= 0.8;
}

/** Letters apart from few digits name a document or an account, and no country: CN-110001. */
const numbered = /^[A-Z]{2}[-/ ]\d{1,7}$/;

/** `DE123456789`, or the fifteen digits of a TRN of the Emirates. */
export function isTaxpayer(value: string): boolean {
  if (numbered.test(value)) return false;
  const country = /^([A-Z]{2})[A-Z0-9]{1,2}\d{5,11}[A-Z0-9]{0,2}$/.exec(
    value.replace(/[ .-]/g, ''),
  )?.[1];
  return country !== undefined
    ? codeOf('countries', country === 'EL' ? 'GR' : country) !== undefined
    : /^10\d{13}$/.test(value);
}

/** Codes of countries, postcodes and the town beside them, streets. */
function places(buyer: readonly ReadColumn[]): Candidate[] {
  const found: Candidate[] = [];
  const isCountry = (value: string) =>
    /^[A-Z]{2}$/.test(value) && codeOf('countries', value) === value;
  for (const [index, column] of buyer.entries()) {
    if (shareOfValues(column, isCountry) === 1) {
      found.push(
        byValues('buyer.address.country', column, 0.72, 'Its values are codes of countries.'),
      );
    }
    const isStreet = (value: string) =>
      /\p{Letter}{3}/u.test(value) && /\d/.test(value) && /\s/.test(value);
    const isTold = column.words.has('address') || column.context.has('address');
    const isNamed = column.words.has('name') && !isTold;
    if (
      !isNamed &&
      shareOfValues(column, isStreet) >= 0.7 &&
      shareOfValues(column, (value) => phone.test(value)) === 0
    ) {
      const why = 'Its values look like streets.';
      found.push(byValues('buyer.address.line1', column, isTold ? 0.64 : 0.6, why));
    }
    if (!isPostcodes(column)) continue;
    const why = 'Its values look like postcodes.';
    found.push(byValues('buyer.address.post_code', column, 0.66, why));
    const beside = [buyer[index - 1], buyer[index + 1]].filter(
      (one) => one !== undefined && one.column.section === column.column.section && isTown(one),
    );
    if (beside.length > 0) {
      const reason = 'It stands beside the postcode.';
      found.push(byValues('buyer.address.city', beside[0]!, 0.62, reason));
    }
  }
  return found;
}

function isPostcodes(column: ReadColumn): boolean {
  const isCode = (value: string) => /^(?=.*\d)[A-Z0-9][A-Z0-9 -]{2,8}$/i.test(value);
  const isPlain = shareOfValues(column, (value) => /^\d{4,6}$/.test(value)) >= 0.6;
  return isPlain && shareOfValues(column, isCode) >= 0.9 && !column.isKey && !column.isJoined;
}

function isTown(column: ReadColumn): boolean {
  const isWords = (value: string) => /^\p{Letter}[\p{Letter} .'-]{2,30}$/u.test(value);
  const isNation = (value: string) => codeOf('countries', value) !== undefined;
  return shareOfValues(column, isWords) >= 0.9 && shareOfValues(column, isNation) < 0.5;
}
