import { plainSigns } from './plain-signs.ts';

/**
 * Date formats of ERPs. Days with separators may have a time behind them, which is left out. MMM is the
 * name of a month or its short form, in nine languages; beside it, and in years of two digits with separators, any of
 * `/ - .` and a space may stand. EXCEL counts days from 1899-12-30, EPOCH seconds and EPOCH_MS milliseconds from
 * 1970-01-01 in UTC. DDD is the number of the day in its year, C the century: 0 for 19, 1 for 20. Years of two
 * digits are those from 1970 to 2069.
 */
export const dateFormats = [
  'ISO',
  'YYYYMMDD',
  'YYYY/MM/DD',
  'YYYY.MM.DD',
  'DD/MM/YYYY',
  'DD-MM-YYYY',
  'DD.MM.YYYY',
  'MM/DD/YYYY',
  'MM-DD-YYYY',
  'DD MMM YYYY',
  'MMM DD YYYY',
  'DD/MM/YY',
  'MM/DD/YY',
  'YY/MM/DD',
  'EXCEL',
  'EPOCH',
  'EPOCH_MS',
  'CYYMMDD',
  'YYMMDD',
  'YYYYDDD',
  'CYYDDD',
  'YYDDD',
] as const;
/** One of the date formats. */
export type DateFormat = (typeof dateFormats)[number];

/**
 * Time formats of ERPs. HHMMSS may lack leading zeros; ISO is the time of a date with a time.
 */
export const timeFormats = ['ISO', 'HH:MM:SS', 'HH:MM', 'HHMMSS'] as const;
/** One of the time formats. */
export type TimeFormat = (typeof timeFormats)[number];

const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** A day whose parts stand between separators, and perhaps a time behind it. */
function separated(day: string): RegExp {
  return new RegExp(
    `^${day}(?:[T ]\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AP]M)?)?$`,
    'iu',
  );
}

const day = '(?<d>\\d{1,2})';
const month = '(?<m>\\d{1,2})';
const monthName = '(?<name>\\p{L}{3,10})\\.?';
const year = '(?<y>\\d{4})';
const shortYear = '(?<y>\\d{2})';
const anySeparator = '(?<s>[/.-])';

/** Days that are told from other numbers by their separators. */
const separatedPatterns = {
  'YYYY/MM/DD': separated(`${year}/${month}/${day}`),
  'YYYY.MM.DD': separated(`${year}\\.${month}\\.${day}`),
  'DD/MM/YYYY': separated(`${day}/${month}/${year}`),
  'DD-MM-YYYY': separated(`${day}-${month}-${year}`),
  'DD.MM.YYYY': separated(`${day}\\.${month}\\.${year}`),
  'MM/DD/YYYY': separated(`${month}/${day}/${year}`),
  'MM-DD-YYYY': separated(`${month}-${day}-${year}`),
  'DD MMM YYYY': separated(`${day}\\.?[ /.-]?${monthName}[ /.-]?(?<y>\\d{4}|\\d{2})`),
  'MMM DD YYYY': separated(`${monthName}[ /.-]?${day}(?:[ /.-]|, ?)(?<y>\\d{4}|\\d{2})`),
  'DD/MM/YY': separated(`${day}${anySeparator}${month}\\k<s>${shortYear}`),
  'MM/DD/YY': separated(`${month}${anySeparator}${day}\\k<s>${shortYear}`),
  'YY/MM/DD': separated(`${shortYear}${anySeparator}${month}\\k<s>${day}`),
} as const;

const patterns: Readonly<
  Record<Exclude<DateFormat, 'ISO' | 'EXCEL' | 'EPOCH' | 'EPOCH_MS'>, RegExp>
