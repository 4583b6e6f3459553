import { type Element, elementPath, elementText, onlyElement, reach } from '../language/element.ts';
import { holds } from '../language/statement.ts';
import { normalizeSpace, toBoolean } from '../language/xpath.ts';

const at = {
  schemes: elementPath('cac:TaxScheme'),
  id: elementPath('cbc:ID'),
  isCharge: elementPath('cbc:ChargeIndicator'),
};

/**
 * Whether a category or registration is for VAT; case and white space of the scheme do not matter.
 */
export function isVat(element: Element): boolean {
  return reach(element, at.schemes).some(isVatScheme);
}

function isVatScheme(scheme: Element): boolean {
  const id = elementText(scheme, at.id);
  return id === 'VAT' || normalizeSpace(id.toUpperCase()) === 'VAT';
}

/** As `isVat`, but several schemes are an error, as in the published expression. */
export function isVatAlone(element: Element): boolean {
  return onlyElement(element, at.schemes) !== undefined && isVat(element);
}

/** As `isAllowance` and `isCharge`, as statements. */
export const saysAllowance = holds('cbc:ChargeIndicator', false);
/** As `isCharge`, as a statement. */
export const saysCharge = holds('cbc:ChargeIndicator', true);

/**
 * Whether an allowance or charge is marked as an allowance; an indicator that is not a boolean is
 * an error.
 */
export function isAllowance(node: Element): boolean {
  return reach(node, at.isCharge).some(saysFalse);
}

/**
 * Whether an allowance or charge is marked as a charge; an indicator that is not a boolean is an
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
