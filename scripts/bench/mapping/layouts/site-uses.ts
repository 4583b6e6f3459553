import type { Layout, LayoutTable } from './layout.ts';
import { at, midnight, tableOf } from './tables.ts';
import { byLine, customers, type Invoice, invoices, items } from './trade.ts';

const round = (value: number) => Math.round(value * 100) / 100;
const usDollarRate = 0.92;
const isCredit = ({ kind }: Invoice) => kind === 'credit';
const sign = (one: Invoice) => (isCredit(one) ? -1 : 1);
const isForeign = ({ currency }: Invoice) => currency !== 'EUR';
const rateOf = (one: Invoice) => (isForeign(one) ? usDollarRate : 1);
const own = (one: Invoice, amount: number) => round(amount * rateOf(one));
const isPaid = ({ id, isDraft }: Invoice) => !isDraft && id % 3 === 0;
const unit = 204;
const book = 1;
const types = { INV: 1001, CM: 1002, DM: 1003, DEP: 1004 } as const;
const typeOf = (one: Invoice) => (isCredit(one) ? types.CM : types.INV);
const lines = byLine(invoices, (one, line) => ({ one, line }));
type Sold = (typeof lines)[number];
const countries = [...new Map(customers.map((one) => [one.countryCode, one])).values()];
const uoms: Readonly<Record<string, readonly [string, string]>> = {
  PCS: ['EA', 'Each'],
  M: ['M', 'Metre'],
  HR: ['HR', 'Hour'],
  L: ['L', 'Litre'],
  KG: ['KG', 'Kilogram'],
};
const uom = (code: string) => uoms[code]![0];
/** After discount, with as many decimals as it has. */
const sellingPrice = ({ line }: Sold) =>
  Math.round(line.price * (100 - line.discount) * 100) / 10_000;
const taxLineOf = ({ line }: Sold) => line.id + 500_000;
const rateCode = (rate: number) => (rate === 0 ? 'VAT ZERO' : 'VAT STANDARD');

const accountOf = (id: number) => id + 1000;
const partyOf = (id: number) => id + 4000;
const billUse = (id: number) => id * 2 + 7000;
const shipUse = (id: number) => id * 2 + 7001;
const billSite = (id: number) => id * 2 + 8000;
const shipSite = (id: number) => id * 2 + 8001;
const billPlace = (id: number) => id * 2 + 9000;
const shipPlace = (id: number) => id * 2 + 9001;
/** Each customer has a place for bills and one for goods. */
const places = customers.flatMap((one) => [
  { one, use: billUse(one.id), site: billSite(one.id), place: billPlace(one.id), isBill: true },
  { one, use: shipUse(one.id), site: shipSite(one.id), place: shipPlace(one.id), isBill: false },
]);
const contactOf = (id: number) => id + 6000;
const supplierParty = 4900;

const who = {
  'LAST_UPDATE_DATE date': midnight('2026-01-04'),
  'LAST_UPDATED_BY number': 1318,
  'CREATION_DATE date': midnight('2025-02-03'),
  'CREATED_BY number': 1318,
  'LAST_UPDATE_LOGIN number': 5_501_207,
} as const;
const descriptive = {
  'ATTRIBUTE_CATEGORY varchar2(30)': null,
  'ATTRIBUTE1 varchar2(150), ATTRIBUTE2 varchar2(150), ATTRIBUTE3 varchar2(150)': null,
  'ATTRIBUTE4 varchar2(150), ATTRIBUTE5 varchar2(150), ATTRIBUTE15 varchar2(150)': null,
} as const;
const batch = {
  'REQUEST_ID number, PROGRAM_APPLICATION_ID number, PROGRAM_ID number': null,
  'PROGRAM_UPDATE_DATE date': null,
} as const;

/** What one line is charged, and the tax on it, which is a line of its own. */
const parts = lines.flatMap((each) => [
  { ...each, isTax: false },
  { ...each, isTax: true },
]);

const orderOf = ({ id }: Invoice) => 60_000 + id;

