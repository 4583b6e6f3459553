import { cents, total } from './enterprise-trade.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';

const texts = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((row) => row.split(';').map((cell) => cell.trim()));
const after = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
const or = (text: string) => (text === '' ? null : text);
const stamps = (date: string) =>
  ({ 'created_at datetime': at(date, '09:12:44'), 'updated_at datetime': null }) as const;
const made = '2025-11-03';

/** Name; first and last name; street; second line; city; state; code; country; telephone; mail; mail of the firm; currency. */
const customers = texts(`
Wexford Arts Centre;Niamh;Doyle;14 Cornmarket;;Wexford;Co. Wexford;Y35 X5HF;Ireland;+353 53 912 3764;niamh@wexfordarts.example;accounts@wexfordarts.example;EUR
Murphy & Keane Solicitors;Conor;Keane;22 Fitzwilliam Square;2nd floor;Dublin 2;Co. Dublin;D02 VF66;Ireland;+353 1 676 5540;ckeane@mklaw.example;;EUR
Shannon Aero Leasing DAC;Deirdre;Hogan;Airport Business Park, Unit 4;;Shannon;Co. Clare;V14 AE81;Ireland;+353 61 471 220;dhogan@shannonaero.example;payables@shannonaero.example;EUR
Scoil Bhríde;;;Church Road;;Naas;Co. Kildare;W91 K2XP;Ireland;+353 45 866 013;office@scoilbhride.example;;EUR
Galway Oyster Trail;Pádraig;Ó Flatharta;5 Quay Lane;;Galway;Co. Galway;H91 E9PR;Ireland;;padraig@oystertrail.example;;EUR
Camden Gallery Ltd;Harriet;Lowe;81 Parkway;;London;;NW1 7PP;United Kingdom;+44 20 7485 0917;harriet@camdengallery.example;finance@camdengallery.example;GBP
Ards Boatyard Ltd;Stephen;McKee;3 Harbour Road;;Portavogie;County Down;BT22 1EA;United Kingdom;+44 28 4277 1108;stephen@ardsboatyard.example;;GBP
Éditions du Ponant SARL;Gaëlle;Le Bras;27 rue de Siam;;Brest;Bretagne;29200;France;+33 2 98 44 10 62;glebras@ponant.example;compta@ponant.example;EUR
Beacon Hill Books LLC;Martha;Quinlan;118 Charles Street;Suite 2;Boston;MA;02114;United States;+1 617 555 0188;martha@beaconhillbooks.example;;USD
`).map(
  (
    [
      name = '',
      first = '',
      last = '',
      street = '',
      street2 = '',
      city = '',
      state = '',
      zip = '',
      country = '',
      phone = '',
      mail = '',
      firmMail = '',
      currency = '',
    ],
    index,
  ) => ({
    name,
    first,
    last,
    street,
    street2,
    city,
    state,
    zip,
    country,
    phone,
    mail,
    firmMail,
    currency,
    service: 'customer',
    isHome: country === 'Ireland',
    // Suppliers stand between them.
    id: 1 + index + Math.floor(index / 4),
  }),
);
const vendors = texts(`
Irish Paper Mills Ltd;Tom;Brennan;Long Mile Road;Dublin 12;Co. Dublin;D12 PX40;Ireland;+353 1 450 7781;orders@irishpaper.example;EUR
Farbwerk Köln GmbH;Ute;Stahl;Industriestraße 161;Köln;NRW;50999;Germany;+49 2236 96 440;verkauf@farbwerk.example;EUR
`).map(
  (
    [
      name = '',
      first = '',
      last = '',
      street = '',
      city = '',
      state = '',
      zip = '',
      country = '',
      phone = '',
      mail = '',
      currency = '',
    ],
    index,
  ) => ({
    name,
    first,
    last,
    street,
    city,
    state,
    zip,
    country,
    phone,
    mail,
    currency,
    street2: '',
    firmMail: '',
    service: 'vendor',
    isHome: country === 'Ireland',
    id: 5 + index * 5,
  }),
);
const contacts = [...customers, ...vendors].sort((one, other) => one.id - other.id);
type Contact = (typeof contacts)[number];

const taxRates = texts(`
Standard rate;VAT23;23;Goods and services at the standard rate
Reduced rate;VAT135;13.5;Repairs
Second reduced rate;VAT9;9;Tickets and newspapers
Zero rate;ZERO;0;Books and brochures
Exports;EXPORT;0;Goods and services sold abroad
`).map(([name = '', code = '', rate = '', text = ''], index) => ({
  name,
  code,
  text,
  id: index + 1,
  rate: Number(rate),
}));
const abroad = taxRates[4]!;

/** Code; name; kind; price; cost; rate of tax; text for sales. */
const items = texts(`
PAP-A4-80;Copy paper A4 80 g;inventory;26.5;17.2;VAT23;Box of five reams
ENV-DL-1K;Envelopes DL;inventory;38;24.5;VAT23;
BRO-A5-16;Brochure A5, 16 pages;non-inventory;1.35;0.6;ZERO;Printed in four colours, stapled
BOK-HC-21;Book, hard cover;non-inventory;14.8;8;ZERO;
DES-HOUR;Design work;service;68;0;VAT23;Per hour
BIN-REP;Repair of bindings;service;22;0;VAT135;Per volume
TIC-100;Event tickets;non-inventory;9.6;3.1;VAT9;Numbered, one hundred
INK-CY-7;Ink cartridge, cyan;inventory;74.25;51;VAT23;
`).map(([code = '', name = '', type = '', price = '', cost = '', tax = '', text = ''], index) => ({
  code,
  name,
  type,
  text,
  id: 1000 + index,
  price: Number(price),
  cost: Number(cost),
  tax: taxRates.find((each) => each.code === tax)!,
}));
type Item = (typeof items)[number];

