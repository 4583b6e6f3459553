import type { FieldTerms } from '../field-terms.ts';
import { rememberedByName } from '../remembered.ts';
import { assessSamples, type SampleVerdict } from '../samples.ts';
import { targets } from '../targets.ts';
import type { Role } from '../vocabulary.ts';
import { likeness, wordsOf } from '../words.ts';
import { type Candidate, reviewedMax } from './candidate.ts';
import { codeSteps } from './code-guesses.ts';
import { type DescribedColumn, isHeaderTax, owners, type ReadColumn } from './columns.ts';
import type { WantedValues } from './wanted-values.ts';

/** A column as a candidate for a field, if its name is like those of the field and its values allow it. */
export function nameCandidate(
  entry: FieldTerms,
  read: ReadColumn,
  order: number,
  wanted: WantedValues,
): Candidate | undefined {
  const { column, role, values } = read;
  // Only lines repeat, so columns of lines and fields of lines belong together.
  const isLine = role === 'line' || role === 'item';
  const isOfTax = (role === 'tax' || isHeaderTax(read)) && /^lines\[\]\.tax\./.test(entry.target);
  if (isLine !== (entry.role === 'line') && !isOfTax) return undefined;
  const datatype = targets.get(entry.target)?.datatype ?? 'text';
  const verdict = assessSamples(values, entry.target, datatype);
  if (verdict.verdict === 'against') return undefined;
  if (erpColumn(entry.not, column) !== undefined) return undefined;
  // Where an ERP keeps all firms in one table, a known column is that of the party whose row it is.
  const isOfOther = parties.has(role) && parties.has(entry.role) && role !== entry.role;
  const named = isOfOther ? undefined : erpColumn(entry.columns, column);
  const score = named === undefined ? nameScore(entry, read) : 0.92;
  if (score === 0) return undefined;
  const bonus =
    (verdict.verdict === 'for' ? 0.05 : 0) + (wanted.paths.has(entry.target) ? 0.02 : 0);
  const weight = read.isCut ? cutWeight : 1;
  const most = verdict.doubt === undefined ? 0.99 : reviewedMax;
  const confidence = Math.round(Math.min(score + bonus, most) * weight * 100) / 100;
  if (confidence < 0.3) return undefined;
  return {
    target: entry.target,
    column: read,
    confidence,
    reason: reasonOf(named, column, verdict),
    transforms: [...verdict.transforms, ...codeSteps(entry.target, values, wanted)],
    order,
  };
}

const parties: ReadonlySet<Role> = new Set<Role>(['buyer', 'seller']);

/** Of a name that is cut to a few letters, beside one that is written out. */
const cutWeight = 0.82;

