import type { Cell, Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { byLine, customers, done, type Invoice, items, netPrice } from './trade.ts';

const round = (value: number) => Math.round(value * 100) / 100;
const isCredit = ({ kind }: Invoice) => kind === 'credit';
const sign = (one: Invoice) => (isCredit(one) ? -1 : 1);
type Line = Invoice['lines'][number];
const netOf = (line: Line) => round(netPrice(line) * line.quantity);
const taxOf = (line: Line) => round((netOf(line) * line.item.rate) / 100);
const sumOf = (one: Invoice, amount: (line: Line) => number) =>
  round(sign(one) * one.lines.reduce((sum, line) => sum + amount(line), 0));
/** Every third customer has branches, whose invoices go to it. */
const hasBranch = (id: number) => id % 3 === 0;
const deliveredTo = ({ id, customer }: Invoice) =>
  hasBranch(customer.id) && id % 2 === 0 ? customer.id + 400 : customer.id;
const parties = [
  ...customers.map((one) => ({ ...one, head: one.id })),
  ...customers
    .filter(({ id }) => hasBranch(id))
    .map((one) => ({ ...one, head: one.id, id: one.id + 400, name: `${one.name} (Dock 4)` })),
];
const lines = byLine(done, (one, line) => ({ one, line }));
const countries = [...new Map(customers.map((one) => [one.countryCode, one])).values()];
const countryId = (code: string) => countries.findIndex((one) => one.countryCode === code) + 40;
const longCodes: Readonly<Record<string, string>> = {
  DE: 'DEU',
  AE: 'ARE',
  CH: 'CHE',
  ES: 'ESP',
  MY: 'MYS',
  FR: 'FRA',
  PT: 'PRT',
  GB: 'GBR',
  SE: 'SWE',
};
const packages: Readonly<Record<string, { id: number; name: string }>> = {
  PCS: { id: 7, name: 'Each' },
  M: { id: 3, name: 'Metre' },
  HR: { id: 6, name: 'Hour' },
  L: { id: 5, name: 'Litre' },
  KG: { id: 4, name: 'Kilogram' },
};
const edited = {
  'LastEditedBy int': 7,
  'LastEditedWhen datetime2': ({ one }: { one: Invoice }) => at(one.date, '07:00:00.0000000'),
} as const;
const valid = {
  'LastEditedBy int': 1,
  'ValidFrom datetime2': '2024-01-01 00:00:00.0000000',
  'ValidTo datetime2': '9999-12-31 23:59:59.9999999',
} as const;
const staff = [
  { id: 1, name: 'Data Conversion Only', email: null, phone: null },
  { id: 2, name: 'Kayla Woodcock', email: 'kaylaw@firm.example', phone: '(415) 555-0102' },
  { id: 7, name: 'Amy Trefl', email: 'amyt@firm.example', phone: '(415) 555-0107' },
];
const people = [
  ...staff.map((one) => ({ ...one, isStaff: 1 })),
  ...customers.map(({ id, first, last, email, phone }) => ({
    id: id + 1000,
    name: `${first} ${last}`,
    email,
    phone,
    isStaff: 0,
  })),
];
const amounts = (one: Invoice, of: number): Readonly<Record<string, Cell>> => ({
  'AmountExcludingTax decimal': of * sumOf(one, netOf),
  'TaxAmount decimal': of * sumOf(one, taxOf),
  'TransactionAmount decimal': of * round(sumOf(one, netOf) + sumOf(one, taxOf)),
});
const isSettled = ({ id }: Invoice) => id % 3 !== 0;
const transactions = [
  ...done.map((one) => ({ one, type: isCredit(one) ? 2 : 1 })),
  ...done.filter((one) => !isCredit(one) && isSettled(one)).map((one) => ({ one, type: 3 })),
];

const noise: Readonly<Record<string, LayoutTable>> = {
  Purchasing_Suppliers: {
    columns:
      '*SupplierID int, SupplierName nvarchar, SupplierCategoryID int, PrimaryContactPersonID int, DeliveryCityID int, PostalCityID int, ' +
      'SupplierReference nvarchar, BankAccountName nvarchar, BankAccountCode nvarchar, PaymentDays int, PhoneNumber nvarchar, ' +
      'DeliveryAddressLine1 nvarchar, DeliveryPostalCode nvarchar, PostalAddressLine1 nvarchar, PostalPostalCode nvarchar',
    rows: [
      [
        4,
        'Mill Supplies',
        2,
        2,
        103,
        103,
        '293092',
        'Mill Supplies',
        '25868',
        30,
        '(423) 555-0105',
        '',
        '20457',
        'PO Box 9',
        '20457',
      ],
    ],
  },
  Purchasing_PurchaseOrders: tableOf(done.slice(0, 14), {
    '*PurchaseOrderID int': (_one, index) => index + 1,
    'SupplierID int': 4,
    'OrderDate date': ({ date }) => date,
    'DeliveryMethodID int': 9,
    'ContactPersonID int': 2,
    'ExpectedDeliveryDate date': ({ due }) => due,
    'SupplierReference nvarchar': '293092',
    'IsOrderFinalized bit': 1,
    'Comments nvarchar, InternalComments nvarchar': null,
    'LastEditedBy int': 7,
  }),
  Purchasing_PurchaseOrderLines: tableOf(done.slice(0, 14), {
    '*PurchaseOrderLineID int': (_one, index) => index + 1,
    'PurchaseOrderID int': (_one, index) => index + 1,
    'StockItemID int': 11,
    'OrderedOuters int, ReceivedOuters int': 10,
    'Description nvarchar': 'Water pump',
    'PackageTypeID int': 7,
    'ExpectedUnitPricePerOuter decimal': 125,
    'LastReceiptDate date': ({ due }) => due,
    'IsOrderLineFinalized bit': 1,
  }),
  Purchasing_SupplierTransactions: tableOf(done.slice(0, 14), {
    '*SupplierTransactionID int': ({ id }) => id + 20_000,
    'SupplierID int': 4,
    'TransactionTypeID int': 5,
    'PurchaseOrderID int': (_one, index) => index + 1,
    'PaymentMethodID int': 4,
    'SupplierInvoiceNumber nvarchar': ({ id }) => String(id + 3000),
    'TransactionDate date': ({ date }) => date,
    'AmountExcludingTax decimal': 1250,
    'TaxAmount decimal': 250,
    'TransactionAmount decimal': 1500,
    'OutstandingBalance decimal': 0,
    'FinalizationDate date': ({ due }) => due,
    'IsFinalized bit': 1,
  }),
  Warehouse_StockItemTransactions: tableOf(lines, {
    '*StockItemTransactionID int': ({ line }) => line.id + 100_000,
    'StockItemID int': ({ line }) => line.item.id,
    'TransactionTypeID int': 10,
    'CustomerID int': ({ one }) => deliveredTo(one),
    'InvoiceID int': ({ one }) => one.id,
    'SupplierID int, PurchaseOrderID int': null,
    'TransactionOccurredWhen datetime2': ({ one }) => at(one.date, '12:00:00.0000000'),
    'Quantity decimal': ({ one, line }) => -sign(one) * line.quantity,
  }),
  Warehouse_StockItemHoldings: tableOf(items, {
    '*StockItemID int': ({ id }) => id,
    'QuantityOnHand int': 860,
    'BinLocation nvarchar': 'L-1',
    'LastStocktakeQuantity int': 880,
    'LastCostPrice decimal': ({ price }) => price / 2,
    'ReorderLevel int': 20,
    'TargetStockLevel int': 100,
  }),
  Sales_SpecialDeals: {
    columns:
      '*SpecialDealID int, StockItemID int, CustomerID int, DealDescription nvarchar, StartDate date, EndDate date, DiscountAmount decimal, DiscountPercentage decimal, UnitPrice decimal',
    rows: [[1, null, null, '10% 1st qtr', '2026-01-01', '2026-03-31', null, 10, null]],
  },
  Application_SystemParameters: {
    columns:
      '*SystemParameterID int, DeliveryAddressLine1 nvarchar, DeliveryCityID int, DeliveryPostalCode nvarchar, PostalAddressLine1 nvarchar, PostalCityID int, PostalPostalCode nvarchar, ApplicationSettings nvarchar',
    rows: [[1, '7 Pump Way', 103, '20457', 'PO Box 201', 103, '20457', '{"Site":{"SEO":{}}}']],
  },
  Application_DeliveryMethods: {
    columns: '*DeliveryMethodID int, DeliveryMethodName nvarchar',
    rows: [
      [3, 'Delivery Van'],
      [9, 'Refrigerated Road Freight'],
    ],
  },
};

/**
 * Invoices that go to another customer than the goods; prices without tax and line sums with it; sums of the document only
 * among the customer's transactions; people, towns, regions and countries in tables of their own (Wide World Importers).
 */
export const billToCustomers: Layout = {
  name: 'bill-to-customers',
  isHeldOut: false,
  tables: {
    ...noise,
    Sales_Invoices: tableOf(
      done,
      {
        '*InvoiceID int': ({ id }) => id,
        'CustomerID int': (one) => deliveredTo(one),
        'BillToCustomerID int': ({ customer }) => customer.id,
        'OrderID int': ({ id }) => id + 3000,
        'DeliveryMethodID int': 3,
        'ContactPersonID int': ({ customer }) => customer.id + 1000,
        'AccountsPersonID int': ({ customer }) => customer.id + 1000,
        'SalespersonPersonID int': 2,
        'PackedByPersonID int': 7,
        'InvoiceDate date': ({ date }) => date,
        'CustomerPurchaseOrderNumber nvarchar': ({ order }) => order || null,
        'IsCreditNote bit': (one) => (isCredit(one) ? 1 : 0),
        'CreditNoteReason nvarchar': (one) => (isCredit(one) ? 'Damaged in transit' : null),
        'Comments nvarchar': null,
        'DeliveryInstructions nvarchar': ({ customer }) => `Dock 4, ${customer.street}`,
        'InternalComments nvarchar': null,
        'TotalDryItems int': ({ lines: all }) => all.length,
        'TotalChillerItems int': 0,
        'DeliveryRun nvarchar, RunPosition nvarchar': '',
        'ReturnedDeliveryData nvarchar': ({ id, date }) =>
          `{"Events":[{"Event":"Ready for collection","ConNote":"EAN-125-${id}"}],"DeliveredWhen":"${date}T14:05:00","ReceivedBy":"A. Berg"}`,
        'ConfirmedDeliveryTime datetime2': ({ date }) => at(date, '14:05:00.0000000'),
        'ConfirmedReceivedBy nvarchar': 'A. Berg',
        'LastEditedBy int': 7,
        'LastEditedWhen datetime2': ({ date }) => at(date, '07:00:00.0000000'),
      },
      {
        CustomerID: 'Sales_Customers.CustomerID',
        BillToCustomerID: 'Sales_Customers.CustomerID',
        OrderID: 'Sales_Orders.OrderID',
        DeliveryMethodID: 'Application_DeliveryMethods.DeliveryMethodID',
        ContactPersonID: 'Application_People.PersonID',
        AccountsPersonID: 'Application_People.PersonID',
        SalespersonPersonID: 'Application_People.PersonID',
        PackedByPersonID: 'Application_People.PersonID',
      },
    ),
    Sales_InvoiceLines: tableOf(
      lines,
      {
        '*InvoiceLineID int': ({ line }) => line.id,
        'InvoiceID int': ({ one }) => one.id,
        'StockItemID int': ({ line }) => line.item.id,
        'Description nvarchar': ({ line }) => line.item.name,
        'PackageTypeID int': ({ line }) => packages[line.item.unit]!.id,
        'Quantity int': ({ one, line }) => sign(one) * line.quantity,
        'UnitPrice decimal': ({ line }) => netPrice(line),
        'TaxRate decimal': ({ line }) => line.item.rate,
        'TaxAmount decimal': ({ one, line }) => sign(one) * taxOf(line),
        'LineProfit decimal': ({ one, line }) => round((sign(one) * netOf(line)) / 2),
        'ExtendedPrice decimal': ({ one, line }) => sign(one) * round(netOf(line) + taxOf(line)),
        ...edited,
      },
      {
        InvoiceID: 'Sales_Invoices.InvoiceID',
        StockItemID: 'Warehouse_StockItems.StockItemID',
        PackageTypeID: 'Warehouse_PackageTypes.PackageTypeID',
        LastEditedBy: 'Application_People.PersonID',
      },
    ),
    Sales_CustomerTransactions: tableOf(
      transactions,
      {
        '*CustomerTransactionID int': ({ one, type }) => one.id * 3 + type,
        'CustomerID int': ({ one }) => one.customer.id,
        'TransactionTypeID int': ({ type }) => type,
        'InvoiceID int': ({ one, type }) => (type === 3 ? null : one.id),
        'PaymentMethodID int': ({ type }) => (type === 3 ? 4 : null),
        'TransactionDate date': ({ one, type }) => (type === 3 ? one.due : one.date),
        'AmountExcludingTax decimal': ({ one, type }) =>
          type === 3 ? 0 : amounts(one, 1)['AmountExcludingTax decimal']!,
        'TaxAmount decimal': ({ one, type }) =>
          type === 3 ? 0 : amounts(one, 1)['TaxAmount decimal']!,
        'TransactionAmount decimal': ({ one, type }) =>
          amounts(one, type === 3 ? -1 : 1)['TransactionAmount decimal']!,
        'OutstandingBalance decimal': ({ one, type }) =>
          type === 3 || isSettled(one) ? 0 : amounts(one, 1)['TransactionAmount decimal']!,
        'FinalizationDate date': ({ one }) => (isSettled(one) ? one.due : null),
        'IsFinalized bit': ({ one }) => (isSettled(one) ? 1 : 0),
        ...edited,
      },
      {
        CustomerID: 'Sales_Customers.CustomerID',
        InvoiceID: 'Sales_Invoices.InvoiceID',
        TransactionTypeID: 'Application_TransactionTypes.TransactionTypeID',
        PaymentMethodID: 'Application_PaymentMethods.PaymentMethodID',
      },
    ),
    Sales_Orders: tableOf(
      done,
      {
        '*OrderID int': ({ id }) => id + 3000,
        'CustomerID int': (one) => deliveredTo(one),
        'SalespersonPersonID int': 2,
        'PickedByPersonID int': 7,
        'ContactPersonID int': ({ customer }) => customer.id + 1000,
        'BackorderOrderID int': null,
        'OrderDate date': ({ date }) => date,
        'ExpectedDeliveryDate date': ({ date }) => date,
        'CustomerPurchaseOrderNumber nvarchar': ({ order }) => order || null,
        'IsUndersupplyBackordered bit': 1,
        'Comments nvarchar, DeliveryInstructions nvarchar, InternalComments nvarchar': null,
        'PickingCompletedWhen datetime2': ({ date }) => at(date, '11:00:00.0000000'),
      },
      {
        CustomerID: 'Sales_Customers.CustomerID',
        ContactPersonID: 'Application_People.PersonID',
      },
    ),
    Sales_OrderLines: tableOf(
      lines,
      {
        '*OrderLineID int': ({ line }) => line.id - 20_000,
        'OrderID int': ({ one }) => one.id + 3000,
        'StockItemID int': ({ line }) => line.item.id,
        'Description nvarchar': ({ line }) => line.item.name,
        'PackageTypeID int': ({ line }) => packages[line.item.unit]!.id,
        'Quantity int': ({ line }) => line.quantity,
        'UnitPrice decimal': ({ line }) => netPrice(line),
        'TaxRate decimal': ({ line }) => line.item.rate,
        'PickedQuantity int': ({ line }) => line.quantity,
        'PickingCompletedWhen datetime2': ({ one }) => at(one.date, '11:00:00.0000000'),
      },
      { OrderID: 'Sales_Orders.OrderID', StockItemID: 'Warehouse_StockItems.StockItemID' },
    ),
    Sales_Customers: tableOf(
      parties,
      {
        '*CustomerID int': ({ id }) => id,
        'CustomerName nvarchar': ({ name }) => name,
        'BillToCustomerID int': ({ head }) => head,
        'CustomerCategoryID int': 3,
        'BuyingGroupID int': ({ head }) => (hasBranch(head) ? 1 : null),
        'PrimaryContactPersonID int': ({ head }) => head + 1000,
        'AlternateContactPersonID int': null,
        'DeliveryMethodID int': 3,
        'DeliveryCityID int, PostalCityID int': ({ head }) => head + 100,
        'CreditLimit decimal': 3500,
        'AccountOpenedDate date': '2024-01-01',
        'StandardDiscountPercentage decimal': 0,
        'IsStatementSent bit, IsOnCreditHold bit': 0,
        'PaymentDays int': 30,
        'PhoneNumber nvarchar': ({ phone }) => phone,
        'FaxNumber nvarchar': ({ phone }) => phone.replace('555', '556'),
        'DeliveryRun nvarchar, RunPosition nvarchar': '',
        'WebsiteURL nvarchar': ({ head }) => `http://www.firm${head}.example`,
        'DeliveryAddressLine1 nvarchar': 'Dock 4',
        'DeliveryAddressLine2 nvarchar': '12 Quay Road',
        'DeliveryPostalCode nvarchar': ({ zip }) => zip,
        'DeliveryLocation geography': '0xE6100000010C11154FE2182D4740159ADA087A035FC0',
        'PostalAddressLine1 nvarchar': ({ street }) => street,
        'PostalAddressLine2 nvarchar': null,
        'PostalPostalCode nvarchar': ({ zip }) => zip,
        ...valid,
      },
      {
        BillToCustomerID: 'Sales_Customers.CustomerID',
        CustomerCategoryID: 'Sales_CustomerCategories.CustomerCategoryID',
        BuyingGroupID: 'Sales_BuyingGroups.BuyingGroupID',
        PrimaryContactPersonID: 'Application_People.PersonID',
        AlternateContactPersonID: 'Application_People.PersonID',
        DeliveryMethodID: 'Application_DeliveryMethods.DeliveryMethodID',
        DeliveryCityID: 'Application_Cities.CityID',
        PostalCityID: 'Application_Cities.CityID',
      },
    ),
    Sales_CustomerCategories: {
      columns: '*CustomerCategoryID int, CustomerCategoryName nvarchar',
      rows: [
        [3, 'Novelty Shop'],
        [4, 'Supermarket'],
      ],
    },
    Sales_BuyingGroups: {
      columns: '*BuyingGroupID int, BuyingGroupName nvarchar',
      rows: [[1, 'Harbour Group']],
    },
    Application_People: tableOf(people, {
      '*PersonID int': ({ id }) => id,
      'FullName nvarchar': ({ name }) => name,
      'PreferredName nvarchar': ({ name }) => name.split(' ')[0]!,
      'SearchName nvarchar': ({ name }) => `${name.split(' ')[0]} ${name}`,
      'IsPermittedToLogon bit': ({ isStaff }) => isStaff,
      'LogonName nvarchar': ({ email, isStaff }) => (isStaff === 1 ? email : 'NO LOGON'),
      'IsExternalLogonProvider bit': 0,
      'HashedPassword varbinary': null,
      'IsSystemUser bit, IsEmployee bit': ({ isStaff }) => isStaff,
      'IsSalesperson bit': ({ id }) => (id === 2 ? 1 : 0),
      'UserPreferences nvarchar': null,
      'PhoneNumber nvarchar': ({ phone }) => phone,
      'FaxNumber nvarchar': null,
      'EmailAddress nvarchar': ({ email }) => email,
      'Photo varbinary, CustomFields nvarchar, OtherLanguages nvarchar': null,
      ...valid,
    }),
    Application_Cities: tableOf(
      customers,
      {
        '*CityID int': ({ id }) => id + 100,
        'CityName nvarchar': ({ city }) => city,
        'StateProvinceID int': ({ id }) => id + 60,
        'Location geography': '0xE6100000010C',
        'LatestRecordedPopulation bigint': 120_000,
        ...valid,
      },
      { StateProvinceID: 'Application_StateProvinces.StateProvinceID' },
    ),
    Application_StateProvinces: tableOf(
      customers,
      {
        '*StateProvinceID int': ({ id }) => id + 60,
        'StateProvinceCode nvarchar': ({ state }) => state,
        'StateProvinceName nvarchar': ({ city }) => `Region of ${city}`,
        'CountryID int': ({ countryCode }) => countryId(countryCode),
        'SalesTerritory nvarchar': 'Far West',
        'Border geography': null,
        'LatestRecordedPopulation bigint': 4_000_000,
        ...valid,
      },
      { CountryID: 'Application_Countries.CountryID' },
    ),
    Application_Countries: tableOf(countries, {
      '*CountryID int': ({ countryCode }) => countryId(countryCode),
      'CountryName nvarchar': ({ country }) => country,
      'FormalName nvarchar': ({ country }) => `State of ${country}`,
      'IsoAlpha3Code nvarchar': ({ countryCode }) => longCodes[countryCode]!,
      'IsoNumericCode int': (_one, index) => 276 + index * 31,
      'CountryType nvarchar': 'UN Member State',
      'LatestRecordedPopulation bigint': 60_000_000,
      'Continent nvarchar, Region nvarchar, Subregion nvarchar': 'Europe',
      'Border geography': null,
      ...valid,
    }),
    Application_TransactionTypes: {
      columns: '*TransactionTypeID int, TransactionTypeName nvarchar',
      rows: [
        [1, 'Customer Invoice'],
        [2, 'Customer Credit Note'],
        [3, 'Customer Payment Received'],
        [5, 'Supplier Invoice'],
        [10, 'Stock Issue'],
      ],
    },
    Application_PaymentMethods: {
      columns: '*PaymentMethodID int, PaymentMethodName nvarchar',
      rows: [
        [1, 'Cash'],
        [2, 'Check'],
        [3, 'Credit-Card'],
        [4, 'EFT'],
      ],
    },
    Warehouse_PackageTypes: tableOf(Object.values(packages), {
      '*PackageTypeID int': ({ id }) => id,
      'PackageTypeName nvarchar': ({ name }) => name,
      ...valid,
    }),
    Warehouse_StockItems: tableOf(
      items,
      {
        '*StockItemID int': ({ id }) => id,
        'StockItemName nvarchar': ({ name }) => name,
        'SupplierID int': 4,
        'ColorID int': null,
        'UnitPackageID int, OuterPackageID int': ({ unit }) => packages[unit]!.id,
        'Brand nvarchar, Size nvarchar': null,
        'LeadTimeDays int': 14,
        'QuantityPerOuter int': 1,
        'IsChillerStock bit': 0,
        'Barcode nvarchar': null,
        'TaxRate decimal': ({ rate }) => rate,
        'UnitPrice decimal': ({ price }) => price,
        'RecommendedRetailPrice decimal': ({ price }) => round(price * 1.5),
        'TypicalWeightPerUnit decimal': 0.3,
        'MarketingComments nvarchar, InternalComments nvarchar, Photo varbinary': null,
        'CustomFields nvarchar': '{ "CountryOfManufacture": "China", "Tags": [] }',
        'Tags nvarchar': '[]',
        'SearchDetails nvarchar': ({ name }) => name,
        ...valid,
      },
      {
        SupplierID: 'Purchasing_Suppliers.SupplierID',
        UnitPackageID: 'Warehouse_PackageTypes.PackageTypeID',
        OuterPackageID: 'Warehouse_PackageTypes.PackageTypeID',
      },
    ),
  },
  sections: {
    header: {
      table: 'Sales_Invoices',
      key: 'InvoiceID',
      match: 'InvoiceID',
      where: { IsCreditNote: '0' },
    },
    lines: {
      table: 'Sales_InvoiceLines',
      key: 'InvoiceLineID',
      match: 'InvoiceID',
      matchFrom: 'InvoiceID',
    },
    customer: {
      table: 'Sales_Customers',
      key: 'CustomerID',
      match: 'CustomerID',
      matchFrom: 'BillToCustomerID',
    },
  },
  fields: {
    number: 'Sales_Invoices.InvoiceID',
    issue_date: 'Sales_Invoices.InvoiceDate',
    purchase_order:
      'Sales_Invoices.CustomerPurchaseOrderNumber|Sales_Orders.CustomerPurchaseOrderNumber',
    buyer_reference:
      'Sales_Invoices.CustomerPurchaseOrderNumber|Sales_Orders.CustomerPurchaseOrderNumber',
    'notes[]': 'Sales_Invoices.Comments',
    'delivery.date': 'Sales_Invoices.ConfirmedDeliveryTime!date|Sales_Orders.ExpectedDeliveryDate',
    'totals.net': 'Sales_CustomerTransactions.AmountExcludingTax',
    'totals.lines': 'Sales_CustomerTransactions.AmountExcludingTax',
    'totals.tax': 'Sales_CustomerTransactions.TaxAmount',
    'totals.gross': 'Sales_CustomerTransactions.TransactionAmount',
    'totals.due': 'Sales_CustomerTransactions.TransactionAmount',
    'buyer.name': 'Sales_Customers.CustomerName',
    'buyer.address.line1': 'Sales_Customers.PostalAddressLine1',
    'buyer.address.line2': 'Sales_Customers.PostalAddressLine2',
    'buyer.address.city': 'Application_Cities.CityName',
    'buyer.address.subdivision':
      'Application_StateProvinces.StateProvinceCode|Application_StateProvinces.StateProvinceName',
    'buyer.address.post_code': 'Sales_Customers.PostalPostalCode',
    'buyer.address.country':
      'Application_Countries.IsoAlpha3Code!map|Application_Countries.CountryName!map',
    'buyer.contact.name': 'Application_People.FullName',
    'buyer.contact.phone': 'Sales_Customers.PhoneNumber|Application_People.PhoneNumber',
    'buyer.contact.email': 'Application_People.EmailAddress',
    'lines[].id': 'Sales_InvoiceLines.InvoiceLineID',
    'lines[].sku': 'Sales_InvoiceLines.StockItemID|Warehouse_StockItems.StockItemID',
    'lines[].name': 'Sales_InvoiceLines.Description|Warehouse_StockItems.StockItemName',
    'lines[].description': 'Sales_InvoiceLines.Description|Warehouse_StockItems.StockItemName',
    'lines[].qty': 'Sales_InvoiceLines.Quantity',
    'lines[].unit':
      'Warehouse_PackageTypes.PackageTypeName!map|Sales_InvoiceLines.PackageTypeID!map',
    'lines[].unit_price': 'Sales_InvoiceLines.UnitPrice',
    'lines[].gross_price': 'Sales_InvoiceLines.UnitPrice',
    'lines[].net': 'Sales_InvoiceLines.ExtendedPrice!divide,subtract,multiply',
    'lines[].accounting.amount': 'Sales_InvoiceLines.ExtendedPrice',
    'lines[].accounting.tax_totals[].amount': 'Sales_InvoiceLines.TaxAmount',
    'lines[].tax.rate': 'Sales_InvoiceLines.TaxRate',
    'lines[].tax.category': 'Sales_InvoiceLines.TaxRate!map',
  },
};
