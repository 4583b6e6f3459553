import type { Datatype } from './terms.ts';

/**
 * A business term told apart from its siblings by a predicate (IBT-031 and IBT-032 are both tax
 * registrations). The CIM keeps the one repeated group with its discriminator; a view is a shorter
 * name for one occurrence of it.
 */
export interface View {
  /** Where the JSON form of the CIM shows it. */
  readonly path: string;
  /** The repeated group. */
  readonly of: string;
  /**
   * What an occurrence holds to be this one, and what it is given when it is made. Views of the
   * same occurrence share the object.
   */
  readonly where: Readonly<Record<string, Predicate>>;
  /** The member it shows; absent: the whole group. */
  readonly member?: string;
  readonly term?: string;
  readonly datatype: Datatype;
  readonly name: string;
}

/** What a member of an occurrence must hold. */
export type Predicate =
  | { readonly is: string }
  /** Anything but `not`; an occurrence that is made gets `as`. */
  | { readonly not: string; readonly as: string }
  /** The amount's currency is the invoice's, or the one tax is accounted in. */
  | { readonly currency: 'document' | 'accounting' };

const vat = { scheme: { is: 'VAT' } };
const charge = { is_charge: { is: 'true' } };
const allowance = { is_charge: { is: 'false' } };
const inDocumentCurrency: View['where'] = { amount: { currency: 'document' } };

/** Every view; of several over one member the first is its usual name. */
export const views: readonly View[] = [
  text('seller.trn', 'seller.tax_registrations', vat, 'id', 'IBT-031', 'Seller tax identifier'),
  text(
    'seller.tin',
    'seller.tax_registrations',
    { scheme: { not: 'VAT', as: 'TIN' } },
    'id',
    'IBT-032',
    'Seller tax registration identifier',
  ),
  text('buyer.trn', 'buyer.tax_registrations', vat, 'id', 'IBT-048', 'Buyer tax identifier'),
  text(
    'tax_representative.trn',
    'tax_representative.tax_registrations',
    vat,
    'id',
    'IBT-063',
    'Tax representative tax identifier',
  ),
  groups('allowances[]', 'allowances_charges', allowance, 'IBG-20', 'Document level allowances'),
  groups('charges[]', 'allowances_charges', charge, 'IBG-21', 'Document level charges'),
  groups(
    'lines[].allowances[]',
    'lines[].allowances_charges',
    allowance,
    'IBG-27',
    'Line allowances',
  ),
  groups('lines[].charges[]', 'lines[].allowances_charges', charge, 'IBG-28', 'Line charges'),
  amount(
    'lines[].gross_price',
    'lines[].price_allowances',
    allowance,
    'gross_price',
    'IBT-148',
    'Item gross price',
  ),
  amount(
    'lines[].price_discount',
    'lines[].price_allowances',
    allowance,
    'discount',
    'IBT-147',
    'Item price discount',
  ),
  amount(
    'totals.tax',
    'tax_totals',
    inDocumentCurrency,
    'amount',
    'IBT-110',
    'Invoice total tax amount',
  ),
  amount(
    'totals.tax_accounting',
    'tax_totals',
    { amount: { currency: 'accounting' } },
    'amount',
    'IBT-111',
    'Invoice total tax amount in tax accounting currency',
  ),
  {
    path: 'tax_breakdown[]',
    of: 'tax_totals',
    where: inDocumentCurrency,
    member: 'breakdown',
    term: 'IBG-23',
    datatype: 'group',
    name: 'Tax breakdown',
  },
  {
    path: 'tax_included',
    of: 'tax_totals',
    where: inDocumentCurrency,
    member: 'included',
    term: 'IBT-200',
    datatype: 'indicator',
    name: 'Tax included indicator',
  },
];

function text(
  path: string,
  of: string,
  where: View['where'],
  member: string,
  term: string,
  name: string,
): View {
  return { path, of, where, member, term, datatype: 'identifier', name };
}

function amount(
  path: string,
  of: string,
  where: View['where'],
  member: string,
  term: string,
  name: string,
): View {
  return { path, of, where, member, term, datatype: 'amount', name };
}

function groups(path: string, of: string, where: View['where'], term: string, name: string): View {
  return { path, of, where, term, datatype: 'group', name };
}
