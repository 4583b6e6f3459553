import type { Preset } from '../contract.ts';

/** Sage 300: invoices and credit notes of order entry; dates are numbers, texts are padded with blanks. */
export const sage300: Preset = {
  id: 'sage-300',
  title: 'Sage 300',
  runsOn: ['mssql'],
  source:
    'the application object model of Sage 300 (OE, AR), as queries of its users name the columns',
  fingerprint: ['OEINVH', 'OEINVD', 'ARCUS'],
  tables: {
    OEINVH:
      '*INVUNIQ: decimal, INVNUMBER: text, INVDATE: decimal, CUSTOMER: text, BILNAME: text, INSOURCURR: text, INRATE: decimal, ' +
      'INVNETNOTX: decimal, INVETAXTOT: decimal, INVNETWTX: decimal, TAXGROUP: text, AUDTDATE: decimal, AUDTTIME: decimal',
    OEINVD:
      '*INVUNIQ: decimal, *LINENUM: integer, ITEM: text, QTYSHIPPED: decimal, UNITPRICE: decimal, EXTINVMISC: decimal, ' +
      'TBASE1: decimal, TAMOUNT1: decimal, TBASE2: decimal, TAMOUNT2: decimal',
    OECRDH:
      '*CRDUNIQ: decimal, CRDNUMBER: text, CRDDATE: decimal, CUSTOMER: text, BILNAME: text, INVNUMBER: text, AUDTDATE: decimal',
    OECRDD:
      '*CRDUNIQ: decimal, *LINENUM: integer, ITEM: text, QTYRETURN: decimal, UNITPRICE: decimal, TAMOUNT1: decimal',
    ARCUS: '*IDCUST: text, NAMECUST: text, BRN: text',
  },
  versions: [{ version: '2018 or later', has: [] }],
  sections: {
    header: { table: 'OEINVH', key: 'INVUNIQ', match: 'INVNUMBER' },
    lines: {
      table: 'OEINVD',
      key: 'LINENUM',
      match: 'INVUNIQ',
      matchFrom: 'INVUNIQ',
      orderBy: 'LINENUM',
    },
    customer: { table: 'ARCUS', key: 'IDCUST', match: 'IDCUST', matchFrom: 'CUSTOMER' },
  },
  creditNotes: {
    sections: {
      header: { table: 'OECRDH', key: 'CRDUNIQ', match: 'CRDNUMBER' },
      lines: { table: 'OECRDD', match: 'CRDUNIQ', matchFrom: 'CRDUNIQ' },
    },
    changes: { column: 'AUDTDATE', key: 'CRDUNIQ' },
    note: 'Tables of their own (OECRDH, OECRDD); INVNUMBER there names the invoice.',
  },
  cancellation: 'A posted invoice is not cancelled: a credit note takes it back.',
  taxCodes: {
    note: 'A line has up to five taxes (TBASE1–5, TAMOUNT1–5); TAXGROUP says which authorities they are of.',
    codes: {},
  },
  changes: { column: 'AUDTDATE', key: 'INVUNIQ' },
  blindSpots: [
    'AUDTDATE is a day as a number (20260302), AUDTTIME the time.',
    'Texts are char columns, padded with blanks.',
    'Invoices that are entered in accounts receivable stand in ARIBH and ARIBD, not here.',
  ],
  writeBack: 'Optional fields (OEINVHO) by the views API.',
};
