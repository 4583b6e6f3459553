import { common, commonFilled } from '../common-fields.ts';
import type { FieldRow, Filled } from '../contract.ts';
import { always, conditional } from '../field-rows.ts';

/**
 * The 51 fields of a UAE tax invoice (Ministry of Finance, "UAE Electronic Invoice Mandatory
 * Fields", V1.0 of 23 February 2026), in its order. Conditional: required in most
 * invoices, and not in credit notes, deemed supplies or exports.
 */
export const fields: readonly FieldRow[] = [
  always(
    'number',
    'IBT-001',
    'Invoice number',
    'The number printed on the invoice. The document number of the ERP.',
  ),
  common('issue_date'),
  always(
    'type_code',
    'IBT-003',
    'Invoice type',
    '380 invoice, 381 credit note, 480 and 81 outside VAT. 380 when nothing is given.',
  ),
  always(
    'currency',
    'IBT-005',
    'Currency',
    'Three letters, e.g. AED. An ERP that leaves it empty means its own currency.',
  ),
  always(
    'transaction_type',
    'BTAE-02',
    'Transaction type',
    'Eight digits 0 or 1: free zone, deemed supply, margin scheme, summary, continuous, agent, e-commerce, export. 00000000 when nothing is given.',
  ),
  conditional(
    'due_date',
    'IBT-009',
    'Payment due date',
    'Required when something is to be paid. The due date of the ERP document.',
  ),
  common('business_process'),
  common('specification_id'),
  conditional(
    'payment_means[].code',
    'IBT-081',
    'Payment means',
    '10 cash, 30 transfer, 54 credit card, 55 debit card. From the payment method, through a value map.',
  ),
  common('seller.name'),
  always(
    'seller.endpoint',
    'IBT-034',
    'Seller electronic address',
    'Your ten-digit TIN. Taken from the TRN when nothing is given.',
  ),
  always(
    'seller.endpoint_scheme',
    'IBT-034-1',
    'Scheme of the seller address',
    '0235, the scheme of the UAE.',
  ),
  always(
    'seller.registration_id',
    'IBT-030',
    'Seller legal registration',
    'Number of your trade licence, Emirates ID or passport.',
  ),
  always(
    'seller.registration_type',
    'BTAE-15',
    'Kind of seller registration',
    'TL licence, EID Emirates ID, PAS passport, CD cabinet decision. A licence also needs seller.registration_authority.',
  ),
  always(
    'seller.trn',
    'IBT-031',
    'Seller tax number',
    'Your TRN: 15 digits that begin with 1 and end with 03.',
  ),
  always(
    'seller.tax_registrations[].scheme',
    'IBT-031-1',
    'Scheme of the seller tax number',
    'VAT.',
  ),
  always(
    'seller.address.line1',
    'IBT-035',
    'Seller address',
    'Street and building of your registered address.',
  ),
  always('seller.address.city', 'IBT-037', 'Seller city', 'City of your registered address.'),
  always(
    'seller.address.subdivision',
    'IBT-039',
    'Seller emirate',
    'AUH, DXB, SHJ, UAQ, FUJ, AJM or RAK.',
  ),
  always('seller.address.country', 'IBT-040', 'Seller country', 'Two letters, AE for the UAE.'),
  common('buyer.name'),
  always(
    'buyer.endpoint',
    'IBT-049',
    'Buyer electronic address',
    "The customer's TIN. Taken from the TRN; for exports and deemed supplies the predefined address is used.",
  ),
  always('buyer.endpoint_scheme', 'IBT-049-1', 'Scheme of the buyer address', '0235 for a TIN.'),
  conditional(
    'buyer.trn',
    'IBT-048',
    'Buyer tax number',
    "The customer's TRN. Not needed for exports; a buyer without one gives buyer.registration_id.",
  ),
  conditional(
    'buyer.tax_registrations[].scheme',
    'IBT-048-1',
    'Scheme of the buyer tax number',
    'VAT.',
  ),
  always(
    'buyer.address.line1',
    'IBT-050',
    'Buyer address',
    "Street and building of the customer's billing address.",
  ),
  always('buyer.address.city', 'IBT-052', 'Buyer city', "City of the customer's billing address."),
  always(
    'buyer.address.subdivision',
    'IBT-054',
    'Buyer emirate or region',
    'In the UAE the emirate: AUH, DXB, SHJ, UAQ, FUJ, AJM or RAK.',
  ),
  always('buyer.address.country', 'IBT-055', 'Buyer country', 'Two letters, AE for the UAE.'),
  common('totals.lines'),
  common('totals.net'),
  common('totals.tax'),
  common('totals.gross'),
  always(
    'totals.due',
    'IBT-115',
    'Amount due',
    'Computed when nothing is given: with tax, less what was paid.',
  ),
  common('tax_breakdown[].taxable'),
  common('tax_breakdown[].amount'),
  common('tax_breakdown[].category'),
  conditional(
    'tax_breakdown[].rate',
    'IBT-119',
    'Rate of the category',
    'Taken from the lines; E and O have none.',
  ),
  common('lines[].id'),
  common('lines[].qty'),
  common('lines[].unit'),
  common('lines[].net'),
  always(
    'lines[].unit_price',
    'IBT-146',
    'Net price',
    'Price of one unit after discount, without tax.',
  ),
  always(
    'lines[].gross_price',
    'IBT-148',
    'Gross price',
    'Price of one unit before discount. The net price when nothing is given.',
  ),
  always(
    'lines[].base_qty',
    'IBT-149',
    'Price base quantity',
    'How many units the price is for. 1 when nothing is given.',
  ),
  always(
    'lines[].tax.category',
    'IBT-151',
    'Line tax category',
    'S standard, Z zero, E exempt, O outside, AE reverse charge, N margin. From the tax code, through a value map.',
  ),
  conditional(
    'lines[].tax.rate',
    'IBT-152',
    'Line tax rate',
    'Percent: 5 for S, 0 for Z and AE, none for E and O.',
  ),
  conditional(
    'lines[].accounting.tax_totals[].amount',
    'BTAE-08',
    'Line tax in dirhams',
    'Computed; another currency needs exchange_rate.rate. Exempt lines have none.',
  ),
  always(
    'lines[].accounting.amount',
    'BTAE-10',
    'Line amount in dirhams',
    'Computed with tax; another currency needs exchange_rate.rate.',
  ),
  common('lines[].name'),
  always(
    'lines[].description',
    'IBT-154',
    'Item description',
    'Description of the line; the name when nothing is given.',
  ),
];

/**
 * The fields that `complete` fills when the source has no value, and the paths it needs for that.
 */
export const filled: Filled = {
  ...commonFilled,
  transaction_type: [],
  'seller.endpoint': ['seller.trn'],
  'seller.endpoint_scheme': ['seller.endpoint'],
  'seller.tax_registrations[].scheme': ['seller.trn'],
  'buyer.endpoint': ['buyer.trn'],
  'buyer.endpoint_scheme': ['buyer.endpoint'],
  'buyer.tax_registrations[].scheme': ['buyer.trn'],
  'tax_breakdown[].taxable': ['lines[].net', 'lines[].tax.category'],
  'tax_breakdown[].rate': ['lines[].tax.category'],
  'totals.lines': ['lines[].net'],
  'lines[].description': ['lines[].name'],
  'lines[].gross_price': ['lines[].unit_price'],
  'lines[].base_qty': [],
  'lines[].accounting.amount': ['lines[].net', 'lines[].tax.category'],
  'lines[].accounting.tax_totals[].amount': ['lines[].net', 'lines[].tax.category'],
};
