import type { SourceDocument } from '@drawbridge/records/document.ts';
import { isCurrency } from '../code-names.ts';
import { hundredfold } from '../samples.ts';
import type { Transform } from '../transform.ts';
import { wordsOf } from '../words.ts';
import type { Arithmetic } from './arithmetic.ts';
import type { Candidate } from './candidate.ts';
import { type DescribedColumn, isHeaderTax, type ReadColumn } from './columns.ts';
import { areFirms, areTaxpayers } from './forms.ts';
import { areFractions } from './numbers.ts';
import { isRemainder } from './remainders.ts';

/** What candidates are judged by besides their names. */
interface Known {
  readonly known: readonly ReadColumn[];
  readonly documents: readonly SourceDocument[];
  readonly sums: Arithmetic | undefined;
  readonly wanted: ReadonlySet<string>;
  /** Amounts of which it cannot be seen in which money they are. */
  readonly doubtful: ReadonlySet<ReadColumn>;
  /** Amounts that are the document's only where its currency is that of the books. */
  readonly ofBooks: ReadonlySet<ReadColumn>;
  /** Columns of another party than the one that is invoiced. */
  readonly others: ReadonlySet<DescribedColumn>;
}

/** Proposals below this are looked at by a person before they are taken. */
const lookedAt = 0.79;

/** The candidate with what its values and the sums say; none when they refute it. */
export function adjusted(candidate: Candidate, evidence: Known): readonly Candidate[] {
  const rules = [
    byTable,
    byPosition,
    byReference,
    byOwner,
    byParty,
    byItem,
    byRemainder,
    byFilling,
    byMarks,
    byTaxRows,
    byTaxSeen,
    byRates,
    byCodes,
    byOwnNumber,
    byCurrencies,
    byPlaceOfDocument,
    byAddressLines,
    byTaxGiven,
    byTaxpayers,
    bySeller,
    byNames,
    bySums,
    byMoney,
    byCents,
    bySign,
  ];
  let each: Candidate | undefined = candidate;
  for (const rule of rules) {
    if (each === undefined) return [];
    each = rule(each, evidence);
  }
  return each === undefined ? [] : [each];
}

type Rule = (candidate: Candidate, evidence: Known) => Candidate | undefined;

function withConfidence(candidate: Candidate, confidence: number, reason?: string): Candidate {
  const kept = Math.round(Math.max(0, Math.min(0.99, confidence)) * 100) / 100;
  const text = reason === undefined ? candidate.reason : `${candidate.reason} ${reason}`;
  return { ...candidate, confidence: kept, reason: text };
}

function atMost(candidate: Candidate, most: number, reason?: string): Candidate {
  return candidate.confidence <= most ? candidate : withConfidence(candidate, most, reason);
}

/** The number is what documents are named by; the name of a file may be something else altogether. */
const byReference: Rule = (candidate, { documents, known }) => {
  const { column } = candidate.column;
  if (candidate.target !== 'number' || column.section !== 'header' || documents.length === 0) {
    return candidate;
  }
  const isRef = (name: string) =>
    documents.every(({ ref, sections }) => {
      const value = sections.header?.[0]?.values[name];
      return value === ref || (value && ref.startsWith(`${value}.`));
    });
  if (isRef(column.column)) {
    const confidence = Math.max(0.93, candidate.confidence);
    return withConfidence(candidate, confidence, 'Documents are found by it.');
  }
  const isAnother = known.some(
    (one) => one.column.section === 'header' && isRef(one.column.column),
  );
  const numbers = documents.map(({ sections }) => sections.header?.[0]?.values[column.column]);
  const isOwn = new Set(numbers).size === documents.length;
  return !isAnother && isOwn ? candidate : atMost(candidate, 0.7);
};

