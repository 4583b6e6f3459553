import { cents, total } from './enterprise-trade.ts';
import type { Cell, Layout, LayoutTable } from './layout.ts';
import { tableOf } from './tables.ts';

type Content<T> = Cell | ((row: T, index: number) => Cell);
type Columns<T> = Readonly<Record<string, Content<T>>>;

/** A date as a number, 20260131; none is 0. */
const day = (date: string) => Number(date.replaceAll('-', ''));
const after = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** A table with the stamps that each one has behind its key; texts have a fixed length, and blanks fill it. */
function stamped<T>(all: readonly T[], keys: Columns<T>, columns: Columns<T>): LayoutTable {
  const table = tableOf(all, {
    ...keys,
    'AUDTDATE decimal': 20_260_630,
    'AUDTTIME decimal': (_row, index) => 9_041_200 + index * 137,
    'AUDTUSER char(8)': (_row, index) => (index % 5 === 3 ? 'ADMIN' : 'SITI'),
    'AUDTORG char(6)': 'CAHDAT',
    ...columns,
  });
  const lengths = table.columns
    .split(', ')
    .map((column) => Number(/ char\((\d+)\)$/.exec(column)?.[1] ?? 0));
  return {
    ...table,
    rows: table.rows.map((row) =>
      row.map((cell, at) => (lengths[at]! > 0 ? String(cell).padEnd(lengths[at]!) : cell)),
    ),
  };
}

/** `NAME1` to `NAME5`; this firm uses the first only. */
const fiveOf = <T>(name: string, type: string, first: Content<T>, other: Cell): Columns<T> => ({
  [`${name}1 ${type}`]: first,
  [[2, 3, 4, 5].map((at) => `${name}${at} ${type}`).join(', ')]: other,
});

const texts = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((row) => row.split(';').map((cell) => cell.trim()));

/**
 * Number; short name; name; street; second line; city; state; code; country; contact; phone; fax; mail; mail of the contact;
 * currency; terms; tax number; register.
 */
const customers = texts(`
1200;PERAK;Perak Palm Oil Mills Sdn Bhd;Lot 88, Jalan Kuala Kangsar;Kawasan Perindustrian Tasek;Ipoh;Perak;31400;Malaysia;Azman Yusof;05-5462210;05-5462211;accounts@perakpalm.example;azman@perakpalm.example;MYR;N30;A01-1808-31000412;199301008831
1205;SELATEK;Selatek Engineering Works;12 Jalan Meranti 4;;Johor Bahru;Johor;81100;Malaysia;Lim Siew Hoon;07-3551902;;billing@selatek.example;shlim@selatek.example;MYR;N30;;JM0412287-X
1210;KINABAL;Kinabalu Timber Products Sdn Bhd;KM 9, Jalan Tuaran;Inanam;Kota Kinabalu;Sabah;88450;Malaysia;Rosalind Gomes;088-421760;088-421765;finance@kinabalutimber.example;;MYR;N45;S10-1808-32000077;200601017720
1215;PENTECH;Pentech Precision Sdn Bhd;Plot 61, Lintang Bayan Lepas;Phase 4;Bayan Lepas;Pulau Pinang;11900;Malaysia;Vijay Kumar;04-6428800;04-6428801;ap@pentech.example;vijay@pentech.example;MYR;N45;P11-1808-31009921;199801011306
1220;KLANGV;Klang Valley Bottlers Berhad;3 Persiaran Selangor;Seksyen 15;Shah Alam;Selangor;40200;Malaysia;Nurul Izzah;03-55190033;;ap@kvbottlers.example;nurul@kvbottlers.example;MYR;N30;B16-1808-31004555;197501003120
1225;SERIKAM;Seri Kampar Quarry;Batu 23, Jalan Gopeng;;Kampar;Perak;31900;Malaysia;;05-4661178;;;;MYR;COD;;AS0099120-K
1300;MARINA;Marina Bay Shipyard Pte Ltd;41 Tuas South Avenue 5;#02-08;Singapore;;637349;Singapore;Tan Wei Ming;+65 6861 2204;+65 6861 2205;ap@marinashipyard.example;wmtan@marinashipyard.example;SGD;N30;M90366412A;199504417E
1305;LIONCIT;Lion City Cold Stores Pte Ltd;9 Fishery Port Road;;Singapore;;619740;Singapore;Grace Koh;+65 6265 0917;;accounts@lioncity.example;grace.koh@lioncity.example;SGD;N45;M20118765C;200108876D
1400;HOUSTON;Houston Rig Services Inc.;7120 Gulf Freeway;Suite 300;Houston;TX;77087;United States;Dana Whitfield;+1 713 555 0144;;payables@houstonrig.example;dwhitfield@houstonrig.example;USD;N60;;
1405;SURABAY;PT Surabaya Galangan;Jalan Nilam Timur 41;;Surabaya;Jawa Timur;60165;Indonesia;Budi Hartono;+62 31 329 4410;;keuangan@galangan.example;;USD;N60;01.309.882.4-604.000;
`).map(
  ([
    id = '',
    short = '',
    name = '',
    street = '',
    street2 = '',
    city = '',
    state = '',
    zip = '',
    country = '',
    contact = '',
    phone = '',
    fax = '',
    mail = '',
    ownMail = '',
    currency = '',
    terms = '',
    taxNumber = '',
    register = '',
  ]) => ({
    id,
    short,
    name,
    street,
    street2,
    city,
    state,
    zip,
    country,
    contact,
    phone,
    fax,
    mail,
    ownMail,
    currency,
    terms,
    taxNumber,
    register,
    isHome: country === 'Malaysia',
  }),
);
type Customer = (typeof customers)[number];
const salesperson = ({ isHome }: Customer) => (isHome ? 'RAJU' : 'MEILIN');
const territory = ({ isHome }: Customer) => (isHome ? 'WEST' : 'EXP');
const priceList = ({ isHome }: Customer) => (isHome ? 'RTL' : 'EXP');
const buyerClass = ({ isHome }: Customer) => (isHome ? 1 : 2);
const taxGroup = ({ isHome }: Customer) => (isHome ? 'MYSST' : 'EXPORT');
const accountSet = ({ currency }: Customer) => (currency === 'MYR' ? 'TRADE' : `EXP${currency}`);
const rateType = 'SP';

const days: Readonly<Record<string, number>> = { COD: 0, N30: 30, N45: 45, N60: 60 };
const terms = texts(`
COD;Cash on delivery
N30;30 days net
N45;45 days net
N60;60 days from date of invoice
`).map(([code = '', text = '']) => ({ code, text }));

/** Code; name; unit sold; unit stocked; of these in one sold; price; class of tax; category; commodity code. */
const items = texts(`
BRG-6204/2RS;Deep groove ball bearing 6204 2RS;EA;EA;1;18.4;1;BEARNG;8482.10.00
BRG-6308/ZZ0;Deep groove ball bearing 6308 ZZ;EA;EA;1;64.75;1;BEARNG;8482.10.00
BLT-A042/000;V-belt A42;EA;EA;1;22.9;1;DRIVES;4010.31.00
CHN-08B1/005;Roller chain 08B-1, 5 m;BOX;BOX;1;148;1;DRIVES;7315.11.10
OIL-VG46/020;Hydraulic oil VG 46, 20 litres;PAIL;PAIL;1;265.5;3;LUBRIC;2710.19.44
FIL-CART/010;Filter cartridge 10 micron;BOX;EA;6;93.35;3;FILTER;8421.29.90
SAF-GLV1/012;Nitrile gloves, heavy;DOZ;EA;12;54.6;1;SAFETY;4015.19.00
BOK-CAT0/025;Maintenance handbook;EA;EA;1;85;4;BOOKS;4901.99.90
SVC-INST/001;Installation on site;HOUR;HOUR;1;120;2;SERVIC;
SVC-CALI/001;Calibration of gauges;HOUR;HOUR;1;185;2;SERVIC;
`).map(
  ([
    code = '',
    name = '',
    unit = '',
    stockUnit = '',
    inOne = '',
    price = '',
    taxClass = '',
    category = '',
    commodity = '',
  ]) => ({
    code,
    name,
    unit,
    stockUnit,
    category,
    commodity,
    bare: code.replaceAll(/[-/]/g, ''),
    inOne: Number(inOne),
    price: Number(price),
    cost: cents(Number(price) * 0.62),
    taxClass: Number(taxClass),
    isStocked: category !== 'SERVIC',
  }),
);
type Item = (typeof items)[number];
const itemOf = (start: string) => items.find(({ code }) => code.startsWith(start))!;

/** Percent, by the class of the item, for buyers at home; abroad there is none. */
const classes = [
  { id: 1, name: 'Sales tax 10%', rate: 10 },
  { id: 2, name: 'Service tax 8%', rate: 8 },
  { id: 3, name: 'Sales tax 5%', rate: 5 },
  { id: 4, name: 'Exempt goods', rate: 0 },
];

interface Sold {
  readonly at: number;
  readonly item: Item;
  readonly quantity: number;
  readonly price: number;
  readonly discount: number;
  /** Before discount. */
  readonly extended: number;
  readonly off: number;
  readonly net: number;
  readonly rate: number;
  readonly tax: number;
}

function soldOf(text: string, customer: Customer): readonly Sold[] {
  return text.split('+').map((part, index) => {
    const [start = '', quantity = '', price = '', discount = '0'] = part.trim().split(' ');
    const item = itemOf(start);
    const extended = cents(Number(quantity) * Number(price));
    const off = cents((extended * Number(discount)) / 100);
    const net = cents(extended - off);
    const rate = customer.isHome ? classes.find(({ id }) => id === item.taxClass)!.rate : 0;
    return {
      at: (index + 1) * 32,
      item,
      quantity: Number(quantity),
      price: Number(price),
      discount: Number(discount),
      extended,
      off,
      net,
      rate,
      tax: cents((net * rate) / 100),
    };
  });
}

/**
 * Customer; order; date; shipped so many days before; purchase order; reference; description; comment; worth in ringgit; terms if
 * others; what is sold: item, quantity, price, discount.
 */
