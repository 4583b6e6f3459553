import type { Cell, Layout, LayoutTable } from './layout.ts';
import { tableOf } from './tables.ts';
import { bills, byLine, credits, customers, type Invoice, invoices, items } from './trade.ts';

const usDollarsForEuro = 1.0866;
const round = (value: number) => Math.round(value * 100) / 100;
const day = (date: string) => `${date} 00:00:00.000`;
const noDay = '1753-01-01 00:00:00.000';
const later = (date: string, days: number) =>
  day(new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10));
const isForeign = ({ currency }: Invoice) => currency !== 'EUR';
const inBooks = (one: Invoice, amount: number) =>
  isForeign(one) ? round(amount / usDollarsForEuro) : amount;
/** Some orders come from a branch, and the invoice goes to its head office. */
const orderedBy = ({ id, customer }: Invoice) =>
  id % 6 === 0 ? customers[(customers.indexOf(customer) + 1) % customers.length]! : customer;
const countries = [...new Map(customers.map((one) => [one.countryCode, one])).values()];
const contactNumber = (id: number) => `CT${String(id).padStart(6, '0')}`;
const vatGroup = (rate: number) => (rate === 0 ? 'VATZERO' : 'VAT20');
const unitNames: Readonly<Record<string, string>> = {
  PCS: 'Piece',
  M: 'Metre',
  HR: 'Hour',
  L: 'Litre',
  KG: 'Kilo',
};

type Content<T> = Cell | ((row: T, index: number) => Cell);

/** As `tableOf`, for names with spaces: `name|type`. */
function table<T>(all: readonly T[], columns: Readonly<Record<string, Content<T>>>): LayoutTable {
  const quoted = (text: string) => {
    const [name = '', type = ''] = text.replace('*', '').split('|');
    return `${text.startsWith('*') ? '*' : ''}"${name}" ${type}`.trim();
  };
  return tableOf(
    all,
    Object.fromEntries(
      Object.entries(columns).map(([names, content]) => [
        names.split(', ').map(quoted).join(', '),
        content,
      ]),
    ),
  );
}

/** Columns that documents have alike, whether they are posted or not. */
const addresses = {
  'Bill-to Customer No_': ({ customer }: Invoice) => customer.code,
  'Bill-to Name': ({ customer }: Invoice) => customer.name,
  'Bill-to Name 2': '',
  'Bill-to Address': ({ customer }: Invoice) => customer.street,
  'Bill-to Address 2': '',
  'Bill-to City': ({ customer }: Invoice) => customer.city,
  'Bill-to Contact': ({ customer }: Invoice) => `${customer.first} ${customer.last}`,
  'Your Reference': ({ id, customer }: Invoice) => (id % 3 === 0 ? `Dept ${customer.last}` : ''),
  'Ship-to Code': '',
  'Ship-to Name': (one: Invoice) => orderedBy(one).name,
  'Ship-to Name 2': '',
  'Ship-to Address': 'Dock 4',
  'Ship-to Address 2': '',
  'Ship-to City': (one: Invoice) => orderedBy(one).city,
  'Ship-to Contact': '',
  'Order Date|datetime': ({ date }: Invoice) => later(date, -4),
  'Posting Date|datetime': ({ date }: Invoice) => day(date),
  'Shipment Date|datetime': ({ date }: Invoice) => later(date, -1),
} as const;

const terms = {
  'Payment Terms Code': '30 DAYS',
  'Due Date|datetime': ({ due }: Invoice) => day(due),
  'Payment Discount _|decimal': 0,
  'Pmt_ Discount Date|datetime': ({ date }: Invoice) => day(date),
  'Shipment Method Code': 'EXW',
  'Location Code': 'BLUE',
  'Shortcut Dimension 1 Code': 'SALES',
  'Shortcut Dimension 2 Code': '',
  'Customer Posting Group': 'DOMESTIC',
  'Currency Code': (one: Invoice) => (isForeign(one) ? one.currency : ''),
  'Currency Factor|decimal': (one: Invoice) => (isForeign(one) ? usDollarsForEuro : 0),
  'Customer Price Group': '',
  'Prices Including VAT|tinyint': 0,
  'Invoice Disc_ Code': ({ customer }: Invoice) => customer.code,
  'Customer Disc_ Group, Language Code': '',
  'Salesperson Code': 'LK',
  'No_ Printed|integer': 1,
  'On Hold': '',
  'Applies-to Doc_ Type|integer': 0,
  'Applies-to Doc_ No_, Bal_ Account No_': '',
  'VAT Registration No_': ({ customer }: Invoice) => customer.vat,
  'Reason Code': '',
  'Gen_ Bus_ Posting Group': 'DOMESTIC',
  'EU 3-Party Trade|tinyint': 0,
  'Transaction Type, Transport Method': '',
  'VAT Country_Region Code': ({ customer }: Invoice) => customer.countryCode,
} as const;

