import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { elementText, someText } from '../language/element.ts';
import { normalizeSpace, single, startOf, textOf } from '../language/xpath.ts';
import { DynamicError, perDocument } from '../rule.ts';
import type { Scope } from '../scope.ts';

/** The country whose national rules apply. Different countries' rules determine it differently. */

/**
 * The seller's country by VAT identifier, else by that of the tax representative, else by address;
 * `XX` when there is none of these.
 */
export const supplierCountry = perDocument(
  ({ root }) =>
    vatCountry(root, 'seller') ??
    vatCountry(root, 'tax_representative') ??
    byAddress(root, 'seller'),
);

/** As `supplierCountry`, without the tax representative. */
export const accountingSupplierCountry = perDocument(
  ({ root }) => vatCountry(root, 'seller') ?? byAddress(root, 'seller'),
);

/** The buyer's country by VAT identifier, else by address. */
export const customerCountry = perDocument(
  ({ root }) => vatCountry(root, 'buyer') ?? byAddress(root, 'buyer'),
);

function vatCountry(root: Node, party: string): string | undefined {
  const prefixes = vatRegistrations(root, `${party}.tax_registrations`).map((registration) =>
    startOf(textOf(registration, 'id'), 2),
  );
  if (prefixes.length > 1)
    throw new DynamicError('More than one VAT identifier tells the country.');
  const [prefix] = prefixes;
  return prefix === undefined || prefix === '' ? undefined : normalizeSpace(prefix).toUpperCase();
}

/** Registrations whose scheme is exactly `VAT`. */
export function vatRegistrations(node: Node, path: string): readonly Node[] {
  return nodes(node, path).filter((registration) =>
    someText(registration, 'cac:TaxScheme/cbc:ID', 'VAT'),
  );
}

/** Identifiers of a party's registrations for a tax scheme, ignoring white space around it. */
export function registrationIds(party: Node, scheme: string): readonly string[] {
  return nodes(party, 'tax_registrations')
    .filter((each) => normalizeSpace(elementText(each, 'cac:TaxScheme/cbc:ID')) === scheme)
    .flatMap((each) => values(each, 'id'));
}

function byAddress(root: Node, party: string): string {
  const country = single(values(root, `${party}.address.country`));
  return country === undefined ? 'XX' : normalizeSpace(country).toUpperCase();
}

type AddressedParty = 'seller' | 'buyer' | 'tax_representative';

/** Whether the party's address names the country, in any case. */
export function isAt(scope: Scope, party: AddressedParty, country: string): boolean {
  return countryNamed[party](scope) === country;
}

/** Whether the party's address has exactly this country code. */
export function isExactlyAt(scope: Scope, party: AddressedParty, country: string): boolean {
  return countryWritten[party](scope) === country;
}

const countryWritten = {
  seller: countryOf('seller'),
  buyer: countryOf('buyer'),
  tax_representative: countryOf('tax_representative'),
};

const countryNamed = {
  seller: inCapitals(countryWritten.seller),
  buyer: inCapitals(countryWritten.buyer),
  tax_representative: inCapitals(countryWritten.tax_representative),
};

/** The country of a party, computed once: the rules of all countries use it for every line. */
function countryOf(party: AddressedParty): (scope: Scope) => string {
  return perDocument(({ root }) => textOf(root, `${party}.address.country`));
}

function inCapitals(country: (scope: Scope) => string): (scope: Scope) => string {
  return perDocument((scope) => normalizeSpace(country(scope)).toUpperCase());
}

/** Whether seller and buyer are both in Germany. */
export function isGerman(scope: Scope): boolean {
  return isAt(scope, 'seller', 'DE') && isAt(scope, 'buyer', 'DE');
}