/** What is empty everywhere, or has one value that says nothing, is looked at by a person. */
const byFilling: Rule = (candidate, { documents }) => {
  const { filled, values, role } = candidate.column;
  if (documents.length === 0 || filled === undefined) return candidate;
  const isLineText = role === 'item';
  // A code that is kept nowhere is better said once for all.
  if (filled === 0 && /^(type_code|lines\[\]\.(tax\.(category|rate)|unit))$/.test(candidate.target))
    return undefined;
  if (filled === 0)
    return atMost(
      withConfidence(candidate, candidate.confidence - 0.25),
      0.65,
      'It is empty in all sample documents.',
    );
  const isDead = values.every(
    (value) => Number(value) === 0 || /^(n\/?a|none|null|-|\.)$/i.test(value),
  );
  const mayBeZero =
    /tax(_breakdown\[\])?\.rate$|totals\.(prepaid|rounding|tax)|address\.line1|number|lines\[\]\.id$/.test(
      candidate.target,
    );
  if (isDead && candidate.target === 'exchange_rate.rate') return undefined;
  if (isDead && !mayBeZero) {
    return atMost(
      withConfidence(candidate, candidate.confidence - 0.2),
      0.65,
      'It says nothing in all sample documents.',
    );
  }
  if (filled < 0.3 && !isLineText) return atMost(candidate, lookedAt, 'It is mostly empty.');
  return candidate;
};

const texts =
  /(\.name|\.description|\.sku|address\.\w+|contact\.\w+|payment_means\[\]\.code|\.note|notes\[\]|purchase_order|buyer_reference)$/;
const mark = /^(0|1|t|f|true|false|y|n|yes|no)$/i;

/** Yes and no are neither names nor codes: `active`. */
const byMarks: Rule = (candidate) => {
  const { values } = candidate.column;
  const areMarks = values.length > 0 && values.every((value) => mark.test(value.trim()));
  const areSome = areMarks && values.some((value) => Number(value) !== 0);
  if (areSome && candidate.target.startsWith('totals.')) return undefined;
  return areMarks && texts.test(candidate.target) ? undefined : candidate;
};

/** Tax rows of the document say the tax of its lines only where there is one. */
const byTaxRows: Rule = (candidate, { documents, known }) => {
  const { column, role } = candidate.column;
  const isOfHeader = role !== 'tax' && isHeaderTax(candidate.column);
  if ((role !== 'tax' && !isOfHeader) || !candidate.target.startsWith('lines[]')) return candidate;
  const isSingle =
    documents.length > 0 &&
    documents.every(({ sections }) => (sections[column.section] ?? []).length <= 1);
  if (!isSingle) return undefined;
  const hasOwn = known.some(
    (one) =>
      (one.role === 'line' || one.role === 'item') &&
      one.words.has('tax') &&
      (one.words.has('rate') || one.words.has('percent') || one.words.has('code')),
  );
  if (hasOwn) return undefined;
  return atMost(candidate, isOfHeader ? 0.88 : 0.78, 'Each sample document has one tax.');
};

/** What is the same in all lines is no category of their taxes where these have several rates. */
const byRates: Rule = (candidate, { sums, known }) => {
  const { target, column } = candidate;
  const isOne = column.values.length > 1 && new Set(column.values).size === 1;
  if (target !== 'lines[].tax.category' || !isOne) return candidate;
  const areSeveral = known.some((one) => {
    const isRate = one.words.has('tax') && (one.words.has('percent') || one.words.has('rate'));
    const isOfLine = one.role === 'line' && (isRate || one === sums?.taxRate);
    return isOfLine && new Set(one.values.map(Number)).size > 1;
  });
  return areSeveral ? undefined : candidate;
};

/** A rate that is 0 in all lines is a dead column where documents have tax. */
const byTaxSeen: Rule = (candidate, { known, sums }) => {
  const { target, column } = candidate;
  if (target !== 'lines[].tax.rate' || sums === undefined || column.values.length === 0) {
    return candidate;
  }
  const isZero = column.values.every((value) => Number(value) === 0);
  return isZero && isTaxed(sums, known) ? undefined : candidate;
};

