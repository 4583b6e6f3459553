import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { bills, byLine, customers, done, type Invoice, invoices, items } from './trade.ts';

type Line = Invoice['lines'][number];
type Customer = Invoice['customer'];

const round = (value: number) => Math.round(value * 100) / 100;
const sum = (values: readonly number[]) => round(values.reduce((all, value) => all + value, 0));
const dirhams = 3.6725;
const rateOf = ({ item }: Line) => (item.rate === 0 ? 0 : 5);
const vatOf = (line: Line) => round((line.net * rateOf(line)) / 100);
const vat = (one: Invoice) => sum(one.lines.map(vatOf));
const net = (one: Invoice) => round(one.net + vat(one));
const amount = (line: Line) => round(line.quantity * line.price);
const full = (one: Invoice) => sum(one.lines.map(amount));
const isReturn = ({ kind }: Invoice) => kind === 'credit';
const isCancelled = ({ id, kind }: Invoice) => kind === 'invoice' && id % 16 === 2;
const isPaid = ({ id }: Invoice) => id % 3 === 0;
const isDollars = ({ currency }: Invoice) => currency === 'USD';
const day = (date: string) => at(date, '00:00:00');
const ledger = ({ id }: Customer) => id + 200;
const emirates = ['Dubai', 'Sharjah', 'Abu Dhabi', 'Ajman', 'Ras Al Khaimah'] as const;
const emirate = ({ id }: Customer) => id % emirates.length;
const trn = ({ id }: Customer) => `100${String(id * 6_133).padStart(9, '2')}003`;
const units: readonly string[] = ['PCS', 'M', 'HR', 'L', 'KG'];
const unitNames = ['Pcs', 'Mtr', 'Hour', 'Ltr', 'Kgs'] as const;
const unitId = (unit: string) => units.indexOf(unit) + 1;
const arabicItems: Readonly<Record<string, string>> = {
  'PUMP-50': 'مضخة مياه',
  'HOSE-10': 'خرطوم ١٠ متر',
  'VALV-2': 'صمام',
  'SERV-H': 'تركيب',
  'BOOK-1': 'كتيب',
  'OIL-5': 'زيت ٥ لتر',
  'FILT-3': 'فلتر',
  'BOLT-9': 'براغي',
  'GUID-2': 'دليل',
  'CLMP-7': 'مشبك',
};

const sales = invoices.filter((one) => !isReturn(one));
const returns = done.filter(isReturn);
const billNo = ({ id }: Invoice) => id - 3500;
const entered = {
  'UserID int': 2,
  'SysName varchar(50)': 'COUNTER-2',
  'SysDate datetime': ({ date }: Invoice) => at(date, '18:22:09'),
  'EditUserID int, EditDate datetime': null,
};
const userFields = {
  'Text1 nvarchar(100), Text2 nvarchar(100), Text3 nvarchar(100)': '',
  'Num1 float, Num2 float': 0,
} as const;
const yearOf = { 'FinYearID int': 9, 'BranchID int': 1, 'CompID int': 1 } as const;

const heads = {
  'GrossTotal decimal': full,
  'ItemDisc decimal': (one: Invoice) => round(full(one) - one.net),
  'BillDiscPer decimal, BillDiscAmt decimal, AddChrgs decimal': 0,
  'TaxableAmt decimal': (one: Invoice) => one.net,
  'VATAmt decimal': vat,
  'RoundOff decimal': 0,
  'NetAmount decimal': net,
};
interface Sold {
  readonly one: Invoice;
  readonly line: Line;
}
const details = {
  'SlNo int': ({ line }: Sold) => line.position,
  'ItemID int': ({ line }: Sold) => line.item.id,
  'ItemCode varchar(30)': ({ line }: Sold) => line.item.code,
  'ItemName nvarchar(200)': ({ line }: Sold) => line.item.name,
  'ItemDesc nvarchar(500)': '',
  'UnitID int': ({ line }: Sold) => unitId(line.item.unit),
  'ConvFactor float': 1,
  'Qty float': ({ line }: Sold) => line.quantity,
  'FreeQty float': 0,
  'Rate decimal': ({ line }: Sold) => line.price,
  'GrossAmt decimal': ({ line }: Sold) => amount(line),
  'DiscPer decimal': ({ line }: Sold) => line.discount,
  'DiscAmt decimal': ({ line }: Sold) => round(amount(line) - line.net),
  'NetAmt decimal': ({ line }: Sold) => line.net,
  'VATCatID int': ({ line }: Sold) => (line.item.rate === 0 ? 2 : 1),
  'VATPer decimal': ({ line }: Sold) => rateOf(line),
  'VATAmt decimal': ({ line }: Sold) => vatOf(line),
  'TotalAmt decimal': ({ line }: Sold) => round(line.net + vatOf(line)),
  'CostRate decimal': ({ line }: Sold) => round(line.item.price / 2),
  'GodownID int': 1,
  'BatchNo varchar(30), SerialNos ntext': '',
  'ExpDate datetime': null,
};
const soldBy = (all: readonly Invoice[]) => byLine(all, (one, line) => ({ one, line }));
const bought = bills.slice(0, 15);
const cost = (line: Line) => round(line.price / 2);
const costOf = (one: Invoice) => sum(one.lines.map((line) => round(line.quantity * cost(line))));
const inputVat = (one: Invoice) =>
  sum(one.lines.map((line) => round((line.quantity * cost(line) * rateOf(line)) / 100)));

