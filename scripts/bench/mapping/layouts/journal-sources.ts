import {
  type Buyer,
  cents,
  countries,
  type Good,
  ratesOf,
  type SalesDocument,
  type SoldLine,
  total,
  tradeOf,
} from './enterprise-trade.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { tableOf } from './tables.ts';

const { documents, buyers, goods } = tradeOf({
  home: 'DE',
  seed: 83_777,
  documents: 156,
  currency: 'EUR',
  exchanges: { USD: 0.92 },
  rates: { standard: 19, middle: 19, reduced: 7, zero: 0 },
  taxOf: 'rate',
});

/** Offer, delivery, invoice, purchase, order of a customer, and an invoice that is still being written. */
const sources = { offer: 1, delivery: 2, invoice: 3, purchase: 5, order: 8, unfinished: 13 };
interface Entry {
  readonly one: SalesDocument;
  readonly id: number;
  readonly source: number;
  readonly sign: 1 | -1;
}
const entriesOf = (all: readonly SalesDocument[], source: number, shift: number) =>
  all.map(
    (one): Entry => ({ one, id: one.id + shift, source, sign: one.kind === 'credit' ? -1 : 1 }),
  );
const finished = documents.filter(({ state }) => state !== 'draft');
const invoices = finished.filter(({ kind }) => kind === 'invoice');
const entries: readonly Entry[] = [
  ...entriesOf(invoices.slice(0, 38), sources.offer, 1000),
  ...entriesOf(invoices.slice(20, 64), sources.order, 2000),
  ...entriesOf(invoices.slice(20, 90), sources.delivery, 3000),
  ...entriesOf(finished, sources.invoice, 4000),
  ...entriesOf(
    documents.filter(({ state }) => state === 'draft'),
    sources.unfinished,
    4000,
  ),
  ...entriesOf(invoices.slice(5, 30), sources.purchase, 6000),
];

/** Each document has four rates, of which a line names one by its number; the last is not used. */
const rates = [0, 19, 7, 0] as const;
const codeOf = ({ rate }: SoldLine) => rates.indexOf(rate as 0 | 7 | 19);
const partOf = ({ one, sign }: Entry, code: number) => {
  const part = code === 3 ? undefined : ratesOf(one.lines).find(({ rate }) => rate === rates[code]);
  const net = sign * (part?.base ?? 0);
  const tax = sign * (part?.tax ?? 0);
  return { net, tax, gross: cents(net + tax) };
};
const sum = ({ one, sign }: Entry) => ({
  net: sign * one.net,
  tax: sign * one.tax,
  gross: sign * one.gross,
});
const symbols: Readonly<Record<string, string>> = { EUR: '€', USD: '$' };
const customerNumber = ({ id }: Buyer) => String(10_000 + id);
const prefixes: Readonly<Record<number, string>> = {
  1: 'AG',
  2: 'LS',
  3: 'RE',
  5: 'EK',
  8: 'AB',
  13: 'EDI',
};
const numberOf = ({ one, source }: Entry) =>
  source === sources.unfinished
    ? `EDI-${one.id}`
    : `${prefixes[source]}-2026${String(one.id).padStart(5, '0')}`;
/** Open, reminded, paid or cancelled. */
const stageOf = ({ one, source }: Entry) => {
  if (source !== sources.invoice) return source === sources.unfinished ? 0 : 20;
  if (one.state === 'cancelled') return 127;
  if (one.isPaid) return 90;
  return one.id % 9 === 2 ? 31 : 22;
};
const isPaid = ({ one, source }: Entry) => source === sources.invoice && one.isPaid;
const units: Readonly<Record<Good['unit'], string>> = {
  piece: 'Stk',
  hour: 'Std',
  metre: 'm',
  kilogram: 'kg',
  box: 'Pkg',
  litre: 'l',
};
const kindOf = ({ isService, unit }: Good) => (isService ? (unit === 'hour' ? 'L' : 'N') : 'S');
const wayToPay = ({ id }: SalesDocument) => (id % 4) + 1;
const manager = 'Anke';
const worth = ({ one, sign }: Entry) =>
  sign * total(one.lines.map(({ quantity, good }) => cents(quantity * good.cost)));

const positions = entries.flatMap((entry) => [
  ...entry.one.lines.map((line) => ({ entry, line, isText: false })),
  ...(entry.one.note === null
    ? []
    : [{ entry, line: entry.one.lines[0]!, isText: true as boolean }]),
]);

