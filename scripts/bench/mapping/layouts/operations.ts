import type { Layout } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { byLine, customers, type Invoice, invoices, items } from './trade.ts';

const kinds = {
  purchase: 1,
  sale: 2,
  stockTaking: 4,
  offer: 13,
  order: 19,
  creditNote: 27,
} as const;
const measures: Readonly<Record<string, string>> = {
  PCS: 'бр.',
  M: 'м',
  HR: 'час',
  L: 'л',
  KG: 'кг',
};

interface Operation {
  readonly one: Invoice;
  readonly kind: number;
  /** Counted for each kind by itself. */
  readonly account: number;
}

const operationsOf = (kind: number, all: readonly Invoice[]): readonly Operation[] =>
  all.map((one, index) => ({ one, kind, account: index + 1 }));
const isCredit = ({ kind }: Invoice) => kind === 'credit';
const sales = operationsOf(
  kinds.sale,
  invoices.filter((one) => !isCredit(one)),
);
const creditNotes = operationsOf(
  kinds.creditNote,
  invoices.filter((one) => isCredit(one) && !one.isDraft),
);
const purchases = operationsOf(kinds.purchase, invoices.slice(0, 16));
const operations = [
  ...purchases,
  ...sales,
  ...creditNotes,
  ...operationsOf(kinds.stockTaking, invoices.slice(8, 10)),
  ...operationsOf(kinds.offer, invoices.slice(30, 37)),
  ...operationsOf(kinds.order, invoices.slice(12, 22)),
];
const operationLines = operations.flatMap((of) =>
  byLine([of.one], (one, line) => ({ of, one, line })),
);
/** Sales over the counter have no invoice. */
const documented = [...sales.filter(({ one }) => !one.isDraft), ...creditNotes];
const payments = [...sales, ...creditNotes, ...purchases].flatMap((of) => [
  { of, mode: -1 },
  ...(of.one.id % 3 === 0 ? [{ of, mode: 1 }] : []),
]);

const partnerOf = ({ kind, one }: Operation) => (kind === kinds.purchase ? 2 : one.customer.id);
const signOf = ({ kind }: Operation) =>
  kind === kinds.sale ? -1 : kind === kinds.purchase || kind === kinds.creditNote ? 1 : 0;
const rounded = (amount: number) => Math.round(amount * 10_000) / 10_000;
const number = ({ kind, account }: Operation) =>
  String(account + (kind === kinds.sale ? 1_000 : 9_000)).padStart(10, '0');

/**
 * Each line of each purchase, sale, offer or count is an operation; what is known of an invoice beside its lines stands
 * in two further tables by the number of the operation, tax of one piece in a column, its rate with the group of the
 * goods (Microinvest Warehouse). Names of tables, columns and kinds: the SQL script that the program's open edition
 * makes its SQLite database with.
 */
