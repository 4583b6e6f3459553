/** Cells of CSV files that people download (RFC 4180): `${csvCell(name)},${quotedCsvCell(text)}\r\n`. */

/** The text as a cell, in quotes when it needs them. */
export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? quotedCsvCell(text) : withoutFormula(text);
}

/** The text as a cell in quotes. */
export function quotedCsvCell(text: string): string {
  return `"${withoutFormula(text).replaceAll('"', '""')}"`;
}

/**
 * A spreadsheet would run what begins like a formula, so such a cell begins with an apostrophe. Some take the wide
 * signs of East Asian keyboards for the same.
 */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}
