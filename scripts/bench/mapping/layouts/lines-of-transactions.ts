import {
  type Buyer,
  cents,
  countries,
  countryOf,
  type Good,
  type SalesDocument,
  type SoldLine,
  tradeOf,
} from './enterprise-trade.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, midnight, tableOf } from './tables.ts';

const { documents, buyers, goods } = tradeOf({
  home: 'AE',
  seed: 12_889,
  documents: 142,
  currency: 'AED',
  exchanges: { USD: 3.6725, EUR: 4.02 },
  rates: { standard: 5, middle: 5, reduced: 0, zero: 0 },
  taxOf: 'line',
});

interface Transaction {
  readonly one: SalesDocument;
  readonly id: number;
  readonly type: string;
  /** Below zero is what the customer gets back. */
  readonly sign: 1 | -1;
}
const transactionsOf = (all: readonly SalesDocument[], type: string, shift: number) =>
  all.map((one): Transaction => ({ one, id: one.id + shift, type, sign: signOf(type) }));
const signOf = (type: string) => (type === 'CustCred' || type === 'CustPymt' ? -1 : 1);
const sold = documents.filter(({ kind }) => kind === 'invoice');
const ordered = sold.filter(({ id }) => id % 3 !== 0);
const quoted = sold.filter(({ id }) => id % 4 === 0);
const bought = sold.filter(({ id }) => id % 6 === 1);
const paid = sold.filter(({ isPaid }) => isPaid);
/** Quotes, orders, invoices, credits, payments and bills are all transactions. */
const transactions: readonly Transaction[] = [
  ...transactionsOf(quoted, 'Estimate', 11_000),
  ...transactionsOf(ordered, 'SalesOrd', 12_000),
  ...transactionsOf(sold, 'CustInvc', 13_000),
  ...transactionsOf(
    documents.filter(({ kind }) => kind === 'credit'),
    'CustCred',
    13_000,
  ),
  ...transactionsOf(paid, 'CustPymt', 14_000),
  ...transactionsOf(bought, 'VendBill', 15_000),
];
const names: Readonly<Record<string, readonly [prefix: string, recordType: string]>> = {
  Estimate: ['EST', 'estimate'],
  SalesOrd: ['SO', 'salesorder'],
  CustInvc: ['INV', 'invoice'],
  CustCred: ['CM', 'creditmemo'],
  CustPymt: ['PYMT', 'customerpayment'],
  VendBill: ['BILL', 'vendorbill'],
};
const numberOf = ({ one, type }: Transaction) => `${names[type]![0]}${10_000 + one.serial}`;
/** Open, paid in full, waiting for approval or voided. */
const statusOf = ({ one, type }: Transaction) => {
  if (type !== 'CustInvc') return 'B';
  if (one.state === 'draft') return 'D';
  if (one.state === 'cancelled') return 'V';
  return one.isPaid ? 'B' : 'A';
};
/** Nobody approved invoices before March. */
const approvalOf = ({ one }: Transaction) => (one.state === 'draft' ? 1 : one.id < 40 ? null : 2);
const isVoid = ({ one, type }: Transaction) => type === 'CustInvc' && one.state === 'cancelled';
/** What is voided stays, with all its amounts at zero. */
const factor = (each: Transaction) => (isVoid(each) ? 0 : each.sign);
const yes = (is: boolean) => (is ? 'T' : 'F');
const currencyIds: Readonly<Record<string, number>> = { AED: 1, USD: 2, EUR: 4 };
const stamp = (date: string) => at(date, '12:31:09');
const own = ({ one }: Transaction, amount: number) => cents(amount * one.exchange);
const customerId = ({ id }: Buyer) => 600 + id;
const entityOf = ({ one, type }: Transaction) =>
  type === 'VendBill' ? 871 : customerId(one.buyer);
const addressOf = ({ id }: Buyer) => 40_100 + id;
/** After discount: a discount is a line of its own kind there, or part of the rate. */
const rateOf = ({ net, quantity }: SoldLine) => Math.round((net / quantity) * 1e8) / 1e8;
const unitIds: Readonly<Record<Good['unit'], number>> = {
  piece: 1,
  hour: 2,
  metre: 3,
  kilogram: 4,
  box: 5,
  litre: 6,
};
const unitNames = ['Each', 'Hour', 'Metre', 'Kilogram', 'Box', 'Litre'];
const taxCode = ({ rate }: SoldLine, { isHome }: Buyer) => (rate === 5 ? 5 : isHome ? 6 : 7);
const itemId = ({ id }: Good) => 300 + id;