const invoices = texts(`
1200;301;2026-01-07;2;PPM/26/0017;Mill 2;Bearings for January;Deliver to store at gate 3;1;;BRG-6204 40 18.4 5 + BRG-6308 12 64.75 + SAF-GLV1 3 54.6
1215;302;2026-01-12;0;4500091822;;;;1;;FIL-CART 4 93.35 + OIL-VG46 2 265.5
1300;303;2026-01-15;3;MBS-20417;Hull 88;Export to Tuas;Three cartons on one pallet;3.1745;;BRG-6308 30 21.2 + CHN-08B1 4 48.5 10 + BOK-CAT0 2 27
1205;304;2026-01-20;1;;;;;1;;BLT-A042 25 22.9
1220;305;2026-02-03;0;KVB-7741;Line 4;Service visit;Work done outside of shifts;1;;SVC-INST 6 120 + SVC-CALI 2.5 185 + FIL-CART 1 93.35 + BOK-CAT0 1 85
1400;306;2026-02-06;4;HRS 55102;Rig Delta;;;4.0825;;CHN-08B1 12 37.25 + BRG-6204 100 4.6 7.5
1210;307;2026-02-17;2;KTP/118;;Sawmill spares;;1;N30;BRG-6308 16 64.75 5 + BLT-A042 40 22.35
1225;308;2026-02-24;0;;;;Paid at the counter;1;;OIL-VG46 1 265.5 + SAF-GLV1 1 54.6
1200;309;2026-03-05;1;PPM/26/0098;Mill 1;First part of the order;;1;;BRG-6204 60 18.4 5
1200;309;2026-03-19;2;PPM/26/0098;Mill 1;Rest of the order;Order is complete with this;1;;BRG-6204 40 18.4 5 + CHN-08B1 3 148
1305;310;2026-03-24;0;LCCS 3381;;;;3.1812;;FIL-CART 8 30.55 + SVC-CALI 4 60
1215;311;2026-04-09;1;4500093107;Bay 12;;;1;;SAF-GLV1 20 54.6 12.5 + BRG-6204 15 18.4 + BLT-A042 6 22.9
1405;312;2026-04-16;5;SBY-0091;Dock 2;Export to Surabaya;;4.0515;;OIL-VG46 24 64.8 2.5 + FIL-CART 6 22.9
1220;313;2026-05-06;0;KVB-7802;;Books for the training;;1;;BOK-CAT0 12 85 15
1205;314;2026-05-19;1;SEW-2026-31;;;Collect by own lorry;1;;CHN-08B1 2 148 + OIL-VG46 3 265.5 4 + SVC-INST 3.5 120
1300;315;2026-06-11;2;MBS-20988;Hull 91;;;3.1698;;BRG-6204 200 6.05 3 + BRG-6308 18 21.2
1210;316;2026-06-23;0;KTP/164;;;;1;;FIL-CART 3 93.35 + SVC-CALI 1.5 185
`).map((row, index) => {
  const [id = '', order = '', date = '', before = '', po = '', reference = ''] = row;
  const [description = '', comment = '', exchange = '', other = '', sold = ''] = row.slice(6);
  const customer = customers.find((each) => each.id === id)!;
  const lines = soldOf(sold, customer);
  const net = total(lines.map((line) => line.net));
  const tax = total(lines.map((line) => line.tax));
  const termsCode = other === '' ? customer.terms : other;
  return {
    index,
    customer,
    date,
    po,
    reference,
    description,
    comment,
    lines,
    net,
    tax,
    terms: termsCode,
    due: after(date, days[termsCode]!),
    shipped: after(date, -before),
    order: Number(order),
    unique: 2104 + index * 6,
    number: `IN${String(10_421 + index).padStart(11, '0')}`,
    // Day end comes in the night after.
    posted: after(date, index % 4 === 1 ? 1 : 0),
    exchange: Number(exchange),
    gross: cents(net + tax),
    off: total(lines.map((line) => line.off)),
    dayEnd: 312 + index * 2,
    isPaid: index < 9 && index % 3 !== 2,
  };
});
type Invoice = (typeof invoices)[number];

/** Invoice; date; reference; description; what comes back. */
const credits = texts(`
0;2026-01-21;RMA 104;Bearings returned unused;BRG-6308 2 64.75
2;2026-02-09;RMA 107;Chain too short;CHN-08B1 1 48.5 10
11;2026-04-27;RMA 115;Gloves of a wrong size;SAF-GLV1 4 54.6 12.5
13;2026-05-20;;Price agreed later;BOK-CAT0 2 85 15
`).map(([of = '', date = '', reference = '', description = '', sold = ''], index) => {
  const invoice = invoices[Number(of)]!;
  const lines = soldOf(sold, invoice.customer);
  const net = total(lines.map((line) => line.net));
  const tax = total(lines.map((line) => line.tax));
  return {
    invoice,
    date,
    reference,
    description,
    lines,
    net,
    tax,
    index,
    unique: 2131 + index * 19,
    number: `CN${String(1077 + index).padStart(11, '0')}`,
    gross: cents(net + tax),
    off: total(lines.map((line) => line.off)),
    dayEnd: 330 + index * 5,
  };
});
type Credit = (typeof credits)[number];

/** Orders of the invoices, and three that are not shipped yet or are offers. */
const orders = [
  ...[...new Set(invoices.map(({ order }) => order))].map((id) => {
    const shipped = invoices.filter(({ order }) => order === id);
    const [first] = shipped as [Invoice];
    const last = shipped.at(-1)!;
    const lines =
      shipped.length > 1
        ? soldOf('BRG-6204 100 18.4 5 + CHN-08B1 3 148', first.customer)
        : first.lines;
    return {
      id,
      last,
      lines,
      shipped: shipped.length,
      customer: first.customer,
      type: 1,
      po: first.po,
    };
  }),
  ...texts(`
317;1;1220;KVB-7833;FIL-CART 10 93.35
318;1;1400;HRS 55340;BRG-6308 24 16.4
319;4;1215;;SVC-CALI 8 185 5 + SVC-INST 4 120
`).map(([id = '', type = '', buyer = '', po = '', sold = '']) => {
    const customer = customers.find((each) => each.id === buyer)!;
    const lines = soldOf(sold, customer);
    return { id: Number(id), last: null, lines, shipped: 0, customer, type: Number(type), po };
  }),
].map((one, index) => ({
  ...one,
  unique: 1980 + index * 7,
  date: one.last === null ? '2026-06-26' : after(one.last.shipped, one.shipped > 1 ? -21 : -6),
  net: total(one.lines.map(({ net }) => net)),
  tax: total(one.lines.map(({ tax }) => tax)),
}));
type Order = (typeof orders)[number];
const orderNumber = (id: number) => `ORD${String(id).padStart(10, '0')}`;
/** The address that a document repeats from its customer. */
const billTo = <T>(of: (row: T) => Customer): Columns<T> => ({
  'BILNAME char(60)': (row) => of(row).name,
  'BILADDR1 char(60)': (row) => of(row).street,
  'BILADDR2 char(60)': (row) => of(row).street2,
  'BILADDR3 char(60), BILADDR4 char(60)': '',
  'BILCITY char(30)': (row) => of(row).city,
  'BILSTATE char(30)': (row) => of(row).state,
  'BILZIP char(20)': (row) => of(row).zip,
  'BILCOUNTRY char(30)': (row) => of(row).country,
  'BILPHONE char(30)': (row) => of(row).phone,
  'BILFAX char(30)': (row) => of(row).fax,
  'BILCONTACT char(60)': (row) => of(row).contact,
});
/** Two customers have their goods sent elsewhere. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  1200: ['MILL2', 'Perak Palm Oil - Mill 2', 'KM 4, Jalan Bota', '', 'Bota', 'Perak', '32600'],
  1300: [
    'YARD2',
    'Marina Bay Shipyard - Yard 2',
    '12 Benoi Road',
    'Gate B',
    'Singapore',
    '',
    '629882',
  ],
};
const shipTo = <T>(of: (row: T) => Customer): Columns<T> => {
  const place = (at: number, own: (customer: Customer) => string) => (row: T) =>
    elsewhere[of(row).id]?.[at] ?? own(of(row));
  return {
    'SHIPTO char(6)': place(0, () => ''),
    'SHPNAME char(60)': place(1, ({ name }) => name),
    'SHPADDR1 char(60)': place(2, ({ street }) => street),
    'SHPADDR2 char(60)': place(3, ({ street2 }) => street2),
    'SHPADDR3 char(60), SHPADDR4 char(60)': '',
    'SHPCITY char(30)': place(4, ({ city }) => city),
    'SHPSTATE char(30)': place(5, ({ state }) => state),
    'SHPZIP char(20)': place(6, ({ zip }) => zip),
    'SHPCOUNTRY char(30)': (row) => of(row).country,
    'SHPPHONE char(30)': (row) => of(row).phone,
    'SHPFAX char(30)': '',
    'SHPCONTACT char(60)': (row) => (elsewhere[of(row).id] ? 'Storekeeper' : of(row).contact),
  };
};
const mails = <T>(of: (row: T) => Customer): Columns<T> => ({
  'BILEMAIL char(50)': (row) => of(row).mail,
  'BILPHONEC char(30), BILFAXC char(30)': '',
  'BILEMAILC char(50)': (row) => of(row).ownMail,
  'SHPEMAIL char(50), SHPPHONEC char(30), SHPFAXC char(30), SHPEMAILC char(50)': '',
});
const sellers = <T>(of: (row: T) => Customer): Columns<T> => ({
  ...fiveOf<T>('SALESPER', 'char(8)', (row) => salesperson(of(row)), ''),
  ...fiveOf<T>('SALESPLT', 'decimal', 100, 0),
});
type Taxed = { readonly net: number; readonly tax: number };
const headTaxes = <T extends Taxed>(of: (row: T) => Customer): Columns<T> => ({
  'TAXOVERRD smallint': 0,
  'TAXGROUP char(12)': (row) => taxGroup(of(row)),
  ...fiveOf<T>('TAUTH', 'char(12)', 'MYSST', ''),
  ...fiveOf<T>('TCLASS', 'smallint', (row) => buyerClass(of(row)), 0),
  ...fiveOf<T>('TBASE', 'decimal', ({ net }) => net, 0),
  ...fiveOf<T>('TEAMOUNT', 'decimal', ({ tax }) => tax, 0),
  ...fiveOf<T>('TIAMOUNT', 'decimal', 0, 0),
  ...fiveOf<T>('TEXEMPT', 'char(20)', (row) => of(row).taxNumber, ''),
});
const lineTaxes = <T extends { readonly line: Sold }>(): Columns<T> => ({
  ...fiveOf<T>('TAUTH', 'char(12)', 'MYSST', ''),
  ...fiveOf<T>('TCLASS', 'smallint', ({ line }) => line.item.taxClass, 0),
  ...fiveOf<T>('TINCLUDED', 'smallint', 0, 0),
  ...fiveOf<T>('TBASE', 'decimal', ({ line }) => line.net, 0),
  ...fiveOf<T>('TAMOUNT', 'decimal', ({ line }) => line.tax, 0),
  ...fiveOf<T>('TRATE', 'decimal', ({ line }) => line.rate, 0),
});
/** Currency, and the day and the value of its rate. */
const currencyOf = <T>(
  prefix: string,
  of: (row: T) => Customer,
  date: (row: T) => string,
  rate: (row: T) => number,
): Columns<T> => ({
  [`${prefix}HOMECURR char(3)`]: 'MYR',
  [`${prefix}RATETYPE char(2)`]: rateType,
  [`${prefix}SOURCURR char(3)`]: (row) => of(row).currency,
  [`${prefix}RATEDATE decimal`]: (row) => day(date(row)),
  [`${prefix}RATE decimal`]: rate,
  [`${prefix}SPREAD decimal`]: 0,
  [`${prefix}DATEMTCH smallint`]: 3,
  [`${prefix}RATEREP smallint`]: 1,
  [`${prefix}RATEOVER smallint`]: 0,
});

