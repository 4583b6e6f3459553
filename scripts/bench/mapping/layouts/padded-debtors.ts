import {
  type Buyer,
  cents,
  countries,
  type Good,
  ratesOf,
  type SalesDocument,
  type SoldLine,
  tradeOf,
} from './enterprise-trade.ts';
import { hyphenKey } from './hex-keys.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, midnight, tableOf } from './tables.ts';

const { documents, buyers, goods } = tradeOf({
  home: 'BE',
  seed: 27_653,
  documents: 172,
  currency: 'EUR',
  exchanges: { USD: 0.92 },
  rates: { standard: 21, middle: 21, reduced: 6, zero: 0 },
  taxOf: 'rate',
});

/** Numbers stand at the right of their width, with blanks before them. */
const padded = (number: number | string, width: number) => String(number).padStart(width);

/** What is printed goes to the history; what waits stays in tables of the same form. */
const waiting = documents.filter(({ state }) => state === 'draft');
const printed = documents.filter(({ state }) => state !== 'draft');
interface Invoice {
  readonly one: SalesDocument;
  readonly id: number;
  readonly isCredit: boolean;
}
/** What was cancelled is credited in full. */
const history: readonly Invoice[] = [
  ...printed.map((one) => ({ one, id: one.id, isCredit: one.kind === 'credit' })),
  ...printed
    .filter(({ state, kind }) => state === 'cancelled' && kind === 'invoice')
    .map((one) => ({ one, id: one.id + 500, isCredit: true })),
];
const open: readonly Invoice[] = waiting.map((one) => ({
  one,
  id: one.id,
  isCredit: one.kind === 'credit',
}));
const sign = ({ isCredit }: Invoice) => (isCredit ? -1 : 1);
const own = ({ one }: Invoice, amount: number) => cents(amount * one.exchange);
const invoiceNumber = ({ id, isCredit }: Invoice) =>
  padded((isCredit ? 26_700_000 : 26_300_000) + id, 8);
const debtor = ({ id }: Buyer) => padded(10_000 + id, 6);
/** Some stores order for their head office, which is billed. */
const orderedBy = ({ one }: Invoice) =>
  one.buyer.id === 3 && one.id % 2 === 0 ? padded(10_090, 6) : debtor(one.buyer);
const order = ({ id }: Invoice) => padded(26_100_000 + id, 8);
const vatCode = (rate: number, { isHome, country }: Buyer) => {
  if (isHome) return { 21: '3', 6: '1', 0: '0' }[rate]!;
  return country.length === 2 && ['DE', 'FR', 'DK', 'HU', 'PT'].includes(country) ? '7' : '8';
};
const netPrice = ({ price, discount }: SoldLine) =>
  Math.round(price * (1 - discount / 100) * 10_000) / 10_000;
const reduction = (line: SoldLine) => cents(line.quantity * line.price - line.net);
const terms: Readonly<Record<number, string>> = { 0: '00', 14: '14', 30: '30', 60: '60' };
const units: Readonly<Record<Good['unit'], string>> = {
  piece: 'stuk',
  hour: 'uur',
  metre: 'm',
  kilogram: 'kg',
  box: 'doos',
  litre: 'l',
};
const guid = (table: string) => (row: { readonly id: number }) => hyphenKey(table, row.id);
const stamps = {
  'Division smallint': 1,
  'syscreated datetime': at('2026-06-30', '08:15:44'),
  'syscreator int': 12,
  'sysmodified datetime': at('2026-06-30', '08:15:44'),
  'sysmodifier int': 12,
} as const;

const person = (prefix: string) => ({
  [`${prefix}_debtor_name nvarchar(50)`]: ({ one }: Invoice) => one.buyer.name,
  [`${prefix}_AddressLine1 nvarchar(100)`]: ({ one }: Invoice) => one.buyer.street,
  [`${prefix}_AddressLine2 nvarchar(100)`]: ({ one }: Invoice) => one.buyer.street2,
  [`${prefix}_AddressLine3 nvarchar(100)`]: null,
  [`${prefix}_PostCode nvarchar(20)`]: ({ one }: Invoice) => one.buyer.zip,
  [`${prefix}_City nvarchar(100)`]: ({ one }: Invoice) => one.buyer.city,
  [`${prefix}_StateCode nvarchar(3)`]: ({ one }: Invoice) => one.buyer.region,
  [`${prefix}_landcode char(3)`]: ({ one }: Invoice) => one.buyer.country,
  [`${prefix}_Phone nvarchar(25)`]: ({ one }: Invoice) => one.buyer.phone,
  [`${prefix}_Fax nvarchar(25)`]: null,
  [`${prefix}_contactperson nvarchar(50)`]: ({ one }: Invoice) =>
    `${one.buyer.first} ${one.buyer.last}`,
  [`${prefix}_predcode nvarchar(4), ${prefix}_cnt_job_desc nvarchar(50)`]: null,
  [`${prefix}_initials nvarchar(10)`]: ({ one }: Invoice) => `${one.buyer.first[0]}.`,
});