const journal: Readonly<Record<string, LayoutTable>> = {
  JOURNAL: tableOf(entries, {
    'TERM_ID int': 1,
    '*REC_ID int': ({ id }) => id,
    'QUELLE tinyint': ({ source }) => source,
    'QUELLE_SUB tinyint': 1,
    'ADDR_ID int': ({ one, source }) => (source === sources.purchase ? 91 : one.buyer.id),
    'LIEF_ADDR_ID int': -1,
    'ASP_ID int': ({ one }) => one.buyer.id + 200,
    'PROJEKT_ID int, KFZ_ID int': -1,
    'VERTRETER_ID int': ({ one }) => (one.id % 2) + 1,
    'GLOBRABATT float': 0,
    'ADATUM date, RDATUM date': ({ one }) => one.date,
    'LDATUM date': ({ one }) => one.delivered,
    'TERMIN date': null,
    'VRENUM varchar(20)': numberOf,
    'VLSNUM varchar(20)': ({ one }) => `LS-2026${String(one.id).padStart(5, '0')}`,
    'FOLGENR int, KM_STAND int': -1,
    'PR_EBENE tinyint': 5,
    'LIEFART tinyint': 1,
    'ZAHLART tinyint': ({ one }) => wayToPay(one),
    'GEWICHT float': ({ one }) => one.lines.length * 3.5,
    'KOST_NETTO decimal': worth,
    'WERT_NETTO decimal': (entry) => sum(entry).net,
    'LOHN decimal': ({ one, sign }) =>
      sign * total(one.lines.map(({ good, net }) => (kindOf(good) === 'L' ? net : 0))),
    'WARE decimal': ({ one, sign }) =>
      sign * total(one.lines.map(({ good, net }) => (kindOf(good) === 'L' ? 0 : net))),
    'TKOST decimal': 0,
    'ROHGEWINN decimal': (entry) => cents(sum(entry).net - worth(entry)),
    'MWST_0 float': rates[0],
    'MWST_1 float': rates[1],
    'MWST_2 float': rates[2],
    'MWST_3 float': rates[3],
    'NSUMME_0 decimal': (entry) => partOf(entry, 0).net,
    'NSUMME_1 decimal': (entry) => partOf(entry, 1).net,
    'NSUMME_2 decimal': (entry) => partOf(entry, 2).net,
    'NSUMME_3 decimal': 0,
    'NSUMME decimal': (entry) => sum(entry).net,
    'MSUMME_0 decimal': 0,
    'MSUMME_1 decimal': (entry) => partOf(entry, 1).tax,
    'MSUMME_2 decimal': (entry) => partOf(entry, 2).tax,
    'MSUMME_3 decimal': 0,
    'MSUMME decimal': (entry) => sum(entry).tax,
    'BSUMME_0 decimal': (entry) => partOf(entry, 0).gross,
    'BSUMME_1 decimal': (entry) => partOf(entry, 1).gross,
    'BSUMME_2 decimal': (entry) => partOf(entry, 2).gross,
    'BSUMME_3 decimal': 0,
    'BSUMME decimal': (entry) => sum(entry).gross,
    'ATSUMME decimal, ATMSUMME decimal, PROVIS_WERT decimal': 0,
    'WAEHRUNG varchar(5)': ({ one }) => symbols[one.currency]!,
    'KURS decimal': ({ one }) => one.exchange,
    'GEGENKONTO int': ({ one }) => 10_000 + one.buyer.id,
    'SOLL_STAGE tinyint': 0,
    'SOLL_SKONTO float': 0,
    'SOLL_NTAGE tinyint': ({ one }) => one.days,
    'SOLL_RATEN tinyint': 1,
    'SOLL_RATBETR decimal': 0,
    'SOLL_RATINTERVALL tinyint': 0,
    'IST_ANZAHLUNG decimal, IST_SKONTO decimal': 0,
    'IST_ZAHLDAT date': (entry) => (isPaid(entry) ? entry.one.due : null),
    'IST_BETRAG decimal': (entry) => (isPaid(entry) ? sum(entry).gross : 0),
    'MAHNKOSTEN decimal': 0,
    'MAHNSTUFE tinyint': (entry) => (stageOf(entry) === 31 ? 1 : 0),
    'MAHNDATUM date': (entry) => (stageOf(entry) === 31 ? entry.one.due : null),
    'MAHNPRINT tinyint': 0,
    'KONTOAUSZUG int, BANK_ID int': -1,
    'STADIUM tinyint': stageOf,
    'POS_TA_ID int': -1,
    'ERSTELLT date': ({ one }) => one.date,
    'ERST_NAME varchar(20)': manager,
    'KUN_NUM varchar(20)': ({ one }) => customerNumber(one.buyer),
    'KUN_ANREDE varchar(40)': 'Firma',
    'KUN_NAME1 varchar(40)': ({ one, source }) =>
      source === sources.purchase ? 'Pumpenwerk Oschersleben AG' : one.buyer.name,
    'KUN_NAME2 varchar(40)': ({ one }) => one.buyer.street2 ?? '',
    'KUN_NAME3 varchar(40), KUN_ABTEILUNG varchar(40)': '',
    'KUN_STRASSE varchar(40)': ({ one }) => one.buyer.street,
    'KUN_LAND varchar(5)': ({ one }) => one.buyer.country,
    'KUN_PLZ varchar(10)': ({ one }) => one.buyer.zip,
    'KUN_ORT varchar(40)': ({ one }) => one.buyer.city,
    'USR1 varchar(80), USR2 varchar(80)': '',
    'KOPFTEXT text, FUSSTEXT text': null,
    'PROJEKT varchar(80)': ({ one }) => (one.id % 7 === 3 ? 'Umbau Halle 2' : ''),
    'ORGNUM varchar(20)': ({ one }) => one.order ?? '',
    'BEST_NAME varchar(40)': ({ one }) => (one.order === null ? '' : one.buyer.last),
    'BEST_CODE tinyint': 0,
    'BEST_DATUM date': null,
    'INFO text': ({ one }) => one.note,
    'UW_NUM int': -1,
    'FREIGABE1_FLAG char(1)': 'N',
    'PRINT_FLAG char(1)': ({ source }) => (source === sources.unfinished ? 'N' : 'Y'),
    'BRUTTO_FLAG char(1)': 'N',
    'MWST_FREI_FLAG char(1)': ({ one }) => (one.buyer.isHome ? 'N' : 'Y'),
    'PROVIS_BERECHNET char(1)': 'N',
    'SHOP_ID tinyint': -1,
    'SHOP_ORDERID int': -1,
    'SHOP_STATUS tinyint': 0,
    'SHOP_CHANGE_FLAG char(1)': 'N',
    'AUSLAND_TYP char(1)': ({ one }) => (one.buyer.isHome ? 'I' : 'A'),
  }),
  JOURNALPOS: tableOf(positions, {
    '*REC_ID int': (_row, index) => index + 20_001,
    'QUELLE tinyint': ({ entry }) => entry.source,
    'QUELLE_SUB tinyint': 1,
    'QUELLE_SRC int': -1,
    'JOURNAL_ID int': ({ entry }) => entry.id,
    'PROJEKT varchar(80)': '',
    'WARENGRUPPE int': ({ line }) => (line.good.isService ? 2 : 1),
    'ARTIKELTYP char(1)': ({ line, isText }) => (isText ? 'T' : kindOf(line.good)),
    'ARTIKEL_ID int': ({ line, isText }) => (isText ? -99 : line.good.id),
    'TOP_POS_ID int': -1,
    'ADDR_ID int': ({ entry }) => entry.one.buyer.id,
    'LTERMIN date': null,
    'ATRNUM int': ({ entry }) => entry.one.id,
    'VRENUM varchar(20)': ({ entry }) => numberOf(entry),
    'VLSNUM varchar(20)': '',
    'POSITION int': ({ entry, line, isText }) =>
      isText ? entry.one.lines.length + 1 : line.position,
    'VIEW_POS char(3)': ({ line, isText }) => (isText ? '' : String(line.position)),
    'MATCHCODE varchar(20)': ({ line, isText }) =>
      isText ? '' : line.good.name.slice(0, 20).toUpperCase(),
    'ARTNUM varchar(20)': ({ line, isText }) => (isText ? '' : line.good.code),
    'BARCODE varchar(20)': '',
    'MENGE decimal': ({ entry, line, isText }) => (isText ? 0 : entry.sign * line.quantity),
    'LAENGE varchar(20), BREITE varchar(20), HOEHE varchar(20), GROESSE varchar(20)': '',
    'DIMENSION varchar(20)': '',
    'GEWICHT float': 3.5,
    'ME_EINHEIT varchar(10)': ({ line, isText }) => (isText ? '' : units[line.good.unit]),
    'PR_EINHEIT decimal': 1,
    'VPE int': 1,
    'EPREIS decimal': ({ line, isText }) => (isText ? 0 : line.price),
    'GPREIS decimal': ({ entry, line, isText }) => (isText ? 0 : entry.sign * line.net),
    'E_RGEWINN decimal': ({ line, isText }) => (isText ? 0 : cents(line.price - line.good.cost)),
    'G_RGEWINN decimal': ({ entry, line, isText }) =>
      isText ? 0 : cents(entry.sign * (line.net - line.quantity * line.good.cost)),
    'RABATT float': ({ line, isText }) => (isText ? 0 : line.discount),
    'RABATT2 float, RABATT3 float': 0,
    'E_RABATT_BETRAG decimal': ({ line, isText }) =>
      isText ? 0 : Math.round(line.price * line.discount * 100) / 10_000,
    'G_RABATT_BETRAG decimal': ({ entry, line, isText }) =>
      isText ? 0 : entry.sign * cents(line.quantity * line.price - line.net),
    'STEUER_CODE tinyint': ({ line, isText }) => (isText ? 0 : codeOf(line)),
    'ALTTEIL_PROZ float, ALTTEIL_STCODE tinyint, PROVIS_PROZ float, PROVIS_WERT decimal': 0,
    'EK_PREIS decimal': ({ line, isText }) => (isText ? 0 : line.good.cost),
    'CALC_FAKTOR decimal': 1,
    'GEBUCHT char(1)': 'Y',
    'GEGENKONTO int': ({ line }) => [8120, 8400, 8300][codeOf(line)]!,
    'SN_FLAG char(1), ALTTEIL_FLAG char(1), BEZ_FEST_FLAG char(1)': 'N',
    'BRUTTO_FLAG char(1), NO_RABATT_FLAG char(1)': 'N',
    'BEZEICHNUNG text': ({ entry, line, isText }) => (isText ? entry.one.note : line.good.name),
  }),
  ZAHLUNGEN: tableOf(entries.filter(isPaid), {
    '*REC_ID int': (_row, index) => index + 1,
    'BUCHUNGSTYP tinyint': 1,
    'JOURNAL_ID int': ({ id }) => id,
    'ADDR_ID int': ({ one }) => one.buyer.id,
    'QUELLE tinyint': sources.invoice,
    'BELEGNUM varchar(20)': numberOf,
    'DATUM date': ({ one }) => one.due,
    'WAEHRUNG varchar(5)': ({ one }) => symbols[one.currency]!,
    'BETRAG decimal': (entry) => sum(entry).gross,
    'SKONTO_BETRAG decimal': 0,
    'SKONTO_PROZ float': 0,
    'ZAHLART tinyint': ({ one }) => wayToPay(one),
    'GEBUCHT char(1)': 'Y',
    'VERW_ZWECK varchar(80)': (entry) => numberOf(entry),
  }),
  FIBU_KASSE: tableOf(invoices.slice(0, 12), {
    '*REC_ID int': (_row, index) => index + 1,
    'JAHR int': 2026,
    'BDATUM date': ({ date }) => date,
    'QUELLE tinyint': 99,
    'JOURNAL_ID int': -1,
    'ZU_ABGANG decimal': ({ id }) => -id,
    'BTXT varchar(80)': 'Porto',
    'BELEGNUM varchar(20)': ({ id }) => `K${id}`,
    'GKONTO int': 4910,
  }),
};

