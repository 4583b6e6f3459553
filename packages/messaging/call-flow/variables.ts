const placeholder = /\{\{\s*([a-z][a-z0-9_]{0,39})\s*\}\}/g;
/** Characters that neither XML nor a voice can carry. */
const unspeakable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Names of the variables in a text, each once. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(placeholder)].map((match) => match[1]!))];
}

/**
 * The text with the value of each variable that has one. Values are inserted as they are: braces in
 * them mean nothing. A variable without a value stays as written.
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return replace(text, values, (value) => value);
}

/** As `fill`, for an address: a value cannot leave its part of the address. */
export function fillUrl(url: string, values: Readonly<Record<string, string>>): string {
  return replace(url, values, inPart);
}

/** `.` and `..` change the path however they are encoded. */
function inPart(value: string): string {
  return /^\.{1,2}$/.test(value) ? value.replaceAll('.', '_') : encodeURIComponent(value);
}

function replace(
  text: string,
  values: Readonly<Record<string, string>>,
  encode: (value: string) => string,
): string {
  return text.replace(placeholder, (written, name: string) =>
    Object.hasOwn(values, name) ? encode(speakable(values[name]!)) : written,
  );
}

function speakable(value: string): string {
  return value.toWellFormed().replace(unspeakable, ' ');
}
