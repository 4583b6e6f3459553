import type { Datatype } from '@drawbridge/cim/terms.ts';
import { parseDecimal } from '@drawbridge/decimal/decimal.ts';
import {
  type DateFormat,
  dateFormats,
  isCutDate,
  readDate,
  readTime,
  timeFormats,
} from './calendar.ts';
import { codeOf, currencyOfSign, isCurrency } from './code-names.ts';
import { areGrouped } from './inference/grouped-digits.ts';
import { midnightOffset } from './inference/midnight.ts';
import { areFractions, shareOf } from './inference/numbers.ts';
import { type Transform, transform } from './transform.ts';

/** What the samples of a column say of a target. */
export interface SampleVerdict {
  /** `against`: the column cannot hold the target; `for`: its values look like it. */
  readonly verdict: 'for' | 'against' | 'neutral';
  /** Steps that turn the samples into the target's form. */
  readonly transforms: readonly Transform[];
  /** Why a person has to look, where the samples may mean two things. */
  readonly doubt?: string;
}

const neutral: SampleVerdict = { verdict: 'neutral', transforms: [] };
const against: SampleVerdict = { verdict: 'against', transforms: [] };
const fitting: SampleVerdict = { verdict: 'for', transforms: [] };

/** Of the values that have to have a form: some are always "N/A" or a slip. */
const formedMin = 0.75;

/** Compares sample values with the target's datatype and, if it has one, its special form. */
export function assessSamples(
  samples: readonly string[],
  target: string,
  datatype: Datatype,
): SampleVerdict {
  const values = samples.map((sample) => sample.trim()).filter((sample) => sample !== '');
  if (values.length === 0) return neutral;
  if (/address\.country$|origin_country$/.test(target)) return countries(values);
  if (/tax\.rate$|\.rate$/.test(target) && !target.startsWith('exchange')) return rates(values);
  if (target === 'currency') return currencies(values);
  if (target === 'payment_means[].code') {
    const map = paymentMap(values);
    if (map !== undefined) return { verdict: 'neutral', transforms: [map] };
  }
  const form = forms.find(([paths]) => paths.test(target))?.[1];
  if (form !== undefined) {
    return shareOf(values, (value) => form.test(value)) >= formedMin ? fitting : against;
  }
  switch (datatype) {
    case 'date':
      return dates(values);
    case 'time':
      return times(values);
    case 'amount':
    case 'quantity':
    case 'decimal':
      return decimals(values);
    case 'percentage':
      return percentages(values);
    default:
      return texts(values, target);
  }
}