/** Whether documents have tax: a total is one, or a total with it is more than what lines come to. */
function isTaxed({ totals }: Arithmetic, known: readonly ReadColumn[]): boolean {
  const sumOf = ({ values }: ReadColumn) =>
    values.reduce((sum, value) => sum + Math.abs(Number(value) || 0), 0);
  const nets = [...totals].filter(([, kind]) => kind === 'net' || kind === 'lines');
  const net = Math.min(...nets.map(([column]) => sumOf(column)));
  return known.some((one) => {
    if (one.column.section !== 'header') return false;
    if (totals.get(one) === 'tax') return sumOf(one) > 0;
    const isGross = one.words.has('gross') && one.words.has('tax');
    return isGross && nets.length > 0 && sumOf(one) > net * taxedMin;
  });
}

const taxedMin = 1.005;

/** In a table with a row for each line, what is the same in all rows of a document is the document's. */
const byTable: Rule = (candidate, { documents, known }) => {
  const { column, role } = candidate.column;
  const other = role === 'document' ? 'lines' : role === 'line' ? 'header' : undefined;
  const origin = known.find((one) => one.column.section === other)?.column.origin;
  if (other === undefined || origin !== column.origin) return candidate;
  const lists = documents
    .map(({ sections }) => sections.lines ?? [])
    .filter((rows) => rows.length > 1);
  const isSame = lists.every(
    (rows) => new Set(rows.map((row) => row.values[column.column])).size === 1,
  );
  if (lists.length === 0) return candidate;
  if (role === 'document') return isSame ? candidate : undefined;
  const mayRepeat = /tax\.|\.qty$|\.unit$|percent$/.test(candidate.target);
  return isSame && !mayRepeat ? undefined : candidate;
};

/** What different customers do not have in common. */
const ofOneBuyer = /^buyer\.(name|trn|tin|endpoint|contact\.(name|phone|email)|identifiers)/;
const documentsOfBuyersMin = 5;

/** What is the same for all customers, though other columns tell them apart, is none of theirs. */
const byOwner: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  const isOfAttribute = column.isMatch && column.context.size > 0;
  if (ofOneBuyer.test(target) && isOfAttribute) return undefined;
  const isOne = column.values.length >= documentsOfBuyersMin && new Set(column.values).size === 1;
  if (!ofOneBuyer.test(target) || !isOne) return candidate;
  const areMany = known.some(
    ({ role, values }) => role === 'buyer' && new Set(values).size >= documentsOfBuyersMin,
  );
  return areMany ? undefined : candidate;
};

/** Where goods go is not the buyer where the same columns say who is invoiced. */
const byParty: Rule = (candidate, { others }) => {
  const isOther = others.has(candidate.column.column);
  return isOther && candidate.target.startsWith('buyer.') ? undefined : candidate;
};

/** What a line points at by a name that says nothing may be its item, or a table of codes. */
const byItem: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  if (column.role !== 'item' || !/^lines\[\]\.(name|description)$/.test(target)) return candidate;
  const isTold = known.some(
    ({ column: { section }, isJoined, words }) =>
      section === 'lines' && isJoined && words.has('item'),
  );
  return isTold || new Set(column.values).size >= itemsMin
    ? candidate
    : atMost(candidate, lookedAt, 'It may be the name of something else.');
};

const itemsMin = 5;

/** What is left of a quantity or an amount, or was done of it, is none of the document where another is the whole. */
const byRemainder: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  const isWhole = /^(lines\[\]\.(qty|net)|totals\.(net|tax|gross|lines))$/.test(target);
  return isWhole && isRemainder(column, known) ? undefined : candidate;
};

/** What is the same in all lines of a document tells none of them apart. */
const byPosition: Rule = (candidate, { documents }) => {
  const { section, column } = candidate.column.column;
  if (candidate.target !== 'lines[].id' || section !== 'lines') return candidate;
  const lists = documents
    .map(({ sections }) => sections.lines ?? [])
    .filter((rows) => rows.length > 1);
  const isTelling = lists.every(
    (rows) => new Set(rows.map((row) => row.values[column])).size === rows.length,
  );
  return isTelling ? candidate : undefined;
};

/** A currency that is the same in all documents is rather that of the books, where another column differs; a rate likewise. */
const byCurrencies: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  const isRate = target === 'exchange_rate.rate';
  if ((target !== 'currency' && !isRate) || new Set(column.values).size !== 1) return candidate;
  const areSeveral = known.some(
    (one) =>
      one.column.section === 'header' &&
      new Set(one.values).size > 1 &&
      one.values.every((value) => isCurrency(value.trim())),
  );
  if (!areSeveral) return candidate;
  const doubt = isRate
    ? 'Documents have several currencies, and it is the same in all.'
    : 'Another column differs between documents.';
  return atMost(candidate, 0.6, doubt);
};