const buyerOf = ({ customer }: Invoice) => customer;
const rateDay = ({ customer, date }: Invoice) => (customer.isHome ? date : after(date, -1));
const shippingRateDay = ({ customer, shipped }: Invoice) =>
  customer.isHome ? shipped : after(shipped, -1);
/** The rate when the goods left. */
const shippingRate = ({ customer, exchange }: Invoice) =>
  customer.isHome ? 1 : Number((exchange + 0.0125).toFixed(4));

const invoiceTable = stamped(
  invoices,
  { '*INVUNIQ decimal': ({ unique }) => unique },
  {
    'ORDNUMBER char(22)': ({ order }) => orderNumber(order),
    'DAYENDNUM decimal': ({ dayEnd }) => dayEnd,
    'CUSTOMER char(12)': ({ customer }) => customer.id,
    ...billTo(buyerOf),
    ...shipTo(buyerOf),
    'CUSTDISC smallint': 0,
    'PRICELIST char(6)': ({ customer }) => priceList(customer),
    'PONUMBER char(22)': ({ po }) => po,
    'TERRITORY char(6)': ({ customer }) => territory(customer),
    'TERMS char(6)': (one) => one.terms,
    'TERMTTLDUE decimal': ({ gross }) => gross,
    'TERMOVERRD smallint': ({ customer, ...one }) => (one.terms === customer.terms ? 0 : 1),
    'REFERENCE char(60)': ({ reference }) => reference,
    'ORDDATE decimal': ({ order }) => day(orders.find(({ id }) => id === order)!.date),
    'SHIPVIA char(6)': ({ customer }) => (customer.isHome ? 'LORRY' : 'SEA'),
    'VIADESC char(60)': ({ customer }) => (customer.isHome ? 'Own lorry' : 'Sea freight'),
    'FOB char(60)': ({ customer }) => (customer.isHome ? '' : 'FOB Port Klang'),
    'TEMPLATE char(6)': 'ACTIVE',
    'LOCATION char(6)': '1',
    'DESC char(60)': ({ description }) => description,
    'COMMENT char(250)': ({ comment }) => comment,
    'SHIPDATE decimal': ({ shipped }) => day(shipped),
    'INVDATE decimal': ({ date }) => day(date),
    'INVFISCYR char(4)': ({ date }) => date.slice(0, 4),
    'INVFISCPER smallint': ({ date }) => Number(date.slice(5, 7)),
    'INVLINES smallint': ({ lines }) => lines.length,
    'NUMLABELS smallint, NUMPAYMENT smallint': 1,
    'PAYMNTASOF decimal': ({ date, index }) => day(index === 6 ? after(date, 1) : date),
    'INVWEIGHT decimal': ({ lines }) => total(lines.map(({ quantity }) => quantity * 1.5)),
    'NEXTDTLNUM smallint': ({ lines }) => lines.length + 1,
    'INVSTATUS smallint': 2,
    'INVPRINTED smallint': 1,
    'IDISONMISC smallint': 0,
    'POSTDATE decimal, COMPDATE decimal': ({ posted }) => day(posted),
    'SHIPLABEL smallint, LBLPRINTED smallint': 0,
    'INVNETNOTX decimal': ({ net }) => net,
    'INVITAXTOT decimal': 0,
    'INVITMTOT decimal, INVDISCBAS decimal': ({ net }) => net,
    'INVDISCPER decimal, INVDISCAMT decimal, INVMISC decimal': 0,
    'INVSUBTOT decimal, INVNET decimal': ({ net }) => net,
    'INVETAXTOT decimal': ({ tax }) => tax,
    'INVNETWTX decimal': ({ gross }) => gross,
    ...currencyOf('IN', buyerOf, rateDay, ({ exchange }) => exchange),
    ...sellers(buyerOf),
    ...headTaxes(buyerOf),
    'AUTOTAXCAL smallint': 1,
    ...mails(buyerOf),
    'RECALCTAX smallint': 0,
    'DISCAVAIL decimal': 0,
    ...currencyOf('SH', buyerOf, shippingRateDay, shippingRate),
    'SHINUMBER char(22)': ({ index }) => `SH${String(10_480 + index).padStart(11, '0')}`,
    'MULTISHI smallint, SHIS smallint': 0,
    'INVNUMBER char(22)': ({ number }) => number,
    'SHIPTRACK char(36)': ({ customer, index }) =>
      customer.isHome ? '' : `MSKU${7_712_040 + index}`,
    'OVERCREDIT smallint, APPROVELMT decimal': 0,
    'APPROVEBY char(8)': '',
    'VALUES integer': 0,
    'SHIUNIQ decimal': ({ unique }) => unique - 3,
    'TERMDBWT decimal': ({ gross }) => gross,
    'TERMDBNT decimal': ({ net }) => net,
    'ITEMDISTOT decimal': ({ off }) => off,
    'MISCDISTOT decimal': 0,
    'ITRMETHOD smallint': 1,
    'ITRCURRNCY char(3)': 'MYR',
    'ITRRATTYPE char(2)': rateType,
    'ITRRATDATE decimal': (one) => day(rateDay(one)),
    'ITRRATE decimal': ({ exchange }) => exchange,
    ...fiveOf<Invoice>('ITREAMNT', 'decimal', ({ tax }) => tax, 0),
    ...fiveOf<Invoice>('ITRIAMNT', 'decimal', 0, 0),
    'TAXVERSION integer': 1,
    'DISAMTOVER smallint, JOBLINES integer, HASRTG smallint': 0,
    'RTGTERMS char(6)': '',
    'RTGAMOUNT decimal, RTGPERCENT decimal': 0,
    'CUSACCTSET char(6)': ({ customer }) => accountSet(customer),
    'ENTEREDBY char(8)': 'SITI',
    'DATEBUS decimal': ({ posted }) => day(posted),
    'OPPOLINES smallint': 0,
    'EDN char(30)': '',
  },
);

const invoiceLines = invoices.flatMap((one) =>
  one.lines.map((line, position) => ({ one, line, position })),
);
const soldLines = stamped(
  invoiceLines,
  { '*INVUNIQ decimal': ({ one }) => one.unique, '*LINENUM smallint': ({ line }) => line.at },
  {
    'LINETYPE smallint': 1,
    'ITEM char(24)': ({ line }) => line.item.code,
    'MISCCHARGE char(6)': '',
    'DESC char(60)': ({ line }) => line.item.name,
    'ACCTSET char(6)': ({ line }) => (line.item.isStocked ? 'STOCK' : ''),
    'USERCOSTMD smallint': 0,
    'PRICELIST char(6)': ({ one }) => priceList(one.customer),
    'CATEGORY char(6)': ({ line }) => line.item.category,
    'LOCATION char(6)': '1',
    'PICKSEQ char(10)': '',
    'EXPDATE decimal': ({ one }) => day(one.shipped),
    'STOCKITEM smallint': ({ line }) => (line.item.isStocked ? 1 : 0),
    // What was still open of the order, of which twice only a part was sent.
    'QTYORDERED decimal': ({ one, line }) => line.quantity + (one.index === 8 ? 40 : 0),
    'QTYSHIPPED decimal': ({ line }) => line.quantity,
    'QTYBACKORD decimal': ({ one }) => (one.index === 8 ? 40 : 0),
    'INVUNIT char(10)': ({ line }) => line.item.unit,
    'UNITCONV decimal': ({ line }) => line.item.inOne,
    'UNITPRICE decimal': ({ line }) => line.price,
    'PRICEOVER smallint': ({ one, line }) =>
      one.customer.isHome && line.price !== line.item.price ? 1 : 0,
    'UNITCOST decimal': ({ line }) => line.item.cost,
    'MOSTREC decimal, STDCOST decimal, COST1 decimal, COST2 decimal': 0,
    'UNITPRCDEC smallint': 2,
    'PRICEUNIT char(10)': ({ line }) => line.item.unit,
    'PRIUNTPRC decimal': ({ line }) => line.price,
    'PRIUNTCONV decimal': ({ line }) => line.item.inOne,
    'PRIPERCENT decimal, PRIAMOUNT decimal': 0,
    'BASEUNIT char(10)': ({ line }) => line.item.stockUnit,
    'PRIBASPRC decimal': ({ one, line }) =>
      cents((one.customer.isHome ? line.item.price : line.price) / line.item.inOne),
    'PRIBASCONV decimal': 1,
    'COSTUNIT char(10)': ({ line }) => line.item.stockUnit,
    'COSUNTCST decimal': ({ line }) => cents(line.item.cost / line.item.inOne),
    'COSUNTCONV decimal': 1,
    'EXTICOST decimal': ({ line }) => cents(line.quantity * line.item.cost),
    'EXTINVMISC decimal': ({ line }) => line.extended,
    'INVDISC decimal': ({ line }) => line.off,
    'EXTOVER smallint': 0,
    'UNITWEIGHT decimal': 1.5,
    'EXTWEIGHT decimal': ({ line }) => cents(line.quantity * 1.5),
    ...lineTaxes(),
    'DETAILNUM smallint': ({ position }) => position + 1,
    'COMMINST smallint': ({ one, position }) => (one.index % 6 === 4 && position === 0 ? 1 : 0),
    'GLNONSTKCR char(45)': ({ line }) => (line.item.isStocked ? '' : '4020-200'),
    'AVGCOST decimal, LASTCOST decimal': ({ line }) => line.item.cost,
    'SHINUMBER char(22)': ({ one }) => `SH${String(10_480 + one.index).padStart(11, '0')}`,
    'SHIDTLNUM smallint': ({ position }) => position + 1,
    'SHIPTRACK char(36)': '',
    'SHIPVIA char(6)': ({ one }) => (one.customer.isHome ? 'LORRY' : 'SEA'),
    'VIADESC char(60)': ({ one }) => (one.customer.isHome ? 'Own lorry' : 'Sea freight'),
    'DISCPER decimal': ({ line }) => line.discount,
    'ORDQTYORD decimal': ({ one, line }) => line.quantity + (one.index === 8 ? 40 : 0),
    'ORDQTYBKOR decimal': ({ one }) => (one.index === 8 ? 40 : 0),
    'ORDQTYCOMM decimal, ORDQTYTCOM decimal, ORDQTYSTD decimal': 0,
    'ORDUNIT char(10)': ({ line }) => line.item.unit,
    'ORDUNITCON decimal': ({ line }) => line.item.inOne,
    'MANITEMNO char(24)': '',
    // What the customer calls it.
    'CUSTITEMNO char(24)': ({ one, line }) =>
      one.customer.id === '1215' ? `7${line.item.bare.slice(3, 7)}` : '',
    'QTYCOMMIT decimal, QTYTRUECOM decimal': 0,
    'ORDNUMBER char(22)': ({ one }) => orderNumber(one.order),
    'ORDDTLNUM smallint': ({ position }) => position + 1,
    'REFRESH smallint': 0,
    'ORIGQTYSHP decimal': ({ line }) => line.quantity,
    'VALUES integer': 0,
    'DDTLTYPE smallint': 0,
    'DDTLNO char(6)': '',
    'BUILDQTY decimal': 0,
    'BUILDUNIT char(10)': '',
    'BLDUNTCONV decimal': 0,
    'TERMDISCBL smallint': 1,
    'BASEWUNIT char(10), WEIGHTUNIT char(10)': 'KGS',
    'WEIGHTCONV decimal': 1,
    'HDRDISC decimal': 0,
    ...fiveOf<(typeof invoiceLines)[number]>('ITRAMOUNT', 'decimal', ({ line }) => line.tax, 0),
    'COG decimal': ({ line }) => cents(line.quantity * line.item.cost),
    'COSTED smallint': 1,
    'JOBRELATED smallint': 0,
    'CONTRACT char(16), PROJECT char(16), EDN char(30)': '',
  },
);

