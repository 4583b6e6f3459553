import type { Layout } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { byLine, customers, done, type Invoice, items } from './trade.ts';

const listId = (id: number) => `8000${id.toString(16).toUpperCase().padStart(4, '0')}-1580000${id}`;
const txnId = ({ id }: Invoice) => `${(id * 7).toString(16).toUpperCase()}-1767${id}`;
const isCredit = ({ kind }: Invoice) => kind === 'credit';
const sold = done.filter((one) => !isCredit(one));
const returned = done.filter(isCredit);
const unitOf: Readonly<Record<string, string>> = {
  PCS: 'each',
  M: 'ft',
  HR: 'hour',
  L: 'qt',
  KG: 'lb',
};
const codeOf = (rate: number) => (rate === 0 ? 'Non' : 'Tax');
/** A discount is part of the rate: QuickBooks has no column for it in a line. */
const rateOf = ({ net, quantity }: Invoice['lines'][number]) =>
  Math.round((net / quantity) * 100_000) / 100_000;
const isPaid = ({ id }: Invoice) => id % 3 === 0;
const lines = (all: readonly Invoice[]) => byLine(all, (one, line) => ({ one, line }));
const day = (date: string) => at(date, '00:00:00');

/** What the header and each line say of the document. */
const header = {
  'TimeCreated datetime, TimeModified datetime': (one: Invoice) => at(one.date),
  EditSequence: (one: Invoice) => `17678${one.id}`,
  'TxnNumber integer': (one: Invoice) => one.id - 3_700,
  CustomerRefListID: (one: Invoice) => listId(one.customer.id),
  CustomerRefFullName: (one: Invoice) => one.customer.name,
  'ClassRefListID, ClassRefFullName': null,
  ARAccountRefListID: '330000-1500000000',
  ARAccountRefFullName: 'Accounts Receivable',
  TemplateRefListID: '100000-1500000000',
  TemplateRefFullName: 'Intuit Product Invoice',
  'TxnDate date': (one: Invoice) => one.date,
  RefNumber: (one: Invoice) => one.number,
  BillAddressAddr1: (one: Invoice) => one.customer.name,
  BillAddressAddr2: (one: Invoice) => one.customer.street,
  'BillAddressAddr3, BillAddressAddr4, BillAddressAddr5': null,
  BillAddressCity: (one: Invoice) => one.customer.city,
  BillAddressState: (one: Invoice) => one.customer.state,
  'BillAddressProvince, BillAddressCounty': null,
  BillAddressPostalCode: (one: Invoice) => one.customer.zip,
  BillAddressCountry: (one: Invoice) => one.customer.country,
  BillAddressNote: null,
  'ShipAddressAddr1, ShipAddressAddr2': (one: Invoice) =>
    one.id % 4 === 0 ? `Dock ${one.id}` : null,
  'ShipAddressCity, ShipAddressState, ShipAddressPostalCode, ShipAddressCountry': null,
  'IsPending bit, IsFinanceCharge bit': 0,
  PONumber: (one: Invoice) => one.order || null,
  TermsRefListID: '20000-1500000000',
  TermsRefFullName: 'Net 30',
  'DueDate date': (one: Invoice) => one.due,
  SalesRepRefListID: '10000-1500000000',
  SalesRepRefFullName: 'KB',
  FOB: null,
  'ShipDate date': (one: Invoice) => one.date,
  ShipMethodRefListID: null,
  ShipMethodRefFullName: 'UPS',
  'Subtotal numeric': (one: Invoice) => one.net,
  ItemSalesTaxRefListID: '1E0000-1500000000',
  ItemSalesTaxRefFullName: 'County 20%',
  'SalesTaxPercentage numeric': 20,
  'SalesTaxTotal numeric': (one: Invoice) => one.tax,
  'AppliedAmount numeric': (one: Invoice) => (isPaid(one) ? -one.gross : 0),
  'BalanceRemaining numeric': (one: Invoice) => (isPaid(one) ? 0 : one.gross),
  CurrencyRefListID: (one: Invoice) => `15000${one.currency === 'USD' ? 1 : 2}-1500000000`,
  CurrencyRefFullName: (one: Invoice) => (one.currency === 'USD' ? 'US Dollar' : 'Euro'),
  'ExchangeRate numeric': (one: Invoice) => (one.currency === 'USD' ? 1 : 1.09),
  'BalanceRemainingInHomeCurrency numeric': (one: Invoice) =>
    isPaid(one) ? 0 : Math.round(one.gross * (one.currency === 'USD' ? 100 : 109)) / 100,
  Memo: (one: Invoice) => (one.id % 5 === 0 ? 'second delivery' : null),
  'IsPaid bit': (one: Invoice) => (isPaid(one) ? 1 : 0),
  CustomerMsgRefListID: '40000-1500000000',
  CustomerMsgRefFullName: 'Thank you for your business.',
  'IsToBePrinted bit, IsToBeEmailed bit, IsTaxIncluded bit': 0,
  CustomerSalesTaxCodeRefListID: '10000-1500000000',
  CustomerSalesTaxCodeRefFullName: 'Tax',
  'SuggestedDiscountAmount numeric': 0,
  'SuggestedDiscountDate date': null,
  CustomFieldOther: null,
};

