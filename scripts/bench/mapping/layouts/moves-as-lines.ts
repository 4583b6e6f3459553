import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { bills, byLine, credits, customers, type Invoice, invoices, items } from './trade.ts';

const round = (value: number) => Math.round(value * 100) / 100;
const types = { invoice: 10, credit: 11, receipt: 12, transfer: 16, adjustment: 17, order: 30 };
const purchaseTypes = { invoice: 20, payment: 22, delivery: 25, order: 18 };
const taxAuthority = 1;
const depot = 'MEL';
const supplier = 'MILL01';
const user = 'admin';
const never = '0000-00-00';
const unitNames: Readonly<Record<string, string>> = {
  PCS: 'each',
  M: 'metres',
  HR: 'hours',
  L: 'litres',
  KG: 'kgs',
};
const taxCategory = (rate: number) => (rate === 0 ? 4 : 1);
const periodOf = (date: string) => 11 + Number(date.slice(5, 7));
const orderNo = ({ id }: Invoice) => id - 3900;
const isPaid = ({ id }: Invoice) => id % 3 !== 0;

interface Transaction {
  readonly one: Invoice;
  readonly id: number;
  readonly type: number;
  /** Each type counts from 1. */
  readonly transno: number;
  readonly sign: number;
}

const sales: readonly Transaction[] = [
  ...bills.map((one, index) => ({ one, type: types.invoice, transno: index + 1, sign: 1 })),
  ...credits.map((one, index) => ({ one, type: types.credit, transno: index + 1, sign: -1 })),
].map((each, index) => ({ ...each, id: index + 1 }));
const receipts: readonly Transaction[] = bills.filter(isPaid).map((one, index) => ({
  one,
  id: sales.length + index + 1,
  type: types.receipt,
  transno: index + 1,
  sign: -1,
}));
const saleOf = (one: Invoice) => sales.find((each) => each.one === one)!;
const soldLines = sales.flatMap((sale) => sale.one.lines.map((line) => ({ sale, line })));
const bought = bills.slice(0, 9);
const boughtLines = byLine(bought, (one, line) => ({ one, line, cost: round(line.price / 2) }));

interface Move {
  readonly stockid: string;
  readonly type: number;
  readonly transno: number;
  readonly date: string;
  readonly debtor: string;
  readonly price: number;
  readonly reference: string;
  readonly qty: number;
  readonly discount: number;
  readonly cost: number;
  readonly narrative: string;
  /** Of a sale. */
  readonly rate?: number;
}

/** What is sold goes out, so its quantity is below zero. */
const moves: readonly (Move & { readonly no: number })[] = [
  ...boughtLines.map(
    ({ one, line, cost }): Move => ({
      stockid: line.item.code,
      type: purchaseTypes.delivery,
      transno: bought.indexOf(one) + 1,
      date: one.date,
      debtor: '',
      price: cost,
      reference: `${supplier} (Mill Supplies Ltd) - ${bought.indexOf(one) + 1}`,
      qty: line.quantity * 10,
      discount: 0,
      cost,
      narrative: '',
    }),
  ),
  ...soldLines.map(
    ({ sale, line }): Move => ({
      stockid: line.item.code,
      type: sale.type,
      transno: sale.transno,
      date: sale.one.date,
      debtor: sale.one.customer.code,
      price: line.price,
      reference: sale.type === types.credit ? 'Ex Inv - 3' : String(orderNo(sale.one)),
      qty: -sale.sign * line.quantity,
      discount: line.discount / 100,
      cost: round(line.price / 2),
      narrative: line.id % 9 === 0 ? 'Boxed' : '',
      rate: line.item.rate / 100,
    }),
  ),
  ...items.slice(0, 4).flatMap((item, index): Move[] => {
    const kept = {
      stockid: item.code,
      transno: index + 1,
      date: '2026-01-31',
      debtor: '',
      price: 0,
      discount: 0,
      cost: round(item.price / 2),
      narrative: 'Stock take',
    };
    return [
      { ...kept, type: types.adjustment, reference: '', qty: -1 },
      { ...kept, type: types.transfer, reference: 'To Town', qty: -5 },
      { ...kept, type: types.transfer, reference: 'From Melbourne', qty: 5 },
    ];
  }),
].map((move, index) => ({ ...move, no: index + 1 }));

