import {
  type Buyer,
  cents,
  countryOf,
  linesOf,
  ratesOf,
  type SalesDocument,
  type SoldLine,
  tradeOf,
} from './enterprise-trade.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { midnight, tableOf } from './tables.ts';

const { documents, buyers, goods } = tradeOf({
  home: 'MY',
  seed: 9_311,
  documents: 158,
  currency: 'MYR',
  exchanges: { USD: 4.41, EUR: 4.78 },
  rates: { standard: 10, middle: 8, reduced: 5, zero: 0 },
  taxOf: 'line',
});

interface Sale {
  readonly one: SalesDocument;
  readonly id: number;
  readonly sign: 1 | -1;
}

/** Nothing is a draft there; what was cancelled is taken back by a sale below zero. */
const recorded = documents.filter(({ state }) => state !== 'draft');
const sales: readonly Sale[] = [
  ...recorded.map((one): Sale => ({ one, id: one.id, sign: one.kind === 'credit' ? -1 : 1 })),
  ...recorded
    .filter(({ state, kind }) => state === 'cancelled' && kind === 'invoice')
    .map((one): Sale => ({ one, id: one.id + 400, sign: -1 })),
];
const saleLines = sales.flatMap((sale) =>
  sale.one.lines.map((line) => ({ ...sale, line, lineId: line.id + (sale.id > 400 ? 2000 : 0) })),
);

const currencyIds: Readonly<Record<string, number>> = { MYR: 1, USD: 2, EUR: 3 };
const taxCodes = [
  { id: 1, code: 'S10', name: 'Sales tax 10%', rate: 10 },
  { id: 2, code: 'SV8', name: 'Service tax 8%', rate: 8 },
  { id: 3, code: 'S05', name: 'Sales tax 5%', rate: 5 },
  { id: 4, code: 'EX', name: 'Exempt', rate: 0 },
  { id: 5, code: 'EXP', name: 'Export', rate: 0 },
  { id: 6, code: 'N-T', name: 'Not reportable', rate: 0 },
];
const taxCodeOf = (rate: number, { isHome }: Buyer) =>
  isHome ? taxCodes.find((each) => each.rate === rate)!.id : 5;
const gross = (line: SoldLine) => cents(line.net + line.tax);
const grossPrice = (line: SoldLine) =>
  Math.round(line.price * (1 + line.rate / 100) * 10_000) / 10_000;
const saleNumber = (id: number) => String(id > 400 ? id - 100 : id).padStart(8, '0');
const statusOf = ({ one, sign }: Sale) => {
  if (sign < 0) return 'CR';
  return one.isPaid || one.state === 'cancelled' ? 'C' : 'O';
};
const openOf = ({ one, sign }: Sale) =>
  one.isPaid || one.state === 'cancelled' ? 0 : sign * one.gross;
const paidOf = ({ one, sign }: Sale) => (one.isPaid ? sign * one.gross : 0);
const termsOf = (days: number) => [0, 14, 30, 60].indexOf(days) + 1;
/** A card for everybody: customers from 1, suppliers from 201, people from 301. */
const cardOf = ({ id }: Buyer) => id;
const suppliers = [
  { id: 201, name: 'Shanghai Pump Works Co Ltd', city: 'Shanghai', country: 'China' },
  { id: 202, name: 'Kilang Injap Utama Sdn Bhd', city: 'Klang', country: 'Malaysia' },
  { id: 203, name: 'Tenaga Nasional Berhad', city: 'Kuala Lumpur', country: 'Malaysia' },
];
const people = [
  { id: 301, first: 'Siti', last: 'Aminah' },
  { id: 302, first: 'Kelvin', last: 'Ong' },
];
const units: Readonly<Record<string, string>> = {
  piece: 'unit',
  hour: 'hour',
  metre: 'meter',
  kilogram: 'kg',
  box: 'box',
  litre: 'litre',
};
const linesOfAddress = ({ name, street, street2, city, zip, country }: Buyer) => [
  name,
  street2 === null ? street : `${street}, ${street2}`,
  `${zip ?? ''} ${city}`.trim(),
  countryOf(country).name,
];

const customFields = {
  'IdentifierID varchar(26)': null,
  'CustomList1ID integer, CustomList2ID integer, CustomList3ID integer': 0,
  'CustomField1 varchar(30), CustomField2 varchar(30), CustomField3 varchar(30)': '',
};
const bought = recorded.filter(({ id }) => id % 5 === 0);
const boughtTotal = (one: SalesDocument) => cents(one.net * 0.6);

