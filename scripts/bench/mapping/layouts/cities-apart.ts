import type { Layout } from './layout.ts';
import { byLine, customers, done, items, netPrice } from './trade.ts';

const units = [...new Set(items.map(({ unit }) => unit))];
const nations = [...new Set(customers.map(({ country }) => country))];
const codeOf = (country: string) => customers.find((one) => one.country === country)!.countryCode;

/** Run-together names, towns and countries three tables away, a mark for credit notes, two addresses of a customer. */
export const citiesApart: Layout = {
  name: 'cities-apart',
  isHeldOut: false,
  tables: {
    Invoices: {
      columns:
        '*InvoiceID integer, CustomerID integer, BillToCustomerID integer, OrderID integer, DeliveryMethodID integer, ContactPersonID integer, SalespersonPersonID integer, InvoiceDate date, CustomerPurchaseOrderNumber, IsCreditNote integer, CreditNoteReason, Comments, DeliveryInstructions, TotalDryItems integer, ReturnedDeliveryData, LastEditedBy integer, LastEditedWhen datetime',
      rows: done.map((one) => [
        one.id,
        one.customer.id,
        one.customer.id,
        one.id + 9,
        3,
        1001 + one.customer.id,
        7,
        one.date,
        one.order,
        one.kind === 'credit' ? 1 : 0,
        null,
        null,
        'Gate 2',
        one.lines.length,
        null,
        7,
        `${one.date} 09:00:00`,
      ]),
      foreign: {
        CustomerID: 'Customers.CustomerID',
        BillToCustomerID: 'Customers.CustomerID',
        ContactPersonID: 'People.PersonID',
      },
    },
    InvoiceLines: {
      columns:
        '*InvoiceLineID integer, InvoiceID integer, StockItemID integer, Description, PackageTypeID integer, Quantity integer, UnitPrice numeric, TaxRate numeric, TaxAmount numeric, LineProfit numeric, ExtendedPrice numeric, LastEditedBy integer, LastEditedWhen datetime',
      rows: byLine(done, (one, line) => {
        const net = Math.round(netPrice(line) * line.quantity * 100) / 100;
        return [
          line.id,
          one.id,
          line.item.id,
          line.item.name,
          units.indexOf(line.item.unit) + 1,
          line.quantity,
          netPrice(line),
          line.item.rate,
          line.tax,
          net / 2,
          Math.round((net + line.tax) * 100) / 100,
          7,
          `${one.date} 09:00:00`,
        ];
      }),
      foreign: {
        InvoiceID: 'Invoices.InvoiceID',
        StockItemID: 'StockItems.StockItemID',
        PackageTypeID: 'PackageTypes.PackageTypeID',
      },
    },
    Customers: {
      columns:
        '*CustomerID integer, CustomerName, BillToCustomerID integer, CustomerCategoryID integer, PrimaryContactPersonID integer, DeliveryMethodID integer, DeliveryCityID integer, PostalCityID integer, CreditLimit numeric, PaymentDays integer, PhoneNumber, FaxNumber, WebsiteURL, DeliveryAddressLine1, DeliveryAddressLine2, DeliveryPostalCode, PostalAddressLine1, PostalAddressLine2, PostalPostalCode, LastEditedBy integer',
      rows: customers.map((one, at) => [
        one.id,
        one.name,
        one.id,
        3,
        1001 + one.id,
        3,
        at + 500,
        at + 500,
        1000,
        30,
        one.phone,
        '',
        'http://x.example',
        'Suite 24',
        one.street,
        one.zip,
        'PO Box 8',
        one.street,
        one.zip,
        7,
      ]),
      foreign: {
        DeliveryCityID: 'Cities.CityID',
        PostalCityID: 'Cities.CityID',
        PrimaryContactPersonID: 'People.PersonID',
      },
    },
    Cities: {
      columns:
        '*CityID integer, CityName, StateProvinceID integer, LatestRecordedPopulation integer',
      rows: customers.map((one, at) => [at + 500, one.city, at + 40, 1000]),
      foreign: { StateProvinceID: 'StateProvinces.StateProvinceID' },
    },
    StateProvinces: {
      columns:
        '*StateProvinceID integer, StateProvinceCode, StateProvinceName, CountryID integer, SalesTerritory',
      rows: customers.map((one, at) => [
        at + 40,
        one.state,
        one.state,
        nations.indexOf(one.country) + 1,
        'x',
      ]),
      foreign: { CountryID: 'Countries.CountryID' },
    },
    Countries: {
      columns: '*CountryID integer, CountryName, FormalName, IsoAlpha3Code, Continent',
      rows: nations.map((name, at) => [at + 1, name, `State of ${name}`, codeOf(name), 'x']),
    },
    People: {
      columns:
        '*PersonID integer, FullName, PreferredName, IsEmployee integer, PhoneNumber, EmailAddress',
      rows: [
        ...customers.map((one) => [
          1001 + one.id,
          `${one.first} ${one.last}`,
          one.first,
          0,
          one.phone,
          one.email,
        ]),
        [7, 'Kay Own', 'Kay', 1, '', 'k@own.example'],
      ],
    },
    StockItems: {
      columns:
        '*StockItemID integer, StockItemName, SupplierID integer, UnitPackageID integer, Brand, TaxRate numeric, UnitPrice numeric, RecommendedRetailPrice numeric',
      rows: items.map((one) => [
        one.id,
        one.name,
        4,
        units.indexOf(one.unit) + 1,
        '',
        one.rate,
        one.price,
        one.price * 2,
      ]),
    },
    PackageTypes: {
      columns: '*PackageTypeID integer, PackageTypeName',
      rows: units.map((unit, at) => [at + 1, unit]),
    },
    CustomerTransactions: {
      columns:
        '*CustomerTransactionID integer, CustomerID integer, InvoiceID integer, TransactionDate date, AmountExcludingTax numeric, TaxAmount numeric, TransactionAmount numeric, OutstandingBalance numeric',
      rows: done.map((one) => [
        one.id + 4000,
        one.customer.id,
        one.id,
        one.date,
        one.net,
        one.tax,
        one.gross,
        0,
      ]),
    },
    Orders: {
      columns:
        '*OrderID integer, CustomerID integer, OrderDate date, ExpectedDeliveryDate date, CustomerPurchaseOrderNumber',
      rows: done.map((one) => [one.id + 9, one.customer.id, one.date, one.due, one.order]),
    },
    OrderLines: {
      columns:
        '*OrderLineID integer, OrderID integer, StockItemID integer, Description, Quantity integer, UnitPrice numeric, TaxRate numeric',
      rows: byLine(done, (one, line) => [
        line.id,
        one.id + 9,
        line.item.id,
        line.item.name,
        line.quantity,
        netPrice(line),
        line.item.rate,
      ]),
    },
  },
  sections: {
    header: {
      table: 'Invoices',
      key: 'InvoiceID',
      match: 'InvoiceID',
      where: { IsCreditNote: '0' },
    },
    lines: {
      table: 'InvoiceLines',
      key: 'InvoiceLineID',
      match: 'InvoiceID',
      matchFrom: 'InvoiceID',
    },
    customer: {
      table: 'Customers',
      key: 'CustomerID',
      match: 'CustomerID',
      matchFrom: 'BillToCustomerID',
    },
  },
  fields: {
    number: 'Invoices.InvoiceID',
    issue_date: 'Invoices.InvoiceDate',
    purchase_order: 'Invoices.CustomerPurchaseOrderNumber|Orders.CustomerPurchaseOrderNumber',
    buyer_reference: 'Invoices.CustomerPurchaseOrderNumber',
    'notes[]': 'Invoices.Comments',
    'delivery.date': 'Orders.ExpectedDeliveryDate',
    'totals.net': 'CustomerTransactions.AmountExcludingTax',
    'totals.lines': 'CustomerTransactions.AmountExcludingTax',
    'totals.tax': 'CustomerTransactions.TaxAmount',
    'totals.gross': 'CustomerTransactions.TransactionAmount',
    'totals.due': 'CustomerTransactions.TransactionAmount',
    'buyer.name': 'Customers.CustomerName',
    'buyer.address.line1':
      'Customers.PostalAddressLine1|Customers.PostalAddressLine2|Customers.DeliveryAddressLine1|Customers.DeliveryAddressLine2',
    'buyer.address.city': 'Cities.CityName',
    'buyer.address.subdivision':
      'StateProvinces.StateProvinceName|StateProvinces.StateProvinceCode',
    'buyer.address.post_code': 'Customers.PostalPostalCode|Customers.DeliveryPostalCode',
    'buyer.address.country': 'Countries.CountryName!map|Countries.IsoAlpha3Code',
    'buyer.contact.phone': 'Customers.PhoneNumber|People.PhoneNumber',
    'buyer.contact.email': 'People.EmailAddress',
    'buyer.contact.name': 'People.FullName|People.PreferredName',
    'lines[].id': 'InvoiceLines.InvoiceLineID',
    'lines[].sku': 'InvoiceLines.StockItemID',
    'lines[].name': 'InvoiceLines.Description|StockItems.StockItemName',
    'lines[].description': 'InvoiceLines.Description|StockItems.StockItemName',
    'lines[].qty': 'InvoiceLines.Quantity',
    'lines[].unit': 'PackageTypes.PackageTypeName!map',
    'lines[].unit_price': 'InvoiceLines.UnitPrice',
    'lines[].gross_price': 'InvoiceLines.UnitPrice',
    'lines[].tax.rate': 'InvoiceLines.TaxRate|StockItems.TaxRate',
    'lines[].tax.category': 'InvoiceLines.TaxRate!map|StockItems.TaxRate!map',
  },
};
