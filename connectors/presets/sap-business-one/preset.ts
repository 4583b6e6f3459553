import type { Preset } from '../contract.ts';

/** SAP Business One: a database for each company, a table for each kind of document. */
export const sapBusinessOne: Preset = {
  id: 'sap-business-one',
  title: 'SAP Business One',
  runsOn: ['mssql'],
  source: 'marciopintomotta/SAP-SQLServer: views/evo_powerbi_OINV.sql',
  fingerprint: ['OINV', 'INV1', 'OCRD'],
  tables: {
    OINV:
      '*DocEntry: integer, DocNum: integer, DocType: text, CANCELED: text, DocDate: timestamp, TaxDate: timestamp, ' +
      'DocDueDate: timestamp, CardCode: text, CardName: text, LicTradNum: text, NumAtCard: text, Comments: text, ' +
      'GroupNum: integer, DocCur: text, DocRate: decimal, DiscPrcnt: decimal, DiscSum: decimal, RoundDif: decimal, ' +
      'VatSum: decimal, VatSumFC: decimal, DocTotal: decimal, DocTotalFC: decimal, CreateDate: timestamp, ' +
      'UpdateDate: timestamp, UpdateTS: integer',
    INV1:
      '*DocEntry: integer, *LineNum: integer, VisOrder: integer, ItemCode: text, Dscription: text, Quantity: decimal, ' +
      'unitMsr: text, Price: decimal, Currency: text, DiscPrcnt: decimal, LineTotal: decimal, TotalFrgn: decimal, ' +
      'VatGroup: text, VatPrcnt: decimal, VatSum: decimal',
    INV12:
      '*DocEntry: integer, StreetB: text, CityB: text, CountryB: text, ZipCodeB: text, StreetS: text, CityS: text, ' +
      'CountryS: text, ZipCodeS: text',
    ORIN:
      '*DocEntry: integer, DocNum: integer, DocType: text, CANCELED: text, DocDate: timestamp, TaxDate: timestamp, ' +
      'DocDueDate: timestamp, CardCode: text, CardName: text, GroupNum: integer, DocCur: text, VatSum: decimal, ' +
      'DocTotal: decimal, UpdateDate: timestamp, UpdateTS: integer',
    RIN1:
      '*DocEntry: integer, *LineNum: integer, ItemCode: text, Dscription: text, Quantity: decimal, Price: decimal, ' +
      'LineTotal: decimal, VatGroup: text, VatPrcnt: decimal',
    RIN12: '*DocEntry: integer, StreetB: text, CityB: text, CountryB: text, ZipCodeB: text',
    OCRD:
      '*CardCode: text, CardName: text, CardFName: text, CardType: text, LicTradNum: text, VatIdUnCmp: text, ' +
      'ECVatGroup: text, E_Mail: text, Phone1: text',
    OVTG: '*Code: text, Name: text, Rate: decimal',
    OCTG: '*GroupNum: integer, PymntGroup: text',
    OADM: 'CompnyName: text, TaxIdNum: text',
  },
  versions: [{ version: '9 or later', has: [] }],
  sections: {
    header: { table: 'OINV', key: 'DocEntry', match: 'DocNum', where: { CANCELED: 'N' } },
    lines: {
      table: 'INV1',
      key: 'LineNum',
      match: 'DocEntry',
      matchFrom: 'DocEntry',
      orderBy: 'LineNum',
    },
    customer: { table: 'OCRD', key: 'CardCode', match: 'CardCode', matchFrom: 'CardCode' },
    customer_address: {
      table: 'INV12',
      key: 'DocEntry',
      match: 'DocEntry',
      matchFrom: 'DocEntry',
    },
    terms: { table: 'OCTG', key: 'GroupNum', match: 'GroupNum', matchFrom: 'GroupNum' },
    lines_tax: { table: 'OVTG', key: 'Code', match: 'Code', matchFrom: 'VatGroup', of: 'lines' },
  },
  creditNotes: {
    sections: {
      header: { table: 'ORIN' },
      lines: { table: 'RIN1' },
      customer_address: { table: 'RIN12' },
    },
    note: 'Tables of their own (ORIN, RIN1), with positive amounts; BaseEntry of a line names the invoice.',
  },
  cancellation:
    'CANCELED is Y at the cancelled invoice and C at the row that cancels it: both are left out.',
  taxCodes: {
    note: 'VatGroup of a line is a code of the table OVTG, which the site names; its rate says most of it.',
    codes: { SR: 'S', ZR: 'Z', ES: 'E', OS: 'O' },
  },
  changes: { column: 'UpdateDate', key: 'DocEntry' },
  blindSpots: [
    'UpdateDate is a day (UpdateTS has the time): an invoice that changes twice on a day is found by reconciliation.',
    'Amounts in a foreign currency stand in columns of their own (DocTotalFC, VatSumFC, TotalFrgn).',
    'Where two series use the same DocNum, read by DocEntry.',
    'Invoices of type S (service) have lines without an item.',
  ],
  writeBack:
    'User-defined fields of OINV, by the Service Layer only: SAP does not support writing to its tables.',
};