const sold: Readonly<Record<string, LayoutTable>> = {
  Sales: tableOf(sales, {
    '*SaleID integer': ({ id }) => id,
    'CardRecordID integer': ({ one }) => cardOf(one.buyer),
    'InvoiceNumber varchar(8)': ({ id }) => saleNumber(id),
    'CustomerPONumber varchar(20)': ({ one }) => one.order ?? '',
    'IsHistorical varchar(1)': 'N',
    'BackorderSaleID integer': 0,
    'Date datetime, InvoiceDate datetime': ({ one }) => midnight(one.date),
    'IsThirteenthPeriod varchar(1)': 'N',
    'ShipToAddress varchar(255)': ({ one }) => linesOfAddress(one.buyer).join('\r\n'),
    'ShipToAddressLine1 varchar(255)': ({ one }) => linesOfAddress(one.buyer)[0]!,
    'ShipToAddressLine2 varchar(255)': ({ one }) => linesOfAddress(one.buyer)[1]!,
    'ShipToAddressLine3 varchar(255)': ({ one }) => linesOfAddress(one.buyer)[2]!,
    'ShipToAddressLine4 varchar(255)': ({ one }) => linesOfAddress(one.buyer)[3]!,
    'InvoiceTypeID varchar(1)': 'I',
    'InvoiceStatusID varchar(2)': statusOf,
    'TermsID integer': ({ one }) => termsOf(one.days),
    'TotalLines double': ({ one, sign }) => sign * one.net,
    'TaxExclusiveFreight double, TaxInclusiveFreight double': 0,
    'FreightTaxCodeID integer': 6,
    'TotalTax double': ({ one, sign }) => sign * one.tax,
    'TotalPaid double': paidOf,
    'TotalDeposits double, TotalCredits double, TotalDiscounts double': 0,
    'OutstandingBalance double': openOf,
    'SalesPersonID integer': ({ id }) => 301 + (id % 2),
    'Memo varchar(255)': ({ one, sign }) => `${sign < 0 ? 'Credit' : 'Sale'}; ${one.buyer.name}`,
    'Comment varchar(255)': ({ one }) => one.note ?? 'Thank you!',
    'ShippingMethodID integer': ({ id }) => (id % 3) + 1,
    'PromisedDate datetime': ({ one }) => midnight(one.delivered),
    'ReferralSourceID integer': 0,
    'IsAutoRecorded varchar(1)': 'N',
    'IsPrinted varchar(1)': 'Y',
    'InvoiceDeliveryID varchar(1)': 'P',
    'DaysTillPaid integer': ({ one }) => (one.isPaid ? one.days : 0),
    'CurrencyID integer': ({ one }) => currencyIds[one.currency]!,
    'TransactionExchangeRate double': ({ one }) => one.exchange,
    'CategoryID integer': 0,
    'LinesPurged varchar(1), PreAuditTrail varchar(1)': 'N',
  }),
  SaleLines: tableOf(saleLines, {
    '*SaleLineID integer': ({ lineId }) => lineId,
    'SaleID integer': ({ id }) => id,
    'LineNumber integer': ({ line }) => line.position,
    'LineTypeID varchar(1)': 'D',
    'Description varchar(255)': ({ line }) => line.good.name,
    'TaxExclusiveAmount double': ({ line, sign }) => sign * line.net,
    'TaxInclusiveAmount double': ({ line, sign }) => sign * gross(line),
    'TaxBasisAmount double': ({ line, sign }) => sign * line.net,
    'TaxBasisAmountIsInclusive varchar(1), IsMultipleJob varchar(1)': 'N',
    'JobID integer': 0,
    'TaxCodeID integer': ({ one, line }) => taxCodeOf(line.rate, one.buyer),
  }),
  ItemSaleLines: tableOf(saleLines, {
    '*ItemSaleLineID integer': ({ lineId }) => lineId + 10_000,
    'SaleLineID integer': ({ lineId }) => lineId,
    'SaleID integer': ({ id }) => id,
    'LineTypeID varchar(1)': 'D',
    'LineNumber integer': ({ line }) => line.position,
    'Description varchar(255)': ({ line }) => line.good.name,
    'TaxExclusiveTotal double': ({ line, sign }) => sign * line.net,
    'TaxInclusiveTotal double': ({ line, sign }) => sign * gross(line),
    'IsMultipleJob varchar(1)': 'N',
    'JobID integer': 0,
    'TaxCodeID integer': ({ one, line }) => taxCodeOf(line.rate, one.buyer),
    'TaxBasisAmount double': ({ line, sign }) => sign * line.net,
    'TaxBasisAmountIsInclusive varchar(1)': 'N',
    'Quantity double': ({ line, sign }) => sign * line.quantity,
    'ItemID integer': ({ line }) => line.good.id,
    'SalesTaxCalBasisID varchar(3)': 'ASP',
    'TaxExclusiveUnitPrice double': ({ line }) => line.price,
    'TaxInclusiveUnitPrice double': ({ line }) => grossPrice(line),
    'Discount double': ({ line }) => line.discount,
    'CostOfGoodsSoldAmount double': ({ line, sign }) =>
      sign * cents(line.quantity * line.good.cost),
    'LocationID integer': 1,
  }),
  ServiceSaleLines: {
    columns:
      '*ServiceSaleLineID integer, SaleLineID integer, SaleID integer, LineNumber integer, LineTypeID varchar(1), Description varchar(255), AccountID integer, TaxExclusiveAmount double, TaxInclusiveAmount double, TaxBasisAmount double, TaxBasisAmountIsInclusive varchar(1), IsMultipleJob varchar(1), JobID integer, TaxCodeID integer',
    rows: [],
  },
  CustomerPayments: tableOf(
    sales.filter((sale) => paidOf(sale) > 0),
    {
      '*CustomerPaymentID integer': ({ id }) => id,
      'CustomerPaymentNumber varchar(8)': ({ id }) => `CR${String(id).padStart(6, '0')}`,
      'Date datetime, TransactionDate datetime': ({ one }) => midnight(one.due),
      'IsThirteenthPeriod varchar(1)': 'N',
      'CardRecordID integer': ({ one }) => cardOf(one.buyer),
      'TotalCustomerPayment double': paidOf,
      'FinanceCharge double': 0,
      'Memo varchar(255)': ({ one }) => `Payment; ${one.buyer.name}`,
      'RecipientAccountID integer': 11,
      'MethodOfPaymentID integer': 2,
      'PaymentNotes varchar(255)': '',
      'CurrencyID integer': ({ one }) => currencyIds[one.currency]!,
      'TransactionExchangeRate double': ({ one }) => one.exchange,
      'DepositStatusID varchar(1)': 'D',
    },
  ),
  CustomerPaymentLines: tableOf(
    sales.filter((sale) => paidOf(sale) > 0),
    {
      '*CustomerPaymentLineID integer, CustomerPaymentID integer': ({ id }) => id,
      'LineNumber integer': 1,
      'SaleID integer': ({ id }) => id,
      'AmountApplied double': paidOf,
      'IsDepositPayment varchar(1), IsDiscount varchar(1)': 'N',
    },
  ),
  TaxInformation: tableOf(
    sales.flatMap((sale) => ratesOf(sale.one.lines).map((rate) => ({ ...sale, ...rate }))),
    {
      '*TaxInformationID integer': (_row, index) => index + 1,
      'TaxCodeID integer': ({ one, rate }) => taxCodeOf(rate, one.buyer),
      'JournalTypeID varchar(2)': 'SJ',
      'TransactionID integer': ({ id }) => id,
      'TaxPercentageRate double': ({ rate }) => rate,
      'TaxableAmountAUS double, TaxBasisAmountAUS double': ({ one, base, sign }) =>
        cents(sign * base * one.exchange),
      'TaxableAmount double, TaxBasisAmount double': ({ base, sign }) => sign * base,
      'TaxAmount double': ({ one, rate, sign }) =>
        sign * cents(one.lines.reduce((all, line) => all + (line.rate === rate ? line.tax : 0), 0)),
      'TaxAmountAUS double': ({ one, rate, sign }) =>
        cents(
          sign *
            one.exchange *
            one.lines.reduce((all, line) => all + (line.rate === rate ? line.tax : 0), 0),
        ),
      'TaxAmountIsChanged varchar(1)': 'N',
      'ReportTaxAsID varchar(1)': 'C',
    },
  ),
};

