import { total } from './enterprise-trade.ts';
import { hexKey } from './hex-keys.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { tableOf } from './tables.ts';

/** Money is text with eleven decimals, and is not rounded to cents. */
const money = (value: number) => exact(value).toFixed(11);
const exact = (value: number) => Number(value.toFixed(8));
const sum = (values: readonly number[]) => exact(values.reduce((all, each) => all + each, 0));
const childName = (table: string, row: number | string) => hexKey(table, row).slice(0, 10);
const rowsOf = (text: string) => text.split('\n').map((row) => row.split(';'));
const owner = 'liis@rannurost.example';
const madeAt = (date: string) => `${date}T08:42:17.361Z`;
const setUp = '2024-11-25T12:10:44.020Z';
interface Dated {
  readonly date: string;
}
const made = {
  'createdBy text, modifiedBy text': owner,
  'created datetime': ({ date }: Dated) => madeAt(date),
  'modified datetime': ({ date }: Dated) => madeAt(date),
};
const madeAtSetUp = {
  'createdBy text, modifiedBy text': owner,
  'created datetime, modified datetime': setUp,
} as const;

interface Party {
  readonly id: number;
  readonly name: string;
  readonly role: 'Customer' | 'Supplier';
  readonly street: string;
  readonly street2: string | null;
  readonly city: string;
  readonly state: string | null;
  readonly country: string;
  readonly zip: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly vat: string | null;
  readonly currency: string;
}
const parties: readonly Party[] = rowsOf(
  `Kohvik Lootus OÜ;Customer;Rüütli 14;;Tartu;Tartumaa;Estonia;51007;+372 740 1182;kohvik@lootus.example;EE101488233;EUR
Hotell Emajõgi AS;Customer;Ranna tee 2;II korrus;Tartu;Tartumaa;Estonia;51014;+372 733 4400;ost@hotellemajogi.example;EE100994715;EUR
Raamatupood Kaja OÜ;Customer;Pikk 33;;Tallinn;Harjumaa;Estonia;10133;+372 644 2019;;EE102103766;EUR
Lõuna Ülikooli Sihtasutus;Customer;Vanemuise 46;Majandusosakond;Tartu;Tartumaa;Estonia;51003;;arved@lounasa.example;;EUR
Kahvila Satama Oy;Customer;Satamakatu 5;;Turku;;Finland;20100;+358 2 231 4477;tilaukset@kahvilasatama.example;FI21880452;EUR
SIA Rīta Kafija;Customer;Tērbatas iela 21;dz. 3;Rīga;;Latvia;LV-1011;+371 6728 1140;;LV40103558214;EUR
Northgate Coffee Ltd;Customer;8 Northgate Street;;Chester;Cheshire;United Kingdom;CH1 2HA;+44 1244 320 118;buying@northgatecoffee.example;GB287441906;GBP
Rohelised Oad OÜ;Supplier;Tööstuse 60;;Tallinn;Harjumaa;Estonia;10416;+372 661 7020;myyk@rohelisedoad.example;EE100775125;EUR
Hamburg Kaffee Import GmbH;Supplier;Pickhuben 9;;Hamburg;;Germany;20457;+49 40 3070 4410;order@hki.example;DE118200471;EUR`,
).map((cells, index) => ({
  id: index + 1,
  name: cells[0]!,
  role: cells[1] as Party['role'],
  street: cells[2]!,
  street2: cells[3] || null,
  city: cells[4]!,
  state: cells[5] || null,
  country: cells[6]!,
  zip: cells[7]!,
  phone: cells[8] || null,
  email: cells[9] || null,
  vat: cells[10] || null,
  currency: cells[11]!,
}));
const partyOf = (name: string) => parties.find((each) => each.name.startsWith(name))!;
const addressName = ({ name }: Pick<Party, 'name'>) => `${name} - Billing`;

/** Name; code; description; unit; type; price; cost; tax; income account. */
const items = rowsOf(
  `Espresso Segu;ESP-1;Medium roast, beans;Kg;Product;18;9.5;KM 24%;Sales
Filtrikohv Etioopia;FIL-1;Light roast, ground;Kg;Product;21;11.25;KM 24%;Sales
Cold Brew 250 ml;CAN-250;Can, price of one;Unit;Product;2.5;1.1;KM 24%;Sales
Kruus;MUG-1;Stoneware, 300 ml;Unit;Product;9;4;KM 24%;Sales
Raamat Kohvist Eestis;BOOK-1;Hard cover, 184 pages;Unit;Product;26;15;KM 9%;Sales
Espressomasin Duo;MCH-2;Two groups, with grinder;Unit;Product;1850;1400;KM 24%;Sales
Barista Koolitus;TRN-1;A day for up to eight people;Day;Service;160;0;KM 24%;Service
Hooldus;SRV-H;Work of a technician;Hour;Service;48;0;KM 24%;Service`,
).map(
  ([
    name = '',
    code = '',
    text = '',
    unit = '',
    type = '',
    price,
    cost,
    tax = '',
    income = '',
  ]) => ({
    name,
    code,
    text,
    unit,
    type,
    price: Number(price),
    cost: Number(cost),
    tax,
    income,
  }),
);
type Item = (typeof items)[number];
/** Name; rate; account. */
const taxes = rowsOf(
  `KM 24%;24;Output VAT 24%
KM 22%;22;Output VAT 22%
KM 9%;9;Output VAT 9%
KM 0% Ühendusesisene;0;Output VAT 0%
KM 0% Eksport;0;Output VAT 0%
Sisend-KM 22%;22;Input VAT
Sisend-KM 0%;0;Input VAT`,
).map(([name = '', rate, account = '']) => ({ name, rate: Number(rate), account }));
const taxNamed = (name: string) => taxes.find((tax) => tax.name === name)!;
function taxFor(item: Item, party: Party, date: string): string {
  if (party.country === 'United Kingdom') return 'KM 0% Eksport';
  if (party.country !== 'Estonia') return 'KM 0% Ühendusesisene';
  return item.tax === 'KM 24%' && date < '2025-07-01' ? 'KM 22%' : item.tax;
}

