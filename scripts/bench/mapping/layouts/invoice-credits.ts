import type { Layout, LayoutTable } from './layout.ts';
import { at, midnight, tableOf } from './tables.ts';
import { bills, byLine, customers, done, type Invoice, invoices, items } from './trade.ts';

type Line = Invoice['lines'][number];

const round = (value: number) => Math.round(value * 100) / 100;
/** Dollars for a pound. */
const usDollars = 1.27;
const isCredit = ({ kind }: Invoice) => kind === 'credit';
const sign = (one: Invoice) => (isCredit(one) ? -1 : 1);
const isForeign = (one: Invoice) => one.currency === 'USD';
const rate = (one: Invoice) => (isForeign(one) ? usDollars : 1);
const base = (one: Invoice, amount: number) => round(amount / rate(one));
const reduction = (one: Invoice) =>
  round(one.lines.reduce((all, line) => all + line.quantity * line.price - line.net, 0));
const isPaid = ({ id }: Invoice) => id % 3 === 0;
const isPosted = ({ id }: Invoice) => id < 4042;
const documentNo = ({ id }: Invoice) => String(id + 16_000).padStart(10, '0');
const orderNo = ({ id }: Invoice) => String(id + 6000).padStart(10, '0');
const taxRate = ({ item }: Line) => (item.rate === 0 ? 1401 : 1402);
const units: Readonly<Record<string, string>> = {
  PCS: 'Each',
  M: 'Metre',
  HR: 'Hour',
  L: 'Litre',
  KG: 'Kilo',
};
const countries = [...new Map(customers.map((one) => [one.countryCode, one])).values()];
const countryId = (code: string) =>
  countries.findIndex(({ countryCode }) => countryCode === code) + 1501;

/** An account has one currency: who is billed in dollars as well has two. */
const accounts = [
  ...customers.map((one) => ({ one, isDollars: false, id: one.id + 27_000 })),
  ...customers
    .filter((one) => invoices.some((invoice) => isForeign(invoice) && invoice.customer === one))
    .map((one) => ({ one, isDollars: true, id: one.id + 27_500 })),
];
const accountOf = (one: Invoice) => one.customer.id + (isForeign(one) ? 27_500 : 27_000);

const changed = { 'DateTimeUpdated datetime': at('2026-02-20', '12:01:44') } as const;
const locked = { 'OpLock timestamp': '0x00000000000B71B0' } as const;
const made = {
  ...locked,
  'DateTimeCreated datetime': at('2026-02-20', '12:01:40'),
  ...changed,
} as const;
const analysis = {
  'AnalysisCode1 varchar(60)': 'North',
  'AnalysisCode2 varchar(60), AnalysisCode3 varchar(60), AnalysisCode4 varchar(60)': '',
  'AnalysisCode5 varchar(60), AnalysisCode6 varchar(60), AnalysisCode7 varchar(60)': '',
  'AnalysisCode8 varchar(60), AnalysisCode9 varchar(60), AnalysisCode10 varchar(60)': '',
  'AnalysisCode11 varchar(60), AnalysisCode12 varchar(60), AnalysisCode13 varchar(60)': '',
  'AnalysisCode14 varchar(60), AnalysisCode15 varchar(60), AnalysisCode16 varchar(60)': '',
  'AnalysisCode17 varchar(60), AnalysisCode18 varchar(60), AnalysisCode19 varchar(60)': '',
  'AnalysisCode20 varchar(60)': '',
} as const;
const spare = {
  'SpareText1 varchar(60), SpareText2 varchar(60), SpareText3 varchar(60)': '',
  'SpareNumber1 decimal, SpareNumber2 decimal, SpareNumber3 decimal': 0,
  'SpareDate1 datetime, SpareDate2 datetime, SpareDate3 datetime': null,
  'SpareBit1 bit, SpareBit2 bit, SpareBit3 bit': 0,
} as const;
const nominal = {
  'NominalAccountNumber varchar(8)': '4000',
  'NominalCostCentre varchar(3), NominalDepartment varchar(3)': '',
} as const;

const lines = byLine(done, (one, line) => ({ one, line }));
const ordered = byLine(invoices, (one, line) => ({ one, line }));
const bought = bills.slice(0, 13);
const boughtLine = (one: Invoice) => one.lines[0]!;
const cost = (line: Line) => round(line.price / 2);
const costOf = (one: Invoice) => round(boughtLine(one).quantity * cost(boughtLine(one)));
const inputTax = (one: Invoice) => round((costOf(one) * boughtLine(one).item.rate) / 100);

/** What each rate of a document adds up to. */
const taxItems = done.flatMap((one) =>
  [0, 20]
    .map((percent) => ({ one, percent, of: one.lines.filter(({ item }) => item.rate === percent) }))
    .filter(({ of }) => of.length > 0)
    .map(({ percent, of }) => ({
      one,
      percent,
      goods: round(of.reduce((all, { net }) => all + net, 0)),
      tax: round(of.reduce((all, { tax }) => all + tax, 0)),
    })),
);

const addressOf = {
  'PostalName varchar(60)': ({ customer }: Invoice) => customer.name,
  'AddressLine1 varchar(60)': ({ customer }: Invoice) => customer.street,
  'AddressLine2 varchar(60), AddressLine3 varchar(60), AddressLine4 varchar(60)': '',
  'PostCode varchar(10)': ({ customer }: Invoice) => customer.zip,
  'City varchar(60)': ({ customer }: Invoice) => customer.city,
  'County varchar(60)': ({ customer }: Invoice) => customer.state,
  'Country varchar(60)': ({ customer }: Invoice) => customer.country,
};