const around: Readonly<Record<string, LayoutTable>> = {
  chartmaster: {
    columns: '*accountcode varchar(20), accountname char(50), group_ char(30)',
    rows: [
      ['1', 'Default Sales', 'Sales'],
      ['1030', 'Current Account', 'Current Assets'],
      ['1100', 'Accounts Receivable', 'Current Assets'],
      ['1460', 'Finished Goods', 'Current Assets'],
      ['2100', 'Accounts Payable', 'Liabilities'],
      ['2310', 'VAT Payable', 'Liabilities'],
      ['5000', 'Cost of Sales', 'Cost of Goods Sold'],
    ],
  },
  companies: {
    columns:
      '*coycode int, coyname varchar(50), gstno varchar(20), companynumber varchar(20), regoffice1 varchar(40), regoffice2 varchar(40), ' +
      'regoffice3 varchar(40), regoffice4 varchar(40), regoffice5 varchar(20), regoffice6 varchar(15), telephone varchar(25), fax varchar(25), ' +
      'email varchar(55), currencydefault varchar(4), debtorsact varchar(20), pytdiscountact varchar(20), creditorsact varchar(20), ' +
      'grnact varchar(20), exchangediffact varchar(20), retainedearnings varchar(20), gllink_debtors tinyint, gllink_creditors tinyint, ' +
      'gllink_stock tinyint, freightact varchar(20)',
    rows: [
      [
        1,
        'Drawbridge Pumps',
        'DE123456824',
        'HRB 4711',
        '1 Dock Road',
        '',
        'Hamburg',
        'HH',
        '20457',
        'Germany',
        '+49 40 555 1000',
        '',
        'office@pumps.example',
        'EUR',
        '1100',
        '4900',
        '2100',
        '2150',
        '4200',
        '3500',
        1,
        1,
        1,
        '5600',
      ],
    ],
  },
  config: {
    columns: '*confname varchar(35), confvalue text',
    rows: [
      ['AllowOrderLineItemNarrative', '1'],
      ['AutoCreateWOs', '1'],
      ['CountryOfOperation', 'DE'],
      ['DefaultCustomerType', '1'],
      ['DefaultDateFormat', 'd/m/Y'],
      ['FreightTaxCategory', '5'],
      ['VersionNumber', '4.12.3'],
    ],
  },
  custallocns: tableOf(
    receipts,
    {
      '*id int': (_one, index) => index + 1,
      'amt decimal': ({ one }) => one.gross,
      'datealloc date': ({ one }) => one.due,
      'transid_allocfrom int': ({ id }) => id,
      'transid_allocto int': ({ one }) => saleOf(one).id,
    },
    { transid_allocfrom: 'debtortrans.id', transid_allocto: 'debtortrans.id' },
  ),
  custcontacts: tableOf(customers.slice(0, 5), {
    '*contid int': ({ id }) => id,
    'debtorno varchar(10)': ({ code }) => code,
    'contactname varchar(40)': ({ first, last }) => `${first} ${last}`,
    'role varchar(40)': 'Buyer',
    'phoneno varchar(20)': ({ phone }) => phone,
    'notes varchar(255)': '',
    'email varchar(55)': ({ email }) => email,
  }),
  deliverynotes: tableOf(
    byLine(bills.slice(0, 6), (one, line) => ({ one, line })),
    {
      '*deliverynotenumber int': ({ one }) => saleOf(one).transno,
      '*deliverynotelineno tinyint': ({ line }) => line.position,
      'salesorderno int': ({ one }) => orderNo(one),
      'salesorderlineno int': ({ line }) => line.position - 1,
      'qtydelivered double': ({ line }) => line.quantity,
      'printed tinyint, invoiced tinyint': 1,
      'deliverydate date': ({ one }) => one.date,
    },
    { salesorderno: 'salesorders.orderno' },
  ),
  gltrans: tableOf(
    sales.flatMap((sale) => [
      { sale, account: '1100', amount: sale.sign * sale.one.gross },
      { sale, account: '1', amount: -sale.sign * sale.one.net },
      { sale, account: '2310', amount: -sale.sign * sale.one.tax },
    ]),
    {
      '*counterindex int': (_one, index) => index + 1,
      'type smallint': ({ sale }) => sale.type,
      'typeno bigint': ({ sale }) => sale.transno,
      'chequeno int': 0,
      'trandate date': ({ sale }) => sale.one.date,
      'periodno smallint': ({ sale }) => periodOf(sale.one.date),
      'account varchar(20)': ({ account }) => account,
      'narrative varchar(200)': ({ sale }) => sale.one.customer.code,
      'amount double': ({ amount }) => amount,
      'posted tinyint': 1,
      'jobref varchar(20)': '',
      'tag tinyint': 0,
    },
    {
      account: 'chartmaster.accountcode',
      type: 'systypes.typeid',
      periodno: 'periods.periodno',
    },
  ),
  grns: tableOf(
    boughtLines,
    {
      'grnbatch smallint': ({ one }) => bought.indexOf(one) + 1,
      '*grnno int': (_one, index) => index + 1,
      'podetailitem int': (_one, index) => index + 1,
      'itemcode varchar(20)': ({ line }) => line.item.code,
      'deliverydate date': ({ one }) => one.date,
      'itemdescription varchar(100)': ({ line }) => line.item.name,
      'qtyrecd double, quantityinv double': ({ line }) => line.quantity * 10,
      'supplierid varchar(10)': supplier,
      'stdcostunit double': ({ cost }) => cost,
    },
    { supplierid: 'suppliers.supplierid', podetailitem: 'purchorderdetails.podetailitem' },
  ),
  holdreasons: {
    columns: '*reasoncode smallint, reasondescription char(30), dissallowinvoices tinyint',
    rows: [
      [1, 'Good History', 0],
      [20, 'Watch', 2],
      [51, 'In liquidation', 1],
    ],
  },
  locations: {
    columns:
      '*loccode varchar(5), locationname varchar(50), deladd1 varchar(40), deladd2 varchar(40), deladd3 varchar(40), deladd4 varchar(40), ' +
      'deladd5 varchar(20), deladd6 varchar(15), tel varchar(30), fax varchar(30), email varchar(55), contact varchar(30), ' +
      'taxprovinceid tinyint, cashsalecustomer varchar(10), managed int, cashsalebranch varchar(10), internalrequest tinyint, usedforwo tinyint',
    rows: [
      [depot, 'Melbourne', '1 Dock Road', '', 'Hamburg', 'HH', '20457', 'Germany'],
      ['TOR', 'Town', '3 Ring', '', 'Hamburg', 'HH', '20457', 'Germany'],
    ].map((row) => [...row, '', '', '', 'Paul Roy', 1, '', 0, '', 1, 1]),
    foreign: { taxprovinceid: 'taxprovinces.taxprovinceid' },
  },
  periods: {
    columns: '*periodno smallint, lastdate_in_period date',
    rows: [
      [11, '2025-12-31'],
      [12, '2026-01-31'],
      [13, '2026-02-28'],
      [14, '2026-03-31'],
      [15, '2026-04-30'],
    ],
  },
  prices: tableOf(
    items,
    {
      '*stockid varchar(20)': ({ code }) => code,
      '*typeabbrev char(2)': 'WS',
      '*currabrev char(3)': 'EUR',
      '*debtorno varchar(10)': '',
      'price decimal': ({ price }) => price,
      '*branchcode varchar(10)': '',
      '*startdate date': '2025-01-01',
      '*enddate date': '9999-12-31',
    },
    {
      stockid: 'stockmaster.stockid',
      currabrev: 'currencies.currabrev',
      typeabbrev: 'salestypes.typeabbrev',
    },
  ),
  purchdata: tableOf(
    items.slice(0, 6),
    {
      '*supplierno char(10)': supplier,
      '*stockid char(20)': ({ code }) => code,
      'price decimal': ({ price }) => round(price / 2),
      'suppliersuom char(50)': ({ unit }) => unitNames[unit]!,
      'conversionfactor double': 1,
      'supplierdescription char(50)': ({ name }) => name,
      'leadtime smallint': 7,
      'preferred tinyint': 1,
      '*effectivefrom date': '2025-01-01',
      'suppliers_partno varchar(50)': ({ code }) => `M-${code}`,
      'minorderqty int': 1,
    },
    { stockid: 'stockmaster.stockid', supplierno: 'suppliers.supplierid' },
  ),
  purchorders: tableOf(
    bought,
    {
      '*orderno int': (_one, index) => index + 1,
      'supplierno varchar(10)': supplier,
      'comments longblob': '',
      'orddate datetime': ({ date }) => at(date, '00:00:00'),
      'rate double': 1,
      'dateprinted datetime': ({ date }) => at(date, '00:00:00'),
      'allowprint tinyint': 0,
      'initiator varchar(20)': user,
      'requisitionno varchar(15)': '',
      'intostocklocation varchar(5)': depot,
      'deladd1 varchar(40)': '1 Dock Road',
      'deladd2 varchar(40)': '',
      'deladd3 varchar(40)': 'Hamburg',
      'deladd4 varchar(40)': 'HH',
      'deladd5 varchar(20)': '20457',
      'deladd6 varchar(15)': 'Germany',
      'tel varchar(30)': '',
      'suppdeladdress1 varchar(40)': '9 Mill Lane',
      'suppdeladdress2 varchar(40)': '',
      'suppdeladdress3 varchar(40)': 'Leeds',
      'suppdeladdress4 varchar(40)': 'YKS',
      'suppdeladdress5 varchar(20)': 'LS1 4AP',
      'suppdeladdress6 varchar(15)': 'United Kingdom',
      'suppliercontact varchar(30)': 'Ina Mill',
      'supptel varchar(30)': '',
      'contact varchar(30)': 'Paul Roy',
      'version decimal': 1,
      'revised date': ({ date }) => date,
      'realorderno varchar(16)': '',
      'deliveryby varchar(100)': '1',
      'deliverydate date': ({ due }) => due,
      'status varchar(12)': 'Completed',
      'stat_comment text': '',
      'paymentterms char(2)': '30',
      'port varchar(40)': '',
    },
    { supplierno: 'suppliers.supplierid', intostocklocation: 'locations.loccode' },
  ),
  purchorderdetails: tableOf(
    boughtLines,
    {
      '*podetailitem int': (_one, index) => index + 1,
      'orderno int': ({ one }) => bought.indexOf(one) + 1,
      'itemcode varchar(20)': ({ line }) => line.item.code,
      'deliverydate date': ({ one }) => one.due,
      'itemdescription varchar(100)': ({ line }) => line.item.name,
      'glcode varchar(20)': '1460',
      'qtyinvoiced double': ({ line }) => line.quantity * 10,
      'unitprice double, actprice double, stdcostunit double': ({ cost }) => cost,
      'quantityord double, quantityrecd double': ({ line }) => line.quantity * 10,
      'shiptref int': 0,
      'jobref varchar(20)': '',
      'completed tinyint': 1,
      'suppliersunit varchar(50)': ({ line }) => unitNames[line.item.unit]!,
      'suppliers_partno varchar(50)': ({ line }) => `M-${line.item.code}`,
      'assetid int': 0,
      'conversionfactor double': 1,
    },
    { orderno: 'purchorders.orderno' },
  ),
  salesanalysis: tableOf(
    soldLines,
    {
      'typeabbrev char(2)': 'WS',
      'periodno smallint': ({ sale }) => periodOf(sale.one.date),
      'amt double': ({ sale, line }) => sale.sign * round(line.quantity * line.price),
      'cost double': ({ sale, line }) => sale.sign * round((line.quantity * line.price) / 2),
      'cust varchar(10), custbranch varchar(10)': ({ sale }) => sale.one.customer.code,
      'qty double': ({ sale, line }) => sale.sign * line.quantity,
      'disc double': ({ sale, line }) =>
        sale.sign * round((line.quantity * line.price * line.discount) / 100),
      'stockid varchar(20)': ({ line }) => line.item.code,
      'area varchar(3)': 'EU',
      'budgetoractual tinyint': 1,
      'salesperson char(3)': 'ROY',
      'stkcategory varchar(6)': 'PUMPS',
      '*id int': (_row, index) => index + 1,
    },
    { periodno: 'periods.periodno' },
  ),
  salesman: {
    columns:
      '*salesmancode varchar(4), salesmanname char(30), smantel char(20), smanfax char(20), commissionrate1 double, breakpoint decimal, commissionrate2 double, current tinyint',
    rows: [['ROY', 'Paul Roy', '', '', 0, 0, 0, 1]],
  },
  salestypes: {
    columns: '*typeabbrev char(2), sales_type varchar(40)',
    rows: [
      ['WS', 'Wholesale'],
      ['RT', 'Retail'],
    ],
  },
  shippers: {
    columns: '*shipper_id int, shippername char(40), mincharge double',
    rows: [
      [1, 'Default Shipper', 0],
      [8, 'UPS', 5],
    ],
  },
  stockcategory: {
    columns:
      '*categoryid char(6), categorydescription char(20), stocktype char(1), stockact varchar(20), adjglact varchar(20), issueglact varchar(20), ' +
      'purchpricevaract varchar(20), materialuseagevarac varchar(20), wipact varchar(20), defaulttaxcatid tinyint',
    rows: [['PUMPS', 'Pumps', 'F', '1460', '5000', '5000', '5000', '5000', '1440', 1]],
  },
  suppliers: {
    columns:
      '*supplierid varchar(10), suppname varchar(40), address1 varchar(40), address2 varchar(40), address3 varchar(40), address4 varchar(50), ' +
      'address5 varchar(20), address6 varchar(40), supptype tinyint, lat float, lng float, currcode char(3), suppliersince date, ' +
      'paymentterms char(2), lastpaid double, lastpaiddate datetime, bankact varchar(30), bankref varchar(12), bankpartics varchar(12), ' +
      'remittance tinyint, taxgroupid tinyint, factorcompanyid int, taxref varchar(20), phn varchar(50), port varchar(200), email varchar(55), ' +
      'fax varchar(25), telephone varchar(25), url varchar(50)',
    rows: [
      [supplier, 'Mill Supplies Ltd', '9 Mill Lane', 'Leeds', 'United Kingdom', 'GB811111111'],
      ['OILS01', 'Oil & Grease SARL', '2 rue Basse', 'Lyon', 'France', 'FR40303265045'],
    ].map(([code = '', name = '', street = '', city = '', country = '', vat = '']) => [
      code,
      name,
      street,
      '',
      city,
      '',
      '',
      country,
      1,
      0,
      0,
      'EUR',
      '2024-03-01',
      '30',
      0,
      null,
      '',
      '',
      '',
      0,
      1,
      1,
      vat,
      '',
      '',
      'sales@mill.example',
      '',
      '+44 113 555 10',
      '',
    ]),
    foreign: {
      currcode: 'currencies.currabrev',
      paymentterms: 'paymentterms.termsindicator',
      taxgroupid: 'taxgroups.taxgroupid',
    },
  },
  supptrans: tableOf(
    bought,
    {
      'transno int': (_one, index) => index + 1,
      'type smallint': purchaseTypes.invoice,
      'supplierno varchar(10)': supplier,
      'suppreference varchar(20)': ({ id }) => `MS-${id}`,
      'trandate date': ({ date }) => date,
      'duedate date': ({ due }) => due,
      'inputdate datetime': ({ date }) => at(date),
      'settled tinyint': 0,
      'rate double': 1,
      'ovamount double': ({ lines }) =>
        round(lines.reduce((sum, line) => sum + line.quantity * 10 * round(line.price / 2), 0)),
      'ovgst double': ({ lines }) =>
        round(
          lines.reduce(
            (sum, line) =>
              sum + (line.quantity * 10 * round(line.price / 2) * line.item.rate) / 100,
            0,
          ),
        ),
      'diffonexch double, alloc double': 0,
      'transtext text': '',
      'hold tinyint': 0,
      '*id int': (_one, index) => index + 1,
    },
    { type: 'systypes.typeid', supplierno: 'suppliers.supplierid' },
  ),
  www_users: {
    columns:
      '*userid varchar(20), password text, realname varchar(35), customerid varchar(10), supplierid varchar(10), salesman char(3), phone varchar(30), ' +
      'email varchar(55), defaultlocation varchar(5), fullaccess int, lastvisitdate datetime, branchcode varchar(10), pagesize varchar(20), ' +
      'blocked tinyint, displayrecordsmax int, theme varchar(30), language varchar(10)',
    rows: [
      [
        user,
        '',
        'Paul Roy',
        '',
        '',
        '',
        '',
        'paul@pumps.example',
        depot,
        8,
        '2026-02-18 08:02:11',
        '',
        'A4',
        0,
        50,
        'xenos',
        'en_GB.utf8',
      ],
    ],
    foreign: { defaultlocation: 'locations.loccode' },
  },
};