> = {
  ...separatedPatterns,
  YYYYMMDD: /^(?<y>\d{4})(?<m>\d{2})(?<d>\d{2})$/,
  CYYMMDD: /^(?<c>[01])(?<y>\d{2})(?<m>\d{2})(?<d>\d{2})$/,
  YYMMDD: /^(?<y>\d{2})(?<m>\d{2})(?<d>\d{2})$/,
  YYYYDDD: /^(?<y>\d{4})(?<n>\d{3})$/,
  CYYDDD: /^(?<c>[01])(?<y>\d{2})(?<n>\d{3})$/,
  YYDDD: /^(?<y>\d{2})(?<n>\d{3})$/,
};

/**
 * The date as `YYYY-MM-DD`; undefined when the text does not have this format or no such day
 * exists.
 */
export function readDate(written: string, format: DateFormat, offset?: string): string | undefined {
  const text = plainSigns(written);
  if (format === 'ISO') return isoDate(text, offset);
  if (format === 'EXCEL') return excelDate(text);
  if (format === 'EPOCH' || format === 'EPOCH_MS') return epochDate(text, format, offset);
  const parts = patterns[format].exec(text)?.groups;
  if (parts === undefined) return undefined;
  const inYear = yearOf(parts.c, parts.y!);
  if (parts.n !== undefined) return ordinalText(inYear, Number(parts.n));
  const inMonth = parts.name === undefined ? Number(parts.m) : monthOf(parts.name);
  return inMonth === undefined ? undefined : isoText(inYear, inMonth, Number(parts.d));
}

/**
 * The names of months and their short forms, without accents: English, Malay, Indonesian, German, Dutch,
 * French, Spanish, Italian and Portuguese.
 */
const monthNames: readonly RegExp[] = [
  /^(jan(uary?|uari|vier|eiro|v)?|ene(ro)?|gen(naio)?)$/,
  /^(feb(ruary?|ruari|rero|braio|r)?|fev(rier|ereiro|r)?|peb(ruari)?)$/,
  /^(mar(ch|s|z|zo|co|et)?|mac|mrt|maart|mrz|maerz)$/,
  /^(apr(il|ile)?|abr(il)?|avr(il)?)$/,
  /^(may(o)?|mai(o)?|mei|mag(gio)?)$/,
  /^(june?|juni|junio|junho|juin|giu(gno)?)$/,
  /^(july?|juli|julio|julho|julai|juil(let)?|lug(lio)?)$/,
  /^(aug(ust|ustus)?|ago(sto)?|aout?|ogo(s)?|agu(stus)?|agt)$/,
  /^(sept?|sept(ember|embre|iembre)|set(embro|tembre)?)$/,
  /^(oct(ober|obre)?|okt(ober)?|ott(obre)?|out(ubro)?)$/,
  /^(nov(ember|embre|embro)?|nop(ember)?)$/,
  /^(dec(ember|embre)?|dez(ember|embro)?|dic(iembre|embre)?|dis(ember)?|des(ember)?)$/,
];

function monthOf(name: string): number | undefined {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const at = monthNames.findIndex((names) => names.test(plain));
  return at === -1 ? undefined : at + 1;
}

const writtenFormats = ['ISO', ...Object.keys(separatedPatterns)] as readonly DateFormat[];

/** Whether the text is a day by its separators or the name of its month. */
export function isWrittenDay(text: string): boolean {
  return writtenFormats.some((format) => readDate(text, format) !== undefined);
}

function yearOf(century: string | undefined, year: string): number {
  if (year.length === 4) return Number(year);
  if (century !== undefined) return 1900 + Number(century) * 100 + Number(year);
  return Number(year) + (Number(year) < 70 ? 2000 : 1900);
}

function ordinalText(year: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, 0, day));
  return year >= 1900 && day > 0 && date.getUTCFullYear() === year
    ? date.toISOString().slice(0, 10)
    : undefined;
}