/** Targets whose values have a recognisable form. */
const forms: readonly (readonly [RegExp, RegExp])[] = [
  [/email$/, /^[^@\s]+@[^@\s]+\.[^@\s]+$/],
  [/phone$/, /^[+(]?[\d\s().\-/]{6,25}$/],
  [/industry_code$/, /^\d{5}$/],
  [/account\.id$/, /^(?=.*\d)[A-Z0-9 ]{6,34}$/i],
  [/payment_means\[\]\.code$/, /^(\d{1,2}|ZZZ)$/],
  [/type_code$/, /^(380|381|382|383|384|386|388|389|393|395|261|326|480|81)$/],
  [/\.trn$|\.tin$|identifiers\[\]\.id$/, /^(?=(.*\d){4})[A-Z0-9 .\-/]{5,30}$/i],
  [/post_code$/, /^(?=.*\d)(?!.*[A-Z]{4})[A-Z0-9 .-]{2,12}$/i],
  [/endpoint_scheme$/, /^\d{4}$/],
];

/** Codes in capitals; those in small letters are raised, and signs stand in a map. */
function currencies(values: readonly string[]): SampleVerdict {
  const signs = [...new Set(values)].flatMap((value) => {
    const code = currencyOfSign(value);
    return code === undefined ? [] : [[value, code] as const];
  });
  const known = values.filter((value) => isCurrency(value) || currencyOfSign(value)).length;
  if (known / values.length < formedMin) return against;
  if (signs.length > 0) {
    return {
      verdict: 'neutral',
      transforms: [{ kind: 'map', values: Object.fromEntries(signs), unmapped: 'keep' }],
    };
  }
  return values.every((value) => value === value.toUpperCase())
    ? fitting
    : { verdict: 'for', transforms: [{ kind: 'upper' }] };
}

/** Codes as they are, other codes and names through the list of countries. */
function countries(values: readonly string[]): SampleVerdict {
  const isCode = (value: string) =>
    /^[A-Z]{2}$/.test(value) && codeOf('countries', value) === value;
  if (values.every(isCode)) return fitting;
  const known = values.filter((value) => codeOf('countries', value) !== undefined).length;
  if (known / values.length < 0.5) return against;
  return { verdict: 'for', transforms: [{ kind: 'map', list: 'countries', values: {} }] };
}

/** Words for ways of payment → UNCL4461. */
const paymentWords: readonly (readonly [RegExp, string])[] = [
  [/cheque|check|scheck|^ch[qk]$/i, '20'],
  [/debit|lastschrift|domicil|sepa/i, '59'],
  [/card|karte|tarjeta|carte|kad|^cb$/i, '48'],
  [/cash|bar\b|contado|especes|tunai|^liq$/i, '10'],
  [/transfer|bank|ueberweisung|überweisung|virement|wire|^(vir|trf|tt)$/i, '30'],
];

/** A map of ways of payment, when most of them are known words. */
function paymentMap(values: readonly string[]): Transform | undefined {
  const known = new Map(
    [...new Set(values)].flatMap((value) => {
      const code = paymentWords.find(([words]) => words.test(value))?.[1];
      return code === undefined ? [] : [[value, code] as const];
    }),
  );
  const isMost = known.size > 0 && known.size >= new Set(values).size / 2;
  return isMost ? { kind: 'map', values: Object.fromEntries(known) } : undefined;
}

/** Percents as they are, fractions times a hundred. */
function rates(values: readonly string[]): SampleVerdict {
  const verdict = percentages(values);
  if (verdict.verdict !== 'for' || verdict.transforms.length > 0) return verdict;
  if (values.some((value) => Number(value) < 0 || Number(value) > 100)) return against;
  return areFractions(values) ? { verdict: 'for', transforms: [hundredfold] } : verdict;
}

/** From a fraction to a percentage. */
export const hundredfold: Transform = { kind: 'multiply', by: { value: '100' } };

/** Years of documents that a plain number may mean; others are read so only where nothing else fits. */
const plainYears = { from: '1995', to: '2050' } as const;

function dates(values: readonly string[]): SampleVerdict {
  const fitting = dateFormats.flatMap((format) => {
    const days = values.flatMap((value) => readDate(value, format) ?? []);
    return days.length === values.length ? [{ format, days }] : [];
  });
  const likely = fitting.filter(({ days }) =>
    days.every((day) => day >= plainYears.from && day < plainYears.to),
  );
  const readings = likely.length > 0 ? likely : fitting.filter(({ format }) => !isCutDate(format));
  const [first] = readings;
  if (first === undefined) return against;
  const orders = sameCharacters.find((formats) => formats.includes(first.format)) ?? [];
  const others = readings.filter(({ format }) => orders.includes(format));
  // Documents are of few years: 26-01-31 beside 26-02-14 is rather of 2026 than of 2031 and 2014.
  const { format, days } = [first, ...others].reduce((best, each) =>
    yearsOf(each.days) < yearsOf(best.days) ? each : best,
  );
  const isPlain = format === 'ISO' && values.every((value) => value.length === 10);
  const offset = format === 'ISO' ? midnightOffset(values) : undefined;
  const isOpen = others.some((other) => other.days.some((day, at) => day !== days[at]));
  return {
    verdict: 'for',
    transforms: isPlain ? [] : [{ kind: 'date', format, ...(offset && { offset }) }],
    ...(isOpen ? { doubt: orderDoubt } : {}),
  };
}

/** Which orders of day, month and year the same characters may have. */
const sameCharacters: readonly (readonly DateFormat[])[] = [
  ['DD/MM/YYYY', 'MM/DD/YYYY'],
  ['DD-MM-YYYY', 'MM-DD-YYYY'],
  ['DD/MM/YY', 'MM/DD/YY', 'YY/MM/DD'],
];

const orderDoubt =
  'Every date that was seen can be read in another order too, as with day and month exchanged.';

const yearsOf = (days: readonly string[]) => new Set(days.map((day) => day.slice(0, 4))).size;

function times(values: readonly string[]): SampleVerdict {
  for (const format of timeFormats) {
    if (!values.every((value) => readTime(value, format) !== undefined)) continue;
    const isPlain = format === 'HH:MM:SS' && values.every((value) => value.length === 8);
    return { verdict: 'for', transforms: isPlain ? [] : [{ kind: 'time', format }] };
  }
  return against;
}

function decimals(values: readonly string[]): SampleVerdict {
  if (areGrouped(values, undefined)) {
    return isRead(values, groupedDecimal)
      ? { verdict: 'for', transforms: [groupedDecimal] }
      : against;
  }
  if (values.every((value) => parseDecimal(value) !== undefined))
    return { verdict: 'for', transforms: [] };
  for (const point of ['.', ','] as const) {
    const step: Transform = { kind: 'decimal', point };
    if (isRead(values, step)) return { verdict: 'for', transforms: [step] };
  }
  return against;
}

/** Of a number whose points stand between thousands. */
const groupedDecimal: Transform = { kind: 'decimal', point: ',' };

/** Percentages are read without their sign: `10%`. */
function percentages(values: readonly string[]): SampleVerdict {
  const arePercents =
    values.some((value) => value.endsWith('%')) &&
    values.every((value) => isRead([value], percent));
  return arePercents ? { verdict: 'for', transforms: [percent] } : decimals(values);
}

/** The steps without which such values are no numbers; none where they are, or none make them so. */
export function readingSteps(values: readonly string[]): readonly Transform[] {
  return percentages(values.map((value) => value.trim())).transforms;
}

/** What stands before the sign. */
const percent: Transform = { kind: 'split', separator: '%', part: 1 };

function isRead(values: readonly string[], step: Transform): boolean {
  return values.every((value) => {
    const read = transform(value, [step], () => undefined);
    return !('fault' in read) && read.value !== undefined && parseDecimal(read.value) !== undefined;
  });
}

/** States of a document, which are called as regions are. */
const statusText =
  /^(draft|posted|open|paid|cancel(l)?ed|sent|approved|submitted|closed|pending)$/i;

/** For names and descriptions, which are not numbers or dates. */
function texts(values: readonly string[], target: string): SampleVerdict {
  if (target.endsWith('subdivision') && values.some((value) => statusText.test(value)))
    return against;
  const isWords = /(\.name|description|city|line1|industry_name)$/.test(target);
  if (!isWords) return neutral;
  const isData = values.every(
    (value) => parseDecimal(value) !== undefined || readDate(value, 'ISO') !== undefined,
  );
  return isData ? against : neutral;
}