interface Posting {
  readonly one: Invoice;
  readonly type: string;
  readonly account: number;
  readonly debit: number;
  readonly credit: number;
  readonly date: string;
}
const postings: readonly Posting[] = [
  ...sales
    .filter((one) => !one.isDraft && !isCancelled(one))
    .flatMap((one) => {
      const entry = { one, type: 'SI', date: one.date };
      return [
        { ...entry, account: ledger(one.customer), debit: net(one), credit: 0 },
        { ...entry, account: 11, debit: 0, credit: one.net },
        { ...entry, account: 13, debit: 0, credit: vat(one) },
      ];
    }),
  ...returns.flatMap((one) => {
    const entry = { one, type: 'SR', date: one.date };
    return [
      { ...entry, account: ledger(one.customer), debit: 0, credit: net(one) },
      { ...entry, account: 12, debit: one.net, credit: 0 },
      { ...entry, account: 13, debit: vat(one), credit: 0 },
    ];
  }),
  ...bills
    .filter((one) => isPaid(one) && !isCancelled(one))
    .flatMap((one) => {
      const entry = { one, type: 'RV', date: one.due };
      return [
        { ...entry, account: 2, debit: net(one), credit: 0 },
        { ...entry, account: ledger(one.customer), debit: 0, credit: net(one) },
      ];
    }),
];

const noAddress = {
  address: '',
  city: '',
  email: '',
  tel: '',
  person: '',
  taxNumber: '',
  licence: '',
  box: '',
  place: null,
  arabic: '',
};
const ledgers = [
  { id: 1, code: 'CASH', name: 'Cash in hand', group: 3, ...noAddress },
  { id: 2, code: 'ENBD', name: 'Emirates NBD', group: 4, ...noAddress },
  { id: 11, code: 'SALES', name: 'Sales A/c', group: 7, ...noAddress },
  { id: 12, code: 'SRET', name: 'Sales Return A/c', group: 7, ...noAddress },
  { id: 13, code: 'VATOUT', name: 'VAT Output', group: 9, ...noAddress },
  { id: 14, code: 'VATIN', name: 'VAT Input', group: 9, ...noAddress },
  { id: 15, code: 'PURCH', name: 'Purchase A/c', group: 8, ...noAddress },
  ...customers.map((one) => ({
    id: ledger(one),
    code: one.code,
    name: one.name,
    group: 5,
    address: one.street,
    city: one.city,
    email: one.email,
    tel: one.phone,
    person: `${one.first} ${one.last}`,
    taxNumber: trn(one),
    licence: `${540_000 + one.id}`,
    box: String(20_400 + one.id * 31),
    place: emirate(one) + 1,
    arabic: one.id % 4 === 0 ? 'شركة الخليج' : '',
  })),
  {
    ...noAddress,
    id: 401,
    code: 'S001',
    name: 'Mill Supplies LLC',
    group: 6,
    address: 'Al Quoz Ind 3',
    city: 'Dubai',
    taxNumber: '100377700500003',
    place: 1,
  },
  {
    ...noAddress,
    id: 402,
    code: 'S002',
    name: 'Creek Metals',
    group: 6,
    address: 'Deira',
    city: 'Dubai',
    taxNumber: '100377700600003',
    place: 1,
  },
];