interface Row {
  readonly of: Transaction;
  readonly nth: number;
  readonly line: SoldLine | null;
  readonly isTax: boolean;
  readonly amount: number;
}
/** Line 0 is the document itself, then come what is sold, and the tax. */
const rows = transactions.flatMap((of): Row[] => {
  const { one, type } = of;
  const way = factor(of);
  const main = { of, nth: 0, line: null, isTax: false, amount: way * one.gross };
  if (type === 'CustPymt') return [main];
  const lines = one.lines.map((line) => ({
    of,
    nth: line.position,
    line,
    isTax: false,
    amount: -way * line.net,
  }));
  const nth = one.lines.length + 1;
  return [main, ...lines, { of, nth, line: null, isTax: true, amount: -way * one.tax }];
});
const keyOf = ({ of, nth }: Row) => of.id * 10 + nth;

const sales: Readonly<Record<string, LayoutTable>> = {
  transaction: tableOf(transactions, {
    '*id integer': ({ id }) => id,
    '_fivetran_deleted boolean': 0,
    '_fivetran_synced timestamp': at('2026-07-01', '02:00:00'),
    'abbrevtype varchar': ({ type }) => names[type]![0],
    'actualshipdate timestamp': null,
    'approvalstatus integer': approvalOf,
    'balsegstatus varchar': null,
    'billingaddress integer, shippingaddress integer': ({ one }) => addressOf(one.buyer),
    'billingstatus varchar': 'F',
    'closedate timestamp': ({ one }) => (one.isPaid ? midnight(one.due) : null),
    'createdby integer': 12,
    'createddate timestamp': ({ one }) => stamp(one.date),
    'currency integer': ({ one }) => currencyIds[one.currency]!,
    'customform integer': 101,
    'custbody_lpo_date timestamp': null,
    'daysopen integer, daysoverduesearch integer': ({ one }) => (one.isPaid ? 0 : one.days),
    'duedate timestamp': ({ one, type }) =>
      type === 'CustInvc' || type === 'VendBill' ? midnight(one.due) : null,
    'email varchar': ({ one }) => one.buyer.email,
    'employee integer': ({ one }) => 12 + (one.id % 2),
    'enddate timestamp, startdate timestamp': null,
    'entity integer': entityOf,
    'estgrossprofit float, totalcostestimate float': ({ one }) => cents(one.net * 0.38),
    'exchangerate float': ({ one }) => one.exchange,
    'externalid varchar': null,
    'foreignamountpaid float': (each) => (each.one.isPaid ? factor(each) * each.one.gross : 0),
    'foreignamountunpaid float': (each) => (each.one.isPaid ? 0 : factor(each) * each.one.gross),
    'foreigntotal float': (each) => factor(each) * each.one.gross,
    'incoterm integer, intercostatus integer, intercotransaction integer': null,
    'isfinchrg varchar, isreversal varchar, memorized varchar': 'F',
    'lastmodifiedby integer': 12,
    'lastmodifieddate timestamp': ({ one }) => stamp(one.date),
    'leadsource integer, linkedtrackingnumberlist varchar': null,
    'memo varchar': (each) => (isVoid(each) ? 'VOID' : each.one.note),
    'message varchar': null,
    'nexus integer': 3,
    'nextapprover integer, number integer, opportunity integer': null,
    'ordpicked varchar': 'F',
    'otherrefnum varchar': ({ one }) => one.order,
    'partner integer': null,
    'posting varchar': ({ type, one }) =>
      yes(type !== 'Estimate' && type !== 'SalesOrd' && one.state !== 'draft'),
    'postingperiod integer': ({ one }) => 110 + Number(one.date.slice(5, 7)),
    'printedpickingticket varchar': 'F',
    'recordtype varchar': ({ type }) => names[type]![1],
    'reversal integer, reversaldate timestamp': null,
    'reversaldefer varchar': 'F',
    'shipcarrier varchar': 'nonups',
    'shipdate timestamp': ({ one }) => midnight(one.delivered),
    'source varchar': null,
    'status varchar': statusOf,
    'subsidiary integer': 2,
    'terms integer': ({ one, type }) =>
      type === 'CustPymt' ? null : [0, 14, 30, 60].indexOf(one.days) + 1,
    'title varchar': null,
    'tobeemailed varchar, tobefaxed varchar, tobeprinted varchar': 'F',
    'trackingnumberlist varchar': null,
    'trandate timestamp': ({ one }) => midnight(one.date),
    'trandisplayname varchar': (each) => `${names[each.type]![1]} #${numberOf(each)}`,
    'tranid varchar': numberOf,
    'transactionnumber varchar': (each) => `${each.type.toUpperCase()}${each.id}`,
    'type varchar': ({ type }) => type,
    'typebaseddocumentnumber varchar': numberOf,
    'userevenuearrangement varchar': 'F',
    'visibletocustomer varchar': 'T',
    'voided varchar': (each) => yes(isVoid(each)),
    'website integer': null,
  }),
  transactionline: tableOf(rows, {
    '*uniquekey integer': keyOf,
    '*transaction integer': ({ of }) => of.id,
    'id integer, linesequencenumber integer': ({ nth }) => nth,
    '_fivetran_deleted boolean': 0,
    '_fivetran_synced timestamp': at('2026-07-01', '02:00:00'),
    'class integer': 4,
    'cleared varchar': 'F',
    'commitmentfirm varchar': 'F',
    'costestimate float': ({ line }) =>
      line === null ? null : cents(line.quantity * line.good.cost),
    'costestimatetype varchar': 'AVGCOST',
    'createdfrom integer': ({ of }) =>
      of.type === 'CustInvc' && of.one.id % 3 !== 0 ? of.id - 1000 : null,
    'creditforeignamount float': ({ amount }) => (amount < 0 ? -amount : null),
    'debitforeignamount float': ({ amount }) => (amount > 0 ? amount : null),
    'datedeleted timestamp': null,
    'department integer': 2,
    'donotdisplayline varchar': 'F',
    'entity integer': ({ of }) => entityOf(of),
    'expenseaccount integer': ({ line, isTax }) => (isTax ? 109 : line === null ? 119 : 54),
    'foreignamount float': ({ amount }) => amount,
    'isbillable varchar, isclosed varchar, iscogs varchar, isfullyshipped varchar': 'F',
    'isinventoryaffecting varchar': ({ line }) => yes(line !== null && !line.good.isService),
    'item integer': ({ line, isTax, of }) =>
      line === null ? (isTax ? taxCode(of.one.lines[0]!, of.one.buyer) : null) : itemId(line.good),
    'itemtype varchar': ({ line, isTax }) =>
      line === null ? (isTax ? 'TaxItem' : null) : line.good.isService ? 'Service' : 'InvtPart',
    'kitcomponent varchar': 'F',
    'location integer': 3,
    'mainline varchar': ({ nth }) => yes(nth === 0),
    'matchbilltoreceipt varchar': 'F',
    'memo varchar': ({ line, isTax }) => (line === null ? (isTax ? 'VAT' : null) : line.good.text),
    'netamount float': ({ of, amount }) => own(of, amount),
    'price integer': ({ line }) => (line === null ? null : line.discount > 0 ? -1 : 1),
    'quantity float': ({ of, line }) => (line === null ? null : -factor(of) * line.quantity),
    'quantitybilled float, quantityshiprecv float': ({ line }) => line?.quantity ?? null,
    'rate float': ({ line }) => (line === null ? null : rateOf(line)),
    'rateamount float': ({ line }) => (line === null ? null : rateOf(line)),
    'ratepercent float': ({ isTax }) => (isTax ? 5 : null),
    'subsidiary integer': 2,
    'taxline varchar': ({ isTax }) => yes(isTax),
    'units integer': ({ line }) => (line === null ? null : unitIds[line.good.unit]),
  }),
  transactionaccountingline: tableOf(rows, {
    '*transaction integer': ({ of }) => of.id,
    '*transactionline integer': ({ nth }) => nth,
    '*accountingbook integer': 1,
    '_fivetran_deleted boolean': 0,
    'account integer': ({ line, isTax }) => (isTax ? 109 : line === null ? 119 : 54),
    'accounttype varchar': ({ line, isTax }) =>
      isTax ? 'OthCurrLiab' : line === null ? 'AcctRec' : 'Income',
    'amount float, netamount float': ({ of, amount }) => own(of, amount),
    'amountpaid float': ({ of, nth, amount }) => (nth === 0 && of.one.isPaid ? own(of, amount) : 0),
    'amountunpaid float': ({ of, nth, amount }) =>
      nth === 0 && !of.one.isPaid ? own(of, amount) : 0,
    'credit float': ({ of, amount }) => (amount < 0 ? own(of, -amount) : null),
    'debit float': ({ of, amount }) => (amount > 0 ? own(of, amount) : null),
    'exchangerate float': ({ of }) => of.one.exchange,
    'posting varchar': ({ of }) => yes(of.type !== 'Estimate' && of.type !== 'SalesOrd'),
  }),
  transactiontaxdetail: tableOf(
    rows.filter(({ line }) => line !== null),
    {
      '*transaction integer': ({ of }) => of.id,
      '*taxdetailsreference varchar': (row) => `${row.of.id}_${row.nth}`,
      'line integer': keyOf,
      'netamount float, taxbasis float': ({ of, line }) => factor(of) * line!.net,
      'taxamount float': ({ of, line }) => factor(of) * line!.tax,
      'taxcode integer': ({ of, line }) => taxCode(line!, of.one.buyer),
      'taxrate float': ({ line }) => line!.rate / 100,
      'taxtype integer': 2,
    },
  ),
  previoustransactionlink: tableOf(
    paid.map((one) => ({ one, id: one.id })),
    {
      '*previousdoc integer': ({ id }) => id + 13_000,
      '*nextdoc integer': ({ id }) => id + 14_000,
      'previousline integer, nextline integer': 0,
      'previoustype varchar': 'CustInvc',
      'nexttype varchar': 'CustPymt',
      'linktype varchar': 'Payment',
      'foreignamount float': ({ one }) => one.gross,
    },
  ),
};

