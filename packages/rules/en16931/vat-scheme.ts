import { childrenOf, type Element, elementText, onlyElement } from '../element.ts';
import { normalizeSpace, toBoolean } from '../xpath.ts';

/**
 * Whether a category or registration belongs to VAT, however the scheme is spelled in case and
 * white space.
 */
export function isVat(element: Element): boolean {
  return childrenOf(element, 'cac:TaxScheme').some(isVatScheme);
}

function isVatScheme(scheme: Element): boolean {
  const id = elementText(scheme, 'cbc:ID');
  return id === 'VAT' || normalizeSpace(id.toUpperCase()) === 'VAT';
}

/** As `isVat`, where the published expression cannot take several schemes. */
export function isVatAlone(element: Element): boolean {
  return onlyElement(element, 'cac:TaxScheme') !== undefined && isVat(element);
}

/**
 * Whether an allowance or charge is said to be an allowance; what is neither true nor false is an
 * error.
 */
export function isAllowance(node: Element): boolean {
  return childrenOf(node, 'cbc:ChargeIndicator').some(saysFalse);
}

/**
 * Whether an allowance or charge is said to be a charge; what is neither true nor false is an
 * error.
 */
export function isCharge(node: Element): boolean {
  return childrenOf(node, 'cbc:ChargeIndicator').some(saysTrue);
}

function saysTrue({ text }: Element): boolean {
  return toBoolean(text);
}

function saysFalse({ text }: Element): boolean {
  return !toBoolean(text);
}