/** What is sold or bought, before discount a piece: item, quantity, price, percent. */
function entriesOf(text: string, isHome: boolean) {
  return text.split('+').map((part, position) => {
    const [code = '', quantity = '', price = '', percent = ''] = part.trim().split(' ');
    const item = items.find((each) => each.code === code)!;
    const tax = isHome ? item.tax : abroad;
    const whole = cents(Number(quantity) * Number(price));
    const net = cents(whole - (whole * Number(percent)) / 100);
    return {
      position,
      item,
      tax,
      net,
      quantity: Number(quantity),
      price: Number(price),
      percent: percent === '' ? null : Number(percent),
      taxed: cents((net * tax.rate) / 100),
    };
  });
}
type Entry = ReturnType<typeof entriesOf>[number];
const sumOf = (entries: readonly Entry[]) => {
  const net = total(entries.map((entry) => entry.net));
  const tax = total(entries.map(({ taxed }) => taxed));
  return { net, tax, gross: cents(net + tax) };
};
const customerOf = (name: string) => customers.find((each) => each.name.startsWith(name))!;

/** Customer; date; days; their reference; message; euros for one of the currency; state; branch; entries. */
const invoices = texts(`
Wexford;2026-01-09;30;WAC/26/01;Thank you for your business;1;paid;1;TIC-100 20 9.6 + BRO-A5-16 800 1.35 10
Murphy;2026-01-14;14;;;1;paid;1;PAP-A4-80 12 26.5 + ENV-DL-1K 4 38
Camden;2026-01-20;30;CG 1187;Catalogue of the spring show;1.152;paid;1;BRO-A5-16 1500 1.25 8 + DES-HOUR 6 60
Shannon;2026-01-29;45;PO 45-00812;;1;paid;1;PAP-A4-80 40 26.5 5 + INK-CY-7 8 74.25 + DES-HOUR 3.5 68
Scoil;2026-02-04;30;;School books, second term;1;part;2;BIN-REP 14 22 + BOK-HC-21 30 14.8 15
Beacon;2026-02-12;60;BHB-2026-7;Ships from Dublin port;0.926;paid;1;BOK-HC-21 200 16.5 12
Galway;2026-02-19;30;;;1;;2;TIC-100 35 9.6 + BRO-A5-16 400 1.35 + DES-HOUR 2 68 + ENV-DL-1K 1 38
Murphy;2026-03-03;14;File 2210;;1;paid;1;BIN-REP 5 22
Éditions;2026-03-11;30;EP-0344;Tirage de mars;1;;1;BOK-HC-21 350 13.9 6 + DES-HOUR 8 64
Ards;2026-03-18;30;;;1.1475;written;1;PAP-A4-80 3 24 + INK-CY-7 2 66
Wexford;2026-03-26;30;WAC/26/09;Thank you for your business;1;paid;1;TIC-100 50 9.6 5 + DES-HOUR 4 68
Shannon;2026-04-08;45;PO 45-00904;;1;part;1;PAP-A4-80 60 26.5 5 + ENV-DL-1K 10 38 10
Camden;2026-04-21;30;CG 1203;;1.158;;1;BRO-A5-16 600 1.25 + TIC-100 10 9
Scoil;2026-05-07;30;;Books for the library;1;;2;BOK-HC-21 12 14.8 + BIN-REP 6 22 25
Galway;2026-05-20;30;Trail 2026;;1;;2;BRO-A5-16 2000 1.35 20 + TIC-100 15 9.6
Murphy;2026-06-02;14;File 2291;;1;;1;INK-CY-7 2 74.25 + PAP-A4-80 8 26.5 + BIN-REP 2 22
Beacon;2026-06-16;60;BHB-2026-19;;0.9325;;1;BOK-HC-21 120 16.5 + DES-HOUR 5 75
Wexford;2026-06-25;30;;Not agreed yet;1;draft;1;BRO-A5-16 500 1.35 + DES-HOUR 2 68
Éditions;2026-06-29;30;;;1;draft;1;BOK-HC-21 80 13.9
`).map((row, index) => {
  const [name = '', date = '', days = '', reference = '', message = '', rate = ''] = row;
  const [state = '', branch = '', text = ''] = row.slice(6);
  const customer = customerOf(name);
  const entries = entriesOf(text, customer.isHome);
  const sums = sumOf(entries);
  return {
    customer,
    date,
    reference,
    message,
    state,
    entries,
    ...sums,
    index,
    id: index + 1,
    number: `INV-${String(index + 1).padStart(5, '0')}`,
    due: after(date, Number(days)),
    exchange: Number(rate),
    branch: Number(branch),
    isDraft: state === 'draft',
    paid: state === 'paid' ? sums.gross : state === 'part' ? 100 : 0,
  };
});
type Invoice = (typeof invoices)[number];
const delivered = invoices.filter(({ isDraft }) => !isDraft);
const paid = delivered.filter((one) => one.paid > 0);
const termsText = ({ customer }: { readonly customer: Contact }) =>
  customer.isHome ? 'Goods remain ours until paid.' : 'Bank charges are at your cost.';

/** Invoice; date; reference; note; whether open; entries. */
const credits = texts(`
5;2026-03-02;RET-1;Books damaged on the way;1;BOK-HC-21 2 14.8 15
3;2026-03-09;CG 1187;Fewer copies delivered;1;BRO-A5-16 100 1.25 8
12;2026-04-27;;Envelopes returned;1;ENV-DL-1K 2 38 10
7;2026-06-26;;;;TIC-100 5 9.6
`).map(([of = '', date = '', reference = '', note = '', open = '', text = ''], index) => {
  const invoice = invoices[Number(of) - 1]!;
  const entries = entriesOf(text, invoice.customer.isHome);
  return {
    invoice,
    date,
    reference,
    note,
    entries,
    ...sumOf(entries),
    id: index + 1,
    number: `CN-${String(index + 1).padStart(5, '0')}`,
    isOpen: open === '1',
  };
});
const applied = credits.filter(({ isOpen, id }) => isOpen && id !== 2);
const creditedOf = (one: Invoice) =>
  total(applied.filter(({ invoice }) => invoice === one).map(({ net }) => net));

