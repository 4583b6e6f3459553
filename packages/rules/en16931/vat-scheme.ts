import { type Element, elementPath, elementText, onlyElement, reach } from '../element.ts';
import { holds } from '../statement.ts';
import { normalizeSpace, toBoolean } from '../xpath.ts';

const at = {
  schemes: elementPath('cac:TaxScheme'),
  id: elementPath('cbc:ID'),
  isCharge: elementPath('cbc:ChargeIndicator'),
};

/**
 * Whether a category or registration belongs to VAT, however the scheme is spelled in case and
 * white space.
 */
export function isVat(element: Element): boolean {
  return reach(element, at.schemes).some(isVatScheme);
}

function isVatScheme(scheme: Element): boolean {
  const id = elementText(scheme, at.id);
  return id === 'VAT' || normalizeSpace(id.toUpperCase()) === 'VAT';
}

/** As `isVat`, where the published expression cannot take several schemes. */
export function isVatAlone(element: Element): boolean {
  return onlyElement(element, at.schemes) !== undefined && isVat(element);
}

/** As `isAllowance` and `isCharge`, for the rules that only ask this. */
export const saysAllowance = holds('cbc:ChargeIndicator', false);
export const saysCharge = holds('cbc:ChargeIndicator', true);

/**
 * Whether an allowance or charge is said to be an allowance; what is neither true nor false is an
 * error.
 */
export function isAllowance(node: Element): boolean {
  return reach(node, at.isCharge).some(saysFalse);
}

/**
 * Whether an allowance or charge is said to be a charge; what is neither true nor false is an
 * error.
 */
export function isCharge(node: Element): boolean {
  return reach(node, at.isCharge).some(saysTrue);
}

function saysTrue({ text }: Element): boolean {
  return toBoolean(text);
}

function saysFalse({ text }: Element): boolean {
  return !toBoolean(text);
}
