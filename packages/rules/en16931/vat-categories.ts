import type { Registrations } from './vat-facts.ts';

/** What EN 16931 requires for one VAT category; the rules of all ten are made from these rows. */
export interface VatCategory {
  readonly code: string;
  /** Ids are `BR-<prefix>-nn`. */
  readonly prefix: string;
  readonly name: string;
  /** One breakdown for the category, or one for each of its rates. */
  readonly breakdown: 'one' | 'many';
  readonly rate: 'zero' | 'positive' | 'not-negative' | 'none';
  readonly exemptionReason: 'required' | 'forbidden';
  readonly parties: (registered: Registrations) => boolean;
  readonly partiesMessage: string;
}

const taxed = {
  parties: (registered: Registrations) => registered.seller || registered.representativeVat,
  partiesMessage: 'needs a tax registration of the seller or of the tax representative',
};

const sellerVat = (registered: Registrations): boolean =>
  registered.sellerVat || registered.representativeVat;

/** The categories that EN 16931 has rules for. */
export const vatCategories: readonly VatCategory[] = [
  {
    code: 'AE',
    prefix: 'AE',
    name: 'reverse charge',
    breakdown: 'one',
    rate: 'zero',
    exemptionReason: 'required',
    parties: (registered) =>
      taxed.parties(registered) && (registered.buyerVat || registered.buyerLegal),
    partiesMessage: 'needs a tax registration of the seller and an identifier of the buyer',
  },
  {
    code: 'E',
    prefix: 'E',
    name: 'exempt',
    breakdown: 'one',
    rate: 'zero',
    exemptionReason: 'required',
    ...taxed,
  },
  {
    code: 'G',
    prefix: 'G',
    name: 'export',
    breakdown: 'one',
    rate: 'zero',
    exemptionReason: 'required',
    parties: sellerVat,
    partiesMessage: 'needs the VAT identifier of the seller or of the tax representative',
  },
  {
    code: 'K',
    prefix: 'IC',
    name: 'intra-community supply',
    breakdown: 'one',
    rate: 'zero',
    exemptionReason: 'required',
    parties: (registered) => sellerVat(registered) && registered.buyerVat,
    partiesMessage: 'needs the VAT identifiers of the seller and of the buyer',
  },
  {
    code: 'L',
    prefix: 'AF',
    name: 'IGIC',
    breakdown: 'many',
    rate: 'not-negative',
    exemptionReason: 'forbidden',
    ...taxed,
  },
  {
    code: 'M',
    prefix: 'AG',
    name: 'IPSI',
    breakdown: 'many',
    rate: 'not-negative',
    exemptionReason: 'forbidden',
    ...taxed,
  },
  {
    code: 'O',
    prefix: 'O',
    name: 'not subject to VAT',
    breakdown: 'one',
    rate: 'none',
    exemptionReason: 'required',
    parties: (registered) => !(sellerVat(registered) || registered.buyerVat),
    partiesMessage: 'allows no VAT identifier of seller, tax representative or buyer',
  },
  {
    code: 'S',
    prefix: 'S',
    name: 'standard rate',
    breakdown: 'many',
    rate: 'positive',
    exemptionReason: 'forbidden',
    ...taxed,
  },
  {
    code: 'Z',
    prefix: 'Z',
    name: 'zero rate',
    breakdown: 'one',
    rate: 'zero',
    exemptionReason: 'forbidden',
    ...taxed,
  },
];
