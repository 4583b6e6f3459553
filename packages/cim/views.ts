import type { Datatype } from './terms.ts';

/**
 * A business term that a predicate distinguishes from its siblings (IBT-031 and IBT-032 are both
 * tax registrations). The CIM has one repeated group with a discriminator; a view is a shorter name
 * for one occurrence of it.
 */
export interface View {
  /** Its path in the JSON form of the CIM. */
  readonly path: string;
  /** The repeated group. */
  readonly of: string;
  /**
   * The values by which an occurrence is this one, and which a new occurrence gets. Views of the
   * same occurrence share the object.
   */
  readonly where: Readonly<Record<string, Predicate>>;
  /** The member it shows; absent for the whole group. */
  readonly member?: string;
  readonly term?: string;
  readonly datatype: Datatype;
  readonly name: string;
}

/** The required value of a member of an occurrence. */
export type Predicate =
  | { readonly is: string }
  /** Any value but `not`; a new occurrence gets `as`. */
  | { readonly not: string; readonly as: string }
  /** The amount's currency is that of the invoice, or the tax accounting currency. */
  | { readonly currency: 'document' | 'accounting' };

const vat = { scheme: { is: 'VAT' } };
const charge = { is_charge: { is: 'true' } };
const allowance = { is_charge: { is: 'false' } };
const inDocumentCurrency: View['where'] = { amount: { currency: 'document' } };

/** All views; of several over one member the first has its usual name. */
export const views: readonly View[] = [
  text({
    path: 'seller.trn',
    of: 'seller.tax_registrations',
    where: vat,
    member: 'id',
    term: 'IBT-031',
    name: 'Seller tax identifier',
  }),
  text({
    path: 'seller.tin',
    of: 'seller.tax_registrations',
    where: { scheme: { not: 'VAT', as: 'TIN' } },
    member: 'id',
    term: 'IBT-032',
    name: 'Seller tax registration identifier',
  }),
  text({
    path: 'buyer.trn',
    of: 'buyer.tax_registrations',
    where: vat,
    member: 'id',
    term: 'IBT-048',
    name: 'Buyer tax identifier',
  }),
  text({
    path: 'tax_representative.trn',
    of: 'tax_representative.tax_registrations',
    where: vat,
    member: 'id',
    term: 'IBT-063',
    name: 'Tax representative tax identifier',
  }),
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
  amount({
    path: 'lines[].gross_price',
    of: 'lines[].price_allowances',
    where: allowance,
    member: 'gross_price',
    term: 'IBT-148',
    name: 'Item gross price',
  }),
  amount({
    path: 'lines[].price_discount',
    of: 'lines[].price_allowances',
    where: allowance,
    member: 'discount',
    term: 'IBT-147',
    name: 'Item price discount',
  }),
  amount({
    path: 'totals.tax',
    of: 'tax_totals',
    where: inDocumentCurrency,
    member: 'amount',
    term: 'IBT-110',
    name: 'Invoice total tax amount',
  }),
  amount({
    path: 'totals.tax_accounting',
    of: 'tax_totals',
    where: { amount: { currency: 'accounting' } },
    member: 'amount',
    term: 'IBT-111',
    name: 'Invoice total tax amount in tax accounting currency',
  }),
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

/** A view of one member of an occurrence. */
type MemberView = Omit<View, 'datatype'> & Required<Pick<View, 'member'>>;

function text(row: MemberView): View {
  return { ...row, datatype: 'identifier' };
}

function amount(row: MemberView): View {
  return { ...row, datatype: 'amount' };
}

function groups(path: string, of: string, where: View['where'], term: string, name: string): View {
  return { path, of, where, term, datatype: 'group', name };
}