/** Supplier; number; date; entries. */
const bills = texts(`
5;IPM/88120;2026-01-06;PAP-A4-80 200 17.2 + ENV-DL-1K 60 24.5
10;R-26-0119;2026-01-27;INK-CY-7 40 51
5;IPM/88391;2026-03-17;PAP-A4-80 150 17.2
10;R-26-0377;2026-05-05;INK-CY-7 20 51 + ENV-DL-1K 20 24.5
`).map(([of = '', number = '', date = '', text = ''], index) => {
  const vendor = vendors.find(({ id }) => id === Number(of))!;
  const entries = entriesOf(text, vendor.isHome);
  return {
    vendor,
    number,
    date,
    entries,
    ...sumOf(entries),
    id: index + 1,
    paid: index < 2 ? sumOf(entries).gross : 0,
  };
});

/** Customer; date; number; state; invoice made of it; entries. */
const estimates = texts(`
Shannon;2026-01-19;approved;4;PAP-A4-80 40 26.5 5 + INK-CY-7 8 74.25 + DES-HOUR 3.5 68
Galway;2026-02-10;approved;7;TIC-100 35 9.6 + BRO-A5-16 400 1.35 + DES-HOUR 2 68 + ENV-DL-1K 1 38
Ards;2026-03-05;rejected;;BRO-A5-16 300 1.2
Camden;2026-06-18;;;DES-HOUR 12 60 + BRO-A5-16 900 1.25
`).map(([name = '', date = '', state = '', invoice = '', text = ''], index) => {
  const customer = customerOf(name);
  const entries = entriesOf(text, customer.isHome);
  return { customer, date, state, invoice, entries, ...sumOf(entries), id: index + 1 };
});

/** Paid at once. */
const receipts = texts(`
Galway;2026-02-24;TIC-100 2 9.6
Scoil;2026-04-14;PAP-A4-80 1 26.5 + BIN-REP 1 22
`).map(([name = '', date = '', text = ''], index) => {
  const customer = customerOf(name);
  const entries = entriesOf(text, true);
  return { customer, date, entries, ...sumOf(entries), id: index + 1 };
});

const entryRows = [
  ...estimates.map((one) => ({ ...one, of: 'SaleEstimate' })),
  ...bills.map((one) => ({ ...one, of: 'Bill' })),
  ...invoices.map((one) => ({ ...one, of: 'SaleInvoice' })),
  ...credits.map((one) => ({ ...one, of: 'CreditNote' })),
  ...receipts.map((one) => ({ ...one, of: 'SaleReceipt' })),
]
  .sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0))
  .flatMap(({ of, id, date, entries }) => entries.map((entry) => ({ of, id, date, entry })));

const accounts = texts(`
10001;Bank account;bank;10001
10002;Saving bank account;bank;10002
10003;Undeposited funds;cash;10003
10004;Petty cash;cash;10004
10007;Accounts receivable (A/R);accounts-receivable;10007
10008;Inventory asset;inventory;10008
20001;Accounts payable (A/P);accounts-payable;20001
20006;Tax payable;tax-payable;20006
30001;Opening balance equity;equity;30001
40002;Cost of goods sold;cost-of-goods-sold;40002
40010;Bad debt;expense;40010
50001;Sales of product income;income;50001
50002;Sales of service income;income;50002
`).map(([code = '', name = '', type = ''], index) => ({ code, name, type, id: 1000 + index }));
const accountOf = (code: string) => accounts.find((each) => each.code === code)!.id;
const income = ({ type }: Item) => accountOf(type === 'service' ? '50002' : '50001');

const flag = (is: boolean) => (is ? 1 : 0);
const branchKeys = { branch_id: 'branches.id', warehouse_id: 'warehouses.id' } as const;