const creditBuyer = ({ invoice }: Credit) => invoice.customer;
const creditLines = credits.flatMap((one) =>
  one.lines.map((line, position) => ({ one, line, position })),
);
const creditTables: Readonly<Record<string, LayoutTable>> = {
  OECRDH: stamped(
    credits,
    { '*CRDUNIQ decimal': ({ unique }) => unique },
    {
      'ORDNUMBER char(22)': ({ invoice }) => orderNumber(invoice.order),
      'INVNUMBER char(22)': ({ invoice }) => invoice.number,
      'CRDNUMBER char(22)': ({ number }) => number,
      'DAYENDNUM decimal': ({ dayEnd }) => dayEnd,
      'CUSTOMER char(12)': ({ invoice }) => invoice.customer.id,
      ...billTo(creditBuyer),
      'CUSTDISC smallint': 0,
      'PRICELIST char(6)': ({ invoice }) => priceList(invoice.customer),
      'PONUMBER char(22)': ({ invoice }) => invoice.po,
      'TERRITORY char(6)': ({ invoice }) => territory(invoice.customer),
      'REFERENCE char(60)': ({ reference }) => reference,
      'ORDDATE decimal': ({ invoice }) => day(after(invoice.date, -7)),
      'FOB char(60)': '',
      'TEMPLATE char(6)': 'ACTIVE',
      'LOCATION char(6)': '1',
      'DESC char(60)': ({ description }) => description,
      'COMMENT char(250)': '',
      'SHIPDATE decimal': ({ invoice }) => day(invoice.shipped),
      'INVDATE decimal': ({ invoice }) => day(invoice.date),
      'INVFISCYR char(4)': ({ invoice }) => invoice.date.slice(0, 4),
      'INVFISCPER smallint': ({ invoice }) => Number(invoice.date.slice(5, 7)),
      ...currencyOf<Credit>(
        'IN',
        creditBuyer,
        ({ invoice }) => rateDay(invoice),
        ({ invoice }) => invoice.exchange,
      ),
      'CRDTOTAL decimal': ({ net }) => net,
      'CRDMTOTAL decimal': 0,
      'RETDATE decimal, CRDDATE decimal': ({ date }) => day(date),
      'CRDFISCYR char(4)': ({ date }) => date.slice(0, 4),
      'CRDFISCPER smallint': ({ date }) => Number(date.slice(5, 7)),
      'CRDLINES smallint': ({ lines }) => lines.length,
      'CRDWEIGHT decimal': 0,
      'NEXTDTLNUM smallint': ({ lines }) => lines.length + 1,
      'CRDSTATUS smallint': 2,
      'CRDPRINTED smallint': 1,
      'CDISONMISC smallint': 0,
      'POSTDATE decimal, COMPDATE decimal': ({ date }) => day(date),
      'CRDNETNOTX decimal': ({ net }) => net,
      'CRDITAXTOT decimal': 0,
      'CRDITMTOT decimal, CRDDISCBAS decimal': ({ net }) => net,
      'CRDDISCPER decimal, CRDDISCAMT decimal, CRDMISC decimal': 0,
      'CRDSUBTOT decimal, CRDNET decimal': ({ net }) => net,
      'CRDETAXTOT decimal': ({ tax }) => tax,
      'CRDNETWTX decimal': ({ gross }) => gross,
      ...currencyOf<Credit>(
        'CR',
        creditBuyer,
        ({ date }) => date,
        ({ invoice }) => invoice.exchange,
      ),
      ...sellers(creditBuyer),
      ...headTaxes(creditBuyer),
      ...mails(creditBuyer),
      'ADJTYPE smallint': 1,
      ...shipTo(creditBuyer),
      'INVUNIQ decimal': ({ invoice }) => invoice.unique,
      'ITEMDISTOT decimal': ({ off }) => off,
      'CUSACCTSET char(6)': ({ invoice }) => accountSet(invoice.customer),
      'ENTEREDBY char(8)': 'SITI',
      'DATEBUS decimal': ({ date }) => day(date),
      'EDN char(30)': '',
    },
  ),
  OECRDD: stamped(
    creditLines,
    { '*CRDUNIQ decimal': ({ one }) => one.unique, '*LINENUM smallint': ({ line }) => line.at },
    {
      'LINETYPE smallint': 1,
      'ITEM char(24)': ({ line }) => line.item.code,
      'MISCCHARGE char(6)': '',
      'DESC char(60)': ({ line }) => line.item.name,
      'CATEGORY char(6)': ({ line }) => line.item.category,
      'LOCATION char(6)': '1',
      'STOCKITEM smallint': ({ line }) => (line.item.isStocked ? 1 : 0),
      'QTYRETURN decimal': ({ line }) => line.quantity,
      'CRDUNIT char(10)': ({ line }) => line.item.unit,
      'UNITCONV decimal': ({ line }) => line.item.inOne,
      'UNITPRICE decimal': ({ line }) => line.price,
      'UNITCOST decimal': ({ line }) => line.item.cost,
      'PRICEUNIT char(10)': ({ line }) => line.item.unit,
      'PRIUNTPRC decimal': ({ line }) => line.price,
      'EXTCCOST decimal': ({ line }) => cents(line.quantity * line.item.cost),
      'EXTCRDMISC decimal': ({ line }) => line.extended,
      'CRDDISC decimal': ({ line }) => line.off,
      'RETURNTYPE smallint': ({ one }) => (one.index === 3 ? 3 : 1),
      ...lineTaxes(),
      'DETAILNUM smallint': ({ position }) => position + 1,
      'INVUNIT char(10)': ({ line }) => line.item.unit,
      'INVNUMBER char(22)': ({ one }) => one.invoice.number,
      'DISCPER decimal': ({ line }) => line.discount,
      'HDRDISC decimal': 0,
      'EDN char(30)': '',
    },
  ),
};

const orderBuyer = ({ customer }: Order) => customer;
/** Of the last invoice, or 0. */
const ofLast = (content: (invoice: Invoice) => Cell) => (order: Order) =>
  order.last === null ? 0 : content(order.last);
const orderLines = orders.flatMap((one) =>
  one.lines.map((line, position) => ({ one, line, position })),
);
const orderTables: Readonly<Record<string, LayoutTable>> = {
  OEORDH: stamped(
    orders,
    { '*ORDUNIQ decimal': ({ unique }) => unique },
    {
      'ORDNUMBER char(22)': ({ id }) => orderNumber(id),
      'CUSTOMER char(12)': ({ customer }) => customer.id,
      'CUSTGROUP char(6)': ({ customer }) => (customer.isHome ? 'LOCAL' : 'EXPORT'),
      ...billTo(orderBuyer),
      ...shipTo(orderBuyer),
      'CUSTDISC smallint': 0,
      'PRICELIST char(6)': ({ customer }) => priceList(customer),
      'PONUMBER char(22)': ({ po }) => po,
      'TERRITORY char(6)': ({ customer }) => territory(customer),
      'TERMS char(6)': ({ customer }) => customer.terms,
      'TERMTTLDUE decimal': ({ net, tax }) => cents(net + tax),
      'DISCAVAIL decimal': 0,
      'REFERENCE char(60)': '',
      'TYPE smallint': ({ type }) => type,
      'ORDDATE decimal': ({ date }) => day(date),
      'EXPDATE decimal': ({ date }) => day(after(date, 14)),
      'QTEXPDATE decimal': ({ type, date }) => (type === 4 ? day(after(date, 30)) : 0),
      'ORDFISCYR char(4)': '2026',
      'ORDFISCPER smallint': ({ date }) => Number(date.slice(5, 7)),
      'SHIPVIA char(6)': ({ customer }) => (customer.isHome ? 'LORRY' : 'SEA'),
      'VIADESC char(60)': ({ customer }) => (customer.isHome ? 'Own lorry' : 'Sea freight'),
      'LASTINVNUM char(22)': ({ last }) => last?.number ?? '',
      'NUMINVOICE smallint': ({ shipped }) => shipped,
      'FOB char(60)': '',
      'TEMPLATE char(6)': 'ACTIVE',
      'LOCATION char(6)': '1',
      'ONHOLD smallint': 0,
      'DESC char(60), COMMENT char(250)': '',
      'PRINTSTAT smallint': 1,
      'LASTPOST decimal': ofLast(({ posted }) => day(posted)),
      ...currencyOf<Order>(
        'OR',
        orderBuyer,
        ({ date }) => date,
        ({ last }) => (last === null ? 1 : shippingRate(last)),
      ),
      'ORDTOTAL decimal': ({ net }) => net,
      'ORDMTOTAL decimal': 0,
      'ORDLINES smallint': ({ lines }) => lines.length,
      ...sellers(orderBuyer),
      ...headTaxes(orderBuyer),
      'COMPLETE smallint': ({ last }) => (last === null ? 1 : 3),
      'COMPDATE decimal': ofLast(({ posted }) => day(posted)),
      // Of the last invoice.
      'INVNUMBER char(22)': ({ last }) => last?.number ?? '',
      'SHIPDATE decimal': ofLast(({ shipped }) => day(shipped)),
      'INVDATE decimal': ofLast(({ date }) => day(date)),
      'INVNETNOTX decimal, INVITMTOT decimal, INVSUBTOT decimal, INVNET decimal, INVETAXTOT decimal': 0,
      'INVNETWTX decimal, INVAMTDUE decimal': 0,
      'INSOURCURR char(3)': ({ customer }) => customer.currency,
      'INRATE decimal': ({ last }) => last?.exchange ?? 1,
      'ORDERSOURC smallint': 0,
      'ENTEREDBY char(8)': 'SITI',
    },
  ),
  OEORDD: stamped(
    orderLines,
    { '*ORDUNIQ decimal': ({ one }) => one.unique, '*LINENUM smallint': ({ line }) => line.at },
    {
      'LINETYPE smallint': 1,
      'ITEM char(24)': ({ line }) => line.item.code,
      'MISCCHARGE char(6)': '',
      'DESC char(60)': ({ line }) => line.item.name,
      'CATEGORY char(6)': ({ line }) => line.item.category,
      'LOCATION char(6)': '1',
      'EXPDATE decimal': ({ one }) => day(after(one.date, 14)),
      'STOCKITEM smallint': ({ line }) => (line.item.isStocked ? 1 : 0),
      'QTYORDERED decimal': ({ one, line }) => (one.last === null ? line.quantity : 0),
      'QTYSHIPPED decimal, QTYBACKORD decimal': 0,
      'QTYSHPTODT decimal': ({ one, line }) => (one.last === null ? 0 : line.quantity),
      'ORIGQTY decimal': ({ line }) => line.quantity,
      'ORDUNIT char(10)': ({ line }) => line.item.unit,
      'UNITCONV decimal': ({ line }) => line.item.inOne,
      'UNITPRICE decimal': ({ line }) => line.price,
      'PRICEUNIT char(10)': ({ line }) => line.item.unit,
      'PRIUNTPRC decimal': ({ line }) => line.price,
      'EXTOPRICE decimal': ({ line }) => line.extended,
      'EXTINVMISC decimal': 0,
      'INVDISC decimal': ({ line }) => line.off,
      'COMPLETE smallint': ({ one }) => (one.last === null ? 0 : 1),
      ...lineTaxes(),
      'DETAILNUM smallint': ({ position }) => position + 1,
      'DISCPER decimal': ({ line }) => line.discount,
    },
  ),
};