interface Row {
  readonly id: number;
  readonly position: number;
  readonly item: Item;
  readonly quantity: number;
  readonly isByBox: boolean;
  readonly rate: number;
  /** Before discount. */
  readonly amount: number;
  readonly discount: { readonly isAmount: boolean; readonly value: number };
  readonly reduction: number;
  readonly taxName: string;
  readonly tax: number;
}
interface Sale extends Dated {
  readonly id: number;
  readonly name: string;
  readonly party: Party;
  readonly currency: string;
  readonly exchange: number;
  readonly state: 'draft' | 'done' | 'cancelled';
  readonly against: string | null;
  readonly notes: string | null;
  readonly rows: readonly Row[];
}
const perBox = 12;
const ids = { row: 0 };
function rowOf(text: string, position: number, { party, date, exchange }: Omit<Sale, 'rows'>): Row {
  const [, code, count = '', box, kind, off = '0'] =
    /^(\S+) (-?[\d.]+)(b?)(?: ([%-])([\d.]+))?$/.exec(text)!;
  const item = items.find((each) => each.code === code)!;
  const isByBox = box === 'b';
  const quantity = Number(count) * (isByBox ? perBox : 1);
  const rate = exchange === 1 ? item.price : Math.round((item.price / exchange) * 2) / 2;
  const amount = exact(quantity * rate);
  const discount = { isAmount: kind === '-', value: Number(off) };
  const reduction = discount.isAmount ? discount.value : exact((amount * discount.value) / 100);
  const taxName = taxFor(item, party, date);
  const tax = exact(((amount - reduction) * taxNamed(taxName).rate) / 100);
  ids.row += 1;
  const amounts = { quantity, isByBox, rate, amount, discount, reduction, taxName, tax };
  return { ...amounts, id: ids.row, position, item };
}
const salesOf = (prefix: string, text: string): readonly Sale[] =>
  rowsOf(text).map(
    ([date = '', who = '', currency = '', state, against, notes, rows = ''], index) => {
      const base = {
        id: index + 1,
        name: `${prefix}-${1001 + index}`,
        date,
        party: partyOf(who),
        currency,
        exchange: currency === 'GBP' ? 1.18 : 1,
        state: ({ D: 'draft', C: 'cancelled' } as const)[state ?? ''] ?? ('done' as const),
        against: against || null,
        notes: notes || null,
      };
      return { ...base, rows: rows.split(', ').map((each, place) => rowOf(each, place, base)) };
    },
  );

/** Date; customer; currency; D: draft, C: cancelled; what is returned; notes; code, count (b: boxes), % or - discount. */
const sales = salesOf(
  'SINV',
  `2025-01-10;Kohvik;EUR;;;Maksetähtaeg 14 päeva.;ESP-1 20, FIL-1 10
2025-01-21;Hotell;EUR;;;;ESP-1 40 %5, MUG-1 48, TRN-1 1
2025-02-03;Raamatupood;EUR;;;;BOOK-1 30
2025-02-14;Kahvila;EUR;;;Reverse charge, article 138 of Directive 2006/112/EC.;ESP-1 60 %10, CAN-250 10b
2025-02-27;Kohvik;EUR;;;;SRV-H 3, ESP-1 10
2025-03-11;SIA;EUR;;;;FIL-1 25
2025-03-19;Hotell;EUR;C;;;ESP-1 30 %5
2025-03-19;Hotell;EUR;;;Asendab arvet SINV-1007.;ESP-1 40 %5
2025-03-24;Hotell;EUR;;SINV-1002;Kuus kruusi olid katki.;MUG-1 -6
2025-04-08;Northgate;GBP;;;;ESP-1 80 %5, BOOK-1 10
2025-04-30;Lõuna;EUR;;;;TRN-1 2, BOOK-1 5, CAN-250 24
2025-05-22;Kohvik;EUR;;;Garantii 24 kuud.;MCH-2 1 -50, SRV-H 4
2025-06-12;Kahvila;EUR;;;;ESP-1 50 %10
2025-07-03;Kohvik;EUR;;;Maksetähtaeg 14 päeva.;ESP-1 25, FIL-1 15
2025-08-19;Hotell;EUR;;;;MUG-1 60, ESP-1 40 %5
2025-08-26;Kahvila;EUR;;SINV-1013;;ESP-1 -5 %10
2025-09-09;Northgate;EUR;;;;FIL-1 30
2025-10-02;Raamatupood;EUR;;;;BOOK-1 45, MUG-1 20
2025-10-28;SIA;EUR;;;;ESP-1 30, CAN-250 5b
2025-11-18;Lõuna;EUR;;;;TRN-1 1
2025-12-04;Northgate;GBP;;;Deliver before 12 December.;ESP-1 100 %5, FIL-1 20, BOOK-1 4
2025-12-09;Raamatupood;EUR;;SINV-1018;;BOOK-1 -3
2026-01-15;Kohvik;EUR;;;;ESP-1 15, SRV-H 2, MUG-1 12, CAN-250 2b
2026-01-29;Hotell;EUR;D;;;ESP-1 40 %5
2026-01-30;SIA;EUR;D;;;FIL-1 10`,
);
const quotes = salesOf(
  'SQUOT',
  `2025-02-10;Kahvila;EUR;;;;ESP-1 60 %10, CAN-250 10b
2025-05-12;Kohvik;EUR;;;;MCH-2 1
2026-01-20;Lõuna;EUR;D;;;TRN-1 3`,
);

const netOf = ({ rows }: Sale) => sum(rows.map(({ amount }) => amount));
const reductionOf = ({ rows }: Sale) => sum(rows.map(({ reduction }) => reduction));
const taxOf = ({ rows }: Sale) => sum(rows.map(({ tax }) => tax));
const grossOf = (one: Sale) => exact(netOf(one) - reductionOf(one) + taxOf(one));
const baseOf = (one: Sale) => exact(grossOf(one) * one.exchange);
const isPosted = ({ state }: Sale) => state === 'done';
const isPaid = (one: Sale) =>
  isPosted(one) && one.against === null && one.id % 3 !== 0 && one.date < '2025-12-31';