const orderers = {
  'Sell-to Customer Name': (one: Invoice) => orderedBy(one).name,
  'Sell-to Customer Name 2': '',
  'Sell-to Address': (one: Invoice) => orderedBy(one).street,
  'Sell-to Address 2': '',
  'Sell-to City': (one: Invoice) => orderedBy(one).city,
  'Sell-to Contact': (one: Invoice) => `${orderedBy(one).first} ${orderedBy(one).last}`,
  'Bill-to Post Code': ({ customer }: Invoice) => customer.zip,
  'Bill-to County': ({ customer }: Invoice) => customer.state,
  'Bill-to Country_Region Code': ({ customer }: Invoice) => customer.countryCode,
  'Sell-to Post Code': (one: Invoice) => orderedBy(one).zip,
  'Sell-to County': (one: Invoice) => orderedBy(one).state,
  'Sell-to Country_Region Code': (one: Invoice) => orderedBy(one).countryCode,
  'Ship-to Post Code': (one: Invoice) => orderedBy(one).zip,
  'Ship-to County': (one: Invoice) => orderedBy(one).state,
  'Ship-to Country_Region Code': (one: Invoice) => orderedBy(one).countryCode,
  'Bal_ Account Type|integer': 0,
  'Exit Point': '',
  'Correction|tinyint': 0,
  'Document Date|datetime': ({ date }: Invoice) => day(date),
  'External Document No_': ({ order }: Invoice) => order,
  'Area, Transaction Specification': '',
  'Payment Method Code': ({ id }: Invoice) => (id % 4 === 0 ? 'CASH' : 'BANK'),
  'Shipping Agent Code, Package Tracking No_': '',
} as const;

const system = {
  'User ID': 'CRONUS\\LENA',
  'Source Code': 'SALES',
  'Tax Area Code': '',
  'Tax Liable|tinyint': 0,
  'VAT Bus_ Posting Group': 'DOMESTIC',
  'VAT Base Discount _|decimal': 0,
  'Invoice Discount Calculation|integer': 0,
  'Invoice Discount Value|decimal': 0,
  'Quote No_': '',
  'Sell-to Phone No_': (one: Invoice) => orderedBy(one).phone,
  'Sell-to E-Mail': (one: Invoice) => orderedBy(one).email,
  'Payment Reference': '',
  'Work Description': null,
  'Dimension Set ID|integer': 4,
  'Document Exchange Identifier': '',
  'Document Exchange Status|integer': 0,
  'Direct Debit Mandate ID': '',
  'Cust_ Ledger Entry No_|integer': ({ id }: Invoice) => id - 1000,
  'Campaign No_': '',
  'Sell-to Contact No_': (one: Invoice) => contactNumber(orderedBy(one).id),
  'Bill-to Contact No_': ({ customer }: Invoice) => contactNumber(customer.id),
  'Opportunity No_, Responsibility Center': '',
  'Allow Line Disc_|tinyint': 1,
  $systemId: ({ id }: Invoice) => `8F3C0B1A-77D1-4E6B-9A31-${String(id).padStart(12, '0')}`,
} as const;

const postedHeader = (of: readonly Invoice[], prefix: string, series: string) =>
  table(of, {
    'timestamp|binary': ({ id }) => `0x${id}`,
    '*No_': ({ id }) => `${prefix}${99_000 + id}`,
    'Sell-to Customer No_': (one) => orderedBy(one).code,
    ...addresses,
    'Posting Description': ({ id }) => `Order ${1000 + id}`,
    ...terms,
    'Order No_': ({ id }) => String(97_000 + id),
    ...orderers,
    'Pre-Assigned No_ Series': '',
    'No_ Series': series,
    'Order No_ Series': 'S-ORD',
    'Pre-Assigned No_': '',
    ...system,
  });

interface Row {
  readonly one: Invoice;
  readonly line: Invoice['lines'][number];
  /** A line of words stands between the goods. */
  readonly words?: string;
}

const rowsOf = (of: readonly Invoice[]): readonly Row[] =>
  byLine(of, (one, line) => ({ one, line })).flatMap((row) =>
    row.line.position === 1 && row.one.id % 5 === 0
      ? [row, { ...row, words: 'Delivered in two parts' }]
      : [row],
  );