const paid = invoices.filter(({ isPaid }) => isPaid);
/** Invoices and credit notes as day end hands them over, and what was paid. */
const receivables = [
  ...invoices.map((one) => ({
    customer: one.customer,
    id: one.number,
    date: one.date,
    due: one.due,
    posted: one.posted,
    type: 1,
    order: orderNumber(one.order),
    po: one.po,
    text: one.description,
    exchange: one.exchange,
    terms: one.terms,
    net: one.net,
    tax: one.tax,
    gross: one.gross,
    open: one.isPaid ? 0 : one.gross,
  })),
  ...credits.map((one) => ({
    customer: one.invoice.customer,
    id: one.number,
    date: one.date,
    due: one.date,
    posted: one.date,
    type: 3,
    order: orderNumber(one.invoice.order),
    po: one.invoice.po,
    text: one.description,
    exchange: one.invoice.exchange,
    terms: '',
    net: -one.net,
    tax: -one.tax,
    gross: -one.gross,
    open: -one.gross,
  })),
  ...paid.map((one, index) => ({
    customer: one.customer,
    id: `PY${String(7701 + index).padStart(20, '0')}`,
    date: one.due,
    due: one.due,
    posted: one.due,
    type: 11,
    order: '',
    po: '',
    text: `Receipt ${7701 + index}`,
    exchange: one.exchange,
    terms: '',
    net: 0,
    tax: 0,
    gross: -one.gross,
    open: 0,
  })),
];
type Receivable = (typeof receivables)[number];
const home = (amount: (row: Receivable) => number) => (row: Receivable) =>
  cents(amount(row) * row.exchange);
const openOf = (customer: Customer) =>
  receivables.filter((one) => one.customer === customer).map(({ open }) => open);

const ledger: Readonly<Record<string, LayoutTable>> = {
  OETERMI: stamped(
    invoices,
    { '*INVUNIQ decimal': ({ unique }) => unique, '*PAYMENT smallint': 1 },
    {
      'DISCBASE decimal, DISCDATE decimal, DISCPER decimal, DISCAMT decimal': 0,
      'DUEBASE decimal': ({ gross }) => gross,
      'DUEDATE decimal': ({ due }) => day(due),
      'DUEPER decimal': 100,
      'DUEAMT decimal': ({ gross }) => gross,
    },
  ),
  OECOINI: stamped(
    invoices.filter(({ index }) => index % 6 === 4),
    {
      '*INVUNIQ decimal': ({ unique }) => unique,
      '*UNIQUIFIER smallint': 32,
    },
    {
      'DETAILNUM smallint': 1,
      'COINTYPE smallint': 1,
      'COIN char(80)': 'Batch certificate enclosed',
    },
  ),
  AROBL: stamped(
    receivables,
    { '*IDCUST char(12)': ({ customer }) => customer.id, '*IDINVC char(22)': ({ id }) => id },
    {
      'IDRMIT char(24)': ({ type, id }) => (type === 11 ? id : ''),
      'IDORDERNBR char(22)': ({ order }) => order,
      'IDCUSTPO char(22)': ({ po }) => po,
      'DATEDUE decimal': ({ due }) => day(due),
      'IDNATACCT char(12), IDCUSTSHPT char(6)': '',
      'TRXTYPEID smallint': ({ type }) => (type === 1 ? 13 : type === 3 ? 33 : 51),
      'TRXTYPETXT smallint': ({ type }) => type,
      'DATEBTCH decimal': ({ posted }) => day(posted),
      'CNTBTCH decimal': (_row, index) => 440 + index,
      'CNTITEM decimal': 1,
      'IDGRP char(6)': ({ customer }) => (customer.isHome ? 'LOCAL' : 'EXPORT'),
      'DESCINVC char(60)': ({ text }) => text,
      'DATEINVC decimal': ({ date }) => day(date),
      'DATEASOF decimal': ({ posted }) => day(posted),
      'CODETERM char(6)': (one) => one.terms,
      'DATEDISC decimal': 0,
      'CODECURN char(3)': ({ customer }) => customer.currency,
      'IDRATETYPE char(2)': rateType,
      'SWRATEOVRD smallint': 0,
      'EXCHRATEHC decimal': ({ exchange }) => exchange,
      'AMTINVCHC decimal': home(({ gross }) => gross),
      'AMTDUEHC decimal': home(({ open }) => open),
      'AMTTXBLHC decimal': home(({ net }) => net),
      'AMTNONTXHC decimal': 0,
      'AMTTAXHC decimal': home(({ tax }) => tax),
      'AMTDISCHC decimal': 0,
      'AMTINVCTC decimal': ({ gross }) => gross,
      'AMTDUETC decimal': ({ open }) => open,
      'AMTTXBLTC decimal': ({ net }) => net,
      'AMTNONTXTC decimal': 0,
      'AMTTAXTC decimal': ({ tax }) => tax,
      'AMTDISCTC decimal': 0,
      'SWPAID smallint': ({ open }) => (open === 0 ? 1 : 0),
      'DATELSTACT decimal': ({ type, posted, due, open }) =>
        day(type === 1 && open === 0 ? due : posted),
      ...fiveOf<Receivable>('CODETAX', 'char(12)', ({ type }) => (type === 11 ? '' : 'MYSST'), ''),
      'AMTBASE1HC decimal': home(({ net }) => net),
      'AMTBASE2HC decimal, AMTBASE3HC decimal, AMTBASE4HC decimal, AMTBASE5HC decimal': 0,
      'AMTTAX1HC decimal': home(({ tax }) => tax),
      'AMTTAX2HC decimal, AMTTAX3HC decimal, AMTTAX4HC decimal, AMTTAX5HC decimal': 0,
      'AMTBASE1TC decimal': ({ net }) => net,
      'AMTBASE2TC decimal, AMTBASE3TC decimal, AMTBASE4TC decimal, AMTBASE5TC decimal': 0,
      'AMTTAX1TC decimal': ({ tax }) => tax,
      'AMTTAX2TC decimal, AMTTAX3TC decimal, AMTTAX4TC decimal, AMTTAX5TC decimal': 0,
      ...fiveOf<Receivable>('CODESLSP', 'char(8)', ({ customer }) => salesperson(customer), ''),
      'FISCYR char(4)': ({ date }) => date.slice(0, 4),
      'FISCPER char(2)': ({ date }) => date.slice(5, 7),
      'IDPREPAID char(22)': '',
      'DATEBUS decimal': ({ posted }) => day(posted),
      'RATEDATE decimal': ({ customer, date }) => day(customer.isHome ? date : after(date, -1)),
      'RATEOP smallint': 1,
      'SRCEAPPL char(2)': ({ type }) => (type === 11 ? 'AR' : 'OE'),
      'CODETAXGRP char(12)': ({ customer }) => taxGroup(customer),
    },
  ),
  ARRTA: stamped(
    terms,
    { '*CODETERM char(6)': ({ code }) => code },
    {
      'TEXTDESC char(60)': ({ text }) => text,
      'ACTIVESW smallint': 1,
      'INACDATE decimal': 0,
      'LASTMNTN decimal': 20_250_102,
      'MULTIPAYM smallint': 0,
      'VATCODEM smallint, DISCTYPE smallint, DISCPCT decimal, DISCNBR smallint': 0,
      'DUETYPE smallint': 1,
      'CNTDUEDAY smallint': 0,
      'DUENBRDAYS smallint': ({ code }) => days[code]!,
      'CNTENTERED smallint': 0,
      'PCTDUETOT decimal': 100,
    },
  ),
  ARSAP: stamped(
    ['RAJU', 'MEILIN'],
    { '*CODESLSP char(8)': (code) => code },
    {
      'SWACTV smallint': 1,
      'NAMEEMPL char(60)': (code) => (code === 'RAJU' ? 'Raju Subramaniam' : 'Chong Mei Lin'),
    },
  ),
};