const cards: Readonly<Record<string, LayoutTable>> = {
  Cards: tableOf(
    [
      ...buyers.map((one) => ({ id: cardOf(one), type: 'C', name: one.name, first: '', one })),
      ...suppliers.map(({ id, name }) => ({ id, type: 'S', name, first: '', one: null })),
      ...people.map(({ id, first, last }) => ({ id, type: 'E', name: last, first, one: null })),
    ],
    {
      '*CardRecordID integer': ({ id }) => id,
      'CardTypeID varchar(1)': ({ type }) => type,
      'CardIdentification varchar(16)': ({ id, type }) => `${type}${String(id).padStart(5, '0')}`,
      'Name varchar(52)': ({ name, first }) => (first === '' ? name : `${first} ${name}`),
      'LastName varchar(52)': ({ name }) => name,
      'FirstName varchar(20)': ({ first }) => first,
      'ChangeControl varchar(10)': 'AA001',
      'IsIndividual varchar(1)': ({ type }) => (type === 'E' ? 'Y' : 'N'),
      'IsInactive varchar(10)': 'N',
      'CurrencyID integer': ({ one }) => (one === null ? 1 : currencyIds[one.currency]!),
      'Notes varchar(255)': '',
      ...customFields,
      'PaymentDeliveryID varchar(1)': 'P',
    },
  ),
  Customers: tableOf(buyers, {
    '*CustomerID integer': ({ id }) => id + 500,
    'CardRecordID integer': cardOf,
    'CardIdentification varchar(16)': ({ id }) => `C${String(id).padStart(5, '0')}`,
    'Name varchar(52), LastName varchar(52)': ({ name }) => name,
    'FirstName varchar(20)': '',
    'IsIndividual varchar(1), IsInactive varchar(1)': 'N',
    'CurrencyID integer': ({ currency }) => currencyIds[currency]!,
    'Picture varchar(255), Notes varchar(255)': '',
    ...customFields,
    'TermsID integer': 3,
    'PriceLevelID varchar(3)': '0',
    'TaxIDNumber varchar(19)': ({ taxNumber }) => taxNumber ?? '',
    'TaxCodeID integer': ({ isHome }) => (isHome ? 1 : 5),
    'FreightTaxCodeID integer': 6,
    'UseCustomerTaxCode varchar(1)': ({ isHome }) => (isHome ? 'N' : 'Y'),
    'CreditLimit double': ({ id }) => id * 1000,
    'OnHold varchar(1)': 'N',
    'VolumeDiscount double': 0,
    'CurrentBalance double': ({ id }) =>
      cents(sales.reduce((all, sale) => all + (sale.one.buyer.id === id ? openOf(sale) : 0), 0)),
    'TotalDeposits double': 0,
    'CustomerSince datetime': midnight('2024-07-01'),
    'LastSaleDate datetime, LastPaymentDate datetime': midnight('2026-06-20'),
    'TotalReceivableDays integer, TotalPaidInvoices integer': 12,
    'HighestInvoiceAmount double, HighestReceivableAmount double': 9000,
    'MethodOfPaymentID integer': 2,
    'PaymentCardNumber varchar(25), PaymentNameOnCard varchar(50)': '',
    'PaymentExpiryDate datetime': null,
    'PaymentNotes varchar(255)': '',
    'HourlyBillingRate double': 0,
    'SaleLayoutID varchar(1)': 'I',
    'PrintedForm varchar(34)': '',
    'InvoiceDeliveryID varchar(1)': 'P',
    'IncomeAccountID integer': 41,
    'ReceiptMemo varchar(255)': '',
    'SalespersonID integer': 301,
    'SaleCommentID integer, ShippingMethodID integer': 1,
    'PaymentDeliveryID varchar(1)': 'P',
    'ChangeControl varchar(15)': 'AA001',
  }),
  Suppliers: tableOf(suppliers, {
    '*SupplierID integer': ({ id }) => id + 500,
    'CardRecordID integer': ({ id }) => id,
    'CardIdentification varchar(16)': ({ id }) => `S${String(id).padStart(5, '0')}`,
    'Name varchar(52), LastName varchar(52)': ({ name }) => name,
    'FirstName varchar(20)': '',
    'IsIndividual varchar(1), IsInactive varchar(1)': 'N',
    'CurrencyID integer': 1,
    ...customFields,
    'TermsID integer': 3,
    'TaxIDNumber varchar(19)': '',
    'TaxCodeID integer, FreightTaxCodeID integer': 6,
    'UseSupplierTaxCode varchar(1)': 'N',
    'CreditLimit double, VolumeDiscount double, CurrentBalance double, TotalDeposits double': 0,
    'SupplierSince datetime': midnight('2024-07-01'),
    'PurchaseLayoutID varchar(1)': 'I',
    'ExpenseAccountID integer': 51,
  }),
  Employees: tableOf(people, {
    '*EmployeeID integer': ({ id }) => id + 500,
    'CardRecordID integer': ({ id }) => id,
    'CardIdentification varchar(16)': ({ id }) => `E${String(id).padStart(5, '0')}`,
    'Name varchar(52)': ({ first, last }) => `${first} ${last}`,
    'LastName varchar(52)': ({ last }) => last,
    'FirstName varchar(20)': ({ first }) => first,
    'IsIndividual varchar(1)': 'Y',
    'IsInactive varchar(1)': 'N',
    'CurrencyID integer': 1,
    ...customFields,
    'HourlyBillingRate double, EstimatedCostPerHour double': 0,
  }),
  Address: tableOf(
    [
      ...buyers.map((one) => ({ card: cardOf(one), location: 1, one })),
      ...buyers
        .filter(({ id }) => id % 4 === 0)
        .map((one) => ({
          card: cardOf(one),
          location: 2,
          one: { ...one, street: 'Warehouse, back gate', street2: null },
        })),
    ],
    {
      '*AddressID integer': (_row, index) => index + 1,
      'CardRecordID integer': ({ card }) => card,
      'Location integer': ({ location }) => location,
      'Street varchar(256)': ({ one }) =>
        one.street2 === null ? one.street : `${one.street}\r\n${one.street2}`,
      'StreetLine1 varchar(256)': ({ one }) => one.street,
      'StreetLine2 varchar(256)': ({ one }) => one.street2 ?? '',
      'StreetLine3 varchar(256), StreetLine4 varchar(256)': '',
      'City varchar(256)': ({ one }) => one.city,
      'State varchar(256)': ({ one }) => one.region ?? '',
      'Postcode varchar(10)': ({ one }) => one.zip ?? '',
      'Country varchar(256)': ({ one }) => countryOf(one.country).name,
      'Phone1 varchar(21)': ({ one }) => one.phone ?? '',
      'Phone2 varchar(21), Phone3 varchar(21), Fax varchar(21)': '',
      'Email varchar(255)': ({ one }) => one.email ?? '',
      'Salutation varchar(15)': '',
      'ContactName varchar(25)': ({ one }) => `${one.first} ${one.last}`,
      'WWW varchar(255)': '',
      'ChangeControl varchar(15)': 'AA001',
    },
  ),
  CardTypes: {
    columns: '*CardTypeID varchar(1), Description varchar(20)',
    rows: [
      ['C', 'Customer'],
      ['S', 'Supplier'],
      ['E', 'Employee'],
      ['P', 'Personal'],
    ],
  },
};

