import {
  type Buyer,
  cents,
  countryOf,
  type Good,
  type SalesDocument,
  total,
} from './enterprise-trade.ts';
import { hyphenKey } from './hex-keys.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { tableOf } from './tables.ts';
import { longTradeOf } from './trade-over-years.ts';

// All is written in dirhams here, abroad too.
const trade = longTradeOf({
  home: 'AE',
  from: '2025-01-06',
  every: 3.1,
  seed: 47_711,
  documents: 158,
  currency: 'AED',
  exchanges: { USD: 1, EUR: 1 },
  rates: { standard: 5, middle: 5, reduced: 0, zero: 0 },
  taxOf: 'rate',
});
const { buyers, goods } = trade;
/** The loader leaves out what is optional or cancelled, and their numbers are missing. */
const done = trade.documents.filter(({ state }) => state === 'done');
const sales = done.filter(({ kind }) => kind === 'invoice');
const credits = done.filter(({ kind }) => kind === 'credit');

const guid = (kind: string, id: number) =>
  `${hyphenKey('tally company', 1)}-${hyphenKey(kind, 0).slice(0, 3)}${id.toString(16).padStart(5, '0')}`;
const key =
  (kind: string) =>
  ({ id }: { readonly id: number }) =>
    guid(kind, id);

const emirates: Readonly<Record<string, string>> = {
  DXB: 'Dubai',
  AUH: 'Abu Dhabi',
  SHJ: 'Sharjah',
  AJM: 'Ajman',
  RAK: 'Ras Al Khaimah',
  FUJ: 'Fujairah',
};
const stateOf = ({ isHome, region }: Buyer) => (isHome ? emirates[region!]! : (region ?? ''));
const addressOf = ({ street, street2, city }: Buyer) =>
  [street, street2, city].filter((line) => line !== null).join(', ');
const units: Readonly<Record<Good['unit'], string>> = {
  piece: 'Nos',
  hour: 'Hrs',
  metre: 'Mtr',
  kilogram: 'Kgs',
  box: 'Box',
  litre: 'Ltr',
};
const formal: Readonly<Record<string, string>> = {
  Nos: 'Numbers',
  Hrs: 'Hours',
  Mtr: 'Meters',
  Kgs: 'Kilograms',
  Box: 'Boxes',
  Ltr: 'Liters',
};
const rateOf = ({ rateClass }: Good) => (rateClass === 'reduced' || rateClass === 'zero' ? 0 : 5);
/** Under which ledger a line is sold. */
const soldUnder = (one: SalesDocument, rate: number) => {
  if (!one.buyer.isHome) return 'Export Sales';
  return rate > 0 ? 'Sales - Standard Rated 5%' : 'Sales - Zero Rated';
};

interface Voucher {
  readonly guid: string;
  readonly date: string;
  readonly type: string;
  readonly number: string;
  readonly reference: string;
  readonly narration: string;
  readonly party: string;
  readonly place: string;
  readonly isInvoice: boolean;
  readonly isOrder: boolean;
  readonly isNote: boolean;
  /** Debit is below zero. */
  readonly entries: readonly (readonly [ledger: string, amount: number])[];
  readonly items: readonly StockEntry[];
  readonly bill: readonly [name: string, type: string] | null;
  readonly bank: string | null;
  readonly person: string | null;
}
interface StockEntry {
  readonly item: string;
  /** What goes out is below zero. */
  readonly quantity: number;
  readonly rate: number;
  readonly amount: number;
  readonly discount: number;
  readonly tracking: string;
  readonly order: string;
}
const plain = {
  reference: '',
  narration: '',
  place: '',
  isInvoice: false,
  isOrder: false,
  isNote: false,
  entries: [],
  items: [],
  bill: null,
  bank: null,
  person: null,
} as const;
const noteNumber = ({ id }: SalesDocument) => (id % 4 === 0 ? `DN-${id}` : '');
const orderNumber = ({ id }: SalesDocument) => (id % 3 === 0 ? `SO-${id}` : '');
const itemsOf = (one: SalesDocument, way: 1 | -1): readonly StockEntry[] =>
  one.lines.map((line) => ({
    item: line.good.name,
    quantity: way * line.quantity,
    rate: line.price,
    amount: -way * line.net,
    discount: cents(line.quantity * line.price - line.net),
    tracking: noteNumber(one),
    order: orderNumber(one),
  }));
