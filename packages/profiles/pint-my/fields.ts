import { common, commonFilled } from '../common-fields.ts';
import type { FieldRow, Filled } from '../contract.ts';
import { always, conditional } from '../field-rows.ts';

/** The fields that PINT-MY's rules and LHDN's clearance require. */
export const fields: readonly FieldRow[] = [
  always(
    'number',
    'IBT-001',
    'Invoice number',
    'The number printed on the invoice, at most 50 characters.',
  ),
  always(
    'issue_date',
    'IBT-002',
    'Issue date',
    'Not in the future, and at most 72 hours before it is submitted.',
  ),
  always(
    'issue_time',
    'IBT-168',
    'Issue time',
    'Malaysian time unless it names a zone. Set when the invoice is first submitted, if the ERP keeps none.',
  ),
  always(
    'type_code',
    'IBT-003',
    'Invoice type',
    '380 invoice, 381 credit note, 383 debit note, 389 and 261 self-billed. 380 when nothing is given.',
  ),
  always(
    'currency',
    'IBT-005',
    'Currency',
    'Three letters, e.g. MYR. An ERP that leaves it empty means its own currency.',
  ),
  conditional(
    'exchange_rate.rate',
    'X-exchange-rate',
    'Exchange rate',
    'Ringgit for one unit of the currency. Required when the currency is not MYR.',
  ),
  common('specification_id'),
  common('business_process'),
  conditional(
    'preceding_invoices[].uin',
    'BTMY-018',
    'Corrected e-invoice',
    "LHDN's unique identifier of the invoice that a credit, debit or refund note corrects; NA when it was never cleared.",
  ),
  ...party('seller', 'Seller', [
    'IBT-027',
    'IBT-030',
    'IBT-034',
    'IBT-034-1',
    'IBT-035',
    'IBT-037',
    'IBT-039',
    'IBT-040',
    'IBT-042',
  ]),
  always(
    'seller.tin',
    'IBT-032',
    'Seller TIN',
    'Tax identification number of LHDN, e.g. C2584563222. A seller.trn that comes alone is taken for it.',
  ),
  conditional(
    'seller.trn',
    'IBT-031',
    'Seller SST number',
    'Sales and service tax number beside the TIN; two are joined by a semicolon. NA is written when there is none.',
  ),
  always(
    'seller.industry_code',
    'BTMY-006',
    'MSIC code',
    'Five digits that say what business the seller is in. Mostly a constant.',
  ),
  always(
    'seller.industry_name',
    'X-seller-activity',
    'Business activity',
    'The words beside the MSIC code.',
  ),
  ...party('buyer', 'Buyer', [
    'IBT-044',
    'IBT-047',
    'IBT-049',
    'IBT-049-1',
    'IBT-050',
    'IBT-052',
    'IBT-054',
    'IBT-055',
    'IBT-057',
  ]),
  always(
    'buyer.identifiers[].id',
    'IBT-046',
    'Buyer TIN',
    'TIN of the customer; EI00000000010 for the general public. A buyer.trn that comes alone is taken for it.',
  ),
  conditional(
    'buyer.trn',
    'IBT-048',
    'Buyer SST number',
    'When the customer is registered. NA is written when there is none.',
  ),
  common('totals.net'),
  common('totals.tax'),
  common('totals.gross'),
  always('totals.due', 'IBT-115', 'Amount due', 'Computed when nothing is given.'),
  always(
    'tax_breakdown[].category',
    'IBT-118',
    'Tax category',
    'Taken from the lines when nothing is given.',
  ),
  common('tax_breakdown[].amount'),
  common('lines[].id'),
  common('lines[].qty'),
  always(
    'lines[].unit',
    'IBT-130',
    'Unit',
    'UN/ECE Rec 20, e.g. H87 piece, HUR hour, KGM; C62 when nothing is given.',
  ),
  always('lines[].unit_price', 'IBT-146', 'Price', 'Price of one unit, without tax.'),
  common('lines[].net'),
  always(
    'lines[].accounting.amount',
    'BTAE-10',
    'Line subtotal',
    'Quantity times price, before discounts and tax. Computed when nothing is given.',
  ),
  always(
    'lines[].description',
    'IBT-154',
    'Description',
    'What was sold, at most 300 characters; the name when nothing is given.',
  ),
  common('lines[].name'),
  always(
    'lines[].classifications[].code',
    'IBT-158',
    'Classification',
    "LHDN's three-digit class, 001 to 045, e.g. 022 for others. From the item group, through a value map.",
  ),
  always(
    'lines[].tax.category',
    'IBT-151',
    'Line tax category',
    'SA sales tax, SE service tax, TTX tourism tax, HVG, LVG, E exempt, O none. From the tax code, through a value map.',
  ),
  conditional(
    'lines[].tax.rate',
    'IBT-152',
    'Line tax rate',
    'Percent; tourism tax and O have none.',
  ),
  conditional(
    'lines[].tax.exemption',
    'IBT-185',
    'Reason of exemption',
    'The certificate or the order, when the category is E.',
  ),
];

/**
 * The fields that `complete` fills when the source has no value (the time is filled at the first
 * submission), and the paths it needs for that.
 */
export const filled: Filled = {
  ...commonFilled,
  issue_time: [],
  'seller.tin': ['seller.trn'],
  'seller.endpoint_scheme': ['seller.endpoint'],
  'buyer.identifiers[].id': ['buyer.trn'],
  'buyer.endpoint_scheme': ['buyer.endpoint'],
  'lines[].description': ['lines[].name'],
  'lines[].accounting.amount': ['lines[].qty', 'lines[].unit_price'],
};

function party(path: string, name: string, terms: readonly string[]): readonly FieldRow[] {
  const rows: readonly [member: string, name: string, help: string][] = [
    ['name', 'name', 'Legal name, at most 300 characters.'],
    [
      'registration_id',
      'registration number',
      'BRN of a company; registration_type says NRIC, PASSPORT or ARMY for a person.',
    ],
    ['endpoint', 'electronic address', 'Address in the Peppol network.'],
    ['endpoint_scheme', 'address scheme', '0230, the scheme of Malaysia.'],
    ['address.line1', 'address', 'First line of the address.'],
    ['address.city', 'city', 'City of the address.'],
    ['address.subdivision', 'state', 'State in Malaysia: its name, or its code 01 to 16.'],
    ['address.country', 'country', 'Two letters, e.g. MY.'],
    ['contact.phone', 'telephone', 'With the country code, e.g. +60312345678.'],
  ];
  return rows.map(([member, what, help], index) =>
    always(`${path}.${member}`, terms[index]!, `${name} ${what}`, help),
  );
}