const orders: Readonly<Record<string, LayoutTable>> = {
  SOPOrderReturn: tableOf(
    invoices,
    {
      '*SOPOrderReturnID bigint': ({ id }) => id + 70_000,
      'DocumentTypeID bigint': (one) => (isCredit(one) ? 1 : 0),
      'DocumentNo varchar(20)': orderNo,
      'DocumentDate datetime': ({ date }) => midnight(date),
      'DocumentStatusID bigint': ({ isDraft }) => (isDraft ? 0 : 2),
      'DocumentPrintStatusID bigint': 2,
      'CustomerDocumentNo varchar(30)': ({ order }) => order,
      'CustomerID bigint': accountOf,
      'CustomerTypeID bigint': 0,
      'RequestedDeliveryDate datetime, PromisedDeliveryDate datetime': ({ date }) => midnight(date),
      'WarehouseID bigint': 1661,
      'CurrencyID bigint': (one) => (isForeign(one) ? 1802 : 1801),
      'ExchangeRate decimal': rate,
      'SubtotalGoodsValue decimal, TotalNetValue decimal': ({ net }) => net,
      'SubtotalChargesNetValue decimal, SubtotalChargesTaxValue decimal': 0,
      'SubtotalDiscountValue decimal': 0,
      'TotalTaxValue decimal': ({ tax }) => tax,
      'TotalGrossValue decimal, TotalGrossValueIncSett decimal': ({ gross }) => gross,
      'UseInvoiceAddress bit': 1,
      'PaymentWithOrder bit': 0,
      'PaymentTypeID bigint': 0,
      'PaymentValue decimal': 0,
      'PaymentReference varchar(30)': '',
      'PaymentBankAccountID bigint': null,
      'PaymentInvoiced bit': 0,
      'SettlementDiscPercent decimal, SettlementDiscountDays smallint': 0,
      'DocumentDiscountPercent decimal': 0,
      'DocumentCreatedBy varchar(50)': 'tom.hill',
      'Priority varchar(1)': 'A',
      'SourceTypeID bigint': 0,
      'SourceDocumentNo varchar(20)': '',
      'ArePricesTaxInclusive bit': 0,
      'DocumentDueDate datetime': null,
      'PaymentMethodID bigint': null,
      'ExternalReference varchar(50)': '',
      ...analysis,
      ...spare,
      'AllocatedStatusID bigint, DespatchReceiptStatusID bigint, InvoiceCreditStatusID bigint': ({
        isDraft,
      }) => (isDraft ? 0 : 2),
      'CancelledStatusID bigint': 0,
      ...made,
    },
    {
      DocumentTypeID: 'SOPOrderReturnType.SOPOrderReturnTypeID',
      DocumentStatusID: 'DocumentStatus.DocumentStatusID',
      CustomerID: 'SLCustomerAccount.SLCustomerAccountID',
      CurrencyID: 'SYSCurrency.SYSCurrencyID',
      WarehouseID: 'Warehouse.WarehouseID',
    },
  ),
  SOPOrderReturnLine: tableOf(
    ordered,
    {
      '*SOPOrderReturnLineID bigint': ({ line }) => line.id + 100_000,
      'SOPOrderReturnID bigint': ({ one }) => one.id + 70_000,
      'PrintSequenceNumber smallint': ({ line }) => line.position,
      'LineTypeID bigint': 0,
      'ItemCode varchar(30)': ({ line }) => line.item.code,
      'ItemDescription varchar(1024)': ({ line }) => line.item.name,
      'UseDescription bit': 0,
      'LineQuantity decimal, StockUnitLineQuantity decimal': ({ line }) => line.quantity,
      'AllocatedQuantity decimal': 0,
      'DespatchReceiptQuantity decimal, InvoiceCreditQuantity decimal': ({ one, line }) =>
        one.isDraft ? 0 : line.quantity,
      'PostedInvoiceCreditQty decimal': ({ one, line }) =>
        !one.isDraft && isPosted(one) ? line.quantity : 0,
      'LineTotalValue decimal': ({ line }) => line.net,
      'LineTaxValue decimal': ({ line }) => line.tax,
      'UnitSellingPrice decimal': ({ line }) => line.price,
      'UnitSellPriceOverridden bit': 0,
      'UnitDiscountPercent decimal': ({ line }) => line.discount,
      'UnitDiscountValue decimal': ({ line }) => round((line.price * line.discount) / 100),
      'DiscountPercentSpecified bit': 1,
      'UnitDiscountOverridden bit': 0,
      'SellingUnitMultiple decimal, PricingUnitMultiple decimal': 1,
      'TaxCodeID bigint': ({ line }) => taxRate(line),
      'NominalAccountRef varchar(8)': '4000',
      'NominalCostCentre varchar(3), NominalDepartment varchar(3)': '',
      'RequestedDeliveryDate datetime, PromisedDeliveryDate datetime': ({ one }) =>
        midnight(one.date),
      ...analysis,
      'ShowOnCustomerDocs bit': 1,
      'PricingUnitDescription varchar(20), SellingUnitDescription varchar(20)': ({ line }) =>
        units[line.item.unit]!,
      'StockItemTypeID bigint': ({ line }) => (line.item.unit === 'HR' ? 1 : 0),
      'CostPrice decimal': ({ line }) => cost(line),
      'DespatchNoteComment varchar(160), PickingListComment varchar(160)': '',
      ...spare,
      ...made,
    },
    {
      SOPOrderReturnID: 'SOPOrderReturn.SOPOrderReturnID',
      TaxCodeID: 'SYSTaxRate.SYSTaxRateID',
    },
  ),
  SOPOrderReturnType: {
    columns: '*SOPOrderReturnTypeID bigint, SOPOrderReturnTypeName varchar(20)',
    rows: [
      [0, 'Sales Order'],
      [1, 'Sales Return'],
      [2, 'Quotation'],
      [3, 'Proforma'],
    ],
  },
  SOPStandardItemLink: tableOf(
    ordered,
    {
      '*SOPStandardItemLinkID bigint': ({ line }) => line.id + 120_000,
      'SOPOrderReturnLineID bigint': ({ line }) => line.id + 100_000,
      'ItemID bigint': ({ line }) => line.item.id + 3000,
      ...made,
    },
    {
      SOPOrderReturnLineID: 'SOPOrderReturnLine.SOPOrderReturnLineID',
      ItemID: 'StockItem.ItemID',
    },
  ),
  SOPDespatchReceipt: tableOf(
    done,
    {
      '*SOPDespatchReceiptID bigint': ({ id }) => id + 80_000,
      'SOPDespatchReceiptTypeID bigint': (one) => (isCredit(one) ? 1 : 0),
      'DocumentNo varchar(20)': ({ id }) => String(id + 26_000).padStart(10, '0'),
      'DespatchReceiptDate datetime': ({ date }) => midnight(date),
      'UserID int': 7,
      'UserName varchar(50)': 'tom.hill',
      'SOPOrderID bigint': ({ id }) => id + 70_000,
      ...made,
    },
    { SOPOrderID: 'SOPOrderReturn.SOPOrderReturnID' },
  ),
  SOPDespatchReceiptLine: tableOf(
    lines,
    {
      '*SOPDespatchReceiptLineID bigint': ({ line }) => line.id + 130_000,
      'SOPDespatchReceiptID bigint': ({ one }) => one.id + 80_000,
      'SOPOrderReturnLineID bigint': ({ line }) => line.id + 100_000,
      'SOPInvoiceCreditLineID bigint': ({ line }) => line.id,
      'DespatchReceiptNo varchar(20)': ({ one }) => String(one.id + 26_000).padStart(10, '0'),
      'OrderReturnNo varchar(20)': ({ one }) => orderNo(one),
      'InvoiceCreditNo varchar(20)': ({ one }) => documentNo(one),
      'BinItemID bigint': 0,
      'UserID int': 7,
      'UserName varchar(50)': 'tom.hill',
      'DespatchReceiptQuantity decimal, StockUnitDespRcptQuantity decimal': ({ line }) =>
        line.quantity,
      'DespatchReceiptDate datetime': ({ one }) => midnight(one.date),
      'IsInvoiced bit': 1,
      'QuantityReserved decimal': 0,
      ...made,
    },
    {
      SOPDespatchReceiptID: 'SOPDespatchReceipt.SOPDespatchReceiptID',
      SOPOrderReturnLineID: 'SOPOrderReturnLine.SOPOrderReturnLineID',
      SOPInvoiceCreditLineID: 'SOPInvoiceCreditLine.SOPInvoiceCreditLineID',
    },
  ),
  POPOrderReturn: tableOf(
    bought,
    {
      '*POPOrderReturnID bigint': ({ id }) => id + 90_000,
      'DocumentTypeID bigint': 0,
      'DocumentNo varchar(20)': ({ id }) => String(id).padStart(10, '0'),
      'DocumentDate datetime': ({ date }) => midnight(date),
      'DocumentStatusID bigint': 2,
      'SupplierDocumentNo varchar(30)': ({ id }) => `MS${id}`,
      'SupplierID bigint': 29_001,
      'WarehouseID bigint': 1661,
      'ExchangeRate decimal': 1,
      'SubtotalGoodsValue decimal, TotalNetValue decimal': costOf,
      'TotalTaxValue decimal': inputTax,
      'TotalGrossValue decimal': (one) => round(costOf(one) + inputTax(one)),
      'DocumentCreatedBy varchar(50)': 'tom.hill',
      ...spare,
      ...made,
    },
    {
      DocumentStatusID: 'DocumentStatus.DocumentStatusID',
      SupplierID: 'PLSupplierAccount.PLSupplierAccountID',
      WarehouseID: 'Warehouse.WarehouseID',
    },
  ),
  POPOrderReturnLine: tableOf(
    bought,
    {
      '*POPOrderReturnLineID bigint': (one) => boughtLine(one).id + 200_000,
      'POPOrderReturnID bigint': ({ id }) => id + 90_000,
      'PrintSequenceNumber smallint': 1,
      'LineTypeID bigint': 0,
      'ItemCode varchar(30)': (one) => boughtLine(one).item.code,
      'ItemDescription varchar(1024)': (one) => boughtLine(one).item.name,
      'SupplierPartRef varchar(50)': '',
      'LineQuantity decimal, ReceiptReturnQuantity decimal, InvoiceCreditQuantity decimal': (one) =>
        boughtLine(one).quantity,
      'LineTotalValue decimal': costOf,
      'LineTaxValue decimal': inputTax,
      'UnitBuyingPrice decimal': (one) => cost(boughtLine(one)),
      'UnitDiscountPercent decimal, UnitDiscountValue decimal': 0,
      'BuyingUnitDescription varchar(20)': (one) => units[boughtLine(one).item.unit]!,
      'TaxCodeID bigint': (one) => taxRate(boughtLine(one)),
      'NominalAccountRef varchar(8)': '5000',
      ...made,
    },
    { POPOrderReturnID: 'POPOrderReturn.POPOrderReturnID', TaxCodeID: 'SYSTaxRate.SYSTaxRateID' },
  ),
  POPInvoiceCredit: tableOf(bought, {
    '*POPInvoiceCreditID bigint': ({ id }) => id + 95_000,
    'POPInvoiceCreditTypeID bigint': 0,
    'DocumentNo varchar(20)': ({ id }) => `MS${id}`,
    'SupplierID bigint': 29_001,
    'InvoiceCreditDate datetime': ({ date }) => midnight(date),
    'DueDate datetime': ({ due }) => midnight(due),
    'NetValue decimal': costOf,
    'TaxValue decimal': inputTax,
    'GrossValue decimal': (one) => round(costOf(one) + inputTax(one)),
    'ExchangeRate decimal': 1,
    ...made,
  }),
  POPInvoiceCreditLine: tableOf(bought, {
    '*POPInvoiceCreditLineID bigint': (one) => boughtLine(one).id + 210_000,
    'POPInvoiceCreditID bigint': ({ id }) => id + 95_000,
    'POPOrderReturnLineID bigint': (one) => boughtLine(one).id + 200_000,
    'InvoiceCreditQuantity decimal': (one) => boughtLine(one).quantity,
    'UnitPrice decimal': (one) => cost(boughtLine(one)),
    'LineTotalValue decimal': costOf,
    'LineTaxValue decimal': inputTax,
    ...made,
  }),
};

