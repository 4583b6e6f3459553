import type { Cell, Layout, LayoutTable } from './layout.ts';
import { tableOf } from './tables.ts';
import { bills, byLine, credits, customers, type Invoice, invoices, items } from './trade.ts';

const round = (value: number) => Math.round(value * 100) / 100;
const usDollarRate = 4.4;
const isForeign = ({ currency }: Invoice) => currency === 'USD';
/** The firm's own currency has no letters. */
const currencyOf = (one: Invoice) => (isForeign(one) ? 'USD' : '----');
const rateOf = (one: Invoice) => (isForeign(one) ? usDollarRate : 1);
const own = (one: Invoice, amount: number) => round(amount * rateOf(one));
const isPaid = ({ id }: Invoice) => id % 3 === 0;
const drafts = invoices.filter(({ isDraft }) => isDraft);
/** What was wrong stays, as cancelled. */
const sold = [...bills, ...drafts];
const taxCode = (rate: number) => (rate === 0 ? 'ZRL' : 'SR');
const discountText = (discount: number) => (discount === 0 ? '' : `${discount}%`);
const uoms: Readonly<Record<string, string>> = {
  PCS: 'UNIT',
  M: 'MTR',
  HR: 'HOUR',
  L: 'LITRE',
  KG: 'KG',
};
const uom = (unit: string) => uoms[unit]!;
const accountOf = ({ code }: { readonly code: string }) => `300-${code.slice(1)}`;
const supplier = { ...customers[4]!, code: 'M0001', name: 'Mill Supplies Sdn Bhd' };
const countries = [...new Map(customers.map((one) => [one.countryCode, one])).values()];
const modified = 1_767_600_000;

type Document = Invoice;
type Sold = { readonly one: Document; readonly line: Document['lines'][number] };
type Columns<T> = Readonly<Record<string, Cell | ((row: T) => Cell)>>;

/** Quotations, orders, deliveries, invoices, cash sales and notes have the same columns. */
function headers(
  prefix: string,
  key: number,
  more: Columns<Document> = {},
  party: (one: Document) => (typeof customers)[number] = ({ customer }) => customer,
): Columns<Document> {
  return {
    '*DOCKEY integer': ({ id }) => id + key,
    'DOCNO varchar(20)': ({ id }) => `${prefix}-${String(id - 4000).padStart(5, '0')}`,
    'DOCNOEX varchar(20)': null,
    'DOCDATE date, POSTDATE date, TAXDATE date': ({ date }) => date,
    'CODE varchar(10)': (one) => accountOf(party(one)),
    'COMPANYNAME varchar(100)': (one) => party(one).name,
    'ADDRESS1 varchar(60)': (one) => party(one).street,
    'ADDRESS2 varchar(60)': (one) => `${party(one).zip} ${party(one).city}`,
    'ADDRESS3 varchar(60), ADDRESS4 varchar(60)': '',
    'POSTCODE varchar(10)': (one) => party(one).zip,
    'CITY varchar(50)': (one) => party(one).city,
    'STATE varchar(50)': (one) => party(one).state,
    'COUNTRY varchar(2)': (one) => party(one).countryCode,
    'PHONE1 varchar(200)': (one) => party(one).phone,
    'MOBILE varchar(200), FAX1 varchar(200)': '',
    'ATTENTION varchar(70)': (one) => `${party(one).first} ${party(one).last}`,
    'AREA varchar(10), AGENT varchar(10), PROJECT varchar(20)': '----',
    'TERMS varchar(10)': '30 Days',
    'CURRENCYCODE varchar(6)': currencyOf,
    'CURRENCYRATE decimal': rateOf,
    'SHIPPER varchar(30)': '----',
    'DESCRIPTION varchar(200)': 'Sales',
    'CANCELLED char(1)': ({ isDraft }) => (isDraft ? 'T' : 'F'),
    'STATUS smallint': 0,
    'DOCAMT decimal': ({ gross }) => gross,
    'LOCALDOCAMT decimal': (one) => own(one, one.gross),
    'D_DOCNO varchar(20), D_PAYMENTMETHOD varchar(10), D_CHEQUENUMBER varchar(20)': null,
    'D_PAYMENTPROJECT varchar(20)': '----',
    'D_BANKCHARGE decimal, D_AMOUNT decimal': 0,
    'D_BANKCHARGEACCOUNT varchar(10)': null,
    'VALIDITY varchar(200), DELIVERYTERM varchar(200), CC varchar(200)': null,
    'DOCREF1 varchar(25)': ({ order }) => order,
    'DOCREF2 varchar(25), DOCREF3 varchar(25), DOCREF4 varchar(25)': '',
    'BRANCHNAME varchar(100), DADDRESS1 varchar(60), DADDRESS2 varchar(60)': 'Dock 4',
    'DADDRESS3 varchar(60), DADDRESS4 varchar(60), DPOSTCODE varchar(10)': '',
    'DCITY varchar(50), DSTATE varchar(50), DCOUNTRY varchar(2)': '',
    'DATTENTION varchar(70), DPHONE1 varchar(200), DMOBILE varchar(200), DFAX1 varchar(200)': '',
    'TAXEXEMPTNO varchar(50), SALESTAXNO varchar(25)': '',
    'SERVICETAXNO varchar(25)': '',
    'TIN varchar(14)': (one) => party(one).vat,
    'IDTYPE smallint': 1,
    'IDNO varchar(20)': (one) => brn(party(one).id),
    'TOURISMNO varchar(17), SIC varchar(10), INCOTERMS varchar(3)': '',
    'SUBMISSIONTYPE integer': 17,
    'IRBM_STATUS integer': null,
    'IRBM_INTERNALID varchar(50), IRBM_UUID varchar(26), IRBM_LONGID varchar(40)': null,
    'ATTACHMENTS blob': null,
    'NOTE blob': null,
    'TRANSFERABLE char(1)': 'T',
    'UPDATECOUNT integer': 1,
    'PRINTCOUNT integer': ({ id }) => id % 3,
    'LASTMODIFIED bigint': modified,
    ...more,
  };
}

