/**
 * The sample ERP: tables like those of trading companies, with dates as YYYYMMDD, the company's own
 * tax codes, one table for invoices and credit notes distinguished by a letter, and texts with
 * blanks.
 */
export const schema = `
create table OCOMP (
  COMP_ID text primary key, LEGAL_NAME text not null, TAX_NO text, TIN text, REG_NO text, REG_TYPE text,
  REG_AUTH text, STREET text, STREET2 text, CITY text, ZIP text, STATE text, CTRY text not null,
  EDI_SCHEME text, EDI_ID text, PHONE text, EMAIL text, IBAN text, MSIC text, ACTIVITY text
);
create table OCUST (
  CUST_NO text primary key, CUST_NAME text not null, TAX_NO text, TIN text, REG_NO text, REG_TYPE text,
  REG_AUTH text, STREET text, STREET2 text, CITY text, ZIP text, STATE text, CTRY text not null,
  EDI_SCHEME text, EDI_ID text, PHONE text, EMAIL text
);
create table OTAX (TAX_CODE text primary key, DESCR text not null, CATEGORY text not null, RATE numeric not null);
create table OSALES (
  DOC_ID integer primary key, DOC_NO text not null unique, DOC_KIND text not null check (DOC_KIND in ('I', 'C')),
  COMP_ID text not null references OCOMP, CUST_NO text not null references OCUST,
  DOC_DATE text not null, DOC_TIME text, DUE_DATE text, CURR text not null, PAY_METHOD text, PAY_TERMS text,
  CUST_PO text, CORRECTS_NO text, CORRECTS_DATE text, REASON text, GROSS_CONTROL text,
  EINV_ID text, EINV_STATUS text, EINV_UIN text, EINV_LINK text, EINV_AT text
);
create table OLINES (
  LINE_ID integer primary key, DOC_ID integer not null references OSALES, LINE_NO integer not null,
  ITEM_NO text, ITEM_TEXT text not null, LONG_TEXT text, QTY text not null, UOM text not null, PRICE numeric not null,
  TAX_CODE text not null references OTAX, CLASS_CODE text
);
create index OLINES_DOC on OLINES (DOC_ID);
`;

/** The row of a company or customer. */
export type Row = Readonly<Record<string, string | number | null>>;

export const companies: readonly Row[] = [
  {
    COMP_ID: 'AE01',
    LEGAL_NAME: 'Al Noor Trading LLC',
    TAX_NO: '100234567801003',
    REG_NO: 'CN-1183764',
    REG_TYPE: 'TL',
    REG_AUTH: 'Dubai Economy and Tourism',
    STREET: 'Office 1204, Bay Square 7',
    STREET2: 'Business Bay',
    CITY: 'Dubai',
    STATE: 'DXB',
    CTRY: 'AE',
    EDI_SCHEME: '0235',
    EDI_ID: '1002345678',
    PHONE: '+97144123456',
    EMAIL: 'ar@alnoor.example',
    IBAN: 'AE070331234567890123456',
  },
  {
    COMP_ID: 'MY01',
    LEGAL_NAME: 'Setia Jaya Supplies Sdn Bhd',
    TAX_NO: 'W10-1808-32000059',
    TIN: 'C2584563222',
    REG_NO: '202001234567',
    REG_TYPE: 'BRN',
    STREET: 'Lot 66, Bangunan Merdeka',
    STREET2: 'Persiaran Jaya',
    CITY: 'Kuala Lumpur',
    ZIP: '50480',
    STATE: 'Wilayah Persekutuan Kuala Lumpur',
    CTRY: 'MY',
    EDI_SCHEME: '0230',
    EDI_ID: 'C2584563222',
    PHONE: '+60320314455',
    EMAIL: 'billing@setiajaya.example',
    IBAN: '514019459999',
    MSIC: '46510',
    ACTIVITY: 'Wholesale of computer hardware, software and peripherals',
  },
  {
    COMP_ID: 'BE01',
    LEGAL_NAME: 'Brouwerij De Sluis BV',
    TAX_NO: 'BE0403019261',
    REG_NO: '0403019261',
    REG_TYPE: '0208',
    STREET: 'Vaartdijk 12',
    CITY: 'Mechelen',
    ZIP: '2800',
    CTRY: 'BE',
    EDI_SCHEME: '0208',
    EDI_ID: '0403019261',
    PHONE: '+3215123456',
    EMAIL: 'facturatie@desluis.example',
    IBAN: 'BE71096123456769',
  },
];

