/** Keeps secrets out of what is logged and handed on: those that are known, and what looks like one. */

export type Redact = (text: string) => string;

const mask = '***';
/** Shorter secrets would stand in every second word; no generator makes such. */
const secretLengthMin = 4;

/**
 * Redacts these secrets as they stand, and as JSON, URLs, forms and base64 write them; besides, passwords in
 * addresses and values under names such as `password` and `token`, of whomever they are.
 */
export function createRedaction(secrets: readonly string[]): Redact {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= secretLengthMin);
  const written = [...new Set(known.flatMap(writtenForms))].sort(
    (one, other) => other.length - one.length,
  );
  return (text) => withoutPatterns(without(text, written));
}

function writtenForms(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [
    secret,
    inJson(secret),
    inJson(inJson(secret)),
    encodedAs(secret, encodeURIComponent),
    encodedAs(secret, encodeURI),
    new URLSearchParams([['', secret]]).toString().slice(1),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ].filter((form) => form.length >= secretLengthMin);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The text itself where it is no Unicode that can be encoded. */
function encodedAs(text: string, encode: (text: string) => string): string {
  try {
    return encode(text);
  } catch {
    return text;
  }
}

/** Again until nothing is found: what stands around a mask may make a secret anew. */
function without(text: string, forms: readonly string[]): string {
  let redacted = text;
  for (let round = 0; round < roundsMax; round += 1) {
    const before = redacted;
    for (const form of forms) redacted = redacted.replaceAll(form, mask);
    if (redacted === before) return redacted;
  }
  return forms.some((form) => redacted.includes(form)) ? mask : redacted;
}

const roundsMax = 5;

const names =
  'pass(?:word|wd|phrase)?|pwd|secret|token|api[-_]?key|authorization|credential|cookie';
const patterns: readonly (readonly [RegExp, string])[] = [
  // A password may hold an @ that nobody encoded: all up to the last one before the path belongs to it.
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"'<>/?#]*@/gi, `$1${mask}@`],
  [/\b(Bearer|Basic|Digest)\s+[^\s"',;]+/gi, `$1 ${mask}`],
  [
    new RegExp(`("[^"]{0,40}(?:${names})[^"]{0,40}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'gi'),
    `$1"${mask}"`,
  ],
  [
    new RegExp(
      `(\\b[\\w-]{0,40}(?:${names})[\\w-]{0,40}\\s*[=:]\\s*)[^\\s"'&,;*][^\\s"'&,;]*`,
      'gi',
    ),
    `$1${mask}`,
  ],
  [/-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?(?:-----END \1-----|$)/g, mask],
  [/\b(?:enrol|sk|jc)_[A-Za-z0-9_]{16,}/g, mask],
];

function withoutPatterns(text: string): string {
  return patterns.reduce((redacted, [pattern, by]) => redacted.replace(pattern, by), text);
}
