import type { PresetExample } from '../contract.suite.ts';

const dates = { DocDate: '2026-03-02', TaxDate: '2026-03-02', DocDueDate: '2026-04-01' };
const buyer = { CardCode: 'C20000', CardName: 'Gulf Star LLC', GroupNum: 1, DocCur: 'AED' };
const line = { LineNum: 0, ItemCode: 'P1', Dscription: 'Pump', VatGroup: 'SR', VatPrcnt: 5 };

/** A company with an invoice, a credit note, and an invoice that was cancelled by another row. */
export const example: PresetExample = {
  rows: {
    OINV: [
      { DocEntry: 11, DocNum: 501, CANCELED: 'N', ...dates, ...buyer, VatSum: 5, DocTotal: 105 },
      { DocEntry: 12, DocNum: 502, CANCELED: 'Y', ...dates, ...buyer, VatSum: 5, DocTotal: 105 },
      { DocEntry: 13, DocNum: 503, CANCELED: 'C', ...dates, ...buyer, VatSum: 5, DocTotal: 105 },
    ].map((row) => ({ ...row, UpdateDate: '2026-03-02', UpdateTS: 93_001 })),
    INV1: [
      { DocEntry: 11, ...line, Quantity: 2, Price: 40, LineTotal: 80 },
      { DocEntry: 11, ...line, LineNum: 1, Quantity: 1, Price: 20, LineTotal: 20 },
      { DocEntry: 12, ...line, Quantity: 1, Price: 100, LineTotal: 100 },
    ],
    INV12: [{ DocEntry: 11, StreetB: 'Bay Sq 3', CityB: 'Dubai', CountryB: 'AE' }],
    ORIN: [
      {
        DocEntry: 21,
        DocNum: 501,
        CANCELED: 'N',
        ...dates,
        ...buyer,
        VatSum: 1,
        DocTotal: 21,
        UpdateDate: '2026-03-05',
        UpdateTS: 100,
      },
    ],
    RIN1: [{ DocEntry: 21, ...line, Quantity: 1, Price: 20, LineTotal: 20 }],
    OCRD: [{ CardCode: 'C20000', CardName: 'Gulf Star LLC', CardType: 'C' }],
    OVTG: [{ Code: 'SR', Name: 'Standard rated', Rate: 5 }],
    OCTG: [{ GroupNum: 1, PymntGroup: '30 days' }],
  },
  invoice: { ref: '501', lines: 2, customer: 'Bay Sq 3' },
  creditNote: { ref: '501', lines: 1, customer: 'Gulf Star LLC' },
};