const around: Readonly<Record<string, LayoutTable>> = {
  OE_ORDER_HEADERS_ALL: tableOf(invoices, {
    '*HEADER_ID number': ({ id }) => id + 20_000,
    'ORG_ID number': unit,
    'ORDER_TYPE_ID number': 1430,
    'ORDER_NUMBER number': orderOf,
    'VERSION_NUMBER number': 0,
    'ORDER_SOURCE_ID number': 0,
    'ORDERED_DATE date': ({ date }) => at(date),
    'REQUEST_DATE date': ({ due }) => at(due),
    'PRICE_LIST_ID number': 1000,
    'TAX_EXEMPT_FLAG varchar2(1)': 'S',
    'TRANSACTIONAL_CURR_CODE varchar2(15)': ({ currency }) => currency,
    'CUST_PO_NUMBER varchar2(50)': ({ order }) => order || null,
    'PAYMENT_TERM_ID number': 4,
    'SOLD_TO_ORG_ID number': ({ customer }) => accountOf(customer.id),
    'SHIP_TO_ORG_ID number': ({ customer }) => shipUse(customer.id),
    'INVOICE_TO_ORG_ID number': ({ customer }) => billUse(customer.id),
    'SALESREP_ID number': 1007,
    'FLOW_STATUS_CODE varchar2(30)': 'CLOSED',
    'OPEN_FLAG varchar2(1)': 'N',
    'BOOKED_FLAG varchar2(1)': 'Y',
    'CANCELLED_FLAG varchar2(1)': 'N',
    ...who,
  }),
  OE_ORDER_LINES_ALL: tableOf(lines, {
    '*LINE_ID number': ({ line }) => line.id + 200_000,
    'ORG_ID number': unit,
    'HEADER_ID number': ({ one }) => one.id + 20_000,
    'LINE_NUMBER number': ({ line }) => line.position,
    'SHIPMENT_NUMBER number': 1,
    'ORDERED_ITEM varchar2(2000)': ({ line }) => line.item.code,
    'INVENTORY_ITEM_ID number': ({ line }) => line.item.id,
    'ORDER_QUANTITY_UOM varchar2(3)': ({ line }) => uom(line.item.unit),
    'ORDERED_QUANTITY number, SHIPPED_QUANTITY number, INVOICED_QUANTITY number': ({ line }) =>
      line.quantity,
    'UNIT_SELLING_PRICE number': sellingPrice,
    'UNIT_LIST_PRICE number': ({ line }) => line.price,
    'TAX_CODE varchar2(50)': ({ line }) => rateCode(line.item.rate),
    'TAX_VALUE number': ({ line }) => line.tax,
    'FLOW_STATUS_CODE varchar2(30)': 'CLOSED',
    ...who,
  }),
  AP_INVOICES_ALL: tableOf(invoices.slice(0, 14), {
    '*INVOICE_ID number': ({ id }) => id + 30_000,
    'VENDOR_ID number': 900,
    'INVOICE_NUM varchar2(50)': ({ id }) => `MS-${id}`,
    'SET_OF_BOOKS_ID number': book,
    'INVOICE_CURRENCY_CODE varchar2(15), PAYMENT_CURRENCY_CODE varchar2(15)': 'EUR',
    'PAYMENT_CROSS_RATE number': 1,
    'INVOICE_AMOUNT number': ({ gross }) => round(gross / 2),
    'VENDOR_SITE_ID number': 901,
    'AMOUNT_PAID number': 0,
    'DISCOUNT_AMOUNT_TAKEN number': 0,
    'INVOICE_DATE date': ({ date }) => midnight(date),
    'SOURCE varchar2(25)': 'Manual Invoice Entry',
    'INVOICE_TYPE_LOOKUP_CODE varchar2(25)': 'STANDARD',
    'DESCRIPTION varchar2(240)': null,
    'TOTAL_TAX_AMOUNT number': ({ tax }) => round(tax / 2),
    'TERMS_ID number': 10_002,
    'TERMS_DATE date': ({ date }) => midnight(date),
    'PAYMENT_METHOD_CODE varchar2(30)': 'CHECK',
    'ORG_ID number': unit,
    'PARTY_ID number': supplierParty,
    ...who,
  }),
  AP_INVOICE_LINES_ALL: tableOf(invoices.slice(0, 14), {
    '*INVOICE_ID number': ({ id }) => id + 30_000,
    '*LINE_NUMBER number': 1,
    'LINE_TYPE_LOOKUP_CODE varchar2(25)': 'ITEM',
    'DESCRIPTION varchar2(240)': 'Water pump',
    'INVENTORY_ITEM_ID number': 11,
    'AMOUNT number': ({ net }) => round(net / 2),
    'QUANTITY_INVOICED number': 1,
    'UNIT_PRICE number': ({ net }) => round(net / 2),
    'UNIT_MEAS_LOOKUP_CODE varchar2(25)': 'Each',
    'TAX_CLASSIFICATION_CODE varchar2(50)': 'VAT STANDARD',
    'ORG_ID number': unit,
    ...who,
  }),
  AP_SUPPLIERS: {
    columns:
      '*VENDOR_ID number, VENDOR_NAME varchar2(240), SEGMENT1 varchar2(30), PARTY_ID number, VAT_REGISTRATION_NUM varchar2(20), ENABLED_FLAG varchar2(1)',
    rows: [[900, 'Mill Supplies Ltd', '5001', supplierParty, 'DE811111111', 'Y']],
  },
  AR_CASH_RECEIPTS_ALL: tableOf(invoices.filter(isPaid), {
    '*CASH_RECEIPT_ID number': ({ id }) => id + 40_000,
    ...who,
    'AMOUNT number': ({ gross }) => gross,
    'SET_OF_BOOKS_ID number': book,
    'CURRENCY_CODE varchar2(15)': ({ currency }) => currency,
    'PAY_FROM_CUSTOMER number': ({ customer }) => accountOf(customer.id),
    'CUSTOMER_SITE_USE_ID number': ({ customer }) => billUse(customer.id),
    'STATUS varchar2(30)': 'APP',
    'TYPE varchar2(20)': 'CASH',
    'RECEIPT_NUMBER varchar2(30)': ({ id }) => `R-${id}`,
    'RECEIPT_DATE date': ({ due }) => midnight(due),
    'COMMENTS varchar2(2000)': null,
    'EXCHANGE_RATE number': (one) => (isForeign(one) ? usDollarRate : null),
    'ORG_ID number': unit,
  }),
  AR_RECEIVABLE_APPLICATIONS_ALL: tableOf(invoices.filter(isPaid), {
    '*RECEIVABLE_APPLICATION_ID number': ({ id }) => id + 45_000,
    ...who,
    'AMOUNT_APPLIED number': ({ gross }) => gross,
    'GL_DATE date, APPLY_DATE date': ({ due }) => midnight(due),
    'APPLICATION_TYPE varchar2(20)': 'CASH',
    'STATUS varchar2(30)': 'APP',
    'PAYMENT_SCHEDULE_ID number': ({ id }) => id + 55_000,
    'CASH_RECEIPT_ID number': ({ id }) => id + 40_000,
    'APPLIED_CUSTOMER_TRX_ID number': ({ id }) => id,
    'APPLIED_PAYMENT_SCHEDULE_ID number': ({ id }) => id + 50_000,
    'ORG_ID number': unit,
  }),
  RA_CUST_TRX_LINE_GL_DIST_ALL: tableOf(parts, {
    '*CUST_TRX_LINE_GL_DIST_ID number': (_part, index) => index + 700_000,
    'CUSTOMER_TRX_LINE_ID number': ({ isTax, ...each }) => (isTax ? taxLineOf(each) : each.line.id),
    'CODE_COMBINATION_ID number': ({ isTax }) => (isTax ? 2150 : 4010),
    'SET_OF_BOOKS_ID number': book,
    ...who,
    'PERCENT number': 100,
    'AMOUNT number': ({ one, line, isTax }) => sign(one) * (isTax ? line.tax : line.net),
    'GL_DATE date': ({ one }) => midnight(one.date),
    'ACCOUNT_CLASS varchar2(20)': ({ isTax }) => (isTax ? 'TAX' : 'REV'),
    'CUSTOMER_TRX_ID number': ({ one }) => one.id,
    'ACCTD_AMOUNT number': ({ one, line, isTax }) =>
      sign(one) * own(one, isTax ? line.tax : line.net),
    'ORG_ID number': unit,
  }),
  // What comes from orders waits here until it is an invoice.
  RA_INTERFACE_LINES_ALL: {
    columns:
      'INTERFACE_LINE_ID number, INTERFACE_LINE_CONTEXT varchar2(30), BATCH_SOURCE_NAME varchar2(50), SET_OF_BOOKS_ID number, ' +
      'LINE_TYPE varchar2(20), DESCRIPTION varchar2(240), CURRENCY_CODE varchar2(15), AMOUNT number, TRX_NUMBER varchar2(20), ' +
      'TRX_DATE date, QUANTITY number, UNIT_SELLING_PRICE number, UOM_CODE varchar2(3), ORG_ID number',
    rows: [],
  },
  RA_BATCH_SOURCES_ALL: {
    columns:
      '*BATCH_SOURCE_ID number, *ORG_ID number, NAME varchar2(50), DESCRIPTION varchar2(240), STATUS varchar2(1), LAST_BATCH_NUM number, AUTO_TRX_NUMBERING_FLAG varchar2(1)',
    rows: [
      [1018, unit, 'Manual-Other', 'Manual invoices', 'A', 12, 'Y'],
      [1228, unit, 'ORDER ENTRY', 'Of orders', 'A', 77, 'Y'],
    ],
  },
  HR_ALL_ORGANIZATION_UNITS: {
    columns:
      '*ORGANIZATION_ID number, BUSINESS_GROUP_ID number, LOCATION_ID number, DATE_FROM date, NAME varchar2(240), TYPE varchar2(30)',
    rows: [
      [unit, 202, 204, '1995-01-01 00:00:00', 'Drawbridge Pumps Operations', 'OU'],
      [207, 202, 207, '1995-01-01 00:00:00', 'Main warehouse', 'INV'],
    ],
  },
  GL_DAILY_RATES: tableOf([...new Set(invoices.filter(isForeign).map(({ date }) => date))], {
    '*FROM_CURRENCY varchar2(15)': 'USD',
    '*TO_CURRENCY varchar2(15)': 'EUR',
    '*CONVERSION_DATE date': midnight,
    '*CONVERSION_TYPE varchar2(30)': 'Corporate',
    'CONVERSION_RATE number': usDollarRate,
    'STATUS_CODE varchar2(1)': 'C',
    ...who,
  }),
  MTL_MATERIAL_TRANSACTIONS: tableOf(lines, {
    '*TRANSACTION_ID number': ({ line }) => line.id + 800_000,
    ...who,
    'INVENTORY_ITEM_ID number': ({ line }) => line.item.id,
    'ORGANIZATION_ID number': 207,
    'SUBINVENTORY_CODE varchar2(10)': 'Stores',
    'TRANSACTION_TYPE_ID number': 33,
    'TRANSACTION_QUANTITY number, PRIMARY_QUANTITY number': ({ one, line }) =>
      -sign(one) * line.quantity,
    'TRANSACTION_UOM varchar2(3)': ({ line }) => uom(line.item.unit),
    'TRANSACTION_DATE date': ({ one }) => at(one.date),
    'TRX_SOURCE_LINE_ID number': ({ line }) => line.id + 200_000,
    'ACTUAL_COST number': ({ line }) => round(line.price / 2),
  }),
  FND_USER: {
    columns:
      '*USER_ID number, USER_NAME varchar2(100), START_DATE date, END_DATE date, DESCRIPTION varchar2(240), EMAIL_ADDRESS varchar2(240)',
    rows: [
      [0, 'SYSADMIN', '1951-01-01 00:00:00', null, 'System Administrator', null],
      [1318, 'OPERATIONS', '1995-01-01 00:00:00', null, 'Billing', 'ops@firm.example'],
    ],
  },
};