const sold: Readonly<Record<string, LayoutTable>> = {
  sales_invoices: tableOf(
    invoices,
    {
      '*id int': ({ id }) => id,
      'customer_id int': ({ customer }) => customer.id,
      'invoice_date date': ({ date }) => date,
      'due_date date': ({ due }) => due,
      'invoice_no varchar(255)': ({ number }) => number,
      'reference_no varchar(255)': ({ reference }) => or(reference),
      'invoice_message text': ({ message }) => or(message),
      'terms_conditions text': termsText,
      // Of the entries, without tax.
      'balance decimal': ({ net }) => net,
      'payment_amount decimal': (one) => one.paid,
      'currency_code varchar(3)': ({ customer }) => customer.currency,
      'exchange_rate decimal': ({ exchange }) => exchange,
      'credited_amount decimal': creditedOf,
      'discount decimal': null,
      'discount_type varchar(255)': null,
      'adjustment decimal': null,
      'inv_lot_number varchar(255)': null,
      'delivered_at date': ({ isDraft, date, index }) =>
        isDraft ? null : after(date, index % 4 === 2 ? 1 : 0),
      'user_id int': 1,
      // Some are entered on a later day.
      'created_at datetime': ({ date, index }) =>
        at(after(date, index % 5 === 4 ? 1 : 0), '11:05:31'),
      'updated_at datetime': ({ date, index }) => (index % 3 === 0 ? at(after(date, 2)) : null),
      'writtenoff_amount decimal': ({ state, gross }) => (state === 'written' ? gross : 0),
      'writtenoff_at date': ({ state }) => (state === 'written' ? '2026-06-18' : null),
      'warehouse_id int': 1,
      'branch_id int': ({ branch }) => branch,
      'writtenoff_expense_account_id int': ({ state }) =>
        state === 'written' ? accountOf('40010') : null,
      'project_id int': ({ index }) => (index === 2 ? 1 : null),
      'is_inclusive_tax tinyint(1)': 0,
      'tax_amount_withheld decimal': ({ tax }) => tax,
      'pdf_template_id int': 1,
    },
    {
      customer_id: 'contacts.id',
      ...branchKeys,
      writtenoff_expense_account_id: 'accounts.id',
      project_id: 'projects.id',
      pdf_template_id: 'pdf_templates.id',
    },
  ),
  items_entries: tableOf(
    entryRows,
    {
      '*id int': (_row, index) => index + 1,
      'reference_type varchar(255)': ({ of }) => of,
      'reference_id varchar(255)': ({ id }) => id,
      'index int': ({ entry }) => entry.position + 1,
      'item_id int': ({ entry }) => entry.item.id,
      'description text': ({ entry }) => or(entry.item.text),
      'discount int': ({ entry }) => entry.percent,
      'discount_type varchar(255)': 'percentage',
      'quantity decimal': ({ entry }) => entry.quantity,
      'rate decimal': ({ entry }) => entry.price,
      'sell_account_id int': ({ of, entry }) => (of === 'Bill' ? null : income(entry.item)),
      'cost_account_id int': ({ of }) => (of === 'Bill' ? accountOf('10008') : null),
      'landed_cost tinyint(1)': 0,
      'allocated_cost_amount decimal': 0,
      'created_at datetime': ({ date }) => at(date, '11:05:31'),
      'updated_at datetime': null,
      'warehouse_id int': 1,
      'project_id int, project_ref_id int, project_ref_type varchar(255)': null,
      'project_ref_invoiced_amount decimal': 0,
      'is_inclusive_tax tinyint(1)': 0,
      'tax_rate_id int': ({ entry }) => entry.tax.id,
      'tax_rate decimal': ({ entry }) => entry.tax.rate,
    },
    {
      item_id: 'items.id',
      sell_account_id: 'accounts.id',
      cost_account_id: 'accounts.id',
      warehouse_id: 'warehouses.id',
      project_id: 'projects.id',
      tax_rate_id: 'tax_rates.id',
    },
  ),
  credit_notes: tableOf(
    credits,
    {
      '*id int': ({ id }) => id,
      'customer_id int': ({ invoice }) => invoice.customer.id,
      'credit_note_date date': ({ date }) => date,
      'credit_note_number varchar(255)': ({ number }) => number,
      'reference_no varchar(255)': ({ reference }) => or(reference),
      'amount decimal': ({ net }) => net,
      'refunded_amount decimal': ({ id, net }) => (id === 2 ? net : 0),
      'invoices_amount decimal': (one) => (applied.includes(one) ? one.net : 0),
      'currency_code varchar(3)': ({ invoice }) => invoice.customer.currency,
      'exchange_rate decimal': ({ invoice }) => invoice.exchange,
      'discount decimal': null,
      'discount_type varchar(255)': null,
      'adjustment decimal': null,
      'note text': ({ note }) => or(note),
      'terms_conditions text': null,
      'opened_at date': ({ isOpen, date }) => (isOpen ? date : null),
      'user_id int': 1,
      'created_at datetime': ({ date }) => at(date),
      'updated_at datetime': null,
      'warehouse_id int': 1,
      'branch_id int': ({ invoice }) => invoice.branch,
      'pdf_template_id int': 2,
    },
    { customer_id: 'contacts.id', ...branchKeys, pdf_template_id: 'pdf_templates.id' },
  ),
  credit_note_applied_invoice: tableOf(
    applied,
    {
      '*id int': (_one, index) => index + 1,
      'amount decimal': ({ net }) => net,
      'credit_note_id int': ({ id }) => id,
      'invoice_id int': ({ invoice }) => invoice.id,
      'created_at datetime': ({ date }) => at(date),
      'updated_at datetime': null,
    },
    { credit_note_id: 'credit_notes.id', invoice_id: 'sales_invoices.id' },
  ),
  sales_estimates: tableOf(
    estimates,
    {
      '*id int': ({ id }) => id,
      'amount decimal': ({ net }) => net,
      'currency_code varchar(3)': ({ customer }) => customer.currency,
      'customer_id int': ({ customer }) => customer.id,
      'estimate_date date': ({ date }) => date,
      'expiration_date date': ({ date }) => after(date, 30),
      'reference varchar(255)': null,
      'estimate_number varchar(255)': ({ id }) => `EST-${String(id).padStart(5, '0')}`,
      'note text, terms_conditions text, send_to_email text': null,
      'delivered_at date': ({ date }) => date,
      'approved_at date': ({ state, date }) => (state === 'approved' ? after(date, 3) : null),
      'rejected_at date': ({ state, date }) => (state === 'rejected' ? after(date, 9) : null),
      'user_id int': 1,
      'converted_to_invoice_id int': ({ invoice }) => or(invoice),
      'converted_to_invoice_at date': ({ invoice }) =>
        invoice === '' ? null : invoices[Number(invoice) - 1]!.date,
      'created_at datetime': ({ date }) => at(date),
      'updated_at datetime': null,
      'exchange_rate decimal': ({ customer }) => (customer.currency === 'EUR' ? 1 : 1.15),
      'warehouse_id int, branch_id int': 1,
      'discount decimal, discount_type varchar(255), adjustment decimal': null,
      'pdf_template_id int': null,
    },
    { customer_id: 'contacts.id', ...branchKeys, pdf_template_id: 'pdf_templates.id' },
  ),
  sales_receipts: tableOf(
    receipts,
    {
      '*id int': ({ id }) => id,
      'amount decimal': ({ net }) => net,
      'currency_code varchar(3)': 'EUR',
      'exchange_rate decimal': 1,
      'deposit_account_id int': accountOf('10004'),
      'customer_id int': ({ customer }) => customer.id,
      'receipt_date date': ({ date }) => date,
      'receipt_number varchar(255)': ({ id }) => `REC-${String(id).padStart(5, '0')}`,
      'reference_no varchar(255), send_to_email varchar(255)': null,
      'receipt_message text, statement text': null,
      'closed_at date': ({ date }) => date,
      'created_at datetime': ({ date }) => at(date),
      'updated_at datetime': null,
      'warehouse_id int, branch_id int': 1,
      'discount decimal, discount_type varchar(255), adjustment decimal': null,
    },
    { customer_id: 'contacts.id', deposit_account_id: 'accounts.id', ...branchKeys },
  ),
  payment_receives: tableOf(
    paid,
    {
      '*id int': (_one, index) => index + 1,
      'customer_id int': ({ customer }) => customer.id,
      'payment_date date': ({ due }) => after(due, -3),
      'amount decimal': (one) => one.paid,
      'currency_code varchar(3)': ({ customer }) => customer.currency,
      'exchange_rate decimal': ({ exchange }) => exchange,
      'reference_no varchar(255)': null,
      'deposit_account_id int': accountOf('10001'),
      'payment_receive_no varchar(255)': (_one, index) =>
        `PAY-${String(index + 1).padStart(5, '0')}`,
      'statement text': null,
      'user_id int': 1,
      'created_at datetime': ({ due }) => at(after(due, -3)),
      'updated_at datetime': null,
      'branch_id int': ({ branch }) => branch,
      'pdf_template_id int': null,
    },
    {
      customer_id: 'contacts.id',
      deposit_account_id: 'accounts.id',
      branch_id: 'branches.id',
      pdf_template_id: 'pdf_templates.id',
    },
  ),
  payment_receives_entries: tableOf(
    paid,
    {
      '*id int': (_one, index) => index + 1,
      'payment_receive_id int': (_one, index) => index + 1,
      'invoice_id int': ({ id }) => id,
      'payment_amount decimal': (one) => one.paid,
      'index int': 1,
    },
    { payment_receive_id: 'payment_receives.id', invoice_id: 'sales_invoices.id' },
  ),
};