const ledgers: Readonly<Record<string, LayoutTable>> = {
  SLPostedCustomerTran: tableOf(
    [
      ...done.filter(isPosted).map((one) => ({ one, isReceipt: false })),
      ...bills
        .filter((one) => isPaid(one) && isPosted(one))
        .map((one) => ({ one, isReceipt: true })),
    ],
    {
      '*SLPostedCustomerTranID bigint': ({ one, isReceipt }) =>
        one.id + (isReceipt ? 41_000 : 40_000),
      'SLCustomerAccountID bigint': ({ one }) => accountOf(one),
      'SYSTraderTranTypeID bigint': ({ one, isReceipt }) => (isReceipt ? 2 : isCredit(one) ? 5 : 4),
      'CBAccountID bigint': ({ isReceipt }) => (isReceipt ? 1101 : null),
      'TransactionDate datetime': ({ one, isReceipt }) => midnight(isReceipt ? one.due : one.date),
      'TransactionReference varchar(20)': ({ one, isReceipt }) =>
        isReceipt ? `BACS${one.id}` : documentNo(one),
      'SecondReference varchar(20)': ({ one, isReceipt }) => (isReceipt ? '' : orderNo(one)),
      'GoodsValueInAccountCurrency decimal': ({ one, isReceipt }) =>
        isReceipt ? -one.gross : sign(one) * one.gross,
      'SALControlValueInBaseCurrency decimal': ({ one, isReceipt }) =>
        (isReceipt ? -1 : sign(one)) * base(one, one.gross),
      'TaxValue decimal': ({ one, isReceipt }) => (isReceipt ? 0 : sign(one) * one.tax),
      'DiscountValue decimal, DiscountPercentage decimal, DaysDiscountValid smallint': 0,
      'AllocatedValue decimal': ({ one, isReceipt }) =>
        isReceipt ? -one.gross : isPaid(one) && !isCredit(one) ? one.gross : 0,
      'DueDate datetime': ({ one, isReceipt }) => midnight(isReceipt ? one.due : one.due),
      'DocumentToBaseCurrencyRate decimal, EffectiveExchangeRate decimal': ({ one }) => rate(one),
      'DocumentToAccountExchangeRate decimal': 1,
      'PostedDate datetime': ({ one }) => midnight(one.date),
      'QueryCode varchar(1)': '',
      'Source bigint': ({ isReceipt }) => (isReceipt ? 0 : 3),
      'UniqueReferenceNumber bigint': (_row, index) => index + 1,
      'UserName varchar(50)': 'tom.hill',
      'UserNumber int': 7,
      'FullSettlementDate datetime': ({ one }) => (isPaid(one) ? midnight(one.due) : null),
      'FullSettlementPeriodInDays smallint': ({ one }) => (isPaid(one) ? 30 : 0),
      'Revalued bit, TriangularTransaction bit, IsSettledImmediately bit': 0,
      'SYSTraderGenerateReasonTypeID bigint, SYSCorrectionTranTypeID bigint': 0,
      'NominalAccountingPeriodID bigint': 2201,
      ...made,
    },
    {
      SLCustomerAccountID: 'SLCustomerAccount.SLCustomerAccountID',
      SYSTraderTranTypeID: 'SYSTraderTranType.SYSTraderTranTypeID',
      CBAccountID: 'CBAccount.CBAccountID',
      NominalAccountingPeriodID: 'SYSAccountingPeriod.SYSAccountingPeriodID',
    },
  ),
  SYSTraderTranType: {
    columns:
      '*SYSTraderTranTypeID bigint, Name varchar(30), SalesName varchar(30), PurchaseName varchar(30), SalesShortName varchar(10), PurchaseShortName varchar(10)',
    rows: [
      [2, 'Payment', 'Receipt', 'Payment', 'REC', 'PAY'],
      [3, 'Refund', 'Refund', 'Refund', 'RFD', 'RFD'],
      [4, 'Invoice', 'Invoice', 'Invoice', 'INV', 'INV'],
      [5, 'Credit Note', 'Credit Note', 'Credit Note', 'CRN', 'CRN'],
    ],
  },
  SYSAccountingPeriod: {
    columns:
      '*SYSAccountingPeriodID bigint, SYSFinancialYearID bigint, PeriodNumber smallint, StartDate datetime, EndDate datetime',
    rows: [
      [2201, 1, 1, midnight('2026-01-01'), midnight('2026-01-31')],
      [2202, 1, 2, midnight('2026-02-01'), midnight('2026-02-28')],
    ],
  },
  NLPostedNominalTran: tableOf(
    done.filter(isPosted).flatMap((one) => [
      { one, account: '1100', amount: base(one, sign(one) * one.gross), nth: 0 },
      { one, account: '4000', amount: -base(one, sign(one) * one.net), nth: 1 },
      { one, account: '2200', amount: -base(one, sign(one) * one.tax), nth: 2 },
    ]),
    {
      '*NLPostedNominalTranID bigint': (_row, index) => index + 50_001,
      'NLNominalAccountID bigint': ({ nth }) => nth + 2301,
      'SYSAccountingPeriodID bigint': 2201,
      'AccountNumber varchar(8)': ({ account }) => account,
      'AccountCostCentre varchar(3), AccountDepartment varchar(3)': '',
      'Reference varchar(20)': ({ one }) => documentNo(one),
      'Narrative varchar(60)': ({ one }) => one.customer.name,
      'GoodsValueInBaseCurrency decimal': ({ amount }) => amount,
      'DocumentToBaseCurrencyRate decimal': ({ one }) => rate(one),
      'TransactionDate datetime': ({ one }) => midnight(one.date),
      'UniqueReferenceNumber bigint': (_row, index) => index + 1,
      'UserName varchar(50)': 'tom.hill',
      ...made,
    },
  ),
  CBAccount: {
    columns:
      '*CBAccountID bigint, BankAccountName varchar(60), BankAccountNumber varchar(30), BankSortCode varchar(10), SYSCurrencyID bigint, AccountBalance decimal',
    rows: [[1101, 'Current Account', '11223344', '20-00-00', 1801, 0]],
    foreign: { SYSCurrencyID: 'SYSCurrency.SYSCurrencyID' },
  },
  PLSupplierAccount: {
    columns:
      '*PLSupplierAccountID bigint, SupplierAccountNumber varchar(8), SupplierAccountName varchar(60), SupplierAccountShortName varchar(8), AccountBalance decimal, CreditLimit decimal, SYSCurrencyID bigint, SYSCountryCodeID bigint, DefaultSYSTaxRateID bigint, TaxRegistrationNumber varchar(30), PaymentTermsInDays smallint, TradingTerms varchar(50), MainTelephoneCountryCode varchar(5), MainTelephoneAreaCode varchar(20), MainTelephoneSubscriberNumber varchar(200)',
    rows: [
      [
        29_001,
        'MIL001',
        'Mill Supplies Ltd',
        'MILL SUP',
        0,
        0,
        1801,
        countryId('GB'),
        1402,
        'GB999000111',
        30,
        '30 days',
        '44',
        '113',
        '555 1100',
      ],
    ],
    foreign: {
      SYSCurrencyID: 'SYSCurrency.SYSCurrencyID',
      SYSCountryCodeID: 'SYSCountryCode.SYSCountryCodeID',
      DefaultSYSTaxRateID: 'SYSTaxRate.SYSTaxRateID',
    },
  },
  PLPostedSupplierTran: tableOf(
    bought,
    {
      '*PLPostedSupplierTranID bigint': ({ id }) => id + 45_000,
      'PLSupplierAccountID bigint': 29_001,
      'SYSTraderTranTypeID bigint': 4,
      'TransactionDate datetime': ({ date }) => midnight(date),
      'DueDate datetime': ({ due }) => midnight(due),
      'TransactionReference varchar(20)': ({ id }) => `MS${id}`,
      'SecondReference varchar(20)': '',
      'GoodsValueInAccountCurrency decimal, PURControlValueInBaseCurrency decimal': (one) =>
        -round(costOf(one) + inputTax(one)),
      'TaxValue decimal': (one) => -inputTax(one),
      'AllocatedValue decimal': 0,
      ...made,
    },
    {
      PLSupplierAccountID: 'PLSupplierAccount.PLSupplierAccountID',
      SYSTraderTranTypeID: 'SYSTraderTranType.SYSTraderTranTypeID',
    },
  ),
};

