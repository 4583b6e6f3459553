/** Formats that every workbook has for days and times. */
const dateFormats: readonly (readonly [from: number, to: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** Whether numbers in this format are days or times. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return dateFormats.some(([from, to]) => id >= from && id <= to);
  // Neither what is quoted or escaped, nor colours and locales.
  const letters = code.slice(0, 500).replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, '');
  return /[ymdhs]/i.test(letters) && !/general/i.test(letters);
}

const dayMs = 86_400_000;
const from1900 = Date.UTC(1899, 11, 30);
const from1904 = Date.UTC(1904, 0, 1);
/** The last day that a workbook can hold: 9999-12-31. */
const serialMax = 2_958_466;

/** A day count of a workbook as `YYYY-MM-DD`, or with a time as `YYYY-MM-DDThh:mm:ss`. */
export function dateOf(serial: string, startsIn1904: boolean): string {
  const days = Number(serial);
  if (!(days >= 0 && days < serialMax)) return serial;
  // Workbooks count a 29th of February 1900, which was none.
  const corrected = !startsIn1904 && days < 60 ? days + 1 : days;
  const ms = (startsIn1904 ? from1904 : from1900) + Math.round(corrected * 86_400) * 1_000;
  const text = new Date(ms).toISOString();
  return ms % dayMs === 0 ? text.slice(0, 10) : text.slice(0, 19);
}