const relations: Readonly<Record<string, LayoutTable>> = {
  customer: tableOf(buyers, {
    '*id integer': customerId,
    '_fivetran_deleted boolean': 0,
    'accountnumber varchar': null,
    'altname varchar': ({ name }) => name,
    'companyname varchar': ({ name }) => name,
    'currency integer': ({ currency }) => currencyIds[currency]!,
    'datecreated timestamp': stamp('2025-06-01'),
    'defaultbillingaddress integer, defaultshippingaddress integer': addressOf,
    'email varchar': ({ email }) => email,
    'entityid varchar': ({ id, name }) => `CUST${id + 100} ${name}`,
    'entitystatus integer': 13,
    'externalid varchar, fax varchar, firstname varchar, lastname varchar': null,
    'isinactive varchar, isperson varchar': 'F',
    'parent integer': null,
    'phone varchar': ({ phone }) => phone,
    'receivablesaccount integer': 119,
    'salesrep integer': 12,
    'searchstage varchar': 'Customer',
    'terms integer': 3,
    'vatregnumber varchar': ({ taxNumber }) => taxNumber,
    'custentity_trade_licence varchar': ({ register }) => register,
  }),
  entity: tableOf(
    [
      ...buyers.map((one) => ({ id: customerId(one), name: one.name, type: 'CustJob' })),
      { id: 871, name: 'Ningbo Valve Manufacturing Co', type: 'Vendor' },
      { id: 12, name: 'Rania Khoury', type: 'Employee' },
      { id: 13, name: 'Deepak Pillai', type: 'Employee' },
    ],
    {
      '*id integer': ({ id }) => id,
      'altname varchar, entitytitle varchar': ({ name }) => name,
      'entityid varchar': ({ name }) => name,
      'type varchar': ({ type }) => type,
      'customer integer': ({ id, type }) => (type === 'CustJob' ? id : null),
      'vendor integer': ({ id, type }) => (type === 'Vendor' ? id : null),
      'employee integer': ({ id, type }) => (type === 'Employee' ? id : null),
      'isinactive varchar': 'F',
    },
  ),
  entityaddress: tableOf(buyers, {
    '*nkey integer': addressOf,
    '_fivetran_deleted boolean': 0,
    'addr1 varchar': ({ street }) => street,
    'addr2 varchar': ({ street2 }) => street2,
    'addr3 varchar': null,
    'addressee varchar': ({ name }) => name,
    'addrphone varchar': ({ phone }) => phone,
    'addrtext varchar': ({ name, street, city, country }) =>
      `${name}\n${street}\n${city}\n${countryOf(country).name}`,
    'attention varchar': ({ first, last }) => `${first} ${last}`,
    'city varchar': ({ city }) => city,
    'country varchar': ({ country }) => country,
    'date_deleted timestamp': null,
    'dropdownstate varchar, state varchar': ({ region }) => region,
    'lastmodifieddate timestamp': stamp('2025-06-01'),
    'override varchar': 'F',
    'recordowner integer': customerId,
    'zip varchar': ({ zip }) => zip,
  }),
  contact: tableOf(buyers, {
    '*id integer': ({ id }) => 900 + id,
    'company integer': customerId,
    'entityid varchar': ({ first, last }) => `${first} ${last}`,
    'firstname varchar': ({ first }) => first,
    'lastname varchar': ({ last }) => last,
    'email varchar': ({ email }) => email,
    'phone varchar': ({ phone }) => phone,
    'isinactive varchar': 'F',
  }),
  vendor: {
    columns:
      '*id integer, companyname varchar, entityid varchar, currency integer, email varchar, phone varchar, isinactive varchar, vatregnumber varchar',
    rows: [
      [
        871,
        'Ningbo Valve Manufacturing Co',
        'VEN871',
        2,
        'sales@ningbo.example',
        '+86 574 8800 1',
        'F',
        null,
      ],
    ],
  },
  employee: {
    columns:
      '*id integer, entityid varchar, firstname varchar, lastname varchar, email varchar, title varchar, subsidiary integer, issalesrep varchar',
    rows: [
      [12, 'Rania Khoury', 'Rania', 'Khoury', 'rania@gpt.example', 'Accountant', 2, 'T'],
      [13, 'Deepak Pillai', 'Deepak', 'Pillai', 'deepak@gpt.example', 'Sales', 2, 'T'],
    ],
  },
  subsidiary: {
    columns:
      '*id integer, name varchar, fullname varchar, legalname varchar, country varchar, currency integer, email varchar, fax varchar, federalidnumber varchar, mainaddress integer, parent integer, state varchar, iselimination varchar, isinactive varchar',
    rows: [
      [
        1,
        'Parent Company',
        'Parent Company',
        null,
        'AE',
        1,
        null,
        null,
        null,
        null,
        null,
        null,
        'F',
        'F',
      ],
      [
        2,
        'Gulf Process Trading',
        'Parent Company : Gulf Process Trading',
        'Gulf Process Trading LLC',
        'AE',
        1,
        'ar@gpt.example',
        null,
        '100774411900003',
        70_001,
        1,
        'DXB',
        'F',
        'F',
      ],
    ],
  },
  subsidiarymainaddress: {
    columns:
      '*nkey integer, addr1 varchar, addr2 varchar, addr3 varchar, addressee varchar, addrphone varchar, city varchar, country varchar, dropdownstate varchar, state varchar, zip varchar',
    rows: [
      [
        70_001,
        'Al Garhoud, Street 26',
        'P.O. Box 10442',
        null,
        'Gulf Process Trading LLC',
        '+971 4 282 6600',
        'Dubai',
        'AE',
        'DXB',
        'DXB',
        null,
      ],
    ],
  },
};