const soldEntries = (one: SalesDocument, way: 1 | -1) => {
  const ledgers = [...new Set(one.lines.map(({ rate }) => soldUnder(one, rate)))];
  return [
    [one.buyer.name, -way * one.gross],
    ...ledgers.map((ledger) => [
      ledger,
      way *
        total(
          one.lines.filter(({ rate }) => soldUnder(one, rate) === ledger).map(({ net }) => net),
        ),
    ]),
    ...(one.tax === 0 ? [] : [['Output VAT 5%', way * one.tax]]),
  ] as [string, number][];
};
const invoiceNumber = ({ serial }: SalesDocument) => `TI-${String(serial).padStart(4, '0')}`;
const people = ['Shabeer K', 'Maricel Cruz', 'Rohit Verma'] as const;

const suppliers = [
  { id: 901, name: 'Deira Pipe Fittings Trading LLC', trn: '100771234500003' },
  { id: 902, name: 'Guangzhou Pump Works', trn: '' },
];
const vouchers: readonly Voucher[] = [
  ...sales.map((one) => ({
    ...plain,
    guid: guid('sales', one.id),
    date: one.date,
    type: 'Sales',
    number: invoiceNumber(one),
    reference: one.order ?? '',
    narration: one.note ?? '',
    party: one.buyer.name,
    place: one.buyer.isHome ? stateOf(one.buyer) : '',
    isInvoice: true,
    entries: soldEntries(one, 1),
    items: itemsOf(one, -1),
    bill: [invoiceNumber(one), 'New Ref'] as const,
    person: people[one.id % 3]!,
  })),
  ...credits.map((one) => ({
    ...plain,
    guid: guid('credit', one.id),
    date: one.date,
    type: 'Credit Note',
    number: `CN-${String(one.serial).padStart(3, '0')}`,
    reference: `TI-${String(one.id - 5).padStart(4, '0')}`,
    narration: 'Goods returned',
    party: one.buyer.name,
    place: one.buyer.isHome ? stateOf(one.buyer) : '',
    isInvoice: true,
    entries: soldEntries(one, -1),
    items: itemsOf(one, 1),
    bill: [`CN-${String(one.serial).padStart(3, '0')}`, 'New Ref'] as const,
    person: people[one.id % 3]!,
  })),
  ...sales
    .filter(({ isPaid }) => isPaid)
    .map((one, index) => ({
      ...plain,
      guid: guid('receipt', one.id),
      date: one.due,
      type: 'Receipt',
      number: String(index + 1),
      narration: `Received against ${invoiceNumber(one)}`,
      party: one.buyer.name,
      entries: [
        ['Emirates NBD Current A/c', -one.gross],
        [one.buyer.name, one.gross],
      ] as [string, number][],
      bill: [invoiceNumber(one), 'Agst Ref'] as const,
      bank: one.id % 2 === 0 ? 'Cheque' : 'Others',
    })),
  ...sales
    .filter(({ id }) => id % 4 === 0)
    .map((one) => ({
      ...plain,
      guid: guid('delivery', one.id),
      date: one.delivered,
      type: 'Delivery Note',
      number: noteNumber(one),
      party: one.buyer.name,
      isNote: true,
      items: itemsOf(one, -1),
    })),
  ...sales
    .filter(({ id }) => id % 3 === 0)
    .map((one) => ({
      ...plain,
      guid: guid('order', one.id),
      date: one.delivered,
      type: 'Sales Order',
      number: orderNumber(one),
      reference: one.order ?? '',
      party: one.buyer.name,
      isInvoice: true,
      isOrder: true,
      entries: soldEntries(one, 1),
      items: itemsOf(one, -1).map((item) => ({ ...item, tracking: '' })),
    })),
  ...sales
    .filter(({ id }) => id % 5 === 1)
    .map((one, index) => {
      const supplier = suppliers[one.id % 2]!;
      const items = one.lines.map(({ good, quantity }) => ({
        item: good.name,
        quantity,
        rate: good.cost,
        amount: -cents(quantity * good.cost),
        discount: 0,
        tracking: '',
        order: '',
      }));
      const net = total(items.map(({ amount }) => -amount));
      const tax = supplier.trn === '' ? 0 : cents(net * 0.05);
      return {
        ...plain,
        guid: guid('purchase', one.id),
        date: one.date,
        type: 'Purchase',
        number: String(index + 1),
        reference: `${supplier.id}-${one.id * 3}`,
        party: supplier.name,
        place: supplier.trn === '' ? '' : 'Dubai',
        isInvoice: true,
        entries: [
          [supplier.name, cents(net + tax)],
          [supplier.trn === '' ? 'Import Purchases' : 'Purchases - Standard Rated 5%', -net],
          ...(tax === 0 ? [] : [['Input VAT 5%', -tax]]),
        ] as [string, number][],
        items,
        bill: [`${supplier.id}-${one.id * 3}`, 'New Ref'] as const,
      };
    }),
  ...Array.from({ length: 16 }, (_, index) => {
    const date = new Date(Date.UTC(2025, index + 1, 0)).toISOString().slice(0, 10);
    return [
      {
        ...plain,
        guid: guid('payment', index),
        date,
        type: 'Payment',
        number: String(index + 1),
        narration: 'Warehouse rent',
        party: '',
        entries: [
          ['Rent', -9500],
          ['Emirates NBD Current A/c', 9500],
        ] as [string, number][],
        bank: 'Cheque',
      },
      {
        ...plain,
        guid: guid('journal', index),
        date,
        type: 'Journal',
        number: String(index + 1),
        narration: 'Depreciation of the month',
        party: '',
        entries: [
          ['Depreciation', -812.5],
          ['Forklift', 812.5],
        ] as [string, number][],
      },
    ];
  }).flat(),
];