/** Nothing but the words stands in a line of words. */
const unless = (content: (row: Row) => Cell, empty: Cell) => (row: Row) =>
  row.words === undefined ? content(row) : empty;
const text = (content: (row: Row) => Cell) => unless(content, '');
const amount = (content: (row: Row) => Cell) => unless(content, 0);

const lineColumns = {
  'Line No_|integer': ({ line, words }: Row) => line.position * 10_000 + (words ? 5_000 : 0),
  'Sell-to Customer No_': ({ one }: Row) => orderedBy(one).code,
  'Type|integer': amount(() => 2),
  No_: text(({ line }) => line.item.code),
  'Location Code': text(() => 'BLUE'),
  'Posting Group': text(() => 'RESALE'),
  'Shipment Date|datetime': ({ one }: Row) => later(one.date, -1),
  Description: ({ line, words }: Row) => words ?? line.item.name,
  'Description 2': '',
  'Unit of Measure': text(({ line }) => unitNames[line.item.unit] ?? ''),
  'Quantity|decimal': amount(({ line }) => line.quantity),
  'Unit Price|decimal': amount(({ line }) => line.price),
  'Unit Cost (LCY)|decimal': amount(({ line }) => line.item.price / 2),
  'VAT _|decimal': amount(({ line }) => line.item.rate),
  'Line Discount _|decimal': amount(({ line }) => line.discount),
  'Line Discount Amount|decimal': amount(({ line }) =>
    round(line.quantity * line.price - line.net),
  ),
  'Amount|decimal': amount(({ line }) => line.net),
  'Amount Including VAT|decimal': amount(({ line }) => round(line.net + line.tax)),
  'Allow Invoice Disc_|tinyint': 1,
  'Gross Weight|decimal, Net Weight|decimal': amount(() => 2.5),
  'Units per Parcel|decimal, Unit Volume|decimal': 0,
  'Appl_-to Item Entry|integer': 0,
  'Shortcut Dimension 1 Code': 'SALES',
  'Shortcut Dimension 2 Code, Customer Price Group, Job No_, Work Type Code': '',
  'Bill-to Customer No_': ({ one }: Row) => one.customer.code,
  'Inv_ Discount Amount|decimal': 0,
  'Drop Shipment|tinyint': 0,
  'Gen_ Bus_ Posting Group': text(() => 'DOMESTIC'),
  'Gen_ Prod_ Posting Group': text(() => 'RETAIL'),
  'VAT Calculation Type|integer': 0,
  'Transaction Type, Transport Method': '',
  'Attached to Line No_|integer': ({ line, words }: Row) => (words ? line.position * 10_000 : 0),
  'Tax Category, Tax Area Code, Tax Group Code, VAT Clause Code': '',
  'Tax Liable|tinyint': 0,
  'VAT Bus_ Posting Group': text(() => 'DOMESTIC'),
  'VAT Prod_ Posting Group': text(({ line }) => vatGroup(line.item.rate)),
  'VAT Base Amount|decimal': amount(({ line }) => line.net),
  'Unit Cost|decimal': amount(({ line }) => line.item.price / 2),
  'System-Created Entry|tinyint': 0,
  'Line Amount|decimal': amount(({ line }) => line.net),
  'VAT Difference|decimal': 0,
  'VAT Identifier': text(({ line }) => vatGroup(line.item.rate)),
  'Posting Date|datetime': ({ one }: Row) => day(one.date),
  'Dimension Set ID|integer': 4,
  'Variant Code, Bin Code': '',
  'Qty_ per Unit of Measure|decimal': amount(() => 1),
  'Unit of Measure Code': text(({ line }) => line.item.unit),
  'Quantity (Base)|decimal': amount(({ line }) => line.quantity),
  'Responsibility Center': '',
  'Item Category Code': text(() => 'PUMPS'),
  'Nonstock|tinyint': 0,
  'Return Reason Code': '',
} as const;

const postedLines = (of: readonly Invoice[], prefix: string) =>
  table(rowsOf(of), {
    'timestamp|binary': ({ line }) => `0x${line.id}`,
    '*Document No_': ({ one }) => `${prefix}${99_000 + one.id}`,
    ...Object.fromEntries(
      Object.entries(lineColumns).map(([name, content]) => [
        name.startsWith('Line No_') ? `*${name}` : name,
        content,
      ]),
    ),
    'Order No_': ({ one }) => String(97_000 + one.id),
    'Order Line No_|integer': ({ line }) => line.position * 10_000,
    'Shipment No_': ({ one }) => `S${one.id}`,
  });

