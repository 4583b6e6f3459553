import { bind, type Cardinality, group, type Row, wrap } from '@drawbridge/binding/table.ts';
import type { Term } from '@drawbridge/cim/terms.ts';

/**
 * Parts that UBL uses in several places: callers give the terms, the parts the elements.
 */

/** The terms of one address. */
export interface AddressTerms {
  readonly group: Term;
  readonly line1: Term;
  readonly line2: Term;
  readonly line3: Term;
  readonly city: Term;
  readonly postCode: Term;
  readonly subdivision: Term;
  readonly subdivisionCode: Term;
  readonly country: Term;
}

/** A postal address. */
export function address(element: string, terms: AddressTerms): Row {
  return group(terms.group, '0..1', element, [
    bind(terms.line1, '0..1', 'cbc:StreetName'),
    bind(terms.line2, '0..1', 'cbc:AdditionalStreetName'),
    bind(terms.city, '0..1', 'cbc:CityName'),
    bind(terms.postCode, '0..1', 'cbc:PostalZone'),
    bind(terms.subdivision, '0..1', 'cbc:CountrySubentity'),
    bind(terms.subdivisionCode, '0..1', 'cbc:CountrySubentityCode'),
    wrap('address_line', '0..n', 'cac:AddressLine', [bind(terms.line3, '1..1', 'cbc:Line')]),
    country('country_entity', 'cac:Country', terms.country),
  ]);
}

/** An element that holds a country's code. */
export function country(name: string, element: string, code: Term): Row {
  return wrap(name, '0..1', element, [bind(code, '0..1', 'cbc:IdentificationCode')]);
}

/** Identifiers of a party, each with its scheme. */
export function partyIds(groupTerm: Term, id: Term, scheme: Term): Row {
  return group(groupTerm, '0..n', 'cac:PartyIdentification', [
    bind(id, '1..1', 'cbc:ID', { attributes: { schemeID: scheme } }),
  ]);
}

/** The trading name of a party. */
export function partyName(name: Term): Row {
  return wrap('party_name', '0..n', 'cac:PartyName', [bind(name, '1..1', 'cbc:Name')]);
}

/** Tax identifiers of a party, distinguished by their tax scheme. */
export function taxRegistrations(groupTerm: Term, id: Term, scheme: Term): Row {
  return group(groupTerm, '0..n', 'cac:PartyTaxScheme', [
    bind(id, '0..1', 'cbc:CompanyID'),
    taxScheme(scheme),
  ]);
}

/** The tax scheme; by default VAT. */
function taxScheme(scheme: Term): Row {
  return wrap('tax_scheme', '1..1', 'cac:TaxScheme', [
    bind(scheme, '0..1', 'cbc:ID', { fixed: 'VAT' }),
  ]);
}

/** The terms of one tax category. */
export interface TaxCategoryTerms {
  readonly category: Term;
  readonly rate: Term;
  readonly exemptionCode: Term;
  readonly exemption: Term;
  readonly scheme: Term;
}

/** The rows of a tax category, with the tax per unit where a term for it is given. */
export function taxCategory(terms: TaxCategoryTerms, perUnit?: Term): Row[] {
  return [
    bind(terms.category, '0..1', 'cbc:ID'),
    bind(terms.rate, '0..1', 'cbc:Percent'),
    ...(perUnit === undefined ? [] : [bind(perUnit, '0..1', 'cbc:PerUnitAmount')]),
    bind(terms.exemptionCode, '0..1', 'cbc:TaxExemptionReasonCode'),
    bind(terms.exemption, '0..n', 'cbc:TaxExemptionReason'),
    taxScheme(terms.scheme),
  ];
}

/** The terms of one repeated allowance or charge. */
export interface AllowanceChargeTerms {
  readonly group: Term;
  readonly isCharge: Term;
  readonly reasonCode: Term;
  readonly reason: Term;
  readonly percent: Term;
  readonly amount: Term;
  readonly base: Term;
  readonly tax: Term;
  readonly category: TaxCategoryTerms;
}

/** Allowances and charges, distinguished by their indicator. */
export function allowanceCharge(terms: AllowanceChargeTerms): Row {
  return group(terms.group, '0..n', 'cac:AllowanceCharge', [
    bind(terms.isCharge, '1..1', 'cbc:ChargeIndicator'),
    bind(terms.reasonCode, '0..1', 'cbc:AllowanceChargeReasonCode'),
    bind(terms.reason, '0..n', 'cbc:AllowanceChargeReason'),
    bind(terms.percent, '0..1', 'cbc:MultiplierFactorNumeric'),
    bind(terms.amount, '1..1', 'cbc:Amount'),
    bind(terms.base, '0..1', 'cbc:BaseAmount'),
    group(terms.tax, '0..n', 'cac:TaxCategory', taxCategory(terms.category)),
  ]);
}

/** A document reference of which only the number is bound. */
export function reference(
  name: string,
  card: Cardinality,
  element: string,
  id: Term,
  more: readonly Row[] = [],
): Row {
  return wrap(name, card, element, [bind(id, '1..1', 'cbc:ID'), ...more]);
}