const beside: Readonly<Record<string, LayoutTable>> = {
  tblPurchaseMaster: tableOf(bought, {
    '*PurchaseID int': ({ id }) => id - 3900,
    'PurNo int': ({ id }) => id - 3900,
    'PurDate datetime': ({ date }) => day(date),
    'SuppInvNo nvarchar(50)': ({ id }) => `MS-${id}`,
    'SuppInvDate datetime': ({ date }) => day(date),
    'LedgerID int': ({ id }) => (id % 2 === 0 ? 401 : 402),
    'PayMode varchar(10)': 'Credit',
    'CrDays int': 60,
    'DueDate datetime': ({ due }) => day(due),
    'CurrencyID int': 1,
    'CurRate float': 1,
    'GrossTotal decimal, TaxableAmt decimal': costOf,
    'ItemDisc decimal, BillDiscAmt decimal, RoundOff decimal, AddCost decimal': 0,
    'VATAmt decimal': inputVat,
    'NetAmount decimal': (one) => round(costOf(one) + inputVat(one)),
    'RevChrg bit': 0,
    'Narration nvarchar(500)': '',
    'IsPosted bit': 1,
    'IsCancelled bit': 0,
    ...yearOf,
    ...entered,
  }),
  tblPurchaseDetails: tableOf(soldBy(bought), {
    '*PurDetID int': ({ line }) => line.id - 80_000,
    'PurchaseID int': ({ one }) => one.id - 3900,
    ...details,
    'Rate decimal': ({ line }) => cost(line),
    'GrossAmt decimal': ({ line }) => round(line.quantity * cost(line)),
    'DiscPer decimal': 0,
    'DiscAmt decimal': 0,
    'NetAmt decimal': ({ line }) => round(line.quantity * cost(line)),
    'VATAmt decimal': ({ line }) => round((line.quantity * cost(line) * rateOf(line)) / 100),
    'TotalAmt decimal': ({ line }) => round(line.quantity * cost(line) * (1 + rateOf(line) / 100)),
  }),
  tblQuotationMaster: tableOf(invoices.slice(0, 10), {
    '*QuotID int': ({ id }) => id - 3900,
    'QuotNo int': ({ id }) => id - 3900,
    'QuotDate datetime': ({ date }) => day(date),
    'LedgerID int': ({ customer }) => ledger(customer),
    'CustName nvarchar(150)': ({ customer }) => customer.name,
    'Attn nvarchar(100)': ({ customer }) => `${customer.first} ${customer.last}`,
    'Subject nvarchar(200)': 'Supply of pumps',
    'Validity nvarchar(50)': '15 days',
    'PayTerms nvarchar(100)': '50% advance',
    ...heads,
    'IsCancelled bit': 0,
    ...yearOf,
    ...entered,
  }),
  tblQuotationDetails: tableOf(soldBy(invoices.slice(0, 10)), {
    '*QuotDetID int': ({ line }) => line.id - 85_000,
    'QuotID int': ({ one }) => one.id - 3900,
    ...details,
  }),
  tblDeliveryMaster: tableOf(sales, {
    '*DelID int': ({ id }) => id - 3800,
    'DONo int': ({ id }) => id - 3800,
    'DODate datetime': ({ date }) => day(date),
    'LedgerID int': ({ customer }) => ledger(customer),
    'LPONo nvarchar(50)': ({ order }) => order,
    'SalesID int': ({ id }) => id - 4000,
    'VehicleNo varchar(20)': 'DXB 41177',
    'DriverName nvarchar(50)': 'Iqbal',
    'IsCancelled bit': 0,
    ...yearOf,
    ...entered,
  }),
  tblDeliveryDetails: tableOf(soldBy(sales), {
    '*DelDetID int': ({ line }) => line.id - 70_000,
    'DelID int': ({ one }) => one.id - 3800,
    'SlNo int': ({ line }) => line.position,
    'ItemID int': ({ line }) => line.item.id,
    'UnitID int': ({ line }) => unitId(line.item.unit),
    'Qty float, InvQty float': ({ line }) => line.quantity,
    'GodownID int': 1,
  }),
  // Kept from the years before there was a tax.
  tblSalesMaster_2017: tableOf(bills.slice(0, 8), {
    'SalesID int': ({ id }) => id - 4000,
    'InvNo int': ({ id }) => id - 3990,
    'InvDate datetime': ({ date }) => day(date.replace('2026', '2017')),
    'LedgerID int': ({ customer }) => ledger(customer),
    'SalesManID int': 1,
    'LPONo nvarchar(50)': '',
    'GrossTotal decimal': full,
    'BillDiscAmt decimal': (one) => round(full(one) - one.net),
    'NetAmount decimal': ({ net: total }) => total,
    'Narration nvarchar(500)': '',
    'UserID int': 1,
  }),
  tblLedgerPosting: tableOf(postings, {
    '*PostID int': (_row, index) => index + 1,
    'VchType varchar(5)': ({ type }) => type,
    'VchNo int': ({ one, type }) => (type === 'SI' ? billNo(one) : one.id - 4000),
    'VchID int': ({ one }) => one.id - 4000,
    'VchDate datetime': ({ date }) => day(date),
    'LedgerID int': ({ account }) => account,
    'Debit decimal': ({ debit }) => debit,
    'Credit decimal': ({ credit }) => credit,
    'Narration nvarchar(500)': ({ one, type }) =>
      type === 'SI' ? `Sales Inv No ${billNo(one)}` : '',
    'ChqNo varchar(20)': '',
    'ChqDate datetime': null,
    'CostCentreID int': 0,
    ...yearOf,
  }),
  tblReceiptMaster: tableOf(
    bills.filter((one) => isPaid(one) && !isCancelled(one)),
    {
      '*ReceiptID int': ({ id }) => id - 4000,
      'RctNo int': ({ id }) => id - 4000,
      'RctDate datetime': ({ due }) => day(due),
      'LedgerID int': ({ customer }) => ledger(customer),
      'CashBankID int': 2,
      'RctType varchar(10)': ({ id }) => (id % 2 === 0 ? 'PDC' : 'Cash'),
      'ChqNo varchar(20)': ({ id }) => (id % 2 === 0 ? String(100_000 + id) : ''),
      'ChqDate datetime': ({ due }) => day(due),
      'Amount decimal': net,
      'Narration nvarchar(500)': '',
      'IsCancelled bit': 0,
      ...yearOf,
      ...entered,
    },
  ),
  tblReceiptDetails: tableOf(
    bills.filter((one) => isPaid(one) && !isCancelled(one)),
    {
      '*RctDetID int': ({ id }) => id - 3000,
      'ReceiptID int, SalesID int': ({ id }) => id - 4000,
      'InvNo int': billNo,
      'InvAmt decimal, PaidAmt decimal': net,
      'DiscAmt decimal': 0,
    },
  ),
  tblPaymentMaster: tableOf(bought.slice(0, 6), {
    '*PaymentID int': ({ id }) => id - 4000,
    'PayNo int': ({ id }) => id - 4000,
    'PayDate datetime': ({ due }) => day(due),
    'LedgerID int': 401,
    'CashBankID int': 2,
    'Amount decimal': (one) => round(costOf(one) + inputVat(one)),
    'ChqNo varchar(20)': ({ id }) => String(500_000 + id),
    'Narration nvarchar(500)': '',
    ...yearOf,
  }),
  tblJournalMaster: {
    columns:
      '*JournalID int, JVNo int, JVDate datetime, Amount decimal, Narration nvarchar(500), UserID int, FinYearID int',
    rows: [[1, 1, '2026-01-31 00:00:00', 1200, 'Rent for the month', 2, 9]],
  },
  tblPDC: tableOf(
    bills.filter((one) => isPaid(one) && one.id % 2 === 0),
    {
      '*PDCID int': ({ id }) => id - 4000,
      'LedgerID int': ({ customer }) => ledger(customer),
      'ChqNo varchar(20)': ({ id }) => String(100_000 + id),
      'ChqDate datetime': ({ due }) => day(due),
      'BankName nvarchar(50)': 'Mashreq',
      'Amount decimal': net,
      'Staus varchar(10)': 'Pending',
    },
  ),
  tblStockLedger: tableOf(
    [
      ...soldBy(sales).map((each) => ({ ...each, type: 'SI', quantity: -each.line.quantity })),
      ...soldBy(bought).map((each) => ({ ...each, type: 'PI', quantity: each.line.quantity })),
    ],
    {
      '*StkID int': (_row, index) => index + 1,
      'VchType varchar(5)': ({ type }) => type,
      'VchID int': ({ one }) => one.id - 4000,
      'TranDate datetime': ({ one }) => day(one.date),
      'ItemID int': ({ line }) => line.item.id,
      'GodownID int': 1,
      'QtyIn float': ({ quantity }) => Math.max(quantity, 0),
      'QtyOut float': ({ quantity }) => Math.max(-quantity, 0),
      'Rate decimal': ({ line }) => cost(line),
    },
  ),
};