const isReturned = ({ name }: Sale) => sales.some(({ against }) => against === name);
const submitted = ({ state }: Sale) => (state === 'draft' ? 0 : 1);
const cancelled = ({ state }: Sale) => (state === 'cancelled' ? 1 : 0);

/** What stands in invoices, and in quotations. */
const priced = {
  'priceList text': null,
  'netTotal text': (one: Sale) => money(netOf(one)),
  'baseGrandTotal text': (one: Sale) => money(baseOf(one)),
  'grandTotal text': (one: Sale) => money(grossOf(one)),
  'setDiscountAmount boolean': 0,
  'discountAmount text': money(0),
  'discountPercent float': 0,
  'entryCurrency text': 'Party',
  'currency text': ({ currency }: Sale) => currency,
  'exchangeRate float': ({ exchange }: Sale) => exchange,
  'discountAfterTax boolean': 0,
  'makeAutoPayment boolean, makeAutoStockTransfer boolean': 0,
};
const childOf = (schema: string, field: string) => ({
  'parentSchemaName text': schema,
  'parentFieldname text': field,
});
const itemRows = (schema: string, all: readonly Sale[]) =>
  tableOf(
    all.flatMap((one) => one.rows.map((row) => ({ one, row, date: one.date }))),
    {
      '*name text': ({ row }) => childName(`${schema}Item`, row.id),
      'item text': ({ row }) => row.item.name,
      'itemCode text': ({ row }) => row.item.code,
      'description text': ({ row }) => row.item.text,
      'rate text': ({ row }) => money(row.rate),
      'transferUnit text': ({ row }) => (row.isByBox ? 'Box' : row.item.unit),
      'transferQuantity float': ({ row }) => (row.isByBox ? row.quantity / perBox : row.quantity),
      'unit text': ({ row }) => row.item.unit,
      'batch text, serialNumber text': null,
      'quantity float': ({ row }) => row.quantity,
      'unitConversionFactor float': ({ row }) => (row.isByBox ? perBox : 1),
      'account text': ({ row }) => row.item.income,
      'tax text': ({ row }) => row.taxName,
      'amount text': ({ row }) => money(row.amount),
      'setItemDiscountAmount boolean': ({ row }) => (row.discount.isAmount ? 1 : 0),
      'itemDiscountAmount text': ({ row }) => money(row.discount.isAmount ? row.discount.value : 0),
      'itemDiscountPercent float': ({ row }) => (row.discount.isAmount ? 0 : row.discount.value),
      'hsnCode integer': null,
      'stockNotTransferred float': ({ one, row }) =>
        one.state === 'draft' && row.item.type === 'Product' ? row.quantity : 0,
      'idx integer': ({ row }) => row.position,
      'parent text': ({ one }) => one.name,
      ...childOf(schema, 'items'),
      ...made,
    },
    {
      item: 'Item.name',
      transferUnit: 'UOM.name',
      unit: 'UOM.name',
      batch: 'Batch.name',
      account: 'Account.name',
      tax: 'Tax.name',
    },
  );

/** Tax of each account; none where it is nothing. */
const summaries = [
  ...sales.map((one) => ({ one, schema: 'SalesInvoice' })),
  ...quotes.map((one) => ({ one, schema: 'SalesQuote' })),
].flatMap(({ one, schema }) =>
  [...new Set(one.rows.map(({ taxName }) => taxNamed(taxName).account))]
    .map((account) => {
      const rows = one.rows.filter(({ taxName }) => taxNamed(taxName).account === account);
      return {
        schema,
        parent: one.name,
        date: one.date,
        account,
        rate: taxNamed(rows[0]!.taxName).rate,
        amount: sum(rows.map(({ tax }) => tax)),
      };
    })
    .filter(({ amount }) => amount !== 0)
    .map((row, index) => ({ ...row, index })),
);

/** Date; supplier; item or account's text; quantity; price; tax; the supplier's number. */
const purchases = rowsOf(
  `2025-01-06;Hamburg;ESP-1;200;9.5;Sisend-KM 0%;RE 25-00417
2025-02-19;Rohelised;FIL-1;80;11.25;Sisend-KM 22%;3301
2025-05-05;Rohelised;MUG-1;150;4;Sisend-KM 22%;3420
2025-06-02;Hamburg;ESP-1;240;9.5;Sisend-KM 0%;RE 25-02210`,
).map(([date = '', who = '', code, count, price, tax = '', theirs = ''], index) => {
  const net = exact(Number(count) * Number(price));
  return {
    id: index + 1,
    name: `PINV-${1001 + index}`,
    date,
    party: partyOf(who),
    item: items.find((each) => each.code === code)!,
    quantity: Number(count),
    rate: Number(price),
    taxName: tax,
    theirs,
    net,
    tax: exact((net * taxNamed(tax).rate) / 100),
  };
});
type Purchase = (typeof purchases)[number];
const purchaseGross = ({ net, tax }: Purchase) => exact(net + tax);