/**
 * An invoice's lines are the moves of its stock, quantities below zero, by the type and a number that each type counts from 1;
 * what a customer pays and what is credited stand among the invoices; rates and discounts are fractions, the currency is the
 * customer's, and no day that it is due is kept (webERP 4.12). Names, keys and types: its SQL, sql/mysql/country_sql/default.sql.
 */
export const movesAsLines: Layout = {
  name: 'moves-as-lines',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    ...around,
    debtortrans: tableOf(
      [...sales, ...receipts],
      {
        '*id int': ({ id }) => id,
        'transno int': ({ transno }) => transno,
        'type smallint': ({ type }) => type,
        'debtorno varchar(10), branchcode varchar(10)': ({ one }) => one.customer.code,
        'trandate datetime': ({ one, type }) =>
          at(type === types.receipt ? one.due : one.date, '00:00:00'),
        'inputdate datetime': ({ one, type }) => at(type === types.receipt ? one.due : one.date),
        'prd smallint': ({ one, type }) => periodOf(type === types.receipt ? one.due : one.date),
        'settled tinyint': ({ one, type }) => (type === types.credit || !isPaid(one) ? 0 : 1),
        'reference varchar(20)': ({ type }) => (type === types.receipt ? 'Direct Credit' : ''),
        'tpe char(2)': ({ type }) => (type === types.receipt ? '' : 'WS'),
        'order_ int': ({ one, type }) => (type === types.receipt ? 0 : orderNo(one)),
        'rate double': 1,
        'ovamount double': ({ one, type, sign }) =>
          sign * (type === types.receipt ? one.gross : one.net),
        'ovgst double': ({ one, type, sign }) => (type === types.receipt ? 0 : sign * one.tax),
        'ovfreight double, ovdiscount double, diffonexch double': 0,
        'alloc double': ({ one, type }) => {
          if (type === types.credit || !isPaid(one)) return 0;
          return type === types.receipt ? -one.gross : one.gross;
        },
        'invtext text': ({ one }) => (one.id % 6 === 0 ? 'Thank you for your order' : ''),
        'shipvia int': ({ type }) => (type === types.receipt ? 0 : 1),
        'edisent tinyint': 0,
        'consignment varchar(20)': '',
        'packages int': 1,
        'salesperson varchar(4)': ({ type }) => (type === types.receipt ? '' : 'ROY'),
      },
      { type: 'systypes.typeid', prd: 'periods.periodno' },
    ),
    debtortranstaxes: tableOf(
      sales,
      {
        '*debtortransid int': ({ id }) => id,
        '*taxauthid tinyint': taxAuthority,
        'taxamount double': ({ one, sign }) => sign * one.tax,
      },
      { taxauthid: 'taxauthorities.taxid', debtortransid: 'debtortrans.id' },
    ),
    stockmoves: tableOf(
      moves,
      {
        '*stkmoveno int': ({ no }) => no,
        'stockid varchar(20)': ({ stockid }) => stockid,
        'type smallint': ({ type }) => type,
        'transno int': ({ transno }) => transno,
        'loccode varchar(5)': depot,
        'trandate date': ({ date }) => date,
        'userid varchar(20)': user,
        'debtorno varchar(10), branchcode varchar(10)': ({ debtor }) => debtor,
        'price decimal': ({ price }) => price,
        'prd smallint': ({ date }) => periodOf(date),
        'reference varchar(100)': ({ reference }) => reference,
        'qty double': ({ qty }) => qty,
        'discountpercent double': ({ discount }) => discount,
        'standardcost double': ({ cost }) => cost,
        'show_on_inv_crds tinyint': 1,
        'newqoh double': ({ no }) => 90 + (no % 40),
        'hidemovt tinyint': 0,
        'narrative text': ({ narrative }) => narrative,
      },
      {
        stockid: 'stockmaster.stockid',
        type: 'systypes.typeid',
        loccode: 'locations.loccode',
        prd: 'periods.periodno',
      },
    ),
    stockmovestaxes: tableOf(
      moves.filter(({ rate }) => rate !== undefined),
      {
        '*stkmoveno int': ({ no }) => no,
        '*taxauthid tinyint': taxAuthority,
        'taxrate double': ({ rate }) => rate!,
        'taxontax tinyint': 0,
        'taxcalculationorder tinyint': 1,
      },
      { taxauthid: 'taxauthorities.taxid', stkmoveno: 'stockmoves.stkmoveno' },
    ),
    salesorders: tableOf(
      invoices,
      {
        '*orderno int': orderNo,
        'debtorno varchar(10), branchcode varchar(10)': ({ customer }) => customer.code,
        'customerref varchar(50)': ({ order }) => order,
        'buyername varchar(50)': ({ customer }) => `${customer.first} ${customer.last}`,
        'comments longblob': '',
        'orddate date': ({ date }) => date,
        'ordertype char(2)': 'WS',
        'shipvia int': 1,
        'deladd1 varchar(40)': 'Dock 4',
        'deladd2 varchar(40)': '',
        'deladd3 varchar(40)': ({ customer }) => customer.city,
        'deladd4 varchar(40)': ({ customer }) => customer.state,
        'deladd5 varchar(20)': ({ customer }) => customer.zip,
        'deladd6 varchar(15)': ({ customer }) => customer.country.slice(0, 15),
        'contactphone varchar(25)': ({ customer }) => customer.phone,
        'contactemail varchar(40)': ({ customer }) => customer.email,
        'deliverto varchar(40)': ({ customer }) => customer.name,
        'deliverblind tinyint': 1,
        'freightcost double': 0,
        'fromstkloc varchar(5)': depot,
        'deliverydate date, confirmeddate date': ({ date }) => date,
        'printedpackingslip tinyint': ({ isDraft }) => (isDraft ? 0 : 1),
        'datepackingslipprinted date': ({ date, isDraft }) => (isDraft ? never : date),
        'quotation tinyint': ({ isDraft }) => (isDraft ? 1 : 0),
        'quotedate date': ({ date }) => date,
        'poplaced tinyint': 0,
        'salesperson varchar(4)': 'ROY',
      },
      { shipvia: 'shippers.shipper_id', fromstkloc: 'locations.loccode' },
    ),
    salesorderdetails: tableOf(
      byLine(invoices, (one, line) => ({ one, line })),
      {
        '*orderlineno int': ({ line }) => line.position - 1,
        '*orderno int': ({ one }) => orderNo(one),
        'stkcode varchar(20)': ({ line }) => line.item.code,
        'qtyinvoiced double': ({ one, line }) => (one.isDraft ? 0 : line.quantity),
        'unitprice double': ({ line }) => line.price,
        'quantity double': ({ line }) => line.quantity,
        'estimate tinyint': 0,
        'discountpercent double': ({ line }) => line.discount / 100,
        'actualdispatchdate datetime': ({ one }) => at(one.isDraft ? never : one.date, '00:00:00'),
        'completed tinyint': ({ one }) => (one.isDraft ? 0 : 1),
        'narrative text': '',
        'itemdue date': ({ one }) => one.date,
        'poline varchar(10)': '0',
      },
      { orderno: 'salesorders.orderno', stkcode: 'stockmaster.stockid' },
    ),
    debtorsmaster: tableOf(
      customers,
      {
        '*debtorno varchar(10)': ({ code }) => code,
        'name varchar(40)': ({ name }) => name,
        'address1 varchar(40)': ({ street }) => street,
        'address2 varchar(40)': '',
        'address3 varchar(40)': ({ city }) => city,
        'address4 varchar(50)': ({ state }) => state,
        'address5 varchar(20)': ({ zip }) => zip,
        'address6 varchar(40)': ({ country }) => country,
        'currcode char(3)': 'EUR',
        'salestype char(2)': 'WS',
        'clientsince datetime': at('2024-03-01', '00:00:00'),
        'holdreason smallint': 1,
        'paymentterms char(2)': ({ id }) => (id % 4 === 0 ? 'CA' : '30'),
        'discount double, pymtdiscount double, lastpaid double': 0,
        'lastpaiddate datetime': null,
        'creditlimit double': 25_000,
        'invaddrbranch tinyint': 0,
        'discountcode char(2)': '',
        'ediinvoices tinyint, ediorders tinyint': 0,
        'edireference varchar(20)': '',
        'editransport varchar(5)': 'email',
        'ediaddress varchar(50), ediserveruser varchar(20), ediserverpwd varchar(20)': '',
        'taxref varchar(20)': ({ vat }) => vat,
        'customerpoline tinyint': 0,
        'typeid tinyint': 1,
        'language_id varchar(10)': 'en_GB.utf8',
      },
      {
        holdreason: 'holdreasons.reasoncode',
        currcode: 'currencies.currabrev',
        paymentterms: 'paymentterms.termsindicator',
        salestype: 'salestypes.typeabbrev',
      },
    ),
    custbranch: tableOf(
      customers,
      {
        '*branchcode varchar(10), *debtorno varchar(10)': ({ code }) => code,
        'brname varchar(40)': ({ name }) => name,
        'braddress1 varchar(40)': ({ street }) => street,
        'braddress2 varchar(40)': '',
        'braddress3 varchar(40)': ({ city }) => city,
        'braddress4 varchar(50)': ({ state }) => state,
        'braddress5 varchar(20)': ({ zip }) => zip,
        'braddress6 varchar(40)': ({ country }) => country,
        'lat float, lng float': 0,
        'estdeliverydays smallint': 1,
        'area char(3)': 'EU',
        'salesman varchar(4)': 'ROY',
        'fwddate smallint': 0,
        'phoneno varchar(20)': ({ phone }) => phone,
        'faxno varchar(20)': '',
        'contactname varchar(30)': ({ first, last }) => `${first} ${last}`,
        'email varchar(55)': ({ email }) => email,
        'defaultlocation varchar(5)': depot,
        'taxgroupid tinyint, defaultshipvia int, deliverblind tinyint': 1,
        'disabletrans tinyint': 0,
        'brpostaddr1 varchar(40), brpostaddr2 varchar(40), brpostaddr3 varchar(40)': '',
        'brpostaddr4 varchar(50), brpostaddr5 varchar(20), brpostaddr6 varchar(40)': '',
        'specialinstructions text, custbranchcode varchar(30)': '',
      },
      {
        debtorno: 'debtorsmaster.debtorno',
        salesman: 'salesman.salesmancode',
        defaultlocation: 'locations.loccode',
        defaultshipvia: 'shippers.shipper_id',
        taxgroupid: 'taxgroups.taxgroupid',
      },
    ),
    stockmaster: tableOf(
      items,
      {
        '*stockid varchar(20)': ({ code }) => code,
        'categoryid varchar(6)': 'PUMPS',
        'description varchar(50)': ({ name }) => name,
        'longdescription text': ({ name }) => `${name}, boxed`,
        'units varchar(20)': ({ unit }) => unitNames[unit]!,
        'mbflag char(1)': ({ unit }) => (unit === 'HR' ? 'D' : 'B'),
        'actualcost decimal, lastcost decimal, materialcost decimal': ({ price }) =>
          round(price / 2),
        'labourcost decimal, overheadcost decimal': 0,
        'lowestlevel smallint, discontinued tinyint, controlled tinyint, eoq double': 0,
        'volume decimal, grossweight decimal': 0,
        'barcode varchar(50), discountcategory char(2)': '',
        'taxcatid tinyint': ({ rate }) => taxCategory(rate),
        'serialised tinyint': 0,
        'appendfile varchar(40)': 'none',
        'perishable tinyint, decimalplaces tinyint, pansize double, shrinkfactor double': 0,
        'nextserialno bigint, netweight decimal': 0,
        'lastcostupdate date': never,
      },
      { categoryid: 'stockcategory.categoryid', taxcatid: 'taxcategories.taxcatid' },
    ),
    currencies: {
      columns:
        'currency char(20), *currabrev char(3), country char(50), hundredsname char(15), decimalplaces tinyint, rate double, webcart tinyint',
      rows: [
        ['Euro', 'EUR', 'Euroland', 'Cents', 2, 1, 1],
        ['US Dollars', 'USD', 'United States', 'Cents', 2, 1.08, 1],
        ['Pounds', 'GBP', 'England', 'Pence', 2, 0.86, 0],
      ],
    },
    paymentterms: {
      columns:
        '*termsindicator char(2), terms char(40), daysbeforedue smallint, dayinfollowingmonth smallint',
      rows: [
        ['20', 'Due 20th Of the Following Month', 0, 22],
        ['30', 'Due By End Of The Following Month', 0, 30],
        ['CA', 'Cash Only', 2, 0],
      ],
    },
    systypes: {
      columns: '*typeid smallint, typename char(50), typeno int',
      rows: [
        [0, 'Journal - GL', 8],
        [types.invoice, 'Sales Invoice', bills.length],
        [types.credit, 'Credit Note', credits.length],
        [types.receipt, 'Receipt', receipts.length],
        [types.transfer, 'Location Transfer', 4],
        [types.adjustment, 'Stock Adjustment', 4],
        [purchaseTypes.order, 'Purchase Order', bought.length],
        [purchaseTypes.invoice, 'Purchase Invoice', bought.length],
        [purchaseTypes.payment, 'Creditors Payment', 0],
        [purchaseTypes.delivery, 'Purchase Order Delivery', bought.length],
        [types.order, 'Sales Order', invoices.length],
      ],
    },
    taxauthorities: {
      columns:
        '*taxid tinyint, description varchar(20), taxglcode varchar(20), purchtaxglaccount varchar(20), bank varchar(50), bankacctype varchar(20), bankacc varchar(50), bankswift varchar(30)',
      rows: [[taxAuthority, 'VAT', '2310', '2310', '', '', '', '']],
      foreign: {
        taxglcode: 'chartmaster.accountcode',
        purchtaxglaccount: 'chartmaster.accountcode',
      },
    },
    taxauthrates: {
      columns:
        '*taxauthority tinyint, *dispatchtaxprovince tinyint, *taxcatid tinyint, taxrate double',
      rows: [
        [taxAuthority, 1, 1, 0.2],
        [taxAuthority, 1, 4, 0],
        [taxAuthority, 1, 5, 0.2],
      ],
      foreign: {
        taxauthority: 'taxauthorities.taxid',
        taxcatid: 'taxcategories.taxcatid',
        dispatchtaxprovince: 'taxprovinces.taxprovinceid',
      },
    },
    taxcategories: {
      columns: '*taxcatid tinyint, taxcatname varchar(30)',
      rows: [
        [1, 'Taxable supply'],
        [4, 'Exempt'],
        [5, 'Freight'],
      ],
    },
    taxgroups: {
      columns: '*taxgroupid tinyint, taxgroupdescription varchar(30)',
      rows: [[1, 'Default']],
    },
    taxprovinces: {
      columns: '*taxprovinceid tinyint, taxprovincename varchar(30)',
      rows: [[1, 'Default Tax province']],
    },
  },
  sections: {
    header: { table: 'debtortrans', key: 'id', match: 'transno', where: { type: '10' } },
    lines: {
      table: 'stockmoves',
      key: 'stkmoveno',
      match: 'transno',
      matchFrom: 'transno',
      where: { type: '10' },
    },
    customer: {
      table: 'debtorsmaster',
      key: 'debtorno',
      match: 'debtorno',
      matchFrom: 'debtorno',
    },
  },
  // Prices of moves are in the books' currency, which is that of all customers here.
  fields: {
    number: 'debtortrans.transno',
    issue_date: 'debtortrans.trandate|debtortrans.inputdate!date',
    currency:
      'debtorsmaster.currcode|currencies.currabrev|currencies.currency!map|currencies.country!map',
    'exchange_rate.rate': 'debtortrans.rate|currencies.rate',
    purchase_order: 'salesorders.customerref',
    buyer_reference: 'salesorders.customerref',
    'notes[]': 'debtortrans.invtext',
    'delivery.date': 'salesorders.deliverydate|debtortrans.trandate|stockmoves.trandate',
    'payment_terms[].note': 'paymentterms.terms',
    'totals.net': 'debtortrans.ovamount',
    'totals.lines': 'debtortrans.ovamount',
    'totals.tax': 'debtortrans.ovgst|debtortranstaxes.taxamount',
    'tax_breakdown[].amount': 'debtortranstaxes.taxamount',
    'buyer.name': 'debtorsmaster.name|custbranch.brname|salesorders.deliverto',
    'buyer.trn': 'debtorsmaster.taxref',
    'PINT-MY:buyer.identifiers[].id': 'debtorsmaster.taxref',
    'buyer.address.line1': 'debtorsmaster.address1|custbranch.braddress1',
    'buyer.address.line2': 'debtorsmaster.address2|custbranch.braddress2',
    'buyer.address.city': 'debtorsmaster.address3|custbranch.braddress3',
    'buyer.address.subdivision': 'debtorsmaster.address4|custbranch.braddress4',
    'buyer.address.post_code': 'debtorsmaster.address5|custbranch.braddress5',
    'buyer.address.country': 'debtorsmaster.address6!map|custbranch.braddress6!map',
    'buyer.contact.name': 'custbranch.contactname|custcontacts.contactname|salesorders.buyername',
    'buyer.contact.phone': 'custbranch.phoneno|custcontacts.phoneno|salesorders.contactphone',
    'buyer.contact.email': 'custbranch.email|custcontacts.email|salesorders.contactemail',
    'lines[].id': 'stockmoves.stkmoveno',
    'lines[].sku': 'stockmoves.stockid',
    'lines[].name': 'stockmaster.description|stockmaster.longdescription',
    'lines[].description':
      'stockmaster.description|stockmaster.longdescription|stockmoves.narrative',
    'lines[].qty': 'stockmoves.qty!negate,abs,multiply',
    'lines[].unit': 'stockmaster.units!map',
    'lines[].unit_price': 'stockmoves.price',
    'lines[].gross_price': 'stockmoves.price',
    'lines[].allowances[].percent': 'stockmoves.discountpercent!multiply',
    'lines[].tax.rate': 'stockmovestaxes.taxrate!multiply|taxauthrates.taxrate!multiply',
    'lines[].tax.category':
      'stockmovestaxes.taxrate!map|stockmaster.taxcatid!map|taxcategories.taxcatname!map|taxauthrates.taxrate!map',
  },
};