const masters: Readonly<Record<string, LayoutTable>> = {
  tblAccountGroup: {
    columns:
      '*GroupID int, GroupName nvarchar(50), GroupNameAr nvarchar(50), ParentID int, Nature varchar(20), IsSystem bit',
    rows: [
      [1, 'Assets', 'الأصول', 0, 'Assets', 1],
      [2, 'Liabilities', 'الخصوم', 0, 'Liabilities', 1],
      [3, 'Cash-in-hand', 'النقد', 1, 'Assets', 1],
      [4, 'Bank Accounts', 'البنوك', 1, 'Assets', 1],
      [5, 'Sundry Debtors', 'المدينون', 1, 'Assets', 1],
      [6, 'Sundry Creditors', 'الدائنون', 2, 'Liabilities', 1],
      [7, 'Sales Accounts', 'المبيعات', 0, 'Income', 1],
      [8, 'Purchase Accounts', 'المشتريات', 0, 'Expense', 1],
      [9, 'Duties & Taxes', 'الضرائب', 2, 'Liabilities', 1],
    ],
  },
  tblItemMaster: tableOf(items, {
    '*ItemID int': ({ id }) => id,
    'ItemCode varchar(30)': ({ code }) => code,
    'BarCode varchar(30)': ({ id }) => `62910000${String(id).padStart(5, '0')}`,
    'ItemName nvarchar(200)': ({ name }) => name,
    'ItemNameAr nvarchar(200)': ({ code }) => arabicItems[code]!,
    'ItmGroupID int': 1,
    'BrandID int': 0,
    'UnitID int': ({ unit }) => unitId(unit),
    'PurRate decimal, CostRate decimal': ({ price }) => round(price / 2),
    'SalesRate decimal': ({ price }) => price,
    'WSaleRate decimal': ({ price }) => round(price * 0.9),
    'MinRate decimal, MRP decimal': 0,
    'VATCatID int': ({ rate }) => (rate === 0 ? 2 : 1),
    'ReOrdLevel float, OpenStock float': 0,
    'IsService bit': ({ unit }) => (unit === 'HR' ? 1 : 0),
    'Origin nvarchar(30), HSCode varchar(20), PhotoPath nvarchar(200)': '',
    'Active bit': 1,
  }),
  tblItemGroup: {
    columns: '*ItmGroupID int, ItmGroupName nvarchar(50), ItmGroupNameAr nvarchar(50)',
    rows: [[1, 'General', 'عام']],
  },
  tblUnit: tableOf(units, {
    '*UnitID int': (unit) => unitId(unit),
    'UnitName nvarchar(20)': (_unit, index) => unitNames[index]!,
    'UnitNameAr nvarchar(20)': (_unit, index) => ['حبة', 'متر', 'ساعة', 'لتر', 'كيلو'][index]!,
    'DecPlaces int': 2,
  }),
  tblItemUnits: tableOf(items, {
    '*ItmUnitID int': ({ id }) => id + 500,
    'ItemID int': ({ id }) => id,
    'UnitID int': ({ unit }) => unitId(unit),
    'ConvFactor float': 1,
    'SalesRate decimal': ({ price }) => price,
    'BarCode varchar(30)': '',
  }),
  tblVATCategory: {
    columns:
      '*VATCatID int, VATCatName nvarchar(50), VATPer decimal, VATCode varchar(5), EffDate datetime',
    rows: [
      [1, 'Standard Rate', 5, 'SR', '2018-01-01 00:00:00'],
      [2, 'Zero Rate', 0, 'ZR', '2018-01-01 00:00:00'],
      [3, 'Exempted', 0, 'EX', '2018-01-01 00:00:00'],
      [4, 'Out of Scope', 0, 'OS', '2018-01-01 00:00:00'],
    ],
  },
  tblCurrency: {
    columns:
      '*CurrencyID int, CurCode varchar(5), CurName nvarchar(30), CurNameAr nvarchar(30), SubUnit nvarchar(20), CurRate float',
    rows: [
      [1, 'AED', 'UAE Dirham', 'درهم', 'Fils', 1],
      [2, 'USD', 'US Dollar', 'دولار', 'Cents', dirhams],
    ],
  },
  tblEmirate: {
    columns: '*EmirateID int, EmirateName nvarchar(30), EmirateNameAr nvarchar(30)',
    rows: emirates.map((name, index) => [
      index + 1,
      name,
      ['دبي', 'الشارقة', 'أبو ظبي', 'عجمان', 'رأس الخيمة'][index]!,
    ]),
  },
  tblGodown: {
    columns: '*GodownID int, GodownName nvarchar(50), Location nvarchar(100)',
    rows: [
      [1, 'Main Store', 'Al Quoz'],
      [2, 'Showroom', 'Deira'],
    ],
  },
  tblSalesMan: {
    columns:
      '*SalesManID int, SalesManName nvarchar(50), Mobile varchar(20), CommPer decimal, Active bit',
    rows: [
      [1, 'Raj Patel', '050 5551001', 1, 1],
      [2, 'Omar Said', '050 5551002', 1, 1],
    ],
  },
  tblCompany: {
    columns:
      '*CompID int, CompName nvarchar(100), CompNameAr nvarchar(100), Address1 nvarchar(100), POBox varchar(20), City nvarchar(50), Tel varchar(30), Email varchar(50), TRNNo varchar(20), LogoPath nvarchar(200)',
    rows: [
      [
        1,
        'Gulf Pumps Trading LLC',
        'الخليج لتجارة المضخات',
        'Shop 4, Al Quoz',
        '11822',
        'Dubai',
        '04 555 7000',
        'info@gulfpumps.example',
        '100234500900003',
        'D:\\Soft\\logo.bmp',
      ],
    ],
  },
  tblFinYear: {
    columns:
      '*FinYearID int, YearName varchar(20), FromDate datetime, ToDate datetime, IsClosed bit',
    rows: [
      [8, '2025', '2025-01-01 00:00:00', '2025-12-31 00:00:00', 1],
      [9, '2026', '2026-01-01 00:00:00', '2026-12-31 00:00:00', 0],
    ],
  },
  tblUserMaster: {
    columns:
      '*UserID int, UserName nvarchar(30), Passwd nvarchar(50), UserType varchar(20), Active bit, LastLogin datetime',
    rows: [
      [1, 'admin', '****', 'Admin', 1, at('2026-02-01')],
      [2, 'counter', '****', 'User', 1, at('2026-02-01')],
    ],
  },
  tblVoucherNos: {
    columns:
      '*VchType varchar(5), VchName nvarchar(30), Prefix varchar(10), LastNo int, FinYearID int',
    rows: [
      ['SI', 'Sales Invoice', 'SI', 545, 9],
      ['SR', 'Sales Return', 'SR', 41, 9],
      ['PI', 'Purchase Invoice', 'PI', 115, 9],
      ['RV', 'Receipt Voucher', 'RV', 43, 9],
    ],
  },
  tblSettings: {
    columns: '*SetID int, SetName varchar(50), SetValue nvarchar(100)',
    rows: [
      [1, 'VATEnabled', '1'],
      [2, 'DefaultVAT', '5'],
      [3, 'DecPlaces', '2'],
      [4, 'NegStock', '0'],
    ],
  },
  tblErrorLog: {
    columns: '*ErrID int, ErrDate datetime, FormName varchar(50), ErrMsg nvarchar(500), UserID int',
    rows: [[1, at('2026-01-12'), 'frmSales', 'Invalid use of Null', 2]],
  },
};