const customerTable = stamped(
  customers,
  { '*IDCUST char(12)': ({ id }) => id },
  {
    'TEXTSNAM char(10)': ({ short }) => short,
    'IDGRP char(6)': ({ isHome }) => (isHome ? 'LOCAL' : 'EXPORT'),
    'IDNATACCT char(12)': '',
    'SWACTV smallint': 1,
    'DATEINAC decimal': 0,
    'DATELASTMN decimal': 20_260_105,
    'SWHOLD smallint': 0,
    'DATESTART decimal': (_row, index) => 20_190_211 + (index % 6) * 10_000,
    'CODEDAB char(9), CODEDABRTG char(5)': '',
    'DATEDAB decimal': 0,
    'NAMECUST char(60)': ({ name }) => name,
    'TEXTSTRE1 char(60)': ({ street }) => street,
    'TEXTSTRE2 char(60)': ({ street2 }) => street2,
    'TEXTSTRE3 char(60), TEXTSTRE4 char(60)': '',
    'NAMECITY char(30)': ({ city }) => city,
    'CODESTTE char(30)': ({ state }) => state,
    'CODEPSTL char(20)': ({ zip }) => zip,
    'CODECTRY char(30)': ({ country }) => country,
    'NAMECTAC char(60)': ({ contact }) => contact,
    'TEXTPHON1 char(30)': ({ phone }) => phone,
    'TEXTPHON2 char(30)': ({ fax }) => fax,
    'CODETERR char(6)': territory,
    'IDACCTSET char(6)': accountSet,
    'IDAUTOCASH char(6)': '',
    'IDBILLCYCL char(6)': 'MONTH',
    'IDSVCCHRG char(6)': '',
    'IDDLNQ char(6)': '',
    'CODECURN char(3)': ({ currency }) => currency,
    'SWPRTSTMT smallint': 1,
    'SWBALFWD smallint': 0,
    'CODETERM char(6)': (one) => one.terms,
    'IDRATETYPE char(2)': rateType,
    'CODETAXGRP char(12)': taxGroup,
    ...fiveOf<Customer>('IDTAXREGI', 'char(20)', ({ taxNumber }) => taxNumber, ''),
    ...fiveOf<Customer>('TAXSTTS', 'smallint', buyerClass, 0),
    'AMTCRLIMT decimal': ({ isHome }) => (isHome ? 50_000 : 30_000),
    'AMTBALDUET decimal': (one) => total(openOf(one)),
    'AMTBALDUEH decimal': (one) =>
      total(
        receivables
          .filter(({ customer }) => customer === one)
          .map(({ open, exchange }) => cents(open * exchange)),
      ),
    'DATELASTST decimal': 20_260_531,
    'AMTLASTSTT decimal': 0,
    'CNTOPENINV decimal': (one) => openOf(one).filter((open) => open > 0).length,
    'CNTINVPAID decimal': (one) => paid.filter(({ customer }) => customer === one).length,
    'DAYSTOPAY decimal': 0,
    'DATELASTIV decimal': (one) =>
      day(invoices.findLast(({ customer }) => customer === one)?.date ?? '0'),
    'DATELASTCR decimal, AMTLASTCRT decimal': 0,
    ...fiveOf<Customer>('CODESLSP', 'char(8)', salesperson, ''),
    ...fiveOf<Customer>('PCTSASPLT', 'decimal', 100, 0),
    'PRICLIST char(6)': priceList,
    'CUSTTYPE smallint': 0,
    'AMTPDUE decimal': 0,
    'EMAIL1 char(50)': ({ ownMail }) => ownMail,
    'EMAIL2 char(50)': ({ mail }) => mail,
    'WEBSITE char(100)': '',
    'BILLMETHOD smallint': 0,
    'PAYMCODE char(12)': ({ isHome }) => (isHome ? 'CHECK' : 'WIRE'),
    'FOB char(60)': '',
    'SHPVIACODE char(6), SHPVIADESC char(60)': '',
    'DELMETHOD smallint': 0,
    'PRIMSHIPTO char(6)': ({ id }) => elsewhere[id]?.[0] ?? '',
    'CTACPHONE char(30), CTACFAX char(30)': '',
    'SWPARTSHIP smallint, SWWEBSHOP smallint': 0,
    'RTGPERCENT decimal, RTGDAYS smallint': 0,
    'LOCATION char(6)': '1',
    'SWCHKLIMIT smallint': 1,
    'SWCHKOVER smallint, OVERDAYS smallint, OVERAMT decimal': 0,
    'CATEGORY smallint': 0,
    'BRN char(30)': ({ register }) => register,
  },
);

const suppliers = texts(`
V1001;NORTHB;Northern Bearings (M) Sdn Bhd;22 Jalan Perusahaan 2;Prai;Pulau Pinang;13600;Malaysia;Chua Beng Hock;04-3907712;MYR;P11-1808-31002210
V1002;LUBRIC;Lubricants Asia Pte Ltd;8 Pioneer Sector 1;Singapore;;628412;Singapore;Nora Sim;+65 6862 7001;SGD;M2-0098711-4
V1003;TRANSLO;Translog Haulage;KM 12, Jalan Kapar;Klang;Selangor;41400;Malaysia;;03-32910054;MYR;
`).map(
  ([
    id = '',
    short = '',
    name = '',
    street = '',
    city = '',
    state = '',
    zip = '',
    country = '',
    contact = '',
    phone = '',
    currency = '',
    taxNumber = '',
  ]) => ({
    id,
    short,
    name,
    street,
    city,
    state,
    zip,
    country,
    contact,
    phone,
    currency,
    taxNumber,
  }),
);

/** Supplier; their number; date; rate of the currency; what was bought: item, quantity, price. */
const purchases = texts(`
V1001;NB-30117;2026-01-05;1;BRG-6204 500 10.9 + BRG-6308 120 38.5
V1002;LA/2026/088;2026-01-28;3.168;OIL-VG46 40 51.5
V1001;NB-30288;2026-03-02;1;BRG-6204 600 10.9
V1001;NB-30391;2026-04-14;1;BLT-A042 150 13.2 + CHN-08B1 40 88
V1002;LA/2026/201;2026-05-11;3.181;OIL-VG46 32 52.25
`).map(([id = '', number = '', date = '', exchange = '', bought = ''], index) => {
  const supplier = suppliers.find((each) => each.id === id)!;
  const rate = supplier.currency === 'MYR' ? 10 : 0;
  const lines = bought.split('+').map((part, position) => {
    const [start = '', quantity = '', price = ''] = part.trim().split(' ');
    const net = cents(Number(quantity) * Number(price));
    return {
      position,
      item: itemOf(start),
      quantity: Number(quantity),
      price: Number(price),
      net,
      rate,
      tax: cents((net * rate) / 100),
    };
  });
  const net = total(lines.map((line) => line.net));
  const tax = total(lines.map((line) => line.tax));
  const sequence = 870 + index * 11;
  return { supplier, number, date, exchange: Number(exchange), lines, net, tax, sequence };
});

const bought: Readonly<Record<string, LayoutTable>> = {
  APVEN: stamped(
    suppliers,
    { '*VENDORID char(12)': ({ id }) => id },
    {
      'SHORTNAME char(10)': ({ short }) => short,
      'IDGRP char(6)': 'TRADE',
      'SWACTV smallint': 1,
      'DATEINAC decimal': 0,
      'DATELASTMN decimal': 20_251_112,
      'SWHOLD smallint': 0,
      'DATESTART decimal': 20_190_101,
      'IDPPNT char(12)': '',
      'VENDNAME char(60)': ({ name }) => name,
      'TEXTSTRE1 char(60)': ({ street }) => street,
      'TEXTSTRE2 char(60), TEXTSTRE3 char(60), TEXTSTRE4 char(60)': '',
      'NAMECITY char(30)': ({ city }) => city,
      'CODESTTE char(30)': ({ state }) => state,
      'CODEPSTL char(20)': ({ zip }) => zip,
      'CODECTRY char(30)': ({ country }) => country,
      'NAMECTAC char(60)': ({ contact }) => contact,
      'TEXTPHON1 char(30)': ({ phone }) => phone,
      'TEXTPHON2 char(30), PRIMRMIT char(6)': '',
      'IDACCTSET char(6)': ({ currency }) => currency,
      'CURNCODE char(3)': ({ currency }) => currency,
      'RATETYPE char(2)': rateType,
      'BANKID char(8)': 'MAYBNK',
      'TERMSCODE char(6)': 'N30',
      'CODETAXGRP char(12)': 'MYSST',
      ...fiveOf<(typeof suppliers)[number]>('TAXCLASS', 'smallint', 1, 0),
      'TAXNBR char(20)': ({ taxNumber }) => taxNumber,
      'AMTCRLIMT decimal, AMTBALDUET decimal, AMTBALDUEH decimal': 0,
      ...fiveOf<(typeof suppliers)[number]>(
        'IDTAXREGI',
        'char(20)',
        ({ taxNumber }) => taxNumber,
        '',
      ),
      'EMAIL1 char(50), EMAIL2 char(50), WEBSITE char(100)': '',
      'LEGALNAME char(60)': ({ name }) => name,
      'BRN char(30)': '',
    },
  ),
  POINVH1: stamped(
    purchases,
    { '*INVHSEQ decimal': ({ sequence }) => sequence },
    {
      'INVNUMBER char(22)': ({ number }) => number,
      'DATE decimal': ({ date }) => day(date),
      'FISCYEAR char(4)': '2026',
      'FISCPERIOD smallint': ({ date }) => Number(date.slice(5, 7)),
      'ISPRINTED smallint, ISINVOICED smallint': 0,
      'ISCOMPLETE smallint': 1,
      'LINES integer': ({ lines }) => lines.length,
      'VENDOR char(12)': ({ supplier }) => supplier.id,
      'VDNAME char(60)': ({ supplier }) => supplier.name,
      'VDADDRESS1 char(60)': ({ supplier }) => supplier.street,
      'VDADDRESS2 char(60), VDADDRESS3 char(60), VDADDRESS4 char(60)': '',
      'VDCITY char(30)': ({ supplier }) => supplier.city,
      'VDSTATE char(30)': ({ supplier }) => supplier.state,
      'VDZIP char(20)': ({ supplier }) => supplier.zip,
      'VDCOUNTRY char(30)': ({ supplier }) => supplier.country,
      'VDPHONE char(30)': ({ supplier }) => supplier.phone,
      'VDFAX char(30)': '',
      'VDCONTACT char(60)': ({ supplier }) => supplier.contact,
      'TERMSCODE char(6)': 'N30',
      'FROMDOC smallint, FORPRIMARY smallint': 1,
      'RCPHSEQ decimal': ({ sequence }) => sequence - 4,
      'RCPNUMBER char(22)': ({ sequence }) => `RCP${String(sequence).padStart(10, '0')}`,
      'RCPDATE decimal': ({ date }) => day(after(date, -2)),
      'DESCRIPTIO char(60), REFERENCE char(60), COMMENT char(250)': '',
      'CURRENCY char(3)': ({ supplier }) => supplier.currency,
      'RATE decimal': ({ exchange }) => exchange,
      'SPREAD decimal': 0,
      'RATETYPE char(2)': rateType,
      'RATEMATCH smallint': 3,
      'RATEDATE decimal, DTPYMTASOF decimal': ({ date }) => day(date),
      'RATEOPER smallint': 1,
      'TERMDUEAMT decimal': ({ net, tax }) => cents(net + tax),
      'EXTENDED decimal': ({ net }) => net,
      'DOCTOTAL decimal': ({ net, tax }) => cents(net + tax),
      'TAXGROUP char(12)': 'MYSST',
      ...fiveOf<(typeof purchases)[number]>('TAXAUTH', 'char(12)', 'MYSST', ''),
      ...fiveOf<(typeof purchases)[number]>('TAXCLASS', 'smallint', 1, 0),
      ...fiveOf<(typeof purchases)[number]>('TAXBASE', 'decimal', ({ net }) => net, 0),
      ...fiveOf<(typeof purchases)[number]>('TAXAMOUNT', 'decimal', ({ tax }) => tax, 0),
      'TAXAMOUNT decimal': ({ tax }) => tax,
      'DISCPCT decimal, DISCOUNT decimal': 0,
    },
  ),
  POINVL: stamped(
    purchases.flatMap((one) => one.lines.map((line) => ({ one, line }))),
    {
      '*INVHSEQ decimal': ({ one }) => one.sequence,
      '*INVLREV decimal': ({ line }) => (line.position + 1) * 1000,
    },
    {
      'INVLSEQ decimal': ({ one, line }) => one.sequence + line.position + 1,
      'ITEMNO char(24)': ({ line }) => line.item.code,
      'LOCATION char(6)': '1',
      'ITEMDESC char(60)': ({ line }) => line.item.name,
      'VENDITEMNO char(24)': '',
      'RCPUNIT char(10)': ({ line }) => line.item.unit,
      'RQRECEIVED decimal': ({ line }) => line.quantity,
      'UNITCOST decimal': ({ line }) => line.price,
      'EXTENDED decimal': ({ line }) => line.net,
      ...fiveOf<{ line: { net: number } }>('TAXBASE', 'decimal', ({ line }) => line.net, 0),
      ...fiveOf<{ line: { rate: number } }>('TAXRATE', 'decimal', ({ line }) => line.rate, 0),
      ...fiveOf<{ line: { tax: number } }>('TAXAMOUNT', 'decimal', ({ line }) => line.tax, 0),
    },
  ),
};