function brn(id: number): string {
  return String(202_001_000_000 + id * 7919);
}

function details(
  key: number,
  more: Columns<Sold> = {},
  priceOf: (sold: Sold) => number = ({ line }) => line.price,
): Columns<Sold> {
  return {
    '*DTLKEY integer': ({ line }) => line.id + key * 10,
    'DOCKEY integer': ({ one }) => one.id + key,
    'SEQ integer': ({ line }) => line.position * 1000,
    'STYLEID varchar(5)': null,
    'NUMBER varchar(5)': ({ line }) => String(line.position),
    'ITEMCODE varchar(30)': ({ line }) => line.item.code,
    'LOCATION varchar(20), PROJECT varchar(20)': '----',
    'BATCH varchar(30)': '',
    'DESCRIPTION varchar(200)': ({ line }) => line.item.name,
    'DESCRIPTION2 varchar(200)': '',
    'DESCRIPTION3 blob': null,
    'PERMITNO varchar(20)': null,
    'QTY decimal, SQTY decimal': ({ line }) => line.quantity,
    'UOM varchar(10)': ({ line }) => uom(line.item.unit),
    'RATE decimal': 1,
    'SUOMQTY decimal, OFFSETQTY decimal': 0,
    'UNITPRICE decimal': priceOf,
    'DELIVERYDATE date': ({ one }) => one.date,
    'DISC varchar(20)': ({ line }) => discountText(line.discount),
    'TAX varchar(10)': ({ line }) => taxCode(line.item.rate),
    'TARIFF varchar(20), TAXEXEMPTIONREASON varchar(300)': null,
    'IRBM_CLASSIFICATION varchar(3)': '022',
    'TAXRATE varchar(20)': ({ line }) => `${line.item.rate}%`,
    'TAXAMT decimal': ({ line }) => line.tax,
    'LOCALTAXAMT decimal': ({ one, line }) => own(one, line.tax),
    'EXEMPTED_TAXRATE varchar(20)': '',
    'EXEMPTED_TAXAMT decimal': 0,
    'TAXINCLUSIVE char(1)': 'F',
    'AMOUNT decimal': ({ line }) => line.net,
    'LOCALAMOUNT decimal': ({ one, line }) => own(one, line.net),
    'AMOUNTWITHTAX decimal': ({ line }) => round(line.net + line.tax),
    'PRINTABLE char(1), TRANSFERABLE char(1)': 'T',
    'FROMDOCTYPE varchar(2), FROMDOCKEY integer, FROMDTLKEY integer': null,
    'REMARK1 varchar(200), REMARK2 varchar(200), COMPANYITEMCODE varchar(30)': '',
    'INITIALPURCHASECOST decimal': 0,
    'CHANGED char(1)': 'F',
    'LASTMODIFIED bigint': modified,
    ...more,
  };
}

