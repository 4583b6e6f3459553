import assert from 'node:assert/strict';
import type { FieldRow, Filled } from './contract.ts';
import { always } from './field-rows.ts';

/** Fields that two or more profiles describe alike, in the order of their terms. */
const rows: readonly FieldRow[] = [
  always('issue_date', 'IBT-002', 'Issue date', 'The date of the invoice, not of posting.'),
  always('business_process', 'IBT-023', 'Business process', 'Fixed by the profile.'),
  always('specification_id', 'IBT-024', 'Specification identifier', 'Fixed by the profile.'),
  always(
    'seller.name',
    'IBT-027',
    'Seller name',
    "Your company's legal name. From the company table, or a constant.",
  ),
  always(
    'buyer.name',
    'IBT-044',
    'Buyer name',
    'Legal name of the customer: the copy on the invoice, not the customer card.',
  ),
  always(
    'totals.lines',
    'IBT-106',
    'Sum of the lines',
    'Computed from the lines when nothing is given.',
  ),
  always('totals.net', 'IBT-109', 'Total without tax', 'Computed when nothing is given.'),
  always('totals.tax', 'IBT-110', 'Total tax', 'Computed when nothing is given.'),
  always('totals.gross', 'IBT-112', 'Total with tax', 'Computed when nothing is given.'),
  always(
    'tax_breakdown[].taxable',
    'IBT-116',
    'Taxable amount per category',
    'Computed from the lines when nothing is given.',
  ),
  always(
    'tax_breakdown[].amount',
    'IBT-117',
    'Tax per category',
    'Computed from the lines when nothing is given.',
  ),
  always(
    'tax_breakdown[].category',
    'IBT-118',
    'Category',
    'Taken from the lines when nothing is given.',
  ),
  always('lines[].id', 'IBT-126', 'Line number', 'The position when nothing is given.'),
  always('lines[].qty', 'IBT-129', 'Quantity', 'Quantity of the line.'),
  always(
    'lines[].unit',
    'IBT-130',
    'Unit',
    "UN/ECE Rec 20, e.g. H87 piece, HUR hour, KGM. From the ERP's unit, through a value map; C62 when nothing is given.",
  ),
  always(
    'lines[].net',
    'IBT-131',
    'Line amount',
    'Computed from quantity, price and discounts when nothing is given.',
  ),
  always(
    'lines[].name',
    'IBT-153',
    'Item name',
    'Name of the item; the description when nothing is given.',
  ),
];

const byPath = new Map(rows.map((row) => [row.path, row]));

/** The row of a field that profiles have in common; throws for an unknown path. */
export function common(path: string): FieldRow {
  const row = byPath.get(path);
  assert(row, `no common field is called ${path}`);
  return row;
}

/** The fields that every profile fills. */
export const commonFilled: Filled = {
  type_code: [],
  specification_id: [],
  business_process: [],
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
};