const sold: Readonly<Record<string, LayoutTable>> = {
  SalesInvoice: tableOf(
    sales,
    {
      '*name text': ({ name }) => name,
      'numberSeries text': 'SINV-',
      'party text': ({ party }) => party.name,
      'account text': 'Debtors',
      'date date': ({ date }) => date,
      ...priced,
      'outstandingAmount text': (one) => money(isPosted(one) && !isPaid(one) ? baseOf(one) : 0),
      'stockNotTransferred float': (one) =>
        one.state === 'draft' ? total(one.rows.map(({ quantity }) => quantity)) : 0,
      'terms text': ({ notes }) => notes,
      'attachment text, backReference text': null,
      'returnAgainst text': ({ against }) => against,
      'isReturned boolean': (one) => (isReturned(one) ? 1 : 0),
      'quote text': ({ id }) => {
        if (id === 4) return 'SQUOT-1001';
        return id === 12 ? 'SQUOT-1002' : null;
      },
      'submitted boolean': submitted,
      'cancelled boolean': cancelled,
      ...made,
    },
    {
      numberSeries: 'NumberSeries.name',
      party: 'Party.name',
      account: 'Account.name',
      priceList: 'PriceList.name',
      currency: 'Currency.name',
      backReference: 'Shipment.name',
      returnAgainst: 'SalesInvoice.name',
      quote: 'SalesQuote.name',
    },
  ),
  SalesInvoiceItem: itemRows('SalesInvoice', sales),
  SalesQuote: tableOf(
    quotes,
    {
      '*name text': ({ name }) => name,
      'numberSeries text': 'SQUOT-',
      'referenceType text': 'Party',
      'party text': ({ party }) => party.name,
      'date date': ({ date }) => date,
      ...priced,
      'terms text': ({ notes }) => notes,
      'attachment text': null,
      'submitted boolean': submitted,
      'cancelled boolean': cancelled,
      ...made,
    },
    {
      numberSeries: 'NumberSeries.name',
      priceList: 'PriceList.name',
      currency: 'Currency.name',
    },
  ),
  SalesQuoteItem: itemRows('SalesQuote', quotes),
  TaxSummary: tableOf(
    [
      ...summaries,
      ...purchases
        .filter(({ tax }) => tax !== 0)
        .map((one) => ({
          schema: 'PurchaseInvoice',
          parent: one.name,
          date: one.date,
          account: taxNamed(one.taxName).account,
          rate: taxNamed(one.taxName).rate,
          amount: one.tax,
          index: 0,
        })),
    ],
    {
      '*name text': ({ parent, account }) => childName('TaxSummary', `${parent} ${account}`),
      'account text': ({ account }) => account,
      'rate float': ({ rate }) => rate,
      'amount text': ({ amount }) => money(amount),
      'idx integer': ({ index }) => index,
      'parent text': ({ parent }) => parent,
      'parentSchemaName text': ({ schema }) => schema,
      'parentFieldname text': 'taxes',
      ...made,
    },
    { account: 'Account.name' },
  ),
};

const bought: Readonly<Record<string, LayoutTable>> = {
  PurchaseInvoice: tableOf(
    purchases,
    {
      '*name text': ({ name }) => name,
      'numberSeries text': 'PINV-',
      'party text': ({ party }) => party.name,
      'account text': 'Creditors',
      'date date': ({ date }) => date,
      'priceList text': null,
      'netTotal text': ({ net }) => money(net),
      'baseGrandTotal text, grandTotal text': (one) => money(purchaseGross(one)),
      'setDiscountAmount boolean': 0,
      'discountAmount text': money(0),
      'discountPercent float': 0,
      'entryCurrency text': 'Party',
      'currency text': 'EUR',
      'exchangeRate float': 1,
      'discountAfterTax boolean, makeAutoPayment boolean, makeAutoStockTransfer boolean': 0,
      'outstandingAmount text': (one) => money(one.id === 4 ? purchaseGross(one) : 0),
      'stockNotTransferred float': 0,
      'terms text': ({ theirs }) => theirs,
      'attachment text, backReference text, returnAgainst text': null,
      'isReturned boolean': 0,
      'submitted boolean': 1,
      'cancelled boolean': 0,
      ...made,
    },
    {
      numberSeries: 'NumberSeries.name',
      party: 'Party.name',
      account: 'Account.name',
      priceList: 'PriceList.name',
      currency: 'Currency.name',
      returnAgainst: 'PurchaseInvoice.name',
    },
  ),
  PurchaseInvoiceItem: tableOf(
    purchases,
    {
      '*name text': ({ id }) => childName('PurchaseInvoiceItem', id),
      'item text': ({ item }) => item.name,
      'itemCode text': ({ item }) => item.code,
      'description text': ({ item }) => item.text,
      'rate text': ({ rate }) => money(rate),
      'transferUnit text, unit text': ({ item }) => item.unit,
      'transferQuantity float, quantity float': ({ quantity }) => quantity,
      'unitConversionFactor float': 1,
      'batch text, serialNumber text': null,
      'account text': 'Cost of Goods Sold',
      'tax text': ({ taxName }) => taxName,
      'amount text': ({ net }) => money(net),
      'setItemDiscountAmount boolean': 0,
      'itemDiscountAmount text': money(0),
      'itemDiscountPercent float': 0,
      'hsnCode integer': null,
      'stockNotTransferred float, idx integer': 0,
      'parent text': ({ name }) => name,
      ...childOf('PurchaseInvoice', 'items'),
      ...made,
    },
    {
      item: 'Item.name',
      transferUnit: 'UOM.name',
      unit: 'UOM.name',
      batch: 'Batch.name',
      account: 'Account.name',
      tax: 'Tax.name',
    },
  ),
};

const payments = [
  ...sales.filter(isPaid).map((one) => ({
    date: one.date,
    party: one.party.name,
    type: 'Receive',
    schema: 'SalesInvoice',
    of: one.name,
    amount: baseOf(one),
  })),
  ...purchases.slice(0, 3).map((one) => ({
    date: one.date,
    party: one.party.name,
    type: 'Pay',
    schema: 'PurchaseInvoice',
    of: one.name,
    amount: purchaseGross(one),
  })),
].map((payment, index) => ({ ...payment, id: index + 1, name: `PAY-${1001 + index}` }));