const yes = (is: boolean) => (is ? 1 : 0);
const accounting = vouchers.flatMap((voucher) =>
  voucher.entries.map(([ledger, amount]) => ({ voucher, ledger, amount })),
);
const inventory = vouchers.flatMap((voucher) => voucher.items.map((item) => ({ voucher, item })));
const partyEntries = accounting.filter(({ voucher, ledger }) => ledger === voucher.party);
const assigned = accounting.filter(
  ({ voucher, ledger }) => voucher.person !== null && /^(?:Sales -|Export)/.test(ledger),
);
const transactions: Readonly<Record<string, LayoutTable>> = {
  trn_voucher: tableOf(vouchers, {
    '*guid varchar(64)': (voucher) => voucher.guid,
    'date date': ({ date }) => date,
    'voucher_type varchar(1024)': ({ type }) => type,
    'voucher_number varchar(64)': ({ number }) => number,
    'reference_number varchar(64)': ({ reference }) => reference,
    'reference_date date': ({ reference, date }) => (reference === '' ? null : date),
    'narration varchar(4000)': ({ narration }) => narration,
    'party_name varchar(256)': ({ party }) => party,
    'place_of_supply varchar(256)': ({ place }) => place,
    'is_invoice tinyint': ({ isInvoice }) => yes(isInvoice),
    'is_accounting_voucher tinyint': ({ isOrder, isNote }) => yes(!isOrder && !isNote),
    'is_inventory_voucher tinyint': ({ isNote }) => yes(isNote),
    'is_order_voucher tinyint': ({ isOrder }) => yes(isOrder),
  }),
  trn_accounting: tableOf(accounting, {
    'guid varchar(64)': ({ voucher }) => voucher.guid,
    'ledger varchar(1024)': ({ ledger }) => ledger,
    'amount decimal, amount_forex decimal': ({ amount }) => amount,
    'currency varchar(16)': 'AED',
  }),
  trn_inventory: tableOf(inventory, {
    'guid varchar(64)': ({ voucher }) => voucher.guid,
    'item varchar(1024)': ({ item }) => item.item,
    'quantity decimal': ({ item }) => item.quantity,
    'rate decimal': ({ item }) => item.rate,
    'amount decimal': ({ item }) => item.amount,
    'additional_amount decimal': 0,
    'discount_amount decimal': ({ item }) => item.discount,
    'godown varchar(1024)': 'Main Location',
    'tracking_number varchar(256)': ({ item }) => item.tracking,
    'order_number varchar(256)': ({ item }) => item.order,
    'order_duedate date': ({ voucher, item }) => (item.order === '' ? null : voucher.date),
  }),
  trn_batch: tableOf(inventory, {
    'guid varchar(64)': ({ voucher }) => voucher.guid,
    'item varchar(1024)': ({ item }) => item.item,
    'name varchar(1024)': 'Primary Batch',
    'quantity decimal': ({ item }) => item.quantity,
    'amount decimal': ({ item }) => item.amount,
    'godown varchar(1024)': 'Main Location',
    'destination_godown varchar(1024)': '',
    'tracking_number varchar(1024)': ({ item }) => item.tracking,
  }),
  trn_bill: tableOf(
    partyEntries.filter(({ voucher }) => voucher.bill !== null),
    {
      'guid varchar(64)': ({ voucher }) => voucher.guid,
      'ledger varchar(1024)': ({ ledger }) => ledger,
      'name varchar(1024)': ({ voucher }) => voucher.bill![0],
      'amount decimal': ({ amount }) => amount,
      'billtype varchar(256)': ({ voucher }) => voucher.bill![1],
    },
  ),
  trn_bank: tableOf(
    accounting.filter(({ voucher, ledger }) => voucher.bank !== null && /NBD/.test(ledger)),
    {
      'guid varchar(64)': ({ voucher }) => voucher.guid,
      'ledger varchar(1024)': ({ ledger }) => ledger,
      'transaction_type varchar(32)': ({ voucher }) => voucher.bank,
      'instrument_date date': ({ voucher }) => voucher.date,
      'instrument_number varchar(1024)': ({ voucher }, index) =>
        voucher.bank === 'Cheque' ? String(100_212 + index) : '',
      'bank_name varchar(64)': '',
      'amount decimal': ({ amount }) => amount,
      'bankers_date date': ({ voucher }) => voucher.date,
    },
  ),
  trn_cost_centre: tableOf(assigned, {
    'guid varchar(64)': ({ voucher }) => voucher.guid,
    'ledger varchar(1024)': ({ ledger }) => ledger,
    'costcentre varchar(1024)': ({ voucher }) => voucher.person,
    'amount decimal': ({ amount }) => amount,
  }),
  trn_cost_category_centre: tableOf(assigned, {
    'guid varchar(64)': ({ voucher }) => voucher.guid,
    'ledger varchar(1024)': ({ ledger }) => ledger,
    'costcategory varchar(1024)': 'Salesmen',
    'costcentre varchar(1024)': ({ voucher }) => voucher.person,
    'amount decimal': ({ amount }) => amount,
  }),
  trn_cost_inventory_category_centre: {
    columns:
      'guid varchar(64), ledger varchar(1024), item varchar(1024), costcategory varchar(1024), costcentre varchar(1024), amount decimal',
    rows: [],
  },
  trn_closingstock_ledger: {
    columns: 'ledger varchar(1024), stock_date date, stock_value decimal',
    rows: [['Stock-in-Hand', '2025-12-31', -184_220.5]],
  },
};