const units = items.flatMap(({ bare, unit, stockUnit, inOne }) => [
  { bare, unit: stockUnit, inOne: 1 },
  ...(unit === stockUnit ? [] : [{ bare, unit, inOne }]),
]);
const stock: Readonly<Record<string, LayoutTable>> = {
  ICITEM: stamped(
    items,
    { '*ITEMNO char(24)': ({ bare }) => bare },
    {
      'ALTSET integer': 0,
      'DESC char(60)': ({ name }) => name,
      'DATELASTMN decimal': 20_260_102,
      'INACTIVE smallint': 0,
      'ITEMBRKID char(6)': 'PART',
      'FMTITEMNO char(24)': ({ code }) => code,
      'CATEGORY char(6)': ({ category }) => category,
      'CNTLACCT char(6)': ({ isStocked }) => (isStocked ? 'STOCK' : ''),
      'STOCKITEM smallint': ({ isStocked }) => (isStocked ? 1 : 0),
      'STOCKUNIT char(10)': ({ stockUnit }) => stockUnit,
      'DEFPRICLST char(6)': 'RTL',
      'UNITWGT decimal': 1.5,
      'PICKINGSEQ char(10)': '',
      'SERIALNO smallint': 0,
      'COMMODIM char(16)': ({ commodity }) => commodity,
      'DATEINACTV decimal': 0,
      'SEGMENT1 char(24)': ({ code }) => code.slice(0, 3),
      'SEGMENT2 char(24)': ({ code }) => code.slice(4, 8),
      'SEGMENT3 char(24)': ({ code }) => code.slice(9),
      'SEGMENT4 char(24), SEGMENT5 char(24), SEGMENT6 char(24), SEGMENT7 char(24)': '',
      'SEGMENT8 char(24), SEGMENT9 char(24), SEGMENT10 char(24)': '',
      'COMMENT1 char(80), COMMENT2 char(80), COMMENT3 char(80), COMMENT4 char(80)': '',
      'ALLOWONWEB smallint, KITTING smallint': 0,
      'VALUES integer': 0,
      'DEFKITNO char(6)': '',
      'SELLABLE smallint': 1,
      'WEIGHTUNIT char(10)': 'KGS',
    },
  ),
  ICUNIT: stamped(
    units,
    { '*ITEMNO char(24)': ({ bare }) => bare, '*UNIT char(10)': ({ unit }) => unit },
    { 'CONVERSION decimal': ({ inOne }) => inOne },
  ),
  ICPRICP: stamped(
    items,
    {
      '*CURRENCY char(3)': 'MYR',
      '*ITEMNO char(24)': ({ bare }) => bare,
      '*PRICELIST char(6)': 'RTL',
      '*DPRICETYPE smallint': 1,
      '*QTYUNIT char(10)': ({ unit }) => unit,
    },
    {
      'WEIGHTUNIT char(10)': '',
      'UNITPRICE decimal': ({ price }) => price,
      'CONVERSION decimal': ({ inOne }) => inOne,
      'SALESTART decimal, SALEEND decimal': 0,
    },
  ),
  ICITMTX: stamped(
    items,
    { '*ITEMNO char(24)': ({ bare }) => bare, '*AUTHORITY char(12)': 'MYSST' },
    {
      'PURCHTAXCL smallint, SALESTAXCL smallint': ({ taxClass }) => taxClass,
    },
  ),
  ICLOC: stamped(
    [
      ['1', 'Central store', 'Lot 7, Jalan Sungai Rasau', 'Klang', '41050'],
      ['2', 'Store at the port', 'Pulau Indah Industrial Park', 'Pulau Indah', '42920'],
    ],
    { '*LOCATION char(6)': ([id = '']) => id },
    {
      'DESC char(60)': ([, name = '']) => name,
      'ADDRESS1 char(60)': ([, , street = '']) => street,
      'ADDRESS2 char(60), ADDRESS3 char(60), ADDRESS4 char(60)': '',
      'CITY char(30)': ([, , , city = '']) => city,
      'STATE char(30)': 'Selangor',
      'ZIP char(20)': ([, , , , zip = '']) => zip,
      'COUNTRY char(30)': 'Malaysia',
      'PHONE char(30)': '03-31670088',
      'FAX char(30), CONTACT char(60)': '',
    },
  ),
};

const both = [1, 2];
const taxes: Readonly<Record<string, LayoutTable>> = {
  TXAUTH: stamped(
    ['MYSST'],
    { '*AUTHORITY char(12)': (code) => code },
    {
      'DESC char(60)': 'Malaysia sales and service tax',
      'SCURN char(3)': 'MYR',
      'MAXTAX decimal, MINTAX decimal': 0,
      'TXBASE smallint': 1,
      'INCLUDABLE smallint': 0,
      'LIABILITY char(45)': '2210',
      'AUDITLEVEL smallint': 1,
      'RECOVERABL smallint, RATERECOV decimal': 0,
      'LASTMAINT decimal': 20_250_630,
      'TAXTYPE smallint': 0,
      'REFNUMBER char(20), REFNAME char(60)': '',
    },
  ),
  TXCLASS: stamped(
    [
      ...both.map((id) => ({
        axis: 1,
        id,
        name: id === 1 ? 'Buyers in Malaysia' : 'Buyers abroad',
        isExempt: id === 2,
      })),
      ...classes.map(({ id, name, rate }) => ({ axis: 2, id, name, isExempt: rate === 0 })),
    ],
    {
      '*AUTHORITY char(12)': 'MYSST',
      '*CLASSTYPE smallint': 1,
      '*CLASSAXIS smallint': ({ axis }) => axis,
      '*CLASS smallint': ({ id }) => id,
    },
    {
      'DESC char(60)': ({ name }) => name,
      'EXEMPT smallint': ({ isExempt }) => (isExempt ? 1 : 0),
    },
  ),
  TXGRP: stamped(
    ['MYSST', 'EXPORT'],
    { '*GROUPID char(12)': (id) => id, '*TTYPE smallint': 1 },
    {
      'DESC char(60)': (id) => (id === 'MYSST' ? 'Malaysia' : 'Export'),
      'SRCCURN char(3)': 'MYR',
      ...fiveOf<string>('AUTHORITY', 'char(12)', 'MYSST', ''),
      ...fiveOf<string>('TAXABLE', 'smallint', 0, 0),
      'CALCMETHOD smallint': 2,
      'LASTMAINT decimal': 20_250_630,
      ...fiveOf<string>('SURTAX', 'smallint', 0, 0),
      ...fiveOf<string>('SURAUTH', 'char(12)', '', ''),
    },
  ),
  TXRATE: stamped(
    both,
    { '*AUTHORITY char(12)': 'MYSST', '*TTYPE smallint': 1, '*BUYERCLASS smallint': (id) => id },
    {
      ...Object.fromEntries(
        classes.map(({ id, rate }) => [
          `ITEMRATE${id} decimal`,
          (buyer: number) => (buyer === 1 ? rate : 0),
        ]),
      ),
      'ITEMRATE5 decimal, ITEMRATE6 decimal, ITEMRATE7 decimal, ITEMRATE8 decimal': 0,
      'ITEMRATE9 decimal, ITEMRATE10 decimal': 0,
      'LASTMAINT decimal': 20_250_630,
    },
  ),
};