const quoted = bills.slice(0, 8);
const ordered = bills.slice(4, 20);
const paid = bills.filter(isPaid);
const bought = bills.slice(10, 22);
const cashSales = bills.slice(30, 34);
const ledger = (one: Document) => own(one, one.gross);

const around: Readonly<Record<string, LayoutTable>> = {
  SL_QT: tableOf(quoted, headers('QT', 10_000)),
  SL_QTDTL: tableOf(byLine(quoted, pair), details(10_000)),
  SL_SO: tableOf(ordered, headers('SO', 20_000)),
  SL_SODTL: tableOf(byLine(ordered, pair), details(20_000)),
  SL_DO: tableOf(ordered, headers('DO', 30_000)),
  SL_DODTL: tableOf(byLine(ordered, pair), details(30_000)),
  SL_CS: tableOf(cashSales, headers('CS', 40_000)),
  SL_CSDTL: tableOf(byLine(cashSales, pair), details(40_000)),
  SL_CN: tableOf(credits, headers('CN', 50_000, { 'REASON varchar(200)': 'Returned' })),
  SL_CNDTL: tableOf(byLine(credits, pair), details(50_000)),
  SL_DN: tableOf([], headers('DN', 60_000)),
  SL_DNDTL: tableOf([], details(60_000)),
  PH_PI: tableOf(
    bought,
    headers('PI', 70_000, { 'DESCRIPTION varchar(200)': 'Purchase' }, () => supplier),
  ),
  PH_PIDTL: tableOf(
    byLine(bought, pair),
    details(70_000, {}, ({ line }) => round(line.price / 2)),
  ),
  AR_IVDTL: tableOf(sold, {
    '*DTLKEY integer': ({ id }) => id + 85_000,
    'DOCKEY integer': ({ id }) => id + 80_000,
    'SEQ integer': 1000,
    'ACCOUNT varchar(10)': '500-000',
    'PROJECT varchar(20)': '----',
    'DESCRIPTION varchar(200)': 'Sales',
    'TAX varchar(10)': 'SR',
    'TAXRATE varchar(20)': '20%',
    'TAXAMT decimal': ({ tax }) => tax,
    'LOCALTAXAMT decimal': (one) => own(one, one.tax),
    'TAXINCLUSIVE char(1)': 'F',
    'AMOUNT decimal': ({ net }) => net,
    'LOCALAMOUNT decimal': (one) => own(one, one.net),
    'AMOUNTWITHTAX decimal': ({ gross }) => gross,
  }),
  AR_CN: tableOf(credits, {
    '*DOCKEY integer': ({ id }) => id + 90_000,
    'DOCNO varchar(20)': ({ id }) => `CN-${String(id - 4000).padStart(5, '0')}`,
    'CODE varchar(10)': ({ customer }) => accountOf(customer),
    'DOCDATE date, POSTDATE date': ({ date }) => date,
    'DESCRIPTION varchar(200)': 'Sales Return',
    'CURRENCYCODE varchar(6)': currencyOf,
    'CURRENCYRATE decimal': rateOf,
    'DOCAMT decimal': ({ gross }) => gross,
    'LOCALDOCAMT decimal': (one) => own(one, one.gross),
    'CANCELLED char(1)': 'F',
    'FROMDOCTYPE varchar(2)': 'SL',
  }),
  AR_PM: tableOf(paid, {
    '*DOCKEY integer': ({ id }) => id + 100_000,
    'DOCNO varchar(20)': ({ id }) => `OR-${String(id - 4000).padStart(5, '0')}`,
    'CODE varchar(10)': ({ customer }) => accountOf(customer),
    'DOCDATE date, POSTDATE date': ({ due }) => due,
    'DESCRIPTION varchar(200)': 'Payment For Account',
    'PAYMENTMETHOD varchar(10)': '310-001',
    'CHEQUENUMBER varchar(20)': '',
    'BANKCHARGE decimal': 0,
    'CURRENCYCODE varchar(6)': currencyOf,
    'CURRENCYRATE decimal': rateOf,
    'DOCAMT decimal': ({ gross }) => gross,
    'LOCALDOCAMT decimal': ledger,
    'UNAPPLIEDAMT decimal': 0,
    'CANCELLED char(1)': 'F',
  }),
  AR_KNOCKOFF: tableOf(paid, {
    '*KOKEY integer': ({ id }) => id + 110_000,
    'FROMDOCTYPE varchar(2)': 'PM',
    'FROMDOCKEY integer': ({ id }) => id + 100_000,
    'TODOCTYPE varchar(2)': 'IV',
    'TODOCKEY integer': ({ id }) => id + 80_000,
    'KOAMT decimal': ({ gross }) => gross,
    'LOCALKOAMT decimal': ledger,
    'ACTUALLOCALKOAMT decimal': ledger,
    'GAINLOSS decimal': 0,
    'KODATE date': ({ due }) => due,
  }),
  AP_SUPPLIER: tableOf([supplier], {
    '*CODE varchar(10)': '400-M0001',
    'CONTROLACCOUNT varchar(10)': '400-000',
    'COMPANYNAME varchar(100)': ({ name }) => name,
    'CREDITTERM varchar(10)': '30 Days',
    'CURRENCYCODE varchar(6)': '----',
    'STATUS char(1)': 'A',
    'BRN varchar(30)': '199901000001',
    'TIN varchar(14)': 'C1234567890',
  }),
  AP_SUPPLIERBRANCH: tableOf([supplier], {
    '*DTLKEY integer': 1,
    'CODE varchar(10)': '400-M0001',
    'BRANCHTYPE char(1)': 'B',
    'BRANCHNAME varchar(100)': 'BILLING',
    'ADDRESS1 varchar(60)': 'Kai 4',
    'POSTCODE varchar(10)': '50450',
    'CITY varchar(50)': 'Kuala Lumpur',
    'COUNTRY varchar(2)': 'MY',
    'EMAIL varchar(200)': 'sales@mill.example',
  }),
  ST_TR: tableOf(byLine(bills, pair), {
    '*TRANSNO integer': ({ line }) => line.id + 300_000,
    'DOCTYPE varchar(2)': 'IV',
    'DOCKEY integer': ({ one }) => one.id,
    'DTLKEY integer': ({ line }) => line.id,
    'ITEMCODE varchar(30)': ({ line }) => line.item.code,
    'LOCATION varchar(20)': '----',
    'POSTDATE date': ({ one }) => one.date,
    'QTY decimal': ({ line }) => -line.quantity,
    'COST decimal': ({ line }) => round(line.price / 2),
    'PRICE decimal': ({ one, line }) => own(one, line.price),
  }),
  GL_TRANS: tableOf(bills, {
    '*DOCKEY integer': ({ id }) => id + 400_000,
    'CODE varchar(10)': '500-000',
    'POSTDATE date, DOCDATE date': ({ date }) => date,
    'DESCRIPTION varchar(200)': ({ customer }) => customer.name,
    'DR decimal, LOCALDR decimal': 0,
    'CR decimal': ({ net }) => net,
    'LOCALCR decimal': (one) => own(one, one.net),
    'FROMDOCTYPE varchar(2)': 'IV',
    'CANCELLED char(1)': 'F',
  }),
  SY_PROFILE: {
    columns:
      '*ALIAS varchar(20), COMPANYNAME varchar(100), REMARK varchar(80), REGISTERNO varchar(30), GSTNO varchar(25), SALESTAXNO varchar(25), ' +
      'SERVICETAXNO varchar(25), TIN varchar(14), MSICCODE varchar(10), ADDRESS1 varchar(60), ADDRESS2 varchar(60), POSTCODE varchar(10), ' +
      'CITY varchar(50), STATE varchar(50), COUNTRY varchar(2), PHONE1 varchar(200), EMAIL varchar(200)',
    rows: [
      [
        'MAIN',
        'Drawbridge Pumps Sdn Bhd',
        '',
        '201901000005',
        '',
        '',
        'W10-1808-32000001',
        'C2584563200',
        '46900',
        '1 Jalan Dermaga',
        '',
        '42000',
        'Port Klang',
        'SGR',
        'MY',
        '+60 3 5550 1200',
        'sales@firm.example',
      ],
    ],
  },
  AGENT: {
    columns: '*CODE varchar(10), DESCRIPTION varchar(160), ISACTIVE char(1)',
    rows: [
      ['----', 'Default Agent', 'T'],
      ['LF', 'Lee Fong', 'T'],
    ],
  },
  AREA: {
    columns: '*CODE varchar(10), DESCRIPTION varchar(160), ISACTIVE char(1)',
    rows: [['----', 'Default Area', 'T']],
  },
  PROJECT: {
    columns: '*CODE varchar(20), DESCRIPTION varchar(160), PROJECTVALUE decimal, ISACTIVE char(1)',
    rows: [['----', 'Non-Project', 0, 'T']],
  },
  SY_USER: {
    columns: '*CODE varchar(10), NAME varchar(100), EMAIL varchar(200), ISACTIVE char(1)',
    rows: [['ADMIN', 'Administrator', '', 'T']],
  },
};