/** The time as `HH:MM:SS` (with its zone, when it has one), or undefined. */
export function readTime(written: string, format: TimeFormat): string | undefined {
  const text = plainSigns(written);
  if (format === 'ISO') {
    const [, , , , hour, minute, second, zone] = iso.exec(text) ?? [];
    if (hour === undefined || minute === undefined) return undefined;
    return timeText(hour, minute, second ?? '00', zone);
  }
  if (format === 'HHMMSS') {
    if (!/^\d{1,6}$/.test(text)) return undefined;
    const digits = text.padStart(6, '0');
    return timeText(digits.slice(0, 2), digits.slice(2, 4), digits.slice(4));
  }
  const pattern =
    format === 'HH:MM' ? /^(\d{1,2}):(\d{2})$/ : /^(\d{1,2}):(\d{2}):(\d{2})(?:\.\d+)?$/;
  const [, hour, minute, second] = pattern.exec(text) ?? [];
  if (hour === undefined || minute === undefined) return undefined;
  return timeText(hour.padStart(2, '0'), minute, second ?? '00');
}

function isoDate(text: string, offset: string | undefined): string | undefined {
  const [, year, month, day, hour, minute, second, zone] = iso.exec(text) ?? [];
  const date = isoText(Number(year), Number(month), Number(day));
  if (date === undefined || offset === undefined || zone === undefined) return date;
  const minutes = minutesOf(offset) - (zone === 'Z' ? 0 : minutesOf(zone));
  const written = Date.parse(`${date}T${hour}:${minute}:${second ?? '00'}Z`);
  if (Number.isNaN(written)) return undefined;
  return new Date(written + minutes * 60_000).toISOString().slice(0, 10);
}

function minutesOf(zone: string): number {
  const [, sign, hours, minutes = 0] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Serial days of a spreadsheet between 1900 and 2199; a fraction is the time of day. */
function excelDate(text: string): string | undefined {
  const days = /^(\d{1,6})(?:\.\d+)?$/.exec(text)?.[1];
  if (days === undefined || Number(days) < 61 || Number(days) > 109_574) return undefined;
  return new Date(Date.UTC(1899, 11, 30 + Number(days))).toISOString().slice(0, 10);
}

/** Moments between 1990 and 2100, so that other numbers are not read as such. */
function epochDate(text: string, format: 'EPOCH' | 'EPOCH_MS', offset = 'Z'): string | undefined {
  const digits = /^(\d{9,13})(?:\.\d+)?$/.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const ms = Number(digits) * (format === 'EPOCH' ? 1_000 : 1);
  if (ms < Date.UTC(1990) || ms >= Date.UTC(2100)) return undefined;
  const shift = offset === 'Z' ? 0 : minutesOf(offset) * 60_000;
  return new Date(ms + shift).toISOString().slice(0, 10);
}

function isoText(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal =
    year >= 1900 &&
    !isBuddhist(year) &&
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}

/** Thai years are 543 ahead: 2569 is 2026. Read as they stand they would be a day that nobody meant. */
function isBuddhist(year: number): boolean {
  return year >= 2400 && year < 2700;
}

function timeText(hour: string, minute: string, second: string, zone?: string): string | undefined {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const isWhole = zone === undefined || zone === 'Z' || zone.includes(':');
  const offset = isWhole ? (zone ?? '') : `${zone.slice(0, 3)}:${zone.slice(3) || '00'}`;
  return `${hour}:${minute}:${second}${offset}`;
}

/** Whether a number is rather a day or a moment than an amount: so many digits, and all of them those of one. */
export function isDayNumber(text: string): boolean {
  const day = (['YYYYMMDD', 'EPOCH', 'EPOCH_MS', 'CYYMMDD'] as const)
    .map((format) => readDate(text, format))
    .find((one) => one !== undefined);
  return day !== undefined && day >= '1995' && day < '2050';
}

/** Formats of days as numbers that other numbers of as many digits have too. */
const cutDates: readonly DateFormat[] = ['CYYMMDD', 'YYMMDD', 'YYYYDDD', 'CYYDDD', 'YYDDD'];

export function isCutDate(format: DateFormat): boolean {
  return cutDates.includes(format);
}
