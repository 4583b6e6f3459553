import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { customers, done, type Invoice, invoices, items, netPrice } from './trade.ts';

const round = (value: number) => Math.round(value * 100) / 100;
const day = (date: string) => at(date, '00:00:00');
const uuid = (id: number) => `5f0e8a3c-77d1-4e6b-9a31-${String(id).padStart(12, '0')}`;
const isVoid = ({ id, isDraft }: Invoice) => !isDraft && id % 14 === 3;
const types = { sale: 116, memo: 118, purchase: 123, order: 135 };
const vendor = {
  ...customers[0]!,
  id: 120,
  code: 'Mill',
  name: 'Mill Supplies',
  vat: 'DE811111111',
};
/** Invoices sold and, in the same tables, those bought. */
const documents = [
  ...invoices.map((one) => ({ one, isSold: true, id: one.id, type: typeOf(one) })),
  ...done.slice(0, 15).map((one) => ({
    one: { ...one, customer: vendor, currency: 'EUR' },
    isSold: false,
    id: one.id + 500,
    type: types.purchase,
  })),
];
type Document = (typeof documents)[number];
const lines = documents.flatMap((document) =>
  document.one.lines.map((line) => ({
    document,
    line: { ...line, id: document.isSold ? line.id : line.id + 5000 },
  })),
);
const netOf = (line: Invoice['lines'][number]) => round(netPrice(line) * line.quantity);
const taxOf = (line: Invoice['lines'][number]) => round((netOf(line) * line.item.rate) / 100);
const netSum = ({ one }: Document) => round(one.lines.reduce((sum, line) => sum + netOf(line), 0));
const taxSum = ({ one }: Document) => round(one.lines.reduce((sum, line) => sum + taxOf(line), 0));
const taxIds: Readonly<Record<string, number>> = { S: 105, Z: 104 };
const taxes = documents.flatMap((document) =>
  Object.keys(taxIds).flatMap((code) => {
    const taxed = document.one.lines.filter(({ item }) => item.taxCode === code);
    const sum = (of: (line: Invoice['lines'][number]) => number) =>
      isVoid(document.one) ? 0 : round(taxed.reduce((all, line) => all + of(line), 0));
    return taxed.length === 0
      ? []
      : [{ document, taxId: taxIds[code]!, base: sum(netOf), tax: sum(taxOf) }];
  }),
);
const currencies: Readonly<Record<string, number>> = { USD: 100, EUR: 102 };
const units = [
  { unit: 'PCS', id: 100, name: 'Each', symbol: 'Ea', code: 'EA' },
  { unit: 'HR', id: 101, name: 'Hour', symbol: 'h', code: 'HR' },
  { unit: 'M', id: 50_001, name: 'Meter', symbol: 'm', code: 'MR' },
  { unit: 'L', id: 50_002, name: 'Liter', symbol: 'l', code: 'LT' },
  { unit: 'KG', id: 50_003, name: 'Kilogram', symbol: 'kg', code: 'KG' },
];
const unitId = (unit: string) => units.find((each) => each.unit === unit)!.id;
const countries = [...new Map(customers.map((one) => [one.countryCode, one])).values()];
const countryId = (code: string) => countries.findIndex((one) => one.countryCode === code) + 101;
const parties = [...customers, vendor];
const system = {
  'ad_client_id numeric': 11,
  'ad_org_id numeric': 11,
  'isactive char': 'Y',
  'created timestamp': at('2025-11-03'),
  'createdby numeric': 100,
  'updated timestamp': at('2025-12-03'),
  'updatedby numeric': 100,
} as const;

function typeOf({ isDraft, kind }: Invoice): number {
  if (isDraft) return 0;
  return kind === 'credit' ? types.memo : types.sale;
}