/**
 * Tax is a line among the lines, told by its type and tied to the one that it is on; a bill goes to an account, an account has
 * a party, and its address is four tables away, by the use of a site; what is due, and the totals, stand in a schedule of
 * payments; keys are numbers by the same name on both sides, which nothing declares (Oracle E-Business Suite, receivables).
 */
export const siteUses: Layout = {
  name: 'site-uses',
  isHeldOut: true,
  tables: {
    ...around,
    RA_CUSTOMER_TRX_ALL: tableOf(invoices, {
      '*CUSTOMER_TRX_ID number': ({ id }) => id,
      ...who,
      'TRX_NUMBER varchar2(20)': ({ id }) => String(id + 10_000_000),
      'CUST_TRX_TYPE_ID number': typeOf,
      'TRX_DATE date': ({ date }) => midnight(date),
      'SET_OF_BOOKS_ID number': book,
      'BILL_TO_CONTACT_ID number': ({ customer }) => contactOf(customer.id),
      'BATCH_ID number': null,
      'BATCH_SOURCE_ID number': ({ id }) => (id % 4 === 0 ? 1018 : 1228),
      'REASON_CODE varchar2(30)': (one) => (isCredit(one) ? 'RETURN' : null),
      'SOLD_TO_CUSTOMER_ID number': ({ customer }) => accountOf(customer.id),
      'SOLD_TO_CONTACT_ID number, SOLD_TO_SITE_USE_ID number': null,
      'BILL_TO_CUSTOMER_ID number': ({ customer }) => accountOf(customer.id),
      'BILL_TO_SITE_USE_ID number': ({ customer }) => billUse(customer.id),
      'SHIP_TO_CUSTOMER_ID number': ({ customer }) => accountOf(customer.id),
      'SHIP_TO_CONTACT_ID number': null,
      'SHIP_TO_SITE_USE_ID number': ({ customer }) => shipUse(customer.id),
      'REMIT_TO_ADDRESS_ID number': 1005,
      'TERM_ID number': (one) => (isCredit(one) ? null : 4),
      'TERM_DUE_DATE date': ({ due }) => midnight(due),
      'PREVIOUS_CUSTOMER_TRX_ID number': (one) => (isCredit(one) ? one.id - 1 : null),
      'PRIMARY_SALESREP_ID number': 1007,
      'PRINTING_ORIGINAL_DATE date, PRINTING_LAST_PRINTED date': ({ date, isDraft }) =>
        isDraft ? null : at(date),
      'PRINTING_OPTION varchar2(20)': 'PRI',
      'PRINTING_COUNT number': ({ isDraft }) => (isDraft ? null : 1),
      'PRINTING_PENDING varchar2(1)': ({ isDraft }) => (isDraft ? 'Y' : 'N'),
      'PURCHASE_ORDER varchar2(50)': ({ order }) => order || null,
      'PURCHASE_ORDER_REVISION varchar2(50), PURCHASE_ORDER_DATE date': null,
      'CUSTOMER_REFERENCE varchar2(30), CUSTOMER_REFERENCE_DATE date': null,
      'COMMENTS varchar2(1760)': ({ id }) => (id % 6 === 0 ? 'Thank you for your order' : null),
      'INTERNAL_NOTES varchar2(240)': ({ id }) => (id % 8 === 0 ? 'Pays on Fridays' : null),
      'EXCHANGE_RATE_TYPE varchar2(30)': (one) => (isForeign(one) ? 'Corporate' : null),
      'EXCHANGE_DATE date': (one) => (isForeign(one) ? midnight(one.date) : null),
      'EXCHANGE_RATE number': (one) => (isForeign(one) ? usDollarRate : null),
      'TERRITORY_ID number': null,
      'INVOICE_CURRENCY_CODE varchar2(15)': ({ currency }) => currency,
      'INITIAL_CUSTOMER_TRX_ID number, AGREEMENT_ID number': null,
      'END_DATE_COMMITMENT date, START_DATE_COMMITMENT date': null,
      ...descriptive,
      'ORIG_SYSTEM_BATCH_NAME varchar2(40)': null,
      ...batch,
      'COMPLETE_FLAG varchar2(1)': ({ isDraft }) => (isDraft ? 'N' : 'Y'),
      'POSTING_CONTROL_ID number': -3,
      'BILL_TO_ADDRESS_ID number, SHIP_TO_ADDRESS_ID number': null,
      'RECEIPT_METHOD_ID number, RELATED_CUSTOMER_TRX_ID number, INVOICING_RULE_ID number': null,
      'SHIP_VIA varchar2(30)': null,
      'SHIP_DATE_ACTUAL date': ({ date }) => midnight(date),
      'WAYBILL_NUMBER varchar2(50), FOB_POINT varchar2(30), CUSTOMER_BANK_ACCOUNT_ID number': null,
      'INTERFACE_HEADER_CONTEXT varchar2(30)': ({ id }) => (id % 4 === 0 ? null : 'ORDER ENTRY'),
      'INTERFACE_HEADER_ATTRIBUTE1 varchar2(150)': (one) =>
        one.id % 4 === 0 ? null : String(orderOf(one)),
      'INTERFACE_HEADER_ATTRIBUTE2 varchar2(150)': ({ id }) => (id % 4 === 0 ? null : 'Standard'),
      'STATUS_TRX varchar2(30)': (one) => (isPaid(one) ? 'CL' : 'OP'),
      'DOC_SEQUENCE_ID number, DOC_SEQUENCE_VALUE number': null,
      'PAYING_CUSTOMER_ID number, PAYING_SITE_USE_ID number': null,
      'DEFAULT_TAX_EXEMPT_FLAG varchar2(1)': 'S',
      'CREATED_FROM varchar2(30)': ({ id }) => (id % 4 === 0 ? 'ARXTWMAI' : 'RAXTRX'),
      'ORG_ID number': unit,
      'GLOBAL_ATTRIBUTE_CATEGORY varchar2(30), GLOBAL_ATTRIBUTE1 varchar2(150)': null,
      'EDI_PROCESSED_FLAG varchar2(1), EDI_PROCESSED_STATUS varchar2(10)': null,
      'OLD_TRX_NUMBER varchar2(20), CT_REFERENCE varchar2(150)': null,
      'BR_AMOUNT number, BR_UNPAID_FLAG varchar2(1), DRAWEE_ID number': null,
      'LEGAL_ENTITY_ID number': 23_273,
      'BILLING_DATE date, INTEREST_HEADER_ID number, LATE_CHARGES_ASSESSED varchar2(30)': null,
    }),
    RA_CUSTOMER_TRX_LINES_ALL: tableOf(parts, {
      '*CUSTOMER_TRX_LINE_ID number': ({ isTax, ...each }) =>
        isTax ? taxLineOf(each) : each.line.id,
      ...who,
      'CUSTOMER_TRX_ID number': ({ one }) => one.id,
      'LINE_NUMBER number': ({ line, isTax }) => (isTax ? 1 : line.position),
      'SET_OF_BOOKS_ID number': book,
      'REASON_CODE varchar2(30)': null,
      'INVENTORY_ITEM_ID number': ({ line, isTax }) => (isTax ? null : line.item.id),
      'DESCRIPTION varchar2(240)': ({ line, isTax }) => (isTax ? null : line.item.name),
      'PREVIOUS_CUSTOMER_TRX_ID number': ({ one }) => (isCredit(one) ? one.id - 1 : null),
      'PREVIOUS_CUSTOMER_TRX_LINE_ID number': null,
      'QUANTITY_ORDERED number': ({ one, line, isTax }) =>
        isTax || isCredit(one) ? null : line.quantity,
      'QUANTITY_CREDITED number': ({ one, line, isTax }) =>
        isCredit(one) && !isTax ? -line.quantity : null,
      'QUANTITY_INVOICED number': ({ one, line, isTax }) =>
        isTax || isCredit(one) ? null : line.quantity,
      'UNIT_STANDARD_PRICE number': ({ line, isTax }) => (isTax ? null : line.price),
      'UNIT_SELLING_PRICE number': ({ isTax, ...each }) => (isTax ? null : sellingPrice(each)),
      'SALES_ORDER varchar2(50)': ({ one, isTax }) =>
        isTax || one.id % 4 === 0 ? null : String(orderOf(one)),
      'SALES_ORDER_REVISION number': null,
      'SALES_ORDER_LINE varchar2(30)': ({ one, line, isTax }) =>
        isTax || one.id % 4 === 0 ? null : String(line.position),
      'SALES_ORDER_DATE date': ({ one, isTax }) =>
        isTax || one.id % 4 === 0 ? null : midnight(one.date),
      'ACCOUNTING_RULE_ID number, ACCOUNTING_RULE_DURATION number': null,
      'LINE_TYPE varchar2(20)': ({ isTax }) => (isTax ? 'TAX' : 'LINE'),
      ...descriptive,
      ...batch,
      'RULE_START_DATE date, INITIAL_CUSTOMER_TRX_LINE_ID number': null,
      'INTERFACE_LINE_CONTEXT varchar2(30)': ({ one, isTax }) =>
        isTax || one.id % 4 === 0 ? null : 'ORDER ENTRY',
      'INTERFACE_LINE_ATTRIBUTE1 varchar2(150)': ({ one, isTax }) =>
        isTax || one.id % 4 === 0 ? null : String(orderOf(one)),
      'INTERFACE_LINE_ATTRIBUTE6 varchar2(150)': ({ one, line, isTax }) =>
        isTax || one.id % 4 === 0 ? null : String(line.id + 200_000),
      'SALES_ORDER_SOURCE varchar2(50)': null,
      'TAXABLE_FLAG varchar2(1)': null,
      'EXTENDED_AMOUNT number': ({ one, line, isTax }) => sign(one) * (isTax ? line.tax : line.net),
      'REVENUE_AMOUNT number': ({ one, line, isTax }) => (isTax ? null : sign(one) * line.net),
      'AUTORULE_COMPLETE_FLAG varchar2(1)': null,
      'LINK_TO_CUST_TRX_LINE_ID number': ({ line, isTax }) => (isTax ? line.id : null),
      'TAX_PRECEDENCE number': null,
      'TAX_RATE number': ({ line, isTax }) => (isTax ? line.item.rate : null),
      'ITEM_EXCEPTION_RATE_ID number, TAX_EXEMPTION_ID number, MEMO_LINE_ID number': null,
      'UOM_CODE varchar2(3)': ({ line, isTax }) => (isTax ? null : uom(line.item.unit)),
      'TAX_EXEMPT_FLAG varchar2(1)': ({ isTax }) => (isTax ? null : 'S'),
      'TAX_EXEMPT_NUMBER varchar2(80), TAX_EXEMPT_REASON_CODE varchar2(30)': null,
      'SALES_TAX_ID number, LOCATION_SEGMENT_ID number, MOVEMENT_ID number': null,
      'ORG_ID number': unit,
      'AMOUNT_INCLUDES_TAX_FLAG varchar2(1)': 'N',
      'TAXABLE_AMOUNT number': ({ one, line, isTax }) => (isTax ? sign(one) * line.net : null),
      'WAREHOUSE_ID number': ({ isTax }) => (isTax ? null : 207),
      'TRANSLATED_DESCRIPTION varchar2(1000)': null,
      'EXTENDED_ACCTD_AMOUNT number, BR_REF_CUSTOMER_TRX_ID number, PAYMENT_SET_ID number': null,
      'VAT_TAX_ID number': ({ line, isTax }) => (isTax ? line.item.rate + 10_000 : null),
      'AUTOTAX varchar2(1)': ({ isTax }) => (isTax ? 'Y' : null),
      'GROSS_UNIT_SELLING_PRICE number, GROSS_EXTENDED_AMOUNT number': null,
      'TAX_LINE_ID number': ({ isTax, ...each }) => (isTax ? taxLineOf(each) + 100_000 : null),
      'SHIP_TO_CUSTOMER_ID number, SHIP_TO_SITE_USE_ID number, SHIP_TO_CONTACT_ID number': null,
      'TAX_CLASSIFICATION_CODE varchar2(50)': ({ line, isTax }) =>
        isTax ? null : rateCode(line.item.rate),
      'RULE_END_DATE date': null,
    }),
    ZX_LINES: tableOf(lines, {
      '*TAX_LINE_ID number': (each) => taxLineOf(each) + 100_000,
      'INTERNAL_ORGANIZATION_ID number': unit,
      'APPLICATION_ID number': 222,
      'ENTITY_CODE varchar2(30)': 'TRANSACTIONS',
      'EVENT_CLASS_CODE varchar2(30)': ({ one }) => (isCredit(one) ? 'CREDIT_MEMO' : 'INVOICE'),
      'TRX_ID number': ({ one }) => one.id,
      'TRX_LINE_ID number': ({ line }) => line.id,
      'TRX_LEVEL_TYPE varchar2(30)': 'LINE',
      'TRX_LINE_NUMBER number': ({ line }) => line.position,
      'TAX_LINE_NUMBER number': 1,
      'TAX_REGIME_CODE varchar2(30)': 'EU VAT',
      'TAX varchar2(30)': 'VAT',
      'TAX_STATUS_CODE varchar2(30)': ({ line }) => (line.item.rate === 0 ? 'ZERO' : 'STANDARD'),
      'TAX_RATE_ID number': ({ line }) => line.item.rate + 10_000,
      'TAX_RATE_CODE varchar2(150)': ({ line }) => rateCode(line.item.rate),
      'TAX_RATE number': ({ line }) => line.item.rate,
      'TRX_NUMBER varchar2(150)': ({ one }) => String(one.id + 10_000_000),
      'TRX_DATE date': ({ one }) => midnight(one.date),
      'TRX_CURRENCY_CODE varchar2(15)': ({ one }) => one.currency,
      'LINE_AMT number, TAXABLE_AMT number': ({ one, line }) => sign(one) * line.net,
      'TAX_AMT number, UNROUNDED_TAX_AMT number': ({ one, line }) => sign(one) * line.tax,
      'TAX_AMT_FUNCL_CURR number': ({ one, line }) => sign(one) * own(one, line.tax),
      'CANCEL_FLAG varchar2(1)': 'N',
      'TAX_AMT_INCLUDED_FLAG varchar2(1)': 'N',
      ...who,
    }),
    ZX_RATES_B: tableOf([20, 0], {
      '*TAX_RATE_ID number': (rate) => rate + 10_000,
      'TAX_RATE_CODE varchar2(150)': rateCode,
      'CONTENT_OWNER_ID number': -99,
      'EFFECTIVE_FROM date': midnight('2010-01-01'),
      'EFFECTIVE_TO date': null,
      'TAX_REGIME_CODE varchar2(30)': 'EU VAT',
      'TAX varchar2(30)': 'VAT',
      'TAX_STATUS_CODE varchar2(30)': (rate) => (rate === 0 ? 'ZERO' : 'STANDARD'),
      'RATE_TYPE_CODE varchar2(30)': 'PERCENTAGE',
      'PERCENTAGE_RATE number': (rate) => rate,
      'ACTIVE_FLAG varchar2(1)': 'Y',
      ...who,
    }),
    ZX_PARTY_TAX_PROFILE: tableOf(customers, {
      '*PARTY_TAX_PROFILE_ID number': ({ id }) => id + 11_000,
      'PARTY_TYPE_CODE varchar2(30)': 'THIRD_PARTY',
      'PARTY_ID number': ({ id }) => partyOf(id),
      'COUNTRY_CODE varchar2(30)': ({ countryCode }) => countryCode,
      'REP_REGISTRATION_NUMBER varchar2(50)': ({ vat }) => vat,
      'ROUNDING_LEVEL_CODE varchar2(30), SELF_ASSESS_FLAG varchar2(1)': null,
      ...who,
    }),
    RA_CUST_TRX_TYPES_ALL: {
      columns:
        '*CUST_TRX_TYPE_ID number, *ORG_ID number, SET_OF_BOOKS_ID number, NAME varchar2(20), DESCRIPTION varchar2(80), TYPE varchar2(20), ' +
        'POST_TO_GL varchar2(1), ACCOUNTING_AFFECT_FLAG varchar2(1), CREDIT_MEMO_TYPE_ID number, STATUS varchar2(30), ' +
        'DEFAULT_TERM number, DEFAULT_STATUS varchar2(30), DEFAULT_PRINTING_OPTION varchar2(20), TAX_CALCULATION_FLAG varchar2(1), ' +
        'CREATION_SIGN varchar2(30), START_DATE date, END_DATE date',
      rows: (
        [
          ['INV', 'Invoice', 'Standard invoice', 'P'],
          ['CM', 'Credit Memo', 'Standard credit memo', 'N'],
          ['DM', 'Debit Memo', 'Standard debit memo', 'P'],
          ['DEP', 'Deposit', 'Deposit', 'P'],
        ] as const
      ).map(([type, name, description, creationSign]) => [
        types[type],
        unit,
        book,
        name,
        description,
        type,
        'Y',
        'Y',
        type === 'INV' ? types.CM : null,
        'A',
        4,
        'OP',
        'PRI',
        'Y',
        creationSign,
        '1995-01-01 00:00:00',
        null,
      ]),
    },
    AR_PAYMENT_SCHEDULES_ALL: tableOf(
      [
        ...invoices
          .filter(({ isDraft }) => !isDraft)
          .map((one) => ({ one, isReceipt: false, id: one.id + 50_000 })),
        ...invoices.filter(isPaid).map((one) => ({ one, isReceipt: true, id: one.id + 55_000 })),
      ],
      {
        '*PAYMENT_SCHEDULE_ID number': ({ id }) => id,
        ...who,
        'DUE_DATE date': ({ one }) => midnight(one.due),
        'AMOUNT_DUE_ORIGINAL number': ({ one, isReceipt }) =>
          isReceipt ? -one.gross : sign(one) * one.gross,
        'AMOUNT_DUE_REMAINING number': ({ one, isReceipt }) =>
          isReceipt || isPaid(one) ? 0 : sign(one) * one.gross,
        'NUMBER_OF_DUE_DATES number': 1,
        'STATUS varchar2(30)': ({ one, isReceipt }) => (isReceipt || isPaid(one) ? 'CL' : 'OP'),
        'INVOICE_CURRENCY_CODE varchar2(15)': ({ one }) => one.currency,
        'CLASS varchar2(20)': ({ one, isReceipt }) =>
          isReceipt ? 'PMT' : isCredit(one) ? 'CM' : 'INV',
        'CUST_TRX_TYPE_ID number': ({ one, isReceipt }) => (isReceipt ? null : typeOf(one)),
        'CUSTOMER_ID number': ({ one }) => accountOf(one.customer.id),
        'CUSTOMER_SITE_USE_ID number': ({ one }) => billUse(one.customer.id),
        'CUSTOMER_TRX_ID number': ({ one, isReceipt }) => (isReceipt ? null : one.id),
        'CASH_RECEIPT_ID number': ({ one, isReceipt }) => (isReceipt ? one.id + 40_000 : null),
        'GL_DATE date, TRX_DATE date': ({ one, isReceipt }) =>
          midnight(isReceipt ? one.due : one.date),
        'GL_DATE_CLOSED date, ACTUAL_DATE_CLOSED date': ({ one, isReceipt }) =>
          midnight(isReceipt || isPaid(one) ? one.due : '4712-12-31'),
        'TERM_ID number': ({ one, isReceipt }) => (isReceipt || isCredit(one) ? null : 4),
        'TERMS_SEQUENCE_NUMBER number': ({ isReceipt }) => (isReceipt ? null : 1),
        'TRX_NUMBER varchar2(30)': ({ one, isReceipt }) =>
          isReceipt ? `R-${one.id}` : String(one.id + 10_000_000),
        'AMOUNT_LINE_ITEMS_ORIGINAL number': ({ one, isReceipt }) =>
          isReceipt ? null : sign(one) * one.net,
        'AMOUNT_LINE_ITEMS_REMAINING number': ({ one, isReceipt }) =>
          isReceipt ? null : isPaid(one) ? 0 : sign(one) * one.net,
        'TAX_ORIGINAL number': ({ one, isReceipt }) => (isReceipt ? null : sign(one) * one.tax),
        'TAX_REMAINING number': ({ one, isReceipt }) =>
          isReceipt ? null : isPaid(one) ? 0 : sign(one) * one.tax,
        'FREIGHT_ORIGINAL number, FREIGHT_REMAINING number': ({ isReceipt }) =>
          isReceipt ? null : 0,
        'DISCOUNT_ORIGINAL number, AMOUNT_IN_DISPUTE number': null,
        'AMOUNT_APPLIED number': ({ one, isReceipt }) =>
          !isReceipt && isPaid(one) ? one.gross : null,
        'AMOUNT_CREDITED number, AMOUNT_ADJUSTED number': null,
        'EXCHANGE_RATE number': ({ one }) => (isForeign(one) ? usDollarRate : null),
        'ACCTD_AMOUNT_DUE_REMAINING number': ({ one, isReceipt }) =>
          isReceipt || isPaid(one) ? 0 : sign(one) * own(one, one.gross),
        'ORG_ID number': unit,
      },
    ),
    HZ_CUST_ACCOUNTS: tableOf(customers, {
      '*CUST_ACCOUNT_ID number': ({ id }) => accountOf(id),
      'PARTY_ID number': ({ id }) => partyOf(id),
      ...who,
      'ACCOUNT_NUMBER varchar2(30)': ({ code }) => code.slice(1),
      ...descriptive,
      'ORIG_SYSTEM_REFERENCE varchar2(240)': ({ id }) => String(accountOf(id)),
      'STATUS varchar2(1)': 'A',
      'CUSTOMER_TYPE varchar2(30)': 'R',
      'CUSTOMER_CLASS_CODE varchar2(30), SALES_CHANNEL_CODE varchar2(30)': null,
      'PRIMARY_SALESREP_ID number, ORDER_TYPE_ID number, PRICE_LIST_ID number': null,
      'TAX_CODE varchar2(50), FOB_POINT varchar2(30), FREIGHT_TERM varchar2(30)': null,
      'TAX_HEADER_LEVEL_FLAG varchar2(1)': 'N',
      'TAX_ROUNDING_RULE varchar2(30)': 'NEAREST',
      'ACCOUNT_ESTABLISHED_DATE date': midnight('2025-02-03'),
      'HOLD_BILL_FLAG varchar2(1)': 'N',
      'ACCOUNT_NAME varchar2(240)': null,
    }),
    HZ_PARTIES: tableOf(
      [
        ...customers.map((one) => ({ one, id: partyOf(one.id), type: 'ORGANIZATION' })),
        ...customers.map((one) => ({ one, id: partyOf(one.id) + 200, type: 'PERSON' })),
        ...customers.map((one) => ({ one, id: partyOf(one.id) + 400, type: 'PARTY_RELATIONSHIP' })),
        {
          one: { ...customers[0]!, name: 'Mill Supplies Ltd', vat: 'DE811111111' },
          id: supplierParty,
          type: 'ORGANIZATION',
        },
      ],
      {
        '*PARTY_ID number': ({ id }) => id,
        'PARTY_NUMBER varchar2(30)': ({ id }) => String(id - 2000),
        'PARTY_NAME varchar2(360)': ({ one, type }) =>
          type === 'ORGANIZATION'
            ? one.name
            : type === 'PERSON'
              ? `${one.first} ${one.last}`
              : `${one.first} ${one.last}-${one.name}`,
        'PARTY_TYPE varchar2(30)': ({ type }) => type,
        'VALIDATED_FLAG varchar2(1)': 'N',
        ...who,
        ...batch,
        'ORIG_SYSTEM_REFERENCE varchar2(240)': ({ id }) => String(id),
        'SIC_CODE varchar2(30), HQ_BRANCH_IND varchar2(30)': null,
        'CUSTOMER_KEY varchar2(500)': ({ one, type }) =>
          type === 'ORGANIZATION' ? one.name.toUpperCase().replaceAll(/\W/g, '') : null,
        'TAX_REFERENCE varchar2(50)': ({ one, type }) => (type === 'ORGANIZATION' ? one.vat : null),
        'JGZZ_FISCAL_CODE varchar2(20)': null,
        'PERSON_FIRST_NAME varchar2(150)': ({ one, type }) =>
          type === 'PERSON' ? one.first : null,
        'PERSON_LAST_NAME varchar2(150)': ({ one, type }) => (type === 'PERSON' ? one.last : null),
        'KNOWN_AS varchar2(240), DUNS_NUMBER number': null,
        'COUNTRY varchar2(60)': ({ one, type }) =>
          type === 'ORGANIZATION' ? one.countryCode : null,
        'ADDRESS1 varchar2(240)': ({ one, type }) => (type === 'ORGANIZATION' ? one.street : null),
        'ADDRESS2 varchar2(240), ADDRESS3 varchar2(240), ADDRESS4 varchar2(240)': null,
        'CITY varchar2(60)': ({ one, type }) => (type === 'ORGANIZATION' ? one.city : null),
        'POSTAL_CODE varchar2(60)': ({ one, type }) => (type === 'ORGANIZATION' ? one.zip : null),
        'STATE varchar2(60)': ({ one, type }) => (type === 'ORGANIZATION' ? one.state : null),
        'PROVINCE varchar2(60), COUNTY varchar2(60)': null,
        'STATUS varchar2(1)': 'A',
        'URL varchar2(2000)': null,
        'EMAIL_ADDRESS varchar2(2000)': ({ one, type }) =>
          type === 'PARTY_RELATIONSHIP' ? one.email : null,
        'PRIMARY_PHONE_NUMBER varchar2(40)': ({ one, type }) =>
          type === 'ORGANIZATION' ? one.phone.slice(7) : null,
        'PRIMARY_PHONE_AREA_CODE varchar2(10)': ({ type }) =>
          type === 'ORGANIZATION' ? '20' : null,
        'PRIMARY_PHONE_COUNTRY_CODE varchar2(10)': ({ type }) =>
          type === 'ORGANIZATION' ? '44' : null,
      },
    ),
    HZ_CUST_SITE_USES_ALL: tableOf(places, {
      '*SITE_USE_ID number': ({ use }) => use,
      'CUST_ACCT_SITE_ID number': ({ site }) => site,
      ...who,
      'SITE_USE_CODE varchar2(30)': ({ isBill }) => (isBill ? 'BILL_TO' : 'SHIP_TO'),
      'PRIMARY_FLAG varchar2(1)': 'Y',
      'STATUS varchar2(1)': 'A',
      'LOCATION varchar2(40)': ({ one, isBill }) => `${one.city}${isBill ? '' : ' depot'} (OPS)`,
      'CONTACT_ID number': null,
      'BILL_TO_SITE_USE_ID number': ({ one, isBill }) => (isBill ? null : billUse(one.id)),
      'SIC_CODE varchar2(30)': null,
      'PAYMENT_TERM_ID number': 4,
      'TAX_REFERENCE varchar2(50), TAX_CODE varchar2(50)': null,
      ...descriptive,
      'ORG_ID number': unit,
    }),
    HZ_CUST_ACCT_SITES_ALL: tableOf(places, {
      '*CUST_ACCT_SITE_ID number': ({ site }) => site,
      'CUST_ACCOUNT_ID number': ({ one }) => accountOf(one.id),
      'PARTY_SITE_ID number': ({ site }) => site + 4000,
      ...who,
      'ORIG_SYSTEM_REFERENCE varchar2(240)': ({ site }) => String(site),
      'STATUS varchar2(1)': 'A',
      'ORG_ID number': unit,
      'BILL_TO_FLAG varchar2(1)': ({ isBill }) => (isBill ? 'P' : null),
      'MARKET_FLAG varchar2(1)': null,
      'SHIP_TO_FLAG varchar2(1)': ({ isBill }) => (isBill ? null : 'P'),
      'LANGUAGE varchar2(4), TERRITORY varchar2(30)': null,
    }),
    HZ_PARTY_SITES: tableOf(places, {
      '*PARTY_SITE_ID number': ({ site }) => site + 4000,
      'PARTY_ID number': ({ one }) => partyOf(one.id),
      'LOCATION_ID number': ({ place }) => place,
      ...who,
      'PARTY_SITE_NUMBER varchar2(30)': ({ site }) => String(site - 5000),
      'IDENTIFYING_ADDRESS_FLAG varchar2(1)': ({ isBill }) => (isBill ? 'Y' : 'N'),
      'STATUS varchar2(1)': 'A',
      'PARTY_SITE_NAME varchar2(240), MAILSTOP varchar2(60), ADDRESSEE varchar2(150)': null,
    }),
    HZ_LOCATIONS: tableOf(places, {
      '*LOCATION_ID number': ({ place }) => place,
      ...who,
      'ORIG_SYSTEM_REFERENCE varchar2(240)': ({ place }) => String(place),
      'COUNTRY varchar2(60)': ({ one }) => one.countryCode,
      'ADDRESS1 varchar2(240)': ({ one, isBill }) => (isBill ? one.street : 'Dock 4'),
      'ADDRESS2 varchar2(240), ADDRESS3 varchar2(240), ADDRESS4 varchar2(240)': null,
      'CITY varchar2(60)': ({ one }) => one.city,
      'POSTAL_CODE varchar2(60)': ({ one }) => one.zip,
      'STATE varchar2(60)': ({ one }) => one.state,
      'PROVINCE varchar2(60), COUNTY varchar2(60)': null,
      'ADDRESS_STYLE varchar2(30)': 'POSTAL_ADDR_DEF',
      'VALIDATED_FLAG varchar2(1)': 'N',
      'TIMEZONE_ID number': null,
    }),
    HZ_CUST_ACCOUNT_ROLES: tableOf(customers, {
      '*CUST_ACCOUNT_ROLE_ID number': ({ id }) => contactOf(id),
      'PARTY_ID number': ({ id }) => partyOf(id) + 400,
      'CUST_ACCOUNT_ID number': ({ id }) => accountOf(id),
      'CUST_ACCT_SITE_ID number': null,
      'PRIMARY_FLAG varchar2(1)': 'N',
      'ROLE_TYPE varchar2(30)': 'CONTACT',
      'STATUS varchar2(1)': 'A',
      ...who,
    }),
    HZ_RELATIONSHIPS: tableOf(customers, {
      '*RELATIONSHIP_ID number': ({ id }) => id + 12_000,
      'SUBJECT_ID number': ({ id }) => partyOf(id) + 200,
      'SUBJECT_TYPE varchar2(30)': 'PERSON',
      'SUBJECT_TABLE_NAME varchar2(30), OBJECT_TABLE_NAME varchar2(30)': 'HZ_PARTIES',
      'OBJECT_ID number': ({ id }) => partyOf(id),
      'OBJECT_TYPE varchar2(30)': 'ORGANIZATION',
      'PARTY_ID number': ({ id }) => partyOf(id) + 400,
      'RELATIONSHIP_CODE varchar2(30)': 'CONTACT_OF',
      '*DIRECTIONAL_FLAG varchar2(1)': 'F',
      'STATUS varchar2(1)': 'A',
      ...who,
    }),
    HZ_CONTACT_POINTS: tableOf(
      customers.flatMap((one) => [
        { one, isMail: false, id: one.id + 13_000 },
        { one, isMail: true, id: one.id + 13_500 },
      ]),
      {
        '*CONTACT_POINT_ID number': ({ id }) => id,
        'CONTACT_POINT_TYPE varchar2(30)': ({ isMail }) => (isMail ? 'EMAIL' : 'PHONE'),
        'STATUS varchar2(1)': 'A',
        'OWNER_TABLE_NAME varchar2(30)': 'HZ_PARTIES',
        'OWNER_TABLE_ID number': ({ one }) => partyOf(one.id),
        'PRIMARY_FLAG varchar2(1)': 'Y',
        ...who,
        'EMAIL_FORMAT varchar2(30)': ({ isMail }) => (isMail ? 'MAILTEXT' : null),
        'EMAIL_ADDRESS varchar2(2000)': ({ one, isMail }) => (isMail ? one.email : null),
        'PHONE_AREA_CODE varchar2(10)': ({ isMail }) => (isMail ? null : '20'),
        'PHONE_COUNTRY_CODE varchar2(10)': ({ isMail }) => (isMail ? null : '44'),
        'PHONE_NUMBER varchar2(40)': ({ one, isMail }) => (isMail ? null : one.phone.slice(7)),
        'PHONE_EXTENSION varchar2(20)': null,
        'PHONE_LINE_TYPE varchar2(30)': ({ isMail }) => (isMail ? null : 'GEN'),
        'RAW_PHONE_NUMBER varchar2(60)': ({ one, isMail }) => (isMail ? null : one.phone),
      },
    ),
    FND_TERRITORIES_TL: tableOf(countries, {
      '*TERRITORY_CODE varchar2(2)': ({ countryCode }) => countryCode,
      '*LANGUAGE varchar2(4)': 'US',
      'TERRITORY_SHORT_NAME varchar2(80), DESCRIPTION varchar2(240)': ({ country }) => country,
      'SOURCE_LANG varchar2(4)': 'US',
    }),
    RA_TERMS_TL: {
      columns:
        '*TERM_ID number, *LANGUAGE varchar2(4), SOURCE_LANG varchar2(4), NAME varchar2(15), DESCRIPTION varchar2(240)',
      rows: [
        [4, 'US', 'US', '30 Net', 'Net due in 30 days'],
        [5, 'US', 'US', 'IMMEDIATE', 'Due immediately'],
      ],
    },
    MTL_SYSTEM_ITEMS_B: tableOf(items, {
      '*INVENTORY_ITEM_ID number': ({ id }) => id,
      '*ORGANIZATION_ID number': unit,
      ...who,
      'ENABLED_FLAG varchar2(1)': 'Y',
      'DESCRIPTION varchar2(240)': ({ name }) => name,
      'SEGMENT1 varchar2(40)': ({ code }) => code,
      'SEGMENT2 varchar2(40), SEGMENT3 varchar2(40)': null,
      ...descriptive,
      'PURCHASING_ITEM_FLAG varchar2(1), CUSTOMER_ORDER_FLAG varchar2(1)': 'Y',
      'LIST_PRICE_PER_UNIT number': ({ price }) => round(price / 2),
      'PRIMARY_UOM_CODE varchar2(3)': (one) => uom(one.unit),
      'PRIMARY_UNIT_OF_MEASURE varchar2(25)': (one) => uoms[one.unit]![1],
      'INVENTORY_ITEM_STATUS_CODE varchar2(10)': 'Active',
      'TAX_CODE varchar2(50)': null,
    }),
    MTL_UNITS_OF_MEASURE_TL: tableOf(Object.values(uoms), {
      '*UNIT_OF_MEASURE varchar2(25), UNIT_OF_MEASURE_TL varchar2(25)': ([, name]) => name,
      'UOM_CODE varchar2(3)': ([code]) => code,
      'UOM_CLASS varchar2(10)': 'Quantity',
      'BASE_UOM_FLAG varchar2(1)': 'Y',
      '*LANGUAGE varchar2(4)': 'US',
      'SOURCE_LANG varchar2(4)': 'US',
    }),
  },
  sections: {
    header: {
      table: 'RA_CUSTOMER_TRX_ALL',
      key: 'CUSTOMER_TRX_ID',
      match: 'TRX_NUMBER',
      where: { COMPLETE_FLAG: 'Y', CUST_TRX_TYPE_ID: String(types.INV) },
    },
    lines: {
      table: 'RA_CUSTOMER_TRX_LINES_ALL',
      key: 'CUSTOMER_TRX_LINE_ID',
      match: 'CUSTOMER_TRX_ID',
      matchFrom: 'CUSTOMER_TRX_ID',
      where: { LINE_TYPE: 'LINE' },
    },
    customer: {
      table: 'HZ_CUST_ACCOUNTS',
      key: 'CUST_ACCOUNT_ID',
      match: 'CUST_ACCOUNT_ID',
      matchFrom: 'BILL_TO_CUSTOMER_ID',
    },
  },
  // The rate stands in lines of tax only: in the others its column is empty.
  fields: {
    number:
      'RA_CUSTOMER_TRX_ALL.TRX_NUMBER|AR_PAYMENT_SCHEDULES_ALL.TRX_NUMBER|ZX_LINES.TRX_NUMBER',
    issue_date: 'RA_CUSTOMER_TRX_ALL.TRX_DATE|AR_PAYMENT_SCHEDULES_ALL.TRX_DATE|ZX_LINES.TRX_DATE',
    due_date: 'RA_CUSTOMER_TRX_ALL.TERM_DUE_DATE|AR_PAYMENT_SCHEDULES_ALL.DUE_DATE',
    'delivery.date': 'RA_CUSTOMER_TRX_ALL.SHIP_DATE_ACTUAL',
    currency:
      'RA_CUSTOMER_TRX_ALL.INVOICE_CURRENCY_CODE|AR_PAYMENT_SCHEDULES_ALL.INVOICE_CURRENCY_CODE|ZX_LINES.TRX_CURRENCY_CODE',
    'exchange_rate.rate':
      'RA_CUSTOMER_TRX_ALL.EXCHANGE_RATE|AR_PAYMENT_SCHEDULES_ALL.EXCHANGE_RATE|GL_DAILY_RATES.CONVERSION_RATE',
    purchase_order: 'RA_CUSTOMER_TRX_ALL.PURCHASE_ORDER',
    buyer_reference: 'RA_CUSTOMER_TRX_ALL.PURCHASE_ORDER',
    'notes[]': 'RA_CUSTOMER_TRX_ALL.COMMENTS',
    'payment_terms[].note': 'RA_TERMS_TL.DESCRIPTION|RA_TERMS_TL.NAME',
    'totals.net': 'AR_PAYMENT_SCHEDULES_ALL.AMOUNT_LINE_ITEMS_ORIGINAL',
    'totals.lines': 'AR_PAYMENT_SCHEDULES_ALL.AMOUNT_LINE_ITEMS_ORIGINAL',
    'totals.tax': 'AR_PAYMENT_SCHEDULES_ALL.TAX_ORIGINAL',
    'totals.gross': 'AR_PAYMENT_SCHEDULES_ALL.AMOUNT_DUE_ORIGINAL',
    'totals.due': 'AR_PAYMENT_SCHEDULES_ALL.AMOUNT_DUE_ORIGINAL',
    'buyer.name': 'HZ_PARTIES.PARTY_NAME',
    'buyer.trn': 'HZ_PARTIES.TAX_REFERENCE|ZX_PARTY_TAX_PROFILE.REP_REGISTRATION_NUMBER',
    'buyer.address.line1': 'HZ_LOCATIONS.ADDRESS1|HZ_PARTIES.ADDRESS1',
    'buyer.address.line2': 'HZ_LOCATIONS.ADDRESS2|HZ_PARTIES.ADDRESS2',
    'buyer.address.city': 'HZ_LOCATIONS.CITY|HZ_PARTIES.CITY',
    'buyer.address.post_code': 'HZ_LOCATIONS.POSTAL_CODE|HZ_PARTIES.POSTAL_CODE',
    'buyer.address.subdivision': 'HZ_LOCATIONS.STATE|HZ_PARTIES.STATE',
    'buyer.address.country':
      'HZ_LOCATIONS.COUNTRY|HZ_PARTIES.COUNTRY|FND_TERRITORIES_TL.TERRITORY_CODE|ZX_PARTY_TAX_PROFILE.COUNTRY_CODE|' +
      'FND_TERRITORIES_TL.TERRITORY_SHORT_NAME!map|FND_TERRITORIES_TL.DESCRIPTION!map',
    'buyer.contact.name': 'HZ_PARTIES.PERSON_FIRST_NAME!concat|HZ_PARTIES.PERSON_LAST_NAME!concat',
    'buyer.contact.phone':
      'HZ_CONTACT_POINTS.RAW_PHONE_NUMBER|HZ_CONTACT_POINTS.PHONE_NUMBER|HZ_PARTIES.PRIMARY_PHONE_NUMBER',
    'buyer.contact.email': 'HZ_CONTACT_POINTS.EMAIL_ADDRESS|HZ_PARTIES.EMAIL_ADDRESS',
    'lines[].id':
      'RA_CUSTOMER_TRX_LINES_ALL.LINE_NUMBER|RA_CUSTOMER_TRX_LINES_ALL.CUSTOMER_TRX_LINE_ID|ZX_LINES.TRX_LINE_NUMBER',
    'lines[].sku': 'MTL_SYSTEM_ITEMS_B.SEGMENT1|RA_CUSTOMER_TRX_LINES_ALL.INVENTORY_ITEM_ID',
    'lines[].name': 'RA_CUSTOMER_TRX_LINES_ALL.DESCRIPTION|MTL_SYSTEM_ITEMS_B.DESCRIPTION',
    'lines[].description': 'RA_CUSTOMER_TRX_LINES_ALL.DESCRIPTION|MTL_SYSTEM_ITEMS_B.DESCRIPTION',
    // Of credit notes the quantity stands beside it.
    'lines[].qty':
      'RA_CUSTOMER_TRX_LINES_ALL.QUANTITY_INVOICED|RA_CUSTOMER_TRX_LINES_ALL.QUANTITY_ORDERED',
    'lines[].unit':
      'RA_CUSTOMER_TRX_LINES_ALL.UOM_CODE!map|MTL_SYSTEM_ITEMS_B.PRIMARY_UOM_CODE!map|' +
      'MTL_SYSTEM_ITEMS_B.PRIMARY_UNIT_OF_MEASURE!map|MTL_UNITS_OF_MEASURE_TL.UOM_CODE!map|' +
      'MTL_UNITS_OF_MEASURE_TL.UNIT_OF_MEASURE!map|MTL_UNITS_OF_MEASURE_TL.UNIT_OF_MEASURE_TL!map',
    'lines[].unit_price': 'RA_CUSTOMER_TRX_LINES_ALL.UNIT_SELLING_PRICE',
    'lines[].gross_price':
      'RA_CUSTOMER_TRX_LINES_ALL.UNIT_STANDARD_PRICE|RA_CUSTOMER_TRX_LINES_ALL.UNIT_SELLING_PRICE',
    'lines[].net':
      'RA_CUSTOMER_TRX_LINES_ALL.EXTENDED_AMOUNT|RA_CUSTOMER_TRX_LINES_ALL.REVENUE_AMOUNT|ZX_LINES.LINE_AMT|ZX_LINES.TAXABLE_AMT',
    'lines[].accounting.tax_totals[].amount': 'ZX_LINES.TAX_AMT',
    'lines[].tax.rate': 'ZX_LINES.TAX_RATE|ZX_RATES_B.PERCENTAGE_RATE',
    'lines[].tax.category':
      'RA_CUSTOMER_TRX_LINES_ALL.TAX_CLASSIFICATION_CODE!map|ZX_LINES.TAX_RATE_CODE!map|ZX_LINES.TAX_STATUS_CODE!map|' +
      'ZX_LINES.TAX_RATE!map|ZX_LINES.TAX_RATE_ID!map|ZX_RATES_B.TAX_RATE_CODE!map|ZX_RATES_B.TAX_STATUS_CODE!map|' +
      'ZX_RATES_B.PERCENTAGE_RATE!map',
  },
};
