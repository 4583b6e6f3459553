import type { Layout } from './layout.ts';
import { bills, byLine, credits, customers, items } from './trade.ts';

const all = [...bills, ...credits];
const sign = (kind: string) => (kind === 'credit' ? -1 : 1);

/** Several companies in one table, documents joined by their written number, credit notes as negative invoices. */
export const companies: Layout = {
  name: 'companies',
  isHeldOut: false,
  hasDiscounts: true,
  tables: {
    CUSTINVJOUR: {
      columns:
        '*RECID integer, DATAAREAID, INVOICEID, SALESID, ORDERACCOUNT, INVOICEACCOUNT, INVOICINGNAME, INVOICEDATE datetime, DUEDATE datetime, CURRENCYCODE, EXCHRATE numeric, SALESBALANCE numeric, SUMTAX numeric, INVOICEAMOUNT numeric, CUSTOMERREF, PAYMENT, VATNUM, PARTITION integer',
      rows: all.map((one) => [
        one.id,
        'dat',
        one.number,
        `SO${one.id}`,
        one.customer.code,
        one.customer.code,
        one.customer.name,
        `${one.date} 00:00:00`,
        `${one.due} 00:00:00`,
        one.currency,
        100,
        sign(one.kind) * one.net,
        sign(one.kind) * one.tax,
        sign(one.kind) * one.gross,
        one.order,
        'N030',
        one.customer.vat,
        1,
      ]),
    },
    CUSTINVTRANS: {
      columns:
        '*RECID integer, DATAAREAID, INVOICEID, INVOICEDATE datetime, LINENUM numeric, ITEMID, NAME, QTY numeric, SALESUNIT, SALESPRICE numeric, LINEPERCENT numeric, LINEAMOUNT numeric, TAXAMOUNT numeric, TAXITEMGROUP, SALESID, PARTITION integer',
      rows: byLine(all, (one, line) => [
        line.id,
        'dat',
        one.number,
        `${one.date} 00:00:00`,
        line.position,
        line.item.code,
        line.item.name,
        sign(one.kind) * line.quantity,
        line.item.unit,
        line.price,
        line.discount,
        sign(one.kind) * line.net,
        sign(one.kind) * line.tax,
        line.item.rate === 0 ? 'ZERO' : 'FULL',
        `SO${one.id}`,
        1,
      ]),
    },
    CUSTTABLE: {
      columns:
        '*RECID integer, DATAAREAID, ACCOUNTNUM, NAME, STREET, CITY, STATE, ZIPCODE, COUNTRYREGIONID, PHONE, EMAIL, CURRENCY, PAYMTERMID, CUSTGROUP, BLOCKED integer',
      rows: customers.map((one) => [
        one.id + 77,
        'dat',
        one.code,
        one.name,
        one.street,
        one.city,
        one.state,
        one.zip,
        one.countryCode,
        one.phone,
        one.email,
        'EUR',
        'N030',
        '10',
        0,
      ]),
    },
    INVENTTABLE: {
      columns: '*RECID integer, DATAAREAID, ITEMID, ITEMNAME, ITEMTYPE integer',
      rows: items.map((one) => [one.id, 'dat', one.code, one.name, 0]),
    },
    TAXITEMGROUPDATA: {
      columns: '*RECID integer, TAXITEMGROUP, TAXCODE, TAXVALUE numeric',
      rows: [
        [1, 'FULL', 'V20', 20],
        [2, 'ZERO', 'V0', 0],
      ],
    },
    PAYMTERM: {
      columns: '*RECID integer, DATAAREAID, PAYMTERMID, DESCRIPTION, NUMOFDAYS integer',
      rows: [
        [1, 'dat', 'N030', 'Net 30 days', 30],
        [2, 'dat', 'COD', 'Cash', 0],
      ],
    },
    VENDINVJOUR: {
      columns:
        '*RECID integer, DATAAREAID, INVOICEID, INVOICEACCOUNT, INVOICEDATE datetime, INVOICEAMOUNT numeric',
      rows: [[1, 'dat', 'V1', 'S1', '2026-01-01 00:00:00', 5]],
    },
  },
  sections: {
    header: { table: 'CUSTINVJOUR', key: 'RECID', match: 'INVOICEID' },
    lines: { table: 'CUSTINVTRANS', key: 'RECID', match: 'INVOICEID', matchFrom: 'INVOICEID' },
    customer: {
      table: 'CUSTTABLE',
      key: 'RECID',
      match: 'ACCOUNTNUM',
      matchFrom: 'INVOICEACCOUNT',
    },
  },
  fields: {
    number: 'CUSTINVJOUR.INVOICEID',
    issue_date: 'CUSTINVJOUR.INVOICEDATE',
    due_date: 'CUSTINVJOUR.DUEDATE',
    currency: 'CUSTINVJOUR.CURRENCYCODE',
    buyer_reference: 'CUSTINVJOUR.CUSTOMERREF',
    purchase_order: 'CUSTINVJOUR.CUSTOMERREF',
    'exchange_rate.rate': 'CUSTINVJOUR.EXCHRATE!divide,multiply',
    'payment_terms[].note': 'PAYMTERM.DESCRIPTION|CUSTINVJOUR.PAYMENT',
    'totals.net': 'CUSTINVJOUR.SALESBALANCE',
    'totals.lines': 'CUSTINVJOUR.SALESBALANCE',
    'totals.tax': 'CUSTINVJOUR.SUMTAX',
    'totals.gross': 'CUSTINVJOUR.INVOICEAMOUNT',
    'totals.due': 'CUSTINVJOUR.INVOICEAMOUNT',
    'buyer.name': 'CUSTTABLE.NAME|CUSTINVJOUR.INVOICINGNAME',
    'buyer.trn': 'CUSTINVJOUR.VATNUM',
    'buyer.address.line1': 'CUSTTABLE.STREET',
    'buyer.address.city': 'CUSTTABLE.CITY',
    'buyer.address.subdivision': 'CUSTTABLE.STATE',
    'buyer.address.post_code': 'CUSTTABLE.ZIPCODE',
    'buyer.address.country': 'CUSTTABLE.COUNTRYREGIONID',
    'buyer.contact.phone': 'CUSTTABLE.PHONE',
    'buyer.contact.email': 'CUSTTABLE.EMAIL',
    'lines[].id': 'CUSTINVTRANS.LINENUM|CUSTINVTRANS.RECID',
    'lines[].sku': 'CUSTINVTRANS.ITEMID',
    'lines[].name': 'CUSTINVTRANS.NAME|INVENTTABLE.ITEMNAME',
    'lines[].description': 'CUSTINVTRANS.NAME|INVENTTABLE.ITEMNAME',
    'lines[].qty': 'CUSTINVTRANS.QTY',
    'lines[].unit': 'CUSTINVTRANS.SALESUNIT!map',
    'lines[].unit_price': 'CUSTINVTRANS.SALESPRICE',
    'lines[].gross_price': 'CUSTINVTRANS.SALESPRICE',
    'lines[].allowances[].percent': 'CUSTINVTRANS.LINEPERCENT',
    'lines[].net': 'CUSTINVTRANS.LINEAMOUNT',
    'lines[].tax.rate': 'TAXITEMGROUPDATA.TAXVALUE',
    'lines[].tax.category':
      'CUSTINVTRANS.TAXITEMGROUP!map|TAXITEMGROUPDATA.TAXVALUE!map|TAXITEMGROUPDATA.TAXCODE!map',
  },
};
