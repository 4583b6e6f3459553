import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { bills, byLine, customers, type Invoice, invoices, items } from './trade.ts';

type Line = Invoice['lines'][number];

const round = (value: number) => Math.round(value * 100) / 100;
const sum = (values: readonly number[]) => round(values.reduce((all, value) => all + value, 0));
const day = (date: string) => at(date, '00:00:00');
const isCredit = ({ kind }: Invoice) => kind === 'credit';
const sign = (one: Invoice) => (isCredit(one) ? -1 : 1);
/** True is -1 there. */
const yes = (is: boolean) => (is ? -1 : 0);
const lineTotal = (line: Line) => round(line.net + line.tax);
const total = (one: Invoice) => sum(one.lines.map(lineTotal));
const isPaid = ({ id }: Invoice) => id % 3 === 0;
const invoiceNo = ({ id }: Invoice) => id - 1500;
const symbol = ({ currency }: Invoice) => (currency === 'USD' ? '$' : '£');
const unitIds: Readonly<Record<string, number>> = { PCS: 1, M: 2, HR: 3, L: 4, KG: 5 };
const unitWords = ['each', 'metre', 'hour', 'litre', 'kilo'] as const;
const countries = [...new Set(customers.map(({ country }) => country))];
const countryId = (country: string) => countries.indexOf(country) + 1;
const lines = byLine(invoices, (one, line) => ({ one, line }));
const bought = bills.slice(0, 12);
const cost = (line: Line) => round(line.price / 2);
const costOf = (one: Invoice) => sum(one.lines.map((line) => round(line.quantity * cost(line))));

