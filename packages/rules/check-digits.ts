import { isInteger, toNumber } from './language/xpath.ts';
import { DynamicError } from './rule.ts';

/**
 * Check digits of registered numbers, as the published rules compute them. Each function takes text
 * without white space around it.
 */

/** A GS1 location number: weights 3 and 1 from the right, modulo 10. */
export function isGln(text: string): boolean {
  if (!/^[0-9]+$/.test(text)) return false;
  const sum = weightedFromRight(text.slice(0, -1), (index) => (index % 2 === 0 ? 3 : 1));
  return (10 - (sum % 10)) % 10 === Number(text.at(-1));
}

/** A Norwegian organisation number: nine digits, weights 2 to 7 from the right, modulo 11. */
export function isNorwegianNumber(text: string): boolean {
  if (!/^[0-9]{9}$/.test(text) || Number(text) === 0) return false;
  const sum = weightedFromRight(text.slice(0, -1), (index) => (index % 6) + 2);
  return (11 - (sum % 11)) % 11 === Number(text.at(-1));
}

/**
 * A Swedish organisation number: ten characters that are a number; the check digit is not checked.
 */
export function isSwedishNumber(text: string): boolean {
  return text.length === 10 && !Number.isNaN(toNumber(text));
}

/** A Danish CVR number as an address: `DK` and eight digits. */
export function isDanishNumber(text: string): boolean {
  return /^DK[0-9]{8}$/.test(text);
}

/** A Belgian enterprise number: ten digits, the last two are 97 less the rest modulo 97. */
export function isBelgianNumber(text: string): boolean {
  if (!/^[0-9]{10}$/.test(text)) return false;
  return Number(text.slice(8)) === 97 - (Number(text.slice(0, 8)) % 97);
}

/** An Italian office code (IPA): six letters or digits. */
export function isIpaCode(text: string): boolean {
  return /^[A-Za-z0-9]{6}$/.test(text);
}

/** An Italian tax code: the sixteen characters of a person, or the eleven digits of a company. */
export function isCodiceFiscale(text: string): boolean {
  const characters = [...text];
  if (characters.length === 11) return isInteger(text);
  if (characters.length !== 16) return false;
  const part = (from: number, to: number): string => characters.slice(from, to).join('');
  const letters = [part(0, 6), part(8, 9), part(15, 16)];
  const integers = [part(6, 8), part(9, 11), part(14, 15)];
  return letters.every((each) => /^[A-Za-z]+$/.test(each)) && integers.every(isInteger);
}

/**
 * An Italian VAT number: `IT` and eleven digits with a check digit; other countries' numbers pass.
 */
export function isPartitaIva(text: string): boolean {
  if (!/^(IT|it)/.test(text)) return true;
  const code = text.slice(2);
  return [...code].length === 11 && isInteger(code) && luhnSum(code) % 10 === 0;
}

function luhnSum(digits: string): number {
  let sum = 0;
  for (const [index, digit] of [...digits].entries()) {
    if (!isInteger(digit)) throw new DynamicError(`"${digit}" is not a digit.`);
    sum += index % 2 === 0 ? Number(digit) : Number('0246813579'[Number(digit)]);
  }
  return sum;
}

const abnWeights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19] as const;

/** An Australian Business Number: eleven digits, the first less one, weighted, modulo 89. */
export function isAbn(text: string): boolean {
  if (!/^[0-9]{11}$/.test(text)) return false;
  const sum = abnWeights.reduce((total, weight, index) => total + weight * Number(text[index]), 0);
  return (sum - abnWeights[0]) % 89 === 0;
}

/**
 * A Swedish organisation number with its check digit (Luhn); digits after the tenth are ignored.
 */
export function isSwedishWithCheckDigit(text: string): boolean {
  if (!/^[0-9]+$/.test(text)) return false;
  const digits = [...text.slice(0, 9)].reverse().map(Number);
  const doubled = digits.map((digit, index) => (index % 2 === 0 ? digit * 2 : digit));
  const sum = doubled.reduce((total, each) => total + (each % 10) + Math.floor(each / 10), 0);
  return (10 - (sum % 10)) % 10 === toNumber(text[9]);
}

/**
 * A Greek tax number (AFM): weights 256 to 2, modulo 11, modulo 10; the ninth digit is the check
 * digit.
 */
export function isGreekNumber(text: string): boolean {
  const digits = [...text].map((digit) => toNumber(digit));
  const sum = digits
    .slice(0, 8)
    .reduce((total, digit, index) => total + digit * 2 ** (8 - index), 0);
  return digits.length >= 9 && (sum % 11) % 10 === digits[8];
}

function weightedFromRight(digits: string, weight: (index: number) => number): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    sum += Number(digits[digits.length - 1 - index]) * weight(index);
  }
  return sum;
}