const headers = (all: readonly Invoice[], table: string, isOpen = false) =>
  tableOf(all, {
    '*ID int': ({ id }) => id,
    'faknr char(8)': (each) => (isOpen ? padded(0, 8) : invoiceNumber(each)),
    'fakdat datetime': ({ one }) => midnight(one.date),
    'dagbknr char(3)': ' 70',
    'debnr char(6)': orderedBy,
    'fakdebnr char(6)': ({ one }) => debtor(one.buyer),
    'einddebnr char(6)': orderedBy,
    'refer nvarchar(30)': ({ one }) => one.order,
    'refer1 nvarchar(30)': ({ one }) => one.note?.slice(0, 30) ?? null,
    'refer2 nvarchar(30), refer3 nvarchar(30)': null,
    'ordernr char(8)': order,
    'orddat datetime, afldat datetime': ({ one }) => midnight(one.delivered),
    'magcode char(4)': '1',
    'ex_artcode char(1)': null,
    'inv_in_vv tinyint': ({ one }) => (one.exchange === 1 ? 0 : 1),
    'valcode char(3)': ({ one }) => one.currency,
    'koers float': ({ one }) => one.exchange,
    'orddeb char(6)': null,
    'selcode char(2)': 'V1',
    'nettoprijs tinyint': 0,
    'betcond char(2)': ({ one }) => terms[one.days]!,
    'levwijze char(3)': 'EXW',
    'vrachtkost float, orderkost float': 0,
    'kstplcode char(8)': '001VK',
    'fakt_kort float': 0,
    'user_id nvarchar(15)': 'lvermeulen',
    'colli char(5)': ({ one }) => String(one.lines.length),
    'bruto_gew float, netto_gew float': ({ one }) => one.lines.length * 12,
    'bkjrcode smallint': 2026,
    'btw_code char(3)': ({ one }) => vatCode(one.lines[0]!.rate, one.buyer),
    'pakbon_nr char(8)': ({ id }) => padded(26_500_000 + id, 8),
    'tot_bdr float': (each) => sign(each) * own(each, each.one.gross),
    'fak_soort char(1)': ({ isCredit }) => (isCredit ? 'C' : 'V'),
    'iso_taalcd char(3)': ({ id }) => (id % 3 === 0 ? 'FR' : 'NL'),
    'btw_cd_ord char(3)': '3',
    'pakbon_dat datetime': ({ one }) => midnight(one.delivered),
    'fak_adrnr char(10)': null,
    'ordkost_vv float, vrachtk_vv float': 0,
    'tot_bdr_vv float': (each) => sign(each) * each.one.gross,
    'tot_bdrb float': (each) => sign(each) * own(each, each.one.net),
    'tot_bdrbvv float': (each) => sign(each) * each.one.net,
    'afl_week char(6)': '202620',
    'routecode char(2)': null,
    'represent_id int': ({ id }) => 12 + (id % 3),
    'calc_meth_pc char(1)': 'P',
    'calc_incl_vat char(1)': 'E',
    'bdr_vat_ord_val float, bdr_vat_ship_val float, bdr_kb_val float, bdr_disc_val float': 0,
    'bdr_val float': (each) => sign(each) * each.one.gross,
    'docnumber nvarchar(30)': null,
    'projectnr nvarchar(20)': null,
    'paymentmethod char(1)': 'B',
    'DocAttachmentID uniqueidentifier': null,
    ...person('ord'),
    ...person('del'),
    ...person('inv'),
    'approver int': 12,
    'approved datetime': ({ one }) => midnight(one.date),
    'document_id uniqueidentifier, cash_register_account char(9)': null,
    'inv_contactemail nvarchar(128)': ({ one }) => one.buyer.email,
    'freefield1 nvarchar(80), freefield2 nvarchar(80), freefield3 nvarchar(80)': null,
    'freefield4 float, freefield5 float, TNTPostAmount float': null,
    'TNTPostNrOfPages nvarchar(10), TNTPostQtySent nvarchar(10)': null,
    'TNTPostUserName int': 0,
    'TNTPostDateSent datetime, TNTPostSession int': null,
    'GoldenTaxInvoiceNumber nvarchar(30), ExternalNumber nvarchar(30)': null,
    ...stamps,
    'sysguid uniqueidentifier': guid(table),
  });