const currencies = texts(`
MYR;Malaysian Ringgit;RM
SGD;Singapore Dollar;S$
USD;United States Dollar;$
`).map(([code = '', name = '', symbol = '']) => ({ code, name, symbol }));
const company: Readonly<Record<string, LayoutTable>> = {
  CSCOM: stamped(
    ['CAHDAT'],
    { '*ORGID char(6)': (id) => id },
    {
      'CONAME char(60)': 'Cahaya Industrial Supplies',
      'ADDR01 char(60)': '16 Jalan Astaka U8/84',
      'ADDR02 char(60)': 'Bukit Jelutong Industrial Park',
      'ADDR03 char(60), ADDR04 char(60)': '',
      'CITY char(30)': 'Shah Alam',
      'STATE char(30)': 'Selangor',
      'POSTAL char(20)': '40150',
      'COUNTRY char(30)': 'Malaysia',
      'LOCTYPE char(6), LOCCODE char(6)': '',
      'PHONEFMT smallint': 0,
      'PHONE char(30)': '03-78461200',
      'FAX char(30)': '03-78461201',
      'CONTACT char(60)': 'Siti Rahmah',
      'CNTRYCODE char(6)': 'MY',
      'BRANCH char(6)': '',
      'PERDFSC smallint': 12,
      'QTR4PERD smallint': 4,
      'HOMECUR char(3)': 'MYR',
      'MULTICURSW smallint': 1,
      'RATETYPE char(2)': rateType,
      'WARNDAYS smallint': 7,
      'EUROCURSW smallint': 0,
      'REPORTCUR char(3)': '',
      'HNDLCKFSC smallint, HNDINAACCT smallint, HNDNEXACCT smallint, GNLSSMTHD smallint': 1,
      'TAXNBR char(20)': 'B16-1808-31012874',
      'LEGALNAME char(60)': 'Cahaya Industrial Supplies Sdn Bhd',
      'BRN char(30)': '200301021988',
      'EMAILHOST char(100)': 'smtp.cahaya.example',
      'EMAILUSER char(100)': '',
      'EMAILPORT integer': 587,
      'EMAILADDR char(50)': 'accounts@cahaya.example',
    },
  ),
  CSCCD: stamped(
    currencies,
    { '*CURID char(3)': ({ code }) => code },
    {
      'CURNAME char(60)': ({ name }) => name,
      'SYMBOL char(4)': ({ symbol }) => symbol,
      'DECIMALS smallint': 2,
      'SYMBOLPOS smallint': 1,
      'THOUSSEP char(1)': ',',
      'DECSEP char(1)': '.',
      'NEGDISP smallint': 1,
    },
  ),
  CSCRD: stamped(
    invoices.filter(({ customer }) => !customer.isHome),
    {
      '*HOMECUR char(3)': 'MYR',
      '*RATETYPE char(2)': rateType,
      '*SOURCECUR char(3)': ({ customer }) => customer.currency,
      '*RATEDATE decimal': (one) => day(rateDay(one)),
    },
    {
      'RATE decimal': ({ exchange }) => exchange,
      'SPREAD decimal': 0,
      'DATEMATCH smallint': 3,
      'RATEOPER smallint': 1,
    },
  ),
};

/**
 * Sage 300 at a dealer in Malaysia: names have up to ten letters, texts are filled up with blanks, dates are numbers of eight
 * digits, nothing is null and no foreign key is declared; five tax authorities stand side by side in each document and line, of
 * which one is used, and its rate depends on a class of the buyer and one of the item; the day due is in a table of terms;
 * orders, credit notes and purchases have tables of their own. Names and types after a published copy of the vendor's object
 * model; most columns for retainage and jobs were left out. That the total of the items is after their discounts is an assumption.
 */
export const taxAuthorities: Layout = {
  name: 'tax-authorities',
  isHeldOut: false,
  hasDiscounts: true,
  tables: {
    OEINVH: invoiceTable,
    OEINVD: soldLines,
    ...creditTables,
    ...orderTables,
    ARCUS: customerTable,
    ...ledger,
    ...bought,
    ...stock,
    ...taxes,
    ...company,
  },
  sections: {
    header: { table: 'OEINVH', key: 'INVUNIQ', match: 'INVNUMBER' },
    lines: { table: 'OEINVD', key: 'LINENUM', match: 'INVUNIQ', matchFrom: 'INVUNIQ' },
    customer: { table: 'ARCUS', key: 'IDCUST', match: 'IDCUST', matchFrom: 'CUSTOMER' },
  },
  // Of an order sent in two parts the order knows only the last invoice.
  fields: {
    number: 'OEINVH.INVNUMBER|AROBL.IDINVC',
    issue_date: 'OEINVH.INVDATE!date|AROBL.DATEINVC!date',
    due_date: 'OETERMI.DUEDATE!date|AROBL.DATEDUE!date',
    'delivery.date': 'OEINVH.SHIPDATE!date|OEINVD.EXPDATE!date',
    currency:
      'OEINVH.INSOURCURR|OEINVH.SHSOURCURR|AROBL.CODECURN|ARCUS.CODECURN|OEORDH.ORSOURCURR|OEORDH.INSOURCURR|' +
      'CSCCD.CURID|CSCCD.CURNAME!map|CSCCD.SYMBOL!map',
    'exchange_rate.rate': 'OEINVH.INRATE|OEINVH.ITRRATE|AROBL.EXCHRATEHC',
    purchase_order: 'OEINVH.PONUMBER|OEORDH.PONUMBER|AROBL.IDCUSTPO',
    buyer_reference: 'OEINVH.PONUMBER|OEORDH.PONUMBER|AROBL.IDCUSTPO|OEINVH.REFERENCE',
    'notes[]': 'OEINVH.COMMENT|OEINVH.DESC|AROBL.DESCINVC',
    'payment_terms[].note':
      'ARRTA.TEXTDESC|OEINVH.TERMS|ARRTA.CODETERM|AROBL.CODETERM|ARRTA.DUENBRDAYS',
    'payment_means[].code': 'ARCUS.PAYMCODE!map',
    'totals.lines':
      'OEINVH.INVITMTOT|OEINVH.INVNETNOTX|OEINVH.INVDISCBAS|OEINVH.INVSUBTOT|OEINVH.INVNET|OEINVH.TERMDBNT|' +
      'OEINVH.TBASE1|AROBL.AMTTXBLTC|AROBL.AMTBASE1TC',
    'totals.net':
      'OEINVH.INVNETNOTX|OEINVH.INVNET|OEINVH.INVSUBTOT|OEINVH.INVITMTOT|OEINVH.INVDISCBAS|OEINVH.TERMDBNT|' +
      'OEINVH.TBASE1|AROBL.AMTTXBLTC|AROBL.AMTBASE1TC',
    'totals.tax':
      'OEINVH.INVETAXTOT|OEINVH.TEAMOUNT1|OEINVH.ITREAMNT1|AROBL.AMTTAXTC|AROBL.AMTTAX1TC',
    'totals.gross':
      'OEINVH.INVNETWTX|OEINVH.TERMTTLDUE|OEINVH.TERMDBWT|OETERMI.DUEAMT|OETERMI.DUEBASE|AROBL.AMTINVCTC',
    'totals.due':
      'OEINVH.INVNETWTX|OEINVH.TERMTTLDUE|OEINVH.TERMDBWT|OETERMI.DUEAMT|OETERMI.DUEBASE|AROBL.AMTINVCTC',
    'accounting.totals.gross': 'AROBL.AMTINVCHC',
    'accounting.totals.tax':
      'AROBL.AMTTAXHC|AROBL.AMTTAX1HC|OEINVH.ITREAMNT1|OEINVH.INVETAXTOT|OEINVH.TEAMOUNT1',
    'seller.name': 'CSCOM.LEGALNAME|CSCOM.CONAME',
    'seller.trn': 'CSCOM.TAXNBR',
    'seller.registration_id': 'CSCOM.BRN',
    'seller.address.line1': 'CSCOM.ADDR01',
    'seller.address.line2': 'CSCOM.ADDR02',
    'seller.address.city': 'CSCOM.CITY',
    'seller.address.subdivision': 'CSCOM.STATE',
    'seller.address.post_code': 'CSCOM.POSTAL',
    'seller.address.country': 'CSCOM.CNTRYCODE|CSCOM.COUNTRY!map',
    'seller.contact.name': 'CSCOM.CONTACT|ARSAP.NAMEEMPL',
    'seller.contact.phone': 'CSCOM.PHONE',
    'seller.contact.email': 'CSCOM.EMAILADDR',
    'buyer.name': 'OEINVH.BILNAME|ARCUS.NAMECUST|OEORDH.BILNAME',
    'buyer.trn': 'OEINVH.TEXEMPT1|ARCUS.IDTAXREGI1|OEORDH.TEXEMPT1',
    'PINT-MY:buyer.identifiers[].id': 'OEINVH.TEXEMPT1|ARCUS.IDTAXREGI1|OEORDH.TEXEMPT1|ARCUS.BRN',
    'buyer.registration_id': 'ARCUS.BRN',
    'buyer.address.line1': 'OEINVH.BILADDR1|ARCUS.TEXTSTRE1|OEORDH.BILADDR1',
    'buyer.address.line2': 'OEINVH.BILADDR2|ARCUS.TEXTSTRE2|OEORDH.BILADDR2',
    'buyer.address.city': 'OEINVH.BILCITY|ARCUS.NAMECITY|OEORDH.BILCITY',
    'buyer.address.subdivision': 'OEINVH.BILSTATE|ARCUS.CODESTTE|OEORDH.BILSTATE',
    'buyer.address.post_code': 'OEINVH.BILZIP|ARCUS.CODEPSTL|OEORDH.BILZIP',
    'buyer.address.country':
      'OEINVH.BILCOUNTRY!map|ARCUS.CODECTRY!map|OEORDH.BILCOUNTRY!map|OEINVH.SHPCOUNTRY!map',
    'buyer.contact.name': 'OEINVH.BILCONTACT|ARCUS.NAMECTAC|OEORDH.BILCONTACT',
    'buyer.contact.phone':
      'OEINVH.BILPHONE|ARCUS.TEXTPHON1|OEORDH.BILPHONE|OEINVH.SHPPHONE|OEORDH.SHPPHONE',
    'buyer.contact.email': 'OEINVH.BILEMAIL|OEINVH.BILEMAILC|ARCUS.EMAIL2|ARCUS.EMAIL1',
    'lines[].id': 'OEINVD.LINENUM|OEINVD.DETAILNUM|OEINVD.SHIDTLNUM|OEINVD.ORDDTLNUM',
    'lines[].sku': 'OEINVD.ITEM|ICITEM.FMTITEMNO|ICITEM.ITEMNO',
    'lines[].name': 'OEINVD.DESC|ICITEM.DESC',
    'lines[].description': 'OEINVD.DESC|ICITEM.DESC',
    'lines[].classifications[].code': 'ICITEM.COMMODIM',
    'lines[].qty': 'OEINVD.QTYSHIPPED|OEINVD.ORIGQTYSHP',
    'lines[].unit': 'OEINVD.INVUNIT!map|OEINVD.PRICEUNIT!map|OEINVD.ORDUNIT!map',
    'lines[].unit_price': 'OEINVD.UNITPRICE|OEINVD.PRIUNTPRC',
    'lines[].gross_price': 'OEINVD.UNITPRICE|OEINVD.PRIUNTPRC',
    'lines[].allowances[].percent': 'OEINVD.DISCPER',
    'lines[].allowances[].amount': 'OEINVD.INVDISC',
    'lines[].net': 'OEINVD.TBASE1|OEINVD.EXTINVMISC!subtract',
    'lines[].accounting.tax_totals[].amount': 'OEINVD.TAMOUNT1|OEINVD.ITRAMOUNT1',
    'lines[].tax.rate': 'OEINVD.TRATE1',
    // Not by the class: it is of the item, and nothing is taxed abroad.
    'lines[].tax.category': 'OEINVD.TRATE1!map',
  },
};