const bought: Readonly<Record<string, LayoutTable>> = {
  bills: tableOf(
    bills,
    {
      '*id int': ({ id }) => id,
      'vendor_id int': ({ vendor }) => vendor.id,
      'bill_number varchar(255)': ({ number }) => number,
      'bill_date date': ({ date }) => date,
      'due_date date': ({ date }) => after(date, 30),
      'reference_no varchar(255), status varchar(255), note text': null,
      'amount decimal': ({ net }) => net,
      'discount decimal, discount_type varchar(255), adjustment decimal': null,
      'currency_code varchar(3)': 'EUR',
      'exchange_rate decimal': 1,
      'payment_amount decimal': (one) => one.paid,
      'landed_cost_amount decimal, allocated_cost_amount decimal, credited_amount decimal': 0,
      'inv_lot_number varchar(255)': null,
      'opened_at date': ({ date }) => date,
      'user_id int': 1,
      'created_at datetime': ({ date }) => at(date),
      'updated_at datetime': null,
      'warehouse_id int, branch_id int': 1,
      'project_id int': null,
      'invoiced_amount decimal': 0,
      'is_inclusive_tax tinyint(1)': 0,
      'tax_amount_withheld decimal': ({ tax }) => tax,
    },
    { vendor_id: 'contacts.id', ...branchKeys, project_id: 'projects.id' },
  ),
};

const contactTable = tableOf(
  contacts,
  {
    '*id int': ({ id }) => id,
    'contact_service varchar(255)': ({ service }) => service,
    'contact_type varchar(255)': ({ service }) => (service === 'customer' ? 'business' : null),
    'balance decimal': (one) =>
      total([
        ...delivered
          .filter(({ customer, state }) => customer === one && state !== 'written')
          .map((each) => cents((each.gross - each.paid - creditedOf(each)) * each.exchange)),
        ...bills.filter(({ vendor }) => vendor === one).map(({ gross, paid: out }) => out - gross),
      ]),
    'currency_code varchar(3)': ({ currency }) => currency,
    'opening_balance decimal': 0,
    'opening_balance_at date': null,
    'opening_balance_branch_id int': null,
    'opening_balance_exchange_rate decimal': null,
    'salutation varchar(255)': ({ first }) => (first === 'Harriet' ? 'Ms.' : null),
    'first_name varchar(255)': ({ first }) => or(first),
    'last_name varchar(255)': ({ last }) => or(last),
    'company_name varchar(255)': ({ name }) => name,
    'display_name varchar(255)': ({ name }) => name,
    'email varchar(255)': ({ mail }) => or(mail),
    'work_phone varchar(255)': ({ phone }) => or(phone),
    'personal_phone varchar(255)': null,
    'website varchar(255)': null,
    'billing_address1 varchar(255)': ({ street }) => street,
    'billing_address2 varchar(255)': ({ street2 }) => or(street2),
    'billing_address_city varchar(255)': ({ city }) => city,
    'billing_address_country varchar(255)': ({ country }) => country,
    'billing_address_email varchar(255)': ({ firmMail }) => or(firmMail),
    'billing_address_postcode varchar(255)': ({ zip }) => zip,
    'billing_address_phone varchar(255)': ({ phone }) => or(phone),
    'billing_address_state varchar(255)': ({ state }) => or(state),
    'shipping_address1 varchar(255)': ({ id, street }) =>
      id === 3 ? 'Hangar 3, Runway Road' : street,
    'shipping_address2 varchar(255)': null,
    'shipping_address_city varchar(255)': ({ city }) => city,
    'shipping_address_country varchar(255)': ({ country }) => country,
    'shipping_address_email varchar(255)': null,
    'shipping_address_postcode varchar(255)': ({ zip }) => zip,
    'shipping_address_phone varchar(255)': null,
    'shipping_address_state varchar(255)': ({ state }) => or(state),
    'note text': null,
    'active tinyint(1)': 1,
    ...stamps(made),
  },
  { opening_balance_branch_id: 'branches.id' },
);