export const operationsAsInvoices: Layout = {
  name: 'operations',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    operations: tableOf(operationLines, {
      '*ID integer': (_row, index) => index + 1,
      'OperType integer': ({ of }) => of.kind,
      'Acct integer': ({ of }) => of.account,
      'GoodID integer': ({ line }) => line.item.id,
      'PartnerID integer': ({ of }) => partnerOf(of),
      'ObjectID integer': 2,
      'OperatorID integer': 2,
      'Qtty double': ({ line }) => line.quantity,
      'Sign integer': ({ of }) => signOf(of),
      'PriceIn double': ({ line }) => line.item.price / 2,
      'PriceOut double': ({ line }) => line.price,
      'VATIn double': ({ line }) => rounded((line.item.price * line.item.rate) / 200),
      'VATOut double': ({ line }) =>
        rounded((line.price * (100 - line.discount) * line.item.rate) / 10_000),
      'Discount double': ({ line }) => line.discount,
      'CurrencyID integer': ({ one }) => (one.currency === 'USD' ? 3 : 2),
      'CurrencyRate double': ({ one }) => (one.currency === 'USD' ? 0.92 : 1),
      'Date datetime': ({ one }) => at(one.date, '00:00:00'),
      'Lot varchar(50)': ' ',
      'LotID integer': 1,
      'Note varchar(255)': ' ',
      'SrcDocID integer': 0,
      'UserID integer': 2,
      'UserRealTime datetime': ({ one }) => at(one.date),
    }),
    documents: tableOf(documented, {
      '*ID integer': (_of, index) => index + 1,
      'Acct integer': ({ account }) => account,
      'InvoiceNumber varchar(255)': (of) => number(of),
      'OperType integer': ({ kind }) => kind,
      'InvoiceDate datetime': ({ one }) => at(one.date, '00:00:00'),
      'DocumentType integer': ({ kind }) => (kind === kinds.sale ? 0 : 2),
      'ExternalInvoiceDate datetime': null,
      'ExternalInvoiceNumber varchar(255)': ' ',
      'PaymentType integer': ({ one }) => (one.id % 4 === 0 ? 1 : 2),
      'Recipient varchar(255)': ({ one }) => `${one.customer.first} ${one.customer.last}`,
      'EGN varchar(255)': ' ',
      'Provider varchar(255)': 'Петър Илиев',
      'TaxDate datetime': ({ one }) => at(one.date, '00:00:00'),
      'Reason varchar(255), Description varchar(255)': ' ',
      'Place varchar(255)': 'Варна',
    }),
    payments: tableOf(payments, {
      '*ID integer': (_row, index) => index + 1,
      'Acct double': ({ of }) => of.account,
      'OperType integer': ({ of }) => of.kind,
      'PartnerID integer': ({ of }) => partnerOf(of),
      'ObjectID integer': 2,
      'Qtty double': ({ of }) => of.one.gross,
      'Mode integer': ({ mode }) => mode,
      'Sign integer': ({ of }) => (of.kind === kinds.sale ? 1 : -1),
      'Date datetime': ({ of, mode }) => at(mode === -1 ? of.one.date : of.one.due, '00:00:00'),
      'UserID integer': 2,
      'UserRealTime datetime': ({ of }) => at(of.one.date),
      'Type integer': ({ mode }) => (mode === -1 ? 1 : 2),
      'TransactionNumber varchar(255)': ' ',
      'EndDate datetime': ({ of }) => at(of.one.due, '00:00:00'),
    }),
    partners: tableOf(
      [
        { id: 1, name: 'Служебен партньор', customer: undefined },
        { id: 2, name: 'Мелница ЕООД', customer: undefined },
        ...customers.map((customer) => ({ id: customer.id, name: customer.name, customer })),
      ],
      {
        '*ID integer': ({ id }) => id,
        'Code varchar(255)': ({ id, customer }) => customer?.code ?? String(id),
        'Company varchar(255), Company2 varchar(255)': ({ name }) => name,
        'MOL varchar(255), MOL2 varchar(255)': ({ customer }) =>
          customer === undefined ? ' ' : `${customer.first} ${customer.last}`,
        'City varchar(255), City2 varchar(255)': ({ customer }) => customer?.city ?? ' ',
        'Address varchar(255), Address2 varchar(255)': ({ customer }) => customer?.street ?? ' ',
        'Phone varchar(255)': ({ customer }) => customer?.phone ?? ' ',
        'Phone2 varchar(255), Fax varchar(255)': ' ',
        'eMail varchar(255)': ({ customer }) => customer?.email ?? ' ',
        'TaxNo varchar(255)': ({ customer }) => customer?.vat ?? ' ',
        'Bulstat varchar(255)': ({ id, customer }) =>
          customer === undefined ? ' ' : String(103_500_000 + id * 37),
        'BankName varchar(255), BankCode varchar(255), BankAcct varchar(255)': ' ',
        'BankVATName varchar(255), BankVATCode varchar(255), BankVATAcct varchar(255)': ' ',
        'PriceGroup integer': 1,
        'Discount double': 0,
        'Type integer': ({ id }) => (id === 2 ? 1 : 0),
        'IsVeryUsed integer': -1,
        'UserID integer': 2,
        'GroupID integer': 1,
        'UserRealTime datetime': at('2025-02-03'),
        'Deleted integer': 0,
        'CardNumber varchar(255), Note1 varchar(255), Note2 varchar(255)': ' ',
        'PaymentDays integer': 30,
      },
    ),
    goods: tableOf(items, {
      '*ID integer': ({ id }) => id,
      'Code varchar(255)': ({ code }) => code,
      'BarCode1 varchar(255)': ({ id }) => `38000000000${id}`,
      'BarCode2 varchar(255), BarCode3 varchar(255)': ' ',
      'Catalog1 varchar(255), Catalog2 varchar(255), Catalog3 varchar(255)': ' ',
      'Name varchar(255), Name2 varchar(255)': ({ name }) => name,
      'Measure1 varchar(255), Measure2 varchar(255)': ({ unit }) => measures[unit] ?? '',
      'Ratio double': 1,
      'PriceIn double': ({ price }) => price / 2,
      'PriceOut1 double, PriceOut2 double': ({ price }) => price,
      'PriceOut3 double, PriceOut4 double, PriceOut5 double, PriceOut6 double': 0,
      'PriceOut7 double, PriceOut8 double, PriceOut9 double, PriceOut10 double': 0,
      'MinQtty double, NormalQtty double': 0,
      'Description varchar(255)': ' ',
      'Type integer, IsRecipe integer': 0,
      'TaxGroup integer': ({ rate }) => (rate === 0 ? 2 : 1),
      'IsVeryUsed integer': -1,
      'GroupID integer': 1,
      'Deleted integer': 0,
    }),
    vatgroups: {
      columns: '*ID integer, Code varchar(255), Name varchar(255), VATValue double',
      rows: [
        [1, '1', 'Основна ДДС група', 20],
        [2, '2', 'Нулева ставка', 0],
        [3, '3', 'Туризъм', 9],
      ],
    },
    currencies: {
      columns:
        '*ID integer, Currency varchar(3), Description varchar(255), ExchangeRate double, Deleted integer',
      rows: [
        [1, 'BGN', 'Български лев', 0.5113, -1],
        [2, 'EUR', 'Евро', 1, 0],
        [3, 'USD', 'Щатски долар', 0.92, 0],
      ],
    },
    currencieshistory: {
      columns:
        '*ID integer, CurrencyID integer, ExchangeRate double, Date datetime, UserID integer',
      rows: [
        [1, 3, 0.93, '2025-12-01 00:00:00', 2],
        [2, 3, 0.92, '2026-01-02 00:00:00', 2],
      ],
    },
    paymenttypes: {
      columns: '*ID integer, Name varchar(255), PaymentMethod integer',
      rows: [
        [1, 'Плащане в брой', 1],
        [2, 'Превод по сметка', 2],
        [3, 'Дебитна/Кредитна карта', 3],
        [4, 'Плащане чрез ваучер', 4],
      ],
    },
    operationtype: {
      columns: '*ID integer, BG varchar(255), EN varchar(255), DE varchar(255), RU varchar(255)',
      rows: [
        [1, 'Доставка', 'Purchase', 'Lieferung', 'Приход'],
        [2, 'Продажба', 'Sale', 'Verkauf', 'Продажа'],
        [3, 'Брак', 'Waste', 'Ausschussproduktion', 'Брак'],
        [4, 'Ревизия', 'Stock-taking', 'Inventur', 'Переучет'],
        [7, 'Трансфер', 'Transfer', 'Transfer', 'Перемещение'],
        [13, 'Оферта', 'Offer', 'Angebot', 'Счёт на оплату'],
        [14, 'Проформа', 'Proform Invoice', 'Proforma-Rechnung', 'Проформа'],
        [19, 'Поръчка', 'Order', 'Auftrag', 'Клиентский заказ'],
        [26, 'Дебитно известие', 'Debit Note', 'Mitteilung Debit', 'Дебетное извещение'],
        [27, 'Кредитно известие', 'Credit Note', 'Mitteilung Kredit', 'Кредитное извещение'],
      ],
    },
    store: tableOf(items, {
      '*ID integer': ({ id }) => id,
      'ObjectID integer': 2,
      'GoodID integer': ({ id }) => id,
      'Qtty double': 35,
      'Price double': ({ price }) => price / 2,
      'Lot varchar(250)': ' ',
      'LotID integer, LotOrder integer': 1,
    }),
    objects: {
      columns:
        '*ID integer, Code varchar(255), Name varchar(255), Name2 varchar(255), PriceGroup integer, IsVeryUsed integer, ' +
        'GroupID integer, Deleted integer',
      rows: [
        [1, ' ', 'Служебен обект', 'Служебен обект', 1, 1, -1, 0],
        [2, '2', 'Склад Варна', 'Склад Варна', 1, -1, 1, 0],
      ],
    },
    users: {
      columns:
        '*ID integer, Code varchar(255), Name varchar(255), Name2 varchar(255), IsVeryUsed integer, GroupID integer, ' +
        'UserLevel integer, Deleted integer',
      rows: [
        [1, ' ', 'Служебен потребител', 'Служебен потребител', 1, -1, 3, 0],
        [2, '2', 'Петър Илиев', 'Петър Илиев', -1, 1, 3, 0],
      ],
    },
    registration: {
      columns:
        '*ID integer, Code varchar(255), Company varchar(255), MOL varchar(255), City varchar(255), Address varchar(255), ' +
        'Phone varchar(255), eMail varchar(255), TaxNo varchar(255), Bulstat varchar(255), BankName varchar(255), ' +
        'BankCode varchar(255), BankAcct varchar(255), IsDefault integer, Deleted integer',
      rows: [
        [
          1,
          '1',
          'Помпи Варна ООД',
          'Петър Илиев',
          'Варна',
          'ул. Морска 4',
          '+359 52 600 000',
          'office@pompi.example',
          'BG103000001',
          '103000001',
          'Банка',
          'BANKBGSF',
          'BG00BANK00000000000000',
          -1,
          0,
        ],
      ],
    },
    cashbook: tableOf(
      sales.filter(({ one }) => one.isDraft),
      {
        '*ID integer': (_of, index) => index + 1,
        'Date datetime': ({ one }) => at(one.date, '00:00:00'),
        Desc: ({ account }) => `Продажба ${account}`,
        'OperType integer': kinds.sale,
        'Sign integer': 1,
        'Profit double': ({ one }) => one.gross,
        'UserID integer, ObjectID integer': 2,
        'UserRealtime datetime': ({ one }) => at(one.date),
      },
    ),
    ecrreceipts: tableOf(
      sales.filter(({ one }) => one.isDraft),
      {
        '*ID integer': (_of, index) => index + 1,
        'OperType integer': kinds.sale,
        'Acct integer': ({ account }) => account,
        'ReceiptID integer': ({ account }) => account + 500,
        'ReceiptDate datetime': ({ one }) => at(one.date),
        'ReceiptType integer': 1,
        ECRID: 'DT000001',
        'Total double': ({ one }) => one.gross,
        'UserID integer': 2,
      },
    ),
    partnersgroups: {
      columns: '*ID integer, Code varchar(255), Name varchar(255)',
      rows: [[1, '-1', 'Служебна група']],
    },
    goodsgroups: {
      columns: '*ID integer, Name varchar(255), Code varchar(255)',
      rows: [[1, 'Служебна група', '-1']],
    },
    transformations: tableOf(sales.slice(0, 5), {
      '*ID integer': (_of, index) => index + 1,
      'RootOperType integer, FromOperType integer': kinds.order,
      'RootAcct integer, FromAcct integer': ({ account }) => account,
      'ToOperType integer': kinds.sale,
      'ToAcct integer': ({ account }) => account,
      'UserID integer': 2,
    }),
    configuration: {
      columns: '*ID integer, Key varchar(50), Value varchar(50), UserID integer',
      rows: [
        [1, 'BaseCurrency', '2', 2],
        [2, 'PricesIncludeVAT', '0', 2],
      ],
    },
    applicationlog: {
      columns:
        '*ID integer, Message varchar(255), UserID integer, UserRealTime datetime, MessageSource varchar(50)',
      rows: [[1, 'Вход', 2, '2026-01-05 08:00:00', 'Warehouse']],
    },
  },
  sections: {
    header: {
      table: 'operations',
      key: 'Acct',
      match: 'Acct',
      where: { OperType: '2' },
      repeats: true,
    },
    lines: {
      table: 'operations',
      key: 'ID',
      match: 'Acct',
      matchFrom: 'Acct',
      where: { OperType: '2' },
    },
    customer: { table: 'partners', key: 'ID', match: 'ID', matchFrom: 'PartnerID' },
  },
  fields: {
    number: 'documents.InvoiceNumber',
    issue_date: 'documents.InvoiceDate|documents.TaxDate|operations.Date',
    due_date: 'payments.EndDate',
    currency: 'currencies.Currency|operations.CurrencyID!map|currencies.Description!map',
    'exchange_rate.rate': 'operations.CurrencyRate',
    'delivery.date': 'operations.Date',
    'payment_means[].code':
      'documents.PaymentType!map|paymenttypes.Name!map|paymenttypes.PaymentMethod!map|paymenttypes.ID!map',
    'totals.gross': 'payments.Qtty',
    'totals.due': 'payments.Qtty',
    'buyer.name': 'partners.Company|partners.Company2',
    'buyer.trn': 'partners.TaxNo',
    'PINT-MY:buyer.identifiers[].id': 'partners.TaxNo',
    'buyer.registration_id': 'partners.Bulstat',
    'buyer.address.line1': 'partners.Address|partners.Address2',
    'buyer.address.city': 'partners.City|partners.City2',
    'buyer.contact.name': 'partners.MOL|partners.MOL2|documents.Recipient',
    'buyer.contact.phone': 'partners.Phone',
    'buyer.contact.email': 'partners.eMail',
    'lines[].id': 'operations.ID',
    'lines[].sku': 'goods.Code|operations.GoodID|goods.ID|goods.BarCode1',
    'lines[].name': 'goods.Name|goods.Name2',
    'lines[].description': 'goods.Name|goods.Name2',
    'lines[].qty': 'operations.Qtty',
    'lines[].unit': 'goods.Measure1!map|goods.Measure2!map',
    'lines[].unit_price': 'operations.PriceOut',
    'lines[].gross_price': 'operations.PriceOut',
    'lines[].allowances[].percent': 'operations.Discount',
    'lines[].tax.rate': 'vatgroups.VATValue',
    'lines[].tax.category':
      'vatgroups.VATValue!map|vatgroups.Name!map|vatgroups.Code!map|goods.TaxGroup!map',
  },
};
