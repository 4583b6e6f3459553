import {
  type Buyer,
  cents,
  countries,
  type Good,
  ratesOf,
  type SalesDocument,
  total,
} from './enterprise-trade.ts';
import { hyphenKey } from './hex-keys.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, midnight, tableOf } from './tables.ts';
import { longTradeOf } from './trade-over-years.ts';

const trade = longTradeOf({
  home: 'GB',
  from: '2025-01-13',
  every: 3.3,
  seed: 33_391,
  documents: 150,
  currency: 'GBP',
  exchanges: { USD: 0.79, EUR: 0.855 },
  rates: { standard: 20, middle: 20, reduced: 5, zero: 0 },
  taxOf: 'line',
});
const { buyers, goods } = trade;
/** One customer at home pays in euros, as does its account. */
const paysInEuros = (buyer: Buyer) => buyer.id === 2;
const currencyOf = (buyer: Buyer) => (paysInEuros(buyer) ? 'EUR' : buyer.currency);
const carriage = ({ id }: SalesDocument) => (id % 7 === 3 ? 18.5 : 0);
const carriageTax = (one: SalesDocument) =>
  cents((carriage(one) * (one.buyer.isHome ? 20 : 0)) / 100);

type Kind = 'Invoice' | 'Credit' | 'Quote' | 'Proforma';
interface Item {
  readonly position: number;
  readonly good: Good;
  readonly isService: boolean;
  readonly quantity: number;
  readonly price: number;
  readonly discount: number;
  readonly net: number;
  readonly rate: number;
  readonly tax: number;
}
interface Invoice {
  readonly one: SalesDocument;
  readonly id: number;
  readonly kind: Kind;
  readonly isService: boolean;
  readonly isPosted: boolean;
  readonly isDeleted: boolean;
  readonly currency: string;
  /** What one of the invoice's currency is worth in pounds. */
  readonly worth: number;
  readonly items: readonly Item[];
  readonly net: number;
  readonly tax: number;
}
const invoiceOf = (one: SalesDocument, id: number, kind: Kind): Invoice => {
  const isService = one.lines.every(({ good }) => good.isService);
  // A service has a text and an amount.
  const items = one.lines.map((line) =>
    isService
      ? { ...line, isService, quantity: 1, price: line.net, discount: 0 }
      : { ...line, isService },
  );
  const isFinal = kind === 'Invoice' || kind === 'Credit';
  return {
    one,
    id,
    kind,
    isService,
    isPosted: isFinal && one.state === 'done',
    isDeleted: one.state === 'cancelled',
    currency: currencyOf(one.buyer),
    worth: paysInEuros(one.buyer) ? 0.855 : one.exchange,
    items,
    net: total(items.map(({ net }) => net)),
    tax: total(items.map(({ tax }) => tax)),
  };
};
const firstNumber = 10_211;
const invoices: readonly Invoice[] = [
  ...trade.documents.map((one) =>
    invoiceOf(one, firstNumber + one.id, one.kind === 'credit' ? 'Credit' : 'Invoice'),
  ),
  ...trade.documents
    .filter(({ id }) => id % 15 === 4)
    .map((one, index) =>
      invoiceOf(one, firstNumber + 151 + index, index % 3 === 2 ? 'Proforma' : 'Quote'),
    ),
];
const own = ({ worth }: Invoice, amount: number) => cents(amount * worth);
/** How much of the currency a pound is. */
const rate = ({ worth }: Pick<Invoice, 'worth'>) =>
  worth === 1 ? 1 : Number((1 / worth).toFixed(4));
const currencyNumbers: Readonly<Record<string, number>> = { GBP: 1, USD: 2, EUR: 3 };
const typeCodes: Readonly<Record<Kind, number>> = { Invoice: 0, Credit: 2, Quote: 6, Proforma: 7 };
const typeCode = ({ kind, isService }: Invoice) =>
  typeCodes[kind] + (isService && kind !== 'Quote' && kind !== 'Proforma' ? 1 : 0);
const typeName = ({ kind, isService }: Invoice) =>
  `${isService ? 'Service' : 'Product'} ${kind === 'Credit' ? 'Credit Note' : kind}`;
const reference = ({ id, name }: Pick<Buyer, 'id' | 'name'>) =>
  `${name
    .toUpperCase()
    .replace(/[^A-Z]/g, '')
    .slice(0, 5)}${String(id).padStart(3, '0')}`;
const taxCode = (rateOf: number) => (rateOf === 20 ? 1 : rateOf === 5 ? 5 : 0);
const units: Readonly<Record<Good['unit'], string>> = {
  piece: 'Each',
  hour: 'Hours',
  metre: 'Metre',
  kilogram: 'Kg',
  box: 'Box',
  litre: 'Litre',
};
const nominal = ({ isService }: Pick<Good, 'isService'>) => (isService ? '4001' : '4000');

/** Five lines of an address; without gaps in the compact ones. */
const addressOf = ({ street, street2, city, region, zip }: Buyer) => [
  street,
  street2 ?? '',
  city,
  region ?? '',
  zip ?? '',
];
const lineOf = (buyer: Buyer, place: number) => addressOf(buyer)[place - 1]!;
const compactOf = (buyer: Buyer, place: number) =>
  addressOf(buyer).filter((line) => line !== '')[place - 1] ?? '';
const oneToFive = [1, 2, 3, 4, 5] as const;
const addresses = <T>(prefix: string, content: (row: T, place: number) => string | null) =>
  Object.fromEntries(
    oneToFive.map((place) => [
      `${prefix}ADDRESS_${place} varchar(60)`,
      (row: T) => content(row, place),
    ]),
  );