interface Ledger {
  readonly name: string;
  readonly parent: string;
  readonly isRevenue?: boolean;
  readonly rate?: number;
  readonly duty?: string;
  readonly trn?: string;
  readonly buyer?: Buyer;
}
const ledgers: readonly Ledger[] = [
  { name: 'Cash', parent: 'Cash-in-Hand' },
  { name: 'Profit & Loss A/c', parent: 'Primary' },
  { name: 'Emirates NBD Current A/c', parent: 'Bank Accounts' },
  { name: 'Sales - Standard Rated 5%', parent: 'Sales Accounts', isRevenue: true },
  { name: 'Sales - Zero Rated', parent: 'Sales Accounts', isRevenue: true },
  { name: 'Export Sales', parent: 'Sales Accounts', isRevenue: true },
  { name: 'Purchases - Standard Rated 5%', parent: 'Purchase Accounts', isRevenue: true },
  { name: 'Import Purchases', parent: 'Purchase Accounts', isRevenue: true },
  { name: 'Output VAT 5%', parent: 'Duties & Taxes', rate: 5, duty: 'VAT' },
  { name: 'Input VAT 5%', parent: 'Duties & Taxes', rate: 5, duty: 'VAT' },
  { name: 'Rent', parent: 'Indirect Expenses', isRevenue: true },
  { name: 'Depreciation', parent: 'Indirect Expenses', isRevenue: true },
  { name: 'Forklift', parent: 'Fixed Assets' },
  { name: 'Stock-in-Hand', parent: 'Stock-in-Hand' },
  ...suppliers.map(({ name, trn }) => ({ name, parent: 'Sundry Creditors', trn })),
  ...buyers.map((buyer) => ({
    name: buyer.name,
    parent: buyer.isHome ? 'Local Debtors' : 'Overseas Debtors',
    trn: buyer.taxNumber ?? '',
    buyer,
  })),
];
const isBank = ({ parent }: Ledger) => parent === 'Bank Accounts';
const groups = `Sundry Debtors;Current Assets;Current Assets;0;1
Local Debtors;Sundry Debtors;Current Assets;0;1
Overseas Debtors;Sundry Debtors;Current Assets;0;1
Sundry Creditors;Current Liabilities;Current Liabilities;0;0
Bank Accounts;Current Assets;Current Assets;0;1
Cash-in-Hand;Current Assets;Current Assets;0;1
Stock-in-Hand;Current Assets;Current Assets;0;1
Duties & Taxes;Current Liabilities;Current Liabilities;0;0
Sales Accounts;Primary;Sales Accounts;1;0
Purchase Accounts;Primary;Purchase Accounts;1;1
Indirect Expenses;Primary;Indirect Expenses;1;1
Fixed Assets;Primary;Fixed Assets;0;1
Current Assets;Primary;Current Assets;0;1
Current Liabilities;Primary;Current Liabilities;0;0`
  .split('\n')
  .map((row, index) => {
    const [name = '', parent = '', primary = '', revenue = '', positive = ''] = row.split(';');
    return {
      id: index + 1,
      name,
      parent,
      primary,
      revenue: Number(revenue),
      positive: Number(positive),
    };
  });