export const customers: readonly Row[] = [
  {
    CUST_NO: 'C-20077',
    CUST_NAME: 'Gulf Star Contracting LLC',
    TAX_NO: '100876543201003',
    REG_NO: 'CN-2047716',
    REG_TYPE: 'TL',
    REG_AUTH: 'Abu Dhabi Department of Economic Development',
    STREET: 'Mussafah M-14',
    CITY: 'Abu Dhabi',
    STATE: 'AUH',
    CTRY: 'AE',
    EDI_SCHEME: '0235',
    EDI_ID: '1008765432',
  },
  {
    // A usual typing error: the registration number lacks two digits.
    CUST_NO: 'C-20093',
    CUST_NAME: 'Desert Rose Hospitality LLC',
    TAX_NO: '1001234567003',
    REG_NO: 'CN-3310045',
    REG_TYPE: 'TL',
    REG_AUTH: 'Dubai Economy and Tourism',
    STREET: 'Al Wasl Road 88',
    CITY: 'Dubai',
    STATE: 'DXB',
    CTRY: 'AE',
    EDI_SCHEME: '0235',
    EDI_ID: '1001234567',
  },
  {
    CUST_NO: 'C-41005',
    CUST_NAME: 'Hebat Group Berhad',
    TAX_NO: 'NA',
    TIN: 'C2584563200',
    REG_NO: '201901000005',
    REG_TYPE: 'BRN',
    STREET: '18 Jalan Excellent',
    CITY: 'Petaling Jaya',
    ZIP: '47500',
    STATE: 'Selangor',
    CTRY: 'MY',
    EDI_SCHEME: '0230',
    EDI_ID: 'C2584563200',
    PHONE: '+60379551234',
    EMAIL: 'ap@hebat.example',
  },
  {
    // The business registration number is missing.
    CUST_NO: 'C-41017',
    CUST_NAME: 'Kedai Runcit Maju Enterprise',
    TAX_NO: 'NA',
    TIN: 'IG20567890123',
    STREET: '5 Jalan Besar',
    CITY: 'Ipoh',
    ZIP: '30000',
    STATE: 'Perak',
    CTRY: 'MY',
    EDI_SCHEME: '0230',
    EDI_ID: 'IG20567890123',
    PHONE: '+6052411223',
    EMAIL: 'kedai.maju@example.com',
  },
  {
    CUST_NO: 'C-30410',
    CUST_NAME: 'Horeca Groothandel Noord NV',
    TAX_NO: 'BE0884303369',
    REG_NO: '0884303369',
    REG_TYPE: '0208',
    STREET: 'Havenlaan 86',
    CITY: 'Brussel',
    ZIP: '1000',
    CTRY: 'BE',
    EDI_SCHEME: '0208',
    EDI_ID: '0884303369',
  },
];

export const taxes: readonly Row[] = [
  { TAX_CODE: 'AE-STD', DESCR: 'VAT 5 %', CATEGORY: 'S', RATE: 5 },
  { TAX_CODE: 'AE-ZER', DESCR: 'VAT zero rated', CATEGORY: 'Z', RATE: 0 },
  { TAX_CODE: 'MY-SA10', DESCR: 'Sales tax 10 %', CATEGORY: 'SA', RATE: 10 },
  { TAX_CODE: 'MY-SE8', DESCR: 'Service tax 8 %', CATEGORY: 'SE', RATE: 8 },
  { TAX_CODE: 'BE-21', DESCR: 'BTW 21 %', CATEGORY: 'S', RATE: 21 },
  { TAX_CODE: 'BE-6', DESCR: 'BTW 6 %', CATEGORY: 'S', RATE: 6 },
];