/** Debit and credit of an invoice, in euros. */
const posted = sales.filter(isPosted).flatMap((one) => {
  const own = (value: number) => exact(value * one.exchange);
  const perAccount = (accountOf: (row: Row) => string, amountOf: (row: Row) => number) =>
    [...new Set(one.rows.map(accountOf))].map((account) => ({
      account,
      amount: -own(sum(one.rows.filter((row) => accountOf(row) === account).map(amountOf))),
    }));
  const parts = [
    { account: 'Debtors', amount: baseOf(one) },
    { account: 'Discounts', amount: own(reductionOf(one)) },
    ...perAccount(
      ({ item }) => item.income,
      ({ amount }) => amount,
    ),
    ...perAccount(
      ({ taxName }) => taxNamed(taxName).account,
      ({ tax }) => tax,
    ),
  ];
  return parts
    .filter(({ amount }) => amount !== 0)
    .map((part) => ({ ...part, one, date: one.date }));
});
const shipped = sales.filter(({ id }) => [1, 4, 10].includes(id));
const shipmentName = (index: number) => `SHPM-${1001 + index}`;

const ledger: Readonly<Record<string, LayoutTable>> = {
  Payment: tableOf(
    payments,
    {
      '*name text': ({ name }) => name,
      'numberSeries text': 'PAY-',
      'party text': ({ party }) => party,
      'date datetime': ({ date }) => madeAt(date),
      'paymentType text': ({ type }) => type,
      'account text': ({ type }) => (type === 'Receive' ? 'Debtors' : 'Bank'),
      'paymentAccount text': ({ type }) => (type === 'Receive' ? 'Bank' : 'Creditors'),
      'paymentMethod text': 'Bank',
      'clearanceDate date': ({ date }) => date,
      'referenceId text': ({ id }) => `LHV${70_400 + id * 13}`,
      'referenceDate date': ({ date }) => date,
      'amount text': ({ amount }) => money(amount),
      'writeoff text': money(0),
      'attachment text': null,
      'referenceType text': ({ schema }) => schema,
      'submitted boolean': 1,
      'cancelled boolean': 0,
      ...made,
    },
    {
      numberSeries: 'NumberSeries.name',
      party: 'Party.name',
      account: 'Account.name',
      paymentAccount: 'Account.name',
      paymentMethod: 'PaymentMethod.name',
    },
  ),
  PaymentFor: tableOf(payments, {
    '*name text': ({ id }) => childName('PaymentFor', id),
    'referenceType text': ({ schema }) => schema,
    'referenceName text': ({ of }) => of,
    'amount text': ({ amount }) => money(amount),
    'idx integer': 0,
    'parent text': ({ name }) => name,
    ...childOf('Payment', 'for'),
    ...made,
  }),
  AccountingLedgerEntry: tableOf(
    posted,
    {
      '*name text': (_, index) => String(index + 1).padStart(9, '0'),
      'date datetime': ({ date }) => madeAt(date),
      'party text': ({ account, one }) => (account === 'Debtors' ? one.party.name : null),
      'account text': ({ account }) => account,
      'debit text': ({ amount }) => money(Math.max(amount, 0)),
      'credit text': ({ amount }) => money(Math.max(-amount, 0)),
      'referenceType text': 'SalesInvoice',
      'referenceName text': ({ one }) => one.name,
      'reverted boolean': 0,
      'reverts text': null,
      ...made,
    },
    {
      party: 'Party.name',
      account: 'Account.name',
      reverts: 'AccountingLedgerEntry.name',
    },
  ),
  JournalEntry: tableOf(
    [{ date: '2025-01-31' }],
    {
      '*name text': 'JV-1001',
      'entryType text': 'Journal Entry',
      'numberSeries text': 'JV-',
      'date date': ({ date }) => date,
      'referenceNumber text, referenceDate date': null,
      'userRemark text': 'Rent of January',
      'attachment text': null,
      'submitted boolean': 1,
      'cancelled boolean': 0,
      ...made,
    },
    { numberSeries: 'NumberSeries.name' },
  ),
  JournalEntryAccount: tableOf(
    [
      { date: '2025-01-31', account: 'Office Rent', debit: 900, credit: 0 },
      { date: '2025-01-31', account: 'Bank', debit: 0, credit: 900 },
    ],
    {
      '*name text': ({ account }) => childName('JournalEntryAccount', account),
      'account text': ({ account }) => account,
      'debit text': ({ debit }) => money(debit),
      'credit text': ({ credit }) => money(credit),
      'idx integer': (_, index) => index,
      'parent text': 'JV-1001',
      ...childOf('JournalEntry', 'accounts'),
      ...made,
    },
    { account: 'Account.name' },
  ),
  Shipment: tableOf(
    shipped,
    {
      '*name text': (_, index) => shipmentName(index),
      'numberSeries text': 'SHPM-',
      'party text': ({ party }) => party.name,
      'date datetime': ({ date }) => madeAt(date),
      'grandTotal text': (one) => money(netOf(one)),
      'terms text, attachment text': null,
      'backReference text': ({ name }) => name,
      'submitted boolean': 1,
      'cancelled boolean': 0,
      ...made,
    },
    {
      numberSeries: 'NumberSeries.name',
      party: 'Party.name',
      backReference: 'SalesInvoice.name',
    },
  ),
  ShipmentItem: tableOf(
    shipped.flatMap((one, parent) =>
      one.rows.map((row) => ({ row, parent: shipmentName(parent), date: one.date })),
    ),
    {
      '*name text': ({ row }) => childName('ShipmentItem', row.id),
      'item text': ({ row }) => row.item.name,
      'location text': 'Stores',
      'transferUnit text': ({ row }) => (row.isByBox ? 'Box' : row.item.unit),
      'transferQuantity float': ({ row }) => (row.isByBox ? row.quantity / perBox : row.quantity),
      'unit text': ({ row }) => row.item.unit,
      'quantity float': ({ row }) => row.quantity,
      'unitConversionFactor float': ({ row }) => (row.isByBox ? perBox : 1),
      'batch text, serialNumber text': null,
      'rate text': ({ row }) => money(row.rate),
      'amount text': ({ row }) => money(row.amount),
      'description text': ({ row }) => row.item.text,
      'hsnCode integer': null,
      'idx integer': ({ row }) => row.position,
      'parent text': ({ parent }) => parent,
      ...childOf('Shipment', 'items'),
      ...made,
    },
    { item: 'Item.name', location: 'Location.name', unit: 'UOM.name', transferUnit: 'UOM.name' },
  ),
};