const voucherTypes =
  'Contra;1 Credit Note;0 Debit Note;1 Delivery Note;1 Journal;1 Payment;1 Purchase;0 Purchase Order;0 Receipt Note;0 Receipt;0 Sales;1 Sales Order;1 Stock Journal;0'
    .split(/(?<=\d) /)
    .map((row, index) => {
      const [name = '', positive = ''] = row.split(';');
      return { id: index + 1, name, positive: Number(positive) };
    });
const hsCodes: Readonly<Record<string, string>> = {
  PMP: '841370',
  VLV: '848180',
  HOS: '391739',
  CAB: '854449',
};
const hsCode = ({ code }: Good) => hsCodes[code.slice(0, 3)] ?? '';
const taxability = (good: Good) => (rateOf(good) > 0 ? 'Taxable' : 'Nil Rated');

const masters: Readonly<Record<string, LayoutTable>> = {
  config: {
    columns: '*name varchar(64), value varchar(1024)',
    rows: [
      ['Update Timestamp', '2026-05-31 21:00:07'],
      ['Company Name', 'Al Manara Pumps Trading LLC'],
      ['Period From', '2025-01-01'],
      ['Period To', '2026-12-31'],
    ],
  },
  mst_group: tableOf(groups, {
    '*guid varchar(64)': key('group'),
    'name varchar(1024)': ({ name }) => name,
    'parent varchar(1024)': ({ parent }) => (parent === 'Primary' ? '' : parent),
    'primary_group varchar(1024)': ({ primary }) => primary,
    'is_revenue tinyint': ({ revenue }) => revenue,
    'is_deemedpositive tinyint': ({ positive }) => positive,
    'is_reserved tinyint': ({ name }) => yes(!/Local|Overseas/.test(name)),
    'affects_gross_profit tinyint': ({ name }) => yes(/^(?:Sales|Purchase)/.test(name)),
    'sort_position int': ({ id }) => id * 10,
  }),
  mst_ledger: tableOf(ledgers, {
    '*guid varchar(64)': (_ledger, index) => guid('ledger', index + 30),
    'name varchar(1024)': ({ name }) => name,
    'parent varchar(1024)': ({ parent }) => (parent === 'Primary' ? '' : parent),
    'alias varchar(256)': ({ buyer }) =>
      buyer === undefined ? '' : `C${String(buyer.id).padStart(4, '0')}`,
    'description varchar(64), notes varchar(64)': '',
    'is_revenue tinyint': ({ isRevenue = false }) => yes(isRevenue),
    'is_deemedpositive tinyint': ({ parent }) =>
      yes(/Debtors|Bank|Cash|Expenses|Purchase/.test(parent)),
    'opening_balance decimal': ({ buyer, parent }) =>
      parent === 'Bank Accounts' ? -88_412.25 : buyer === undefined ? 0 : -buyer.id * 140,
    'closing_balance decimal': ({ buyer }) => (buyer === undefined ? 0 : -buyer.id * 391.5),
    'mailing_name varchar(256)': ({ name, buyer, trn }) =>
      buyer !== undefined || trn !== undefined ? name : '',
    'mailing_address varchar(1024)': ({ buyer, trn }) =>
      buyer === undefined ? (trn ? 'Naif Road 41, Dubai' : '') : addressOf(buyer),
    'mailing_state varchar(256)': ({ buyer, trn }) =>
      buyer === undefined ? (trn ? 'Dubai' : '') : stateOf(buyer),
    'mailing_country varchar(256)': ({ buyer, trn }) =>
      buyer === undefined
        ? trn === undefined
          ? ''
          : trn === ''
            ? 'China'
            : 'United Arab Emirates'
        : countryOf(buyer.country).name,
    'mailing_pincode varchar(64)': ({ buyer }) => buyer?.zip ?? '',
    'email varchar(256)': ({ buyer }) => buyer?.email ?? '',
    'it_pan varchar(64)': '',
    'gstn varchar(64)': ({ trn }) => trn ?? '',
    'gst_registration_type varchar(64)': ({ trn }) =>
      trn === undefined ? '' : trn === '' ? 'Unregistered' : 'Regular',
    'gst_supply_type varchar(64)': ({ isRevenue = false }) => (isRevenue ? 'Goods' : ''),
    'gst_duty_head varchar(16)': ({ duty }) => duty ?? '',
    'tax_rate decimal': ({ rate }) => rate ?? 0,
    'bank_account_holder varchar(256)': (each) =>
      isBank(each) ? 'Al Manara Pumps Trading LLC' : '',
    'bank_account_number varchar(64)': (each) => (isBank(each) ? 'AE460260001014788889901' : ''),
    'bank_ifsc varchar(64)': '',
    'bank_swift varchar(64)': (each) => (isBank(each) ? 'EBILAEAD' : ''),
    'bank_name varchar(64)': (each) => (isBank(each) ? 'Emirates NBD' : ''),
    'bank_branch varchar(64)': (each) => (isBank(each) ? 'Al Ras' : ''),
    'bill_credit_period int': ({ buyer }) =>
      buyer === undefined ? 0 : [30, 45, 60][buyer.id % 3]!,
  }),
  mst_vouchertype: tableOf(voucherTypes, {
    '*guid varchar(64)': key('voucher type'),
    'name varchar(1024), parent varchar(1024)': ({ name }) => name,
    'numbering_method varchar(64)': ({ name }) =>
      name === 'Sales' ? 'Automatic (Manual Override)' : 'Automatic',
    'is_deemedpositive tinyint': ({ positive }) => positive,
    'affects_stock tinyint': ({ name }) =>
      yes(
        /^(?:Sales|Purchase|Credit Note|Debit Note|Delivery|Receipt Note|Stock)/.test(name) &&
          !/Order/.test(name),
      ),
  }),
  mst_uom: tableOf(Object.values(units), {
    '*guid varchar(64)': (_unit, index) => guid('unit', index + 1),
    'name varchar(1024)': (unit) => unit,
    'formalname varchar(256)': (unit) => formal[unit]!,
    'is_simple_unit tinyint': 1,
    'base_units varchar(1024), additional_units varchar(1024)': '',
    'conversion int': 0,
  }),
  mst_godown: {
    columns: '*guid varchar(64), name varchar(1024), parent varchar(1024), address varchar(1024)',
    rows: [
      [guid('godown', 1), 'Main Location', '', 'Al Quoz 4, Shed 12'],
      [guid('godown', 2), 'Sharjah Store', '', 'Industrial Area 10'],
    ],
  },
  mst_stock_group: {
    columns: '*guid varchar(64), name varchar(1024), parent varchar(1024)',
    rows: [
      [guid('stock group', 1), 'Pumps & Spares', ''],
      [guid('stock group', 2), 'Services', ''],
    ],
  },
  mst_stock_item: tableOf(goods, {
    '*guid varchar(64)': key('item'),
    'name varchar(1024)': ({ name }) => name,
    'parent varchar(1024)': ({ isService }) => (isService ? 'Services' : 'Pumps & Spares'),
    'alias varchar(256)': ({ code }) => code,
    'description varchar(64)': ({ text }) => text,
    'notes varchar(64)': '',
    'part_number varchar(256)': ({ code, isService }) => (isService ? '' : code),
    'uom varchar(32)': ({ unit }) => units[unit]!,
    'alternate_uom varchar(32)': '',
    'conversion int': 0,
    'opening_balance decimal': ({ isService }) => (isService ? 0 : 40),
    'opening_rate decimal': ({ cost }) => cost,
    'opening_value decimal': ({ isService, cost }) => (isService ? 0 : -cents(40 * cost)),
    'closing_balance decimal': ({ isService, id }) => (isService ? 0 : id * 3),
    'closing_rate decimal': ({ cost }) => cost,
    'closing_value decimal': ({ isService, id, cost }) => (isService ? 0 : -cents(id * 3 * cost)),
    'costing_method varchar(32)': 'Avg. Cost',
    'gst_type_of_supply varchar(32)': ({ isService }) => (isService ? 'Services' : 'Goods'),
    'gst_hsn_code varchar(64)': hsCode,
    'gst_hsn_description varchar(256)': '',
    'gst_rate int': rateOf,
    'gst_taxability varchar(32)': taxability,
  }),
  mst_gst_effective_rate: tableOf(goods, {
    'item varchar(1024)': ({ name }) => name,
    'applicable_from date': '2018-01-01',
    'hsn_description varchar(256)': '',
    'hsn_code varchar(64)': hsCode,
    'rate decimal': rateOf,
    'is_rcm_applicable tinyint': 0,
    'nature_of_transaction varchar(64), nature_of_goods varchar(64)': '',
    'supply_type varchar(64)': ({ isService }) => (isService ? 'Services' : 'Goods'),
    'taxability varchar(64)': taxability,
  }),
  mst_cost_category: {
    columns:
      '*guid varchar(64), name varchar(1024), allocate_revenue tinyint, allocate_non_revenue tinyint',
    rows: [
      [guid('cost category', 1), 'Primary Cost Category', 1, 0],
      [guid('cost category', 2), 'Salesmen', 1, 0],
    ],
  },
  mst_cost_centre: tableOf(people, {
    '*guid varchar(64)': (_name, index) => guid('cost centre', index + 1),
    'name varchar(1024)': (name) => name,
    'parent varchar(1024)': '',
    'category varchar(1024)': 'Salesmen',
  }),
  mst_opening_batch_allocation: tableOf(
    goods.filter(({ isService }) => !isService),
    {
      'name varchar(1024)': 'Primary Batch',
      'item varchar(1024)': ({ name }) => name,
      'opening_balance decimal': 40,
      'opening_rate decimal': ({ cost }) => cost,
      'opening_value decimal': ({ cost }) => -cents(40 * cost),
      'godown varchar(1024)': 'Main Location',
      'manufactured_on date': null,
    },
  ),
  mst_opening_bill_allocation: tableOf(buyers.slice(0, 12), {
    'ledger varchar(1024)': ({ name }) => name,
    'opening_balance decimal': ({ id }) => -id * 140,
    'bill_date date': '2024-12-11',
    'name varchar(1024)': ({ id }) => `TI24-${700 + id}`,
  }),
  mst_stockitem_standard_cost: tableOf(goods.slice(0, 14), {
    'item varchar(1024)': ({ name }) => name,
    'date date': '2025-01-01',
    'rate decimal': ({ cost }) => cost,
  }),
  mst_stockitem_standard_price: tableOf(goods.slice(0, 14), {
    'item varchar(1024)': ({ name }) => name,
    'date date': '2025-01-01',
    'rate decimal': ({ price }) => price,
  }),
};

