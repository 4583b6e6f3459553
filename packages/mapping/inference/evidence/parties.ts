import type { Transform } from '../../transform.ts';
import { wordsOf } from '../../words.ts';
import { reviewedMax } from '../candidate.ts';
import type { ReadColumn } from '../columns.ts';
import { areFirms, areTaxpayers } from '../forms.ts';
import { atMost, type Rule, withConfidence } from './rule.ts';
import { areCodes } from './values.ts';

/** What different customers do not have in common. */
const ofOneBuyer = /^buyer\.(name|trn|tin|endpoint|contact\.(name|phone|email)|identifiers)/;

const documentsOfBuyersMin = 5;

/** What is the same for all customers, though other columns tell them apart, is none of theirs. */
export const byOwner: Rule = (candidate, { known }) => {
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
export const byParty: Rule = (candidate, { ofOtherParties }) => {
  const isOther = ofOtherParties.has(candidate.column.column);
  return isOther && candidate.target.startsWith('buyer.') ? undefined : candidate;
};

/** What says where goods go is rather not the buyer. */
export const byDelivery: Rule = (candidate) => {
  const isOfBuyer = /^buyer\.(address|name)/.test(candidate.target);
  if (!isOfBuyer || !candidate.column.words.has('delivery')) return candidate;
  return withConfidence(candidate, candidate.confidence - 0.15, 'It says where goods go.');
};

/** An address in the document that differs from one to the next is the buyer's, where the customer has none. */
export const byPlaceOfDocument: Rule = (candidate, { known }) => {
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
export const byAddressLines: Rule = (candidate, { known }) => {
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

/** Where one column has numbers of taxpayers with their country, another one is that of an office. */
export const byTaxpayers: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  if (target !== 'buyer.trn' || areTaxpayers(column.values)) return candidate;
  const isTold = known.some((one) => one.role === 'buyer' && areTaxpayers(one.values));
  return isTold
    ? atMost(candidate, 0.6, 'Another column has numbers with their country.')
    : candidate;
};

/** Letters of a name of a branch, at most: `HQ`. */
const branchLengthMax = 4;

/** A row that has a name and nothing else may be a branch; where firms stand among persons the firm sells. */
export const bySeller: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  const { section } = column.column;
  if (target !== 'seller.name') return candidate;
  if (areCodes(column.values)) return undefined;
  if (section === 'header') return candidate;
  const beside = known.filter((one) => one.column.section === section && one !== column);
  const isFirm = (one: ReadColumn) =>
    one.words.has('name') && isNamedAfterFirm(one) && one.filled !== 0;
  if (!isFirm(column) && beside.some(isFirm)) return undefined;
  const isShort = column.values.every((value) => value.trim().length <= branchLengthMax);
  if (column.values.length > 0 && isShort) return undefined;
  const tells = ['vatnumber', 'registration', 'address', 'city'];
  const isTold = known.some(
    (one) =>
      one.role === 'seller' && one.values.length > 0 && tells.some((word) => one.words.has(word)),
  );
  return isTold ? candidate : atMost(candidate, reviewedMax, 'It may be the name of a branch.');
};

/** A firm where there is one, otherwise the person's first and last name. */
export const byNames: Rule = (candidate, { known }) => {
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
  if (column === first) {
    const named = target === 'buyer.name' ? 0.7 : 0.85;
    // Firms among persons have neither.
    const confidence = column.filled === 0 ? Math.min(named, candidate.confidence) : named;
    return { ...withConfidence(candidate, confidence), transforms: [concat] };
  }
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

function isNamedAfterFirm({ column }: ReadColumn): boolean {
  return wordsOf(column.column).includes('seller');
}