function pair(one: Document, line: Document['lines'][number]): Sold {
  return { one, line };
}

/**
 * Rates and discounts are texts with a percent sign, the firm's own currency is four dashes, as is all that has no value; each
 * invoice stands once more among the debts, where alone it is told when it is due; the address is a row of branches by the kind;
 * no key but the primary one is declared (SQL Account of Malaysia).
 */
export const dashesForCurrency: Layout = {
  name: 'dashes-for-currency',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    ...around,
    SL_IV: tableOf(
      sold,
      headers('IV', 0, {
        'NOTE blob': ({ id }) => (id % 6 === 0 ? 'Thank you for your order' : null),
      }),
    ),
    SL_IVDTL: tableOf(byLine(sold, pair), details(0)),
    AR_IV: tableOf(sold, {
      '*DOCKEY integer': ({ id }) => id + 80_000,
      'DOCNO varchar(20)': ({ id }) => `IV-${String(id - 4000).padStart(5, '0')}`,
      'CODE varchar(10)': ({ customer }) => accountOf(customer),
      'DOCDATE date, POSTDATE date, TAXDATE date': ({ date }) => date,
      'DUEDATE date': ({ due }) => due,
      'DESCRIPTION varchar(200)': 'Sales',
      'AREA varchar(10), AGENT varchar(10), PROJECT varchar(20)': '----',
      'TERMS varchar(10)': '30 Days',
      'JOURNAL varchar(10)': 'SALES',
      'CURRENCYCODE varchar(6)': currencyOf,
      'CURRENCYRATE decimal': rateOf,
      'DOCAMT decimal': ({ gross }) => gross,
      'LOCALDOCAMT decimal': (one) => own(one, one.gross),
      'PAYMENTAMT decimal': (one) => (isPaid(one) ? one.gross : 0),
      'LOCALPAYMENTAMT decimal': (one) => (isPaid(one) ? own(one, one.gross) : 0),
      'CANCELLED char(1)': ({ isDraft }) => (isDraft ? 'T' : 'F'),
      'STATUS smallint': 0,
      'FROMDOCTYPE varchar(2)': 'SL',
      'GLTRANSID integer': ({ id }) => id + 400_000,
      'LASTMODIFIED bigint': modified,
    }),
    AR_CUSTOMER: tableOf(customers, {
      '*CODE varchar(10)': accountOf,
      'CONTROLACCOUNT varchar(10)': '300-000',
      'COMPANYNAME varchar(100)': ({ name }) => name,
      'COMPANYNAME2 varchar(100)': '',
      'COMPANYCATEGORY varchar(10), AREA varchar(10), AGENT varchar(10)': '----',
      'BIZNATURE varchar(60)': '',
      'CREDITTERM varchar(10)': '30 Days',
      'CREDITLIMIT decimal': 30_000,
      'OVERDUELIMIT decimal': -1,
      'STATEMENTTYPE char(1)': 'O',
      'CURRENCYCODE varchar(6)': '----',
      'OUTSTANDING decimal': ({ id }) => id * 110,
      'ALLOWEXCEEDCREDITLIMIT char(1), ADDPDCTOCRLIMIT char(1)': 'T',
      'AGINGON char(1)': 'I',
      'STATUS char(1)': 'A',
      'PRICETAG varchar(20)': null,
      'CREATIONDATE date': '2025-02-03',
      'TAX varchar(10)': '',
      'TAXEXEMPTNO varchar(50)': '',
      'TAXEXPDATE date': null,
      'BRN varchar(30)': ({ id }) => brn(id),
      'BRN2 varchar(30)': '',
      'GSTNO varchar(25), SALESTAXNO varchar(25), SERVICETAXNO varchar(25)': '',
      'TIN varchar(14)': ({ vat }) => vat,
      'IDTYPE smallint': 1,
      'IDNO varchar(20)': ({ id }) => brn(id),
      'TOURISMNO varchar(17), SIC varchar(10)': '',
      'SUBMISSIONTYPE integer': 17,
      'ATTACHMENTS blob, NOTE blob': null,
      'REMARK varchar(80)': '',
      'LASTMODIFIED bigint': modified,
    }),
    AR_CUSTOMERBRANCH: tableOf(
      customers.flatMap((one) => [
        { one, type: 'B', id: one.id * 2 },
        { one, type: 'D', id: one.id * 2 + 1 },
      ]),
      {
        '*DTLKEY integer': ({ id }) => id,
        'CODE varchar(10)': ({ one }) => accountOf(one),
        'BRANCHTYPE char(1)': ({ type }) => type,
        'BRANCHNAME varchar(100)': ({ type }) => (type === 'B' ? 'BILLING' : 'DEPOT'),
        'ADDRESS1 varchar(60)': ({ one, type }) => (type === 'B' ? one.street : 'Dock 4'),
        'ADDRESS2 varchar(60)': ({ one }) => `${one.zip} ${one.city}`,
        'ADDRESS3 varchar(60), ADDRESS4 varchar(60)': '',
        'POSTCODE varchar(10)': ({ one }) => one.zip,
        'CITY varchar(50)': ({ one }) => one.city,
        'STATE varchar(50)': ({ one }) => one.state,
        'COUNTRY varchar(2)': ({ one }) => one.countryCode,
        'GEOLAT decimal, GEOLONG decimal': null,
        'ATTENTION varchar(70)': ({ one }) => `${one.first} ${one.last}`,
        'PHONE1 varchar(200)': ({ one }) => one.phone,
        'PHONE2 varchar(200), MOBILE varchar(200), FAX1 varchar(200), FAX2 varchar(200)': '',
        'EMAIL varchar(200)': ({ one }) => one.email,
        'TAXAREA varchar(10)': '',
      },
    ),
    ST_ITEM: tableOf(items, {
      '*CODE varchar(30)': ({ code }) => code,
      'DESCRIPTION varchar(200)': ({ name }) => name,
      'DESCRIPTION2 varchar(200)': '',
      'DESCRIPTION3 blob': null,
      'STOCKGROUP varchar(20)': 'DEFAULT',
      'STOCKCONTROL char(1)': ({ unit }) => (unit === 'HR' ? 'F' : 'T'),
      'COSTINGMETHOD smallint': 1,
      'SERIALNUMBER char(1)': 'F',
      'REMARK1 varchar(200), REMARK2 varchar(200)': '',
      'MINQTY decimal, MAXQTY decimal, REORDERLEVEL decimal, REORDERQTY decimal': 0,
      'SHELF varchar(20)': null,
      'SUOM varchar(10)': null,
      'ITEMTYPE varchar(20)': ({ unit }) => (unit === 'HR' ? 'S' : 'G'),
      'LEADTIME integer, BOM_LEADTIME integer': 0,
      'BOM_ASMCOST decimal': 0,
      'SLTAX varchar(10)': ({ rate }) => taxCode(rate),
      'PHTAX varchar(10), TARIFF varchar(20)': null,
      'IRBM_CLASSIFICATION varchar(3)': '022',
      'STOCKMATRIX varchar(20)': null,
      'DEFUOM_ST varchar(10), DEFUOM_SL varchar(10), DEFUOM_PH varchar(10)': ({ unit }) =>
        uom(unit),
      'ISACTIVE char(1)': 'T',
      'BALSQTY decimal': 90,
      'BALSUOMQTY decimal': 0,
      'CREATIONDATE date': '2025-02-03',
      'PICTURE blob, ATTACHMENTS blob, NOTE blob': null,
      'LASTMODIFIED bigint': modified,
    }),
    ST_ITEM_UOM: tableOf(items, {
      '*DTLKEY integer': ({ id }) => id + 500,
      'CODE varchar(30)': ({ code }) => code,
      'UOM varchar(10)': ({ unit }) => uom(unit),
      'RATE decimal': 1,
      'REFCOST decimal': ({ price }) => round(price / 2),
      'REFPRICE decimal': ({ price }) => price,
      'ISBASE smallint': 1,
    }),
    ST_GROUP: {
      columns:
        '*CODE varchar(20), DESCRIPTION varchar(160), SALESCODE varchar(10), ISACTIVE char(1)',
      rows: [['DEFAULT', 'Default', '500-000', 'T']],
    },
    TAX: {
      columns:
        '*CODE varchar(10), DESCRIPTION varchar(200), TAXTYPE varchar(20), TAXRATE varchar(20), ISDEFAULT char(1), ISACTIVE char(1), LASTMODIFIED bigint',
      rows: [
        ['SR', 'Standard-rated supplies', 'Supply', '20%', 'T', 'T', modified],
        ['ZRL', 'Local zero-rated supplies', 'Supply', '0%', 'F', 'T', modified],
        ['TX', 'Purchases with tax', 'Purchase', '20%', 'F', 'T', modified],
      ],
    },
    TERMS: {
      columns: '*CODE varchar(10), DESCRIPTION varchar(160), TERMTYPE char(1), DAYS integer',
      rows: [
        ['C.O.D.', 'Cash on delivery', 'D', 0],
        ['30 Days', 'Net 30 days', 'D', 30],
      ],
    },
    CURRENCY: {
      columns:
        '*CODE varchar(6), DESCRIPTION varchar(160), SYMBOL varchar(6), ISOCODE varchar(3), BUYINGRATE decimal, SELLINGRATE decimal, LASTMODIFIED bigint',
      rows: [
        ['----', 'Ringgit Malaysia', 'RM', 'MYR', 1, 1, modified],
        ['USD', 'US Dollar', 'US$', 'USD', usDollarRate, usDollarRate, modified],
        ['SGD', 'Singapore Dollar', 'S$', 'SGD', 3.4, 3.4, modified],
      ],
    },
    COUNTRY: tableOf(countries, {
      '*CODE varchar(2)': ({ countryCode }) => countryCode,
      'DESCRIPTION varchar(100)': ({ country }) => country,
    }),
  },
  sections: {
    header: { table: 'SL_IV', key: 'DOCKEY', match: 'DOCNO', where: { CANCELLED: 'F' } },
    lines: { table: 'SL_IVDTL', key: 'DTLKEY', match: 'DOCKEY', matchFrom: 'DOCKEY' },
    customer: { table: 'AR_CUSTOMER', key: 'CODE', match: 'CODE', matchFrom: 'CODE' },
  },
  fields: {
    number: 'SL_IV.DOCNO|AR_IV.DOCNO',
    issue_date:
      'SL_IV.DOCDATE|SL_IV.POSTDATE|SL_IV.TAXDATE|AR_IV.DOCDATE|AR_IV.POSTDATE|AR_IV.TAXDATE',
    due_date: 'AR_IV.DUEDATE',
    'delivery.date': 'SL_IVDTL.DELIVERYDATE',
    currency:
      'CURRENCY.ISOCODE|SL_IV.CURRENCYCODE!map|AR_IV.CURRENCYCODE!map|CURRENCY.CODE!map|CURRENCY.SYMBOL!map|CURRENCY.DESCRIPTION!map',
    'exchange_rate.rate':
      'SL_IV.CURRENCYRATE|AR_IV.CURRENCYRATE|CURRENCY.SELLINGRATE|CURRENCY.BUYINGRATE',
    purchase_order: 'SL_IV.DOCREF1',
    buyer_reference: 'SL_IV.DOCREF1',
    'notes[]': 'SL_IV.NOTE',
    'payment_terms[].note': 'SL_IV.TERMS|TERMS.DESCRIPTION|TERMS.CODE|AR_CUSTOMER.CREDITTERM',
    'totals.gross': 'SL_IV.DOCAMT|AR_IV.DOCAMT',
    'totals.due': 'SL_IV.DOCAMT|AR_IV.DOCAMT',
    'buyer.name': 'SL_IV.COMPANYNAME|AR_CUSTOMER.COMPANYNAME',
    'buyer.trn': 'SL_IV.TIN|AR_CUSTOMER.TIN',
    'PINT-MY:buyer.identifiers[].id': 'SL_IV.TIN|AR_CUSTOMER.TIN',
    // Its own columns are empty; one that comes alone is taken for the other.
    'PINT-MY:buyer.trn':
      'SL_IV.SERVICETAXNO|SL_IV.SALESTAXNO|AR_CUSTOMER.SERVICETAXNO|AR_CUSTOMER.SALESTAXNO|SL_IV.TIN|AR_CUSTOMER.TIN',
    'buyer.registration_id': 'AR_CUSTOMER.BRN|AR_CUSTOMER.IDNO|SL_IV.IDNO',
    'buyer.address.line1': 'SL_IV.ADDRESS1|AR_CUSTOMERBRANCH.ADDRESS1',
    'buyer.address.line2': 'SL_IV.ADDRESS2|AR_CUSTOMERBRANCH.ADDRESS2',
    'buyer.address.city': 'SL_IV.CITY|AR_CUSTOMERBRANCH.CITY',
    'buyer.address.post_code': 'SL_IV.POSTCODE|AR_CUSTOMERBRANCH.POSTCODE',
    'buyer.address.subdivision': 'SL_IV.STATE|AR_CUSTOMERBRANCH.STATE',
    'buyer.address.country':
      'SL_IV.COUNTRY|AR_CUSTOMERBRANCH.COUNTRY|COUNTRY.CODE|COUNTRY.DESCRIPTION!map',
    'buyer.contact.name': 'SL_IV.ATTENTION|AR_CUSTOMERBRANCH.ATTENTION',
    'buyer.contact.phone': 'SL_IV.PHONE1|AR_CUSTOMERBRANCH.PHONE1',
    'buyer.contact.email': 'AR_CUSTOMERBRANCH.EMAIL',
    'lines[].id': 'SL_IVDTL.NUMBER|SL_IVDTL.SEQ|SL_IVDTL.DTLKEY',
    'lines[].sku': 'SL_IVDTL.ITEMCODE|ST_ITEM.CODE',
    'lines[].name': 'SL_IVDTL.DESCRIPTION|ST_ITEM.DESCRIPTION',
    'lines[].description': 'SL_IVDTL.DESCRIPTION|ST_ITEM.DESCRIPTION',
    'lines[].classifications[].code': 'SL_IVDTL.IRBM_CLASSIFICATION|ST_ITEM.IRBM_CLASSIFICATION',
    'lines[].qty': 'SL_IVDTL.QTY|SL_IVDTL.SQTY',
    'lines[].unit':
      'SL_IVDTL.UOM!map|ST_ITEM.DEFUOM_SL!map|ST_ITEM.DEFUOM_ST!map|ST_ITEM_UOM.UOM!map',
    'lines[].unit_price': 'SL_IVDTL.UNITPRICE',
    'lines[].gross_price': 'SL_IVDTL.UNITPRICE',
    'lines[].allowances[].percent': 'SL_IVDTL.DISC!split,substring,map,decimal',
    'lines[].net': 'SL_IVDTL.AMOUNT',
    'lines[].accounting.amount': 'SL_IVDTL.AMOUNTWITHTAX',
    'lines[].accounting.tax_totals[].amount': 'SL_IVDTL.TAXAMT',
    'lines[].tax.rate':
      'SL_IVDTL.TAXRATE!split,substring,map,decimal|TAX.TAXRATE!split,substring,map,decimal|SL_IVDTL.TAX!map',
    'lines[].tax.category':
      'SL_IVDTL.TAX!map|SL_IVDTL.TAXRATE!map|TAX.CODE!map|TAX.TAXRATE!map|TAX.DESCRIPTION!map|ST_ITEM.SLTAX!map',
  },
};