const lists: Readonly<Record<string, LayoutTable>> = {
  Items: tableOf(goods, {
    '*ItemID integer': ({ id }) => id,
    'IsInactive varchar(1)': 'N',
    'ItemName varchar(30)': ({ name }) => name,
    'ItemNumber varchar(30)': ({ code }) => code,
    'QuantityOnHand double, ValueOnHand double': ({ isService, cost }) =>
      isService ? 0 : cents(cost * 40),
    'SellOnOrder double, PurchaseOnOrder double': 0,
    'ItemIsSold varchar(1)': 'Y',
    'ItemIsBought varchar(1), ItemIsInventoried varchar(1)': ({ isService }) =>
      isService ? 'N' : 'Y',
    'InventoryAccountID integer': 13,
    'IncomeAccountID integer': 41,
    'ExpenseAccountID integer': 51,
    'Picture varchar(255)': '',
    'ItemDescription varchar(255)': ({ text }) => text,
    'UseDescription varchar(1)': 'N',
    'CustomList1ID integer, CustomList2ID integer, CustomList3ID integer': 0,
    'CustomField1 varchar(30), CustomField2 varchar(30), CustomField3 varchar(30)': '',
    'BaseSellingPrice double': ({ price }) => price,
    'ItemIsTaxedWhenSold varchar(1)': ({ rateClass }) => (rateClass === 'zero' ? 'N' : 'Y'),
    'SellUnitMeasure varchar(5)': ({ unit }) => units[unit]!,
    'SellUnitQuantity integer': 1,
    'TaxExclusiveLastPurchasePrice double, TaxExclusiveStandardCost double': ({ cost }) => cost,
    'BuyUnitMeasure varchar(5)': ({ unit }) => units[unit]!,
    'BuyUnitQuantity integer': 1,
    'PrimarySupplierID integer': 202,
    'SupplierItemNumber varchar(30)': ({ code }) => `X${code}`,
    'MinLevelBeforeReorder double, DefaultReorderQuantity double': 5,
    'DefaultSellLocationID integer, DefaultReceiveLocationID integer': 1,
    'SalesTaxCalcBasisID varchar(3)': 'ASP',
    'ChangeControl varchar(20)': 'AA001',
  }),
  ItemLocations: tableOf(
    goods.filter(({ isService }) => !isService),
    {
      '*ItemLocationID integer, ItemID integer': ({ id }) => id,
      'LocationID integer': 1,
      'QuantityOnHand double': 40,
      'SellOnOrder double, PurchaseOnOrder double': 0,
    },
  ),
  ItemSellingPrices: tableOf(goods, {
    '*ItemPriceID integer, ItemID integer': ({ id }) => id,
    'PriceLevel varchar(3), QuantityBreak integer, QuantityBreakAmount double': '0',
    'PriceIsInclusive varchar(1)': 'N',
    'SellingPrice double': ({ price }) => price,
  }),
  Locations: {
    columns:
      '*LocationID integer, IsInactive varchar(1), CanBeSold varchar(1), LocationIdentification varchar(10), LocationName varchar(30), Street varchar(255), City varchar(50), State varchar(50), Postcode varchar(11), Country varchar(50), Contact varchar(25), Phone varchar(21)',
    rows: [
      [
        1,
        'N',
        'Y',
        'SHAH',
        'Shah Alam store',
        'Jalan Tiang 9',
        'Shah Alam',
        'SGR',
        '40200',
        'Malaysia',
        'Siti',
        '+60 3-5510 2201',
      ],
    ],
  },
  TaxCodes: tableOf(taxCodes, {
    '*TaxCodeID integer': ({ id }) => id,
    'TaxCode varchar(3)': ({ code }) => code,
    'TaxCodeDescription varchar(30)': ({ name }) => name,
    'TaxPercentageRate double': ({ rate }) => rate,
    'TaxCodeTypeID varchar(3)': ({ rate }) => (rate === 0 ? 'EXM' : 'SST'),
    'TaxCollectedAccountID integer, TaxPaidAccountID integer': 22,
    'LinkedCardID integer': 203,
  }),
  TaxCodeTypes: {
    columns: '*TaxCodeTypeID varchar(3), Description varchar(30)',
    rows: [
      ['SST', 'Sales and service tax'],
      ['EXM', 'No tax'],
    ],
  },
  Currency: {
    columns:
      '*CurrencyID integer, CurrencyCode varchar(3), CurrencyName varchar(30), ExchangeRate double, CurrencySymbol varchar(4), DigitGroupingSymbol varchar(1), SymbolPosition varchar(1), DecimalPlaces integer, NumberDigitsInGroup integer, DecimalPlaceSymbol varchar(1), NegativeFormat varchar(4), UseLeadingZero varchar(1)',
    rows: [
      [1, 'MYR', 'Malaysian Ringgit', 1, 'RM', ',', 'B', 2, 3, '.', '-', 'Y'],
      [2, 'USD', 'US Dollar', 4.41, '$', ',', 'B', 2, 3, '.', '-', 'Y'],
      [3, 'EUR', 'Euro', 4.78, '€', ',', 'B', 2, 3, '.', '-', 'Y'],
    ],
  },
  Terms: tableOf([0, 14, 30, 60], {
    '*TermsID integer': (_days, index) => index + 1,
    'LatePaymentChargePercent double, EarlyPaymentDiscountPercent double': 0,
    'TermsOfPaymentID varchar(4)': (days) => (days === 0 ? 'COD' : 'GND'),
    'DiscountDays integer': 0,
    'BalanceDueDays integer': (days) => days,
    'ImportPaymentIsDue integer': 2,
    'DiscountDate varchar(2), BalanceDueDate varchar(2)': '',
  }),
  TermsOfPayment: {
    columns: '*TermsOfPaymentID varchar(4), Description varchar(40)',
    rows: [
      ['COD', 'Cash on delivery'],
      ['GND', 'In a given number of days'],
      ['PPD', 'Prepaid'],
    ],
  },
  InvoiceType: {
    columns: '*InvoiceTypeID varchar(1), Description varchar(20)',
    rows: [
      ['I', 'Item'],
      ['S', 'Service'],
      ['P', 'Professional'],
      ['T', 'Time billing'],
    ],
  },
  Status: {
    columns: '*StatusID varchar(2), Description varchar(20)',
    rows: [
      ['O', 'Open'],
      ['C', 'Closed'],
      ['CR', 'Credit'],
      ['OR', 'Order'],
      ['Q', 'Quote'],
    ],
  },
  InvoiceDelivery: {
    columns: '*InvoiceDeliveryID varchar(1), Description varchar(30)',
    rows: [
      ['P', 'To be printed'],
      ['E', 'To be e-mailed'],
      ['A', 'Already printed or sent'],
    ],
  },
  LineType: {
    columns: '*LineTypeID varchar(1), Description varchar(20)',
    rows: [
      ['D', 'Detail'],
      ['H', 'Header'],
      ['S', 'Subtotal'],
    ],
  },
  PaymentMethods: {
    columns: '*PaymentMethodID integer, PaymentMethod varchar(20), MethodType varchar(20)',
    rows: [
      [1, 'Cash', 'Cash'],
      [2, 'Bank transfer', 'Other'],
    ],
  },
  ShippingMethods: {
    columns: '*ShippingMethodID integer, ShippingMethod varchar(30)',
    rows: [
      [1, 'Own lorry'],
      [2, 'Courier'],
      [3, 'Pick up'],
    ],
  },
  Comments: { columns: '*CommentID integer, Comment varchar(255)', rows: [[1, 'Thank you!']] },
  Accounts: {
    columns:
      '*AccountID integer, ParentAccountID integer, IsInactive varchar(1), AccountName varchar(30), AccountNumber varchar(6), TaxCodeID integer, CurrencyID integer, AccountClassificationID varchar(4), AccountTypeID varchar(1), OpeningAccountBalance double, CurrentAccountBalance double, IsTotal varchar(1)',
    rows: [
      [11, 0, 'N', 'Maybank current', '11110', 6, 1, 'A', 'D', 12_000, 48_210.4, 'N'],
      [12, 0, 'N', 'Trade debtors', '11200', 6, 1, 'A', 'D', 0, 91_000, 'N'],
      [13, 0, 'N', 'Inventory', '11300', 6, 1, 'A', 'D', 0, 64_000, 'N'],
      [22, 0, 'N', 'SST payable', '21300', 6, 1, 'L', 'D', 0, 7_120.5, 'N'],
      [41, 0, 'N', 'Sales', '41100', 1, 1, 'I', 'D', 0, 0, 'N'],
      [51, 0, 'N', 'Purchases', '51100', 6, 1, 'C', 'D', 0, 0, 'N'],
    ],
  },
  DataFileInformation: {
    columns:
      'CompanyName varchar(50), Address varchar(255), Phone varchar(21), FaxNumber varchar(21), EmailAddress varchar(80), ABN varchar(14), ABNBranch varchar(11), ACN varchar(19), SalesTaxNumber varchar(19), GSTRegistrationNumber varchar(19), PayeeNumber varchar(8), CompanyRegistrationNumber varchar(19), CurrentFinancialYear integer, LastMonthInFinancialYear integer, ConversionDate datetime, PeriodsPerYear integer, LastPurgeDate datetime, LastBackupDate datetime, DatabaseVersion varchar(10), DataFileCountry varchar(10), DriverBuildNumber integer, SerialNumber varchar(12)',
    rows: [
      [
        'Pam Bahtera Sdn Bhd',
        '15 Jalan Tiang 9, 40200 Shah Alam, Selangor',
        '+60 3-5510 2200',
        '+60 3-5510 2299',
        'sales@pambahtera.example',
        '',
        '',
        '',
        'B10-1808-32000123',
        '',
        '',
        '201501023344',
        2026,
        12,
        midnight('2024-07-01'),
        12,
        null,
        midnight('2026-06-30'),
        '20.0',
        'MYS',
        20,
        '600012345678',
      ],
    ],
  },
};