/** An address in the document that differs from one to the next is the buyer's, where the customer has none. */
const byPlaceOfDocument: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  const isUnowned = column.role === 'document' && column.owner === undefined;
  if (!target.startsWith('buyer.address.') || !isUnowned) return candidate;
  const isTold = known.some(
    ({ role, words, context }) => role === 'buyer' && words.has('city') && !context.has('contact'),
  );
  const isDiffering = new Set(column.values).size >= documentsOfBuyersMin;
  if (isTold || !isDiffering || column.words.has('delivery')) return candidate;
  return withConfidence(candidate, Math.max(candidate.confidence, 0.75));
};

/** The first line of an address is neither the whole of it, nor the name above it. */
const byAddressLines: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  if (target !== 'buyer.address.line1' || column.values.length === 0) return candidate;
  const isWhole = column.values.every((value) => value.trim().includes('\n'));
  const isName = known.some(
    (one) =>
      one !== column &&
      (one.role === 'buyer' || one.owner === 'buyer') &&
      one.words.has('name') &&
      one.values.join('\n') === column.values.join('\n'),
  );
  return isWhole || isName ? undefined : candidate;
};

/** A rate that gives the tax of some documents, and of others too much, is not that of all lines. */
const byTaxGiven: Rule = (candidate, { sums }) => {
  const { target, column } = candidate;
  if (!/^lines\[\]\.tax\./.test(target) || sums === undefined) return candidate;
  const isOfRate = sums.partialRates.some(
    (rate) =>
      rate === column ||
      (rate.column.section === column.column.section && new Set(column.values).size === 1),
  );
  return isOfRate ? undefined : candidate;
};

/** A text that repeats the number of its document is made up of other columns, and no reference of the buyer. */
const byOwnNumber: Rule = (candidate, { documents }) => {
  const { section, column } = candidate.column.column;
  if (/^(purchase_order|buyer_reference)$/.test(candidate.target) && section === 'header') {
    const isCopy = ({ ref, sections }: SourceDocument) =>
      sections.header?.[0]?.values[column]?.trim() === ref;
    const copies = documents.filter(isCopy).length;
    return copies > 0 && copies >= documents.length * copiesMin ? undefined : candidate;
  }
  if (!/^lines\[\]\.(name|description)$/.test(candidate.target) || section !== 'lines') {
    return candidate;
  }
  const rows = documents.flatMap(({ ref, sections }) =>
    (sections.lines ?? []).map(({ values }) => ({ ref, text: values[column] ?? '' })),
  );
  const isMadeUp = rows.length > 0 && rows.every(({ ref, text }) => text.includes(ref));
  return isMadeUp ? undefined : candidate;
};

/** Documents whose number it repeats, of all, at least. */
const copiesMin = 0.8;

/** Different rates or codes of tax, at most: more are amounts. */
const ratesMax = 12;
const unitLengthMax = 12;
/** Free texts, for which the key of another table is no text. */
const freeText = /^(payment_terms\[\]\.note|purchase_order|buyer_reference|notes\[\])$/;

/** Names of the customer's own order, beside which an order number is that of the seller. */
const isOfBuyer =
  /(^|_)(l?po|cust(omer)?_?po|purchase_?order|cust(omer)?_?ord(er)?)(_?(no|nbr|num|number|ref|reference|id))?$/i;