const own = {
  name: 'Rannu Kohviröst OÜ - Office',
  street: 'Kastani 42',
  street2: 'Hoov B',
  city: 'Tartu',
  state: 'Tartumaa',
  country: 'Estonia',
  zip: '50410',
  phone: '+372 5620 8814',
  email: 'arved@rannurost.example',
};
const addresses = [
  ...parties.map((party) => ({ ...party, name: addressName(party), phone: null, email: null })),
  own,
];
const owed = ({ name }: Party) =>
  sum(sales.filter((one) => isPosted(one) && !isPaid(one) && one.party.name === name).map(baseOf));
function vatType({ country, vat }: Party): string {
  if (country === 'Estonia') return vat === null ? 'Not registered' : 'Registered';
  return country === 'United Kingdom' ? 'Overseas' : 'European Union';
}

const relations: Readonly<Record<string, LayoutTable>> = {
  Party: tableOf(
    parties,
    {
      '*name text': ({ name }) => name,
      'image text': null,
      'role text': ({ role }) => role,
      'defaultAccount text': ({ role }) => (role === 'Customer' ? 'Debtors' : 'Creditors'),
      'outstandingAmount text': (one) => money(owed(one)),
      'currency text': ({ currency }) => currency,
      'email text': ({ email }) => email,
      'phone text': ({ phone }) => phone,
      'address text': addressName,
      'partyVatType text': vatType,
      'vatNumber text': ({ vat }) => vat,
      'fromLead text': null,
      ...madeAtSetUp,
    },
    {
      defaultAccount: 'Account.name',
      currency: 'Currency.name',
      address: 'Address.name',
      fromLead: 'Lead.name',
    },
  ),
  Lead: tableOf(
    [{ name: 'Kohvik Uus', date: '2026-01-12' }],
    {
      '*name text': ({ name }) => name,
      'status text': 'Open',
      'email text': null,
      'mobile text': '+372 5198 2204',
      'address text': null,
      ...made,
    },
    { address: 'Address.name' },
  ),
  Address: tableOf(addresses, {
    '*name text': ({ name }) => name,
    'addressLine1 text': ({ street }) => street,
    'addressLine2 text': ({ street2 }) => street2,
    'city text': ({ city }) => city,
    'state text': ({ state }) => state,
    'country text': ({ country }) => country,
    'postalCode text': ({ zip }) => zip,
    'emailAddress text': ({ email }) => email,
    'phone text': ({ phone }) => phone,
    'fax text': null,
    'addressDisplay text': ({ street, street2, city, state, country, zip }) =>
      [street, street2, city, state, country, zip].filter((part) => part !== null).join(', '),
    ...madeAtSetUp,
  }),
  Item: tableOf(
    items,
    {
      '*name text': ({ name }) => name,
      'image text': null,
      'itemCode text': ({ code }) => code,
      'description text': ({ text }) => text,
      'unit text': ({ unit }) => unit,
      'itemType text': ({ type }) => type,
      'for text': ({ type }) => (type === 'Product' ? 'Both' : 'Sales'),
      'itemGroup text': null,
      'incomeAccount text': ({ income }) => income,
      'expenseAccount text': 'Cost of Goods Sold',
      'tax text': ({ tax }) => tax,
      'rate text': ({ price }) => money(price),
      'hsnCode integer': null,
      'barcode text': ({ type }, index) =>
        type === 'Product' ? `47400123${10_450 + index * 19}` : null,
      'trackItem boolean': ({ type }) => (type === 'Product' ? 1 : 0),
      'hasBatch boolean, hasSerialNumber boolean': 0,
      ...madeAtSetUp,
    },
    {
      unit: 'UOM.name',
      incomeAccount: 'Account.name',
      expenseAccount: 'Account.name',
      tax: 'Tax.name',
    },
  ),
  UOMConversionItem: tableOf(
    [items[2]!],
    {
      '*name text': ({ code }) => childName('UOMConversionItem', code),
      'uom text': 'Box',
      'conversionFactor float': perBox,
      'idx integer': 0,
      'parent text': ({ name }) => name,
      ...childOf('Item', 'uomConversions'),
      ...madeAtSetUp,
    },
    { uom: 'UOM.name' },
  ),
  Tax: tableOf(taxes, { '*name text': ({ name }) => name, ...madeAtSetUp }),
  TaxDetail: tableOf(
    taxes,
    {
      '*name text': ({ name }) => childName('TaxDetail', name),
      'account text': ({ account }) => account,
      'rate float': ({ rate }) => rate,
      'idx integer': 0,
      'parent text': ({ name }) => name,
      ...childOf('Tax', 'details'),
      ...madeAtSetUp,
    },
    { account: 'Account.name' },
  ),
};

/** Name; root; parent; type; whether it is a group. */
const accounts = rowsOf(
  `Application of Funds (Assets);Asset;;;1
Current Assets;Asset;Application of Funds (Assets);;1
Bank;Asset;Current Assets;Bank;0
Debtors;Asset;Current Assets;Receivable;0
Stock In Hand;Asset;Current Assets;Stock;0
Source of Funds (Liabilities);Liability;;;1
Duties and Taxes;Liability;Source of Funds (Liabilities);Tax;1
Creditors;Liability;Source of Funds (Liabilities);Payable;0
Output VAT 24%;Liability;Duties and Taxes;Tax;0
Output VAT 22%;Liability;Duties and Taxes;Tax;0
Output VAT 9%;Liability;Duties and Taxes;Tax;0
Output VAT 0%;Liability;Duties and Taxes;Tax;0
Input VAT;Liability;Duties and Taxes;Tax;0
Income;Income;;;1
Sales;Income;Income;Income Account;0
Service;Income;Income;Income Account;0
Discounts;Income;Income;Income Account;0
Expenses;Expense;;;1
Cost of Goods Sold;Expense;Expenses;Cost of Goods Sold;0
Office Rent;Expense;Expenses;Expense Account;0
Round Off;Expense;Expenses;Round Off;0
Write Off;Expense;Expenses;Expense Account;0`,
).map(([name = '', root = '', parent, type, group]) => ({
  name,
  root,
  parent: parent || null,
  type: type || null,
  isGroup: Number(group),
}));