const beside: Readonly<Record<string, LayoutTable>> = {
  Suppliers: {
    columns:
      '*"Supplier ID" integer, "Supplier Name" text, "Contact" text, "Address" text, "Town" text, "Post Code" text, "Phone" text, "Email" text, "VAT Reg No" text, "Our Account No" text',
    rows: [
      [
        1,
        'Mill Supplies Ltd',
        'Ivo Horn',
        '4 Mill Road',
        'Leeds',
        'LS2 4AA',
        '0113 555 11',
        's@mill.example',
        'GB999000111',
        'P0044',
      ],
      [
        2,
        'Canal Metals',
        'Sara Lund',
        '9 Dock Street',
        'Hull',
        'HU1 2BB',
        '01482 555 22',
        'c@canal.example',
        'GB999000222',
        '',
      ],
    ],
  },
  'Purchase Invoices': tableOf(
    bought,
    {
      '*"Purchase ID" integer': ({ id }) => id - 3900,
      '"Supplier ID" integer': ({ id }) => (id % 2) + 1,
      '"Supplier Invoice No" text': ({ id }) => `MS${id}`,
      '"Invoice Date" datetime': ({ date }) => day(date),
      '"Due Date" datetime': ({ due }) => day(due),
      '"Net Amount" currency': costOf,
      '"VAT Amount" currency': (one) => round(costOf(one) * 0.2),
      '"Invoice Total" currency': (one) => round(costOf(one) + round(costOf(one) * 0.2)),
      'Paid bit': (one) => yes(isPaid(one)),
      'Notes memo': null,
    },
    { 'Supplier ID': 'Suppliers.Supplier ID' },
  ),
  'Purchase Lines': tableOf(
    byLine(bought, (one, line) => ({ one, line })),
    {
      '*"Line ID" integer': ({ line }) => line.id - 80_000,
      '"Purchase ID" integer': ({ one }) => one.id - 3900,
      '"Product ID" integer': ({ line }) => line.item.id,
      'Description text': ({ line }) => line.item.name,
      'Qty double': ({ line }) => line.quantity,
      '"Unit Price" currency': ({ line }) => cost(line),
      '"Line Total" currency': ({ line }) => round(line.quantity * cost(line)),
    },
  ),
  Quotes: tableOf(invoices.slice(0, 11), {
    '*"Quote No" integer': ({ id }) => id - 3800,
    '"Customer ID" integer': ({ customer }) => customer.id,
    '"Quote Date" datetime': ({ date }) => day(date),
    '"Valid Until" datetime': ({ due }) => day(due),
    '"Quote Total" currency': total,
    '"Staff ID" integer': 1,
    'Accepted bit': ({ id }) => yes(id % 2 === 0),
    'Notes memo': null,
  }),
  'Quote Lines': tableOf(
    byLine(invoices.slice(0, 11), (one, line) => ({ one, line })),
    {
      '*"Quote Line ID" integer': ({ line }) => line.id - 85_000,
      '"Quote No" integer': ({ one }) => one.id - 3800,
      '"Product ID" integer': ({ line }) => line.item.id,
      'Description text': ({ line }) => line.item.name,
      'Qty double': ({ line }) => line.quantity,
      '"Unit Price" currency': ({ line }) => line.price,
      '"Discount %" double': ({ line }) => line.discount / 100,
      '"Line Total" currency': ({ line }) => lineTotal(line),
    },
  ),
  'Delivery Notes': tableOf(bills, {
    '*"Delivery No" integer': ({ id }) => id - 3700,
    '"Invoice No" integer': invoiceNo,
    '"Customer ID" integer': ({ customer }) => customer.id,
    '"Delivery Date" datetime': ({ date }) => day(date),
    '"Delivery Address" memo': ({ customer }) => `${customer.street}\n${customer.city}`,
    'Carrier text': 'Own van',
    '"Signed For By" text': null,
  }),
  'Stock Movements': tableOf(lines, {
    '*"Movement ID" integer': ({ line }) => line.id - 90_000,
    '"Product ID" integer': ({ line }) => line.item.id,
    '"Movement Date" datetime': ({ one }) => day(one.date),
    '"Qty In" double': ({ one, line }) => (isCredit(one) ? line.quantity : 0),
    '"Qty Out" double': ({ one, line }) => (isCredit(one) ? 0 : line.quantity),
    'Reason text': ({ one }) => (isCredit(one) ? 'Return' : 'Sale'),
    'Reference text': ({ one }) => String(invoiceNo(one)),
  }),
  'Payments Received': tableOf(bills.filter(isPaid), {
    '*"Payment ID" integer': ({ id }) => id - 3600,
    '"Invoice No" integer': invoiceNo,
    '"Payment Date" datetime': ({ due }) => day(due),
    'Amount currency': total,
    '"Method ID" integer': ({ id }) => (id % 2) + 1,
    '"Cheque No" text': null,
    'Banked bit': -1,
  }),
  'Payment Methods': {
    columns: '*"Method ID" integer, Method text',
    rows: [
      [1, 'BACS'],
      [2, 'Cheque'],
      [3, 'Cash'],
    ],
  },
  'Nominal Codes': {
    columns: '*"Nominal Code" text, Description text, "P and L" bit',
    rows: [
      ['4000', 'Sales', -1],
      ['5000', 'Purchases', -1],
      ['2200', 'VAT', 0],
    ],
  },
  'Bank Account': tableOf(bills.filter(isPaid), {
    '*ID integer': ({ id }) => id - 3600,
    'Date datetime': ({ due }) => day(due),
    'Details text': ({ customer }) => customer.name,
    '"Paid In" currency': total,
    '"Paid Out" currency': 0,
    'Reconciled bit': -1,
  }),
  'Price List': tableOf(items, {
    '*ID integer': ({ id }) => id,
    '"Product Code" text': ({ code }) => code,
    'Product text': ({ name }) => name,
    '"Trade Price" currency': ({ price }) => price,
    '"Retail Price inc VAT" currency': ({ price, rate }) => round(price * (1 + rate / 100)),
    '"Valid From" datetime': day('2026-01-01'),
  }),
  Settings: {
    columns: '*"Setting Name" text, "Setting Value" text, Notes text',
    rows: [
      ['VAT Rate', '20', 'percent, change here when the budget changes it'],
      ['Company Name', 'Pumps of Leeds', ''],
      ['Company VAT No', 'GB123456789', ''],
      ['Company Address', '1 Canal Street, Leeds LS1 1AA', ''],
      ['Next Invoice No', '2546', ''],
      ['Bank Details', '20-00-00 11223344', ''],
    ],
  },
  'Switchboard Items': {
    columns:
      '*SwitchboardID integer, *ItemNumber integer, ItemText text, Command integer, Argument text',
    rows: [
      [1, 0, 'Main Switchboard', 0, 'Default'],
      [1, 1, 'Enter Invoices', 3, 'frm Invoices'],
      [1, 2, 'Print Statements', 4, 'rpt Statements'],
    ],
  },
  'Paste Errors': {
    columns: 'F1 text, F2 text, F3 text',
    rows: [['Hafen Logistik', 'Hamburg', null]],
  },
  'Copy Of Customers': tableOf(customers.slice(0, 5), {
    '"Customer ID" integer': ({ id }) => id,
    '"Company Name" text': ({ name }) => name,
    '"Address 1" text': ({ street }) => street,
    'Phone text': ({ phone }) => phone,
  }),
};