const goods: Readonly<Record<string, LayoutTable>> = {
  StockItem: tableOf(
    items,
    {
      '*ItemID bigint': ({ id }) => id + 3000,
      'Code varchar(30)': ({ code }) => code,
      'Name varchar(60)': ({ name }) => name,
      'Description varchar(1024)': ({ name }) => `${name}, boxed`,
      'ProductGroupID bigint': 3301,
      'UseDescriptionOnDocs bit': 0,
      'TaxCodeID bigint': ({ rate: percent }) => (percent === 0 ? 1401 : 1402),
      'StandardCost decimal, AverageBuyingPrice decimal': ({ price }) => round(price / 2),
      'SOPItemPrice decimal': 0,
      'StockItemStatusID bigint': 0,
      'InactiveDate datetime': null,
      'Manufacturer varchar(60), PartNumber varchar(40), CommodityCode varchar(20)': '',
      'StocktakeCyclePeriod smallint': 30,
      'Weight decimal': 0,
      'SuppressNetMass bit': 0,
      'StockUnitName varchar(20), BaseUnitName varchar(20)': ({ unit }) => units[unit]!,
      'StockMultOfBaseUnit decimal': 1,
      'Barcode varchar(20)': null,
      'TraceableTypeID bigint, FreeStockQuantity decimal': 0,
      ...analysis,
      ...spare,
      ...made,
    },
    { TaxCodeID: 'SYSTaxRate.SYSTaxRateID' },
  ),
  StockItemPrice: tableOf(
    items,
    {
      '*StockItemPriceID bigint': ({ id }) => id + 3400,
      'ItemID bigint': ({ id }) => id + 3000,
      'PriceBandID bigint': 1001,
      'Price decimal': ({ price }) => price,
      'UseStandard bit': 0,
      ...made,
    },
    { ItemID: 'StockItem.ItemID', PriceBandID: 'PriceBand.PriceBandID' },
  ),
  PriceBand: {
    columns: '*PriceBandID bigint, Name varchar(20), Description varchar(60), CurrencyID bigint',
    rows: [[1001, 'Standard', 'Standard price band', 1801]],
    foreign: { CurrencyID: 'SYSCurrency.SYSCurrencyID' },
  },
  Warehouse: {
    columns:
      '*WarehouseID bigint, Name varchar(20), Description varchar(60), PostalName varchar(60), AddressLine1 varchar(60), PostCode varchar(10)',
    rows: [[1661, 'LEEDS', 'Leeds warehouse', 'Pumps of Leeds Ltd', '1 Canal Street', 'LS1 1AA']],
  },
  TransactionHistory: tableOf(
    lines,
    {
      '*TransactionHistoryID bigint': ({ line }) => line.id + 160_000,
      'TransactionTypeID bigint': ({ one }) => (isCredit(one) ? 16 : 15),
      'ItemID bigint': ({ line }) => line.item.id + 3000,
      'WarehouseID bigint': 1661,
      'TransactionDate datetime': ({ one }) => midnight(one.date),
      'Quantity decimal': ({ one, line }) => -sign(one) * line.quantity,
      'UnitCostPrice decimal': ({ line }) => cost(line),
      'UnitIssuePrice decimal': ({ line }) => line.price,
      'UnitDiscountValue decimal': 0,
      'Reference varchar(20)': ({ one }) => orderNo(one),
      'SecondReference varchar(20)': ({ one }) => String(one.id + 26_000).padStart(10, '0'),
      'SourceAreaName varchar(60)': ({ one }) => one.customer.name,
      'Narrative varchar(60)': '',
      ...made,
    },
    { ItemID: 'StockItem.ItemID', WarehouseID: 'Warehouse.WarehouseID' },
  ),
};