/** Group; name; value: what other ERPs have as columns of the one company. */
const settings = rowsOf(
  `AccountingSettings;fullname;Liis Rannu
AccountingSettings;companyName;Rannu Kohviröst OÜ
AccountingSettings;bankName;LHV Pank
AccountingSettings;country;Estonia
AccountingSettings;email;liis@rannurost.example
AccountingSettings;vatNumber;EE102448170
AccountingSettings;registryCode;16204471
AccountingSettings;writeOffAccount;Write Off
AccountingSettings;roundOffAccount;Round Off
AccountingSettings;discountAccount;Discounts
AccountingSettings;enableDiscounting;1
AccountingSettings;enableInventory;1
AccountingSettings;enablePriceList;0
AccountingSettings;enableInvoiceReturns;1
AccountingSettings;fiscalYearStart;2025-01-01
AccountingSettings;fiscalYearEnd;2025-12-31
AccountingSettings;setupComplete;1
SystemSettings;dateFormat;dd.MM.yyyy
SystemSettings;locale;et-EE
SystemSettings;displayPrecision;2
SystemSettings;internalPrecision;11
SystemSettings;hideGetStarted;1
SystemSettings;currency;EUR
SystemSettings;countryCode;ee
SystemSettings;instanceId;4f0c2b7718d94e56a21b7c0f
SystemSettings;version;0.26.1
SystemSettings;darkMode;0
PrintSettings;companyName;Rannu Kohviröst OÜ
PrintSettings;email;arved@rannurost.example
PrintSettings;phone;+372 5620 8814
PrintSettings;address;Rannu Kohviröst OÜ - Office
PrintSettings;color;#112B42
PrintSettings;font;Inter
PrintSettings;displayLogo;0
PrintSettings;displayTime;0
Defaults;salesInvoiceNumberSeries;SINV-
Defaults;purchaseInvoiceNumberSeries;PINV-
Defaults;salesPaymentAccount;Bank
Defaults;salesInvoicePrintTemplate;Basic - Sales Invoice
InventorySettings;valuationMethod;FIFO
InventorySettings;stockInHand;Stock In Hand
InventorySettings;costOfGoodsSold;Cost of Goods Sold
InventorySettings;enableUomConversions;1
Misc;openCount;212`,
).map(([parent = '', fieldname = '', value = '']) => ({ parent, fieldname, value }));

const lists: Readonly<Record<string, LayoutTable>> = {
  SingleValue: tableOf(settings, {
    '*name text': ({ parent, fieldname }) => childName('SingleValue', `${parent}.${fieldname}`),
    'parent text': ({ parent }) => parent,
    'fieldname text': ({ fieldname }) => fieldname,
    'value text': ({ value }) => value,
    ...madeAtSetUp,
  }),
  Account: tableOf(
    accounts,
    {
      '*name text': ({ name }) => name,
      'rootType text': ({ root }) => root,
      'parentAccount text': ({ parent }) => parent,
      'accountType text': ({ type }) => type,
      'isGroup boolean': ({ isGroup }) => isGroup,
      'lft integer': (_, index) => index * 2 + 1,
      'rgt integer': (_, index) => index * 2 + 2,
      ...madeAtSetUp,
    },
    { parentAccount: 'Account.name' },
  ),
  Currency: tableOf(
    rowsOf(`EUR;Cent;€
GBP;Penny;£
USD;Cent;$`),
    {
      '*name text': ([name = '']) => name,
      'fraction text': ([, fraction = '']) => fraction,
      'fractionUnits integer': 100,
      'smallestValue text': money(0.01),
      'symbol text': ([, , symbol = '']) => symbol,
      ...madeAtSetUp,
    },
  ),
  UOM: tableOf(['Unit', 'Kg', 'Box', 'Hour', 'Day', 'Gram', 'Meter'], {
    '*name text': (name) => name,
    'isWhole boolean': (name) => (['Unit', 'Box'].includes(name) ? 1 : 0),
    ...madeAtSetUp,
  }),
  NumberSeries: tableOf(
    [
      { name: 'SINV-', of: 'SalesInvoice', current: 1000 + sales.length },
      { name: 'PINV-', of: 'PurchaseInvoice', current: 1000 + purchases.length },
      { name: 'SQUOT-', of: 'SalesQuote', current: 1000 + quotes.length },
      { name: 'PAY-', of: 'Payment', current: 1000 + payments.length },
      { name: 'SHPM-', of: 'Shipment', current: 1000 + shipped.length },
      { name: 'JV-', of: 'JournalEntry', current: 1001 },
    ],
    {
      '*name text': ({ name }) => name,
      'start integer': 1001,
      'padZeros integer': 4,
      'referenceType text': ({ of }) => of,
      'current integer': ({ current }) => current,
      ...madeAtSetUp,
    },
  ),
  PaymentMethod: tableOf(
    [
      { name: 'Bank', account: 'Bank' },
      { name: 'Cash', account: null },
    ],
    {
      '*name text': ({ name }) => name,
      'type text': ({ name }) => name,
      'account text': ({ account }) => account,
      ...madeAtSetUp,
    },
    { account: 'Account.name' },
  ),
  PriceList: tableOf(['Hulgi'], {
    '*name text': (name) => name,
    'isEnabled boolean': 0,
    'isSales boolean': 1,
    'isPurchase boolean': 0,
    ...madeAtSetUp,
  }),
  PriceListItem: tableOf(
    items.slice(0, 2),
    {
      '*name text': ({ code }) => childName('PriceListItem', code),
      'item text': ({ name }) => name,
      'unit text': ({ unit }) => unit,
      'rate text': ({ price }) => money(price * 0.9),
      'idx integer': (_, index) => index,
      'parent text': 'Hulgi',
      ...childOf('PriceList', 'priceListItem'),
      ...madeAtSetUp,
    },
    { item: 'Item.name', unit: 'UOM.name' },
  ),
  Location: tableOf(
    ['Stores'],
    { '*name text': (name) => name, 'address text': null, ...madeAtSetUp },
    { address: 'Address.name' },
  ),
  Batch: tableOf(
    [] as readonly Item[],
    {
      '*name text': ({ name }) => name,
      'item text': ({ name }) => name,
      'expiryDate date, manufactureDate date': null,
      ...madeAtSetUp,
    },
    { item: 'Item.name' },
  ),
  PrintTemplate: tableOf(['Basic - Sales Invoice', 'Business - Sales Invoice'], {
    '*name text': (name) => name,
    'type text': 'SalesInvoice',
    'template text': '<main class="bg-white h-full" :style="{ font: print.font }"></main>',
    'width float': 21,
    'height float': 29.7,
    'isCustom boolean': 0,
    ...madeAtSetUp,
  }),
  PatchRun: tableOf(['testPatch', 'updateSchemas', 'addUOMs', 'fixRoundOffAccount'], {
    '*name text': (name) => name,
    'failed boolean': 0,
    'version text': '0.26.1',
    ...madeAtSetUp,
  }),
};

