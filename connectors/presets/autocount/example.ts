import type { PresetExample } from '../contract.suite.ts';

const buyer = { DebtorCode: '300-G001', DebtorName: 'Gemilang Sdn Bhd', CurrencyCode: 'MYR' };
const day = { DocDate: '2026-03-02', LastModified: '2026-03-02 09:30:00' };
const line = { ItemCode: 'P1', Description: 'Pump', UOM: 'UNIT', TaxCode: 'SV-8', TaxRate: 8 };

/** A company with an invoice whose package has children, a cancelled one, and a credit note. */
export const example: PresetExample = {
  rows: {
    IV: [
      { DocKey: 31, DocNo: 'I-0001', ...day, ...buyer, Tax: 8, NetTotal: 108, Cancelled: 'F' },
      { DocKey: 32, DocNo: 'I-0002', ...day, ...buyer, Tax: 8, NetTotal: 108, Cancelled: 'T' },
    ],
    IVDTL: [
      { DtlKey: 1, DocKey: 31, Seq: 16, ...line, Qty: 1, UnitPrice: 100, AddToSubTotal: 'T' },
      { DtlKey: 2, DocKey: 31, Seq: 32, ...line, Qty: 1, ParentDtlKey: 1, AddToSubTotal: 'F' },
    ],
    CN: [{ DocKey: 41, DocNo: 'CN-0001', ...day, ...buyer, Tax: 8, NetTotal: 108, Cancelled: 'F' }],
    CNDTL: [
      { DtlKey: 9, DocKey: 41, Seq: 16, ...line, Qty: 1, UnitPrice: 100, AddToSubTotal: 'T' },
    ],
    Debtor: [{ AccNo: '300-G001', CompanyName: 'Gemilang Sdn Bhd', TaxEntityID: 5 }],
    TaxEntity: [{ TaxEntityID: 5, Name: 'Gemilang Sdn Bhd', TIN: 'C20880050010' }],
    TaxCode: [{ TaxCode: 'SV-8', TaxRate: 8, GovtTaxCode: '02', SupplyPurchase: 'S' }],
  },
  invoice: { ref: 'I-0001', lines: 1, customer: 'C20880050010' },
  creditNote: { ref: 'CN-0001', lines: 1, customer: 'Gemilang Sdn Bhd' },
};