const beside: Readonly<Record<string, LayoutTable>> = {
  Purchases: tableOf(bought, {
    '*PurchaseID integer': ({ id }) => id,
    'CardRecordID integer': ({ id }) => 201 + (id % 2),
    'PurchaseNumber varchar(8)': ({ id }) => String(id).padStart(8, '0'),
    'SupplierInvoiceNumber varchar(20)': ({ id }) => `KIU${id + 700}`,
    'IsHistorical varchar(1)': 'N',
    'Date datetime, PurchaseDate datetime': ({ date }) => midnight(date),
    'ShipToAddress varchar(255)': 'Jalan Tiang 9',
    'PurchaseTypeID varchar(1)': 'I',
    'PurchaseStatusID varchar(2)': ({ id }) => (id % 4 === 0 ? 'O' : 'C'),
    'TermsID integer': 3,
    'TotalLines double': boughtTotal,
    'TaxExclusiveFreight double, TaxInclusiveFreight double, TotalTax double': 0,
    'TotalPaid double, OutstandingBalance double': 0,
    'Memo varchar(255)': 'Purchase',
    'CurrencyID integer': 1,
    'TransactionExchangeRate double': 1,
  }),
  PurchaseLines: tableOf(bought, {
    '*PurchaseLineID integer, PurchaseID integer': ({ id }) => id,
    'LineNumber integer': 1,
    'LineTypeID varchar(1)': 'D',
    'Description varchar(255)': ({ lines }) => lines[0]!.good.name,
    'TaxExclusiveAmount double, TaxInclusiveAmount double': boughtTotal,
    'JobID integer': 0,
    'TaxCodeID integer': 6,
  }),
  ItemPurchaseLines: tableOf(bought, {
    '*ItemPurchaseLineID integer, PurchaseLineID integer, PurchaseID integer': ({ id }) => id,
    'LineNumber integer': 1,
    'Description varchar(255)': ({ lines }) => lines[0]!.good.name,
    'Quantity double, Received double': 1,
    'ItemID integer': ({ lines }) => lines[0]!.good.id,
    'TaxExclusiveUnitPrice double, TaxExclusiveTotal double, TaxInclusiveTotal double': boughtTotal,
    'Discount double': 0,
    'TaxCodeID integer': 6,
    'LocationID integer': 1,
  }),
  SupplierPayments: tableOf(bought.slice(0, 12), {
    '*SupplierPaymentID integer': ({ id }) => id,
    'SupplierPaymentNumber varchar(8)': ({ id }) => String(id),
    'Date datetime': ({ due }) => midnight(due),
    'CardRecordID integer': ({ id }) => 201 + (id % 2),
    'TotalSupplierPayment double': boughtTotal,
    'IssuingAccountID integer': 11,
    'Memo varchar(255)': 'Payment',
    'CurrencyID integer': 1,
  }),
  JournalSets: tableOf(sales, {
    '*SetID integer': ({ id }) => id,
    'JournalTypeID varchar(3)': 'SJ',
    'SourceID integer': ({ id }) => id,
    'TransactionNumber varchar(10)': ({ id }) => saleNumber(id),
    'Memo varchar(255)': ({ one }) => `Sale; ${one.buyer.name}`,
    'CurrencyID integer': ({ one }) => currencyIds[one.currency]!,
    'TransactionExchangeRate double': ({ one }) => one.exchange,
  }),
  JournalRecords: tableOf(
    sales.flatMap((sale) => [
      { ...sale, nth: 1, account: 12, amount: sale.sign * sale.one.gross },
      { ...sale, nth: 2, account: 41, amount: -sale.sign * sale.one.net },
      { ...sale, nth: 3, account: 22, amount: -sale.sign * sale.one.tax },
    ]),
    {
      '*JournalRecordID integer': (_row, index) => index + 1,
      'SetID integer': ({ id }) => id,
      'LineNumber integer': ({ nth }) => nth,
      'Date datetime, TransactionDate datetime': ({ one }) => midnight(one.date),
      'IsThirteenthPeriod varchar(1)': 'N',
      'AccountID integer': ({ account }) => account,
      'TaxExclusiveAmount double': ({ one, amount }) => cents(amount * one.exchange),
      'JobID integer': 0,
      'IsMultipleJob varchar(1), EntryIsPurged varchar(1)': 'N',
      'IsForeignTransaction varchar(1)': ({ one }) => (one.exchange === 1 ? 'N' : 'Y'),
      'IsExchangeConversion varchar(1)': 'N',
      'ReconciliationStatusID varchar(1)': 'N',
      'DateReconciled datetime': null,
      'UserID integer': 1,
      'RecordSessionDate datetime': ({ one }) => midnight(one.date),
      'RecordSessionTime varchar(10)': '14:20:11',
    },
  ),
  RecurringSales: tableOf(linesOf(documents.slice(0, 4)), {
    '*RecurringSaleID integer': (_row, index) => index + 1,
    'CardRecordID integer': ({ one }) => cardOf(one.buyer),
    'InvoiceTypeID varchar(1)': 'I',
    'TotalLines double': ({ one }) => one.net,
    'TotalTax double': ({ one }) => one.tax,
    'Memo varchar(255)': 'Every month',
  }),
  Users: {
    columns: '*UserID integer, UserName varchar(20), UserType varchar(1)',
    rows: [
      [1, 'Administrator', 'A'],
      [2, 'siti', 'U'],
    ],
  },
};

