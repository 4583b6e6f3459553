/**
 * The end of text that certainly means what is written, as nearly all text: at a tag, or at a
 * character that must be checked.
 */
export function literalEnd(source: string, from: number): number {
  const { length } = source;
  let at = from;
  while (at < length) {
    const code = source.charCodeAt(at);
    if (code > bracket ? code > charMax : !isLiteralBelow(code)) break;
    at++;
  }
  return at;
}

function isLiteralBelow(code: number): boolean {
  if (code < space) return code === lineFeed || code === tab;
  return code !== ampersand && code !== less && code !== bracket;
}

/** Decodes the text of an element without markup; undefined when it is not allowed. */
export function decodeText(raw: string): string | undefined {
  if (raw.includes(']]>') || forbidden.test(raw)) return undefined;
  return decodeReferences(raw);
}

/** Decodes the value of an attribute; undefined when it is not allowed. */
export function decodeAttribute(raw: string): string | undefined {
  if (isLiteral(raw)) return raw;
  if (raw.includes('<') || forbidden.test(raw)) return undefined;
  // XML 1.0, 3.3.3: a line feed and a tab remain only when written as references.
  return decodeReferences(raw.replace(/[\t\n]/g, ' '));
}

// XML 1.0 (5th ed.) 2.2: everything else is a Char if surrogates are in pairs.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
export const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/;

/** Whether a value means what is written, as nearly all do. */
function isLiteral(raw: string): boolean {
  for (let at = 0; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    if (code === ampersand || code === less || code < space || code > charMax) return false;
  }
  return true;
}

const tab = 9;
const lineFeed = 10;
const space = 32;
const ampersand = 38;
const less = 60;
/** `]`, which may begin `]]>`. */
const bracket = 93;
/** The last Char that is one code unit. */
const charMax = 0xfffd;

const predefined = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);
const reference = /^#(?:(\d{1,7})|x([\da-fA-F]{1,6}))$/;

function decodeReferences(raw: string): string | undefined {
  let at = raw.indexOf('&');
  if (at < 0) return raw;
  let decoded = '';
  let from = 0;
  for (; at >= 0; at = raw.indexOf('&', from)) {
    const end = raw.indexOf(';', at);
    if (end < 0) return undefined;
    const name = raw.slice(at + 1, end);
    const character = predefined.get(name) ?? characterOf(name);
    if (character === undefined) return undefined;
    decoded += raw.slice(from, at) + character;
    from = end + 1;
  }
  return decoded + raw.slice(from);
}

function characterOf(name: string): string | undefined {
  const [, decimal, hexadecimal] = reference.exec(name) ?? [];
  const code = decimal === undefined ? Number(`0x${hexadecimal}`) : Number(decimal);
  return isCharacter(code) ? String.fromCodePoint(code) : undefined;
}

/** Whether it is a Char (XML 1.0, 5th ed., 2.2). */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return (
    code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
  );
}