const system: Readonly<Record<string, LayoutTable>> = {
  SYSTaxRate: {
    columns:
      '*SYSTaxRateID bigint, SYSTaxECTermID bigint, Code smallint, Name varchar(60), IncludeInVATReturn bit, TaxRate decimal, InputNominalAccount varchar(8), OutputNominalAccount varchar(8), OpLock timestamp, DateTimeCreated datetime, DateTimeUpdated datetime',
    rows: [
      [1400, 0, 0, 'Exempt', 1, 0],
      [1401, 0, 2, 'Zero Rated', 1, 0],
      [1402, 0, 1, 'Standard Rate', 1, 20],
      [1403, 0, 5, 'Reduced Rate', 1, 5],
      [1404, 1, 4, 'EC Sales', 1, 0],
    ].map((row) => [...row, '2201', '2200', '0x0', at('2025-01-06'), at('2025-01-06')]),
  },
  SYSCurrency: {
    columns:
      '*SYSCurrencyID bigint, SYSExchangeRateAmendTypeID bigint, SYSExchangeRateTypeID bigint, SYSCurrencyISOCodeID bigint, Name varchar(30), Symbol varchar(5), OneUnitBaseEquals decimal, OneEuroEquals decimal, AccumulatedExchangeRateGain decimal, NominalAccountNumber varchar(8), ThisIsBaseCurrency bit, ThisIsEuroCurrency bit, UseForNewAccounts bit, DateTimeCreated datetime',
    rows: [
      [1801, 0, 0, 1901, 'Pound Sterling', '£', 1, 0, 0, null, 1, 0, 1, at('2025-01-06')],
      [1802, 1, 0, 1902, 'US Dollar', '$', usDollars, 0, 0, '7900', 0, 0, 1, at('2025-01-06')],
      [1803, 1, 0, 1903, 'Euro', '€', 1.17, 1, 0, '7900', 0, 1, 1, at('2025-01-06')],
    ],
    foreign: { SYSCurrencyISOCodeID: 'SYSCurrencyISOCode.SYSCurrencyISOCodeID' },
  },
  SYSCurrencyISOCode: {
    columns:
      '*SYSCurrencyISOCodeID bigint, Name varchar(60), Code varchar(3), DateTimeCreated datetime',
    rows: [
      [1901, 'Pound Sterling', 'GBP', at('2025-01-06')],
      [1902, 'US Dollar', 'USD', at('2025-01-06')],
      [1903, 'Euro', 'EUR', at('2025-01-06')],
    ],
  },
  SYSCountryCode: tableOf(countries, {
    '*SYSCountryCodeID bigint': ({ countryCode }) => countryId(countryCode),
    'Code varchar(4)': ({ countryCode }) => countryCode,
    'Name varchar(60)': ({ country }) => country,
    'CompanyTaxRegistrationNumber varchar(30)': null,
    'EU bit': ({ countryCode }) => (['DE', 'ES', 'FR', 'PT', 'SE'].includes(countryCode) ? 1 : 0),
    ...made,
  }),
  SYSCompany: {
    columns:
      '*SYSCompanyID bigint, CompanyName varchar(60), CompanyRegistrationNumber varchar(30), TaxRegistrationNumber varchar(30), DUNSCode varchar(20)',
    rows: [[1, 'Pumps of Leeds Ltd', '04112233', 'GB123456789', '']],
  },
  SYSContactType: {
    columns: '*SYSContactTypeID bigint, Name varchar(30), IsPhone bit, IsEmail bit',
    rows: [
      [0, 'Telephone', 1, 0],
      [1, 'Fax', 1, 0],
      [2, 'Mobile', 1, 0],
      [3, 'Email', 0, 1],
      [4, 'Website', 0, 0],
    ],
  },
  DocumentStatus: {
    columns: '*DocumentStatusID bigint, Name varchar(20)',
    rows: [
      [0, 'Live'],
      [1, 'On Hold'],
      [2, 'Completed'],
      [3, 'Dispute'],
      [4, 'Cancelled'],
    ],
  },
  SOPSetting: {
    columns:
      '*SOPSettingID bigint, GenerateDocumentNos bit, NextOrderNumber varchar(20), NextInvoiceNumber varchar(20), NextCreditNoteNumber varchar(20), DefaultWarehouseID bigint',
    rows: [[1, 1, '0000010046', '0000020046', '0000020046', 1661]],
    foreign: { DefaultWarehouseID: 'Warehouse.WarehouseID' },
  },
};

/**
 * Sage 200 Professional: invoices and credit notes in one table without a currency, which the order or the account has; the day
 * due is in the sales ledger only; telephone numbers in three columns; keys declared. Names after the entity models of a
 * database published on GitHub (MinimalApiTest.Domain.SageModels).
 */