/**
 * MYOB, which is ABSS in Malaysia, as its ODBC driver shows it: customers, suppliers and people have a card, and documents refer to
 * the card; lines stand in two tables; credits are sales below zero that a status tells, as whether a sale is paid is told; no day
 * due, only days of the terms; no total with tax; no key is declared. Names after a database published on GitHub
 * (OAS.Database); those of items, payments, purchases and the company from memory, and so is that the total of the lines is
 * without tax.
 */
export const cardsAndSales: Layout = {
  name: 'cards-and-sales',
  isHeldOut: true,
  hasDiscounts: true,
  tables: { ...lists, ...beside, ...cards, ...sold },
  sections: {
    header: { table: 'Sales', key: 'SaleID', match: 'InvoiceNumber' },
    lines: { table: 'ItemSaleLines', key: 'ItemSaleLineID', match: 'SaleID', matchFrom: 'SaleID' },
    customer: {
      table: 'Customers',
      key: 'CustomerID',
      match: 'CardRecordID',
      matchFrom: 'CardRecordID',
    },
  },
  fields: {
    number: 'Sales.InvoiceNumber|JournalSets.TransactionNumber',
    issue_date: 'Sales.InvoiceDate|Sales.Date',
    'delivery.date': 'Sales.PromisedDate',
    currency:
      'Currency.CurrencyCode|Currency.CurrencyName!map|Currency.CurrencySymbol!map|Sales.CurrencyID!map',
    'exchange_rate.rate':
      'Sales.TransactionExchangeRate|Currency.ExchangeRate|JournalSets.TransactionExchangeRate',
    purchase_order: 'Sales.CustomerPONumber',
    buyer_reference: 'Sales.CustomerPONumber',
    'notes[]': 'Sales.Comment|Sales.Memo',
    'payment_terms[].note': 'TermsOfPayment.Description|Terms.BalanceDueDays',
    'totals.lines': 'Sales.TotalLines',
    'totals.net': 'Sales.TotalLines',
    'totals.tax': 'Sales.TotalTax',
    'totals.gross': 'Sales.TotalLines!add',
    'totals.due': 'Sales.TotalLines!add',
    'tax_breakdown[].rate': 'TaxInformation.TaxPercentageRate',
    'tax_breakdown[].amount': 'TaxInformation.TaxAmount',
    'tax_breakdown[].taxable': 'TaxInformation.TaxableAmount|TaxInformation.TaxBasisAmount',
    'seller.name': 'DataFileInformation.CompanyName',
    'seller.trn': 'DataFileInformation.SalesTaxNumber',
    'seller.registration_id': 'DataFileInformation.CompanyRegistrationNumber',
    'seller.address.line1': 'DataFileInformation.Address|Locations.Street',
    'seller.address.city': 'Locations.City',
    'seller.address.post_code': 'Locations.Postcode',
    'seller.address.subdivision': 'Locations.State',
    'seller.address.country': 'Locations.Country!map|DataFileInformation.DataFileCountry!map',
    'seller.contact.phone': 'DataFileInformation.Phone|Locations.Phone',
    'seller.contact.email': 'DataFileInformation.EmailAddress',
    'buyer.name':
      'Customers.Name|Customers.LastName|Cards.Name|Cards.LastName|Sales.ShipToAddressLine1',
    'buyer.trn': 'Customers.TaxIDNumber',
    'PINT-MY:buyer.identifiers[].id': 'Customers.TaxIDNumber',
    'buyer.address.line1': 'Address.StreetLine1|Address.Street|Sales.ShipToAddressLine2',
    'buyer.address.line2': 'Address.StreetLine2',
    'buyer.address.city': 'Address.City',
    'buyer.address.post_code': 'Address.Postcode',
    'buyer.address.subdivision': 'Address.State',
    'buyer.address.country': 'Address.Country!map|Sales.ShipToAddressLine4!map',
    'buyer.contact.name': 'Address.ContactName',
    'buyer.contact.phone': 'Address.Phone1',
    'buyer.contact.email': 'Address.Email',
    'lines[].id':
      'ItemSaleLines.LineNumber|ItemSaleLines.SaleLineID|ItemSaleLines.ItemSaleLineID|SaleLines.LineNumber|SaleLines.SaleLineID',
    'lines[].sku': 'Items.ItemNumber',
    'lines[].name': 'ItemSaleLines.Description|Items.ItemName|SaleLines.Description',
    'lines[].description':
      'ItemSaleLines.Description|Items.ItemDescription|Items.ItemName|SaleLines.Description',
    'lines[].qty': 'ItemSaleLines.Quantity',
    'lines[].unit': 'Items.SellUnitMeasure!map|Items.BuyUnitMeasure!map',
    'lines[].unit_price': 'ItemSaleLines.TaxExclusiveUnitPrice',
    'lines[].gross_price': 'ItemSaleLines.TaxExclusiveUnitPrice',
    'lines[].allowances[].percent': 'ItemSaleLines.Discount',
    'lines[].net':
      'ItemSaleLines.TaxExclusiveTotal|ItemSaleLines.TaxBasisAmount|SaleLines.TaxExclusiveAmount|SaleLines.TaxBasisAmount',
    'lines[].tax.rate': 'TaxCodes.TaxPercentageRate',
    'lines[].tax.category':
      'TaxCodes.TaxPercentageRate!map|TaxCodes.TaxCode!map|TaxCodes.TaxCodeDescription!map|TaxCodes.TaxCodeTypeID!map|' +
      'TaxCodeTypes.Description!map|ItemSaleLines.TaxCodeID!map|SaleLines.TaxCodeID!map',
  },
};