/** What is booked of a document, in euros: index, account, debit, credit, item, rate of tax. */
const bookings = delivered.flatMap((one) => {
  const local = (amount: number) => cents(amount * one.exchange);
  const credited = one.entries.map((entry, position) => ({
    one,
    index: position + 2,
    account: income(entry.item),
    debit: 0,
    entry,
    credit: local(entry.net),
    tax: null as Entry['tax'] | null,
  }));
  const taxes = taxRates
    .map((tax) => ({
      tax,
      amount: total(one.entries.filter((entry) => entry.tax === tax).map(({ taxed }) => taxed)),
    }))
    .filter(({ amount }) => amount > 0)
    .map(({ tax, amount }, position) => ({
      one,
      index: one.entries.length + position + 2,
      account: accountOf('20006'),
      debit: 0,
      entry: null as Entry | null,
      credit: local(amount),
      tax,
    }));
  const owed = local(one.gross);
  const rounded = total([...credited, ...taxes].map(({ credit }) => credit));
  // What rounding leaves is in the last of the entries.
  credited.at(-1)!.credit = cents(credited.at(-1)!.credit + owed - rounded);
  return [
    {
      one,
      index: 1,
      account: accountOf('10007'),
      debit: owed,
      credit: 0,
      entry: null as Entry | null,
      tax: null as Entry['tax'] | null,
    },
    ...credited,
    ...taxes,
  ];
});
const usedRates = delivered.flatMap((one) =>
  [...new Set(one.entries.map(({ tax }) => tax))].map((tax) => ({ one, tax })),
);
const moved = entryRows.filter(
  ({ of, id, entry }) =>
    entry.item.type === 'inventory' &&
    (of === 'Bill' || (of === 'SaleInvoice' && !invoices[id - 1]!.isDraft)),
);
const ledger: Readonly<Record<string, LayoutTable>> = {
  accounts: tableOf(accounts, {
    '*id int': ({ id }) => id,
    'name varchar(255)': ({ name }) => name,
    'slug varchar(255)': ({ name }) => name.toLowerCase().replaceAll(/[^a-z]+/g, '-'),
    'account_type varchar(255)': ({ type }) => type,
    'parent_account_id int': null,
    'code varchar(10)': ({ code }) => code,
    'description text': null,
    'active tinyint(1)': 1,
    'index int': 1,
    'predefined tinyint(1)': 1,
    'amount decimal': 0,
    'currency_code varchar(3)': 'EUR',
    ...stamps(made),
  }),
  accounts_transactions: tableOf(
    bookings,
    {
      '*id int': (_row, index) => index + 1,
      'credit decimal': ({ credit }) => credit,
      'debit decimal': ({ debit }) => debit,
      'currency_code varchar(3)': ({ one }) => one.customer.currency,
      'exchange_rate decimal': ({ one }) => one.exchange,
      'transaction_type varchar(255)': 'SaleInvoice',
      'reference_type varchar(255)': 'SaleInvoice',
      'reference_id int': ({ one }) => one.id,
      'account_id int': ({ account }) => account,
      'contact_type varchar(255)': ({ index }) => (index === 1 ? 'customer' : null),
      'contact_id int': ({ one, index }) => (index === 1 ? one.customer.id : null),
      'transaction_number varchar(255)': ({ one }) => one.number,
      'reference_number varchar(255)': ({ one }) => or(one.reference),
      'item_id int': ({ entry }) => entry?.item.id ?? null,
      'item_quantity int': ({ entry }) => (entry === null ? null : Math.round(entry.quantity)),
      'note varchar(255)': null,
      'user_id int': 1,
      'index_group int': null,
      'index int': ({ index }) => index,
      'date date': ({ one }) => one.date,
      'created_at datetime': ({ one }) => at(one.date, '11:05:32'),
      'costable tinyint(1)': null,
      'branch_id int': ({ one }) => one.branch,
      'project_id int': ({ one }) => (one.index === 2 ? 1 : null),
      'tax_rate_id int': ({ tax }) => tax?.id ?? null,
      'tax_rate decimal': ({ tax }) => tax?.rate ?? null,
    },
    {
      account_id: 'accounts.id',
      item_id: 'items.id',
      branch_id: 'branches.id',
      project_id: 'projects.id',
      tax_rate_id: 'tax_rates.id',
    },
  ),
  inventory_transactions: tableOf(
    moved,
    {
      '*id int': (_row, index) => index + 1,
      'date date': ({ date }) => date,
      'direction varchar(255)': ({ of }) => (of === 'Bill' ? 'IN' : 'OUT'),
      'item_id int': ({ entry }) => entry.item.id,
      'quantity int': ({ entry }) => entry.quantity,
      'rate decimal': ({ entry }) => entry.price,
      'transaction_type varchar(255)': ({ of }) => of,
      'transaction_id int': ({ id }) => id,
      'entry_id int': (row) => entryRows.indexOf(row) + 1,
      'created_at datetime': ({ date }) => at(date),
      'cost_account_id int': accountOf('40002'),
      'warehouse_id int, branch_id int': 1,
    },
    { item_id: 'items.id', ...branchKeys },
  ),
  tax_rates: tableOf(taxRates, {
    '*id int': ({ id }) => id,
    'name varchar(255)': ({ name }) => name,
    'code varchar(255)': ({ code }) => code,
    'rate decimal': ({ rate }) => rate,
    'description varchar(255)': ({ text }) => text,
    'is_non_recoverable tinyint(1), is_compound tinyint(1)': 0,
    'active tinyint(1)': 1,
    'deleted_at date': null,
    ...stamps(made),
  }),
  tax_rate_transactions: tableOf(
    usedRates,
    {
      '*id int': (_row, index) => index + 1,
      'tax_rate_id int': ({ tax }) => tax.id,
      'reference_type varchar(255)': 'SaleInvoice',
      'reference_id int': ({ one }) => one.id,
      'rate decimal': ({ tax }) => tax.rate,
      'tax_account_id int': null,
    },
    { tax_rate_id: 'tax_rates.id' },
  ),
};