const details = (all: readonly Invoice[], table: string, isOpen = false) =>
  tableOf(
    all.flatMap((invoice) =>
      invoice.one.lines.map((line) => ({
        invoice,
        line,
        id: line.id + (invoice.id > 500 ? 3000 : 0),
        sign: sign(invoice),
      })),
    ),
    {
      '*ID int': ({ id }) => id,
      'faknr char(8)': ({ invoice }) => (isOpen ? padded(0, 8) : invoiceNumber(invoice)),
      'fakdat datetime': ({ invoice }) => midnight(invoice.one.date),
      'dagbknr char(3)': ' 70',
      'regel char(4)': ({ line }) => padded(line.position, 4),
      'artcode char(30)': ({ line }) => line.good.code,
      'ar_soort char(1)': 'V',
      'oms45 nvarchar(60)': ({ line }) => line.good.name,
      'magcode char(4)': '1',
      'afl_week char(6)': '202620',
      'afldat datetime': ({ invoice }) => midnight(invoice.one.delivered),
      'esr_aantal float': ({ line, sign: way }) => way * line.quantity,
      'ordreg tinyint': 1,
      'btw_code char(3)': ({ invoice, line }) => vatCode(line.rate, invoice.one.buyer),
      'prijslijst char(15)': 'SALESPRICE',
      'korting float': ({ line }) => line.discount,
      'prijs_n float': ({ line }) => netPrice(line),
      'prijs83 float': ({ line }) => line.price,
      'kstdrcode char(8)': null,
      'vvp float': ({ line }) => line.good.cost,
      'pr_bedr float': ({ line }) => line.good.price,
      'kstplcode char(8)': '001VK',
      'ordernr char(8)': ({ invoice }) => order(invoice),
      'intra_nr char(8)': null,
      'pakbon_nr char(8)': ({ invoice }) => padded(26_500_000 + invoice.id, 8),
      'maglok char(10)': 'A-01',
      'prshisnr char(8)': null,
      'pakbon_dat datetime': ({ invoice }) => midnight(invoice.one.delivered),
      'explsrtart char(1)': null,
      'verzdebnr char(6)': ({ invoice }) => orderedBy(invoice),
      'vrz_adrcd char(4), vrz_adrnr char(10)': null,
      'koers float': ({ invoice }) => invoice.one.exchange,
      'bdr_ev_ed_val float': ({ line, sign: way }) => way * line.net,
      'bdr_d_ev_val float': ({ line, sign: way }) => way * reduction(line),
      'bdr_vat_val float': ({ line, sign: way }) => way * line.tax,
      'bdr_inv_d_val float': 0,
      'docnumber nvarchar(30), projectnr nvarchar(20)': null,
      'res_id int': 12,
      'serial_number nvarchar(30)': null,
      'unitcode nvarchar(8)': ({ line }) => units[line.good.unit]!,
      'unitfactor float': 1,
      'tax_code2 char(3), tax_code3 char(3), tax_code4 char(3), tax_code5 char(3)': null,
      'tax_basis2 float, tax_basis3 float, tax_basis4 float, tax_basis5 float': 0,
      'tax_amount1 float': ({ line, sign: way }) => way * line.tax,
      'tax_amount2 float, tax_amount3 float, tax_amount4 float, tax_amount5 float': 0,
      'SalesOrderLine uniqueidentifier': null,
      'ReasonDiscount nvarchar(8), ReasonReturn nvarchar(8)': null,
      ...stamps,
      'sysguid uniqueidentifier': guid(table),
    },
  );

/** Orders of customers, and those to suppliers. */
const orders = [
  ...history
    .filter(({ isCredit }) => !isCredit)
    .map((each) => ({ ...each, isBought: false, creditor: null as string | null })),
  ...history
    .filter(({ id }) => id % 6 === 0)
    .map((each) => ({ ...each, id: each.id + 2000, isBought: true, creditor: padded(60_001, 6) })),
];
const vatCodes = [
  { code: '0', text: 'BTW 0%', rate: 0 },
  { code: '1', text: 'BTW 6%', rate: 6 },
  { code: '2', text: 'BTW 12%', rate: 12 },
  { code: '3', text: 'BTW 21%', rate: 21 },
  { code: '7', text: 'Intracommunautaire levering', rate: 0 },
  { code: '8', text: 'Uitvoer buiten EU', rate: 0 },
];

const sold: Readonly<Record<string, LayoutTable>> = {
  frhkrg: headers(history, 'frhkrg'),
  frhsrg: details(history, 'frhsrg'),
  frkrg: headers(open, 'frkrg', true),
  frsrg: details(open, 'frsrg', true),
  orkrg: tableOf(orders, {
    '*id int': ({ id }) => id,
    'ordernr char(8)': order,
    'ord_soort char(1)': ({ isBought }) => (isBought ? 'B' : 'V'),
    'debnr char(6)': (each) => (each.isBought ? null : orderedBy(each)),
    'fakdebnr char(6)': ({ one, isBought }) => (isBought ? null : debtor(one.buyer)),
    'crdnr char(6)': ({ creditor }) => creditor,
    'orddat datetime, afldat datetime': ({ one }) => midnight(one.delivered),
    'refer nvarchar(30)': ({ one }) => one.order,
    'valcode char(3)': ({ one }) => one.currency,
    'koers float': ({ one }) => one.exchange,
    'betcond char(2)': ({ one }) => terms[one.days]!,
    'bdr_val float': ({ one }) => one.net,
    'bdr_vat_val float': ({ one }) => one.tax,
    'selcode char(2)': 'V1',
    'fiattering char(1), afgehandld tinyint': 'J',
    'represent_id int': 12,
    ...stamps,
    'sysguid uniqueidentifier': guid('orkrg'),
  }),
  orsrg: tableOf(
    orders.flatMap((invoice) =>
      invoice.one.lines.map((line) => ({
        invoice,
        line,
        id: line.id + (invoice.isBought ? 4000 : 0),
      })),
    ),
    {
      '*id int': ({ id }) => id,
      'ordernr char(8)': ({ invoice }) => order(invoice),
      'regel char(4)': ({ line }) => padded(line.position, 4),
      'artcode char(30)': ({ line }) => line.good.code,
      'oms45 nvarchar(60)': ({ line }) => line.good.name,
      'esr_aantal float, aant_gelev float': ({ line }) => line.quantity,
      'prijs83 float': ({ line }) => line.price,
      'prijs_n float': ({ line }) => netPrice(line),
      'korting float': ({ line }) => line.discount,
      'btw_code char(3)': ({ invoice, line }) => vatCode(line.rate, invoice.one.buyer),
      'unitcode nvarchar(8)': ({ line }) => units[line.good.unit]!,
      'magcode char(4)': '1',
      'ar_soort char(1)': 'V',
      ...stamps,
      'sysguid uniqueidentifier': guid('orsrg'),
    },
  ),
};

