import { bind, group, type Row, wrap } from '@drawbridge/binding/table.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import {
  type AddressTerms,
  address,
  country,
  partyIds,
  partyName,
  taxRegistrations,
} from './parts.ts';

/** The parties of a UBL Invoice or CreditNote, in element order. */
export const parties: readonly Row[] = [
  tradingParty('accounting_supplier', 'cac:AccountingSupplierParty', {
    group: 'IBG-04',
    endpoint: ['IBT-034', 'IBT-034-1'],
    industry: ['BTMY-006', 'X-seller-activity'],
    identifiers: ['X-seller-id', 'IBT-029', 'IBT-029-1'],
    tradingName: 'IBT-028',
    address: {
      group: 'IBG-05',
      line1: 'IBT-035',
      line2: 'IBT-036',
      line3: 'IBT-162',
      city: 'IBT-037',
      postCode: 'IBT-038',
      subdivision: 'IBT-039',
      subdivisionCode: 'X-seller-state',
      country: 'IBT-040',
    },
    taxRegistrations: ['X-seller-tax', 'X-seller-tax-id', 'IBT-031-1'],
    name: 'IBT-027',
    registration: { id: 'IBT-030', scheme: 'IBT-030-1', type: 'BTAE-15', authority: 'BTAE-12' },
    legalForm: 'IBT-033',
    legalCountry: 'X-seller-legal-country',
    contact: { group: 'IBG-06', name: 'IBT-041', phone: 'IBT-042', email: 'IBT-043' },
  }),
  tradingParty('accounting_customer', 'cac:AccountingCustomerParty', {
    group: 'IBG-07',
    endpoint: ['IBT-049', 'IBT-049-1'],
    industry: ['X-buyer-industry', 'X-buyer-activity'],
    identifiers: ['X-buyer-id', 'IBT-046', 'IBT-046-1'],
    tradingName: 'IBT-045',
    address: {
      group: 'IBG-08',
      line1: 'IBT-050',
      line2: 'IBT-051',
      line3: 'IBT-163',
      city: 'IBT-052',
      postCode: 'IBT-053',
      subdivision: 'IBT-054',
      subdivisionCode: 'X-buyer-state',
      country: 'IBT-055',
    },
    taxRegistrations: ['X-buyer-tax', 'IBT-048', 'IBT-048-1'],
    name: 'IBT-044',
    registration: { id: 'IBT-047', scheme: 'IBT-047-1', type: 'BTAE-16', authority: 'BTAE-11' },
    legalForm: 'X-buyer-legal-form',
    legalCountry: 'X-buyer-legal-country',
    contact: { group: 'IBG-09', name: 'IBT-056', phone: 'IBT-057', email: 'IBT-058' },
  }),
  group('IBG-10', '0..1', 'cac:PayeeParty', [
    partyIds('X-payee-id', 'IBT-060', 'IBT-060-1'),
    partyName('IBT-059'),
    wrap('legal_entity', '0..n', 'cac:PartyLegalEntity', [
      bind('IBT-061', '0..1', 'cbc:CompanyID', { attributes: { schemeID: 'IBT-061-1' } }),
    ]),
  ]),
  onBehalf('buyer_customer', 'cac:BuyerCustomerParty', 'BTAE-01'),
  onBehalf('seller_supplier', 'cac:SellerSupplierParty', 'BTAE-14'),
  group('IBG-11', '0..1', 'cac:TaxRepresentativeParty', [
    partyIds('X-representative-id', 'X-representative-id-id', 'X-representative-id-scheme'),
    partyName('IBT-062'),
    address('cac:PostalAddress', {
      group: 'IBG-12',
      line1: 'IBT-064',
      line2: 'IBT-065',
      line3: 'IBT-164',
      city: 'IBT-066',
      postCode: 'IBT-067',
      subdivision: 'IBT-068',
      subdivisionCode: 'X-representative-state',
      country: 'IBT-069',
    }),
    taxRegistrations('X-representative-tax', 'IBT-063', 'X-representative-tax-scheme'),
  ]),
];

function onBehalf(name: string, element: string, id: 'BTAE-01' | 'BTAE-14'): Row {
  return wrap(name, '0..1', element, [
    wrap(`${name}_party`, '0..1', 'cac:Party', [
      wrap(`${name}_identification`, '0..n', 'cac:PartyIdentification', [
        bind(id, '1..1', 'cbc:ID'),
      ]),
    ]),
  ]);
}

interface TradingPartyTerms {
  readonly group: Term;
  readonly endpoint: readonly [id: Term, scheme: Term];
  readonly industry: readonly [code: Term, name: Term];
  readonly identifiers: readonly [group: Term, id: Term, scheme: Term];
  readonly tradingName: Term;
  readonly address: AddressTerms;
  readonly taxRegistrations: readonly [group: Term, id: Term, scheme: Term];
  readonly name: Term;
  readonly registration: Readonly<Record<'id' | 'scheme' | 'type' | 'authority', Term>>;
  readonly legalForm: Term;
  readonly legalCountry: Term;
  readonly contact: Readonly<Record<'group' | 'name' | 'phone' | 'email', Term>>;
}

function tradingParty(name: string, element: string, terms: TradingPartyTerms): Row {
  const { registration, contact } = terms;
  const [endpoint, endpointScheme] = terms.endpoint;
  const [industry, industryName] = terms.industry;
  return wrap(name, '1..1', element, [
    group(terms.group, '0..1', 'cac:Party', [
      bind(endpoint, '0..1', 'cbc:EndpointID', { attributes: { schemeID: endpointScheme } }),
      bind(industry, '0..1', 'cbc:IndustryClassificationCode', {
        attributes: { name: industryName },
      }),
      partyIds(...terms.identifiers),
      partyName(terms.tradingName),
      address('cac:PostalAddress', terms.address),
      taxRegistrations(...terms.taxRegistrations),
      wrap('legal_entity', '0..n', 'cac:PartyLegalEntity', [
        bind(terms.name, '0..1', 'cbc:RegistrationName'),
        bind(registration.id, '0..1', 'cbc:CompanyID', {
          attributes: {
            schemeID: registration.scheme,
            schemeAgencyID: registration.type,
            schemeAgencyName: registration.authority,
          },
        }),
        bind(terms.legalForm, '0..1', 'cbc:CompanyLegalForm'),
        wrap('registration_address', '0..1', 'cac:RegistrationAddress', [
          country('registration_country', 'cac:Country', terms.legalCountry),
        ]),
      ]),
      group(contact.group, '0..1', 'cac:Contact', [
        bind(contact.name, '0..1', 'cbc:Name'),
        bind(contact.phone, '0..1', 'cbc:Telephone'),
        bind(contact.email, '0..1', 'cbc:ElectronicMail'),
      ]),
    ]),
  ]);
}