/**
 * After Frappe Books, an Estonian firm: SQLite, names as keys of everything and in all references, money as text with eleven
 * decimals, every setting a row of one table, draft and cancelled as two flags, returns as invoices with negative quantities
 * that name the invoice returned. An amount of a line and netTotal are before discounts, and nothing is rounded. No date when
 * payment is due. Rates of taxes stand in rows below the tax, the firm's address among those of the parties. A remark is in
 * `terms`.
 * Names and links after the published schemas; links to a fixed table are declared, those of child rows to their parent
 * are not.
 */
export const amountsAsText: Layout = {
  name: 'amounts-as-text',
  isHeldOut: false,
  hasDiscounts: true,
  tables: { ...lists, ...relations, ...ledger, ...bought, ...sold },
  sections: {
    header: {
      table: 'SalesInvoice',
      key: 'name',
      match: 'name',
      where: { submitted: '1', cancelled: '0', returnAgainst: null },
    },
    lines: { table: 'SalesInvoiceItem', key: 'name', match: 'parent', matchFrom: 'name' },
    customer: { table: 'Party', key: 'name', match: 'name', matchFrom: 'party' },
  },
  fields: {
    number: 'SalesInvoice.name|SalesInvoiceItem.parent|AccountingLedgerEntry.referenceName',
    issue_date: 'SalesInvoice.date|AccountingLedgerEntry.date',
    currency: 'SalesInvoice.currency|Currency.name',
    'exchange_rate.rate': 'SalesInvoice.exchangeRate',
    'notes[]': 'SalesInvoice.terms',
    'payment_terms[].note': 'SalesInvoice.terms',
    'totals.gross': 'SalesInvoice.grandTotal',
    'totals.due': 'SalesInvoice.grandTotal',
    'tax_breakdown[].amount': 'TaxSummary.amount',
    'tax_breakdown[].rate': 'TaxSummary.rate|TaxDetail.rate',
    'seller.name': 'SingleValue.value',
    'seller.trn': 'SingleValue.value',
    'seller.tin': 'SingleValue.value',
    'seller.registration_id': 'SingleValue.value',
    'seller.contact.name': 'SingleValue.value',
    'seller.contact.phone': 'SingleValue.value|Address.phone',
    'seller.contact.email': 'SingleValue.value|Address.emailAddress',
    'seller.address.line1': 'Address.addressLine1',
    'seller.address.line2': 'Address.addressLine2',
    'seller.address.city': 'Address.city',
    'seller.address.post_code': 'Address.postalCode',
    'seller.address.subdivision': 'Address.state',
    'seller.address.country': 'Address.country!map|SingleValue.value!map,upper',
    'buyer.name': 'SalesInvoice.party|Party.name|AccountingLedgerEntry.party',
    'buyer.trn': 'Party.vatNumber',
    'PINT-MY:buyer.identifiers[].id': 'Party.vatNumber',
    'buyer.address.line1': 'Address.addressLine1',
    'buyer.address.line2': 'Address.addressLine2',
    'buyer.address.city': 'Address.city',
    'buyer.address.post_code': 'Address.postalCode',
    'buyer.address.subdivision': 'Address.state',
    'buyer.address.country': 'Address.country!map',
    'buyer.contact.phone': 'Party.phone|Address.phone',
    'buyer.contact.email': 'Party.email|Address.emailAddress',
    'lines[].id': 'SalesInvoiceItem.idx|SalesInvoiceItem.name',
    'lines[].sku': 'SalesInvoiceItem.itemCode|Item.itemCode',
    'lines[].name': 'SalesInvoiceItem.item|Item.name',
    'lines[].description':
      'SalesInvoiceItem.description|Item.description|SalesInvoiceItem.item|Item.name',
    // transferQuantity counts boxes, whereas the price is of a unit.
    'lines[].qty': 'SalesInvoiceItem.quantity',
    'lines[].unit': 'SalesInvoiceItem.unit!map|Item.unit!map|UOM.name!map',
    'lines[].unit_price': 'SalesInvoiceItem.rate',
    'lines[].gross_price': 'SalesInvoiceItem.rate',
    'lines[].allowances[].percent': 'SalesInvoiceItem.itemDiscountPercent',
    'lines[].allowances[].amount': 'SalesInvoiceItem.itemDiscountAmount',
    'lines[].tax.rate': 'TaxDetail.rate|SalesInvoiceItem.tax!map|Tax.name!map|TaxDetail.parent!map',
    'lines[].tax.category':
      'SalesInvoiceItem.tax!map|Tax.name!map|TaxDetail.parent!map|TaxDetail.rate!map|TaxDetail.account!map|' +
      'Party.partyVatType!map',
  },
};
