import { reviewedMax } from '../candidate.ts';
import { shareOf } from '../numbers.ts';
import { atMost, type Rule, withConfidence } from './rule.ts';

/** What is empty everywhere, or has one value that says nothing, is looked at by a person. */
export const byFilling: Rule = (candidate, { documents }) => {
  const { filled, values, role } = candidate.column;
  if (documents.length === 0 || filled === undefined) return candidate;
  const isLineText = role === 'item';
  if (filled === 0 && saidOnce.test(candidate.target)) return undefined;
  if (filled === 0) {
    const less = withConfidence(candidate, candidate.confidence - 0.25);
    return atMost(less, 0.65, 'It is empty in all sample documents.');
  }
  const isDead = values.every(
    (value) => Number(value) === 0 || /^(n\/?a|none|null|-|\.)$/i.test(value),
  );
  if (isDead && candidate.target === 'exchange_rate.rate') return undefined;
  if (isDead && !mayBeZero.test(candidate.target)) {
    const less = withConfidence(candidate, candidate.confidence - 0.2);
    return atMost(less, 0.65, 'It says nothing in all sample documents.');
  }
  if (filled < 0.3 && !isLineText) return atMost(candidate, reviewedMax, 'It is mostly empty.');
  return candidate;
};

/**
 * A code that is kept nowhere is better said once for all; who sells is known from the company's settings, and where a
 * customer is reached follows from the tax number.
 */
const saidOnce =
  /^(type_code|lines\[\]\.(tax\.(category|rate)|unit|classifications\[\]\.code)|seller\..*|buyer\.endpoint(_scheme)?)$/;
const mayBeZero =
  /tax(_breakdown\[\])?\.rate$|totals\.(prepaid|rounding|tax)|address\.line1|number|lines\[\]\.id$/;

/** Fields that are names, texts or codes. */
const texts =
  /(\.name|\.description|\.sku|address\.\w+|contact\.\w+|payment_means\[\]\.code|\.note|notes\[\]|purchase_order|buyer_reference)$/;

const mark = /^(0|-?1|t|f|true|false|y|n|yes|no)$/i;

/** Lines of which each would come to one, at least. */
const marksMin = 5;

/** Yes and no are neither names nor codes: `active`. */
export const byMarks: Rule = (candidate) => {
  const { values } = candidate.column;
  const areMarks = values.length > 0 && values.every((value) => mark.test(value.trim()));
  const areSome = areMarks && values.some((value) => Number(value) !== 0);
  if (areSome && candidate.target === 'lines[].net' && values.length >= marksMin) return undefined;
  if (areSome && candidate.target.startsWith('totals.')) return undefined;
  return areMarks && texts.test(candidate.target) ? undefined : candidate;
};

/** An object of JSON, as that of a name in several languages. */
const jsonObject = /^\{\s*".*\}$/s;

/** Objects hold texts, and are none: a name in several languages. */
export const byJsonObjects: Rule = (candidate) => {
  const { values } = candidate.column;
  const areObjects = values.length > 0 && values.every((value) => jsonObject.test(value.trim()));
  return areObjects && texts.test(candidate.target) ? undefined : candidate;
};

/** Texts, for which the key of another table is no text. */
const freeText =
  /^(payment_terms\[\]\.note|purchase_order|buyer_reference|notes\[\])$|address\.line\d$/;

/** What points at a row of another table is no text. */
export const byPointer: Rule = (candidate) => {
  const { target, column } = candidate;
  if (column.isJoined && freeText.test(target)) return undefined;
  const isOfState = target === 'buyer.address.subdivision';
  const isText =
    /^(payment_terms\[\]\.note|notes\[\])$/.test(target) ||
    (isOfState && (column.role === 'document' || (column.isMatch && column.context.has('state'))));
  return isText && areKeys(column.values) ? undefined : candidate;
};

/** Plain numbers: keys of another table, and no text. */
export function areKeys(values: readonly string[]): boolean {
  return values.length > 0 && values.every((value) => /^\d{1,9}$/.test(value.trim()));
}

/** Codes of capitals and digits rather than words. */
export function areCodes(values: readonly string[]): boolean {
  const isCode = (value: string) => /^(?=.*[\d-])[A-Z0-9][A-Z0-9._\-/]+$/.test(value.trim());
  return shareOf(values, isCode) > 0.8;
}