const noise: Readonly<Record<string, LayoutTable>> = {
  c_order: tableOf(documents, {
    '*c_order_id numeric': ({ id }) => id + 10_000,
    ...system,
    'issotrx char': ({ isSold }) => (isSold ? 'Y' : 'N'),
    'documentno varchar': ({ id }) => String(50_000 + id),
    'docstatus char': 'CO',
    'c_doctype_id numeric': ({ isSold }) => (isSold ? types.order : 126),
    'description varchar': null,
    'dateordered timestamp': ({ one }) => day(one.date),
    'datepromised timestamp': ({ one }) => day(one.due),
    'c_bpartner_id numeric': ({ one }) => one.customer.id,
    'bill_bpartner_id numeric': ({ one }) => one.customer.id,
    'poreference varchar': ({ one }) => one.order || null,
    'c_currency_id numeric': ({ one }) => currencies[one.currency]!,
    'paymentrule char': 'P',
    'c_paymentterm_id numeric': 105,
    'totallines numeric': (each) => netSum(each),
    'grandtotal numeric': (each) => round(netSum(each) + taxSum(each)),
    'm_warehouse_id numeric': 103,
    'salesrep_id numeric': 101,
  }),
  c_orderline: tableOf(lines, {
    '*c_orderline_id numeric': ({ line }) => line.id + 100_000,
    ...system,
    'c_order_id numeric': ({ document }) => document.id + 10_000,
    'line numeric': ({ line }) => line.position * 10,
    'm_product_id numeric': ({ line }) => line.item.id,
    'c_uom_id numeric': ({ line }) => unitId(line.item.unit),
    'qtyordered numeric, qtydelivered numeric, qtyinvoiced numeric': ({ line }) => line.quantity,
    'pricelist numeric': ({ line }) => line.price,
    'priceactual numeric': ({ line }) => netPrice(line),
    'linenetamt numeric': ({ line }) => netOf(line),
    'discount numeric': ({ line }) => line.discount,
    'c_tax_id numeric': ({ line }) => taxIds[line.item.taxCode]!,
  }),
  c_payment: tableOf(documents.slice(0, 20), {
    '*c_payment_id numeric': ({ id }) => id + 700,
    ...system,
    'documentno varchar': ({ id }) => String(70_000 + id),
    'datetrx timestamp': ({ one }) => day(one.due),
    'isreceipt char': 'Y',
    'c_doctype_id numeric': 119,
    'tendertype char': 'K',
    'c_bpartner_id numeric': ({ one }) => one.customer.id,
    'c_invoice_id numeric': ({ id }) => id,
    'c_currency_id numeric': ({ one }) => currencies[one.currency]!,
    'payamt numeric': (each) => round(netSum(each) + taxSum(each)),
    'docstatus char': 'CO',
  }),
  m_inout: tableOf(documents, {
    '*m_inout_id numeric': ({ id }) => id + 20_000,
    ...system,
    'issotrx char': ({ isSold }) => (isSold ? 'Y' : 'N'),
    'documentno varchar': ({ id }) => String(60_000 + id),
    'docstatus char': 'CO',
    'c_order_id numeric': ({ id }) => id + 10_000,
    'movementdate timestamp': ({ one }) => day(one.date),
    'c_bpartner_id numeric': ({ one }) => one.customer.id,
    'movementtype char': ({ isSold }) => (isSold ? 'C-' : 'V+'),
  }),
  c_invoicepayschedule: {
    columns:
      '*c_invoicepayschedule_id numeric, ad_client_id numeric, c_invoice_id numeric, c_payschedule_id numeric, duedate timestamp, dueamt numeric, discountdate timestamp, discountamt numeric, isvalid char',
    rows: [],
  },
  fact_acct: tableOf(documents, {
    '*fact_acct_id numeric': ({ id }) => id + 200_000,
    ...system,
    'c_acctschema_id numeric': 101,
    'account_id numeric': 518,
    'datetrx timestamp, dateacct timestamp': ({ one }) => day(one.date),
    'ad_table_id numeric': 318,
    'record_id numeric': ({ id }) => id,
    'amtsourcedr numeric, amtacctdr numeric': (each) => round(netSum(each) + taxSum(each)),
    'amtsourcecr numeric, amtacctcr numeric': 0,
    'c_currency_id numeric': ({ one }) => currencies[one.currency]!,
    'description varchar': null,
  }),
  ad_org: {
    columns:
      '*ad_org_id numeric, ad_client_id numeric, isactive char, value varchar, name varchar, description varchar',
    rows: [
      [0, 0, 'Y', '*', '*', 'All Organizations'],
      [11, 11, 'Y', 'HQ', 'HQ', 'Head office'],
    ],
  },
  ad_orginfo: {
    columns:
      '*ad_org_id numeric, c_location_id numeric, duns varchar, taxid varchar, email varchar, phone varchar',
    rows: [[11, 590, '?', 'DE123456789', 'a@b.example', '+49 40 1']],
  },
  ad_sysconfig: {
    columns: '*ad_sysconfig_id numeric, name varchar, value varchar, configurationlevel char',
    rows: [[1, 'DICTIONARY_ID_WEBSITE', 'http://dictionary.example', 'S']],
  },
  m_pricelist: {
    columns:
      '*m_pricelist_id numeric, name varchar, issopricelist char, istaxincluded char, c_currency_id numeric, priceprecision numeric',
    rows: [
      [101, 'Standard', 'Y', 'N', 102, 2],
      [102, 'Purchase', 'N', 'N', 102, 2],
    ],
  },
};