/** Codes that are known, or are mapped to known ones; others are looked at by a person. */
const byCodes: Rule = (candidate, { wanted, known }) => {
  const { target, column, transforms } = candidate;
  const { values } = column;
  const map = transforms.find((step) => step.kind === 'map');
  if (column.isJoined && (freeText.test(target) || /address\.line\d$/.test(target))) {
    return undefined;
  }
  if (/^(payment_terms\[\]\.note|notes\[\])$/.test(target) && areKeys(values)) return undefined;
  if (target === 'payment_terms[].note' && column.context.has('terms') && isCoded(values)) {
    return atMost(candidate, 0.6, 'Its values look like codes.');
  }
  if (target === 'lines[].classifications[].code' && column.words.has('tax')) return undefined;
  if (target === 'seller.name' && isCoded(values)) return undefined;
  if (target === 'lines[].sku' && areKeys(values) && !isNumbered(column)) {
    return atMost(candidate, 0.6, 'It points at the item by a number that people may not know.');
  }
  if (/^lines\[\]\.(name|description)$/.test(target) && isCoded(values)) {
    if (known.some(isDescribed)) return undefined;
    return withConfidence(candidate, candidate.confidence - 0.2, 'Its values look like codes.');
  }
  if (target === 'payment_means[].code' && values.length > 0 && map === undefined) {
    const isKnown = values.every((value) => paymentCodes.has(value.trim()));
    if (!isKnown) return atMost(candidate, 0.6, 'Its values may be keys of another table.');
  }
  if (target === 'buyer_reference' && [...column.words].join() === 'reference') {
    const isOwn = values.length > 2 && new Set(values).size === values.length;
    const doubt = 'It may be a reference of the document itself.';
    if (column.owner !== 'buyer') return atMost(candidate, isOwn ? 0.6 : lookedAt, doubt);
  }
  if (target === 'buyer.address.subdivision' && column.role === 'document' && areKeys(values)) {
    return undefined;
  }
  if (/^buyer\.(address|name)/.test(target) && column.words.has('delivery')) {
    return withConfidence(candidate, candidate.confidence - 0.15, 'It says where goods go.');
  }
  const others = /^(base|local|home|company|functional|accounting|store)_?/i;
  if (target === 'currency' && others.test(column.column.column)) {
    return atMost(candidate, 0.6, 'It may be the currency of the books.');
  }
  if (target === 'exchange_rate.rate') {
    if (column.context.has('currency')) {
      return atMost(candidate, 0.55, 'It may be the rate of today.');
    }
    const [power] = values.filter((value) => /^10{2,}(\.0+)?$/.test(value.trim()));
    if (power === undefined) {
      return atMost(candidate, lookedAt, 'Which way round it is cannot be seen.');
    }
    // The currency of the books is worth one.
    const one = atMost(candidate, 0.6, 'A rate of 100 is for a hundred units, or lacks its point.');
    return { ...one, transforms: [divided(String(Number(power)))] };
  }
  const isNamedRate = ['rate', 'percent'].some((word) => column.words.has(word));
  if (target === 'lines[].tax.rate' && !isNamedRate && new Set(values).size > ratesMax)
    return undefined;
  if (
    target === 'lines[].tax.rate' &&
    !isNamedRate &&
    values.length > 0 &&
    values.every((value) => /^[01]$/.test(value))
  )
    return undefined;
  if (target === 'lines[].tax.category' && new Set(values).size > ratesMax) return undefined;
  // What was paid later is not prepaid.
  const isEarly = /prepa|deposit|advance|anzahlung|acompte|anticip/i.test(column.column.column);
  if (target === 'totals.prepaid' && !isEarly) return undefined;
  if (target === 'purchase_order' && !isOfBuyer.test(column.column.column)) {
    const isTold = known.some(
      (one) => one.column.section === column.column.section && isOfBuyer.test(one.column.column),
    );
    if (isTold) return undefined;
  }
  const isOwnOrder =
    column.context.has('order') && !(column.owner === 'buyer' && column.words.has('reference'));
  if (target === 'purchase_order' && isOwnOrder) {
    return undefined;
  }
  if (values.length === 0) return candidate;
  const isMapped = (value: string) => map !== undefined && Object.hasOwn(map.values, value.trim());
  if (target === 'lines[].unit') {
    if (values.some((value) => value.length > unitLengthMax)) return undefined;
    if (values.every((value) => /^-?[\d.]+$/.test(value))) return undefined;
    const held = values.filter((value) => isMapped(value) || /^[A-Z0-9]{2,3}$/.test(value));
    return held.length / values.length < 0.5
      ? atMost(candidate, 0.6, 'Its units are not known.')
      : candidate;
  }
  if (!/tax(_breakdown\[\])?\.category$/.test(target)) return candidate;
  if (values.every((value) => /^[YN]$/i.test(value.trim()))) {
    return atMost(candidate, 0.65, 'No tax may be zero-rated, exempt or out of scope: say which.');
  }
  const codes = wanted.has('seller.industry_code') ? malaysianCategories : categories;
  const held = values.filter((value) => isMapped(value) || codes.has(value.trim()));
  if (held.length < values.length) {
    return atMost(
      candidate,
      held.length / values.length < 0.5 ? 0.45 : 0.7,
      'Some of its codes are not known.',
    );
  }
  return candidate;
};