export const invoiceCredits: Layout = {
  name: 'invoice-credits',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    ...system,
    ...goods,
    ...orders,
    ...ledgers,
    SOPInvoiceCredit: tableOf(
      done,
      {
        '*SOPInvoiceCreditID bigint': ({ id }) => id + 60_000,
        'SOPInvoiceCreditTypeID bigint': (one) => (isCredit(one) ? 1 : 0),
        'DocumentNo varchar(20)': documentNo,
        'DocumentStatusID bigint': (one) => (isPosted(one) ? 2 : 0),
        'CustomerID bigint': accountOf,
        'SecondReference varchar(20)': orderNo,
        'DocumentDate datetime': ({ date }) => midnight(date),
        'IsConsolidated bit, ArePricesTaxInclusive bit': 0,
        'DocumentDiscountPercent decimal, DocumentDiscountValue decimal': 0,
        'SettlementDiscountDays smallint, SettlementDiscPercent decimal': 0,
        'InvoicedChargesValue decimal': 0,
        'DiscountedTotalGoods decimal': ({ net }) => net,
        'FullPaymentText varchar(100)': '',
        'PaymentWithOrder bit, PaymentTypeID bigint, PaymentValue decimal': 0,
        'PaymentReference varchar(30)': '',
        'PaymentBankAccountID bigint': null,
        'PaymentNominalAccountRef varchar(8), PaymentNominalCostCentre varchar(3)': '',
        'PaymentNominalDepartment varchar(3)': '',
        'InvoicedNetValue decimal': ({ net }) => net,
        'InvoicedDiscountValue decimal': reduction,
        'InvoicedTaxValue decimal': ({ tax }) => tax,
        'InvoicedCoreTaxValue decimal': (one) => base(one, one.tax),
        'InvoicedGrossValue decimal, InvdGrossValInclSettDisc decimal': ({ gross }) => gross,
        'ExchangeRate decimal': rate,
        'DateCancelled datetime, ReasonCancelled varchar(160), CancelledBy varchar(50)': null,
        ...locked,
        'DateTimeCreated datetime': ({ date }) => at(date),
        'InvoicedTaxValInclNotional decimal': ({ tax }) => tax,
        'InvoicedCoreTaxValInclNotional decimal': (one) => base(one, one.tax),
        'Source bigint': 0,
        'TriangularTransaction bit': 0,
        'ESVATDiscountAmount decimal': 0,
        'InvdNetValInclSettDisc decimal': ({ net }) => net,
        'InvdTaxValInclSettDisc decimal': ({ tax }) => tax,
        'InvdCoreTaxValInclSettDisc decimal': (one) => base(one, one.tax),
        ...changed,
        'CustomerDocumentNo varchar(30)': ({ order }) => order,
        'SOPOrderReturnID bigint': ({ id }) => id + 70_000,
        'PaymentCloudPaymentID varchar(50), EmailHeader varchar(100)': '',
        'InvoiceCreditUpdateStatusTypeID bigint, PaymentCloudPaymentStatusTypeID bigint': 0,
        'IsCIS bit': 0,
      },
      {
        SOPInvoiceCreditTypeID: 'SOPInvoiceCreditType.SOPInvoiceCreditTypeID',
        DocumentStatusID: 'DocumentStatus.DocumentStatusID',
        CustomerID: 'SLCustomerAccount.SLCustomerAccountID',
        PaymentBankAccountID: 'CBAccount.CBAccountID',
        SOPOrderReturnID: 'SOPOrderReturn.SOPOrderReturnID',
      },
    ),
    SOPInvoiceCreditType: {
      columns: '*SOPInvoiceCreditTypeID bigint, Name varchar(20)',
      rows: [
        [0, 'Invoice'],
        [1, 'Credit Note'],
      ],
    },
    SOPInvoiceCreditLine: tableOf(
      lines,
      {
        '*SOPInvoiceCreditLineID bigint': ({ line }) => line.id,
        'SOPInvoiceCreditID bigint': ({ one }) => one.id + 60_000,
        'SOPOrderReturnLineID bigint': ({ line }) => line.id + 100_000,
        'PrintSequenceNumber smallint': ({ line }) => line.position,
        'DespatchReceiptNos varchar(160)': ({ one }) => String(one.id + 26_000).padStart(10, '0'),
        'UserID int': 7,
        'UserName varchar(50)': 'tom.hill',
        'InvoiceCreditQuantity decimal': ({ line }) => line.quantity,
        'InvoiceCreditDate datetime': ({ one }) => midnight(one.date),
        'OutstandingQuantity decimal': 0,
        'LineTotalValue decimal': ({ line }) => line.net,
        'LineTaxValue decimal': ({ line }) => line.tax,
        'LineDiscountPercent decimal': ({ line }) => line.discount,
        'OrderReturnNo varchar(20)': ({ one }) => orderNo(one),
        'OrderReturnArchived bit': 0,
        'TEMMessageID bigint, TEMMessageLineNo smallint': null,
        ...made,
        'ItemPrice decimal': ({ line }) => line.price,
        'SYSTaxRateID bigint': ({ line }) => taxRate(line),
        'SOPOrderReturnID bigint': ({ one }) => one.id + 70_000,
        'ItemName varchar(1024)': ({ line }) => line.item.name,
        ...nominal,
        'ItemCode varchar(30)': ({ line }) => line.item.code,
        'ItemUnitOfMeasure varchar(20)': ({ line }) => units[line.item.unit]!,
      },
      {
        SOPInvoiceCreditID: 'SOPInvoiceCredit.SOPInvoiceCreditID',
        SOPOrderReturnLineID: 'SOPOrderReturnLine.SOPOrderReturnLineID',
        SYSTaxRateID: 'SYSTaxRate.SYSTaxRateID',
        SOPOrderReturnID: 'SOPOrderReturn.SOPOrderReturnID',
      },
    ),
    SOPInvCredTaxItem: tableOf(
      taxItems,
      {
        '*SOPInvCredTaxItemID bigint': (_row, index) => index + 66_001,
        'SOPInvoiceCreditID bigint': ({ one }) => one.id + 60_000,
        'TaxCodeID bigint': ({ percent }) => (percent === 0 ? 1401 : 1402),
        'CoreGoodsValue decimal': ({ one, goods: net }) => base(one, net),
        'CoreDiscountValue decimal, DiscountValue decimal': 0,
        'CoreTaxValue decimal, CoreDiscountedTaxValue decimal': ({ one, tax }) => base(one, tax),
        'CoreGrossValue decimal': ({ one, goods: net, tax }) => base(one, net + tax),
        'GoodsValue decimal': ({ goods: net }) => net,
        'TaxValue decimal, DiscountedTaxValue decimal': ({ tax }) => tax,
        'GrossValue decimal': ({ goods: net, tax }) => round(net + tax),
        'TaxRate decimal': ({ percent }) => percent,
        'ESVATDiscountAmount decimal': 0,
        ...made,
      },
      {
        SOPInvoiceCreditID: 'SOPInvoiceCredit.SOPInvoiceCreditID',
        TaxCodeID: 'SYSTaxRate.SYSTaxRateID',
      },
    ),
    SOPInvCredAddress: tableOf(
      done,
      {
        '*SOPInvCredAddressID bigint': ({ id }) => id + 67_000,
        'SOPInvoiceCreditID bigint': ({ id }) => id + 60_000,
        ...addressOf,
        ...made,
      },
      { SOPInvoiceCreditID: 'SOPInvoiceCredit.SOPInvoiceCreditID' },
    ),
    SOPInvCredDelAddress: tableOf(
      done,
      {
        '*SOPInvCredDelAddressID bigint': ({ id }) => id + 68_000,
        'SOPInvoiceCreditID bigint': ({ id }) => id + 60_000,
        ...addressOf,
        'AddressLine1 varchar(60)': 'Dock 4',
        'Contact varchar(60)': 'Goods in',
        'TelephoneNo varchar(30), FaxNo varchar(30), EmailAddress varchar(60)': '',
        ...made,
      },
      { SOPInvoiceCreditID: 'SOPInvoiceCredit.SOPInvoiceCreditID' },
    ),
    SLCustomerAccount: tableOf(
      accounts,
      {
        '*SLCustomerAccountID bigint': ({ id }) => id,
        'CustomerAccountNumber varchar(8)': ({ one, isDollars }) =>
          `${one.name.replaceAll(/\W/g, '').slice(0, 3).toUpperCase()}${String(one.id).padStart(3, '0')}${isDollars ? 'U' : ''}`,
        'CustomerAccountName varchar(60)': ({ one }) => one.name,
        'CustomerAccountShortName varchar(8)': ({ one }) => one.name.slice(0, 8).toUpperCase(),
        'AccountBalance decimal': 0,
        'CreditLimit decimal': 20_000,
        'SYSCurrencyID bigint': ({ isDollars }) => (isDollars ? 1802 : 1801),
        'SYSExchangeRateTypeID bigint': 0,
        'SYSCountryCodeID bigint': ({ one }) => countryId(one.countryCode),
        'DefaultSYSTaxRateID bigint': 1402,
        'TaxRegistrationNumber varchar(30)': ({ one }) => one.vat,
        'MonthsToKeepTransactionsFor smallint': 12,
        'DefaultOrderPriority varchar(1)': 'A',
        'SLFinanceChargeID bigint': null,
        'DefaultNominalAccountNumber varchar(8)': '4000',
        'DefaultNominalCostCentre varchar(3), DefaultNominalDepartment varchar(3)': '',
        'SYSAccountTypeID bigint': 0,
        'EarlySettlementDiscountPercent decimal, DaysEarlySettlementDiscApplies smallint': 0,
        'PaymentTermsInDays smallint': 30,
        'SYSPaymentTermsBasisID bigint': 0,
        'UseConsolidatedBilling bit': 0,
        'InvoiceLineDiscountPercent decimal, InvoiceDiscountPercent decimal': 0,
        'SLAssociatedOfficeTypeID bigint': 0,
        'AssociatedHeadOfficeAccountID bigint': null,
        'SendCopyStatementToBranch bit': 0,
        'CustomerDiscountGroupID bigint': null,
        'PriceBandID bigint': 1001,
        'OrderValueDiscountID bigint': null,
        'AccountIsOnHold bit': 0,
        'ValueOfCurrentOrdersInSOP decimal': 0,
        'DateAccountDetailsLastChanged datetime': midnight('2025-06-01'),
        'DateOfLastTransaction datetime': midnight('2026-02-01'),
        'EuroAccountNumberCopiedFromTo varchar(8), DateEuroAccountCopied datetime': null,
        'UseTransactionEmail bit': 0,
        'DateFinanceChargeLastRun datetime': null,
        'SYSCreditBureauID bigint, SYSCreditPositionID bigint': null,
        'TradingTerms varchar(50)': '30 days from date of invoice',
        'CreditReference varchar(60)': '',
        'AverageTimeToPay int': 34,
        'AccountOpened datetime': midnight('2024-03-04'),
        'LastCreditReview datetime, NextCreditReview datetime': null,
        'ApplicationDate datetime, DateReceived datetime': null,
        'TermsAgreed bit': 1,
        'UseTaxCodeAsDefault bit': 0,
        ...spare,
        'DUNSCode varchar(20)': '',
        'MainTelephoneAreaCode varchar(20)': '20',
        'MainTelephoneCountryCode varchar(5)': '44',
        'MainTelephoneSubscriberNumber varchar(200)': ({ one }) => one.phone.slice(7),
        'MainFaxAreaCode varchar(20), MainFaxCountryCode varchar(5)': '',
        'MainFaxSubscriberNumber varchar(200), MainWebsite varchar(200)': '',
        ...analysis,
        'SYSAccountStatusID bigint': 0,
        'StatusReason varchar(160), PaymentCloudCustomerID varchar(50)': '',
        'SLCustomerSyncStatusTypeID bigint': 0,
        ...made,
      },
      {
        SYSCurrencyID: 'SYSCurrency.SYSCurrencyID',
        SYSCountryCodeID: 'SYSCountryCode.SYSCountryCodeID',
        DefaultSYSTaxRateID: 'SYSTaxRate.SYSTaxRateID',
        AssociatedHeadOfficeAccountID: 'SLCustomerAccount.SLCustomerAccountID',
        PriceBandID: 'PriceBand.PriceBandID',
      },
    ),
    SLCustomerLocation: tableOf(
      accounts,
      {
        '*SLCustomerLocationID bigint': ({ id }) => id + 1000,
        'SLCustomerAccountID bigint': ({ id }) => id,
        'SYSCountryCodeID bigint, AddressCountryID bigint': ({ one }) => countryId(one.countryCode),
        'SYSTraderLocationTypeID bigint': 0,
        'AddressLine1 varchar(60)': ({ one }) => one.street,
        'AddressLine2 varchar(60), AddressLine3 varchar(60), AddressLine4 varchar(60)': '',
        'PostCode varchar(10)': ({ one }) => one.zip,
        'City varchar(60)': ({ one }) => one.city,
        'County varchar(60)': ({ one }) => one.state,
        'Country varchar(60)': ({ one }) => one.country,
        ...made,
      },
      {
        SLCustomerAccountID: 'SLCustomerAccount.SLCustomerAccountID',
        SYSCountryCodeID: 'SYSCountryCode.SYSCountryCodeID',
        AddressCountryID: 'SYSCountryCode.SYSCountryCodeID',
      },
    ),
    SLCustomerContact: tableOf(
      accounts,
      {
        '*SLCustomerContactID bigint': ({ id }) => id + 2000,
        'SLCustomerAccountID bigint': ({ id }) => id,
        'SLCustomerLocationID bigint': ({ id }) => id + 1000,
        'SalutationID bigint': 0,
        'ContactName varchar(200)': ({ one }) => `${one.first} ${one.last}`,
        'FirstName varchar(60)': ({ one }) => one.first,
        'MiddleName varchar(60)': '',
        'LastName varchar(60)': ({ one }) => one.last,
        'Description varchar(60)': 'Accounts',
        'ContactNamePreMigratedData varchar(200)': '',
        ...made,
      },
      {
        SLCustomerAccountID: 'SLCustomerAccount.SLCustomerAccountID',
        SLCustomerLocationID: 'SLCustomerLocation.SLCustomerLocationID',
      },
    ),
    SLCustomerContactValue: tableOf(
      accounts.flatMap(({ one, id }) => [
        { one, id, type: 0 },
        { one, id, type: 3 },
      ]),
      {
        '*SLCustomerContactValueID bigint': (_row, index) => index + 30_501,
        'SLCustomerContactID bigint': ({ id }) => id + 2000,
        'SYSContactTypeID bigint': ({ type }) => type,
        'ContactValue varchar(200)': ({ one, type }) => (type === 0 ? one.phone : one.email),
        'IsPreferredValue bit': 1,
        'ContactValueCountryCode varchar(5)': ({ type }) => (type === 0 ? '44' : ''),
        'ContactValueAreaCode varchar(20)': ({ type }) => (type === 0 ? '20' : ''),
        'ContactValueSubscriberNumber varchar(200)': ({ one, type }) =>
          type === 0 ? one.phone.slice(7) : one.email,
        'ContactValuePreMigratedData varchar(200)': '',
        ...made,
      },
      {
        SLCustomerContactID: 'SLCustomerContact.SLCustomerContactID',
        SYSContactTypeID: 'SYSContactType.SYSContactTypeID',
      },
    ),
  },
  sections: {
    header: {
      table: 'SOPInvoiceCredit',
      key: 'SOPInvoiceCreditID',
      match: 'DocumentNo',
      where: { SOPInvoiceCreditTypeID: '0' },
    },
    lines: {
      table: 'SOPInvoiceCreditLine',
      key: 'SOPInvoiceCreditLineID',
      match: 'SOPInvoiceCreditID',
      matchFrom: 'SOPInvoiceCreditID',
    },
    customer: {
      table: 'SLCustomerAccount',
      key: 'SLCustomerAccountID',
      match: 'SLCustomerAccountID',
      matchFrom: 'CustomerID',
    },
  },
  fields: {
    number: 'SOPInvoiceCredit.DocumentNo|SLPostedCustomerTran.TransactionReference',
    issue_date:
      'SOPInvoiceCredit.DocumentDate|SOPInvoiceCreditLine.InvoiceCreditDate|SLPostedCustomerTran.TransactionDate',
    due_date: 'SLPostedCustomerTran.DueDate',
    'delivery.date':
      'SOPDespatchReceipt.DespatchReceiptDate|SOPDespatchReceiptLine.DespatchReceiptDate',
    currency: 'SYSCurrencyISOCode.Code|SYSCurrency.Name!map|SYSCurrency.Symbol!map',
    'exchange_rate.rate':
      'SOPInvoiceCredit.ExchangeRate!divide|SOPOrderReturn.ExchangeRate!divide|SYSCurrency.OneUnitBaseEquals!divide|SLPostedCustomerTran.DocumentToBaseCurrencyRate!divide',
    purchase_order: 'SOPInvoiceCredit.CustomerDocumentNo|SOPOrderReturn.CustomerDocumentNo',
    buyer_reference: 'SOPInvoiceCredit.CustomerDocumentNo|SOPOrderReturn.CustomerDocumentNo',
    'payment_terms[].note': 'SLCustomerAccount.TradingTerms',
    'totals.net':
      'SOPInvoiceCredit.InvoicedNetValue|SOPInvoiceCredit.InvdNetValInclSettDisc|SOPInvoiceCredit.DiscountedTotalGoods',
    'totals.lines':
      'SOPInvoiceCredit.InvoicedNetValue|SOPInvoiceCredit.InvdNetValInclSettDisc|SOPInvoiceCredit.DiscountedTotalGoods',
    'totals.tax':
      'SOPInvoiceCredit.InvoicedTaxValue|SOPInvoiceCredit.InvdTaxValInclSettDisc|SOPInvoiceCredit.InvoicedTaxValInclNotional|SLPostedCustomerTran.TaxValue',
    'totals.gross':
      'SOPInvoiceCredit.InvoicedGrossValue|SOPInvoiceCredit.InvdGrossValInclSettDisc|SLPostedCustomerTran.GoodsValueInAccountCurrency',
    'totals.due':
      'SOPInvoiceCredit.InvoicedGrossValue|SOPInvoiceCredit.InvdGrossValInclSettDisc|SLPostedCustomerTran.GoodsValueInAccountCurrency',
    'tax_breakdown[].amount': 'SOPInvCredTaxItem.TaxValue|SOPInvCredTaxItem.DiscountedTaxValue',
    'tax_breakdown[].taxable': 'SOPInvCredTaxItem.GoodsValue',
    'tax_breakdown[].rate': 'SOPInvCredTaxItem.TaxRate|SYSTaxRate.TaxRate',
    'seller.name': 'SYSCompany.CompanyName',
    'seller.trn': 'SYSCompany.TaxRegistrationNumber',
    'seller.registration_id': 'SYSCompany.CompanyRegistrationNumber',
    'buyer.name': 'SLCustomerAccount.CustomerAccountName|SOPInvCredAddress.PostalName',
    'buyer.trn': 'SLCustomerAccount.TaxRegistrationNumber',
    'PINT-MY:buyer.identifiers[].id': 'SLCustomerAccount.TaxRegistrationNumber',
    'buyer.address.line1': 'SOPInvCredAddress.AddressLine1|SLCustomerLocation.AddressLine1',
    'buyer.address.city': 'SOPInvCredAddress.City|SLCustomerLocation.City',
    'buyer.address.post_code': 'SOPInvCredAddress.PostCode|SLCustomerLocation.PostCode',
    'buyer.address.subdivision': 'SOPInvCredAddress.County|SLCustomerLocation.County',
    'buyer.address.country':
      'SYSCountryCode.Code|SYSCountryCode.Name!map|SOPInvCredAddress.Country!map|SLCustomerLocation.Country!map',
    'buyer.contact.name':
      'SLCustomerContact.ContactName|SLCustomerContact.FirstName!concat|SLCustomerContact.LastName!concat',
    'buyer.contact.phone':
      'SLCustomerContactValue.ContactValue|SLCustomerAccount.MainTelephoneSubscriberNumber!concat|SLCustomerAccount.MainTelephoneAreaCode!concat|SLCustomerAccount.MainTelephoneCountryCode!concat',
    'buyer.contact.email': 'SLCustomerContactValue.ContactValue',
    'lines[].id':
      'SOPInvoiceCreditLine.PrintSequenceNumber|SOPInvoiceCreditLine.SOPInvoiceCreditLineID',
    'lines[].sku': 'SOPInvoiceCreditLine.ItemCode|SOPOrderReturnLine.ItemCode|StockItem.Code',
    'lines[].name':
      'SOPInvoiceCreditLine.ItemName|SOPOrderReturnLine.ItemDescription|StockItem.Name',
    'lines[].description':
      'SOPInvoiceCreditLine.ItemName|SOPOrderReturnLine.ItemDescription|StockItem.Name|StockItem.Description',
    'lines[].qty': 'SOPInvoiceCreditLine.InvoiceCreditQuantity',
    'lines[].unit':
      'SOPInvoiceCreditLine.ItemUnitOfMeasure!map|SOPOrderReturnLine.SellingUnitDescription!map|SOPOrderReturnLine.PricingUnitDescription!map|StockItem.StockUnitName!map',
    'lines[].unit_price': 'SOPInvoiceCreditLine.ItemPrice|SOPOrderReturnLine.UnitSellingPrice',
    'lines[].gross_price': 'SOPInvoiceCreditLine.ItemPrice|SOPOrderReturnLine.UnitSellingPrice',
    'lines[].allowances[].percent':
      'SOPInvoiceCreditLine.LineDiscountPercent|SOPOrderReturnLine.UnitDiscountPercent',
    'lines[].net': 'SOPInvoiceCreditLine.LineTotalValue',
    'lines[].accounting.tax_totals[].amount': 'SOPInvoiceCreditLine.LineTaxValue',
    'lines[].tax.rate': 'SYSTaxRate.TaxRate',
    'lines[].tax.category':
      'SYSTaxRate.TaxRate!map|SYSTaxRate.Code!map|SYSTaxRate.Name!map|SOPInvoiceCreditLine.SYSTaxRateID!map|SOPOrderReturnLine.TaxCodeID!map|StockItem.TaxCodeID!map',
  },
};