const supplier = {
  id: 91,
  name: 'Pumpenwerk Oschersleben AG',
  street: 'Anderslebener Straße 3',
  zip: '39387',
  city: 'Oschersleben',
};
const addresses = [
  ...buyers.map((one) => ({ ...one, creditor: -1 })),
  {
    ...buyers[0]!,
    ...supplier,
    taxNumber: 'DE188776655',
    phone: '+49 3949 9200',
    email: 'auftrag@pwo.example',
    creditor: 70_001,
  },
];
const relations: Readonly<Record<string, LayoutTable>> = {
  ADRESSEN: tableOf(addresses, {
    '*REC_ID int': ({ id }) => id,
    'MATCHCODE varchar(255)': ({ name }) => name.toUpperCase(),
    'KUNDENGRUPPE tinyint': ({ creditor }) => (creditor > 0 ? 2 : 1),
    'SPRACH_ID tinyint': 2,
    'GESCHLECHT char(1)': 'F',
    'KUNNUM1 varchar(20)': (one) => customerNumber(one),
    'KUNNUM2 varchar(20)': '',
    'NAME1 varchar(40)': ({ name }) => name,
    'PLZ varchar(10)': ({ zip }) => zip,
    'ORT varchar(40)': ({ city }) => city,
    'LAND varchar(5)': ({ country }) => country,
    'NAME2 varchar(40)': ({ street2 }) => street2 ?? '',
    'NAME3 varchar(40), ABTEILUNG varchar(40)': '',
    'ANREDE varchar(40)': 'Firma',
    'STRASSE varchar(40)': ({ street }) => street,
    'POSTFACH varchar(40), PF_PLZ varchar(10)': null,
    'DEFAULT_LIEFANSCHRIFT_ID int': -1,
    'GRUPPE varchar(4)': null,
    'TELE1 varchar(100)': ({ phone }) => phone ?? '',
    'TELE2 varchar(100), FAX varchar(100), FUNK varchar(100)': '',
    'EMAIL varchar(100)': ({ email }) => email ?? '',
    'EMAIL2 varchar(100), INTERNET varchar(100), DIVERSES varchar(100)': '',
    'BRIEFANREDE varchar(100)': 'Sehr geehrte Damen und Herren,',
    'BLZ varchar(20), KTO varchar(20), BANK varchar(40), IBAN varchar(100), SWIFT varchar(100)': '',
    'KTO_INHABER varchar(40)': '',
    'DEB_NUM int': ({ id, creditor }) => (creditor > 0 ? -1 : 10_000 + id),
    'KRD_NUM int': ({ creditor }) => creditor,
    'STATUS int': 0,
    'NET_SKONTO float': 0,
    'NET_TAGE tinyint': 0,
    'BRT_TAGE tinyint': 30,
    'WAEHRUNG varchar(5)': ({ currency }) => symbols[currency]!,
    'UST_NUM varchar(25)': ({ taxNumber }) => taxNumber ?? '',
    'VERTRETER_ID int': 1,
    'PROVIS_PROZ float': 0,
    'INFO text': null,
    'GRABATT float': 0,
    'KUN_KRDLIMIT decimal': 5000,
    'KUN_LIEFART int, KUN_ZAHLART int': 1,
    'KUN_PRLISTE char(1), KUN_LIEFSPERRE char(1)': 'N',
    'LIEF_LIEFART int, LIEF_ZAHLART int': -1,
    'LIEF_PRLISTE char(1), LIEF_TKOSTEN decimal, LIEF_MBWERT decimal': 0,
    'PR_EBENE tinyint': 5,
    'BRUTTO_FLAG char(1)': 'N',
    'MWST_FREI_FLAG char(1)': ({ isHome }) => (isHome ? 'N' : 'Y'),
    'KUNPREIS_AUTO char(1)': 'N',
    'KUN_SEIT date': '2021-05-01',
    'KUN_GEBDATUM date': null,
    'ENTFERNUNG int': 0,
    'ERSTELLT date': '2021-05-01',
    'ERST_NAME varchar(20)': manager,
    'GEAEND date': null,
    'GEAEND_NAME varchar(20)': null,
    'SHOP_KUNDE char(1), SHOP_NEWSLETTER char(1)': 'N',
    'SHOP_ID tinyint, SHOP_KUNDE_ID int': -1,
    'USERFELD_01 varchar(255)': ({ register }) => register ?? '',
    'USERFELD_02 varchar(255), USERFELD_03 varchar(255)': '',
  }),
  ADRESSEN_ASP: tableOf(buyers, {
    '*REC_ID int': ({ id }) => id + 200,
    'ADDR_ID int': ({ id }) => id,
    'NAME varchar(40)': ({ last }) => last,
    'VORNAME varchar(40)': ({ first }) => first,
    'ANREDE varchar(40)': '',
    'STRASSE varchar(40), LAND varchar(5), PLZ varchar(10), ORT varchar(40)': '',
    'FUNKTION varchar(40)': 'Einkauf',
    'TELEFON varchar(40)': ({ phone }) => phone ?? '',
    'TELEFAX varchar(40), MOBILFUNK varchar(40)': '',
    'EMAIL1 varchar(100)': ({ email }) => email ?? '',
    'EMAIL2 varchar(100)': '',
    'GEBDATUM date': null,
    'INFO text': null,
  }),
  ADRESSEN_LIEF: tableOf(
    buyers.filter(({ id }) => id % 5 === 0),
    {
      '*REC_ID int': ({ id }) => id + 400,
      'ADDR_ID int': ({ id }) => id,
      'ANREDE varchar(40)': 'Firma',
      'NAME1 varchar(40)': ({ name }) => name,
      'NAME2 varchar(40), NAME3 varchar(40), ABTEILUNG varchar(40)': 'Lager',
      'STRASSE varchar(40)': 'Lagerstraße 1',
      'LAND varchar(5)': ({ country }) => country,
      'PLZ varchar(10)': ({ zip }) => zip,
      'ORT varchar(40)': ({ city }) => city,
    },
  ),
  ADRESSEN_MERK: {
    columns: '*MERKMAL_ID int, NAME varchar(40)',
    rows: [
      [1, 'Weihnachtskarte'],
      [2, 'Zahlt spät'],
    ],
  },
  LAND: tableOf(countries, {
    '*ID varchar(2)': ({ two }) => two,
    'NAME varchar(100)': ({ name, two }) => (two === 'DE' ? 'Deutschland' : name),
    'ISO_CODE_3 varchar(3)': ({ three }) => three,
    'POST_CODE varchar(6)': ({ two }) => two,
    'FORMAT tinyint': 1,
    'VORWAHL varchar(10)': '',
    'WAEHRUNG varchar(5)': '',
    'SPRACHE varchar(3)': 'D',
  }),
  VERTRETER: {
    columns:
      '*VERTRETER_ID int, VERTR_NUMMER varchar(10), VNAME varchar(20), NAME varchar(20), ORT varchar(40), TELEFON varchar(100), EMAIL varchar(100), PROVISIONSATZ float',
    rows: [
      [1, '1', 'Ralf', 'Bode', 'Kassel', '+49 561 40077', 'bode@rohrundpumpe.example', 3],
      [2, '2', 'Dilek', 'Aydın', 'Kassel', '+49 561 40078', 'aydin@rohrundpumpe.example', 3],
    ],
  },
  MITARBEITER: {
    columns:
      '*MA_ID int, MA_NUMMER varchar(10), NAME varchar(20), VNAME varchar(20), LOGIN_NAME varchar(50), ANZEIGE_NAME varchar(40), STRASSE varchar(40), ORT varchar(40), TELEFON varchar(100), EMAIL varchar(100), BESCHAEFTIGT date',
    rows: [
      [
        1,
        '1',
        'Lorenz',
        'Anke',
        'anke',
        'Anke Lorenz',
        '',
        'Kassel',
        '',
        'anke@rohrundpumpe.example',
        '2019-01-01',
      ],
    ],
  },
  FIRMA: {
    columns:
      '*REC_ID int, ANREDE varchar(250), NAME1 varchar(250), NAME2 varchar(250), NAME3 varchar(250), STRASSE varchar(250), LAND varchar(10), PLZ varchar(10), ORT varchar(250), VORWAHL varchar(250), TELEFON1 varchar(250), TELEFON2 varchar(250), MOBILFUNK varchar(250), FAX varchar(250), EMAIL varchar(250), WEBSEITE varchar(250), BANK1_NAME varchar(250), BANK1_IBAN varchar(100), BANK1_SWIFT varchar(100), BANK2_NAME varchar(250), BANK2_IBAN varchar(100), KOPFTEXT text, FUSSTEXT text, ABSENDER varchar(250), STEUERNUMMER varchar(25), UST_ID varchar(25)',
    rows: [
      [
        1,
        'Firma',
        'Rohr & Pumpe Kassel GmbH',
        '',
        '',
        'Leipziger Straße 180',
        'DE',
        '34123',
        'Kassel',
        '0561',
        '+49 561 40070',
        '',
        '',
        '+49 561 40079',
        'info@rohrundpumpe.example',
        '',
        'Kasseler Sparkasse',
        'DE02520503530001234567',
        'HELADEF1KAS',
        '',
        '',
        null,
        'Geschäftsführer: Ralf Bode',
        'Rohr & Pumpe, 34123 Kassel',
        '026 245 33109',
        'DE113355779',
      ],
    ],
  },
};