/**
 * TallyPrime, as the open "tally database loader" copies it, at a firm in the Emirates: vouchers of all kinds in one table, told
 * apart by the name of their type; customers, banks and taxes are all ledgers, known by name; debit is below zero, so what a
 * customer owes is, and so are quantities that go out; tax and total are ledger lines of the voucher, and which is which their
 * ledger says; the rate of a line is that of its item, though what goes abroad has none; an address is one text; no town, phone
 * or day due. No foreign key is declared. Names after the loader's script for MySQL; that the number for value added tax and the
 * rates stand where those for GST in India do is an assumption.
 */
export const voucherLedgers: Layout = {
  name: 'voucher-ledgers',
  isHeldOut: true,
  tables: { ...masters, ...transactions },
  sections: {
    header: {
      table: 'trn_voucher',
      key: 'guid',
      match: 'voucher_number',
      where: { voucher_type: 'Sales' },
    },
    lines: { table: 'trn_inventory', key: 'item', match: 'guid', matchFrom: 'guid' },
    customer: { table: 'mst_ledger', key: 'guid', match: 'name', matchFrom: 'party_name' },
  },
  fields: {
    number: 'trn_voucher.voucher_number|trn_bill.name',
    issue_date: 'trn_voucher.date',
    currency: 'trn_accounting.currency',
    purchase_order: 'trn_voucher.reference_number',
    buyer_reference: 'trn_voucher.reference_number',
    'notes[]': 'trn_voucher.narration',
    'payment_terms[].note': 'mst_ledger.bill_credit_period',
    'payment_means[].account.id': 'mst_ledger.bank_account_number',
    'totals.tax': 'trn_accounting.amount|trn_accounting.amount_forex',
    'totals.gross':
      'trn_accounting.amount!negate,abs,multiply|trn_accounting.amount_forex!negate,abs,multiply|' +
      'trn_bill.amount!negate,abs,multiply',
    'totals.due':
      'trn_accounting.amount!negate,abs,multiply|trn_accounting.amount_forex!negate,abs,multiply|' +
      'trn_bill.amount!negate,abs,multiply',
    'seller.name': 'config.value|mst_ledger.bank_account_holder',
    'buyer.name':
      'trn_voucher.party_name|mst_ledger.name|mst_ledger.mailing_name|trn_bill.ledger|trn_accounting.ledger',
    'buyer.trn': 'mst_ledger.gstn',
    'PINT-MY:buyer.identifiers[].id': 'mst_ledger.gstn',
    'buyer.address.line1': 'mst_ledger.mailing_address',
    'buyer.address.city': 'mst_ledger.mailing_address!split,substring',
    'buyer.address.post_code': 'mst_ledger.mailing_pincode',
    'buyer.address.subdivision': 'mst_ledger.mailing_state',
    'buyer.address.country': 'mst_ledger.mailing_country!map',
    'buyer.contact.email': 'mst_ledger.email',
    'lines[].sku': 'mst_stock_item.alias|mst_stock_item.part_number',
    'lines[].name': 'trn_inventory.item|mst_stock_item.name|mst_gst_effective_rate.item',
    'lines[].description':
      'trn_inventory.item|mst_stock_item.name|mst_stock_item.description|mst_gst_effective_rate.item',
    'lines[].classifications[].code': 'mst_stock_item.gst_hsn_code|mst_gst_effective_rate.hsn_code',
    'lines[].qty': 'trn_inventory.quantity!negate,abs,multiply',
    'lines[].unit': 'mst_stock_item.uom!map|mst_uom.name!map|mst_uom.formalname!map',
    'lines[].unit_price': 'trn_inventory.rate',
    'lines[].gross_price': 'trn_inventory.rate',
    'lines[].allowances[].amount': 'trn_inventory.discount_amount',
    'lines[].net': 'trn_inventory.amount',
    'lines[].tax.rate': 'mst_gst_effective_rate.rate|mst_stock_item.gst_rate|mst_ledger.tax_rate',
    'lines[].tax.category':
      'mst_gst_effective_rate.rate!map|mst_gst_effective_rate.taxability!map|mst_stock_item.gst_rate!map|' +
      'mst_stock_item.gst_taxability!map|mst_ledger.tax_rate!map|trn_accounting.ledger!map',
  },
};
