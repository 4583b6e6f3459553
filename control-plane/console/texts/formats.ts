import { locales, useLanguage } from './language.ts';

export interface Formats {
  /** A day without a time, `YYYY-MM-DD`. */
  day(day: string): string;
  /** An instant, in the zone of the reader, which is named. */
  instant(instant: string): string;
  /** How long ago, in the largest fitting unit. */
  ago(instant: string, now: Date): string;
  /** An exact decimal with its currency, which may be what a supplier or an ERP made up. */
  money(amount: string, currency: string): string;
  number(value: number): string;
  /** An amount of data, in MB. */
  megabytes(bytes: number): string;
  /** How long something takes, in the largest fitting unit. */
  duration(seconds: number): string;
  /** A share, 0 to 1. */
  percent(share: number): string;
}

/** How values are written in the language that is shown. */
export function useFormats(): Formats {
  return formatsOf(locales[useLanguage()]);
}

const made = new Map<string, Formats>();

function formatsOf(locale: string): Formats {
  const known = made.get(locale);
  if (known !== undefined) return known;
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const instant = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const number = new Intl.NumberFormat(locale);
  const amounts = new Intl.NumberFormat(locale, { maximumFractionDigits: amountPlacesMax });
  const megabyte = new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte' });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const formats: Formats = {
    day: (text) => day.format(new Date(`${text}T00:00:00Z`)),
    instant: (text) => instant.format(new Date(text)),
    ago: (text, now) => {
      const seconds = (new Date(text).getTime() - now.getTime()) / 1_000;
      const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
      return relative.format(Math.round(seconds / size), unit);
    },
    // A text goes in whole: a number of the browser would lose digits.
    money: (amount, currency) =>
      /^[A-Za-z]{3}$/.test(currency)
        ? new Intl.NumberFormat(locale, {
            style: 'currency',
            currency,
            maximumFractionDigits: amountPlacesMax,
          }).format(amount as Intl.StringNumericLiteral)
        : `${amounts.format(amount as Intl.StringNumericLiteral)} ${currency}`,
    number: (value) => number.format(value),
    megabytes: (bytes) => megabyte.format(Math.round(bytes / 1_000_000)),
    duration: (seconds) => {
      const [unit, size] = durationUnits.find(([, each]) => seconds >= each) ?? ['second', 1];
      const style = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
      return new Intl.NumberFormat(locale, style).format(seconds / size);
    },
    percent: (share) => percent.format(share),
  };
  made.set(locale, formats);
  return formats;
}

/** As many as prices have. */
const amountPlacesMax = 6;

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Of years and months nobody knows how long they are. */
const durationUnits = units.filter(([, seconds]) => seconds <= 86_400);