const stock: Readonly<Record<string, LayoutTable>> = {
  ARTIKEL: tableOf(goods, {
    '*REC_ID int': ({ id }) => id,
    'ARTNUM varchar(20)': ({ code }) => code,
    'ERSATZ_ARTNUM varchar(20)': '',
    'MATCHCODE varchar(255)': ({ name }) => name.toUpperCase(),
    'WARENGRUPPE int': ({ isService }) => (isService ? 2 : 1),
    'RABGRP_ID varchar(10)': '-',
    'BARCODE varchar(20)': '',
    'ARTIKELTYP char(1)': kindOf,
    'KURZNAME varchar(80)': ({ name }) => name,
    'LANGNAME text': ({ text }) => text,
    'KAS_NAME varchar(80), INFO text': null,
    'ME_EINHEIT varchar(10)': ({ unit }) => units[unit],
    'PR_EINHEIT decimal': 1,
    'LAENGE varchar(20), GROESSE varchar(20), DIMENSION varchar(20)': '',
    'GEWICHT float': 3.5,
    'INVENTUR_WERT float': 100,
    'EK_PREIS decimal': ({ cost }) => cost,
    'VK1 decimal, VK2 decimal, VK3 decimal, VK4 decimal, VK5 decimal': ({ price }) => price,
    'VK1B decimal, VK5B decimal': ({ price }) => cents(price * 1.19),
    'PROVIS_PROZ float': 0,
    'STEUER_CODE tinyint': ({ rateClass }) =>
      rateClass === 'zero' ? 0 : rateClass === 'reduced' ? 2 : 1,
    'MENGE_START float, MENGE_MIN float, MENGE_BVOR float': 0,
    'MENGE_AKT float': ({ isService }) => (isService ? 0 : 30),
    'LAGERORT varchar(20)': 'R1',
    'ERLOES_KTO int': 8400,
    'AUFW_KTO int': 3400,
    'HERKUNFTSLAND char(2)': 'DE',
    'HERSTELLER_ID int': 1,
    'HERST_ARTNUM varchar(100)': '',
    'ERSTELLT date': '2021-05-01',
    'SN_FLAG char(1), ALTTEIL_FLAG char(1), NO_VK_FLAG char(1)': 'N',
  }),
  ARTIKEL_PREIS: tableOf(goods, {
    '*ARTIKEL_ID int': ({ id }) => id,
    '*ADRESS_ID int': 91,
    '*PREIS_TYP tinyint': 5,
    'BESTNUM varchar(100)': ({ code }) => `P-${code}`,
    'PREIS decimal': ({ cost }) => cost,
    'MENGE2 int, PREIS2 decimal': 0,
    'GEAEND date': '2026-01-02',
  }),
  ARTIKEL_LTEXT: tableOf(goods.slice(0, 6), {
    '*ARTIKEL_ID int': ({ id }) => id,
    '*SPRACHE_ID int': 2,
    'LANGTEXT text': ({ text }) => text,
  }),
  WARENGRUPPEN: {
    columns:
      '*ID int, TOP_ID int, NAME varchar(250), BESCHREIBUNG text, DEF_EKTO int, DEF_AKTO int, STEUER_CODE tinyint',
    rows: [
      [1, -1, 'Pumpen und Zubehör', null, 8400, 3400, 1],
      [2, -1, 'Dienstleistungen', null, 8400, 3400, 1],
    ],
  },
  MENGENEINHEIT: tableOf(Object.values(units), {
    '*REC_ID int': (_unit, index) => index + 1,
    'BEZEICHNUNG varchar(10)': (unit) => unit,
  }),
  HERSTELLER: {
    columns: '*HERSTELLER_ID int, SHOP_ID tinyint, HERSTELLER_NAME varchar(32), ADDR_ID int',
    rows: [[1, -1, 'Pumpenwerk Oschersleben', 91]],
  },
  LAGER: {
    columns: '*LAGER_ID int, LAGER_NAME varchar(40), STANDARD char(1)',
    rows: [[1, 'Hauptlager', 'Y']],
  },
  RABATTGRUPPEN: {
    columns:
      '*RABGRP_ID varchar(10), *RABGRP_TYP tinyint, *MIN_MENGE int, LIEF_RABGRP int, RABATT1 float, RABATT2 float, RABATT3 float, BESCHREIBUNG text',
    rows: [['-', 0, 0, 0, 0, 0, 0, 'Kein Rabatt']],
  },
  EKBESTELL: tableOf(invoices.slice(5, 30), {
    '*REC_ID int': ({ id }) => id,
    'BELEGNUM varchar(20)': ({ id }) => `BE-2026${String(id).padStart(5, '0')}`,
    'ADDR_ID int': supplier.id,
    'BELEGDATUM date': ({ date }) => date,
    'MWST_0 float': 0,
    'MWST_1 float': 19,
    'NSUMME decimal': ({ net }) => cents(net * 0.6),
    'MSUMME decimal': ({ net }) => cents(net * 0.6 * 0.19),
    'BSUMME decimal': ({ net }) => cents(net * 0.6 + cents(net * 0.6 * 0.19)),
    'WAEHRUNG varchar(5)': '€',
    'KURS decimal': 1,
    'STADIUM tinyint': 20,
    'KUN_NAME1 varchar(40)': supplier.name,
    'KUN_STRASSE varchar(40)': supplier.street,
    'KUN_PLZ varchar(10)': supplier.zip,
    'KUN_ORT varchar(40)': supplier.city,
  }),
  EKBESTELL_POS: tableOf(invoices.slice(5, 30), {
    '*REC_ID int': ({ id }) => id,
    'EKBESTELL_ID int': ({ id }) => id,
    'ARTIKELTYP char(1)': 'S',
    'ARTIKEL_ID int': ({ lines }) => lines[0]!.good.id,
    'POSITION int': 1,
    'ARTNUM varchar(20)': ({ lines }) => lines[0]!.good.code,
    'MENGE decimal': 1,
    'ME_EINHEIT varchar(10)': ({ lines }) => units[lines[0]!.good.unit],
    'EPREIS decimal, GPREIS decimal': ({ net }) => cents(net * 0.6),
    'STEUER_CODE tinyint': 1,
    'BEZEICHNUNG text': ({ lines }) => lines[0]!.good.name,
  }),
};