const counted = (prefix: string, type: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index + 1} ${type}`).join(', ');
const months = (prefix: string) =>
  `${prefix}_BF double, ${counted(`${prefix}_MTH`, 'double', 12)}, ${prefix}_CF double`;
const monthsAndFuture = (prefix: string) =>
  `${prefix}_BF double, ${counted(`${prefix}_MTH`, 'double', 12)}, ${prefix}_FUTURE double`;
const ages = [
  'BALANCE',
  'FUTURE',
  'CURRENT',
  '30',
  '60',
  '90',
  'OLDER',
  'CUM_CURRENT',
  'CUM_30',
  'CUM_60',
  'CUM_90',
];
const aged = (prefix: string) => ages.map((age) => `${prefix}AGED_${age} double`).join(', ');
const recorded = {
  'RECORD_CREATE_DATE timestamp': at('2024-12-30', '17:16:57'),
  'RECORD_MODIFY_DATE timestamp': at('2026-05-29', '14:18:49'),
  'RECORD_DELETED tinyint': 0,
} as const;

/** Net and tax of the highest rate, of the next, and so on. */
const byRate = (place: number, of: 'rate' | 'base' | 'tax') => (invoice: Invoice) =>
  ratesOf(invoice.one.lines)[place - 1]?.[of] ?? 0;
const perRate = (name: string, of: 'rate' | 'base' | 'tax') =>
  Object.fromEntries(oneToFive.map((place) => [`${name}_${place} double`, byRate(place, of)]));

const sold: Readonly<Record<string, LayoutTable>> = {
  INVOICE: tableOf(invoices, {
    'INVOICE_NUMBER integer': ({ id }) => id,
    'INVOICE_TYPE_CODE tinyint': typeCode,
    'INVOICE_TYPE varchar(60)': typeName,
    'INVOICE_OR_CREDIT varchar(60)': ({ kind }) => kind,
    'INVOICE_DATE date': ({ one }) => one.date,
    'ACCOUNT_REF varchar(8)': ({ one }) => reference(one.buyer),
    'NAME varchar(60)': ({ one }) => one.buyer.name,
    ...addresses<Invoice>('', ({ one }, place) => lineOf(one.buyer, place)),
    ...addresses<Invoice>('C_', ({ one }, place) => compactOf(one.buyer, place)),
    'DEL_NAME varchar(60)': ({ one }) => (one.id % 4 === 0 ? one.buyer.name : ''),
    ...addresses<Invoice>('DEL_', ({ one }, place) =>
      one.id % 4 === 0 ? lineOf(one.buyer, place) : '',
    ),
    'VAT_REG_NUMBER varchar(20)': ({ one }) => one.buyer.taxNumber ?? '',
    'ORDER_NUMBER varchar(7)': ({ one }) => (one.id % 3 === 0 ? String(400 + one.id) : ''),
    'ORDER_NUMBER_NUMERIC integer': ({ one }) => (one.id % 3 === 0 ? 400 + one.id : 0),
    'CONTACT_NAME varchar(30)': ({ one }) => `${one.buyer.first} ${one.buyer.last}`,
    'TAKEN_BY varchar(60)': ({ id }) => (id % 2 === 0 ? 'MANAGER' : 'Denise'),
    'CUST_ORDER_NUMBER varchar(60)': ({ one }) => one.order ?? '',
    'CUST_TEL_NUMBER varchar(30)': ({ one }) => one.buyer.phone ?? '',
    'NOTES_1 varchar(60)': ({ one }) => one.note ?? '',
    'NOTES_2 varchar(60)': ({ one }) => (one.id % 16 === 3 ? 'Goods remain ours until paid.' : ''),
    'NOTES_3 varchar(60)': '',
    'CUST_DISC_RATE double': 0,
    'FOREIGN_ITEMS_NET double': ({ net }) => net,
    'FOREIGN_ITEMS_TAX double': ({ tax }) => tax,
    'FOREIGN_ITEMS_GROSS double': ({ net, tax }) => cents(net + tax),
    'ITEMS_NET double': (each) => own(each, each.net),
    'ITEMS_TAX double': (each) => own(each, each.tax),
    'ITEMS_GROSS double': (each) => own(each, each.net + each.tax),
    ...perRate('TAX_RATE', 'rate'),
    ...perRate('NET_AMOUNT', 'base'),
    ...perRate('TAX_AMOUNT', 'tax'),
    'GLOBAL_NOM_CODE varchar(8), GLOBAL_DETAILS varchar(60)': '',
    'GLOBAL_TAX_CODE varchar(3)': 'T1',
    'GLOBAL_DEPT_NUMBER smallint': 0,
    'GLOBAL_DEPT_NAME varchar(60)': 'Default',
    'COURIER_NUMBER smallint': ({ one }) => (carriage(one) > 0 ? 2 : 0),
    'COURIER_NAME varchar(60)': ({ one }) => (carriage(one) > 0 ? 'DHL' : ''),
    'CONSIGNMENT varchar(30)': ({ one }) => (carriage(one) > 0 ? String(4_645_400 + one.id) : ''),
    'CARR_NOM_CODE varchar(8)': '4905',
    'CARR_TAX_CODE varchar(3)': ({ one }) => (one.buyer.isHome ? 'T1' : 'T0'),
    'CARR_DEPT_NUMBER smallint': 0,
    'CARR_DEPT_NAME varchar(60)': 'Default',
    'FOREIGN_CARR_NET double': ({ one }) => carriage(one),
    'FOREIGN_CARR_TAX double': ({ one }) => carriageTax(one),
    'FOREIGN_CARR_GROSS double': ({ one }) => cents(carriage(one) + carriageTax(one)),
    'CARR_NET double': (each) => own(each, carriage(each.one)),
    'CARR_TAX double': (each) => own(each, carriageTax(each.one)),
    'CARR_GROSS double': (each) => own(each, carriage(each.one) + carriageTax(each.one)),
    'FOREIGN_INVOICE_NET double': netOf,
    'FOREIGN_INVOICE_TAX double': taxOf,
    'FOREIGN_INVOICE_GROSS double': grossOf,
    'INVOICE_NET double': (each) => own(each, netOf(each)),
    'INVOICE_TAX double': (each) => own(each, taxOf(each)),
    'INVOICE_GROSS double': (each) => own(each, grossOf(each)),
    'CURRENCY tinyint': ({ currency }) => currencyNumbers[currency]!,
    'CURRENCY_TYPE tinyint': ({ worth }) => (worth === 1 ? 0 : 1),
    'EURO_GROSS double, EURO_RATE double': 0,
    'FOREIGN_RATE double': rate,
    'SETTLEMENT_DUE_DAYS smallint': 0,
    'SETTLEMENT_DISC_RATE double, FOREIGN_SETTLEMENT_DISC_AMOUNT double': 0,
    'FOREIGN_SETTLEMENT_TOTAL double': grossOf,
    'FOREIGN_AMOUNT_PREPAID double, SETTLEMENT_DISC_AMOUNT double': 0,
    'SETTLEMENT_TOTAL double': (each) => own(each, grossOf(each)),
    'AMOUNT_PREPAID double': 0,
    'PAYMENT_REF varchar(30)': '',
    'PRINTED varchar(1)': ({ isPosted, id }) => (isPosted || id % 2 === 0 ? 'Y' : ''),
    'PRINTED_CODE tinyint': ({ isPosted, id }) => (isPosted || id % 2 === 0 ? 1 : 0),
    'POSTED varchar(1)': ({ isPosted }) => (isPosted ? 'Y' : ''),
    'POSTED_CODE tinyint': ({ isPosted }) => (isPosted ? 1 : 0),
    'QUOTE_EXPIRY_DATE date': ({ kind, one }) => (kind === 'Quote' ? one.due : null),
    'QUOTE_STATUS varchar(60)': ({ kind }) => (kind === 'Quote' ? 'Open' : ''),
    'QUOTE_STATUS_ID tinyint': 0,
    'RECURRING_REF varchar(11), DUNS_NUMBER varchar(9)': '',
    'NET_VALUE_DISCOUNT_NET double, NET_VALUE_DISCOUNT_NET_BASE double': 0,
    'NET_VALUE_DISCOUNT_RATE double': 0,
    'NET_VALUE_DISCOUNT_DESC varchar(60), NET_VALUE_DISCOUNT_COMMENT_1 varchar(60)': '',
    'NET_VALUE_DISCOUNT_COMMENT_2 varchar(60)': '',
    'PAYMENT_TYPE tinyint': 3,
    'BANK_REF varchar(8)': '1200',
    'GDN_NUMBER integer, PROJECT_ID integer': 0,
    'ANALYSIS_1 varchar(30)': ({ one }) => (one.buyer.isHome ? 'Trade' : 'Export'),
    'ANALYSIS_2 varchar(30), ANALYSIS_3 varchar(30)': '',
    'PAYMENT_DUE_DATE date': ({ one, kind }) =>
      kind === 'Invoice' || kind === 'Credit' ? one.due : null,
    ...recorded,
    'RECORD_DELETED tinyint': ({ isDeleted }) => (isDeleted ? 1 : 0),
  }),
  INVOICE_ITEM: tableOf(
    invoices.flatMap((invoice) => invoice.items.map((item) => ({ invoice, item }))),
    {
      'INVOICE_NUMBER integer': ({ invoice }) => invoice.id,
      'ITEM_NUMBER smallint': ({ item }) => item.position,
      'JOB_NUMBER varchar(60)': '',
      'SERVICE_FLAG smallint': ({ item }) => (item.isService ? 1 : 0),
      'DESCRIPTION varchar(60)': ({ item }) => item.good.name,
      'TEXT long varchar': ({ item }) =>
        item.isService ? `${item.good.name}\r\n${item.good.text}` : '',
      'STOCK_CODE varchar(30)': ({ item }) => (item.isService ? '' : item.good.code),
      'COMMENT_1 varchar(60), COMMENT_2 varchar(60)': '',
      'UNIT_OF_SALE varchar(8)': ({ item }) => (item.isService ? '' : units[item.good.unit]!),
      'QUANTITY double': ({ item }) => item.quantity,
      'FOREIGN_UNIT_PRICE double': ({ item }) => item.price,
      'FOREIGN_DISCOUNT_AMOUNT double': ({ item }) => reduction(item),
      'UNIT_PRICE double': ({ invoice, item }) => own(invoice, item.price),
      'DISCOUNT_AMOUNT double': ({ invoice, item }) => own(invoice, reduction(item)),
      'DISCOUNT_RATE double': ({ item }) => item.discount,
      'DELIVERY_DATE date': null,
      'NOMINAL_CODE varchar(8)': ({ item }) => nominal(item.good),
      'DEPT_NUMBER smallint': 0,
      'DEPT_NAME varchar(60)': 'Default',
      'TAX_CODE_ID smallint': ({ item }) => taxCode(item.rate),
      'TAX_CODE varchar(3)': ({ item }) => `T${taxCode(item.rate)}`,
      'ADD_DISC_RATE double': 0,
      'TAX_RATE double': ({ item }) => item.rate,
      'FULL_NET_AMOUNT double': ({ invoice, item }) => own(invoice, item.net + reduction(item)),
      'NET_AMOUNT double': ({ invoice, item }) => own(invoice, item.net),
      'TAX_AMOUNT double': ({ invoice, item }) => own(invoice, item.tax),
      'GROSS_AMOUNT double': ({ invoice, item }) => own(invoice, item.net + item.tax),
      'FOREIGN_FULL_NET_AMOUNT double': ({ item }) => cents(item.net + reduction(item)),
      'FOREIGN_NET_AMOUNT double': ({ item }) => item.net,
      'FOREIGN_TAX_AMOUNT double': ({ item }) => item.tax,
      'FOREIGN_GROSS_AMOUNT double': ({ item }) => cents(item.net + item.tax),
      'EXT_ORDER_REF varchar(30)': ({ invoice }) =>
        invoice.one.id % 3 === 0 ? String(400 + invoice.one.id) : '',
      'EXT_ORDER_LINE_REF integer': 0,
      'PROJECT_ID integer': 0,
      'ITEMID integer': ({ item }) => item.position + 1,
      'NEGOTIATION_DISC_NET double, NEGOTIATION_DISC_NET_BASE double': 0,
      'GENERATED_MESSAGE smallint': 0,
      'EC_VAT_DESCRIPTION_ID integer': 0,
      ...recorded,
    },
  ),
};

function reduction({ quantity, price, net }: Item): number {
  return cents(quantity * price - net);
}

function netOf({ net, one }: Invoice): number {
  return cents(net + carriage(one));
}

function taxOf({ tax, one }: Invoice): number {
  return cents(tax + carriageTax(one));
}

function grossOf(invoice: Invoice): number {
  return cents(netOf(invoice) + taxOf(invoice));
}

interface Entry {
  readonly type: string;
  readonly date: string;
  readonly due: string;
  readonly account: string;
  readonly bank: string;
  readonly invoice: string;
  readonly details: string;
  readonly isPaid: boolean;
  readonly currency: string;
  readonly worth: number;
  readonly net: number;
  readonly tax: number;
  readonly parts: readonly {
    readonly code: string;
    readonly rate: number | null;
    readonly net: number;
    readonly tax: number;
    readonly details: string;
  }[];
}
const suppliers = [
  { id: 1, name: 'Mersey Castings Ltd', town: 'Liverpool', code: 'L3 4AA' },
  { id: 2, name: 'Pennine Fasteners', town: 'Oldham', code: 'OL1 2QT' },
];
const posted = invoices.filter(({ isPosted }) => isPosted);
const entries: readonly (Entry & { readonly id: number })[] = posted
  .flatMap((invoice): Entry[] => {
    const { one, id, kind, items, currency, worth } = invoice;
    const sign = kind === 'Credit' ? -1 : 1;
    const sale: Entry = {
      type: kind === 'Credit' ? 'SC' : 'SI',
      date: one.date,
      due: one.due,
      account: reference(one.buyer),
      bank: '',
      invoice: String(id),
      details: items[0]!.good.name,
      isPaid: one.isPaid,
      currency,
      worth,
      net: sign * netOf(invoice),
      tax: sign * taxOf(invoice),
      parts: [
        ...items.map((item) => ({
          code: nominal(item.good),
          rate: item.rate,
          net: sign * item.net,
          tax: sign * item.tax,
          details: item.good.name,
        })),
        ...(carriage(one) > 0
          ? [
              {
                code: '4905',
                rate: one.buyer.isHome ? 20 : 0,
                net: sign * carriage(one),
                tax: sign * carriageTax(one),
                details: 'Carriage',
              },
            ]
          : []),
      ],
    };
    const bare = (type: string, net: number, account: string, code: string): Entry => ({
      ...sale,
      type,
      date: one.due,
      account,
      bank: '1200',
      invoice: type === 'PP' ? 'BACS' : '',
      details: type === 'PP' ? 'Purchase Payment' : 'Sales Receipt',
      isPaid: true,
      net,
      tax: 0,
      parts: [{ code, rate: null, net, tax: 0, details: 'Payment' }],
    });
    const receipt = one.isPaid && kind === 'Invoice';
    const supplier = suppliers[one.id % 2]!;
    const cost = cents(items[0]!.quantity * items[0]!.good.cost);
    const bill: Entry = {
      ...sale,
      type: 'PI',
      account: reference(supplier),
      invoice: `${supplier.id}/${3000 + one.id}`,
      details: 'Materials',
      currency: 'GBP',
      worth: 1,
      net: cost,
      tax: cents(cost * 0.2),
      parts: [{ code: '5000', rate: 20, net: cost, tax: cents(cost * 0.2), details: 'Materials' }],
    };
    return [
      sale,
      ...(receipt ? [bare('SR', grossOf(invoice), reference(one.buyer), '1200')] : []),
      ...(one.id % 5 === 1 ? [bill] : []),
    ];
  })
  .map((entry, index) => ({ ...entry, id: index + 1 }));
const splits = entries
  .flatMap((entry) => entry.parts.map((part) => ({ entry, part })))
  .map((each, index) => ({ ...each, id: index + 1 }));
const based = ({ worth }: Entry, amount: number) => cents(amount * worth);

const ledger: Readonly<Record<string, LayoutTable>> = {
  AUDIT_HEADER: tableOf(entries, {
    'TRAN_NUMBER integer': ({ id }) => splits.find(({ entry }) => entry.id === id)!.id,
    'ITEM_COUNT integer': ({ parts }) => parts.length,
    'TYPE varchar(2)': ({ type }) => type,
    'DATE date': ({ date }) => date,
    'ACCOUNT_REF varchar(8), SALES_PURCHASE_REF varchar(8)': ({ account }) => account,
    'BANK_CODE varchar(8)': ({ bank }) => bank,
    'BANK_NAME varchar(60)': ({ bank }) => (bank === '' ? '' : 'Bank Current Account'),
    'INV_REF varchar(30)': ({ invoice }) => invoice,
    'INV_REF_NUMERIC integer': ({ invoice }) => Number.parseInt(invoice, 10) || 0,
    'USER_NAME varchar(32)': 'MANAGER',
    'DETAILS varchar(60)': ({ details }) => details,
    'DUE_DATE date': ({ due }) => due,
    'LAST_CHARGE_DATE date': null,
    'FINANCE_CHARGE tinyint, INTEREST_RATE double': 0,
    'ELECTRONIC_TRANS smallint, DISPUTED smallint': 0,
    'PAID_FLAG varchar(1)': ({ isPaid }) => (isPaid ? 'Y' : 'N'),
    'PAID_STATUS varchar(2)': ({ isPaid }) => (isPaid ? '' : '*'),
    'DELETED_FLAG smallint, DATE_FLAG smallint': 0,
    'DATE_BF date, DATE_FROM date, DATE_TO date': null,
    'NET_AMOUNT double': (entry) => based(entry, entry.net),
    'TAX_AMOUNT double': (entry) => based(entry, entry.tax),
    'GROSS_AMOUNT double': (entry) => based(entry, entry.net + entry.tax),
    'BANK_AMOUNT double': (entry) => -based(entry, entry.net + entry.tax),
    'AMOUNT_PAID double': (entry) => (entry.isPaid ? based(entry, entry.net + entry.tax) : 0),
    'PAYMENT double': 0,
    'OUTSTANDING double': (entry) => (entry.isPaid ? 0 : based(entry, entry.net + entry.tax)),
    'FOREIGN_OUTSTANDING double': ({ isPaid, net, tax }) => (isPaid ? 0 : cents(net + tax)),
    'FOREIGN_NET_AMOUNT double': ({ net }) => net,
    'FOREIGN_TAX_AMOUNT double': ({ tax }) => tax,
    'FOREIGN_GROSS_AMOUNT double': ({ net, tax }) => cents(net + tax),
    'FOREIGN_AMOUNT_PAID double': ({ isPaid, net, tax }) => (isPaid ? cents(net + tax) : 0),
    'FOREIGN_BANK_AMOUNT double': ({ net, tax }) => -cents(net + tax),
    'CURRENCY tinyint': ({ currency }) => currencyNumbers[currency]!,
    'CURRENCY_TYPE tinyint': ({ worth }) => (worth === 1 ? 0 : 1),
    'EURO_GROSS double, EURO_RATE double': 0,
    'FOREIGN_RATE double': rate,
    'IS_DISCOUNT smallint': 0,
    [aged('')]: 0,
    [aged('FOREIGN_')]: 0,
    'BANK_FLAG varchar(1)': '-',
    'HEADER_NUMBER integer': ({ id }) => id,
    'DATE_ENTERED date': ({ date }) => date,
    'DATE_BANK_RECONCILED date': null,
    'CIS_RECONCILED smallint': 0,
    'SPS_REF varchar(63)': '',
    'DEPOSIT_DATE date': null,
    'DEPOSIT_FLAG varchar(1)': '-',
    'RECURRING_ENTRY_ID integer': 0,
    'ISP_REFERENCE integer': 0,
    'OVERRIDDEN_CLOSED_LEDGER_DATE date': null,
    'COUNTRY_CODE varchar(2), TAX_ID varchar(20)': '',
    'REVAL_TRANSACTION_FLAG smallint, POSTED_BY_DIRECT_DEBIT_SETTLEMENT smallint': 0,
    'DATE_AMENDED date': null,
    'USER_NAME_AMENDED varchar(32)': '',
    ...recorded,
  }),
  AUDIT_SPLIT: tableOf(splits, {
    'TRAN_NUMBER integer': ({ id }) => id,
    'TYPE varchar(2)': ({ entry }) => entry.type,
    'DATE date': ({ entry }) => entry.date,
    'ACCOUNT_REF varchar(8)': ({ entry }) => entry.account,
    'NOMINAL_CODE varchar(8)': ({ part }) => part.code,
    'BANK_CODE varchar(8)': ({ entry }) => entry.bank,
    'INV_REF varchar(30)': ({ entry }) => entry.invoice,
    'USER_NAME varchar(32)': 'MANAGER',
    'DETAILS varchar(60)': ({ part }) => part.details,
    'EXTRA_REF varchar(60)': '',
    'DISPUTED smallint': 0,
    'STMT_TEXT varchar(60)': 'Goods/Services',
    'BANK_FLAG varchar(1), VAT_FLAG varchar(1)': '-',
    'PAID_FLAG varchar(1)': ({ entry }) => (entry.isPaid ? 'Y' : 'N'),
    'PAID_STATUS varchar(2)': '',
    'DEPT_NUMBER smallint': 0,
    'DEPT_NAME varchar(60)': 'Default',
    'TAX_CODE varchar(3)': ({ part }) => (part.rate === null ? 'T9' : `T${taxCode(part.rate)}`),
    'DELETED_FLAG smallint': 0,
    'NET_AMOUNT double': ({ entry, part }) => based(entry, part.net),
    'TAX_AMOUNT double': ({ entry, part }) => based(entry, part.tax),
    'GROSS_AMOUNT double': ({ entry, part }) => based(entry, part.net + part.tax),
    'AMOUNT_PAID double': ({ entry, part }) =>
      entry.isPaid ? based(entry, part.net + part.tax) : 0,
    'PAYMENT double': 0,
    'OUTSTANDING double': ({ entry, part }) =>
      entry.isPaid ? 0 : based(entry, part.net + part.tax),
    'FOREIGN_OUTSTANDING double': ({ entry, part }) =>
      entry.isPaid ? 0 : cents(part.net + part.tax),
    'RTD_FLAG varchar(1)': '-',
    'FOREIGN_NET_AMOUNT double': ({ part }) => part.net,
    'FOREIGN_TAX_AMOUNT double': ({ part }) => part.tax,
    'FOREIGN_GROSS_AMOUNT double': ({ part }) => cents(part.net + part.tax),
    'FOREIGN_AMOUNT_PAID double': ({ entry, part }) =>
      entry.isPaid ? cents(part.net + part.tax) : 0,
    [aged('')]: 0,
    [aged('FOREIGN_')]: 0,
    'SPLIT_NUMBER integer': ({ id }) => id,
    'HEADER_NUMBER integer': ({ entry }) => entries.indexOf(entry) + 1,
    'VAT_FLAG_CODE tinyint, DATE_FLAG smallint': 0,
    'DATE_ENTERED date': ({ entry }) => entry.date,
    'VAT_RECONCILED_DATE date': null,
    'DISPUTE_CODE smallint, FUND_ID integer, VAT_LEDGER_RETURN_ID integer': 0,
    'GIFT_AID smallint, SMALL_DONATION smallint, GASDS_CLAIM_SUBMITTED smallint': 0,
    'HAS_EXTERNAL_LINK char(1)': ({ entry }) => (entry.type === 'SI' ? 'Y' : 'N'),
    'PROJECT_ID smallint, COST_CODE_ID integer': 0,
    ...recorded,
  }),
  NOMINAL_LEDGER: {
    columns:
      'ACCOUNT_REF varchar(8), NAME varchar(60), BALANCE double, ACCOUNT_TYPE tinyint, RECORD_DELETED tinyint',
    rows: [
      ['1100', 'Debtors Control Account', 0, 1, 0],
      ['1200', 'Bank Current Account', 0, 2, 0],
      ['2100', 'Creditors Control Account', 0, 1, 0],
      ['2200', 'Sales Tax Control Account', 0, 1, 0],
      ['4000', 'Sales Type A', 0, 0, 0],
      ['4001', 'Sales Type B', 0, 0, 0],
      ['4905', 'Distribution and Carriage', 0, 0, 0],
      ['5000', 'Materials Purchased', 0, 0, 0],
    ],
  },
  TAX_CODE: tableOf(
    [
      { id: 0, text: 'Zero rated transactions', rate: 0 },
      { id: 1, text: 'Standard rated transactions', rate: 20 },
      { id: 2, text: 'Exempt transactions', rate: 0 },
      { id: 4, text: 'Sales of goods to VAT registered customers in EC', rate: 0 },
      { id: 5, text: 'Lower rate transactions', rate: 5 },
      { id: 7, text: 'Zero rated purchases from suppliers in EC', rate: 0 },
      { id: 8, text: 'Standard rated purchases from suppliers in EC', rate: 0 },
      { id: 9, text: 'Transactions not involving VAT', rate: 0 },
      { id: 20, text: 'Reverse charges', rate: 0 },
    ],
    {
      'TAX_CODE varchar(3)': ({ id }) => `T${id}`,
      'TAX_CODE_ID smallint': ({ id }) => id,
      'DESCRIPTION varchar(60)': ({ text }) => text,
      'TAX_RATE double': (code) => code.rate,
      'VAT_INCLUDE tinyint': ({ id }) => (id === 9 ? 0 : 1),
      'EURO_SALES tinyint': ({ id }) => (id === 4 ? 1 : 0),
      'EURO_PURCHASE tinyint': ({ id }) => (id === 7 || id === 8 ? 1 : 0),
      'RELATED_CODE tinyint': ({ id }) => (id === 8 ? 1 : 0),
      'RELATED_RATE double': ({ id }) => (id === 8 ? 20 : 0),
      'IS_REVERSECHARGE smallint': ({ id }) => (id === 20 ? 1 : 0),
    },
  ),
  CURRENCY: tableOf(
    [
      {
        number: 1,
        code: 'GBP',
        symbol: '£',
        name: 'Pound Sterling',
        rate: 1,
        units: 'pounds pence',
      },
      {
        number: 2,
        code: 'USD',
        symbol: '$',
        name: 'US Dollars',
        rate: 1.2658,
        units: 'dollars cents',
      },
      { number: 3, code: 'EUR', symbol: '€', name: 'Euro', rate: 1.1696, units: 'euros cents' },
    ],
    {
      'NUMBER smallint': ({ number }) => number,
      'CODE varchar(3)': ({ code }) => code,
      'SYMBOL varchar(3)': ({ symbol }) => symbol,
      'NAME varchar(30)': ({ name }) => name,
      'EMU_MEMBER smallint': ({ code }) => (code === 'EUR' ? 1 : 0),
      'BASE_CURRENCY smallint': ({ number }) => (number === 1 ? 1 : 0),
      'RATE double': (currency) => currency.rate,
      'MAJOR_CURRENCY_UNIT varchar(20)': (currency) => currency.units.split(' ')[0]!,
      'MINOR_CURRENCY_UNIT varchar(20)': (currency) => currency.units.split(' ')[1]!,
      ...recorded,
    },
  ),
  DEPARTMENT: {
    columns: 'NUMBER smallint, NAME varchar(60), RECORD_DELETED tinyint',
    rows: [
      [0, 'Default', 0],
      [1, 'Sales', 0],
    ],
  },
};

const bankOf = {
  'BANK_NAME varchar(60)': '',
  [oneToFive.map((place) => `BANK_ADDRESS_${place} varchar(60)`).join(', ')]: '',
  'BANK_SORT_CODE varchar(10), BANK_ACCOUNT_NAME varchar(60)': '',
  'BANK_ACCOUNT_NUMBER varchar(60), BANK_IBAN varchar(60), BANK_BIC varchar(60)': '',
  'BANK_ROLLNUMBER varchar(60), BANK_ADDITIONALREF1 varchar(60)': '',
  'BANK_ADDITIONALREF2 varchar(60), BANK_ADDITIONALREF3 varchar(60)': '',
};
const daysOf = ({ id }: Pick<Buyer, 'id'>) => [30, 14, 60][id % 3]!;
const relations: Readonly<Record<string, LayoutTable>> = {
  SALES_LEDGER: tableOf(buyers, {
    'ACCOUNT_REF varchar(8)': reference,
    'NAME varchar(60)': ({ name }) => name,
    ...addresses<Buyer>('', lineOf),
    ...addresses<Buyer>('C_', compactOf),
    'CONTACT_NAME varchar(30)': (buyer) => `${buyer.first} ${buyer.last}`,
    'TELEPHONE varchar(30)': ({ phone }) => phone ?? '',
    'TELEPHONE_2 varchar(30), FAX varchar(30)': '',
    'E_MAIL varchar(255)': ({ email }) => email ?? '',
    'E_MAIL2 varchar(255), E_MAIL3 varchar(255), DIRECT_DEBITS_EMAIL varchar(255)': '',
    'WEB_ADDRESS varchar(255)': '',
    'TRADE_CONTACT varchar(30)': ({ id }) => (id % 4 === 0 ? 'The stores' : ''),
    'DEL_NAME varchar(60)': '',
    ...addresses<Buyer>('DEL_', () => ''),
    'DEL_CONTACT_NAME varchar(30), DEL_TELEPHONE varchar(30), DEL_FAX varchar(30)': '',
    'ANALYSIS_1 varchar(30)': ({ isHome }) => (isHome ? 'Trade' : 'Export'),
    'ANALYSIS_2 varchar(30), ANALYSIS_3 varchar(30)': '',
    'DEPT_NUMBER smallint': 0,
    'DEPT_NAME varchar(60)': 'Default',
    'STATUS_NUMBER smallint': 0,
    'STATUS_TEXT varchar(60)': 'Open',
    'DEF_TAX_CODE varchar(3)': ({ isHome }) => (isHome ? 'T1' : 'T0'),
    'DEF_NOM_CODE varchar(8)': '4000',
    'VAT_REG_NUMBER varchar(20)': ({ taxNumber }) => taxNumber ?? '',
    'CURRENCY tinyint': (buyer) => currencyNumbers[currencyOf(buyer)]!,
    'COUNTRY_CODE varchar(2)': ({ country }) => country,
    'DISCOUNT_TYPE tinyint': 0,
    'DISCOUNT_RATE double': 0,
    'PRICING_REF varchar(8)': '',
    'SETTLEMENT_DISC_RATE double, SETTLEMENT_DUE_DAYS smallint': 0,
    'PAYMENT_DUE_DAYS smallint': daysOf,
    'PAYMENT_DUE_FROM smallint': 0,
    'PAYMENT_DUE_FROM_TEXT varchar(60)': 'Days after invoice date',
    'CREDIT_LIMIT double': ({ id }) => 1000 + id * 250,
    'ACCOUNT_ON_HOLD tinyint': ({ id }) => (id === 7 ? 1 : 0),
    'TERMS varchar(30)': (buyer) => `${daysOf(buyer)} days nett`,
    'RESTRICT_MAIL smallint': 0,
    'TERMS_AGREED smallint': 1,
    'DATE_ACCOUNT_OPENED date': '2024-04-02',
    'DATE_NEXT_CREDIT date, DATE_LAST_CREDIT date': null,
    'CREDIT_POSITION varchar(19)': 'Good',
    'CREDIT_POS_CODE smallint': 0,
    'CAN_CHARGE smallint': 1,
    'USE_BACS smallint': 0,
    'BACS_REF varchar(60)': '',
    'BUREAU_CODE smallint': 0,
    'CREDIT_REF varchar(60)': '',
    'DATE_CREDIT_APPLIED date, DATE_CREDIT_RECEIVED date': null,
    'OVERRIDE_TAX_CODE tinyint': ({ isHome }) => (isHome ? 0 : 1),
    'LAST_PAYMENT_DATE date': '2026-04-28',
    'FIRST_INV_DATE date': '2025-01-13',
    'AVERAGE_PAY_DAYS double': 0,
    'LAST_INV_DATE date': '2026-05-11',
    'BALANCE double, FOREIGN_BALANCE double': ({ id }) => id * 88.5,
    'TURNOVER_MTD double, TURNOVER_YTD double, PRIOR_YEAR double': ({ id }) => id * 412,
    ...bankOf,
    'DONOR_TITLE varchar(4), DONOR_FORENAME varchar(35), DONOR_SURNAME varchar(35)': '',
    'DEFAULT_FUND_ID integer, GIFT_AID smallint': 0,
    [months('INVOICE')]: ({ id }) => id * 91,
    [months('CREDIT')]: 0,
    [months('PAYMENT')]: ({ id }) => id * 63,
    'DUNS_NUMBER varchar(9)': '',
    'PRIORITY smallint, PROMISED_PAYMENT double': 0,
    'PROMISED_PAYMENT_DATE date': null,
    'REPORT_PASSWORD varchar(31)': '',
    'LETTERS_VIA_EMAIL smallint': 0,
    'PAYMENT_METHOD_ID integer': ({ id }) => (id % 4 === 1 ? 2 : 3),
    'DECLARATION_VALID_FROM date': null,
    'INACTIVE_FLAG tinyint': 0,
    'MANDATEID varchar(37)': '',
    'STATUS tinyint': 0,
    'STATUS_DESCRIPTION varchar(25)': '',
    'LAST_REFRESHED_DATE timestamp': null,
    ...recorded,
  }),
  SALES_DEL_ADDR: tableOf(
    buyers.filter(({ id }) => id % 5 === 0),
    {
      'REFERENCE varchar(12)': (buyer) => `${reference(buyer).padEnd(8)}0001`,
      'ACCOUNT_REF varchar(8)': reference,
      'ADDRESS_REF integer': 1,
      'DESCRIPTION varchar(60)': 'Goods in',
      'NAME varchar(60)': ({ name }) => name,
      ...addresses<Buyer>('', (buyer, place) => (place === 2 ? 'Gate B' : lineOf(buyer, place))),
      'TELEPHONE varchar(30)': ({ phone }) => phone ?? '',
      'FAX varchar(30), E_MAIL varchar(255)': '',
      'CONTACT_NAME varchar(30)': 'The stores',
      'TAX_CODE smallint': ({ isHome }) => (isHome ? 1 : 0),
      'COUNTRY_CODE varchar(2)': ({ country }) => country,
      'VAT_REG_NUMBER varchar(20), TELEPHONE_2 varchar(30)': '',
      'ADDRESS_TYPE_NAME varchar(60)': 'Delivery',
      'ADDRESS_TYPE tinyint': 0,
      'CONTACT_ROLE varchar(30), NOTES varchar(200)': '',
      ...recorded,
    },
  ),
  PURCHASE_LEDGER: tableOf(suppliers, {
    'ACCOUNT_REF varchar(8)': reference,
    'NAME varchar(60)': ({ name }) => name,
    'ADDRESS_1 varchar(60)': 'Unit 1',
    'ADDRESS_2 varchar(60)': '',
    'ADDRESS_3 varchar(60)': ({ town }) => town,
    'ADDRESS_4 varchar(60)': '',
    'ADDRESS_5 varchar(60)': ({ code }) => code,
    'CONTACT_NAME varchar(30), TELEPHONE varchar(30), E_MAIL varchar(255)': '',
    'DEF_TAX_CODE varchar(3)': 'T1',
    'DEF_NOM_CODE varchar(8)': '5000',
    'VAT_REG_NUMBER varchar(20)': ({ id }) => `GB 40${id} 2218 90`,
    'CURRENCY tinyint': 1,
    'COUNTRY_CODE varchar(2)': 'GB',
    'PAYMENT_DUE_DAYS smallint': 30,
    'TERMS varchar(30)': '30 days',
    'BALANCE double': 0,
    ...recorded,
  }),
  COUNTRY_CODE: tableOf([...countries, { two: 'NL', name: 'Netherlands' }], {
    'CODE varchar(2)': ({ two }) => two,
    'NAME varchar(30)': ({ name }) => name,
    'EU_MEMBER smallint': ({ two }) =>
      ['BE', 'DE', 'DK', 'FR', 'HU', 'NL', 'PT'].includes(two) ? 1 : 0,
    ...recorded,
  }),
  COMPANY: tableOf([1], {
    'COMPANYID varchar(37)': hyphenKey('sage company', 1).toUpperCase(),
    'PROTX_VENDOR varchar(20)': '',
    'CASH_REGISTER_BANK varchar(8)': '1235',
    'CASH_REGISTER_SALES_NOM varchar(8)': '4000',
    'CASH_REGISTER_TAXCODE smallint': 0,
    'CASH_REGISTER_DISCREPENCIES_NOM varchar(8)': '8206',
    'CASH_REGISTER_TAX_INCLUSIVE_FLAG tinyint': 0,
    'QUOTES_TO_ORDERS smallint': 1,
    'PROTX_USERID varchar(40), PROTX_PASSWORD varchar(40), PROTX_LAST_SYNC_DATE varchar(40)': '',
    'PROTX_ENABLED tinyint, FLAT_RATE_VAT_PERCENT double': 0,
    'NAME varchar(60)': 'Aire Valley Pumps & Valves Ltd',
    'ADDRESS_1 varchar(60)': 'Canal Works',
    'ADDRESS_2 varchar(60)': 'Bingley Road',
    'ADDRESS_3 varchar(60)': 'Saltaire',
    'ADDRESS_4 varchar(60)': 'West Yorkshire',
    'ADDRESS_5 varchar(60)': 'BD18 4DH',
    'C_ADDRESS_1 varchar(60)': 'Canal Works',
    'C_ADDRESS_2 varchar(60)': 'Bingley Road',
    'C_ADDRESS_3 varchar(60)': 'Saltaire',
    'C_ADDRESS_4 varchar(60)': 'West Yorkshire',
    'C_ADDRESS_5 varchar(60)': 'BD18 4DH',
    'L_NAME varchar(60)': 'Aire Valley Pumps & Valves Ltd',
    'L_ADDRESS_1 varchar(60)': 'Canal Works',
    'L_ADDRESS_2 varchar(60)': 'Bingley Road',
    'L_ADDRESS_3 varchar(60)': 'Saltaire',
    'L_ADDRESS_4 varchar(60)': 'West Yorkshire',
    'L_ADDRESS_5 varchar(60)': 'BD18 4DH',
    'TELEPHONE varchar(30)': '01274 555 0190',
    'FAX varchar(30)': '01274 555 0191',
    'E_MAIL varchar(255)': 'accounts@airevalley.example',
    'WEB_ADDRESS varchar(255)': 'http://www.airevalley.example',
    'CREDIT_REF varchar(60), DEL_NAME varchar(60)': '',
    [oneToFive.map((place) => `DEL_ADDRESS_${place} varchar(60)`).join(', ')]: '',
    'DEL_TELEPHONE varchar(30), DEL_FAX varchar(30)': '',
    'DEL_E_MAIL varchar(255), DEL_WEB_ADDRESS varchar(255)': '',
    'VAT_REG_NUMBER varchar(20)': '698 1120 44',
    'START_MONTH tinyint': 1,
    'FINANCIAL_YEAR smallint': 2026,
    'DEFAULT_CHART smallint, DEFAULT_CREDIT_BUREAU smallint': 1,
    'END_OF_REPORT varchar(63)': 'End of Report',
    'ADDRESS_LABEL_1 varchar(10)': 'Street1',
    'ADDRESS_LABEL_2 varchar(10)': 'Street2',
    'ADDRESS_LABEL_3 varchar(10)': 'Town',
    'ADDRESS_LABEL_4 varchar(10)': 'County',
    'ADDRESS_LABEL_5 varchar(10)': 'Post Code',
    'SALES_LABEL_1 varchar(10)': 'Cust. Type',
    'SALES_LABEL_2 varchar(10), SALES_LABEL_3 varchar(10)': '',
    'NOM_DEBTORS varchar(10)': '1100',
    'NOM_CREDITORS varchar(10)': '2100',
    'NOM_TAX_SALES varchar(10)': '2200',
    'NOM_TAX_PURCHASE varchar(10)': '2201',
    'NOM_DISCOUNT_SALES varchar(10)': '4009',
    'NOM_DEFAULT_BANK varchar(10)': '1200',
    'NOM_DEFAULT_SALES varchar(10)': '4000',
    'PAYMENT_DUE_SALES smallint, PAYMENT_DUE_PURCHASE smallint': 30,
    'PAYMENT_DUE_FROM_SALES smallint': 0,
    'PAYMENT_DUE_FROM_SALES_TEXT varchar(60)': 'Days after invoice date',
    'NON_VAT_TAX_CODE smallint': 9,
    'VAT_CASH tinyint': 0,
    [counted('SALES_AMOUNT_SOLD_', 'double', 10)]: 0,
    [counted('SALES_ADD_DISC_', 'double', 10)]: 0,
    'ALLOW_NEGATIVE_STOCK smallint': 1,
    'INVOICE_DISC_UNIT_PRICE tinyint': 0,
    'SOP_CARRIAGE_NET double': 0,
    'SOP_CARRIAGE_NOM_CODE varchar(8)': '',
    'SOP_CARRIAGE_TAX_CODE integer, SOP_CARRIAGE_DEPT integer': 0,
    'QTY_DECIMAL_PLACE smallint, UNIT_DECIMAL_PLACE smallint': 2,
    'CHARITYTAXREF varchar(30), DUNS_NUMBER varchar(9)': '',
    'CLOSED_LEDGER_DATE_ENABLED tinyint': 0,
    'CLOSED_LEDGER_CHECK_DATE date': null,
    'COUNTRY_CODE varchar(2)': 'GB',
    'HMRC_PAYEE_ENABLED smallint, HMRC_PAYEE_STATUS tinyint': 0,
    'HMRC_PAYEE_STATUS_DESCRIPTION varchar(30)': 'Requires submission',
    'DIRECT_DEBITS_ENABLED smallint': 0,
    ...recorded,
  }),
};

const ordered = trade.documents.filter(({ id, kind }) => id % 3 === 0 && kind === 'invoice');
const stock: Readonly<Record<string, LayoutTable>> = {
  STOCK: tableOf(goods, {
    'STOCK_CODE varchar(30)': ({ code }) => code,
    'DESCRIPTION varchar(60)': ({ name }) => name,
    'UNIT_OF_SALE varchar(8)': ({ unit }) => units[unit]!,
    'NOMINAL_CODE varchar(8)': nominal,
    'PURCHASE_REF varchar(8)': ({ id }) => reference(suppliers[id % 2]!),
    'SUPPLIER_PART_NUMBER varchar(16)': ({ id }) => `U${140 + id}`,
    'LOCATION varchar(16)': 'Warehouse',
    'COMMODITY_CODE varchar(30)': '',
    'SALES_PRICE double': ({ price }) => price,
    'WEB_DESCRIPTION varchar(255)': ({ name }) => name,
    'WEB_DETAILS varchar(1023)': ({ text }) => text,
    'WEB_CATEGORY_1 varchar(60), WEB_CATEGORY_2 varchar(60), WEB_CATEGORY_3 varchar(60)': '',
    'WEB_IMAGE_FILE varchar(60)': '',
    'WEB_PUBLISH smallint, WEB_SPECIAL smallint': 0,
    'INTRASTAT_COMM_CODE varchar(8), INTRASTAT_IMPORT_DUTY_CODE varchar(2)': '',
    'SUPP_UNIT_QTY double, IGNORE_STK_LVL_FLAG tinyint': 0,
    'DEPT_NUMBER smallint': 0,
    'DEPT_NAME varchar(60)': 'Default',
    'TAX_CODE varchar(3)': ({ rateClass }) =>
      rateClass === 'reduced' ? 'T5' : rateClass === 'zero' ? 'T0' : 'T1',
    'ASSEMBLY_LEVEL smallint, LINK_LEVEL smallint': 0,
    'STOCK_CAT smallint': 1,
    'STOCK_CAT_NAME varchar(30)': 'Pumps and spares',
    'STOCK_TAKE_DATE date': '2025-12-31',
    'LAST_PURCHASE_PRICE double, LAST_DISC_PURCHASE_PRICE double': ({ cost }) => cost,
    'AVERAGE_COST_PRICE double': ({ cost }) => cost,
    'QTY_IN_STOCK double': ({ id }) => id * 3,
    'QTY_ON_ORDER double, QTY_ALLOCATED double, QTY_LAST_ORDER double': 0,
    'QTY_REORDER double, QTY_REORDER_LEVEL double': 5,
    'QTY_LAST_STOCK_TAKE double, QTY_MAKEUP double': 0,
    'LAST_SALE_DATE date, LAST_PURCHASE_DATE date': '2026-04-30',
    'UNIT_WEIGHT double': 0,
    'HAS_NO_COMPONENT smallint': 1,
    'HAS_BOM varchar(1), BARCODE varchar(60)': '',
    [counted('COMPONENT_CODE_', 'varchar(30)', 50)]: '',
    [counted('COMPONENT_QTY_', 'double', 50)]: 0,
    [monthsAndFuture('QTY_SOLD')]: ({ id }) => id * 2,
    [monthsAndFuture('SALES')]: ({ id, price }) => cents(id * 2 * price),
    [monthsAndFuture('COST')]: ({ id, cost }) => cents(id * 2 * cost),
    'THIS_RECORD integer': ({ id }) => id,
    ...recorded,
  }),
  STOCK_CAT: {
    columns: 'NUMBER smallint, NAME varchar(30), RECORD_DELETED tinyint',
    rows: [[1, 'Pumps and spares', 0]],
  },
  SALES_ORDER: tableOf(ordered, {
    'ORDER_NUMBER integer': ({ id }) => 400 + id,
    'ORDER_OR_QUOTE varchar(60)': 'Order',
    'ORDER_DATE date': ({ delivered }) => delivered,
    'ACCOUNT_REF varchar(8)': ({ buyer }) => reference(buyer),
    'NAME varchar(60)': ({ buyer }) => buyer.name,
    ...addresses<SalesDocument>('', ({ buyer }, place) => lineOf(buyer, place)),
    'CUST_ORDER_NUMBER varchar(60)': ({ order }) => order ?? '',
    'INVOICE_NUMBER varchar(8)': ({ id }) => String(firstNumber + id),
    'FOREIGN_ITEMS_NET double': ({ net }) => net,
    'FOREIGN_ITEMS_TAX double': ({ tax }) => tax,
    'FOREIGN_ITEMS_GROSS double': ({ gross }) => gross,
    'ORDER_STATUS varchar(60), DESPATCH_STATUS varchar(9)': 'Complete',
    'DESPATCH_DATE date': ({ date }) => date,
    'CURRENCY tinyint': ({ buyer }) => currencyNumbers[currencyOf(buyer)]!,
    'RECORD_CREATE_DATE timestamp': ({ delivered }) => midnight(delivered),
    'RECORD_DELETED tinyint': 0,
  }),
  SOP_ITEM: tableOf(
    ordered.flatMap((one) => one.lines.map((line) => ({ one, line }))),
    {
      'ORDER_NUMBER integer': ({ one }) => 400 + one.id,
      'ITEM_NUMBER smallint': ({ line }) => line.position,
      'SERVICE_FLAG smallint': 0,
      'DESCRIPTION varchar(60)': ({ line }) => line.good.name,
      'TEXT long varchar': '',
      'STOCK_CODE varchar(30)': ({ line }) => line.good.code,
      'UNIT_OF_SALE varchar(8)': ({ line }) => units[line.good.unit]!,
      'QTY_ORDER double, QTY_DELIVERED double': ({ line }) => line.quantity,
      'QTY_ALLOCATED double, QTY_DESPATCH double': 0,
      'FOREIGN_UNIT_PRICE double': ({ line }) => line.price,
      'DISCOUNT_RATE double': ({ line }) => line.discount,
      'TAX_CODE_ID smallint': ({ line }) => taxCode(line.rate),
      'TAX_CODE varchar(3)': ({ line }) => `T${taxCode(line.rate)}`,
      'TAX_RATE double': ({ line }) => line.rate,
      'FOREIGN_NET_AMOUNT double': ({ line }) => line.net,
      'FOREIGN_TAX_AMOUNT double': ({ line }) => line.tax,
      'NOMINAL_CODE varchar(8)': ({ line }) => nominal(line.good),
      'RECORD_DELETED tinyint': 0,
    },
  ),
  STOCK_TRAN: tableOf(
    posted
      .flatMap((invoice) => invoice.items.map((item) => ({ invoice, item })))
      .filter(({ item }) => !item.isService),
    {
      'TRAN_NUMBER integer': (_row, index) => index + 1,
      'STOCK_CODE varchar(30)': ({ item }) => item.good.code,
      'TYPE varchar(2)': ({ invoice }) => (invoice.kind === 'Credit' ? 'GR' : 'GO'),
      'DATE date': ({ invoice }) => invoice.one.date,
      'REFERENCE varchar(30)': '',
      'DETAILS varchar(60)': 'Goods Out',
      'QUANTITY double': ({ invoice, item }) =>
        invoice.kind === 'Credit' ? item.quantity : -item.quantity,
      'COST_PRICE double': ({ item }) => item.good.cost,
      'SALES_PRICE double': ({ invoice, item }) => own(invoice, item.price),
      'ISP_REFERENCE integer': ({ invoice }) => invoice.id,
      'RECORD_DELETED tinyint': 0,
    },
  ),
};

/**
 * Sage 50 Accounts, as its ODBC driver shows it, at a firm in Britain: each amount twice, in the currency of the invoice (FOREIGN)
 * and in pounds, in pounds too where nothing is foreign; invoices, credit notes, quotes and pro formas in one table, those that
 * are posted told by a flag and again in the audit trail by their number as a text; addresses of five lines, with a compact form;
 * carriage beside the lines; rates of exchange are what a pound is worth; no key is declared. Names after the documentation of
 * Zynk; those of orders, stock movements, suppliers, departments and nominal accounts cut short, in part from memory, and so are
 * the codes of the types.
 */
export const auditTrail: Layout = {
  name: 'audit-trail',
  isHeldOut: true,
  hasDiscounts: true,
  tables: { ...ledger, ...relations, ...sold, ...stock },
  sections: {
    header: {
      table: 'INVOICE',
      key: 'INVOICE_NUMBER',
      match: 'INVOICE_NUMBER',
      where: { INVOICE_OR_CREDIT: 'Invoice', POSTED_CODE: '1' },
    },
    lines: {
      table: 'INVOICE_ITEM',
      key: 'ITEM_NUMBER',
      match: 'INVOICE_NUMBER',
      matchFrom: 'INVOICE_NUMBER',
    },
    customer: {
      table: 'SALES_LEDGER',
      key: 'ACCOUNT_REF',
      match: 'ACCOUNT_REF',
      matchFrom: 'ACCOUNT_REF',
    },
  },
  fields: {
    number:
      'INVOICE.INVOICE_NUMBER|INVOICE_ITEM.INVOICE_NUMBER|AUDIT_HEADER.INV_REF|AUDIT_HEADER.INV_REF_NUMERIC|' +
      'AUDIT_SPLIT.INV_REF|SALES_ORDER.INVOICE_NUMBER',
    issue_date: 'INVOICE.INVOICE_DATE|AUDIT_HEADER.DATE|AUDIT_SPLIT.DATE',
    due_date: 'INVOICE.PAYMENT_DUE_DATE|AUDIT_HEADER.DUE_DATE',
    currency:
      'CURRENCY.CODE|CURRENCY.NAME!map|CURRENCY.SYMBOL!map|CURRENCY.NUMBER!map|INVOICE.CURRENCY!map|' +
      'SALES_LEDGER.CURRENCY!map|AUDIT_HEADER.CURRENCY!map',
    'exchange_rate.rate':
      'INVOICE.FOREIGN_RATE!divide|AUDIT_HEADER.FOREIGN_RATE!divide|CURRENCY.RATE!divide',
    purchase_order: 'INVOICE.CUST_ORDER_NUMBER|SALES_ORDER.CUST_ORDER_NUMBER',
    buyer_reference: 'INVOICE.CUST_ORDER_NUMBER|SALES_ORDER.CUST_ORDER_NUMBER',
    'notes[]': 'INVOICE.NOTES_1|INVOICE.NOTES_2',
    'payment_terms[].note': 'SALES_LEDGER.TERMS|SALES_LEDGER.PAYMENT_DUE_DAYS',
    'payment_means[].code': 'SALES_LEDGER.PAYMENT_METHOD_ID!map',
    'charges[].amount': 'INVOICE.FOREIGN_CARR_NET',
    'totals.charges': 'INVOICE.FOREIGN_CARR_NET',
    'totals.lines': 'INVOICE.FOREIGN_ITEMS_NET',
    'totals.net': 'INVOICE.FOREIGN_INVOICE_NET|AUDIT_HEADER.FOREIGN_NET_AMOUNT',
    'totals.tax': 'INVOICE.FOREIGN_INVOICE_TAX|AUDIT_HEADER.FOREIGN_TAX_AMOUNT',
    'totals.gross':
      'INVOICE.FOREIGN_INVOICE_GROSS|INVOICE.FOREIGN_SETTLEMENT_TOTAL|AUDIT_HEADER.FOREIGN_GROSS_AMOUNT',
    'totals.due':
      'INVOICE.FOREIGN_INVOICE_GROSS|INVOICE.FOREIGN_SETTLEMENT_TOTAL|AUDIT_HEADER.FOREIGN_GROSS_AMOUNT',
    'totals.prepaid': 'INVOICE.FOREIGN_AMOUNT_PREPAID',
    'accounting.totals.gross': 'INVOICE.INVOICE_GROSS|AUDIT_HEADER.GROSS_AMOUNT',
    'seller.name': 'COMPANY.NAME|COMPANY.L_NAME',
    'seller.trn': 'COMPANY.VAT_REG_NUMBER',
    'seller.address.line1': 'COMPANY.ADDRESS_1|COMPANY.C_ADDRESS_1|COMPANY.L_ADDRESS_1',
    'seller.address.line2': 'COMPANY.ADDRESS_2|COMPANY.C_ADDRESS_2|COMPANY.L_ADDRESS_2',
    'seller.address.city': 'COMPANY.ADDRESS_3|COMPANY.C_ADDRESS_3|COMPANY.L_ADDRESS_3',
    'seller.address.subdivision': 'COMPANY.ADDRESS_4|COMPANY.C_ADDRESS_4|COMPANY.L_ADDRESS_4',
    'seller.address.post_code': 'COMPANY.ADDRESS_5|COMPANY.C_ADDRESS_5|COMPANY.L_ADDRESS_5',
    'seller.address.country': 'COMPANY.COUNTRY_CODE',
    'seller.contact.phone': 'COMPANY.TELEPHONE',
    'seller.contact.email': 'COMPANY.E_MAIL',
    'buyer.name': 'INVOICE.NAME|SALES_LEDGER.NAME',
    'buyer.trn': 'INVOICE.VAT_REG_NUMBER|SALES_LEDGER.VAT_REG_NUMBER',
    'PINT-MY:buyer.identifiers[].id': 'INVOICE.VAT_REG_NUMBER|SALES_LEDGER.VAT_REG_NUMBER',
    'buyer.address.line1':
      'INVOICE.ADDRESS_1|INVOICE.C_ADDRESS_1|SALES_LEDGER.ADDRESS_1|SALES_LEDGER.C_ADDRESS_1',
    'buyer.address.line2': 'INVOICE.ADDRESS_2|SALES_LEDGER.ADDRESS_2',
    'buyer.address.city': 'INVOICE.ADDRESS_3|SALES_LEDGER.ADDRESS_3',
    'buyer.address.subdivision': 'INVOICE.ADDRESS_4|SALES_LEDGER.ADDRESS_4',
    'buyer.address.post_code': 'INVOICE.ADDRESS_5|SALES_LEDGER.ADDRESS_5',
    'buyer.address.country': 'SALES_LEDGER.COUNTRY_CODE|COUNTRY_CODE.CODE|COUNTRY_CODE.NAME!map',
    'buyer.contact.name': 'INVOICE.CONTACT_NAME|SALES_LEDGER.CONTACT_NAME',
    'buyer.contact.phone': 'INVOICE.CUST_TEL_NUMBER|SALES_LEDGER.TELEPHONE',
    'buyer.contact.email': 'SALES_LEDGER.E_MAIL',
    'lines[].id': 'INVOICE_ITEM.ITEM_NUMBER|INVOICE_ITEM.ITEMID',
    'lines[].sku': 'INVOICE_ITEM.STOCK_CODE|STOCK.STOCK_CODE',
    'lines[].name': 'INVOICE_ITEM.DESCRIPTION|STOCK.DESCRIPTION|STOCK.WEB_DESCRIPTION',
    'lines[].description':
      'INVOICE_ITEM.DESCRIPTION|INVOICE_ITEM.TEXT|STOCK.DESCRIPTION|STOCK.WEB_DESCRIPTION|STOCK.WEB_DETAILS',
    'lines[].qty': 'INVOICE_ITEM.QUANTITY',
    'lines[].unit': 'INVOICE_ITEM.UNIT_OF_SALE!map|STOCK.UNIT_OF_SALE!map',
    'lines[].unit_price': 'INVOICE_ITEM.FOREIGN_UNIT_PRICE',
    'lines[].gross_price': 'INVOICE_ITEM.FOREIGN_UNIT_PRICE',
    'lines[].allowances[].percent': 'INVOICE_ITEM.DISCOUNT_RATE',
    'lines[].allowances[].amount': 'INVOICE_ITEM.FOREIGN_DISCOUNT_AMOUNT',
    'lines[].net': 'INVOICE_ITEM.FOREIGN_NET_AMOUNT',
    'lines[].accounting.amount': 'INVOICE_ITEM.GROSS_AMOUNT|INVOICE_ITEM.FOREIGN_GROSS_AMOUNT',
    'lines[].accounting.tax_totals[].amount':
      'INVOICE_ITEM.TAX_AMOUNT|INVOICE_ITEM.FOREIGN_TAX_AMOUNT',
    'lines[].tax.rate': 'INVOICE_ITEM.TAX_RATE|TAX_CODE.TAX_RATE',
    'lines[].tax.category':
      'INVOICE_ITEM.TAX_CODE!map|INVOICE_ITEM.TAX_CODE_ID!map|INVOICE_ITEM.TAX_RATE!map|TAX_CODE.TAX_CODE!map|' +
      'TAX_CODE.TAX_CODE_ID!map|TAX_CODE.DESCRIPTION!map|TAX_CODE.TAX_RATE!map',
  },
};
