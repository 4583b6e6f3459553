import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { elementText, someText } from '../element.ts';
import { DynamicError, type Scope } from '../rule.ts';
import { normalizeSpace, single, textOf } from '../xpath.ts';

/** Whose national rules hold. The rules of different countries ask for it in different ways. */

/**
 * By VAT identifier, else by that of the tax representative, else by address; `XX` when none tells.
 */
export function supplierCountry(scope: Scope): string {
  const { root } = scope;
  return scope.memo(
    'supplier-country',
    () =>
      vatCountry(root, 'seller') ??
      vatCountry(root, 'tax_representative') ??
      byAddress(root, 'seller'),
  );
}

/** As `supplierCountry`, without the tax representative. */
export function accountingSupplierCountry(scope: Scope): string {
  const { root } = scope;
  return vatCountry(root, 'seller') ?? byAddress(root, 'seller');
}

export function customerCountry(scope: Scope): string {
  const { root } = scope;
  return scope.memo(
    'customer-country',
    () => vatCountry(root, 'buyer') ?? byAddress(root, 'buyer'),
  );
}

function vatCountry(root: Node, party: string): string | undefined {
  const prefixes = vatRegistrations(root, `${party}.tax_registrations`).map((registration) =>
    [...textOf(registration, 'id')].slice(0, 2).join(''),
  );
  if (prefixes.length > 1)
    throw new DynamicError('More than one VAT identifier tells the country.');
  const [prefix] = prefixes;
  return prefix === undefined || prefix === '' ? undefined : normalizeSpace(prefix).toUpperCase();
}

/** Registrations whose scheme is VAT, written exactly so. */
export function vatRegistrations(node: Node, path: string): readonly Node[] {
  return nodes(node, path).filter((registration) =>
    someText(registration, 'cac:TaxScheme/cbc:ID', 'VAT'),
  );
}

/** Identifiers of a party's registrations for a tax scheme, white space around the scheme aside. */
export function registrationIds(party: Node, scheme: string): readonly string[] {
  return nodes(party, 'tax_registrations')
    .filter((each) => normalizeSpace(elementText(each, 'cac:TaxScheme/cbc:ID')) === scheme)
    .flatMap((each) => values(each, 'id'));
}

function byAddress(root: Node, party: string): string {
  const country = single(values(root, `${party}.address.country`));
  return country === undefined ? 'XX' : normalizeSpace(country).toUpperCase();
}

/** Whether the party's address names the country, in any case. */
export function isAt(root: Node, party: string, country: string): boolean {
  return normalizeSpace(textOf(root, `${party}.address.country`)).toUpperCase() === country;
}

/** Whether the party's address names the country exactly so. */
export function isExactlyAt(root: Node, party: string, country: string): boolean {
  return textOf(root, `${party}.address.country`) === country;
}

/** Whether seller and buyer are both in Germany. */
export function isGerman({ root }: Scope): boolean {
  return isAt(root, 'seller', 'DE') && isAt(root, 'buyer', 'DE');
}