/**
 * As small software houses of the Gulf write trading systems in Visual Basic over SQL Server: customers, suppliers, banks and
 * taxes are all ledgers; columns of value added tax came in 2018; names in Arabic beside; returns in tables of their own; no key
 * is declared. Home-made, after no one system.
 */
export const ledgerCustomers: Layout = {
  name: 'ledger-customers',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    ...masters,
    ...beside,
    tblSalesMaster: tableOf(sales, {
      '*SalesID int': ({ id }) => id - 4000,
      'InvPrefix varchar(10)': 'SI',
      'InvNo int': billNo,
      'InvDate datetime': ({ date }) => day(date),
      'InvTime varchar(10)': '06:22 PM',
      'PayMode varchar(10)': ({ id }) => (id % 4 === 0 ? 'Cash' : 'Credit'),
      'LedgerID int': ({ customer }) => ledger(customer),
      'CashCustName nvarchar(150), CashCustTel varchar(30), CashCustTRN varchar(20)': '',
      'SalesManID int': ({ id }) => (id % 2) + 1,
      'LPONo nvarchar(50)': ({ order }) => order,
      'LPODate datetime': ({ order, date }) => (order === '' ? null : day(date)),
      'DONo nvarchar(50)': ({ id }) => String(id - 3800),
      'DODate datetime': ({ date }) => day(date),
      'QuotNo int': 0,
      'CrDays int': 30,
      'DueDate datetime': ({ due }) => day(due),
      'CurrencyID int': (one) => (isDollars(one) ? 2 : 1),
      'CurRate float': (one) => (isDollars(one) ? dirhams : 1),
      ...heads,
      'PaidAmt decimal': (one) => (isPaid(one) ? net(one) : 0),
      'BalAmt decimal': (one) => (isPaid(one) ? 0 : net(one)),
      'AmtWords nvarchar(250)': (one) =>
        `${isDollars(one) ? 'Dollars' : 'Dirhams'} ${Math.floor(net(one))} only`,
      'AmtWordsAr nvarchar(250)': '',
      'Narration nvarchar(500)': ({ id }) => (id % 6 === 0 ? 'Deliver to site office' : ''),
      'GodownID int': 1,
      'VATType varchar(20)': 'Local',
      'EmirateID int': ({ customer }) => emirate(customer) + 1,
      'RevChrg bit': 0,
      'IsPosted bit': ({ isDraft }) => (isDraft ? 0 : 1),
      'IsCancelled bit': (one) => (isCancelled(one) ? 1 : 0),
      'CancelReson nvarchar(100)': (one) => (isCancelled(one) ? 'Wrong rate' : ''),
      'PrntCount int': 1,
      ...yearOf,
      ...entered,
      ...userFields,
    }),
    tblSalesDetails: tableOf(soldBy(sales), {
      '*SalesDetID int': ({ line }) => line.id - 89_000,
      'SalesID int': ({ one }) => one.id - 4000,
      ...details,
      'ProfitAmt decimal': ({ line }) =>
        round(line.net - line.quantity * round(line.item.price / 2)),
    }),
    tblSalesReturnMaster: tableOf(returns, {
      '*SRetID int': ({ id }) => id - 4000,
      'SRetNo int': ({ id }) => id - 4000,
      'SRetDate datetime': ({ date }) => day(date),
      'SalesID int': ({ id }) => id - 4001,
      'OrgInvNo int': (one) => billNo(one) - 1,
      'PayMode varchar(10)': 'Credit',
      'LedgerID int': ({ customer }) => ledger(customer),
      'SalesManID int': 1,
      'CurrencyID int': (one) => (isDollars(one) ? 2 : 1),
      'CurRate float': (one) => (isDollars(one) ? dirhams : 1),
      ...heads,
      'Narration nvarchar(500)': 'Damaged',
      'IsPosted bit': 1,
      'IsCancelled bit': 0,
      ...yearOf,
      ...entered,
    }),
    tblSalesReturnDetails: tableOf(soldBy(returns), {
      '*SRetDetID int': ({ line }) => line.id - 89_000,
      'SRetID int': ({ one }) => one.id - 4000,
      ...details,
    }),
    tblLedger: tableOf(ledgers, {
      '*LedgerID int': ({ id }) => id,
      'LedgerCode varchar(20)': ({ code }) => code,
      'LedgerName nvarchar(150)': ({ name }) => name,
      'LedgerNameAr nvarchar(150)': ({ arabic }) => arabic,
      'GroupID int': ({ group }) => group,
      'OpBal decimal': 0,
      'OpDrCr char(2)': 'Dr',
      'Adress1 nvarchar(150)': ({ address }) => address,
      'Adress2 nvarchar(150)': '',
      'POBox varchar(20)': ({ box }) => box,
      'City nvarchar(50)': ({ city }) => city,
      'EmirateID int': ({ place }) => place,
      'Country nvarchar(50)': ({ place }) => (place === null ? '' : 'U.A.E'),
      'Tel varchar(30)': ({ tel }) => tel,
      'Fax varchar(30), Mobile varchar(30), WebSite varchar(50)': '',
      'EMail varchar(100)': ({ email }) => email,
      'ContactPerson nvarchar(100)': ({ person }) => person,
      'TRNNo varchar(20)': ({ taxNumber }) => taxNumber,
      'TradeLicNo varchar(30)': ({ licence }) => licence,
      'VATRegType varchar(20)': ({ taxNumber }) => (taxNumber === '' ? '' : 'Registered'),
      'CrLimit decimal': ({ group }) => (group === 5 ? 25_000 : 0),
      'CrDays int': ({ group }) => (group === 5 ? 30 : 0),
      'PriceLevel int, AreaID int, SalesManID int': 1,
      'BillWise bit': ({ group }) => (group === 5 || group === 6 ? 1 : 0),
      'Active bit': 1,
      'UserID int': 1,
      'SysDate datetime': at('2025-02-01'),
    }),
  },
  sections: {
    header: {
      table: 'tblSalesMaster',
      key: 'SalesID',
      match: 'InvNo',
      where: { IsCancelled: '0', IsPosted: '1' },
    },
    lines: { table: 'tblSalesDetails', key: 'SalesDetID', match: 'SalesID', matchFrom: 'SalesID' },
    customer: { table: 'tblLedger', key: 'LedgerID', match: 'LedgerID', matchFrom: 'LedgerID' },
  },
  fields: {
    number: 'tblSalesMaster.InvNo',
    issue_date: 'tblSalesMaster.InvDate',
    issue_time: 'tblSalesMaster.InvTime!time,substring,split',
    due_date: 'tblSalesMaster.DueDate',
    'delivery.date': 'tblSalesMaster.DODate|tblDeliveryMaster.DODate',
    currency: 'tblCurrency.CurCode|tblCurrency.CurName!map|tblSalesMaster.CurrencyID!map',
    'exchange_rate.rate': 'tblSalesMaster.CurRate|tblCurrency.CurRate',
    purchase_order: 'tblSalesMaster.LPONo',
    buyer_reference: 'tblSalesMaster.LPONo',
    'notes[]': 'tblSalesMaster.Narration',
    'payment_terms[].note': 'tblSalesMaster.PayMode|tblSalesMaster.CrDays',
    'payment_means[].code': 'tblSalesMaster.PayMode!map',
    'totals.net': 'tblSalesMaster.TaxableAmt',
    'totals.lines': 'tblSalesMaster.TaxableAmt',
    'totals.tax': 'tblSalesMaster.VATAmt',
    'totals.gross': 'tblSalesMaster.NetAmount',
    'totals.due': 'tblSalesMaster.NetAmount',
    'seller.name': 'tblCompany.CompName',
    'seller.trn': 'tblCompany.TRNNo',
    'seller.address.line1': 'tblCompany.Address1',
    'seller.address.city': 'tblCompany.City',
    'seller.contact.phone': 'tblCompany.Tel',
    'buyer.name': 'tblLedger.LedgerName',
    'buyer.trn': 'tblLedger.TRNNo',
    'PINT-MY:buyer.identifiers[].id': 'tblLedger.TRNNo|tblLedger.TradeLicNo',
    'buyer.registration_id': 'tblLedger.TradeLicNo',
    'buyer.address.line1': 'tblLedger.Adress1',
    'buyer.address.city': 'tblLedger.City',
    'buyer.address.post_code': 'tblLedger.POBox',
    'buyer.address.subdivision':
      'tblEmirate.EmirateName|tblLedger.EmirateID!map|tblSalesMaster.EmirateID!map',
    'buyer.address.country': 'tblLedger.Country!map',
    'buyer.contact.name': 'tblLedger.ContactPerson',
    'buyer.contact.phone': 'tblLedger.Tel',
    'buyer.contact.email': 'tblLedger.EMail',
    'lines[].id': 'tblSalesDetails.SlNo|tblSalesDetails.SalesDetID',
    'lines[].sku': 'tblSalesDetails.ItemCode|tblItemMaster.ItemCode|tblItemMaster.BarCode',
    'lines[].name': 'tblSalesDetails.ItemName|tblItemMaster.ItemName',
    'lines[].description': 'tblSalesDetails.ItemName|tblItemMaster.ItemName',
    'lines[].qty': 'tblSalesDetails.Qty',
    'lines[].unit': 'tblUnit.UnitName!map|tblSalesDetails.UnitID!map|tblItemMaster.UnitID!map',
    'lines[].unit_price': 'tblSalesDetails.Rate',
    'lines[].gross_price': 'tblSalesDetails.Rate',
    'lines[].allowances[].percent': 'tblSalesDetails.DiscPer',
    'lines[].allowances[].amount': 'tblSalesDetails.DiscAmt',
    'lines[].net': 'tblSalesDetails.NetAmt',
    'lines[].accounting.tax_totals[].amount': 'tblSalesDetails.VATAmt',
    'lines[].tax.rate': 'tblSalesDetails.VATPer|tblVATCategory.VATPer',
    'lines[].tax.category':
      'tblSalesDetails.VATPer!map|tblSalesDetails.VATCatID!map|tblVATCategory.VATCode!map|tblVATCategory.VATCatName!map|tblVATCategory.VATPer!map|tblItemMaster.VATCatID!map',
  },
};