const stock: Readonly<Record<string, LayoutTable>> = {
  items: tableOf(
    items,
    {
      '*id int': ({ id }) => id,
      'name varchar(255)': ({ name }) => name,
      'type varchar(255)': ({ type }) => type,
      'code varchar(255)': ({ code }) => code,
      'sellable tinyint(1)': 1,
      'purchasable tinyint(1)': ({ cost }) => flag(cost > 0),
      'sell_price decimal': ({ price }) => price,
      'cost_price decimal': ({ cost }) => (cost === 0 ? null : cost),
      'picture_uri varchar(255)': null,
      'cost_account_id int': accountOf('40002'),
      'sell_account_id int': income,
      'inventory_account_id int': ({ type }) => (type === 'inventory' ? accountOf('10008') : null),
      'sell_description text': ({ text }) => or(text),
      'purchase_description text': null,
      'quantity_on_hand int': ({ type }) => (type === 'inventory' ? 74 : null),
      'landed_cost tinyint(1)': null,
      'note text': null,
      'active tinyint(1)': 1,
      'category_id int': ({ type }) => (type === 'service' ? 2 : 1),
      'user_id int': 1,
      ...stamps(made),
      'sell_tax_rate_id int': ({ tax }) => tax.id,
      'purchase_tax_rate_id int': null,
    },
    {
      cost_account_id: 'accounts.id',
      sell_account_id: 'accounts.id',
      inventory_account_id: 'accounts.id',
      category_id: 'items_categories.id',
      sell_tax_rate_id: 'tax_rates.id',
      purchase_tax_rate_id: 'tax_rates.id',
    },
  ),
  items_categories: tableOf(['Print and paper', 'Services'], {
    '*id int': (_name, index) => index + 1,
    'name varchar(255)': (name) => name,
    'description text': null,
    'user_id int': 1,
    'cost_account_id int, sell_account_id int, inventory_account_id int': null,
    'cost_method varchar(255)': null,
    ...stamps(made),
  }),
};

/** Group; key; value. */
const settings = texts(`
organization;name;Liffey Print & Paper Ltd
organization;industry;Printing
organization;location;IE
organization;base_currency;EUR
organization;fiscal_year;january
organization;language;en
organization;time_zone;Europe/Dublin
organization;date_format;DD/MM/yyyy
organization;accounting_basis;accrual
accounts;account_code_required;1
accounts;account_code_unique;1
bill_payments;withdrawal_account;1000
sales_estimates;next_number;00005
sales_estimates;number_prefix;EST-
sales_estimates;auto_increment;1
sales_invoices;next_number;00020
sales_invoices;number_prefix;INV-
sales_invoices;auto_increment;1
sales_receipts;next_number;00003
sales_receipts;number_prefix;REC-
payment_receives;next_number;00014
payment_receives;number_prefix;PAY-
credit_note;next_number;00005
credit_note;number_prefix;CN-
items;preferred_sell_account;1011
multi_warehouses;activated;1
multi_branches;activated;1
`).map(([group = '', key = '', value = '']) => ({ group, key, value }));
const firm: Readonly<Record<string, LayoutTable>> = {
  settings: tableOf(settings, {
    '*id int': (_row, index) => 2000 + index,
    'user_id int': null,
    'group varchar(255)': ({ group }) => group,
    'type varchar(255)': null,
    'key varchar(255)': ({ key }) => key,
    'value text': ({ value }) => value,
  }),
  branches: tableOf(
    [
      ['Head office', 'DUB', '6 Usher Street', 'Dublin 8', '+353 1 454 2210'],
      ['Shop in Galway', 'GWY', '31 Lower Dominick Street', 'Galway', '+353 91 565 402'],
    ],
    {
      '*id int': (_row, index) => index + 1,
      'name varchar(255)': ([name = '']) => name,
      'code varchar(255)': ([, code = '']) => code,
      'address varchar(255)': ([, , street = '']) => street,
      'city varchar(255)': ([, , , city = '']) => city,
      'country varchar(255)': 'Ireland',
      'phone_number varchar(255)': ([, , , , phone = '']) => phone,
      'email varchar(255)': ([, code = '']) => `${code.toLowerCase()}@liffeyprint.example`,
      'website varchar(255)': 'https://liffeyprint.example',
      'primary tinyint(1)': (_row, index) => flag(index === 0),
      ...stamps(made),
    },
  ),
  warehouses: tableOf(['Store in Ballymount'], {
    '*id int': 1,
    'name varchar(255)': (name) => name,
    'code varchar(255)': 'BAL',
    'address varchar(255)': 'Unit 9, Ballymount Road',
    'city varchar(255)': 'Dublin 12',
    'country varchar(255)': 'Ireland',
    'phone_number varchar(255), email varchar(255), website varchar(255)': null,
    'primary tinyint(1)': 1,
    ...stamps(made),
  }),
  currencies: tableOf(
    texts(`
Euro;EUR;€
British Pound;GBP;£
US Dollar;USD;$
`),
    {
      '*id int': (_row, index) => index + 1,
      'currency_name varchar(255)': ([name = '']) => name,
      'currency_code varchar(4)': ([, code = '']) => code,
      'currency_sign varchar(255)': ([, , sign = '']) => sign,
      ...stamps(made),
    },
  ),
  exchange_rates: tableOf(
    delivered.filter(({ customer }) => customer.currency !== 'EUR'),
    {
      '*id int': (_row, index) => index + 1,
      'currency_code varchar(4)': ({ customer }) => customer.currency,
      'exchange_rate decimal': ({ exchange }) => exchange,
      'date date': ({ date }) => date,
      'created_at datetime': ({ date }) => at(date),
      'updated_at datetime': null,
    },
  ),
  users: tableOf(
    [
      ['Aoife', 'Byrne', 'aoife@liffeyprint.example'],
      ['Marek', 'Nowak', 'marek@liffeyprint.example'],
    ],
    {
      '*id int': (_row, index) => index + 1,
      'first_name varchar(255)': ([first = '']) => first,
      'last_name varchar(255)': ([, last = '']) => last,
      'email varchar(255)': ([, , mail = '']) => mail,
      'active tinyint(1)': 1,
      'role_id int': (_row, index) => index + 1,
      'system_user_id int': (_row, index) => index + 41,
      'invited_at datetime, invite_accepted_at datetime': at(made),
      ...stamps(made),
    },
    { role_id: 'roles.id' },
  ),
  roles: tableOf(['Admin', 'Staff'], {
    '*id int': (_name, index) => index + 1,
    'name varchar(255)': (name) => name,
    'slug varchar(255)': (name) => name.toLowerCase(),
    'description varchar(255)': null,
    'predefined tinyint(1)': 1,
  }),
  pdf_templates: tableOf(['SaleInvoice', 'CreditNote'], {
    '*id int': (_name, index) => index + 1,
    'resource text': (name) => name,
    'template_name text': 'Standard Template',
    'attributes json': '{"primaryColor":"#204a87","showCustomerNote":true}',
    'predefined tinyint(1), default tinyint(1)': 1,
    ...stamps(made),
  }),
  projects: tableOf(
    ['Spring catalogue'],
    {
      '*id int': 1,
      'name varchar(255)': (name) => name,
      'contact_id int': customerOf('Camden').id,
      'deadline date': '2026-02-28',
      'cost_estimate decimal': 2500,
      'status varchar(255)': 'InProgress',
      ...stamps('2026-01-05'),
    },
    { contact_id: 'contacts.id' },
  ),
};

