import type { Row } from './erp-schema.ts';

/** A sales document of the sample ERP with its lines and its expected outcome. */
export interface SampleDocument {
  readonly header: Row;
  readonly lines: readonly Row[];
  readonly profile: 'PINT-AE' | 'PINT-MY' | 'BIS-3.0';
  /** The expected outcome, which the demo checks. */
  readonly expect: Expectation;
}

type Expectation =
  | { readonly kind: 'settles' }
  | {
      readonly kind: 'rejected';
      readonly rule: RegExp;
      /** The table and column that a person must correct. */
      readonly at: string;
    };

const settles: Expectation = { kind: 'settles' };

/** The day's sales of three companies; `today` is in the ERP's date format. */
export function documents(today: string, time: string): readonly SampleDocument[] {
  return [...emirates(today), ...malaysia(today, time), ...belgium(today)];
}

function emirates(today: string): SampleDocument[] {
  const header = (number: string, more: Row = {}): Row => ({
    DOC_NO: number,
    DOC_KIND: 'I',
    COMP_ID: 'AE01',
    CUST_NO: 'C-20077',
    DOC_DATE: today,
    DUE_DATE: plusDays(today, 30),
    CURR: 'AED',
    PAY_METHOD: 'TRANSFER',
    PAY_TERMS: 'Net 30 days',
    CUST_PO: 'PO-7781',
    ...more,
  });
  const pump = line('PUMP-50', 'Centrifugal pump 50 m3/h', '4', 'PCS', 1250, 'AE-STD');
  const hours = line('SVC-COMM', 'Commissioning on site', '12.5', 'HRS', 180.34, 'AE-STD');
  const credit = {
    DOC_KIND: 'C',
    DUE_DATE: null,
    CORRECTS_NO: 'AE-2026-00418',
    CORRECTS_DATE: today,
    REASON: 'RETURN',
  };
  return [
    { profile: 'PINT-AE', expect: settles, header: header('AE-2026-00418'), lines: [pump, hours] },
    {
      profile: 'PINT-AE',
      expect: settles,
      header: header('AE-2026-00419', { CUST_PO: null }),
      lines: [pump, line('GOLD-1KG', 'Investment gold bar 1 kg', '1', 'PCS', 312450, 'AE-ZER')],
    },
    {
      profile: 'PINT-AE',
      expect: settles,
      header: header('AE-2026-C0031', credit),
      lines: [line('PUMP-50', 'Centrifugal pump 50 m3/h, returned', '1', 'PCS', 1250, 'AE-STD')],
    },
    {
      profile: 'PINT-AE',
      // The clerk entered the date of the corrected invoice and not its number.
      expect: {
        kind: 'rejected',
        rule: /^PINT-AE-XSD-missing-element$/,
        at: 'OSALES.CORRECTS_NO',
      },
      header: header('AE-2026-C0032', { ...credit, CORRECTS_NO: null }),
      lines: [pump],
    },
    {
      profile: 'PINT-AE',
      expect: { kind: 'rejected', rule: /^PINT-AE-ibr-132-ae$/, at: 'OCUST.TAX_NO' },
      header: header('AE-2026-00421', { CUST_NO: 'C-20093' }),
      lines: [hours],
    },
  ];
}

function malaysia(today: string, time: string): SampleDocument[] {
  const header = (number: string, more: Row = {}): Row => ({
    DOC_NO: number,
    DOC_KIND: 'I',
    COMP_ID: 'MY01',
    CUST_NO: 'C-41005',
    DOC_DATE: today,
    DOC_TIME: time,
    DUE_DATE: plusDays(today, 30),
    CURR: 'MYR',
    PAY_METHOD: 'TRANSFER',
    PAY_TERMS: 'Net 30 days',
    CUST_PO: 'HG/26/0912',
    ...more,
  });
  const laptop = line('LAP-14', 'Laptop 14 inch', '5', 'PCS', 3199.9, 'MY-SA10', '022');
  const setup = line('INST', 'Installation and set-up', '7.5', 'HRS', 120, 'MY-SE8', '022');
  const credit = {
    DOC_KIND: 'C',
    DUE_DATE: null,
    CORRECTS_NO: 'MY-2026-1187',
    CORRECTS_DATE: today,
    REASON: 'PRICE',
  };
  return [
    { profile: 'PINT-MY', expect: settles, header: header('MY-2026-1187'), lines: [laptop, setup] },
    { profile: 'PINT-MY', expect: settles, header: header('MY-2026-1188'), lines: [setup] },
    {
      profile: 'PINT-MY',
      expect: settles,
      header: header('MY-2026-C044', credit),
      lines: [line('LAP-14', 'Laptop 14 inch, price corrected', '5', 'PCS', 100, 'MY-SA10', '022')],
    },
    {
      profile: 'PINT-MY',
      expect: { kind: 'rejected', rule: /^PINT-MY-ibr-03-my$/, at: 'OCUST.REG_NO' },
      header: header('MY-2026-1189', { CUST_NO: 'C-41017' }),
      lines: [laptop],
    },
  ];
}

function belgium(today: string): SampleDocument[] {
  const header = (number: string, more: Row = {}): Row => ({
    DOC_NO: number,
    DOC_KIND: 'I',
    COMP_ID: 'BE01',
    CUST_NO: 'C-30410',
    DOC_DATE: today,
    DUE_DATE: plusDays(today, 30),
    CURR: 'EUR',
    PAY_METHOD: 'TRANSFER',
    PAY_TERMS: '30 dagen netto',
    CUST_PO: '4500123',
    ...more,
  });
  const tripel = line('TRIPEL-24', 'Tripel, crate of 24', '30', 'CRT', 38.15, 'BE-21');
  const hops = line('HOPS', 'Hop pellets for the guest brewery', '12', 'KGM', 17.4, 'BE-6');
  const credit = {
    DOC_KIND: 'C',
    DUE_DATE: null,
    CORRECTS_NO: '2026/00871',
    CORRECTS_DATE: today,
    REASON: 'RETURN',
  };
  return [
    { profile: 'BIS-3.0', expect: settles, header: header('2026/00871'), lines: [tripel, hops] },
    { profile: 'BIS-3.0', expect: settles, header: header('2026/00872'), lines: [tripel] },
    {
      profile: 'BIS-3.0',
      expect: settles,
      header: header('2026/C0012', credit),
      lines: [line('TRIPEL-24', 'Tripel, crate of 24, returned', '2', 'CRT', 38.15, 'BE-21')],
    },
    {
      // The total that a clerk entered does not fit the lines: the rules find it.
      profile: 'BIS-3.0',
      expect: { kind: 'rejected', rule: /^BIS-3\.0-BR-CO-15$/, at: 'OSALES.GROSS_CONTROL' },
      header: header('2026/00873', { GROSS_CONTROL: '1400.00' }),
      lines: [tripel],
    },
  ];
}

function line(
  item: string,
  text: string,
  quantity: string,
  unit: string,
  price: number,
  tax: string,
  classification: string | null = null,
): Row {
  return {
    ITEM_NO: item,
    ITEM_TEXT: text,
    LONG_TEXT: text,
    QTY: quantity,
    UOM: unit,
    PRICE: price,
    TAX_CODE: tax,
    CLASS_CODE: classification,
  };
}

/** A date in the ERP's format: YYYYMMDD. */
export function erpDate(instant: Date): string {
  return instant.toISOString().slice(0, 10).replaceAll('-', '');
}

function plusDays(date: string, days: number): string {
  const instant = new Date(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00Z`);
  instant.setUTCDate(instant.getUTCDate() + days);
  return erpDate(instant);
}