function erpColumn(
  known: readonly string[] | undefined,
  { origin, column }: DescribedColumn,
): string | undefined {
  const table = origin.toLowerCase();
  return known?.find((name) => {
    const dot = name.indexOf('.');
    if (name.slice(dot + 1).toLowerCase() !== column.toLowerCase()) return false;
    const knownTable = name.slice(0, dot).toLowerCase();
    // A schema before a name, and the company before a NAV name, differ by site.
    return table === knownTable || new RegExp(`[.$\\[]${quoted(knownTable)}($|[\\]$])`).test(table);
  });
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function reasonOf(
  named: string | undefined,
  column: DescribedColumn,
  verdict: SampleVerdict,
): string {
  const name =
    named === undefined
      ? `The name "${column.column}" in "${column.section}" reads like it.`
      : `${named} is where this ERP keeps it.`;
  if (verdict.doubt !== undefined) return `${name} ${verdict.doubt}`;
  return verdict.verdict === 'for' ? `${name} The sample values have the right form.` : name;
}

/** Sections about one thing, whose columns are nothing else: a "name" there is the name of that. */
const closedContexts = [
  'country',
  'currency',
  'state',
  'unit',
  'tax',
  'terms',
  'method',
  'order',
  'contact',
  'phone',
  'email',
  'link',
];

/** What such a section may say of its owner by the column's own name. */
const openInContact = new Set(['phone', 'email']);

/** What the order says of the invoice that is made of it, where the invoice does not. */
const openInOrder = new Set(['exchange_rate.rate', 'payment_means[].code', 'currency']);

const inOrderWeight = 0.93;

/** Of a column "customer": less than "customer name" has. */
const loneNameScore = 0.8;

/** What the item of a line may say of the line: what it is, and neither its price nor its stock. */
const ofItems =
  /^lines\[\]\.(name|description|sku|unit|tax\.category|tax\.rate|classifications\[\]\.code|origin_country)$/;

/** How much the name of a column says that it holds the field, 0 to 1. */
function nameScore(entry: FieldTerms, read: ReadColumn): number {
  const { words, context, role, owner, isKey } = read;
  const isOfDocument = role === 'document' && entry.target === 'buyer.name';
  if (isOfDocument && isLoneName(read, 'buyer')) return loneNameScore;
  if (entry.target === 'lines[].sku' && isLoneName(read, 'item')) return 0;
  if (isKey && !/^(number|lines\[\]\.sku)$/.test(entry.target)) return 0;
  if (role === 'item' && !ofItems.test(entry.target)) return 0;
  const fit = fitOf(entry, role, owner);
  if (fit === 0) return 0;
  const both = new Set([...words, ...context]);
  if (entry.target.endsWith('.amount') && words.has('percent')) return 0;
  if (entry.target === 'totals.tax' && ['rate', 'percent', 'code'].some((word) => words.has(word)))
    return 0;
  const isOfLine = role === 'line' && context.size === 0;
  if (/^lines\[\]\.tax\./.test(entry.target) && isOfLine && words.has('amount')) return 0;
  // "Country/region code" is a country, and a number of a taxpayer no entry in a register.
  if (entry.target.endsWith('subdivision') && words.has('country')) return 0;
  if (entry.target.endsWith('registration_id') && words.has('tax')) return 0;
  // What was paid is not what is due.
  const isPaid = words.has('payment') || words.has('paid');
  if (entry.target === 'totals.due' && isPaid && !words.has('due')) return 0;
  if (entry.target === 'totals.tax' && (words.has('net') || words.has('gross'))) return 0;
  if (/^lines\[\]\.(net|gross_price)$/.test(entry.target) && words.has('tax') && !words.has('net'))
    return 0;
  const isNamed = entry.needs?.some((word) => both.has(word)) !== false;
  if (!isNamed && role !== 'tax') return 0;
  const isOfOrder = [...context].join() === 'order' && openInOrder.has(entry.target);
  let best = 0;
  for (const phrase of entry.phrases) {
    const wanted = phraseWords(phrase);
    const closed = closedContexts.filter((one) => context.has(one));
    const isOpen =
      context.has('contact') || context.has('link')
        ? [...wanted].some((word) => openInContact.has(word))
        : isOfOrder;
    if (closed.length > 0 && !isOpen && !closed.some((one) => wanted.has(one))) continue;
    best = Math.max(
      best,
      likeness(wanted, withoutDigits(words)) * 0.96,
      likeness(wanted, words) * (closed.length > 0 && !isOpen ? 0.95 : 1),
      likeness(wanted, both),
    );
  }
  return best * fit * (isKey ? 0.7 : 0.88) * (isOfOrder ? inOrderWeight : 1);
}

/** "Customer" or "Item" and nothing else, with names as values: neither number nor code of it. */
function isLoneName({ words, values, isKey }: ReadColumn, word: string): boolean {
  const isCode = (value: string) => /^\S*\d\S*$/.test(value.trim());
  const isLone = words.size === 1 && words.has(word) && !isKey;
  return isLone && values.length > 0 && !values.every(isCode);
}

/** `tax1` is a tax; which lines of an address there are is told by their numbers. */
function withoutDigits(words: ReadonlySet<string>): ReadonlySet<string> {
  if (words.has('address') || words.has('line')) return words;
  return new Set([...words].filter((word) => !/^\d+$/.test(word)));
}

const phraseWords = rememberedByName((phrase): ReadonlySet<string> => {
  const words = wordsOf(phrase).filter((word) => !owners.has(word));
  return new Set(words.length === 0 ? wordsOf(phrase) : words);
});

/** How well a column of this section and owner fits the target. */
function fitOf({ role: wanted, target }: FieldTerms, role: Role, owner: Role | undefined): number {
  if (owner !== undefined && role !== owner && role !== 'document')
    return role === 'line' ? 0.5 : 0;
  const effective = owner ?? role;
  if (effective === wanted) return 1;
  if (effective === 'item' && wanted === 'line') return 0.97;
  if (effective === 'tax' && wanted === 'line') return 0.85;
  if (effective === 'document' && /^lines\[\]\.tax\./.test(target)) return 0.95;
  // Many ERPs keep the currency and the terms with the customer.
  if (effective === 'buyer' && /^(currency|payment_terms\[\]\.note)$/.test(target)) return 0.93;
  // "customer_ref" in an order, "buyer order number".
  if (
    effective === 'buyer' &&
    owner !== undefined &&
    /^(purchase_order|buyer_reference)$/.test(target)
  )
    return 1;
  // In a flat header columns without an owner (`city`) are usually the buyer's.
  return effective === 'document' && wanted === 'buyer' ? 0.6 : 0;
}
