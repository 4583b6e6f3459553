import { nodes, value, values } from '@drawbridge/cim/node.ts';
import { reach } from '@drawbridge/rules/language/element.ts';
import { anywhere, counted, rule, some } from '@drawbridge/rules/language/rule-kinds.ts';
import {
  all,
  either,
  exists,
  given,
  not,
  occurs,
  reads,
  says,
} from '@drawbridge/rules/language/statement.ts';
import { normalizeSpace, single } from '@drawbridge/rules/language/xpath.ts';
import { isOfScheme, schemesOf } from '@drawbridge/rules/pint/tax-categories.ts';
import { type Context, perDocument, type Rule } from '@drawbridge/rules/rule.ts';
import { ofType } from './transaction-type.ts';

/** Trade licence, Emirates ID, passport, cabinet decision. */
const registrationTypes = ['TL', 'EID', 'PAS', 'CD'];
const emirates = ['AUH', 'DXB', 'SHJ', 'UAQ', 'FUJ', 'AJM', 'RAK'];

const isInEmirates = says('endpoint_scheme', '0235');

const hasPassportCountry = given(says('registration_type', 'PAS'), (party, { lists }) => {
  const country = single(values(party, 'registration_authority'));
  return country !== undefined && lists['passport-countries']!.has(country);
});

const hasLicenceAuthority = given(
  says('registration_type', 'TL'),
  exists('registration_authority'),
);

const hasTypedRegistration = given(
  all(isInEmirates, exists('registration_id')),
  exists('registration_type'),
);

/** A tax identification number, or one of the predefined addresses, which begin with 9. */
const isTinOrPredefined = reads('endpoint', (text) => /^[19]/.test(normalizeSpace(text)));

const isFullAddress = all(exists('line1'), exists('city'), exists('subdivision'));

const buyerRules: readonly Rule[] = [
  rule(
    'ibr-010-ae',
    ['BTAE-11', 'BTAE-16'],
    'A buyer known by a passport needs the country that issued it.',
    hasPassportCountry,
  ),
  rule(
    'ibr-101-ae',
    ['BTAE-11', 'BTAE-16'],
    'A buyer known by a trade licence needs the authority that issued it.',
    hasLicenceAuthority,
  ),
  rule(
    'ibr-149-ae',
    ['IBT-048', 'IBT-049'],
    'A buyer in scheme 0235 with neither a TIN nor a predefined address needs a TRN.',
    either(
      (buyer) => values(buyer, 'endpoint_scheme').some((scheme) => scheme !== '0235'),
      isTinOrPredefined,
      exists('tax_registrations.id'),
    ),
  ),
  counted(
    'ibr-179-ae',
    'tax_registrations.id',
    1,
    ['IBT-048'],
    'The buyer has more than one tax registration number.',
  ),
  rule(
    'ibr-135-ae',
    ['IBT-046', 'IBT-048'],
    'A buyer in scheme 0235 without a TIN needs an identifier or a TRN, except for exports.',
    either(
      ofType('exports', '../../cbc:ProfileExecutionID'),
      not(isInEmirates),
      reads('endpoint', (text) => /^1\p{Nd}{9}$/u.test(text)),
      exists('identifiers.id'),
      exists('tax_registrations.id'),
    ),
  ),
  rule(
    'ibr-180-ae',
    ['BTAE-16', 'IBT-047'],
    'The legal registration of a buyer in scheme 0235 needs its type.',
    hasTypedRegistration,
  ),
  rule(
    'ibr-183-ae',
    ['BTAE-16', 'IBT-047'],
    'The legal registration of this buyer is of type TL, EID, PAS or CD.',
    either(
      not(all(exists('registration_id'), isInEmirates)),
      isTinOrPredefined,
      // CL is accepted for the buyer only, and is in no published list.
      says('registration_type', ...registrationTypes, 'CL'),
    ),
  ),
];