const lists: Readonly<Record<string, LayoutTable>> = {
  item: tableOf(goods, {
    '*id integer': itemId,
    '_fivetran_deleted boolean': 0,
    'averagecost float, cost float': ({ cost }) => cost,
    'class integer, department integer': 4,
    'costingmethod varchar': 'AVG',
    'createddate timestamp': stamp('2025-06-01'),
    'description varchar': ({ text }) => text,
    'displayname varchar': ({ name }) => name,
    'expenseaccount integer, incomeaccount integer': 54,
    'externalid varchar': null,
    'fullname varchar, itemid varchar': ({ code }) => code,
    'isinactive varchar, islotitem varchar, isserialitem varchar': 'F',
    'itemtype varchar': ({ isService }) => (isService ? 'Service' : 'InvtPart'),
    'lastpurchaseprice float': ({ cost }) => cost,
    'manufacturer varchar, mpn varchar, parent integer': null,
    'saleunit integer, stockunit integer, purchaseunit integer': ({ unit }) => unitIds[unit],
    'subtype varchar': 'Sale',
    'taxschedule integer': ({ rateClass }) =>
      rateClass === 'zero' || rateClass === 'reduced' ? 2 : 1,
    'totalquantityonhand float': ({ isService }) => (isService ? null : 80),
    'unitstype integer': 1,
    'upccode varchar': null,
    'vendorname varchar': ({ code }) => `N-${code}`,
  }),
  itemprice: tableOf(goods, {
    '*internalid integer': ({ id }) => id,
    'item integer': itemId,
    'pricelevel integer': 1,
    'price float': ({ price }) => price,
    'currency integer': 1,
  }),
  unitstypeuom: tableOf(unitNames, {
    '*internalid integer': (_name, index) => index + 1,
    'unitstype integer': 1,
    'unitname varchar, pluralname varchar': (name) => name,
    'abbreviation varchar': (_name, index) => ['EA', 'HR', 'M', 'KG', 'BX', 'L'][index]!,
    'conversionrate float': 1,
    'baseunit varchar': (_name, index) => yes(index === 0),
  }),
  currency: {
    columns:
      '*id integer, _fivetran_deleted boolean, currencyprecision integer, displaysymbol varchar, exchangerate float, externalid varchar, isbasecurrency varchar, isinactive varchar, lastmodifieddate timestamp, name varchar, symbol varchar',
    rows: [
      [1, 0, 2, 'AED', 1, null, 'T', 'F', stamp('2025-06-01'), 'UAE Dirham', 'AED'],
      [2, 0, 2, '$', 3.6725, null, 'F', 'F', stamp('2025-06-01'), 'US Dollar', 'USD'],
      [4, 0, 2, '€', 4.02, null, 'F', 'F', stamp('2025-06-01'), 'Euro', 'EUR'],
    ],
  },
  currencyrate: {
    columns:
      '*id integer, basecurrency integer, transactioncurrency integer, exchangerate float, effectivedate timestamp',
    rows: [
      [1, 1, 2, 3.6725, midnight('2026-01-01')],
      [2, 1, 4, 4.02, midnight('2026-01-01')],
    ],
  },
  term: tableOf([0, 14, 30, 60], {
    '*id integer': (_days, index) => index + 1,
    'name varchar': (days) => (days === 0 ? 'Due on receipt' : `Net ${days}`),
    'daysuntilnetdue integer': (days) => days,
    'discountpercent float': null,
    'isinactive varchar': 'F',
  }),
  salestaxitem: {
    columns:
      '*id integer, name varchar, itemid varchar, description varchar, rate float, taxtype integer, taxagency integer, available varchar, isinactive varchar',
    rows: [
      [5, 'VAT_AE:S-AE', 'S-AE', 'Standard rate', 0.05, 2, 880, 'BOTH', 'F'],
      [6, 'VAT_AE:Z-AE', 'Z-AE', 'Zero rate', 0, 2, 880, 'BOTH', 'F'],
      [7, 'VAT_AE:EX-AE', 'EX-AE', 'Export outside the Gulf', 0, 2, 880, 'SALE', 'F'],
    ],
  },
  taxtype: {
    columns: '*id integer, name varchar, description varchar, country varchar',
    rows: [[2, 'VAT_AE', 'Value added tax', 'AE']],
  },
  nexus: {
    columns: '*id integer, country varchar, description varchar, taxagency integer',
    rows: [[3, 'AE', 'United Arab Emirates', 880]],
  },
  transactionstatus: {
    columns:
      '*id varchar, *trantype varchar, name varchar, fullname varchar, trancustomtype integer',
    rows: [
      ['A', 'CustInvc', 'Open', 'Invoice : Open', -1],
      ['B', 'CustInvc', 'Paid In Full', 'Invoice : Paid In Full', -1],
      ['D', 'CustInvc', 'Pending Approval', 'Invoice : Pending Approval', -1],
      ['V', 'CustInvc', 'Voided', 'Invoice : Voided', -1],
      ['B', 'SalesOrd', 'Pending Fulfillment', 'Sales Order : Pending Fulfillment', -1],
      ['B', 'CustCred', 'Fully Applied', 'Credit Memo : Fully Applied', -1],
    ],
  },
  account: {
    columns:
      '*id integer, acctnumber varchar, accountsearchdisplayname varchar, fullname varchar, accttype varchar, currency integer, description varchar, isinactive varchar',
    rows: [
      [119, '1200', 'Accounts Receivable', 'Accounts Receivable', 'AcctRec', 1, null, 'F'],
      [54, '4000', 'Sales', 'Sales', 'Income', 1, null, 'F'],
      [109, '2200', 'VAT on Sales', 'VAT on Sales', 'OthCurrLiab', 1, null, 'F'],
    ],
  },
  accountingperiod: tableOf([1, 2, 3, 4, 5, 6, 7, 8, 9], {
    '*id integer': (month) => 110 + month,
    'periodname varchar': (month) => `2026-${String(month).padStart(2, '0')}`,
    'startdate timestamp': (month) => midnight(`2026-${String(month).padStart(2, '0')}-01`),
    'closed varchar, isadjust varchar, isquarter varchar, isyear varchar': 'F',
  }),
  accountingbook: {
    columns: '*id integer, name varchar, isprimary varchar',
    rows: [[1, 'Primary Accounting Book', 'T']],
  },
  classification: {
    columns: '*id integer, name varchar, fullname varchar, isinactive varchar',
    rows: [[4, 'Trading', 'Trading', 'F']],
  },
  department: {
    columns: '*id integer, name varchar, fullname varchar, subsidiary integer',
    rows: [[2, 'Sales', 'Sales', 2]],
  },
  location: {
    columns: '*id integer, name varchar, fullname varchar, mainaddress integer, subsidiary integer',
    rows: [[3, 'Dubai warehouse', 'Dubai warehouse', 70_001, 2]],
  },
  country: tableOf(countries, {
    '*id varchar': ({ two }) => two,
    'name varchar': ({ name }) => name,
    'edition varchar': 'XX',
    'uniquekey integer': ({ id }) => id,
  }),
  systemnote: tableOf(transactions.slice(0, 60), {
    '*id integer': (_row, index) => index + 1,
    'recordid integer': ({ id }) => id,
    'recordtypeid integer': -30,
    'field varchar': 'TRANDOC.MMEMO',
    'name integer': 12,
    'date timestamp': ({ one }) => stamp(one.date),
    'oldvalue varchar': null,
    'newvalue varchar': ({ one }) => one.note,
  }),
  inventorybalance: tableOf(
    goods.filter(({ isService }) => !isService),
    {
      '*item integer': itemId,
      '*location integer': 3,
      'quantityonhand float, quantityavailable float': 80,
    },
  ),
  message: tableOf(transactions.slice(30, 50), {
    '*id integer': (_row, index) => index + 1,
    'transaction integer': ({ id }) => id,
    'recipientemail varchar': ({ one }) => one.buyer.email,
    'subject varchar': (each) => `${numberOf(each)}`,
    'messagedate timestamp': ({ one }) => stamp(one.date),
  }),
  budgets: {
    columns: '*id integer, account integer, period integer, amount float',
    rows: [[1, 54, 111, 200_000]],
  },
};