function divided(by: string): Transform {
  return { kind: 'divide', by: { value: by.trim() } };
}

/** Whether it is a text of the line or its item that is no code. */
function isDescribed({ role, words, values }: ReadColumn): boolean {
  const isOfLine = role === 'line' || role === 'item';
  return isOfLine && words.has('description') && values.length > 0 && !isCoded(values);
}

/** Whether it is called a number or code of an item, and points at no row. */
function isNumbered({ words, isKey, isJoined }: ReadColumn): boolean {
  return !isKey && !isJoined && (words.has('number') || words.has('code'));
}

/** Plain numbers: keys of another table, and no text. */
function areKeys(values: readonly string[]): boolean {
  return values.length > 0 && values.every((value) => /^\d{1,9}$/.test(value.trim()));
}

function isCoded(values: readonly string[]): boolean {
  const codes = values.filter((value) => /^(?=.*[\d-])[A-Z0-9][A-Z0-9._\-/]+$/.test(value.trim()));
  return values.length > 0 && codes.length / values.length > 0.8;
}

/** Codes of UNCL4461 that invoices have; other small numbers are rather keys. */
const paymentCodes: ReadonlySet<string> = new Set(
  '10 20 21 30 31 42 48 49 54 55 57 58 59 97'.split(' '),
);

const categories: ReadonlySet<string> = new Set([
  'S',
  'Z',
  'E',
  'O',
  'AE',
  'K',
  'G',
  'N',
  'L',
  'M',
]);
const malaysianCategories: ReadonlySet<string> = new Set([
  'SA',
  'SE',
  'TTX',
  'HVG',
  'LVG',
  'E',
  'O',
]);

/** Where one column has numbers of taxpayers with their country, another one is that of an office. */
const byTaxpayers: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  if (target !== 'buyer.trn' || areTaxpayers(column.values)) return candidate;
  const isTold = known.some((one) => one.role === 'buyer' && areTaxpayers(one.values));
  return isTold
    ? atMost(candidate, 0.6, 'Another column has numbers with their country.')
    : candidate;
};

function isNamedAfterFirm({ column }: ReadColumn): boolean {
  return wordsOf(column.column).includes('seller');
}

/** Letters of a name of a branch, at most: `HQ`. */
const branchLengthMax = 4;

/** A row that has a name and nothing else may be a branch; where firms stand among persons the firm sells. */
const bySeller: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  const { section } = column.column;
  if (target !== 'seller.name' || section === 'header') return candidate;
  const beside = known.filter((one) => one.column.section === section && one !== column);
  const isFirm = (one: ReadColumn) => one.words.has('name') && isNamedAfterFirm(one);
  if (!isFirm(column) && beside.some(isFirm)) return undefined;
  const isShort = column.values.every((value) => value.trim().length <= branchLengthMax);
  if (column.values.length > 0 && isShort) return undefined;
  const tells = ['vatnumber', 'registration', 'address', 'city'];
  const isTold = known.some(
    (one) =>
      one.role === 'seller' && one.values.length > 0 && tells.some((word) => one.words.has(word)),
  );
  return isTold ? candidate : atMost(candidate, lookedAt, 'It may be the name of a branch.');
};

