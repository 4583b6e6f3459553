/**
 * Whether the text is an IBAN with valid check digits (ISO 13616), ignoring white space. Lower case
 * is accepted.
 */
export function isIban(text: string): boolean {
  const iban = text.replace(/\s/g, '');
  if (!/^[A-Z]{2}[0-9]{2}[a-zA-Z0-9]{0,30}$/.test(iban)) return false;
  const digits = [...`${iban.slice(4)}${iban.slice(0, 4)}`].map((character) => {
    const code = character.codePointAt(0)!;
    return code > 64 ? code - 55 : code - 48;
  });
  return BigInt(digits.join('')) % 97n === 1n;
}