/**
 * Posted documents in tables of their own, apart from those that can still be changed; names with spaces, none null, the
 * firm's own currency left empty, totals worked out and not kept, no foreign keys (Dynamics 365 Business Central, formerly
 * NAV, with the firm before each name). Lines of type 2 are goods, those of type 0 have words only.
 */
export const postedDocuments: Layout = {
  name: 'posted-documents',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    'CRONUS$Sales Invoice Header': postedHeader(bills, 'PS-INV', 'S-INV+'),
    'CRONUS$Sales Invoice Line': postedLines(bills, 'PS-INV'),
    'CRONUS$Sales Cr_Memo Header': postedHeader(credits, 'PS-CR', 'S-CR+'),
    'CRONUS$Sales Cr_Memo Line': postedLines(credits, 'PS-CR'),
    'CRONUS$Sales Shipment Header': postedHeader(bills, 'S', 'S-SHPT'),
    'CRONUS$Sales Shipment Line': postedLines(bills, 'S'),
    'CRONUS$Sales Header': table(invoices.slice(-12), {
      'timestamp|binary': ({ id }) => `0x${id}`,
      '*Document Type|integer': ({ isDraft }) => (isDraft ? 2 : 1),
      '*No_': ({ id }) => String(98_000 + id),
      'Sell-to Customer No_': (one) => orderedBy(one).code,
      ...addresses,
      'Posting Description': ({ id }) => `Order ${98_000 + id}`,
      ...terms,
      ...orderers,
      'Posting No_, Last Posting No_': '',
      'Ship|tinyint, Invoice|tinyint': 0,
      'Status|integer': ({ isDraft }) => (isDraft ? 0 : 1),
      ...system,
    }),
    'CRONUS$Sales Line': table(rowsOf(invoices.slice(-12)), {
      'timestamp|binary': ({ line }) => `0x${line.id}`,
      '*Document Type|integer': ({ one }) => (one.isDraft ? 2 : 1),
      '*Document No_': ({ one }) => String(98_000 + one.id),
      ...Object.fromEntries(
        Object.entries(lineColumns).map(([name, content]) => [
          name.startsWith('Line No_') ? `*${name}` : name,
          content,
        ]),
      ),
      'Outstanding Quantity|decimal, Qty_ to Invoice|decimal': amount(({ line }) => line.quantity),
      'Quantity Shipped|decimal, Quantity Invoiced|decimal': 0,
    }),
    'CRONUS$Sales Comment Line': table(bills.slice(0, 9), {
      '*Document Type|integer': 7,
      '*No_': ({ id }) => `PS-INV${99_000 + id}`,
      '*Document Line No_|integer': 0,
      '*Line No_|integer': 10_000,
      'Date|datetime': ({ date }) => day(date),
      Code: '',
      Comment: 'Called, wants it before noon',
    }),
    CRONUS$Customer: table(customers, {
      'timestamp|binary': ({ id }) => `0x${id}`,
      '*No_': ({ code }) => code,
      Name: ({ name }) => name,
      'Search Name': ({ name }) => name.toUpperCase(),
      'Name 2': '',
      Address: ({ street }) => street,
      'Address 2': '',
      City: ({ city }) => city,
      Contact: ({ first, last }) => `${first} ${last}`,
      'Phone No_': ({ phone }) => phone,
      'Telex No_, Document Sending Profile, Our Account No_, Territory Code': '',
      'Global Dimension 1 Code, Global Dimension 2 Code, Chain Name': '',
      'Budgeted Amount|decimal, Credit Limit (LCY)|decimal': 0,
      'Customer Posting Group': 'DOMESTIC',
      'Currency Code, Customer Price Group, Language Code': '',
      'Statistics Group|integer': 0,
      'Payment Terms Code': '30 DAYS',
      'Fin_ Charge Terms Code': '',
      'Salesperson Code': 'LK',
      'Shipment Method Code': 'EXW',
      'Shipping Agent Code, Place of Export': '',
      'Invoice Disc_ Code': ({ code }) => code,
      'Customer Disc_ Group': '',
      'Country_Region Code': ({ countryCode }) => countryCode,
      'Collection Method': '',
      'Amount|decimal': 0,
      'Blocked|integer': 0,
      'Invoice Copies|integer': 0,
      'Last Statement No_|integer': 0,
      'Print Statements|tinyint': 0,
      'Bill-to Customer No_': '',
      'Priority|integer': 0,
      'Payment Method Code': 'BANK',
      'Last Modified Date Time|datetime': '2025-12-01 10:21:17.330',
      'Last Date Modified|datetime': '2025-12-01 00:00:00.000',
      'Application Method|integer': 0,
      'Prices Including VAT|tinyint': 0,
      'Location Code': 'BLUE',
      'Fax No_, Telex Answer Back': '',
      'VAT Registration No_': ({ vat }) => vat,
      'Combine Shipments|tinyint': 0,
      'Gen_ Bus_ Posting Group': 'DOMESTIC',
      GLN: '',
      'Post Code': ({ zip }) => zip,
      County: ({ state }) => state,
      'E-Mail': ({ email }) => email,
      'Home Page, Reminder Terms Code, No_ Series, Tax Area Code': '',
      'Tax Liable|tinyint': 0,
      'VAT Bus_ Posting Group': 'DOMESTIC',
      'Reserve|integer': 1,
      'Block Payment Tolerance|tinyint': 0,
      'IC Partner Code': '',
      'Prepayment _|decimal': 0,
      'Registration Number': ({ id }) => `HRB ${4000 + id}`,
      'Primary Contact No_': ({ id }) => contactNumber(id),
      'Responsibility Center': '',
      'Shipping Advice|integer': 0,
      'Shipping Time, Service Zone Code': '',
      'Ship-to Code': '',
    }),
    'CRONUS$Ship-to Address': table(customers.slice(0, 4), {
      '*Customer No_': ({ code }) => code,
      '*Code': 'DOCK',
      Name: ({ name }) => name,
      Address: 'Dock 4',
      City: ({ city }) => city,
      'Post Code': ({ zip }) => zip,
      'Country_Region Code': ({ countryCode }) => countryCode,
    }),
    CRONUS$Contact: table(customers, {
      '*No_': ({ id }) => contactNumber(id),
      Name: ({ name }) => name,
      Address: ({ street }) => street,
      City: ({ city }) => city,
      'Phone No_': ({ phone }) => phone,
      'Country_Region Code': ({ countryCode }) => countryCode,
      'VAT Registration No_': ({ vat }) => vat,
      'Post Code': ({ zip }) => zip,
      'E-Mail': ({ email }) => email,
      'Type|integer': 0,
      'Company No_': ({ id }) => contactNumber(id),
      'Mobile Phone No_': '',
    }),
    CRONUS$Item: table(items, {
      'timestamp|binary': ({ id }) => `0x${id}`,
      '*No_': ({ code }) => code,
      'No_ 2': '',
      Description: ({ name }) => name,
      'Search Description': ({ name }) => name.toUpperCase(),
      'Description 2': '',
      'Base Unit of Measure': ({ unit }) => unit,
      'Type|integer': ({ unit }) => (unit === 'HR' ? 1 : 0),
      'Inventory Posting Group': 'RESALE',
      'Shelf No_': '',
      'Unit Price|decimal': ({ price }) => price,
      'Profit _|decimal': 50,
      'Costing Method|integer': 0,
      'Unit Cost|decimal, Standard Cost|decimal, Last Direct Cost|decimal': ({ price }) =>
        price / 2,
      'Vendor No_': '10000',
      'Gross Weight|decimal, Net Weight|decimal': 2.5,
      'Tariff No_, Country_Region of Origin Code': '',
      'Blocked|tinyint': 0,
      'Gen_ Prod_ Posting Group': 'RETAIL',
      'VAT Prod_ Posting Group': ({ rate }) => vatGroup(rate),
      'Sales Unit of Measure, Purch_ Unit of Measure': ({ unit }) => unit,
      'Item Category Code': 'PUMPS',
      GTIN: '',
    }),
    'CRONUS$Unit of Measure': table(Object.entries(unitNames), {
      '*Code': ([code]) => code,
      Description: ([, name]) => name,
      'International Standard Code': ([code]) =>
        ({ PCS: 'EA', M: 'MTR', HR: 'HUR', L: 'LTR', KG: 'KGM' })[code] ?? '',
      Symbol: '',
    }),
    CRONUS$Country_Region: table(countries, {
      '*Code': ({ countryCode }) => countryCode,
      Name: ({ country }) => country,
      'ISO Code': ({ countryCode }) => countryCode,
      'ISO Numeric Code, EU Country_Region Code, Intrastat Code': '',
      'Address Format|integer': 1,
      'VAT Scheme': ({ countryCode }) => ({ DE: '9930', FR: '9957' })[countryCode] ?? '',
    }),
    CRONUS$Currency: table(['USD', 'GBP'], {
      '*Code': (code) => code,
      'Last Date Modified|datetime': noDay,
      'ISO Code': (code) => code,
      'ISO Numeric Code': '',
      Description: (code) => (code === 'USD' ? 'US dollar' : 'Pound sterling'),
      'Amount Rounding Precision|decimal': 0.01,
      Symbol: '',
    }),
    'CRONUS$Currency Exchange Rate': table(['USD'], {
      '*Currency Code': (code) => code,
      '*Starting Date|datetime': '2026-01-01 00:00:00.000',
      'Exchange Rate Amount|decimal': usDollarsForEuro * 100,
      'Adjustment Exch_ Rate Amount|decimal': usDollarsForEuro * 100,
      'Relational Currency Code': '',
      'Relational Exch_ Rate Amount|decimal': 100,
      'Fix Exchange Rate Amount|integer': 0,
      'Relational Adjmt Exch Rate Amt|decimal': 100,
    }),
    'CRONUS$Payment Terms': {
      columns:
        '*"Code", "Due Date Calculation", "Discount Date Calculation", "Discount _" decimal, "Description", "Calc_ Pmt_ Disc_ on Cr_ Memos" tinyint',
      rows: [
        ['30 DAYS', '30D', '', 0, 'Net 30 days', 0],
        ['COD', '0D', '', 0, 'Cash on delivery', 0],
      ],
    },
    'CRONUS$Payment Method': {
      columns: '*"Code", "Description", "Bal_ Account Type" integer, "Bal_ Account No_"',
      rows: [
        ['BANK', 'Bank Transfer', 0, ''],
        ['CASH', 'Cash payment', 0, '2910'],
      ],
    },
    'CRONUS$VAT Posting Setup': {
      columns:
        '*"VAT Bus_ Posting Group", *"VAT Prod_ Posting Group", "VAT Calculation Type" integer, "VAT _" decimal, "Unrealized VAT Type" integer, "Sales VAT Account", "VAT Identifier", "EU Service" tinyint, "VAT Clause Code", "Tax Category"',
      rows: [
        ['DOMESTIC', 'VAT20', 0, 20, 0, '5610', 'VAT20', 0, '', 'S'],
        ['DOMESTIC', 'VATZERO', 0, 0, 0, '5610', 'VATZERO', 0, '', 'Z'],
      ],
    },
    'CRONUS$VAT Product Posting Group': {
      columns: '*"Code", "Description"',
      rows: [
        ['VAT20', 'Standard VAT (20%)'],
        ['VATZERO', 'Zero VAT'],
      ],
    },
    'CRONUS$Cust_ Ledger Entry': table(bills, {
      '*Entry No_|integer': ({ id }) => id - 1000,
      'Customer No_': ({ customer }) => customer.code,
      'Posting Date|datetime': ({ date }) => day(date),
      'Document Type|integer': 2,
      'Document No_': ({ id }) => `PS-INV${99_000 + id}`,
      Description: ({ id }) => `Order ${97_000 + id}`,
      'Currency Code': (one) => (isForeign(one) ? one.currency : ''),
      'Sales (LCY)|decimal': (one) => inBooks(one, one.net),
      'Sell-to Customer No_': (one) => orderedBy(one).code,
      'Due Date|datetime': ({ due }) => day(due),
      'Open|tinyint': 1,
      'Document Date|datetime': ({ date }) => day(date),
      'External Document No_': ({ order }) => order,
      'Closed at Date|datetime': noDay,
    }),
    'CRONUS$Detailed Cust_ Ledg_ Entry': table(bills, {
      '*Entry No_|integer': ({ id }) => id + 3000,
      'Cust_ Ledger Entry No_|integer': ({ id }) => id - 1000,
      'Entry Type|integer': 1,
      'Posting Date|datetime': ({ date }) => day(date),
      'Document Type|integer': 2,
      'Document No_': ({ id }) => `PS-INV${99_000 + id}`,
      'Amount|decimal': ({ gross }) => gross,
      'Amount (LCY)|decimal': (one) => inBooks(one, one.gross),
      'Customer No_': ({ customer }) => customer.code,
      'Currency Code': (one) => (isForeign(one) ? one.currency : ''),
    }),
    'CRONUS$VAT Entry': table(bills, {
      '*Entry No_|integer': ({ id }) => id + 5000,
      'Gen_ Bus_ Posting Group': 'DOMESTIC',
      'Posting Date|datetime': ({ date }) => day(date),
      'Document No_': ({ id }) => `PS-INV${99_000 + id}`,
      'Document Type|integer': 2,
      'Type|integer': 2,
      'Base|decimal': (one) => -inBooks(one, one.net),
      'Amount|decimal': (one) => -inBooks(one, one.tax),
      'Bill-to_Pay-to No_': ({ customer }) => customer.code,
      'VAT Registration No_': ({ customer }) => customer.vat,
    }),
    'CRONUS$Purch_ Inv_ Header': table(bills.slice(0, 14), {
      '*No_': ({ id }) => String(108_000 + id),
      'Buy-from Vendor No_, Pay-to Vendor No_': '10000',
      'Pay-to Name': 'Mill Supplies',
      'Pay-to Address': 'Kai 4',
      'Pay-to City': 'Hamburg',
      'Your Reference': '',
      'Order Date|datetime, Posting Date|datetime, Document Date|datetime': ({ date }) => day(date),
      'Due Date|datetime': ({ due }) => day(due),
      'Currency Code': '',
      'Currency Factor|decimal': 0,
      'Vendor Invoice No_': ({ id }) => `M-${id}`,
      'VAT Registration No_': 'DE811111111',
      'Pay-to Post Code': '20457',
      'Pay-to Country_Region Code': 'DE',
    }),
    'CRONUS$Purch_ Inv_ Line': table(rowsOf(bills.slice(0, 14)), {
      '*Document No_': ({ one }) => String(108_000 + one.id),
      '*Line No_|integer': ({ line, words }) => line.position * 10_000 + (words ? 5_000 : 0),
      'Type|integer': amount(() => 2),
      No_: text(({ line }) => line.item.code),
      Description: ({ line, words }) => words ?? line.item.name,
      'Quantity|decimal': amount(({ line }) => line.quantity),
      'Direct Unit Cost|decimal': amount(({ line }) => line.price / 2),
      'VAT _|decimal': amount(({ line }) => line.item.rate),
      'Amount|decimal': amount(({ line }) => round(line.net / 2)),
      'Unit of Measure Code': text(({ line }) => line.item.unit),
    }),
    CRONUS$Vendor: {
      columns:
        '*"No_", "Name", "Address", "City", "Phone No_", "VAT Registration No_", "Post Code", "E-Mail"',
      rows: [
        ['10000', 'Mill Supplies', 'Kai 4', 'Hamburg', '', 'DE811111111', '20457', 'a@b.example'],
      ],
    },
    'CRONUS$Item Ledger Entry': table(
      byLine(bills, (one, line) => ({ one, line })),
      {
        '*Entry No_|integer': ({ line }) => line.id,
        'Item No_': ({ line }) => line.item.code,
        'Posting Date|datetime': ({ one }) => day(one.date),
        'Entry Type|integer': 1,
        'Source No_': ({ one }) => orderedBy(one).code,
        'Document No_': ({ one }) => `S${99_000 + one.id}`,
        Description: '',
        'Quantity|decimal, Invoiced Quantity|decimal': ({ line }) => -line.quantity,
        'Unit of Measure Code': ({ line }) => line.item.unit,
      },
    ),
    'CRONUS$G_L Account': {
      columns:
        '*"No_", "Name", "Account Type" integer, "Income_Balance" integer, "Blocked" tinyint',
      rows: [
        ['2310', 'Customers Domestic', 0, 1, 0],
        ['5610', 'Sales VAT', 0, 1, 0],
        ['6110', 'Sales, Retail', 0, 0, 0],
      ],
    },
    CRONUS$Salesperson_Purchaser: {
      columns: '*"Code", "Name", "Commission _" decimal, "E-Mail", "Phone No_"',
      rows: [['LK', 'Lena Kurz', 2, 'l@b.example', '']],
    },
    'CRONUS$Company Information': {
      columns:
        '*"Primary Key", "Name", "Address", "City", "Phone No_", "Bank Name", "IBAN", "VAT Registration No_", "Post Code", "Country_Region Code"',
      rows: [
        ['', 'CRONUS International', 'Ring 5', 'Berlin', '', '', '', 'DE123456789', '10115', 'DE'],
      ],
    },
    'CRONUS$No_ Series Line': {
      columns:
        '*"Series Code", *"Line No_" integer, "Starting No_", "Last No_ Used", "Open" tinyint',
      rows: [
        ['S-INV+', 10_000, 'PS-INV103001', 'PS-INV103045', 1],
        ['S-CR+', 10_000, 'PS-CR103001', 'PS-CR103041', 1],
      ],
    },
    User: {
      columns: '*"User Security ID", "User Name", "Full Name", "State" integer',
      rows: [['9F2C', 'CRONUS\\LENA', 'Lena Kurz', 0]],
    },
  },
  sections: {
    header: { table: 'CRONUS$Sales Invoice Header', key: 'No_', match: 'No_' },
    lines: {
      table: 'CRONUS$Sales Invoice Line',
      key: 'Line No_',
      match: 'Document No_',
      matchFrom: 'No_',
      where: { Type: '2' },
    },
    customer: {
      table: 'CRONUS$Customer',
      key: 'No_',
      match: 'No_',
      matchFrom: 'Bill-to Customer No_',
    },
  },
  fields: Object.fromEntries(
    Object.entries({
      number: 'H.No_',
      issue_date: 'H.Document Date|H.Posting Date|L.Posting Date',
      due_date: 'H.Due Date',
      'delivery.date': 'H.Shipment Date|L.Shipment Date',
      currency: 'H.Currency Code|F.Currency.Code|F.Currency.ISO Code',
      'exchange_rate.rate':
        'H.Currency Factor!divide|F.Currency Exchange Rate.Exchange Rate Amount!divide|' +
        'F.Currency Exchange Rate.Relational Exch_ Rate Amount!divide',
      purchase_order: 'H.External Document No_',
      buyer_reference: 'H.Your Reference|H.External Document No_',
      'payment_terms[].note': 'F.Payment Terms.Description',
      'payment_means[].code':
        'H.Payment Method Code!map|F.Payment Method.Code!map|F.Payment Method.Description!map',
      'buyer.name': 'H.Bill-to Name|C.Name',
      'buyer.trn': 'H.VAT Registration No_|C.VAT Registration No_|F.Contact.VAT Registration No_',
      'PINT-MY:buyer.identifiers[].id': 'H.VAT Registration No_|C.VAT Registration No_',
      'buyer.registration_id': 'C.Registration Number',
      'buyer.address.line1': 'H.Bill-to Address|C.Address',
      'buyer.address.line2': 'H.Bill-to Address 2|C.Address 2',
      'buyer.address.city': 'H.Bill-to City|C.City',
      'buyer.address.post_code': 'H.Bill-to Post Code|C.Post Code',
      'buyer.address.subdivision': 'H.Bill-to County|C.County',
      'buyer.address.country':
        'H.Bill-to Country_Region Code|C.Country_Region Code|F.Country_Region.Code|F.Country_Region.ISO Code|' +
        'F.Country_Region.Name!map|H.VAT Country_Region Code',
      'buyer.contact.name': 'H.Bill-to Contact|C.Contact',
      'buyer.contact.phone': 'C.Phone No_|F.Contact.Phone No_',
      'buyer.contact.email': 'C.E-Mail|F.Contact.E-Mail',
      'lines[].id': 'L.Line No_',
      'lines[].sku': 'L.No_|F.Item.No_',
      'lines[].name': 'L.Description|F.Item.Description',
      'lines[].description': 'L.Description|F.Item.Description',
      'lines[].qty': 'L.Quantity|L.Quantity (Base)',
      'lines[].unit':
        'L.Unit of Measure Code!map|L.Unit of Measure!map|F.Unit of Measure.International Standard Code!map|' +
        'F.Unit of Measure.Code!map|F.Unit of Measure.Description!map|F.Item.Base Unit of Measure!map|F.Item.Sales Unit of Measure!map',
      'lines[].unit_price': 'L.Unit Price',
      'lines[].gross_price': 'L.Unit Price',
      'lines[].allowances[].percent': 'L.Line Discount _',
      'lines[].allowances[].amount': 'L.Line Discount Amount',
      'lines[].net': 'L.Amount|L.Line Amount|L.VAT Base Amount',
      'lines[].tax.rate': 'L.VAT _|F.VAT Posting Setup.VAT _',
      'lines[].tax.category':
        'L.VAT Identifier!map|L.VAT _!map|L.VAT Prod_ Posting Group!map|F.VAT Posting Setup.VAT _!map|F.VAT Posting Setup.Tax Category|' +
        'F.VAT Posting Setup.VAT Identifier!map|F.VAT Product Posting Group.Code!map|F.VAT Product Posting Group.Description!map',
    }).map(([target, columns]) => [target, named(columns)]),
  ),
};

/** `H`, `L` and `C` are header, line and customer, `F` any other table of the firm. */
function named(columns: string): string {
  const tables: Readonly<Record<string, string>> = {
    H: 'CRONUS$Sales Invoice Header.',
    L: 'CRONUS$Sales Invoice Line.',
    C: 'CRONUS$Customer.',
    F: 'CRONUS$',
  };
  return columns
    .split('|')
    .map((column) => column.replace(/^([HLCF])\./, (_whole, letter: string) => tables[letter]!))
    .join('|');
}