/** A firm where there is one, otherwise the person's first and last name. */
const byNames: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  if (!/^buyer\.(name|contact\.name)$/.test(target)) return candidate;
  // "Company name" of a person is that of the firm.
  const isOfFirm = column.context.has('contact') && isNamedAfterFirm(column);
  if (target === 'buyer.contact.name' && isOfFirm) return undefined;
  const { section } = column.column;
  const isBesideFirms = known.some(
    (one) =>
      one !== column &&
      one.column.section === section &&
      one.words.has('name') &&
      areFirms(one.values),
  );
  if (target === 'buyer.name' && isBesideFirms && !areFirms(column.values)) {
    return atMost(candidate, 0.6, 'Another column has names of firms.');
  }
  const of = (word: string) =>
    known.find(
      (one) =>
        one.column.section === section &&
        one.words.has(word) &&
        one.words.has('name') &&
        one.context.size === column.context.size,
    );
  const [first, last] = [of('first'), of('last')];
  if (first === undefined || last === undefined) return candidate;
  const concat: Transform = { kind: 'concat', columns: [last.column.column], separator: ' ' };
  if (column === first)
    return {
      ...withConfidence(candidate, target === 'buyer.name' ? 0.7 : 0.85),
      transforms: [concat],
    };
  if (column === last) return undefined;
  if (target === 'buyer.name' && (column.filled ?? 1) < 0.95) {
    const columns = [first.column.column, last.column.column];
    return {
      ...withConfidence(candidate, candidate.confidence, 'Where it is empty, the person is named.'),
      transforms: [{ kind: 'default', columns }],
    };
  }
  return candidate;
};

/** What quantity × price, and the totals, prove or refute. */
const bySums: Rule = (candidate, { sums }) => {
  if (sums === undefined) return candidate;
  const { target, column } = candidate;
  const isProved = sums.share >= 0.8;
  switch (target) {
    case 'lines[].qty':
      if (column === sums.quantity && isProved)
        return withConfidence(
          candidate,
          candidate.confidence + 0.06,
          'Quantity × price gives the amounts.',
        );
      return isProved ? withConfidence(candidate, candidate.confidence - 0.2) : candidate;
    case 'lines[].unit_price':
      return priced(candidate, sums, isProved);
    case 'lines[].gross_price':
      return isProved && column === sums.price ? undefined : candidate;
    case 'lines[].allowances[].percent':
    case 'lines[].allowances[].amount':
      return discounted(candidate, sums, isProved);
    case 'lines[].net':
      return lineNet(candidate, sums, isProved);
    case 'totals.net':
    case 'totals.tax':
    case 'totals.gross':
    case 'totals.due':
      return totalled(candidate, sums);
    default:
      return candidate;
  }
};

function priced(candidate: Candidate, sums: Arithmetic, isProved: boolean): Candidate {
  const { tax, price } = sums;
  const isPrice = candidate.column === price;
  if (isProved && !isPrice) return withConfidence(candidate, candidate.confidence - 0.25);
  const proved = isProved
    ? withConfidence(candidate, candidate.confidence + 0.06, 'Quantity × price gives the amounts.')
    : candidate;
  switch (tax.kind) {
    case 'without':
      return withConfidence(proved, proved.confidence, 'The sums show that no tax is in it.');
    case 'included':
      return {
        ...withConfidence(
          proved,
          Math.min(proved.confidence, 0.9),
          'The sums show that tax is in it, which is taken out.',
        ),
        transforms: [...proved.transforms, ...tax.steps],
      };
    case 'mixed':
      return atMost(proved, 0.6, 'In some documents tax is in it, in others not.');
    case 'unknown':
      return tax.isTaxSeen
        ? atMost(proved, lookedAt, 'Whether tax is in it cannot be seen.')
        : proved;
  }
}

function discounted(
  candidate: Candidate,
  sums: Arithmetic,
  isProved: boolean,
): Candidate | undefined {
  const { column, target } = candidate;
  if (isProved && sums.idleDiscounts.includes(column)) return undefined;
  const { discount } = sums;
  if (discount?.column === column && isProved) {
    const isAmount = discount.form === 'amount' || discount.form === 'piece';
    if (isAmount !== target.endsWith('.amount')) return undefined;
    const steps = discountSteps(sums, discount.form);
    return {
      ...withConfidence(candidate, Math.max(0.92, candidate.confidence), 'The amounts show it.'),
      transforms: steps,
    };
  }
  const isZero = column.values.every((value) => Number(value) === 0);
  if (isZero) return atMost(candidate, 0.55);
  if (target.endsWith('.percent') && areFractions(column.values)) {
    return { ...atMost(candidate, lookedAt), transforms: [hundredfold] };
  }
  return atMost(candidate, lookedAt);
}