const headerOfLine = Object.fromEntries(
  Object.entries(header).map(([names, content]) => [
    names,
    typeof content === 'function' ? ({ one }: { one: Invoice }) => content(one) : content,
  ]),
);

/**
 * An export with everything said again in each line, references as an identifier and a name, a sales tax
 * for the whole document that lines are subject to or not, currencies by their names (QuickBooks Desktop through
 * QODBC). Names of tables and columns: QODBC's data layouts, doc.qodbc.com.
 */
export const qodbcExport: Layout = {
  name: 'qodbc-export',
  isHeldOut: true,
  tables: {
    Invoice: tableOf(sold, { '*TxnID': (one) => txnId(one), ...header }),
    InvoiceLine: tableOf(lines(sold), {
      TxnID: ({ one }) => txnId(one),
      ...headerOfLine,
      InvoiceLineType: 'Item',
      'InvoiceLineSeqNo integer': ({ line }) => line.position,
      'InvoiceLineGroupTxnLineID, InvoiceLineGroupItemGroupRefListID, InvoiceLineGroupDesc': null,
      'InvoiceLineGroupQuantity numeric, InvoiceLineGroupTotalAmount numeric': null,
      InvoiceLineTxnLineID: ({ line }) => `${line.id.toString(16).toUpperCase()}-1767${line.id}`,
      InvoiceLineItemRefListID: ({ line }) => listId(line.item.id + 100),
      InvoiceLineItemRefFullName: ({ line }) => line.item.code,
      InvoiceLineDesc: ({ line }) => line.item.name,
      'InvoiceLineQuantity numeric': ({ line }) => line.quantity,
      InvoiceLineUnitOfMeasure: ({ line }) => unitOf[line.item.unit] ?? '',
      'InvoiceLineRate numeric': ({ line }) => rateOf(line),
      'InvoiceLineRatePercent numeric': null,
      InvoiceLinePriceLevelRefFullName: null,
      'InvoiceLineClassRefListID, InvoiceLineClassRefFullName': null,
      'InvoiceLineAmount numeric': ({ line }) => line.net,
      'InvoiceLineTaxAmount numeric': 0,
      'InvoiceLineServiceDate date': null,
      InvoiceLineSalesTaxCodeRefListID: ({ line }) =>
        line.item.rate === 0 ? '20000-1500000000' : '10000-1500000000',
      InvoiceLineSalesTaxCodeRefFullName: ({ line }) => codeOf(line.item.rate),
      'InvoiceLineTaxCodeRefListID, InvoiceLineTaxCodeRefFullName': null,
      'CustomFieldInvoiceLineOther1, CustomFieldInvoiceLineOther2': null,
      'Tax1Total numeric, Tax2Total numeric': null,
      'FQSaveToCache bit': 0,
      '*FQPrimaryKey': ({ one, line }) => `${txnId(one)}|${line.id.toString(16).toUpperCase()}`,
    }),
    Customer: tableOf(customers, {
      '*ListID': ({ id }) => listId(id),
      'TimeCreated datetime, TimeModified datetime': at('2024-03-05'),
      EditSequence: '1709631000',
      'Name, FullName': ({ name }) => name,
      'IsActive bit': 1,
      ParentRefListID: null,
      'Sublevel integer': 0,
      CompanyName: ({ name }) => name,
      Salutation: 'Mr.',
      FirstName: ({ first }) => first,
      MiddleName: null,
      LastName: ({ last }) => last,
      BillAddressAddr1: ({ name }) => name,
      BillAddressAddr2: ({ street }) => street,
      'BillAddressAddr3, BillAddressAddr4': null,
      BillAddressCity: ({ city }) => city,
      BillAddressState: ({ state }) => state,
      BillAddressPostalCode: ({ zip }) => zip,
      BillAddressCountry: ({ country }) => country,
      'ShipAddressAddr1, ShipAddressCity, ShipAddressPostalCode': null,
      Phone: ({ phone }) => phone,
      'AltPhone, Fax': null,
      Email: ({ email }) => email,
      Contact: ({ first, last }) => `${first} ${last}`,
      AltContact: null,
      CustomerTypeRefFullName: 'Commercial',
      TermsRefFullName: 'Net 30',
      SalesRepRefFullName: 'KB',
      'Balance numeric, TotalBalance numeric': ({ id }) => id * 210.5,
      SalesTaxCodeRefFullName: 'Tax',
      ItemSalesTaxRefFullName: 'County 20%',
      ResaleNumber: null,
      AccountNumber: ({ code }) => code,
      'CreditLimit numeric': 20_000,
      PreferredPaymentMethodRefFullName: 'Check',
      JobStatus: 'None',
      Notes: null,
      TaxRegistrationNumber: ({ vat }) => vat,
      CurrencyRefFullName: 'US Dollar',
    }),
    Item: tableOf(items, {
      '*ListID': ({ id }) => listId(id + 100),
      'TimeCreated datetime, TimeModified datetime': at('2024-03-05'),
      'Name, FullName': ({ code }) => code,
      Type: ({ unit }) => (unit === 'HR' ? 'ItemService' : 'ItemInventory'),
      'IsActive bit': 1,
      ManufacturerPartNumber: null,
      UnitOfMeasureSetRefFullName: ({ unit }) => unitOf[unit] ?? '',
      SalesTaxCodeRefFullName: ({ rate }) => codeOf(rate),
      Description: ({ name }) => name,
      'Price numeric': ({ price }) => price,
      'Cost numeric': ({ price }) => price / 2,
      'QuantityOnHand numeric': 40,
    }),
    SalesTaxCode: {
      columns: '*ListID, Name, IsActive bit, IsTaxable bit, Desc',
      rows: [
        ['10000-1500000000', 'Tax', 1, 1, 'Taxable Sales'],
        ['20000-1500000000', 'Non', 1, 0, 'Non-Taxable Sales'],
      ],
    },
    ItemSalesTax: {
      columns: '*ListID, Name, IsActive bit, ItemDesc, TaxRate numeric, TaxVendorRefFullName',
      rows: [
        ['1E0000-1500000000', 'County 20%', 1, 'Sales Tax', 20, 'Tax Board'],
        ['1F0000-1500000000', 'Out of State', 1, 'No tax', 0, 'Tax Board'],
      ],
    },
    Terms: {
      columns:
        '*ListID, Name, IsActive bit, Type, StdDueDays integer, StdDiscountDays integer, DiscountPct numeric',
      rows: [
        ['20000-1500000000', 'Net 30', 1, 'StandardTerms', 30, 0, 0],
        ['30000-1500000000', 'Due on receipt', 1, 'StandardTerms', 0, 0, 0],
      ],
    },
    Currency: {
      columns: '*ListID, Name, IsActive bit, CurrencyCode, ExchangeRate numeric, AsOfDate date',
      rows: [
        ['150001-1500000000', 'US Dollar', 1, 'USD', 1, '2026-01-01'],
        ['150002-1500000000', 'Euro', 1, 'EUR', 1.09, '2026-01-01'],
      ],
    },
    CreditMemo: tableOf(returned, { '*TxnID': (one) => txnId(one), ...header }),
    CreditMemoLine: tableOf(lines(returned), {
      TxnID: ({ one }) => txnId(one),
      ...headerOfLine,
      'CreditMemoLineSeqNo integer': ({ line }) => line.position,
      CreditMemoLineItemRefFullName: ({ line }) => line.item.code,
      CreditMemoLineDesc: ({ line }) => line.item.name,
      'CreditMemoLineQuantity numeric': ({ line }) => line.quantity,
      'CreditMemoLineRate numeric': ({ line }) => rateOf(line),
      'CreditMemoLineAmount numeric': ({ line }) => line.net,
      CreditMemoLineSalesTaxCodeRefFullName: ({ line }) => codeOf(line.item.rate),
      '*FQPrimaryKey': ({ one, line }) => `${txnId(one)}|${line.id.toString(16).toUpperCase()}`,
    }),
    ReceivePayment: tableOf(sold.filter(isPaid), {
      '*TxnID': (one) => `9${txnId(one)}`,
      CustomerRefListID: ({ customer }) => listId(customer.id),
      CustomerRefFullName: ({ customer }) => customer.name,
      'TxnDate date': ({ due }) => due,
      RefNumber: ({ id }) => `CHK ${id}`,
      'TotalAmount numeric': ({ gross }) => gross,
      PaymentMethodRefFullName: 'Check',
      'UnusedPayment numeric': 0,
    }),
    Estimate: tableOf(sold.slice(0, 8), {
      '*TxnID': (one) => `5${txnId(one)}`,
      CustomerRefListID: ({ customer }) => listId(customer.id),
      CustomerRefFullName: ({ customer }) => customer.name,
      'TxnDate date': ({ date }) => date,
      RefNumber: ({ id }) => String(id - 3_900),
      'Subtotal numeric': ({ net }) => net,
      'SalesTaxTotal numeric': ({ tax }) => tax,
      'TotalAmount numeric': ({ gross }) => gross,
      'IsActive bit': 1,
    }),
    Bill: tableOf(sold.slice(0, 10), {
      '*TxnID': (one) => `3${txnId(one)}`,
      VendorRefListID: '900000-1500000000',
      VendorRefFullName: 'Mill Supply',
      'TxnDate date': ({ date }) => date,
      'DueDate date': ({ due }) => due,
      RefNumber: ({ id }) => `M${id}`,
      'AmountDue numeric': 120,
      'IsPaid bit': 0,
    }),
    BillItemLine: tableOf(sold.slice(0, 10), {
      TxnID: (one) => `3${txnId(one)}`,
      VendorRefFullName: 'Mill Supply',
      'TxnDate date': ({ date }) => day(date),
      ItemLineItemRefFullName: 'PUMP-50',
      ItemLineDesc: 'Water pump',
      'ItemLineQuantity numeric': 1,
      'ItemLineCost numeric, ItemLineAmount numeric': 120,
      '*FQPrimaryKey': (one) => `3${txnId(one)}|1`,
    }),
    Vendor: {
      columns: '*ListID, Name, IsActive bit, CompanyName, VendorAddressCity, Phone',
      rows: [['900000-1500000000', 'Mill Supply', 1, 'Mill Supply Inc.', 'Reno', '+1 775 000']],
    },
    Company: {
      columns:
        '*CompanyName, LegalCompanyName, AddressAddr1, AddressCity, AddressState, Phone, Email, EIN',
      rows: [
        [
          'Pumps West',
          'Pumps West Inc.',
          '1 Main St',
          'Reno',
          'NV',
          '+1 775 555',
          '',
          '12-3456789',
        ],
      ],
    },
    Account: {
      columns: '*ListID, Name, FullName, IsActive bit, AccountType, AccountNumber, Balance numeric',
      rows: [
        [
          '330000-1500000000',
          'Accounts Receivable',
          'Accounts Receivable',
          1,
          'AccountsReceivable',
          '1200',
          9000,
        ],
        ['340000-1500000000', 'Sales', 'Sales', 1, 'Income', '4000', 90000],
      ],
    },
  },
  sections: {
    header: { table: 'Invoice', key: 'TxnID', match: 'RefNumber' },
    lines: { table: 'InvoiceLine', key: 'FQPrimaryKey', match: 'TxnID', matchFrom: 'TxnID' },
    customer: {
      table: 'Customer',
      key: 'ListID',
      match: 'ListID',
      matchFrom: 'CustomerRefListID',
    },
  },
  fields: {
    number: 'Invoice.RefNumber',
    issue_date: 'Invoice.TxnDate',
    due_date: 'Invoice.DueDate',
    currency:
      'Currency.CurrencyCode|Invoice.CurrencyRefFullName!map|Invoice.CurrencyRefListID!map|Currency.Name!map',
    'exchange_rate.rate': 'Invoice.ExchangeRate',
    purchase_order: 'Invoice.PONumber',
    buyer_reference: 'Invoice.PONumber',
    'delivery.date': 'Invoice.ShipDate',
    'notes[]': 'Invoice.Memo|Invoice.CustomerMsgRefFullName',
    'payment_terms[].note': 'Invoice.TermsRefFullName|Terms.Name|Customer.TermsRefFullName',
    'totals.net': 'Invoice.Subtotal',
    'totals.lines': 'Invoice.Subtotal',
    'totals.tax': 'Invoice.SalesTaxTotal',
    'totals.due': 'Invoice.BalanceRemaining',
    'totals.prepaid': 'Invoice.AppliedAmount!negate,abs,multiply',
    'buyer.name':
      'Customer.CompanyName|Customer.Name|Customer.FullName|Invoice.CustomerRefFullName|Invoice.BillAddressAddr1|Customer.BillAddressAddr1',
    'buyer.trn': 'Customer.TaxRegistrationNumber',
    'PINT-MY:buyer.identifiers[].id': 'Customer.TaxRegistrationNumber',
    'buyer.address.line1': 'Invoice.BillAddressAddr2|Customer.BillAddressAddr2',
    'buyer.address.city': 'Invoice.BillAddressCity|Customer.BillAddressCity',
    'buyer.address.post_code': 'Invoice.BillAddressPostalCode|Customer.BillAddressPostalCode',
    'buyer.address.subdivision': 'Invoice.BillAddressState|Customer.BillAddressState',
    'buyer.address.country': 'Invoice.BillAddressCountry!map|Customer.BillAddressCountry!map',
    'buyer.contact.name': 'Customer.Contact|Customer.FirstName!concat|Customer.LastName!concat',
    'buyer.contact.phone': 'Customer.Phone',
    'buyer.contact.email': 'Customer.Email',
    'lines[].id':
      'InvoiceLine.InvoiceLineSeqNo|InvoiceLine.InvoiceLineTxnLineID|InvoiceLine.FQPrimaryKey',
    'lines[].sku': 'InvoiceLine.InvoiceLineItemRefFullName|Item.Name|Item.FullName',
    'lines[].name': 'InvoiceLine.InvoiceLineDesc|Item.Description',
    'lines[].description': 'InvoiceLine.InvoiceLineDesc|Item.Description',
    'lines[].qty': 'InvoiceLine.InvoiceLineQuantity',
    'lines[].unit': 'InvoiceLine.InvoiceLineUnitOfMeasure!map|Item.UnitOfMeasureSetRefFullName!map',
    'lines[].unit_price': 'InvoiceLine.InvoiceLineRate',
    'lines[].gross_price': 'InvoiceLine.InvoiceLineRate',
    'lines[].net': 'InvoiceLine.InvoiceLineAmount',
    'lines[].tax.rate':
      'InvoiceLine.InvoiceLineSalesTaxCodeRefFullName!map|SalesTaxCode.Name!map|SalesTaxCode.IsTaxable!map',
    'lines[].tax.category':
      'InvoiceLine.InvoiceLineSalesTaxCodeRefFullName!map|InvoiceLine.InvoiceLineSalesTaxCodeRefListID!map|SalesTaxCode.Name!map|' +
      'SalesTaxCode.IsTaxable!map|SalesTaxCode.Desc!map|Item.SalesTaxCodeRefFullName!map',
  },
};
