/** A text of a stranger as it can be stored and shown: printable, well-formed, and not too long. */
export function printable(text: string, lengthMax: number): string {
  const shown = text.slice(0, lengthMax).replace(/\p{Cc}/gu, ' ');
  return shown.toWellFormed().trim();
}

/** Whether it is all of that as it is. */
export function isPrintable(text: string, lengthMax: number): boolean {
  return text !== '' && printable(text, lengthMax) === text;
}