const ledger: Readonly<Record<string, LayoutTable>> = {
  gbkmut: tableOf(
    history.flatMap((invoice) => [
      { invoice, reknr: '   400000', vat: null, amount: sign(invoice) * invoice.one.gross },
      ...ratesOf(invoice.one.lines).flatMap(({ rate, base, tax }) => [
        {
          invoice,
          reknr: '   700000',
          vat: vatCode(rate, invoice.one.buyer),
          amount: -sign(invoice) * base,
        },
        {
          invoice,
          reknr: '   451000',
          vat: vatCode(rate, invoice.one.buyer),
          amount: -sign(invoice) * tax,
        },
      ]),
    ]),
    {
      '*ID int': (_row, index) => index + 1,
      'bkjrcode smallint': 2026,
      'reknr char(9)': ({ reknr }) => reknr,
      'datum datetime': ({ invoice }) => midnight(invoice.one.date),
      'periode char(3)': ({ invoice }) => padded(Number(invoice.one.date.slice(5, 7)), 3),
      'bkstnr char(8), faknr char(8)': ({ invoice }) => invoiceNumber(invoice),
      'dagbknr char(3)': ' 70',
      'oms25 nvarchar(60)': ({ invoice }) => invoice.one.buyer.name,
      'bdr_hfl float': ({ invoice, amount }) => own(invoice, amount),
      'bdr_val float': ({ amount }) => amount,
      'valcode char(3)': ({ invoice }) => invoice.one.currency,
      'koers float': ({ invoice }) => invoice.one.exchange,
      'btw_code char(3)': ({ vat }) => vat,
      'debnr char(6)': ({ invoice }) => debtor(invoice.one.buyer),
      'crdnr char(6)': null,
      'docdate datetime': ({ invoice }) => midnight(invoice.one.date),
      'vervdatfak datetime': ({ invoice }) => midnight(invoice.one.due),
      'docnumber nvarchar(30), kstplcode char(8), kstdrcode char(8), artcode char(30)': null,
      'aantal float': 0,
      'transtype char(1), transsubtype char(1)': 'N',
      'companycode char(3)': '001',
      ...stamps,
      'sysguid uniqueidentifier': (_row, index) => hyphenKey('gbkmut', index),
    },
  ),
  BankTransactions: tableOf(
    history.flatMap((invoice) =>
      invoice.one.isPaid
        ? [
            { invoice, type: 'W', status: 'P' },
            { invoice, type: 'S', status: 'P' },
          ]
        : [{ invoice, type: 'W', status: 'C' }],
    ),
    {
      '*ID uniqueidentifier': ({ invoice, type }) => hyphenKey(type, invoice.id),
      'Type char(1)': ({ type }) => type,
      'Status char(1)': ({ status }) => status,
      'OwnBankAccount nvarchar(34)': 'BE68539007547034',
      'DebtorNumber char(6)': ({ invoice }) => debtor(invoice.one.buyer),
      'CreditorNumber char(6)': null,
      'InvoiceNumber char(8), EntryNumber char(8)': ({ invoice }) => invoiceNumber(invoice),
      'InvoiceDate datetime, ValueDate datetime': ({ invoice }) => midnight(invoice.one.date),
      'DueDate datetime': ({ invoice }) => midnight(invoice.one.due),
      'PaymentDays int': ({ invoice }) => invoice.one.days,
      'AmountDC float': ({ invoice }) => sign(invoice) * own(invoice, invoice.one.gross),
      'AmountTC float': ({ invoice }) => sign(invoice) * invoice.one.gross,
      'TCCode char(3)': ({ invoice }) => invoice.one.currency,
      'ExchangeRate float': ({ invoice }) => invoice.one.exchange,
      'Description nvarchar(100)': ({ invoice }) => invoice.one.buyer.name,
      'SupplierInvoiceNumber nvarchar(30), StatementNumber char(8)': null,
      'PaymentCondition char(2)': ({ invoice }) => terms[invoice.one.days]!,
      'PaymentMethod char(1)': 'B',
      ...stamps,
    },
  ),
  betcd: tableOf([0, 14, 30, 60], {
    '*betcond char(2)': (days) => terms[days]!,
    'oms30_0 nvarchar(60)': (days) => (days === 0 ? 'Contant' : `${days} dagen na factuurdatum`),
    'oms30_1 nvarchar(60)': (days) => (days === 0 ? 'Comptant' : `${days} jours date de facture`),
    'krt_pc float': 0,
    'krt_dagen smallint': 0,
    'bet_dagen smallint': (days) => days,
    'ID int': (days) => days + 1,
    ...stamps,
  }),
  btwtrs: tableOf(vatCodes, {
    '*ID int': (_row, index) => index + 1,
    'btwtrans char(3)': ({ code }) => code,
    'companycode char(3)': '001',
    'oms30_0 nvarchar(60), oms30_1 nvarchar(60)': ({ text }) => text,
    'oms30_2 nvarchar(60), oms30_3 nvarchar(60), oms30_4 nvarchar(60)': null,
    'code_iv char(1)': 'V',
    'verlegdbtw tinyint': ({ code }) => (code === '7' ? 1 : 0),
    'btwper float': ({ rate }) => rate,
    'btwoms nvarchar(10)': ({ rate }) => `${rate}%`,
    'exclus char(1)': 'E',
    'landcode char(3)': 'BE',
    'btwlist char(1)': 'J',
    'reknr char(9), rek_btw_vk char(9)': '   451000',
    'tegreknr char(9), crednota char(1), cred_btwcd char(3)': null,
    'btw_vt tinyint, btw_vrij tinyint, btw_reg tinyint': 0,
    'levy_per float, invest_per float': 0,
    'acc_invtax char(9), acc_invtdb char(9), acc_invtcr char(9)': null,
    'creditor char(6), PayPeriod char(1), PurchaseType char(1)': null,
    'NonDeductiblePercentage float': 0,
    'taxtype char(1)': 'V',
    'calculationbasis char(1)': 'B',
    ...stamps,
    'sysguid uniqueidentifier': ({ code }) => hyphenKey('btwtrs', code),
  }),
  grtbk: {
    columns:
      '*reknr char(9), oms25_0 nvarchar(60), bal_vw char(1), debcrd char(1), btw_code char(3), omzrek char(1)',
    rows: [
      ['   400000', 'Handelsdebiteuren', 'B', 'D', null, 'D'],
      ['   451000', 'Te betalen btw', 'B', 'C', null, 'N'],
      ['   700000', 'Verkopen', 'W', 'C', '3', 'N'],
    ],
  },
  dagbk: {
    columns: '*dagbknr char(3), oms25_0 nvarchar(60), type_dgbk char(1), reknr char(9)',
    rows: [
      [' 70', 'Verkoopboek', 'V', '   400000'],
      [' 60', 'Aankoopboek', 'I', '   440000'],
      [' 55', 'KBC', 'B', '   550000'],
    ],
  },
  valuta: {
    columns: '*valcode char(3), oms30_0 nvarchar(60), afronding smallint, symbool nvarchar(3)',
    rows: [
      ['EUR', 'Euro', 2, '€'],
      ['USD', 'Amerikaanse dollar', 2, '$'],
    ],
  },
  rates: {
    columns:
      '*ID int, source_currency char(3), target_currency char(3), date_l datetime, rate_exchange float',
    rows: [
      [1, 'USD', 'EUR', midnight('2026-01-01'), 0.92],
      [2, 'USD', 'EUR', midnight('2026-07-01'), 0.91],
    ],
  },
  bedryf: {
    columns:
      '*bedrnr char(3), bedrnm nvarchar(50), adres1 nvarchar(50), adres2 nvarchar(50), postcode nvarchar(20), woonpl nvarchar(50), landcode char(3), telnr nvarchar(25), faxnr nvarchar(25), valcode char(3), btw_nummer nvarchar(20), kvk_nummer nvarchar(20), email nvarchar(128)',
    rows: [
      [
        '001',
        'Pompen Van Looy NV',
        'Nijverheidslaan 8',
        null,
        '2220',
        'Heist-op-den-Berg',
        'BE',
        '+32 15 24 80 00',
        null,
        'EUR',
        'BE0421987654',
        '0421987654',
        'facturatie@vanlooy.example',
      ],
    ],
  },
  land: tableOf(countries, {
    '*landcode char(3)': ({ two }) => two,
    'oms60_0 nvarchar(60)': ({ name }) => name,
    'iso3 char(3)': ({ three }) => three,
    'eu_land tinyint': ({ two }) => (['BE', 'DE', 'DK', 'FR', 'HU', 'PT'].includes(two) ? 1 : 0),
  }),
};