const sellerRules: readonly Rule[] = [
  rule(
    'ibr-012-ae',
    ['BTAE-12', 'BTAE-15'],
    'A seller known by a passport needs the country that issued it.',
    hasPassportCountry,
  ),
  rule(
    'ibr-172-ae',
    ['BTAE-12', 'BTAE-15'],
    'A seller known by a trade licence needs the authority that issued it.',
    hasLicenceAuthority,
  ),
  rule(
    'ibr-177-ae',
    ['X-seller-tax-id', 'BTAE-02'],
    'Where a disclosed agent bills, the seller needs a tax registration or identification number.',
    either(
      (_, { root }) => !/^[01]{5}1[01]{2}$/.test(value(root, 'transaction_type') ?? ''),
      exists('tax_registrations.id'),
    ),
  ),
  rule(
    'ibr-178-ae',
    ['IBT-031-1', 'X-seller-tax'],
    'Of two tax registrations of the seller exactly one is of scheme VAT.',
    either(occurs('tax_registrations', 0, 1), (seller) => {
      const registrations = nodes(seller, 'tax_registrations');
      const vat = registrations.filter((each) => some(each, 'scheme', 'VAT'));
      return registrations.length === 2 && vat.length === 1;
    }),
  ),
  rule(
    'ibr-150-ae',
    ['IBT-030', 'IBT-034-1'],
    'A seller in scheme 0235 needs a legal registration identifier.',
    given(isInEmirates, exists('registration_id')),
  ),
  rule(
    'ibr-173-ae',
    ['BTAE-15', 'IBT-030'],
    'The legal registration of a seller in the Emirates is of type TL, EID, PAS or CD.',
    given(
      all(exists('registration_id'), isInEmirates, says('address.country', 'AE')),
      says('registration_type', ...registrationTypes),
    ),
  ),
  rule(
    'ibr-181-ae',
    ['BTAE-15', 'IBT-030'],
    'The legal registration of a seller in scheme 0235 needs its type.',
    hasTypedRegistration,
  ),
];

/** Buyer, seller, their addresses, and the terms of delivery. */
export const partyContexts: readonly Context[] = [
  { each: anywhere('cac:AccountingCustomerParty/cac:Party'), rules: buyerRules },
  {
    each: anywhere('cac:DeliveryTerms'),
    rules: [
      rule(
        'ibr-196-ae',
        ['BTAE-22', 'X-delivery-terms'],
        'Delivery terms need their Incoterms code.',
        exists('cbc:ID'),
      ),
    ],
  },
  {
    each: anywhere('cac:AccountingCustomerParty/cac:Party/cac:PostalAddress'),
    rules: [
      rule(
        'ibr-144-ae',
        ['IBG-08', 'IBT-050', 'IBT-052', 'IBT-054'],
        "The buyer's address needs a first line, a city and a subdivision (the emirate).",
        isFullAddress,
      ),
    ],
  },
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party/cac:PostalAddress'),
    rules: [
      rule(
        'ibr-143-ae',
        ['IBG-05', 'IBT-035', 'IBT-037', 'IBT-039'],
        "The seller's address needs a first line, a city and a subdivision (the emirate).",
        isFullAddress,
      ),
    ],
  },
  { each: anywhere('cac:AccountingSupplierParty/cac:Party'), rules: sellerRules },
];

/** Addresses of other parties: those of buyer and seller match their own context first. */
export const otherAddressContexts: readonly Context[] = [
  {
    each: anywhere('cac:PostalAddress'),
    rules: [
      rule(
        'ibr-128-ae',
        ['IBT-068', 'IBG-12'],
        'In the Emirates the subdivision is one of AUH, DXB, SHJ, UAQ, FUJ, AJM, RAK.',
        given(says('country', 'AE'), says('subdivision', ...emirates)),
      ),
    ],
  },
];

/** Tax numbers and tax schemes. */
export const taxNumberContexts: readonly Context[] = [
  {
    each: anywhere('cac:Party/cac:PartyTaxScheme/cbc:CompanyID'),
    match: (number) =>
      isOfScheme(number.parent!, 'VAT') &&
      reach(number.parent!.parent!, 'cac:PostalAddress/cac:Country/cbc:IdentificationCode').some(
        (country) => country.text === 'AE',
      ),
    rules: [
      rule(
        'ibr-132-ae',
        ['X-seller-tax-id', 'IBT-048', 'IBT-063'],
        'A tax registration number has 15 digits, begins with 1 and ends with 03.',
        (number) => /^1[0-9]{12}03$/.test(number.text),
      ),
    ],
  },
  {
    each: anywhere('cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID'),
    match: (number) => schemesOf(number.parent!).some((scheme) => scheme !== 'VAT'),
    rules: [
      rule(
        'ibr-148-ae',
        ['X-seller-tax-id'],
        "The seller's tax identification number has 10 digits and begins with 1.",
        (number) => /^1[0-9]{9}$/.test(number.text),
      ),
    ],
  },
  {
    each: anywhere('cac:TaxScheme/cbc:ID'),
    rules: [
      rule(
        'ibr-133-ae',
        ['IBT-031-1', 'IBT-048-1', 'IBT-095-1', 'IBT-118-1'],
        'The tax scheme is VAT, unless the seller gives a tax identification number.',
        (scheme, scope) => scheme.text === 'VAT' || hasTin(scope),
      ),
    ],
  },
];

const hasTin = perDocument(({ everywhere }) =>
  everywhere('cac:AccountingSupplierParty')
    .flatMap((seller) => reach(seller, 'cac:Party/cac:PartyTaxScheme/cbc:CompanyID'))
    .some(({ text }) => /^1[0-9]{9}$/.test(normalizeSpace(text))),
);