/**
 * Somebody in the office made it with Access: spaces in names, lookups by number, -1 for yes, totals of lines with value added
 * tax, whose rate is a setting; what the query of the printed invoice gives was saved as a table. Home-made, after no system.
 */
export const namesWithSpaces: Layout = {
  name: 'names-with-spaces',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    ...beside,
    Invoices: tableOf(
      invoices,
      {
        '*"Invoice No" integer': invoiceNo,
        '"Invoice Type ID" integer': (one) => (isCredit(one) ? 2 : 1),
        '"Customer ID" integer': ({ customer }) => customer.id,
        '"Invoice Date" datetime': ({ date }) => day(date),
        '"Tax Point" datetime': ({ date }) => day(date),
        '"Customer Order No" text': ({ order }) => order || null,
        '"Delivery Date" datetime': ({ date }) => day(date),
        '"Terms ID" integer': 2,
        '"Staff ID" integer': ({ id }) => (id % 2) + 1,
        'Currency text': symbol,
        '"Carriage inc VAT" currency': 0,
        '"Invoice Total" currency': (one) => sign(one) * total(one),
        '"Amount Paid" currency': (one) => (isPaid(one) ? sign(one) * total(one) : 0),
        'Printed bit': -1,
        'Emailed bit': ({ id }) => yes(id % 2 === 0),
        'Void bit': ({ isDraft }) => yes(isDraft),
        '"Credit For Invoice" integer': (one) => (isCredit(one) ? invoiceNo(one) - 1 : null),
        'Notes memo': ({ id }) => (id % 7 === 0 ? 'Please quote our number' : null),
        '"Date Entered" datetime': ({ date }) => at(date, '11:14:00'),
        '"Field1" text': null,
      },
      { 'Customer ID': 'Customers.Customer ID', 'Terms ID': 'Payment Terms.Terms ID' },
    ),
    'Invoice Lines': tableOf(
      lines,
      {
        '*"Line ID" integer': ({ line }) => line.id - 90_000,
        '"Invoice No" integer': ({ one }) => invoiceNo(one),
        '"Line No" integer': ({ line }) => line.position,
        '"Product ID" integer': ({ line }) => line.item.id,
        'Description text': ({ line }) => line.item.name,
        'Qty double': ({ one, line }) => sign(one) * line.quantity,
        '"Unit Price" currency': ({ line }) => line.price,
        '"Discount %" double': ({ line }) => line.discount / 100,
        '"No VAT" bit': ({ line }) => yes(line.item.rate === 0),
        '"Line Total" currency': ({ one, line }) => sign(one) * lineTotal(line),
        '"Nominal Code" text': '4000',
      },
      { 'Invoice No': 'Invoices.Invoice No', 'Product ID': 'Products.Product ID' },
    ),
    // A row a line, as it was when somebody last ran the query.
    'Invoice Query': tableOf(
      lines.filter(({ one }) => !one.isDraft),
      {
        '"Invoice No" integer': ({ one }) => invoiceNo(one),
        '"Invoice Type" text': ({ one }) => (isCredit(one) ? 'Credit Note' : 'Invoice'),
        '"Invoice Date" datetime': ({ one }) => day(one.date),
        '"Due Date" datetime': ({ one }) => day(one.due),
        '"Company Name" text': ({ one }) => one.customer.name,
        '"Address 1" text': ({ one }) => one.customer.street,
        'Town text': ({ one }) => one.customer.city,
        '"Post Code" text': ({ one }) => one.customer.zip,
        'Country text': ({ one }) => one.customer.country,
        '"VAT No" text': ({ one }) => one.customer.vat,
        '"Customer Order No" text': ({ one }) => one.order || null,
        'Terms text': '30 days from invoice',
        'Currency text': ({ one }) => symbol(one),
        '"Product Code" text': ({ line }) => line.item.code,
        'Description text': ({ line }) => line.item.name,
        'Unit text': ({ line }) => unitWords[unitIds[line.item.unit]! - 1]!,
        'Qty double': ({ one, line }) => sign(one) * line.quantity,
        '"Unit Price" currency': ({ line }) => line.price,
        '"Discount %" double': ({ line }) => line.discount / 100,
        'Net currency': ({ one, line }) => sign(one) * line.net,
        'VAT currency': ({ one, line }) => sign(one) * line.tax,
        '"Line Total" currency': ({ one, line }) => sign(one) * lineTotal(line),
        '"Total Net" currency': ({ one }) => sign(one) * one.net,
        '"Total VAT" currency': ({ one }) => sign(one) * one.tax,
        '"Invoice Total" currency': ({ one }) => sign(one) * total(one),
      },
    ),
    'Invoice Types': {
      columns: '*"Invoice Type ID" integer, "Invoice Type" text',
      rows: [
        [1, 'Invoice'],
        [2, 'Credit Note'],
        [3, 'Pro Forma'],
      ],
    },
    'Payment Terms': {
      columns: '*"Terms ID" integer, Terms text, "Days" integer',
      rows: [
        [1, 'Cash with order', 0],
        [2, '30 days from invoice', 30],
        [3, '60 days from invoice', 60],
      ],
    },
    Customers: tableOf(
      customers,
      {
        '*"Customer ID" integer': ({ id }) => id,
        '"Account No" text': ({ code }) => code,
        '"Company Name" text': ({ name }) => name,
        '"First Name" text': ({ first }) => first,
        'Surname text': ({ last }) => last,
        '"Address 1" text': ({ street }) => street,
        '"Address 2" text, "Address 3" text': null,
        'Town text': ({ city }) => city,
        'County text': ({ state }) => state,
        '"Post Code" text': ({ zip }) => zip,
        '"Country ID" integer': ({ country }) => countryId(country),
        'Phone text': ({ phone }) => phone,
        'Mobile text, Fax text': null,
        '"E-mail" text': ({ email }) => email,
        '"VAT No" text': ({ vat }) => vat,
        '"Terms ID" integer': 2,
        '"Default Discount %" double': 0,
        '"On Stop" bit': 0,
        '"Customer Since" datetime': day('2024-05-01'),
        'Comments memo': null,
      },
      { 'Country ID': 'Countries.Country ID' },
    ),
    Countries: {
      columns: '*"Country ID" integer, Country text, "In EU" bit',
      rows: countries.map((country, index) => [
        index + 1,
        country,
        yes(['Germany', 'Spain', 'France', 'Portugal', 'Sweden'].includes(country)),
      ]),
    },
    Products: tableOf(
      items,
      {
        '*"Product ID" integer': ({ id }) => id,
        '"Product Code" text': ({ code }) => code,
        '"Product Name" text': ({ name }) => name,
        '"Long Description" memo': ({ name }) => `${name}, boxed`,
        '"Category ID" integer': ({ unit }) => (unit === 'HR' ? 2 : 1),
        '"Unit ID" integer': ({ unit }) => unitIds[unit]!,
        '"Selling Price" currency': ({ price }) => price,
        '"Cost Price" currency': ({ price }) => round(price / 2),
        '"No VAT" bit': ({ rate }) => yes(rate === 0),
        '"Supplier ID" integer': 1,
        '"Re-order Level" integer, "In Stock" integer': 10,
        'Discontinued bit': 0,
      },
      { 'Unit ID': 'Units.Unit ID' },
    ),
    'Product Categories': {
      columns: '*"Category ID" integer, Category text',
      rows: [
        [1, 'Goods'],
        [2, 'Services'],
      ],
    },
    Units: {
      columns: '*"Unit ID" integer, Unit text',
      rows: unitWords.map((word, index) => [index + 1, word]),
    },
    Staff: {
      columns: '*"Staff ID" integer, "Staff Name" text, Initials text, "Left" bit',
      rows: [
        [1, 'Tom Hill', 'TH', 0],
        [2, 'Anna Berg', 'AB', 0],
      ],
    },
  },
  sections: {
    header: {
      table: 'Invoices',
      key: 'Invoice No',
      match: 'Invoice No',
      where: { 'Invoice Type ID': '1', Void: '0' },
    },
    lines: {
      table: 'Invoice Lines',
      key: 'Line ID',
      match: 'Invoice No',
      matchFrom: 'Invoice No',
    },
    customer: {
      table: 'Customers',
      key: 'Customer ID',
      match: 'Customer ID',
      matchFrom: 'Customer ID',
    },
  },
  // The rate is a row of the settings; which lines have none is told by yes and no.
  fields: {
    number: 'Invoices.Invoice No|Invoice Query.Invoice No',
    issue_date: 'Invoices.Invoice Date|Invoices.Tax Point|Invoice Query.Invoice Date',
    due_date: 'Invoice Query.Due Date',
    'delivery.date': 'Invoices.Delivery Date|Delivery Notes.Delivery Date',
    currency: 'Invoices.Currency!map|Invoice Query.Currency!map',
    purchase_order: 'Invoices.Customer Order No|Invoice Query.Customer Order No',
    buyer_reference: 'Invoices.Customer Order No|Invoice Query.Customer Order No',
    'notes[]': 'Invoices.Notes',
    'payment_terms[].note': 'Payment Terms.Terms|Invoice Query.Terms',
    'totals.net': 'Invoice Query.Total Net',
    'totals.lines': 'Invoice Query.Total Net',
    'totals.tax': 'Invoice Query.Total VAT',
    'totals.gross': 'Invoices.Invoice Total|Invoice Query.Invoice Total',
    'totals.due': 'Invoices.Invoice Total|Invoice Query.Invoice Total',
    'buyer.name': 'Customers.Company Name|Invoice Query.Company Name',
    'buyer.trn': 'Customers.VAT No|Invoice Query.VAT No',
    'PINT-MY:buyer.identifiers[].id': 'Customers.VAT No|Invoice Query.VAT No',
    'buyer.address.line1': 'Customers.Address 1|Invoice Query.Address 1',
    'buyer.address.city': 'Customers.Town|Invoice Query.Town',
    'buyer.address.post_code': 'Customers.Post Code|Invoice Query.Post Code',
    'buyer.address.subdivision': 'Customers.County',
    'buyer.address.country':
      'Countries.Country!map|Customers.Country ID!map|Invoice Query.Country!map',
    'buyer.contact.name': 'Customers.First Name!concat|Customers.Surname!concat',
    'buyer.contact.phone': 'Customers.Phone',
    'buyer.contact.email': 'Customers.E-mail',
    'lines[].id': 'Invoice Lines.Line No|Invoice Lines.Line ID',
    'lines[].sku': 'Products.Product Code|Invoice Query.Product Code',
    'lines[].name': 'Invoice Lines.Description|Products.Product Name|Invoice Query.Description',
    'lines[].description':
      'Invoice Lines.Description|Products.Long Description|Products.Product Name|Invoice Query.Description',
    'lines[].qty': 'Invoice Lines.Qty|Invoice Query.Qty',
    'lines[].unit': 'Units.Unit!map|Products.Unit ID!map|Invoice Query.Unit!map',
    'lines[].unit_price': 'Invoice Lines.Unit Price|Invoice Query.Unit Price',
    'lines[].gross_price': 'Invoice Lines.Unit Price|Invoice Query.Unit Price',
    'lines[].allowances[].percent':
      'Invoice Lines.Discount %!multiply|Invoice Query.Discount %!multiply',
    'lines[].net': 'Invoice Query.Net|Invoice Lines.Line Total!divide,subtract,multiply',
    'lines[].accounting.tax_totals[].amount': 'Invoice Query.VAT',
    'lines[].tax.rate': 'Invoice Lines.No VAT!map|Products.No VAT!map',
    'lines[].tax.category': 'Invoice Lines.No VAT!map|Products.No VAT!map',
  },
};