const accounts = [
  ...buyers.map((one) => ({ ...one, number: debtor(one), head: null as string | null })),
  {
    ...buyers[2]!,
    id: 90,
    name: 'Van den Bossche Depot Zaventem',
    number: padded(10_090, 6),
    head: debtor(buyers[2]!),
  },
];
const relations: Readonly<Record<string, LayoutTable>> = {
  cicmpy: tableOf(accounts, {
    'ID int': ({ id }) => id,
    '*cmp_wwn uniqueidentifier': guid('cicmpy'),
    'cmp_code char(20)': ({ number }) => padded(number.trim(), 20),
    'cnt_id uniqueidentifier': guid('cicntp'),
    'cmp_parent uniqueidentifier': null,
    'cmp_name nvarchar(50)': ({ name }) => name,
    'cmp_fadd1 nvarchar(100)': ({ street }) => street,
    'cmp_fadd2 nvarchar(100)': ({ street2 }) => street2,
    'cmp_fadd3 nvarchar(100)': null,
    'cmp_fpc nvarchar(20)': ({ zip }) => zip,
    'cmp_fcity nvarchar(100)': ({ city }) => city,
    'cmp_fcounty nvarchar(100)': null,
    'StateCode nvarchar(3)': ({ region }) => region,
    'cmp_fctry char(3)': ({ country }) => country,
    'cmp_e_mail nvarchar(128)': ({ email }) => email,
    'cmp_web nvarchar(128), cmp_fax nvarchar(25)': null,
    'cmp_tel nvarchar(25)': ({ phone }) => phone,
    'sct_code nvarchar(10), SubSector nvarchar(10), siz_code nvarchar(10)': null,
    'cmp_date_cust datetime': midnight('2024-03-01'),
    'cmp_note text': null,
    'cmp_acc_man int': 12,
    'cmp_reseller uniqueidentifier': null,
    'Administration char(3)': '001',
    'cmp_type char(1)': 'C',
    'cmp_status char(1)': 'A',
    'DivisionDebtorID uniqueidentifier, DivisionCreditorID uniqueidentifier': null,
    'datefield1 datetime, datefield2 datetime, datefield3 datetime': null,
    'numberfield1 float, numberfield2 float, numberfield3 float': 0,
    'YesNofield1 tinyint, YesNofield2 tinyint, YesNofield3 tinyint': 0,
    'textfield1 nvarchar(80), textfield2 nvarchar(80), textfield3 nvarchar(80)': null,
    'cmp_rating int, cmp_origin char(3), LogoFileName nvarchar(128)': null,
    'document_id uniqueidentifier': null,
    'ClassificationId char(3)': 'A',
    'type_since datetime, status_since datetime': midnight('2024-03-01'),
    'debnr char(6)': ({ number }) => number,
    'crdnr char(6)': null,
    'debcode char(20)': ({ number }) => padded(number.trim(), 20),
    'crdcode char(20)': null,
    'SearchCode nvarchar(6)': ({ name }) => name.slice(0, 6).toUpperCase(),
    'PostBankNumber nvarchar(34)': null,
    'Blocked tinyint': 0,
    'BalanceDebit float, BalanceCredit float, SalesOrderAmount float, AmountOpen float': 0,
    'ISOCountry char(3)': ({ country }) => country,
    'LiableToPayVAT tinyint': 1,
    'CostCenter char(8), AddressNumber char(10), DeliveryAddress char(6)': null,
    'RouteCode char(2)': null,
    'InvoiceDiscount float': 0,
    'PaymentConditionSearchCode char(10)': null,
    'InvoiceLayout char(8)': 'STD',
    'InvoiceName nvarchar(75)': null,
    'VATSource char(1)': 'D',
    'Currency char(3)': ({ currency }) => currency,
    'BankAccountNumber nvarchar(34)': null,
    'PaymentMethod char(1)': 'B',
    'InvoiceDebtor char(6)': ({ head }) => head,
    'CreditLine float': ({ id }) => id * 500,
    'Discount float': 0,
    'DateLastReminder datetime': null,
    'VatNumber nvarchar(20)': ({ taxNumber }) => taxNumber,
    'PaymentCondition char(2)': '30',
    'PriceList nvarchar(15)': 'SALESPRICE',
    'DeliveryMethod char(3)': 'EXW',
    'VatCode char(3)': (one) => vatCode(one.isHome ? 21 : 0, one),
    'IntrastatSystem char(10), DeliveryTerms char(10), TransShipment char(10)': null,
    'InvoiceCopies smallint': 1,
    'FiscalCode nvarchar(30)': ({ register }) => register,
    'CreditCard nvarchar(34)': null,
    'AccountEmployeeId int': 12,
    'VatLiability char(1)': 'A',
    'CompanyType smallint': 0,
    'SalesPersonNumber int': 12,
    'TaxCode char(3), TaxCode2 char(3), TaxCode3 char(3), ExemptNumber nvarchar(20)': null,
    'ChamberOfCommerce nvarchar(30)': ({ register }) => register,
    ...stamps,
    'sysguid uniqueidentifier': guid('cicmpy-row'),
  }),
  cicntp: tableOf(accounts, {
    'ID int': ({ id }) => id,
    '*cnt_id uniqueidentifier': guid('cicntp'),
    'cmp_wwn uniqueidentifier': guid('cicmpy'),
    'cnt_f_name nvarchar(30)': ({ first }) => first,
    'cnt_l_name nvarchar(50)': ({ last }) => last,
    'cnt_m_name nvarchar(20)': null,
    'FullName nvarchar(110)': ({ first, last }) => `${first} ${last}`,
    'Initials nvarchar(10)': ({ first }) => `${first[0]}.`,
    'Gender char(1)': null,
    'predcode char(4)': 'M',
    'cnt_job_desc nvarchar(50), cnt_dept nvarchar(30)': null,
    'taalcode char(3)': 'NL',
    'cnt_f_ext nvarchar(10), cnt_f_fax nvarchar(25)': null,
    'cnt_f_tel nvarchar(25)': ({ phone }) => phone,
    'cnt_f_mobile nvarchar(25)': null,
    'cnt_email nvarchar(128)': ({ email }) => email,
    'cnt_acc_man int': 12,
    'cnt_note text': null,
    'active_y tinyint': 1,
    'Administration char(3)': '001',
    'res_id int': 0,
    'WebAccess tinyint': 0,
    ...stamps,
    'sysguid uniqueidentifier': guid('cicntp-row'),
  }),
  Addresses: tableOf(accounts, {
    '*ID uniqueidentifier': guid('addresses'),
    'Account uniqueidentifier': guid('cicmpy'),
    'ContactPerson uniqueidentifier': guid('cicntp'),
    'Type char(3)': 'DEL',
    'AddressLine1 nvarchar(100)': ({ street, id }) => (id % 5 === 0 ? 'Magazijn, poort 2' : street),
    'AddressLine2 nvarchar(100), AddressLine3 nvarchar(100)': null,
    'PostCode nvarchar(20)': ({ zip }) => zip,
    'City nvarchar(100)': ({ city }) => city,
    'StateCode nvarchar(3)': ({ region }) => region,
    'Country char(3)': ({ country }) => country,
    'Phone nvarchar(25)': ({ phone }) => phone,
    'Fax nvarchar(25)': null,
    'Main tinyint': 1,
    ...stamps,
  }),
  humres: tableOf([12, 13, 14], {
    '*res_id int': (id) => id,
    'fullname nvarchar(60)': (id) => ['Lien Vermeulen', 'Youssef Amrani', 'Bram Wouters'][id - 12]!,
    'usr_id nvarchar(15)': (id) => ['lvermeulen', 'yamrani', 'bwouters'][id - 12]!,
    'mail nvarchar(128)': (id) => `${id}@vanlooy.example`,
    'telnr_werk nvarchar(25)': '+32 15 24 80 00',
  }),
};

