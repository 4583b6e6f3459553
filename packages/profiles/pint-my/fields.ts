import type { FieldRow } from '../contract.ts';
import { always, conditional, type Filled } from '../field-rows.ts';

/** What PINT-MY's rules and LHDN's clearance ask for. */
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
    'Ringgit for one unit of the currency. Needed when the currency is not MYR.',
  ),
  always('specification_id', 'IBT-024', 'Specification identifier', 'Fixed by the profile.'),
  always('business_process', 'IBT-023', 'Business process', 'Fixed by the profile.'),
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
  always('totals.net', 'IBT-109', 'Total without tax', 'Computed when nothing is given.'),
  always('totals.tax', 'IBT-110', 'Total tax', 'Computed when nothing is given.'),
  always('totals.gross', 'IBT-112', 'Total with tax', 'Computed when nothing is given.'),
  always('totals.due', 'IBT-115', 'Amount due', 'Computed when nothing is given.'),
  always(
    'tax_breakdown[].category',
    'IBT-118',
    'Tax category',
    'Taken from the lines when nothing is given.',
  ),
  always(
    'tax_breakdown[].amount',
    'IBT-117',
    'Tax per category',
    'Computed from the lines when nothing is given.',
  ),
  always('lines[].id', 'IBT-126', 'Line number', 'The position when nothing is given.'),
  always('lines[].qty', 'IBT-129', 'Quantity', 'Quantity of the line.'),
  always(
    'lines[].unit',
    'IBT-130',
    'Unit',
    'UN/ECE Rec 20, e.g. H87 piece, HUR hour, KGM; C62 when nothing is given.',
  ),
  always('lines[].unit_price', 'IBT-146', 'Price', 'Price of one unit, without tax.'),
  always(
    'lines[].net',
    'IBT-131',
    'Line amount',
    'Computed from quantity, price and discounts when nothing is given.',
  ),
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
  always(
    'lines[].name',
    'IBT-153',
    'Item name',
    'Name of the item; the description when nothing is given.',
  ),
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
 * What `complete` (the time: the first submission) fills when the source says nothing, and the
 * paths it needs.
 */
export const filled: Filled = {
  issue_time: [],
  type_code: [],
  specification_id: [],
  business_process: [],
  'seller.tin': ['seller.trn'],
  'seller.endpoint_scheme': ['seller.endpoint'],
  'buyer.identifiers[].id': ['buyer.trn'],
  'buyer.endpoint_scheme': ['buyer.endpoint'],
  'tax_breakdown[].category': ['lines[].tax.category'],
  'tax_breakdown[].amount': ['lines[].net', 'lines[].tax.category'],
  'totals.net': ['lines[].net'],
  'totals.tax': ['tax_breakdown[].amount'],
  'totals.gross': ['totals.net', 'totals.tax'],
  'totals.due': ['totals.gross'],
  'lines[].id': [],
  'lines[].unit': ['lines[].qty'],
  'lines[].net': ['lines[].qty', 'lines[].unit_price'],
  'lines[].unit_price': ['lines[].gross_price'],
  'lines[].name': ['lines[].description'],
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
