/** Whom to dial, or which number to show. */
export type Endpoint =
  | { readonly kind: 'number'; readonly e164: string; readonly digits: string }
  | { readonly kind: 'sip'; readonly uri: string };

/** Reads `+` and 7 to 15 digits, or a SIP address; undefined when it is neither. */
export function readEndpoint(text: string): Endpoint | undefined {
  if (/^\+[1-9]\d{6,14}$/.test(text)) return { kind: 'number', e164: text, digits: text.slice(1) };
  const isSip = /^sips?:[^\s@<>"&?]{1,128}@[A-Za-z0-9.:-]{1,128}$/.test(text);
  return isSip ? { kind: 'sip', uri: text } : undefined;
}