const stock: Readonly<Record<string, LayoutTable>> = {
  Items: tableOf(goods, {
    'ID int': ({ id }) => id,
    '*ItemCode char(30)': ({ code }) => code,
    'Description_0 nvarchar(60), Description nvarchar(60)': ({ name }) => name,
    'Description_1 nvarchar(60)': ({ text }) => text,
    'SearchCode nvarchar(20)': ({ code }) => code.slice(0, 3),
    'Condition char(1)': 'A',
    'Type char(1)': ({ isService }) => (isService ? 'L' : 'S'),
    'IsSalesItem tinyint, IsPurchaseItem tinyint': 1,
    'IsStockItem tinyint': ({ isService }) => (isService ? 0 : 1),
    'PackageDescription nvarchar(30)': ({ unit }) => units[unit],
    'SalesVatCode char(3)': ({ rateClass }) =>
      rateClass === 'reduced' ? '1' : rateClass === 'zero' ? '0' : '3',
    'PurchaseVatCode char(3)': '3',
    'SalesPackagePrice float': ({ price }) => price,
    'CostPriceStandard float': ({ cost }) => cost,
    'GLAccountDistribution char(9)': '   700000',
    'Assortment int': 1,
    'NetWeight float': 12,
    'IntrastatNumber nvarchar(8), BarCode nvarchar(30)': null,
    ...stamps,
  }),
  ItemAssortment: {
    columns: '*Assortment int, Description nvarchar(60)',
    rows: [[1, 'Pompen en toebehoren']],
  },
  ItemUnits: tableOf(Object.values(units), {
    '*unitcode nvarchar(8)': (unit) => unit,
    'Description nvarchar(60)': (unit) => unit,
  }),
  staffl: tableOf(goods, {
    '*ID int': ({ id }) => id,
    'artcode char(30)': ({ code }) => code,
    'prijslijst char(15)': 'SALESPRICE',
    'bedr1 float, prijs83 float': ({ price }) => price,
    'aantal1 float': 1,
    'accountid uniqueidentifier': null,
    'validfrom datetime': midnight('2026-01-01'),
  }),
  voorrd: tableOf(
    goods.filter(({ isService }) => !isService),
    {
      '*ID int': ({ id }) => id,
      'artcode char(30)': ({ code }) => code,
      'magcode char(4)': '1',
      'voorraad float, best_niv float': 25,
    },
  ),
  magaz: { columns: '*magcode char(4), oms25_0 nvarchar(60)', rows: [['1', 'Magazijn Heist']] },
  absences: tableOf(printed.slice(0, 14), {
    '*ID uniqueidentifier': guid('absences'),
    'HID int': ({ id }) => id,
    'Type int': 52,
    'Description nvarchar(100)': ({ buyer }) => `Opvolging ${buyer.name}`,
    'CustomerID uniqueidentifier': ({ buyer }) => hyphenKey('cicmpy', buyer.id),
    'StartDate datetime': ({ date }) => midnight(date),
    'Status int': 4,
  }),
  DDTests: {
    columns: '*ID int, TableName nvarchar(30), FieldName nvarchar(30), Description nvarchar(60)',
    rows: [
      [1, 'frhkrg', 'fak_soort', 'V: Factuur, C: Creditnota'],
      [2, 'orkrg', 'ord_soort', 'V: Verkoop, B: Aankoop'],
    ],
  },
};

