import type { PresetExample } from '../contract.suite.ts';

const day = { AUDTDATE: 20_260_302, CUSTOMER: '1200', BILNAME: 'Roy et Fils SARL' };
const line = { LINENUM: 32, ITEM: 'P1', UNITPRICE: 50, TAMOUNT1: 5 };

/** A company with an invoice and a credit note. */
export const example: PresetExample = {
  rows: {
    OEINVH: [
      { INVUNIQ: 71, INVNUMBER: 'IN0000000000047', INVDATE: 20_260_302, ...day, INVNETWTX: 105 },
    ],
    OEINVD: [{ INVUNIQ: 71, ...line, QTYSHIPPED: 2, EXTINVMISC: 100, TBASE1: 100 }],
    OECRDH: [{ CRDUNIQ: 81, CRDNUMBER: 'CN0000000000009', CRDDATE: 20_260_305, ...day }],
    OECRDD: [{ CRDUNIQ: 81, ...line, QTYRETURN: 1 }],
    ARCUS: [{ IDCUST: '1200', NAMECUST: 'Roy et Fils SARL', BRN: '732829320' }],
  },
  invoice: { ref: 'IN0000000000047', lines: 1, customer: '732829320' },
  creditNote: { ref: 'CN0000000000009', lines: 1, customer: 'Roy et Fils SARL' },
};
