import type { Datatype } from '@drawbridge/cim/terms.ts';
import { parseDecimal } from '@drawbridge/decimal/decimal.ts';
import { dateFormats, readDate, readTime, timeFormats } from './calendar.ts';
import { type Transform, transform } from './transform.ts';

/** What the samples of a column say of a target. */
export interface SampleVerdict {
  /** `against`: the column cannot hold the target; `for`: its values look like it. */
  readonly verdict: 'for' | 'against' | 'neutral';
  /** Steps that turn the samples into the target's form. */
  readonly transforms: readonly Transform[];
}

const neutral: SampleVerdict = { verdict: 'neutral', transforms: [] };
const against: SampleVerdict = { verdict: 'against', transforms: [] };

/** Compares sample values with the target's datatype and, if it has one, its special form. */
export function assessSamples(
  samples: readonly string[],
  target: string,
  datatype: Datatype,
): SampleVerdict {
  const values = samples.map((sample) => sample.trim()).filter((sample) => sample !== '');
  if (values.length === 0) return neutral;
  const form = forms.find(([paths]) => paths.test(target))?.[1];
  if (form !== undefined)
    return {
      verdict: values.every((value) => form.test(value)) ? 'for' : 'against',
      transforms: [],
    };
  switch (datatype) {
    case 'date':
      return dates(values);
    case 'time':
      return times(values);
    case 'amount':
    case 'quantity':
    case 'percentage':
    case 'decimal':
      return decimals(values);
    default:
      return texts(values, target);
  }
}

/** Targets whose values have a recognisable form. */
const forms: readonly (readonly [RegExp, RegExp])[] = [
  [/email$/, /^[^@\s]+@[^@\s]+\.[^@\s]+$/],
  [/^currency$/, /^[A-Z]{3}$/],
  [/phone$/, /^[+(]?[\d\s().\-/]{6,25}$/],
  [/industry_code$/, /^\d{5}$/],
  [/account\.id$/, /^[A-Z0-9 ]{6,34}$/i],
];

function dates(values: readonly string[]): SampleVerdict {
  for (const format of dateFormats) {
    if (!values.every((value) => readDate(value, format) !== undefined)) continue;
    const isPlain = format === 'ISO' && values.every((value) => value.length === 10);
    return { verdict: 'for', transforms: isPlain ? [] : [{ kind: 'date', format }] };
  }
  return against;
}

function times(values: readonly string[]): SampleVerdict {
  for (const format of timeFormats) {
    if (!values.every((value) => readTime(value, format) !== undefined)) continue;
    const isPlain = format === 'HH:MM:SS' && values.every((value) => value.length === 8);
    return { verdict: 'for', transforms: isPlain ? [] : [{ kind: 'time', format }] };
  }
  return against;
}

function decimals(values: readonly string[]): SampleVerdict {
  if (values.every((value) => parseDecimal(value) !== undefined))
    return { verdict: 'for', transforms: [] };
  for (const point of ['.', ','] as const) {
    const step: Transform = { kind: 'decimal', point };
    const isRead = values.every((value) => !('fault' in transform(value, [step], () => undefined)));
    if (isRead) return { verdict: 'for', transforms: [step] };
  }
  return against;
}

/** For names and descriptions, which are not numbers or dates. */
function texts(values: readonly string[], target: string): SampleVerdict {
  const isWords = /(\.name|description|city|line1|industry_name)$/.test(target);
  if (!isWords) return neutral;
  const isData = values.every(
    (value) => parseDecimal(value) !== undefined || readDate(value, 'ISO') !== undefined,
  );
  return isData ? against : neutral;
}