const beside: Readonly<Record<string, LayoutTable>> = {
  ZAHLUNGSARTEN: {
    columns:
      '*REC_ID int, NAME varchar(40), TEXT_KURZ varchar(40), TEXT_LANG text, NETTO_TAGE int, SKONTO_PROZ float, AKTIV_FLAG char(1)',
    rows: [
      [1, 'Überweisung', 'Ueberw.', 'Zahlbar ohne Abzug', 30, 0, 'Y'],
      [2, 'Bar', 'Bar', 'Betrag dankend erhalten', 0, 0, 'Y'],
      [3, 'Lastschrift', 'Lasts.', 'Der Betrag wird abgebucht', 14, 0, 'Y'],
      [4, 'EC-Karte', 'EC', 'Mit Karte bezahlt', 0, 0, 'Y'],
    ],
  },
  LIEFERARTEN: {
    columns: '*REC_ID int, NAME varchar(40), TEXT_KURZ varchar(40), AKTIV_FLAG char(1)',
    rows: [[1, 'Spedition', 'Sped.', 'Y']],
  },
  WAEHRUNG: {
    columns: '*WAEHRUNG varchar(5), LANGBEZ varchar(20), FAKTOR decimal, UPDATE_DATUM date',
    rows: [
      ['€', 'Euro', 1, null],
      ['$', 'US-Dollar', 0.92, '2026-01-02'],
    ],
  },
  REGISTRY: {
    columns:
      '*MAINKEY varchar(255), *NAME varchar(100), VAL_CHAR varchar(255), VAL_INT int, VAL_DOUBLE decimal, VAL_TYP tinyint',
    rows: [
      ['MAIN\\MWST', '0', null, null, 0, 4],
      ['MAIN\\MWST', '1', null, null, 19, 4],
      ['MAIN\\MWST', '2', null, null, 7, 4],
      ['MAIN\\MWST', '3', null, null, 0, 4],
      ['MAIN\\NUMBERS', 'VK-RECH', '"RE-"YYYY00000', 157, null, 2],
      ['MAIN', 'LEITWAEHRUNG', '€', null, null, 1],
    ],
  },
  SPRACHEN: {
    columns: '*SPRACH_ID int, NAME varchar(32), CODE char(2), STANDARD char(1)',
    rows: [[2, 'Deutsch', 'de', 'Y']],
  },
  PLZ: {
    columns:
      '*LAND char(2), *PLZ varchar(10), *NAME varchar(50), VORWAHL varchar(12), BUNDESLAND varchar(2)',
    rows: [['DE', '34123', 'Kassel', '0561', 'HE']],
  },
  PIM_TERMINE: tableOf(invoices.slice(0, 8), {
    '*RECORDID int': ({ id }) => id,
    'STARTTIME datetime, ENDTIME datetime': ({ date }) => `${date} 09:00:00`,
    'DESCRIPTION varchar(255)': ({ buyer }) => `Besuch ${buyer.name}`,
    'ADDR_ID int': ({ buyer }) => buyer.id,
  }),
  SCHRIFTVERKEHR: tableOf(buyers.slice(0, 5), {
    '*ID int': ({ id }) => id,
    'BESCHREIBUNG varchar(100)': 'Angebot nachgefasst',
    'ADDR_ID int': ({ id }) => id,
    'ERSTELLT date': '2026-02-01',
  }),
  INFO: tableOf(invoices.slice(0, 5), {
    '*LFD_NR int': ({ id }) => id,
    'QUELLE tinyint': 1,
    'DATUM date, WV_DATUM date': ({ date }) => date,
    'ERST_VON varchar(20)': manager,
    'KURZTEXT varchar(255)': 'Rückruf',
  }),
  EXPORT: {
    columns: '*ID int, KURZBEZ varchar(50), INFO text, QUERY text',
    rows: [[1, 'Kundenliste', null, 'select NAME1 from ADRESSEN']],
  },
  UEBERWEISUNGEN: tableOf(invoices.slice(5, 12), {
    '*REC_ID int': ({ id }) => id,
    'EMPFAENGER varchar(40)': supplier.name,
    'IBAN varchar(40)': 'DE44810500000123456789',
    'BETRAG decimal': ({ net }) => cents(net * 0.6 * 1.19),
    'DATUM date': ({ due }) => due,
  }),
};