/**
 * Invoices sold and bought, drafts, voids and credit memos in one table, told apart by marks and types of document; the price
 * after discount; addresses, units, taxes and currencies by numbers (iDempiere, ADempiere).
 */
export const salesAndPurchases: Layout = {
  name: 'sales-and-purchases',
  isHeldOut: false,
  tables: {
    ...noise,
    c_invoice: tableOf(
      documents,
      {
        '*c_invoice_id numeric': ({ id }) => id,
        ...system,
        'issotrx char': ({ isSold }) => (isSold ? 'Y' : 'N'),
        'documentno varchar': ({ one, isSold, id }) =>
          isSold ? String(100_000 + id) : `MS-${one.id}`,
        'docstatus char': ({ one }) => (one.isDraft ? 'DR' : isVoid(one) ? 'VO' : 'CO'),
        'docaction char': ({ one }) => (one.isDraft ? 'CO' : isVoid(one) ? '--' : 'CL'),
        'processing char': 'N',
        'processed char': ({ one }) => (one.isDraft ? 'N' : 'Y'),
        'posted char': ({ one }) => (one.isDraft ? 'N' : 'Y'),
        'c_doctype_id numeric': ({ type }) => type,
        'c_doctypetarget_id numeric': ({ one, type }) =>
          type === 0 ? (one.kind === 'credit' ? types.memo : types.sale) : type,
        'c_order_id numeric': ({ id }) => id + 10_000,
        'description varchar': ({ one, id }) =>
          isVoid(one) ? '** Voided **' : id % 6 === 0 ? 'Thank you for your order' : null,
        'isapproved char': ({ one }) => (one.isDraft ? 'N' : 'Y'),
        'istransferred char': 'N',
        'isprinted char': ({ id }) => (id % 2 === 0 ? 'Y' : 'N'),
        'salesrep_id numeric': 101,
        'dateinvoiced timestamp': ({ one }) => day(one.date),
        'dateprinted timestamp': ({ one, id }) => (id % 2 === 0 ? day(one.due) : null),
        'dateacct timestamp': ({ one }) => day(one.date),
        'c_bpartner_id numeric': ({ one }) => one.customer.id,
        'c_bpartner_location_id numeric': ({ one }) => one.customer.id + 200,
        'poreference varchar': ({ one }) => one.order || null,
        'isdiscountprinted char': 'Y',
        'dateordered timestamp': ({ one }) => day(one.date),
        'c_currency_id numeric': ({ one }) => currencies[one.currency]!,
        'paymentrule char': ({ id }) => (id % 5 === 0 ? 'T' : 'P'),
        'c_paymentterm_id numeric': 105,
        'c_charge_id numeric': null,
        'chargeamt numeric': 0,
        'totallines numeric': (each) => (isVoid(each.one) ? 0 : netSum(each)),
        'grandtotal numeric': (each) => (isVoid(each.one) ? 0 : round(netSum(each) + taxSum(each))),
        'm_pricelist_id numeric': ({ isSold }) => (isSold ? 101 : 102),
        'istaxincluded char': 'N',
        'c_campaign_id numeric, c_project_id numeric, c_activity_id numeric': null,
        'ispaid char': ({ id }) => (id % 3 === 0 ? 'Y' : 'N'),
        'c_payment_id numeric, c_cashline_id numeric': null,
        'createfrom char, generateto char': 'N',
        'sendemail char': 'N',
        'ad_user_id numeric': ({ one }) => one.customer.id + 300,
        'copyfrom char': null,
        'isselfservice char': 'N',
        'ad_orgtrx_id numeric, user1_id numeric, user2_id numeric': null,
        'c_conversiontype_id numeric': 114,
        'ispayschedulevalid char': 'N',
        'ref_invoice_id numeric': null,
        'isindispute char': 'N',
        'invoicecollectiontype char': null,
        'm_rma_id numeric, dunninggrace timestamp, c_dunninglevel_id numeric': null,
        'reversal_id numeric': null,
        'processedon numeric': ({ id }) => 1_767_000_000_000 + id,
        'c_invoice_uu varchar': ({ id }) => uuid(id),
        'isfixedassetinvoice char': 'N',
        'isoverridecurrencyrate char': 'N',
        'currencyrate numeric': 0,
      },
      {
        c_doctype_id: 'c_doctype.c_doctype_id',
        c_doctypetarget_id: 'c_doctype.c_doctype_id',
        c_order_id: 'c_order.c_order_id',
        c_bpartner_id: 'c_bpartner.c_bpartner_id',
        c_bpartner_location_id: 'c_bpartner_location.c_bpartner_location_id',
        c_currency_id: 'c_currency.c_currency_id',
        c_paymentterm_id: 'c_paymentterm.c_paymentterm_id',
        m_pricelist_id: 'm_pricelist.m_pricelist_id',
        ad_user_id: 'ad_user.ad_user_id',
        salesrep_id: 'ad_user.ad_user_id',
      },
    ),
    c_invoiceline: tableOf(
      lines,
      {
        '*c_invoiceline_id numeric': ({ line }) => line.id,
        ...system,
        'c_invoice_id numeric': ({ document }) => document.id,
        'c_orderline_id numeric': ({ line }) => line.id + 100_000,
        'm_inoutline_id numeric': ({ line }) => line.id + 300_000,
        'line numeric': ({ line }) => line.position * 10,
        'description varchar': ({ line }) => (line.id % 9 === 0 ? 'As agreed' : null),
        'm_product_id numeric': ({ line }) => line.item.id,
        'qtyinvoiced numeric': ({ document, line }) => (isVoid(document.one) ? 0 : line.quantity),
        'pricelist numeric': ({ line }) => line.price,
        'priceactual numeric': ({ line }) => netPrice(line),
        'pricelimit numeric': ({ line }) => round(line.price * 0.8),
        'linenetamt numeric': ({ document, line }) => (isVoid(document.one) ? 0 : netOf(line)),
        'c_charge_id numeric': null,
        'c_uom_id numeric': ({ line }) => unitId(line.item.unit),
        'c_tax_id numeric': ({ line }) => taxIds[line.item.taxCode]!,
        's_resourceassignment_id numeric, a_asset_id numeric': null,
        'taxamt numeric': ({ document, line }) => (isVoid(document.one) ? 0 : taxOf(line)),
        'm_attributesetinstance_id numeric': 0,
        'isdescription char': 'N',
        'isprinted char': 'Y',
        'linetotalamt numeric': ({ document, line }) =>
          isVoid(document.one) ? 0 : round(netOf(line) + taxOf(line)),
        'ref_invoiceline_id numeric': null,
        'processed char': ({ document }) => (document.one.isDraft ? 'N' : 'Y'),
        'qtyentered numeric': ({ document, line }) => (isVoid(document.one) ? 0 : line.quantity),
        'priceentered numeric': ({ line }) => netPrice(line),
        'c_project_id numeric, c_projectphase_id numeric, c_projecttask_id numeric': null,
        'rrstartdate timestamp, rramt numeric': null,
        'c_campaign_id numeric, c_activity_id numeric, user1_id numeric, user2_id numeric': null,
        'ad_orgtrx_id numeric, m_rmaline_id numeric': null,
        'c_invoiceline_uu varchar': ({ line }) => uuid(line.id),
        'a_capvsexp char': null,
        'a_createasset char, isfixedassetinvoice char': 'N',
        'a_asset_group_id numeric': null,
      },
      {
        c_invoice_id: 'c_invoice.c_invoice_id',
        c_orderline_id: 'c_orderline.c_orderline_id',
        m_product_id: 'm_product.m_product_id',
        c_uom_id: 'c_uom.c_uom_id',
        c_tax_id: 'c_tax.c_tax_id',
      },
    ),
    c_invoicetax: tableOf(
      taxes,
      {
        '*c_tax_id numeric': ({ taxId }) => taxId,
        '*c_invoice_id numeric': ({ document }) => document.id,
        ...system,
        'taxbaseamt numeric': ({ base }) => base,
        'taxamt numeric': ({ tax }) => tax,
        'processed char': ({ document }) => (document.one.isDraft ? 'N' : 'Y'),
        'istaxincluded char': 'N',
        'c_taxprovider_id numeric': null,
      },
      { c_tax_id: 'c_tax.c_tax_id', c_invoice_id: 'c_invoice.c_invoice_id' },
    ),
    c_bpartner: tableOf(
      parties,
      {
        '*c_bpartner_id numeric': ({ id }) => id,
        ...system,
        'value varchar': ({ code }) => code,
        'name varchar': ({ name }) => name,
        'name2 varchar, description varchar': null,
        'issummary char': 'N',
        'c_bp_group_id numeric': ({ id }) => (id === vendor.id ? 104 : 103),
        'isonetime char, isprospect char': 'N',
        'isvendor char': ({ id }) => (id === vendor.id ? 'Y' : 'N'),
        'iscustomer char': ({ id }) => (id === vendor.id ? 'N' : 'Y'),
        'isemployee char, issalesrep char': 'N',
        'referenceno varchar, duns varchar, url varchar': null,
        'ad_language varchar': 'en_US',
        'taxid varchar': ({ vat }) => vat,
        'istaxexempt char': 'N',
        'c_invoiceschedule_id numeric, rating char': null,
        'salesvolume numeric': 0,
        'numberemployees numeric': 0,
        'naics varchar, firstsale timestamp': null,
        'so_creditlimit numeric': 0,
        'so_creditused numeric, totalopenbalance numeric': ({ id }) => id * 100,
        'acqusitioncost numeric, potentiallifetimevalue numeric': 0,
        'c_paymentterm_id numeric': 105,
        'paymentrule char': 'P',
        'm_pricelist_id numeric': 101,
        'isdiscountprinted char': 'Y',
        'so_description varchar, poreference varchar': null,
        'paymentrulepo char, po_paymentterm_id numeric': null,
        'documentcopies numeric': 1,
        'c_greeting_id numeric, invoicerule char, deliveryrule char, salesrep_id numeric': null,
        'socreditstatus char': 'X',
        'flatdiscount numeric': 0,
        'c_bpartner_uu varchar': ({ id }) => uuid(id),
        'ispotaxexempt char': 'N',
      },
      { c_paymentterm_id: 'c_paymentterm.c_paymentterm_id' },
    ),
    c_bpartner_location: tableOf(
      parties,
      {
        '*c_bpartner_location_id numeric': ({ id }) => id + 200,
        ...system,
        'name varchar': ({ city }) => city,
        'isbillto char, isshipto char, ispayfrom char, isremitto char': 'Y',
        'phone varchar': ({ phone }) => phone,
        'phone2 varchar, fax varchar, isdn varchar, c_salesregion_id numeric': null,
        'c_bpartner_id numeric': ({ id }) => id,
        'c_location_id numeric': ({ id }) => id + 500,
      },
      {
        c_bpartner_id: 'c_bpartner.c_bpartner_id',
        c_location_id: 'c_location.c_location_id',
      },
    ),
    c_location: tableOf(
      parties,
      {
        '*c_location_id numeric': ({ id }) => id + 500,
        ...system,
        'address1 varchar': ({ street }) => street,
        'address2 varchar, address3 varchar, address4 varchar, address5 varchar': null,
        'city varchar': ({ city }) => city,
        'postal varchar': ({ zip }) => zip,
        'postal_add varchar, c_city_id numeric': null,
        'c_country_id numeric': ({ countryCode }) => countryId(countryCode),
        'c_region_id numeric': null,
        'regionname varchar': ({ state }) => state,
        'comments varchar': null,
      },
      { c_country_id: 'c_country.c_country_id' },
    ),
    c_country: tableOf(countries, {
      '*c_country_id numeric': ({ countryCode }) => countryId(countryCode),
      ...system,
      'name varchar': ({ country }) => country,
      'description varchar': ({ country }) => country,
      'countrycode char': ({ countryCode }) => countryCode,
      'hasregion char': 'N',
      'regionname varchar': 'State',
      'displaysequence varchar': '@C@, @P@',
      'c_currency_id numeric': 102,
      'ad_language varchar': null,
    }),
    ad_user: tableOf(
      [
        {
          id: 100,
          name: 'SuperUser',
          email: 'root@b.example',
          phone: null,
          partner: null,
          title: null,
        },
        {
          id: 101,
          name: 'GardenAdmin',
          email: 'a@b.example',
          phone: null,
          partner: null,
          title: null,
        },
        ...parties.map(({ id, first, last, email, phone }) => ({
          id: id + 300,
          name: `${first} ${last}`,
          email,
          phone,
          partner: id,
          title: 'Accounts',
        })),
      ],
      {
        '*ad_user_id numeric': ({ id }) => id,
        ...system,
        'name varchar': ({ name }) => name,
        'description varchar, password varchar': null,
        'email varchar': ({ email }) => email,
        'supervisor_id numeric': null,
        'c_bpartner_id numeric': ({ partner }) => partner,
        'processing char': 'N',
        'emailuser varchar': null,
        'title varchar': ({ title }) => title,
        'comments varchar': null,
        'phone varchar': ({ phone }) => phone,
        'phone2 varchar, fax varchar, birthday timestamp': null,
        'notificationtype char': 'E',
        'value varchar': ({ name }) => name.toLowerCase().replace(' ', ''),
      },
      { c_bpartner_id: 'c_bpartner.c_bpartner_id' },
    ),
    c_doctype: {
      columns:
        '*c_doctype_id numeric, ad_client_id numeric, isactive char, name varchar, printname varchar, docbasetype char, issotrx char, docsubtypeso char, isdocnocontrolled char, documentcopies numeric',
      rows: [
        [0, 0, 'Y', '** New **', '** New **', '---', 'N', null, 'N', 1],
        [types.sale, 11, 'Y', 'AR Invoice', 'Invoice', 'ARI', 'Y', null, 'Y', 1],
        [117, 11, 'Y', 'AR Invoice Indirect', 'Invoice', 'ARI', 'Y', null, 'Y', 1],
        [types.memo, 11, 'Y', 'AR Credit Memo', 'Credit Memo', 'ARC', 'Y', null, 'Y', 1],
        [119, 11, 'Y', 'AR Receipt', 'Receipt', 'ARR', 'Y', null, 'Y', 1],
        [types.purchase, 11, 'Y', 'AP Invoice', 'Vendor Invoice', 'API', 'N', null, 'N', 0],
        [124, 11, 'Y', 'AP CreditMemo', 'Vendor Credit Memo', 'APC', 'N', null, 'N', 0],
        [126, 11, 'Y', 'Purchase Order', 'Purchase Order', 'POO', 'N', null, 'Y', 1],
        [types.order, 11, 'Y', 'Standard Order', 'Order Confirmation', 'SOO', 'Y', 'SO', 'Y', 1],
      ],
    },
    c_currency: {
      columns:
        '*c_currency_id numeric, ad_client_id numeric, isactive char, iso_code char, cursymbol varchar, description varchar, stdprecision numeric, costingprecision numeric',
      rows: [
        [100, 0, 'Y', 'USD', '$', 'US Dollar', 2, 4],
        [102, 0, 'Y', 'EUR', '€', 'Euro', 2, 4],
        [114, 0, 'Y', 'GBP', '£', 'Pound Sterling', 2, 4],
      ],
    },
    c_conversion_rate: {
      columns:
        '*c_conversion_rate_id numeric, c_currency_id numeric, c_currency_id_to numeric, validfrom timestamp, validto timestamp, c_conversiontype_id numeric, multiplyrate numeric, dividerate numeric',
      rows: [
        [101, 100, 102, day('2025-01-01'), day('2056-12-31'), 114, 0.925_925, 1.08],
        [102, 102, 100, day('2025-01-01'), day('2056-12-31'), 114, 1.08, 0.925_925],
      ],
    },
    c_paymentterm: {
      columns:
        '*c_paymentterm_id numeric, ad_client_id numeric, isactive char, name varchar, description varchar, documentnote varchar, afterdelivery char, isduefixed char, netdays numeric, gracedays numeric, discountdays numeric, discount numeric, isdefault char, value varchar',
      rows: [
        [105, 11, 'Y', 'Net 30 days', null, null, 'N', 'N', 30, 0, 0, 0, 'Y', '30 Days'],
        [106, 11, 'Y', 'Immediate', null, null, 'N', 'N', 0, 0, 0, 0, 'N', 'Immediate'],
      ],
    },
    c_uom: tableOf(units, {
      '*c_uom_id numeric': ({ id }) => id,
      ...system,
      'x12de355 varchar': ({ code }) => code,
      'uomsymbol varchar': ({ symbol }) => symbol,
      'name varchar': ({ name }) => name,
      'description varchar': null,
      'stdprecision numeric, costingprecision numeric': 2,
      'isdefault char': ({ unit }) => (unit === 'PCS' ? 'Y' : 'N'),
    }),
    c_taxcategory: {
      columns:
        '*c_taxcategory_id numeric, name varchar, description varchar, commoditycode varchar, isdefault char',
      rows: [
        [107, 'Standard', null, null, 'Y'],
        [108, 'Books', null, null, 'N'],
      ],
    },
    c_tax: {
      columns:
        '*c_tax_id numeric, ad_client_id numeric, isactive char, name varchar, description varchar, taxindicator varchar, isdocumentlevel char, validfrom timestamp, issummary char, requirestaxcertificate char, rate numeric, parent_tax_id numeric, c_country_id numeric, c_taxcategory_id numeric, isdefault char, istaxexempt char, sopotype char, issalestax char',
      rows: [
        [
          104,
          11,
          'Y',
          'Zero rated',
          null,
          'Z',
          'Y',
          day('2020-01-01'),
          'N',
          'N',
          0,
          null,
          null,
          108,
          'N',
          'N',
          'B',
          'N',
        ],
        [
          105,
          11,
          'Y',
          'VAT 20%',
          null,
          'VAT',
          'Y',
          day('2020-01-01'),
          'N',
          'N',
          20,
          null,
          null,
          107,
          'Y',
          'N',
          'B',
          'N',
        ],
      ],
      foreign: { c_taxcategory_id: 'c_taxcategory.c_taxcategory_id' },
    },
    m_product: tableOf(
      items,
      {
        '*m_product_id numeric': ({ id }) => id,
        ...system,
        'value varchar': ({ code }) => code,
        'name varchar': ({ name }) => name,
        'description varchar': ({ name }) => `${name}, boxed`,
        'documentnote varchar, help varchar, upc varchar, sku varchar': null,
        'c_uom_id numeric': ({ unit }) => unitId(unit),
        'salesrep_id numeric': null,
        'issummary char': 'N',
        'isstocked char, ispurchased char, issold char': 'Y',
        'volume numeric, weight numeric': 0,
        'm_product_category_id numeric': 105,
        'c_taxcategory_id numeric': ({ rate }) => (rate === 0 ? 108 : 107),
        'producttype char': ({ unit }) => (unit === 'HR' ? 'S' : 'I'),
      },
      { c_uom_id: 'c_uom.c_uom_id', c_taxcategory_id: 'c_taxcategory.c_taxcategory_id' },
    ),
  },
  sections: {
    header: {
      table: 'c_invoice',
      key: 'c_invoice_id',
      match: 'documentno',
      where: { c_doctype_id: '116', docstatus: 'CO', issotrx: 'Y' },
    },
    lines: {
      table: 'c_invoiceline',
      key: 'c_invoiceline_id',
      match: 'c_invoice_id',
      matchFrom: 'c_invoice_id',
    },
    customer: {
      table: 'c_bpartner',
      key: 'c_bpartner_id',
      match: 'c_bpartner_id',
      matchFrom: 'c_bpartner_id',
    },
  },
  fields: {
    number: 'c_invoice.documentno',
    issue_date: 'c_invoice.dateinvoiced!date',
    currency: 'c_currency.iso_code|c_currency.cursymbol!map|c_invoice.c_currency_id!map',
    'exchange_rate.rate': 'c_conversion_rate.multiplyrate|c_conversion_rate.dividerate',
    purchase_order: 'c_invoice.poreference|c_order.poreference',
    buyer_reference: 'c_invoice.poreference|c_order.poreference',
    'notes[]': 'c_invoice.description',
    'payment_terms[].note': 'c_paymentterm.name|c_paymentterm.value',
    'payment_means[].code': 'c_invoice.paymentrule!map',
    'totals.net': 'c_invoice.totallines',
    'totals.lines': 'c_invoice.totallines',
    'totals.gross': 'c_invoice.grandtotal',
    'totals.due': 'c_invoice.grandtotal',
    'tax_breakdown[].amount': 'c_invoicetax.taxamt',
    'tax_breakdown[].taxable': 'c_invoicetax.taxbaseamt',
    'buyer.name': 'c_bpartner.name',
    'buyer.trn': 'c_bpartner.taxid',
    'PINT-MY:buyer.identifiers[].id': 'c_bpartner.taxid',
    'buyer.address.line1': 'c_location.address1',
    'buyer.address.line2': 'c_location.address2',
    'buyer.address.city': 'c_location.city',
    'buyer.address.post_code': 'c_location.postal',
    'buyer.address.subdivision': 'c_location.regionname',
    'buyer.address.country': 'c_country.countrycode|c_country.name!map',
    'buyer.contact.name': 'ad_user.name',
    'buyer.contact.phone': 'ad_user.phone|c_bpartner_location.phone',
    'buyer.contact.email': 'ad_user.email',
    'lines[].id': 'c_invoiceline.line|c_invoiceline.c_invoiceline_id',
    'lines[].sku': 'm_product.value',
    'lines[].name': 'm_product.name',
    'lines[].description': 'm_product.description|m_product.name|c_invoiceline.description',
    'lines[].qty': 'c_invoiceline.qtyinvoiced|c_invoiceline.qtyentered',
    'lines[].unit': 'c_uom.x12de355!map|c_uom.uomsymbol!map|c_uom.name!map',
    'lines[].unit_price': 'c_invoiceline.priceactual|c_invoiceline.priceentered',
    'lines[].gross_price':
      'c_invoiceline.pricelist|c_invoiceline.priceactual|c_invoiceline.priceentered',
    'lines[].net': 'c_invoiceline.linenetamt',
    'lines[].accounting.amount': 'c_invoiceline.linetotalamt',
    'lines[].accounting.tax_totals[].amount': 'c_invoiceline.taxamt',
    'lines[].tax.rate': 'c_tax.rate',
    'lines[].tax.category':
      'c_tax.rate!map|c_tax.name!map|c_tax.taxindicator!map|c_invoiceline.c_tax_id!map|c_taxcategory.name!map',
  },
};