function discountSteps(
  { quantity }: Arithmetic,
  form: NonNullable<Arithmetic['discount']>['form'],
): readonly Transform[] {
  if (form === 'fraction') return [hundredfold];
  if (form !== 'piece' || quantity === undefined) return [];
  return [{ kind: 'multiply', by: { column: quantity.column.column } }];
}

function lineNet(candidate: Candidate, sums: Arithmetic, isProved: boolean): Candidate | undefined {
  if (!isProved) return atMost(candidate, 0.75);
  if (!sums.lineAmounts.includes(candidate.column)) return undefined;
  if (sums.tax.kind === 'included') {
    return undefined;
  }
  return withConfidence(candidate, candidate.confidence + 0.04, 'It is quantity × price.');
}

function totalled(candidate: Candidate, { totals, tax }: Arithmetic): Candidate | undefined {
  const kind = totals.get(candidate.column);
  const { target } = candidate;
  if (kind === undefined) return totals.size > 0 ? undefined : atMost(candidate, 0.75);
  const proved = {
    net: ['totals.net'],
    tax: ['totals.tax'],
    gross: ['totals.gross', 'totals.due'],
    lines:
      tax.kind === 'included'
        ? ['totals.gross', 'totals.due']
        : tax.kind === 'unknown'
          ? ['totals.gross', 'totals.due', 'totals.net']
          : ['totals.net'],
  }[kind];
  if (!proved.includes(target)) return undefined;
  if (kind === 'lines' && candidate.confidence < 0.6) return undefined;
  // What lines come to is no total where another one has charges or discounts in it.
  const isPart = [...totals].some(
    ([other, each]) =>
      each === 'net' && other.values.join('\n') !== candidate.column.values.join('\n'),
  );
  if (kind === 'lines' && target === 'totals.net' && isPart) return undefined;
  // A column that the lines sum up to, and whose name says little, may lack a part: freight, tax.
  const least = kind === 'lines' ? candidate.confidence : 0.9;
  return withConfidence(
    candidate,
    Math.max(candidate.confidence, least),
    'The sums of the sample documents show it.',
  );
}

const money =
  /^(totals\.|lines\[\]\.(net|unit_price|gross_price)$|lines\[\]\.allowances\[\]\.amount$|charges\[\]\.amount$|tax_breakdown\[\]\.(amount|taxable)$)/;

/** Amounts that documents have in two currencies, of which nothing says which is which. */
const byMoney: Rule = (candidate, { doubtful, ofBooks }) => {
  if (!money.test(candidate.target)) return candidate;
  if (ofBooks.has(candidate.column)) return undefined;
  return doubtful.has(candidate.column)
    ? atMost(candidate, lookedAt, 'It may be in the currency of the books.')
    : candidate;
};

/** Amounts in cents become amounts of the currency. */
const byCents: Rule = (candidate, { sums }) => {
  if (sums?.isInCents !== true || !money.test(candidate.target)) return candidate;
  return {
    ...candidate,
    transforms: [...candidate.transforms, { kind: 'divide', by: { value: '100' } }],
    reason: `${candidate.reason} Its values are in cents.`,
  };
};

/** A quantity that is kept negative, as stock moves out. */
const bySign: Rule = (candidate) => {
  const { target, column, transforms } = candidate;
  if (target !== 'lines[].qty') return candidate;
  const numbers = column.values.map(Number).filter((value) => value !== 0);
  const isNegative =
    numbers.length > 0 && numbers.filter((value) => value < 0).length / numbers.length > 0.8;
  if (!isNegative) return candidate;
  return {
    ...candidate,
    transforms: [...transforms, { kind: 'negate' }],
    reason: `${candidate.reason} It is kept negative.`,
  };
};