/**
 * CAO-Faktura of Germany: one journal for offers, orders, deliveries, invoices, purchases and what is being written, by a number
 * that nothing explains; four rates stand in each document, and a line names its own by another number; currencies are signs; texts
 * stand between the lines; what is given back is an invoice below zero; days instead of a day due; no key is declared. Columns of
 * the journal, its lines and purchases after forms and queries published on GitHub; addresses, goods, the firm, the lists
 * and what the numbers of sources and stages mean in part from memory.
 */
export const journalSources: Layout = {
  name: 'journal-sources',
  isHeldOut: true,
  hasDiscounts: true,
  tables: { ...beside, ...stock, ...relations, ...journal },
  sections: {
    header: { table: 'JOURNAL', key: 'REC_ID', match: 'VRENUM', where: { QUELLE: '3' } },
    lines: { table: 'JOURNALPOS', key: 'REC_ID', match: 'JOURNAL_ID', matchFrom: 'REC_ID' },
    customer: { table: 'ADRESSEN', key: 'REC_ID', match: 'REC_ID', matchFrom: 'ADDR_ID' },
  },
  fields: {
    number: 'JOURNAL.VRENUM|JOURNALPOS.VRENUM|ZAHLUNGEN.BELEGNUM',
    issue_date: 'JOURNAL.RDATUM|JOURNAL.ERSTELLT|JOURNAL.ADATUM',
    'delivery.date': 'JOURNAL.LDATUM',
    currency:
      'JOURNAL.WAEHRUNG!map|WAEHRUNG.WAEHRUNG!map|WAEHRUNG.LANGBEZ!map|ADRESSEN.WAEHRUNG!map',
    'exchange_rate.rate': 'JOURNAL.KURS|WAEHRUNG.FAKTOR',
    purchase_order: 'JOURNAL.ORGNUM',
    buyer_reference: 'JOURNAL.ORGNUM|JOURNAL.BEST_NAME|JOURNAL.PROJEKT',
    'notes[]': 'JOURNAL.INFO',
    'payment_terms[].note':
      'ZAHLUNGSARTEN.TEXT_LANG|ZAHLUNGSARTEN.NAME|ZAHLUNGSARTEN.TEXT_KURZ|JOURNAL.SOLL_NTAGE',
    'payment_means[].code':
      'JOURNAL.ZAHLART!map|ZAHLUNGSARTEN.NAME!map|ZAHLUNGSARTEN.TEXT_KURZ!map|ZAHLUNGSARTEN.REC_ID!map|ZAHLUNGSARTEN.TEXT_LANG!map',
    'totals.lines': 'JOURNAL.NSUMME|JOURNAL.WERT_NETTO',
    'totals.net': 'JOURNAL.NSUMME|JOURNAL.WERT_NETTO',
    'totals.tax': 'JOURNAL.MSUMME',
    'totals.gross': 'JOURNAL.BSUMME',
    'totals.due': 'JOURNAL.BSUMME',
    'seller.name': 'FIRMA.NAME1',
    'seller.trn': 'FIRMA.UST_ID|FIRMA.STEUERNUMMER',
    'seller.tin': 'FIRMA.STEUERNUMMER|FIRMA.UST_ID',
    'seller.address.line1': 'FIRMA.STRASSE',
    'seller.address.city': 'FIRMA.ORT',
    'seller.address.post_code': 'FIRMA.PLZ',
    'seller.address.country': 'FIRMA.LAND',
    'seller.contact.phone': 'FIRMA.TELEFON1',
    'seller.contact.email': 'FIRMA.EMAIL',
    'seller.contact.name':
      'MITARBEITER.ANZEIGE_NAME|MITARBEITER.NAME|VERTRETER.NAME|VERTRETER.VNAME|JOURNAL.ERST_NAME',
    'buyer.name': 'JOURNAL.KUN_NAME1|ADRESSEN.NAME1',
    'buyer.trn': 'ADRESSEN.UST_NUM',
    'PINT-MY:buyer.identifiers[].id': 'ADRESSEN.UST_NUM|ADRESSEN.USERFELD_01',
    'buyer.registration_id': 'ADRESSEN.USERFELD_01',
    'buyer.address.line1': 'JOURNAL.KUN_STRASSE|ADRESSEN.STRASSE',
    'buyer.address.line2': 'JOURNAL.KUN_NAME2|ADRESSEN.NAME2',
    'buyer.address.city': 'JOURNAL.KUN_ORT|ADRESSEN.ORT',
    'buyer.address.post_code': 'JOURNAL.KUN_PLZ|ADRESSEN.PLZ',
    'buyer.address.country':
      'JOURNAL.KUN_LAND|ADRESSEN.LAND|LAND.ID|LAND.ISO_CODE_3!map|LAND.NAME!map|LAND.POST_CODE',
    'buyer.contact.name': 'ADRESSEN_ASP.NAME|ADRESSEN_ASP.VORNAME!concat|JOURNAL.BEST_NAME',
    'buyer.contact.phone': 'ADRESSEN.TELE1|ADRESSEN_ASP.TELEFON',
    'buyer.contact.email': 'ADRESSEN.EMAIL|ADRESSEN_ASP.EMAIL1',
    'lines[].id': 'JOURNALPOS.POSITION|JOURNALPOS.VIEW_POS|JOURNALPOS.REC_ID',
    'lines[].sku': 'JOURNALPOS.ARTNUM|ARTIKEL.ARTNUM',
    'lines[].name': 'JOURNALPOS.BEZEICHNUNG|ARTIKEL.KURZNAME',
    'lines[].description': 'JOURNALPOS.BEZEICHNUNG|ARTIKEL.LANGNAME|ARTIKEL.KURZNAME',
    'lines[].qty': 'JOURNALPOS.MENGE',
    'lines[].unit':
      'JOURNALPOS.ME_EINHEIT!map|ARTIKEL.ME_EINHEIT!map|MENGENEINHEIT.BEZEICHNUNG!map',
    'lines[].unit_price': 'JOURNALPOS.EPREIS',
    'lines[].gross_price': 'JOURNALPOS.EPREIS',
    'lines[].allowances[].percent': 'JOURNALPOS.RABATT',
    'lines[].allowances[].amount': 'JOURNALPOS.G_RABATT_BETRAG',
    'lines[].net': 'JOURNALPOS.GPREIS',
    'lines[].tax.rate': 'JOURNALPOS.STEUER_CODE!map',
    'lines[].tax.category': 'JOURNALPOS.STEUER_CODE!map',
  },
};