/**
 * Exact Globe, at a firm in Belgium: names in Dutch cut short, numbers padded with blanks at the left, by which documents are joined
 * to their lines and debtors; what is printed goes to a history, what waits stays in tables of the same form; the day due is in the
 * bank's transactions and the ledger; no key is declared. Names after entity classes of databases published on GitHub (frhkrg,
 * frhsrg, cicmpy, cicntp, btwtrs; of cicmpy and cicntp most fields that are free were left out); the other tables, the
 * letters of the kinds and what each of the totals stands for from memory.
 */
export const paddedDebtors: Layout = {
  name: 'padded-debtors',
  isHeldOut: true,
  hasDiscounts: true,
  netPrice: 'frhsrg.prijs_n',
  tables: { ...stock, ...ledger, ...relations, ...sold },
  sections: {
    header: { table: 'frhkrg', key: 'ID', match: 'faknr', where: { fak_soort: 'V' } },
    lines: { table: 'frhsrg', key: 'ID', match: 'faknr', matchFrom: 'faknr' },
    customer: { table: 'cicmpy', key: 'cmp_wwn', match: 'debnr', matchFrom: 'fakdebnr' },
  },
  fields: {
    number: 'frhkrg.faknr|frhsrg.faknr|gbkmut.bkstnr|gbkmut.faknr|BankTransactions.InvoiceNumber',
    issue_date:
      'frhkrg.fakdat|frhsrg.fakdat|gbkmut.docdate|gbkmut.datum|BankTransactions.InvoiceDate',
    due_date: 'BankTransactions.DueDate|gbkmut.vervdatfak',
    'delivery.date': 'frhkrg.afldat|frhkrg.pakbon_dat|frhsrg.afldat|frhsrg.pakbon_dat',
    currency:
      'frhkrg.valcode|valuta.valcode|gbkmut.valcode|BankTransactions.TCCode|cicmpy.Currency',
    'exchange_rate.rate':
      'frhkrg.koers|frhsrg.koers|gbkmut.koers|BankTransactions.ExchangeRate|orkrg.koers|rates.rate_exchange',
    purchase_order: 'frhkrg.refer|orkrg.refer',
    buyer_reference: 'frhkrg.refer|orkrg.refer|frhkrg.inv_contactperson',
    'notes[]': 'frhkrg.refer1',
    'payment_terms[].note':
      'betcd.oms30_0|betcd.oms30_1|frhkrg.betcond!map|betcd.bet_dagen|BankTransactions.PaymentDays',
    'payment_means[].code':
      'frhkrg.paymentmethod!map|cicmpy.PaymentMethod!map|BankTransactions.PaymentMethod!map',
    'totals.lines': 'frhkrg.tot_bdrbvv',
    'totals.net': 'frhkrg.tot_bdrbvv',
    'totals.tax': 'frhkrg.tot_bdr_vv!subtract',
    'totals.gross': 'frhkrg.tot_bdr_vv|frhkrg.bdr_val|BankTransactions.AmountTC',
    'totals.due': 'frhkrg.tot_bdr_vv|frhkrg.bdr_val|BankTransactions.AmountTC',
    'accounting.totals.gross': 'frhkrg.tot_bdr|BankTransactions.AmountDC',
    'seller.name': 'bedryf.bedrnm',
    'seller.trn': 'bedryf.btw_nummer',
    'seller.registration_id': 'bedryf.kvk_nummer',
    'seller.address.line1': 'bedryf.adres1',
    'seller.address.city': 'bedryf.woonpl',
    'seller.address.post_code': 'bedryf.postcode',
    'seller.address.country': 'bedryf.landcode',
    'seller.contact.phone': 'bedryf.telnr|humres.telnr_werk',
    'seller.contact.email': 'bedryf.email|humres.mail',
    'seller.contact.name': 'humres.fullname',
    'buyer.name': 'frhkrg.inv_debtor_name|cicmpy.cmp_name',
    'buyer.trn': 'cicmpy.VatNumber',
    'PINT-MY:buyer.identifiers[].id': 'cicmpy.VatNumber|cicmpy.ChamberOfCommerce|cicmpy.FiscalCode',
    'buyer.registration_id': 'cicmpy.ChamberOfCommerce|cicmpy.FiscalCode',
    'buyer.address.line1': 'frhkrg.inv_AddressLine1|cicmpy.cmp_fadd1',
    'buyer.address.line2': 'frhkrg.inv_AddressLine2|cicmpy.cmp_fadd2',
    'buyer.address.city': 'frhkrg.inv_City|cicmpy.cmp_fcity',
    'buyer.address.post_code': 'frhkrg.inv_PostCode|cicmpy.cmp_fpc',
    'buyer.address.subdivision': 'frhkrg.inv_StateCode|cicmpy.StateCode',
    'buyer.address.country':
      'frhkrg.inv_landcode|cicmpy.cmp_fctry|cicmpy.ISOCountry|land.landcode|land.iso3!map|land.oms60_0!map',
    'buyer.contact.name':
      'frhkrg.inv_contactperson|cicntp.FullName|cicntp.cnt_f_name!concat|cicntp.cnt_l_name!concat',
    'buyer.contact.phone': 'frhkrg.inv_Phone|cicmpy.cmp_tel|cicntp.cnt_f_tel',
    'buyer.contact.email': 'frhkrg.inv_contactemail|cicmpy.cmp_e_mail|cicntp.cnt_email',
    'lines[].id': 'frhsrg.regel|frhsrg.ID',
    'lines[].sku': 'frhsrg.artcode|Items.ItemCode',
    'lines[].name': 'frhsrg.oms45|Items.Description|Items.Description_0',
    'lines[].description': 'frhsrg.oms45|Items.Description|Items.Description_0|Items.Description_1',
    'lines[].qty': 'frhsrg.esr_aantal',
    'lines[].unit':
      'frhsrg.unitcode!map|Items.PackageDescription!map|ItemUnits.unitcode!map|ItemUnits.Description!map',
    'lines[].unit_price': 'frhsrg.prijs83|frhsrg.prijs_n',
    'lines[].gross_price': 'frhsrg.prijs83',
    'lines[].allowances[].percent': 'frhsrg.korting',
    'lines[].allowances[].amount': 'frhsrg.bdr_d_ev_val',
    'lines[].net': 'frhsrg.bdr_ev_ed_val',
    'lines[].accounting.tax_totals[].amount': 'frhsrg.bdr_vat_val|frhsrg.tax_amount1',
    'lines[].tax.rate': 'btwtrs.btwper|btwtrs.btwoms!split,substring,map,decimal',
    'lines[].tax.category':
      'frhsrg.btw_code!map|btwtrs.btwper!map|btwtrs.btwtrans!map|btwtrs.oms30_0!map|btwtrs.oms30_1!map|btwtrs.btwoms!map|' +
      'Items.SalesVatCode!map',
  },
};