/**
 * Bigcapital at a printer in Ireland: what is sold, offered and bought stands in one table of entries, that name the kind and the
 * key of their document, the key as a text; customers and suppliers are one table; an invoice has its sum without tax, as
 * `balance`, and its tax, and what is owed with tax is only in the ledger, in euros; a draft has no day of delivery; the firm
 * itself is rows of settings. There is no tax number of a customer, no unit and no sum of a line. Foreign keys are declared, but
 * not from an entry to its document. Names after the migrations on GitHub, in lower case as there, though its databases have
 * them in upper case.
 */
export const entriesByReference: Layout = {
  name: 'entries-by-reference',
  isHeldOut: false,
  hasDiscounts: true,
  tables: { ...ledger, ...bought, contacts: contactTable, ...firm, ...stock, ...sold },
  sections: {
    // Drafts are those without `delivered_at`, which no equality tells.
    header: { table: 'sales_invoices', key: 'id', match: 'invoice_no' },
    lines: {
      table: 'items_entries',
      key: 'id',
      match: 'reference_id',
      matchFrom: 'id',
      where: { reference_type: 'SaleInvoice' },
    },
    customer: { table: 'contacts', key: 'id', match: 'id', matchFrom: 'customer_id' },
  },
  fields: {
    number: 'sales_invoices.invoice_no|accounts_transactions.transaction_number',
    issue_date: 'sales_invoices.invoice_date|accounts_transactions.date',
    due_date: 'sales_invoices.due_date',
    currency:
      'sales_invoices.currency_code|contacts.currency_code|accounts_transactions.currency_code|' +
      'currencies.currency_code|currencies.currency_name!map|currencies.currency_sign!map',
    'exchange_rate.rate': 'sales_invoices.exchange_rate|accounts_transactions.exchange_rate',
    purchase_order: 'sales_invoices.reference_no|accounts_transactions.reference_number',
    buyer_reference: 'sales_invoices.reference_no|accounts_transactions.reference_number',
    'notes[]': 'sales_invoices.invoice_message|sales_invoices.terms_conditions',
    'payment_terms[].note': 'sales_invoices.terms_conditions',
    'totals.lines': 'sales_invoices.balance',
    'totals.net': 'sales_invoices.balance',
    'totals.tax': 'sales_invoices.tax_amount_withheld',
    'totals.gross': 'accounts_transactions.debit!divide|sales_invoices.balance!add',
    'totals.due': 'accounts_transactions.debit!divide|sales_invoices.balance!add',
    'totals.prepaid': 'sales_invoices.payment_amount',
    'accounting.totals.gross': 'accounts_transactions.debit',
    'seller.name': 'settings.value',
    'seller.address.line1': 'branches.address',
    'seller.address.city': 'branches.city',
    'seller.address.country': 'settings.value|branches.country!map',
    'seller.industry_name': 'settings.value',
    'seller.contact.name': 'users.first_name!concat|users.last_name!concat',
    'seller.contact.phone': 'branches.phone_number',
    'seller.contact.email': 'branches.email|users.email',
    'buyer.name': 'contacts.display_name|contacts.company_name',
    'buyer.address.line1': 'contacts.billing_address1',
    'buyer.address.line2': 'contacts.billing_address2',
    'buyer.address.city': 'contacts.billing_address_city|contacts.shipping_address_city',
    'buyer.address.subdivision': 'contacts.billing_address_state|contacts.shipping_address_state',
    'buyer.address.post_code':
      'contacts.billing_address_postcode|contacts.shipping_address_postcode',
    'buyer.address.country':
      'contacts.billing_address_country!map|contacts.shipping_address_country!map',
    'buyer.contact.name': 'contacts.first_name!concat|contacts.last_name!concat',
    'buyer.contact.phone': 'contacts.billing_address_phone|contacts.work_phone',
    'buyer.contact.email': 'contacts.email|contacts.billing_address_email',
    'lines[].id': 'items_entries.id|items_entries.index',
    'lines[].sku': 'items.code',
    'lines[].name': 'items.name',
    'lines[].description': 'items_entries.description|items.sell_description|items.name',
    'lines[].qty': 'items_entries.quantity',
    'lines[].unit_price': 'items_entries.rate',
    'lines[].gross_price': 'items_entries.rate',
    'lines[].allowances[].percent': 'items_entries.discount',
    'lines[].tax.rate':
      'items_entries.tax_rate|tax_rates.rate|tax_rate_transactions.rate|items_entries.tax_rate_id!map',
    'lines[].tax.category':
      'tax_rates.code!map|tax_rates.name!map|tax_rates.description!map|items_entries.tax_rate_id!map|' +
      'items_entries.tax_rate!map|tax_rates.rate!map|tax_rate_transactions.rate!map|tax_rate_transactions.tax_rate_id!map',
  },
};
