import { common, commonFilled } from '../common-fields.ts';
import type { FieldRow, Filled } from '../contract.ts';
import { always, conditional } from '../field-rows.ts';

/** The fields that EN 16931 and Peppol BIS Billing 3.0 require in every invoice or in most. */
export const fields: readonly FieldRow[] = [
  always('number', 'IBT-001', 'Invoice number', 'The number printed on the invoice.'),
  common('issue_date'),
  always(
    'type_code',
    'IBT-003',
    'Invoice type',
    '380 invoice, 381 credit note, 389 and 261 self-billed. 380 when nothing is given.',
  ),
  always(
    'currency',
    'IBT-005',
    'Currency',
    'Three letters, e.g. EUR. An ERP that leaves it empty means its own currency.',
  ),
  common('specification_id'),
  common('business_process'),
  conditional(
    'due_date',
    'IBT-009',
    'Payment due date',
    'This or payment terms, when something is to be paid.',
  ),
  conditional(
    'payment_terms[].note',
    'IBT-020',
    'Payment terms',
    'This or a due date, when something is to be paid.',
  ),
  conditional(
    'buyer_reference',
    'IBT-010',
    'Buyer reference',
    'What the buyer asked to be quoted. This or purchase_order.',
  ),
  conditional(
    'purchase_order',
    'IBT-013',
    'Purchase order',
    "The buyer's order number. This or buyer_reference.",
  ),
  conditional(
    'preceding_invoices[].number',
    'IBT-025',
    'Corrected invoice',
    'Number of the invoice that a credit note corrects.',
  ),
  conditional(
    'payment_means[].code',
    'IBT-081',
    'Payment means',
    '30 or 58 transfer, 48 card, 59 direct debit. From the payment method, through a value map.',
  ),
  conditional(
    'payment_means[].account.id',
    'IBT-084',
    'Account',
    'IBAN to pay to. Needed for a transfer.',
  ),
  common('seller.name'),
  always(
    'seller.endpoint',
    'IBT-034',
    'Seller electronic address',
    'Your address in the Peppol network.',
  ),
  always(
    'seller.endpoint_scheme',
    'IBT-034-1',
    'Scheme of the seller address',
    'Four digits of the EAS list, e.g. 0208 for Belgium, 0088 for a GLN.',
  ),
  conditional(
    'seller.trn',
    'IBT-031',
    'Seller VAT number',
    'With its country prefix, e.g. BE0403019261. Required when VAT is charged.',
  ),
  conditional(
    'seller.registration_id',
    'IBT-030',
    'Seller legal registration',
    'Number in the trade register, where there is no VAT number.',
  ),
  always('seller.address.country', 'IBT-040', 'Seller country', 'Two letters, e.g. BE.'),
  common('buyer.name'),
  always(
    'buyer.endpoint',
    'IBT-049',
    'Buyer electronic address',
    "The customer's address in the Peppol network.",
  ),
  always(
    'buyer.endpoint_scheme',
    'IBT-049-1',
    'Scheme of the buyer address',
    'Four digits of the EAS list.',
  ),
  conditional(
    'buyer.trn',
    'IBT-048',
    'Buyer VAT number',
    'Needed for reverse charge and sales to another member state.',
  ),
  always('buyer.address.country', 'IBT-055', 'Buyer country', 'Two letters, e.g. BE.'),
  common('totals.lines'),
  always('totals.net', 'IBT-109', 'Total without VAT', 'Computed when nothing is given.'),
  always('totals.tax', 'IBT-110', 'Total VAT', 'Computed when nothing is given.'),
  always('totals.gross', 'IBT-112', 'Total with VAT', 'Computed when nothing is given.'),
  always(
    'totals.due',
    'IBT-115',
    'Amount due',
    'Computed when nothing is given: with VAT, less what was paid.',
  ),
  common('tax_breakdown[].taxable'),
  always(
    'tax_breakdown[].amount',
    'IBT-117',
    'VAT per category',
    'Computed from the lines when nothing is given.',
  ),
  common('tax_breakdown[].category'),
  conditional(
    'tax_breakdown[].rate',
    'IBT-119',
    'Rate of the category',
    'Taken from the lines; O has none.',
  ),
  conditional(
    'tax_breakdown[].exemption',
    'IBT-120',
    'Reason of exemption',
    'Words or a VATEX code, when the category is E.',
  ),
  common('lines[].id'),
  common('lines[].qty'),
  common('lines[].unit'),
  common('lines[].net'),
  always(
    'lines[].unit_price',
    'IBT-146',
    'Net price',
    'Price of one unit after discount, without VAT.',
  ),
  always(
    'lines[].tax.category',
    'IBT-151',
    'Line VAT category',
    'S standard, Z zero, E exempt, AE reverse charge, K intra-community, G export, O outside. From the tax code, through a value map.',
  ),
  conditional('lines[].tax.rate', 'IBT-152', 'Line VAT rate', 'Percent; O has none.'),
  common('lines[].name'),
];

/**
 * The fields that `complete` fills when the source has no value, and the paths it needs for that.
 */
export const filled: Filled = {
  ...commonFilled,
  'tax_breakdown[].taxable': ['lines[].net', 'lines[].tax.category'],
  'tax_breakdown[].rate': ['lines[].tax.category'],
  'totals.lines': ['lines[].net'],
};