/**
 * NetSuite as its second data source for connections shows it, loaded into a warehouse: transactions of all kinds in one table;
 * the document itself and its tax are lines among what is sold, told by letters for yes and no; what is sold stands below
 * zero, in quantity as in amount; a discount is part of the rate; rates are fractions and hang on a line by its key; what
 * is voided has no amounts. Columns of lines, customers, addresses and currencies after the models of Fivetran published on GitHub,
 * of which `_fivetran_deleted` stems; those of transactions, tax details and the lists in part from memory.
 */
export const linesOfTransactions: Layout = {
  name: 'lines-of-transactions',
  isHeldOut: true,
  tables: { ...lists, ...relations, ...sales },
  sections: {
    header: {
      table: 'transaction',
      key: 'id',
      match: 'tranid',
      where: { type: 'CustInvc', posting: 'T', voided: 'F' },
    },
    lines: {
      table: 'transactionline',
      key: 'uniquekey',
      match: 'transaction',
      matchFrom: 'id',
      where: { mainline: 'F', taxline: 'F' },
    },
    customer: { table: 'customer', key: 'id', match: 'id', matchFrom: 'entity' },
  },
  fields: {
    number: 'transaction.tranid|transaction.typebaseddocumentnumber',
    issue_date: 'transaction.trandate',
    due_date: 'transaction.duedate',
    'delivery.date': 'transaction.shipdate',
    currency:
      'currency.symbol|currency.name!map|currency.displaysymbol!map|transaction.currency!map',
    'exchange_rate.rate':
      'transaction.exchangerate|transactionaccountingline.exchangerate|currency.exchangerate|currencyrate.exchangerate',
    purchase_order: 'transaction.otherrefnum',
    buyer_reference: 'transaction.otherrefnum',
    'notes[]': 'transaction.memo',
    'payment_terms[].note': 'term.name|term.daysuntilnetdue',
    'totals.gross': 'transaction.foreigntotal',
    'totals.due': 'transaction.foreigntotal|transaction.foreignamountunpaid',
    'totals.prepaid': 'transaction.foreignamountpaid',
    'seller.name': 'subsidiary.legalname|subsidiary.name|subsidiarymainaddress.addressee',
    'seller.trn': 'subsidiary.federalidnumber',
    'seller.address.line1': 'subsidiarymainaddress.addr1',
    'seller.address.city': 'subsidiarymainaddress.city',
    'seller.address.subdivision':
      'subsidiarymainaddress.state|subsidiarymainaddress.dropdownstate|subsidiary.state',
    'seller.address.country': 'subsidiarymainaddress.country|subsidiary.country|nexus.country',
    'seller.contact.phone': 'subsidiarymainaddress.addrphone',
    'seller.contact.email': 'subsidiary.email|employee.email',
    'seller.contact.name': 'employee.entityid|employee.firstname!concat|employee.lastname!concat',
    'buyer.name':
      'customer.companyname|customer.altname|entity.altname|entity.entitytitle|entity.entityid|entityaddress.addressee',
    'buyer.trn': 'customer.vatregnumber',
    'PINT-MY:buyer.identifiers[].id': 'customer.vatregnumber|customer.custentity_trade_licence',
    'buyer.registration_id': 'customer.custentity_trade_licence',
    'buyer.address.line1': 'entityaddress.addr1',
    'buyer.address.line2': 'entityaddress.addr2',
    'buyer.address.city': 'entityaddress.city',
    'buyer.address.post_code': 'entityaddress.zip',
    'buyer.address.subdivision': 'entityaddress.state|entityaddress.dropdownstate',
    'buyer.address.country': 'entityaddress.country|country.id|country.name!map',
    'buyer.contact.name':
      'contact.entityid|contact.firstname!concat|contact.lastname!concat|entityaddress.attention',
    'buyer.contact.phone': 'customer.phone|contact.phone|entityaddress.addrphone',
    'buyer.contact.email': 'transaction.email|customer.email|contact.email',
    'lines[].id': 'transactionline.uniquekey|transactionline.linesequencenumber|transactionline.id',
    'lines[].sku': 'item.itemid|item.fullname',
    'lines[].name': 'item.displayname|transactionline.memo|item.description',
    'lines[].description': 'transactionline.memo|item.description|item.displayname',
    'lines[].qty':
      'transactionline.quantity!negate,abs,multiply|transactionline.quantitybilled|transactionline.quantityshiprecv',
    'lines[].unit':
      'unitstypeuom.unitname!map|unitstypeuom.abbreviation!map|unitstypeuom.pluralname!map|transactionline.units!map|item.saleunit!map',
    'lines[].unit_price': 'transactionline.rate|transactionline.rateamount',
    'lines[].gross_price': 'transactionline.rate|transactionline.rateamount',
    'lines[].net':
      'transactionline.foreignamount!negate,abs,multiply|transactionline.creditforeignamount|transactiontaxdetail.netamount|transactiontaxdetail.taxbasis',
    'lines[].accounting.amount':
      'transactionline.netamount!negate,abs,multiply|transactionaccountingline.netamount!negate,abs,multiply|' +
      'transactionaccountingline.amount!negate,abs,multiply|transactionaccountingline.credit',
    'lines[].accounting.tax_totals[].amount': 'transactiontaxdetail.taxamount',
    'lines[].tax.rate': 'transactiontaxdetail.taxrate!multiply|salestaxitem.rate!multiply',
    'lines[].tax.category':
      'transactiontaxdetail.taxcode!map|transactiontaxdetail.taxrate!map|salestaxitem.rate!map|salestaxitem.itemid!map|' +
      'salestaxitem.name!map|salestaxitem.description!map|item.taxschedule!map',
  },
};
