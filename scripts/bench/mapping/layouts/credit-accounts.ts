import type { Layout } from './layout.ts';
import { tableOf } from './tables.ts';
import { byLine, customers, type Invoice, invoices, items, netPrice } from './trade.ts';

const usDollarRate = 0.92;
const round = (value: number) => Math.round(value * 100) / 100;
const isCredit = ({ kind }: Invoice) => kind === 'credit';
const sign = (one: Invoice) => (isCredit(one) ? -1 : 1);
const rateOf = ({ currency }: Invoice) => (currency === 'USD' ? usDollarRate : 1);
/** After discount, in the currency of the books. */
const bookPrice = (one: Invoice, line: Invoice['lines'][number]) =>
  round(netPrice(line) * rateOf(one));
const bookNet = (one: Invoice, isOf: (line: Invoice['lines'][number]) => boolean = () => true) =>
  round(
    one.lines
      .filter(isOf)
      .reduce((sum, line) => sum + round(line.quantity * bookPrice(one, line)), 0),
  );
const net = (one: Invoice) => sign(one) * bookNet(one);
/** Of all that is taxed together. */
const tax = (one: Invoice) => sign(one) * round(bookNet(one, ({ item }) => item.rate > 0) * 0.2);
const gross = (one: Invoice) => round(net(one) + tax(one));
const isPaid = ({ id }: Invoice) => id % 3 === 0;
const bought = invoices.slice(0, 16);
const boughtId = 600;
const openings = invoices.slice(20, 26);
const openingId = 900;
const orderId = 200;
const countries = [...new Map(customers.map((one) => [one.countryCode, one])).values()];
const countryId = (code: string) =>
  countries.findIndex(({ countryCode }) => countryCode === code) + 40;
const units: Readonly<Record<string, string>> = {
  PCS: 'EA',
  M: 'MTR',
  HR: 'HRS',
  L: 'LTR',
  KG: 'KG',
};
const unitOf = (unit: string) => units[unit] ?? unit;
const vatAccount = 26;

const shared = {
  'person_id integer': 3,
  'till varchar(20)': null,
  quonumber: null,
  intnotes: null,
  shipvia: 'Truck',
  'language_code varchar(6)': 'en',
} as const;

/**
 * Customers are credit accounts of entities, with addresses and numbers to call that hang on both; sales in "ar", what was
 * bought in "ap", the lines of both in "invoice"; amounts in the currency of the books, prices before discount beside them
 * (LedgerSMB, from SQL-Ledger).
 */
export const creditAccounts: Layout = {
  name: 'credit-accounts',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    ar: tableOf(
      [
        ...invoices.map((one) => ({ one, id: one.id, isOpening: false })),
        ...openings.map((one) => ({ one, id: one.id + openingId, isOpening: true })),
      ],
      {
        '*id integer': ({ id }) => id,
        invnumber: ({ one, isOpening }) =>
          isOpening ? `OPEN-${one.id}` : one.isDraft ? null : one.number,
        'transdate date': ({ one }) => one.date,
        'entity_id integer': null,
        'taxincluded boolean': 'f',
        'amount numeric': ({ one }) => gross(one),
        'netamount numeric': ({ one }) => net(one),
        'paid numeric': ({ one }) => (isPaid(one) ? gross(one) : 0),
        'datepaid date': ({ one }) => (isPaid(one) ? one.due : null),
        'duedate date': ({ one }) => one.due,
        'invoice boolean': ({ isOpening }) => (isOpening ? 'f' : 't'),
        shippingpoint: null,
        'terms smallint': 30,
        notes: ({ id }) => (id % 6 === 0 ? 'Thank you for your order' : ''),
        'curr char(3)': ({ one }) => one.currency,
        ordnumber: ({ one }) => `SO-${one.id}`,
        ...shared,
        ponumber: ({ one }) => one.order,
        'on_hold boolean': 'f',
        'reverse boolean': ({ one }) => (isCredit(one) ? 't' : 'f'),
        'approved boolean': ({ one, isOpening }) => (one.isDraft && !isOpening ? 'f' : 't'),
        'entity_credit_account integer': ({ one }) => one.customer.id + 30,
        'force_closed boolean': null,
        description: null,
        'is_return boolean': 'f',
        'crdate date': ({ one }) => one.date,
        setting_sequence: null,
      },
      { id: 'transactions.id', entity_credit_account: 'entity_credit_account.id' },
    ),
    ap: tableOf(
      bought,
      {
        '*id integer': ({ id }) => id + boughtId,
        invnumber: ({ id }) => `MS-${id}`,
        'transdate date': ({ date }) => date,
        'entity_id integer': null,
        'taxincluded boolean': 'f',
        'amount numeric': ({ gross }) => gross,
        'netamount numeric': ({ net }) => net,
        'paid numeric': 0,
        'datepaid date': null,
        'duedate date': ({ due }) => due,
        'invoice boolean': 't',
        ordnumber: ({ id }) => `PO-${id}`,
        'curr char(3)': 'EUR',
        notes: null,
        ...shared,
        ponumber: null,
        shippingpoint: null,
        'on_hold boolean': 'f',
        'approved boolean': 't',
        'reverse boolean': 'f',
        'terms smallint': 14,
        description: null,
        'force_closed boolean': null,
        'crdate date': ({ date }) => date,
        'is_return boolean': 'f',
        'entity_credit_account integer': 90,
      },
      { id: 'transactions.id', entity_credit_account: 'entity_credit_account.id' },
    ),
    gl: tableOf(openings, {
      '*id integer': ({ id }) => id + 1500,
      reference: ({ id }) => `GL-${id}`,
      description: 'Depreciation',
      'transdate date': ({ date }) => date,
      'person_id integer': 3,
      notes: null,
      'approved boolean': 't',
    }),
    transactions: tableOf(
      [
        ...invoices.map(({ id }) => ({ id, table: 'ar' })),
        ...openings.map(({ id }) => ({ id: id + openingId, table: 'ar' })),
        ...bought.map(({ id }) => ({ id: id + boughtId, table: 'ap' })),
        ...openings.map(({ id }) => ({ id: id + 1500, table: 'gl' })),
      ],
      {
        '*id integer': ({ id }) => id,
        table_name: ({ table }) => table,
        'locked_by integer': null,
        'approved boolean': 't',
        'approved_by integer': 3,
        'approved_at timestamp': '2026-01-05 09:12:44',
      },
    ),
    invoice: tableOf(
      [
        ...byLine(invoices, (one, line) => ({ one, line, owner: one.id, direction: sign(one) })),
        ...byLine(bought, (one, line) => ({
          one,
          line,
          owner: one.id + boughtId,
          direction: -1,
        })),
      ],
      {
        '*id integer': (_row, index) => index + 1,
        'trans_id integer': ({ owner }) => owner,
        'parts_id integer': ({ line }) => line.item.id + 1100,
        description: ({ line }) => line.item.name,
        'qty numeric': ({ line, direction }) => direction * line.quantity,
        'allocated numeric': ({ line, direction }) => -direction * line.quantity,
        'sellprice numeric': ({ one, line }) => bookPrice(one, line),
        'precision integer': 2,
        'fxsellprice numeric': ({ line }) => line.price,
        'discount numeric': ({ line }) => line.discount / 100,
        'assemblyitem boolean': 'f',
        unit: ({ line }) => unitOf(line.item.unit),
        'deliverydate date': ({ one }) => one.date,
        'serialnumber, vendor_sku, notes': null,
      },
      { trans_id: 'transactions.id', parts_id: 'parts.id' },
    ),
    acc_trans: tableOf(
      invoices
        .filter(({ isDraft }) => !isDraft)
        .flatMap((one) => [
          { one, account: 12, amount: -gross(one) },
          { one, account: 41, amount: net(one) },
          { one, account: vatAccount, amount: tax(one) },
        ]),
      {
        'trans_id integer': ({ one }) => one.id,
        'chart_id integer': ({ account }) => account,
        'amount numeric': ({ amount }) => amount,
        'transdate date': ({ one }) => one.date,
        source: null,
        'cleared boolean, fx_transaction boolean': 'f',
        memo: null,
        'invoice_id integer': null,
        'approved boolean': 't',
        'cleared_on date, reconciled_on date': null,
        'voucher_id integer': null,
        '*entry_id integer': (_row, index) => index + 1,
      },
      { trans_id: 'transactions.id', chart_id: 'account.id' },
    ),
    account: {
      columns:
        '*id integer, accno, description, is_temp boolean, category char(1), gifi_accno, heading integer, contra boolean, tax boolean, obsolete boolean',
      rows: [
        [12, '1200', 'Accounts Receivables', 'f', 'A', null, 3, 'f', 'f', 'f'],
        [vatAccount, '2150', 'VAT 20%', 'f', 'L', null, 4, 'f', 't', 'f'],
        [41, '4010', 'Sales', 'f', 'I', null, 5, 'f', 'f', 'f'],
        [52, '5010', 'Purchases', 'f', 'E', null, 6, 'f', 'f', 'f'],
      ],
    },
    entity_credit_account: tableOf(
      [
        ...customers.map((one) => ({ id: one.id, code: one.code, type: 2 })),
        { id: 60, code: 'V-90', type: 1 },
      ],
      {
        'id integer': ({ id }) => id + 30,
        '*entity_id integer': ({ id }) => id + 500,
        '*entity_class integer': ({ type }) => type,
        pay_to_name: null,
        'discount numeric': 0,
        description: null,
        'discount_terms integer': 0,
        'discount_account_id integer': null,
        'taxincluded boolean': 'f',
        'creditlimit numeric': 10_000,
        'terms smallint': 30,
        '*meta_number varchar(32)': ({ code }) => code,
        'business_id integer': null,
        'language_code varchar(6)': 'en',
        'pricegroup_id integer': null,
        'curr char(3)': 'EUR',
        'startdate date': '2025-02-01',
        'enddate date': null,
        'threshold numeric': 0,
        'employee_id integer, primary_contact integer': null,
        'ar_ap_account_id integer': 12,
        'cash_account_id integer, bank_account integer, taxform_id integer': null,
      },
      { entity_id: 'entity.id', ar_ap_account_id: 'account.id' },
    ),
    entity: tableOf(
      [
        ...customers.map((one) => ({ ...one, type: 2 })),
        { ...customers[0]!, id: 60, type: 1, code: 'V-90', name: 'Mill Supplies Ltd' },
        { ...customers[2]!, id: 61, type: 3, code: 'E-1', name: 'Paul Roy' },
      ],
      {
        'id integer': ({ id }) => id + 500,
        name: ({ name }) => name,
        '*entity_class integer': ({ type }) => type,
        'created date': '2025-02-01',
        '*control_code': ({ id }) => `A-${String(id + 500).padStart(5, '0')}`,
        'country_id integer': ({ countryCode }) => countryId(countryCode),
      },
      { country_id: 'country.id' },
    ),
    company: tableOf(
      [...customers, { ...customers[0]!, id: 60, name: 'Mill Supplies Ltd', vat: 'DE811111111' }],
      {
        'id integer': ({ id }) => id,
        '*entity_id integer': ({ id }) => id + 500,
        '*legal_name': ({ name }) => name,
        tax_id: ({ id }) => `47/${100 + id}/0815`,
        sales_tax_id: ({ vat }) => vat,
        license_number: ({ id }) => `HRB ${4000 + id}`,
        sic_code: null,
        'created date': '2025-02-01',
      },
      { entity_id: 'entity.id' },
    ),
    person: {
      columns:
        '*id integer, entity_id integer, salutation_id integer, first_name, middle_name, last_name, created date, birthdate date, personal_id',
      rows: [[3, 561, 1, 'Paul', null, 'Roy', '2025-02-01', null, null]],
    },
    location: tableOf(
      customers.flatMap((one) => [
        { one, id: one.id + 700, street: one.street },
        { one, id: one.id + 800, street: 'Dock 4' },
      ]),
      {
        '*id integer': ({ id }) => id,
        line_one: ({ street }) => street,
        'line_two, line_three': null,
        city: ({ one }) => one.city,
        state: ({ one }) => one.state,
        'country_id integer': ({ one }) => countryId(one.countryCode),
        mail_code: ({ one }) => one.zip,
        'created date': '2025-02-01',
        'inactive_date timestamp': null,
        'active boolean': 't',
      },
      { country_id: 'country.id' },
    ),
    eca_to_location: tableOf(
      customers.flatMap(({ id }) => [
        { id, place: id + 700, type: 1 },
        { id, place: id + 800, type: 3 },
      ]),
      {
        '*location_id integer': ({ place }) => place,
        '*location_class integer': ({ type }) => type,
        '*credit_id integer': ({ id }) => id + 30,
      },
      {
        location_id: 'location.id',
        location_class: 'location_class.id',
        credit_id: 'entity_credit_account.id',
      },
    ),
    location_class: {
      columns: 'id integer, *class, *authoritative boolean',
      rows: [
        [1, 'Billing', 't'],
        [2, 'Sales', 'f'],
        [3, 'Shipping', 'f'],
        [4, 'Physical', 't'],
        [5, 'Mailing', 'f'],
      ],
    },
    eca_to_contact: tableOf(
      customers.flatMap((one) => [
        { one, type: 1, contact: one.phone, description: `${one.first} ${one.last}` },
        { one, type: 12, contact: one.email, description: `${one.first} ${one.last}` },
      ]),
      {
        '*credit_id integer': ({ one }) => one.id + 30,
        '*contact_class_id integer': ({ type }) => type,
        '*contact': ({ contact }) => contact,
        description: ({ description }) => description,
      },
      { credit_id: 'entity_credit_account.id', contact_class_id: 'contact_class.id' },
    ),
    contact_class: {
      columns: 'id integer, *class',
      rows: [
        [1, 'Primary Phone'],
        [2, 'Secondary Phone'],
        [9, 'Fax'],
        [12, 'Email'],
        [17, 'Billing Email'],
      ],
    },
    entity_class: {
      columns: '*id integer, class, active boolean',
      rows: [
        [1, 'Vendor', 't'],
        [2, 'Customer', 't'],
        [3, 'Employee', 't'],
        [4, 'Contact', 't'],
      ],
    },
    country: tableOf(countries, {
      '*id integer': ({ countryCode }) => countryId(countryCode),
      name: ({ country }) => country,
      short_name: ({ countryCode }) => countryCode,
      itu: null,
    }),
    parts: tableOf(items, {
      '*id integer': ({ id }) => id + 1100,
      partnumber: ({ code }) => code,
      description: ({ name }) => name,
      'unit varchar(5)': ({ unit }) => unitOf(unit),
      'listprice numeric': 0,
      'sellprice numeric': ({ price }) => price,
      'lastcost numeric': ({ price }) => price / 2,
      'priceupdate date': '2025-12-01',
      'weight numeric': 0,
      'onhand numeric': 90,
      notes: null,
      'makemodel boolean, assembly boolean, alternate boolean': 'f',
      'rop numeric': 5,
      'inventory_accno_id integer': ({ unit }) => (unit === 'HR' ? null : 15),
      'income_accno_id integer': 41,
      'expense_accno_id integer': 52,
      'returns_accno_id integer': null,
      bin: null,
      'obsolete boolean, bom boolean': 'f',
      'image, drawing, microfiche': null,
      'partsgroup_id integer': 2,
      'avgcost numeric': ({ price }) => price / 2,
    }),
    partsgroup: { columns: '*id integer, partsgroup', rows: [[2, 'Pumps']] },
    partstax: tableOf(
      items.filter(({ rate }) => rate > 0),
      {
        '*parts_id integer': ({ id }) => id + 1100,
        '*chart_id integer': vatAccount,
        'taxcategory_id integer': null,
      },
      { parts_id: 'parts.id', chart_id: 'account.id' },
    ),
    tax: {
      columns:
        '*chart_id integer, rate numeric, minvalue numeric, maxvalue numeric, taxnumber, *validto timestamp, pass integer, taxmodule_id integer',
      rows: [[vatAccount, 0.2, null, null, 'DE123456789', 'infinity', 0, 1]],
      foreign: { chart_id: 'account.id' },
    },
    eca_tax: tableOf(
      customers,
      {
        '*eca_id integer': ({ id }) => id + 30,
        '*chart_id integer': vatAccount,
      },
      { eca_id: 'entity_credit_account.id', chart_id: 'account.id' },
    ),
    exchangerate: tableOf(
      [...new Set(invoices.filter(({ currency }) => currency === 'USD').map(({ date }) => date))],
      {
        '*curr char(3)': 'USD',
        '*transdate date': (date) => date,
        'buy numeric': usDollarRate,
        'sell numeric': null,
      },
    ),
    oe: tableOf(
      invoices,
      {
        '*id integer': ({ id }) => id + orderId,
        ordnumber: ({ id }) => `SO-${id}`,
        'transdate date': ({ date }) => date,
        'entity_id integer': null,
        'amount numeric': ({ gross }) => gross,
        'netamount numeric': ({ net }) => net,
        'reqdate date': ({ due }) => due,
        'taxincluded boolean': 'f',
        'shippingpoint, notes': null,
        'curr char(3)': ({ currency }) => currency,
        'person_id integer': 3,
        'closed boolean': 't',
        'quotation boolean': 'f',
        'quonumber, intnotes, shipvia': null,
        'language_code varchar(6)': 'en',
        ponumber: ({ order }) => order,
        'terms smallint': 30,
        'entity_credit_account integer': ({ customer }) => customer.id + 30,
        'oe_class_id integer': ({ id }) => (id % 4 === 0 ? 3 : 1),
      },
      { entity_credit_account: 'entity_credit_account.id' },
    ),
    orderitems: tableOf(
      byLine(invoices, (one, line) => ({ one, line })),
      {
        '*id integer': (_row, index) => index + 1,
        'trans_id integer': ({ one }) => one.id + orderId,
        'parts_id integer': ({ line }) => line.item.id + 1100,
        description: ({ line }) => line.item.name,
        'qty numeric': ({ line }) => line.quantity,
        'sellprice numeric': ({ line }) => line.price,
        'precision integer': 2,
        'discount numeric': ({ line }) => line.discount / 100,
        'unit varchar(5)': ({ line }) => unitOf(line.item.unit),
        'reqdate date': ({ one }) => one.due,
        'ship numeric': 0,
        'serialnumber, notes': null,
      },
    ),
    warehouse: { columns: '*id integer, description', rows: [[1, 'Main']] },
    defaults: {
      columns: '*setting_key, value',
      rows: [
        ['company_name', 'Our Firm Ltd'],
        ['curr', 'EUR:USD'],
        ['sinumber', 'IV-26-0076'],
        ['weightunit', 'kg'],
      ],
    },
    users: {
      columns: 'id integer, *username varchar(30), notify_password, entity_id integer',
      rows: [[1, 'paul', '7 days', 561]],
    },
  },
  sections: {
    header: {
      table: 'ar',
      key: 'id',
      match: 'invnumber',
      where: { approved: 't', invoice: 't', reverse: 'f' },
    },
    lines: { table: 'invoice', key: 'id', match: 'trans_id', matchFrom: 'id' },
    customer: {
      table: 'entity_credit_account',
      key: 'id',
      match: 'id',
      matchFrom: 'entity_credit_account',
    },
  },
  // The totals of "ar" and the price after discount are in the currency of the books.
  fields: {
    number: 'ar.invnumber',
    issue_date: 'ar.transdate|ar.crdate',
    due_date: 'ar.duedate',
    'delivery.date': 'invoice.deliverydate',
    currency: 'ar.curr',
    'exchange_rate.rate': 'exchangerate.buy',
    purchase_order: 'ar.ponumber',
    buyer_reference: 'ar.ponumber',
    'notes[]': 'ar.notes',
    'buyer.name': 'company.legal_name|entity.name',
    'buyer.trn': 'company.sales_tax_id',
    'PINT-MY:buyer.identifiers[].id': 'company.tax_id|company.sales_tax_id',
    'buyer.registration_id': 'company.license_number',
    'buyer.address.line1': 'location.line_one',
    'buyer.address.city': 'location.city',
    'buyer.address.post_code': 'location.mail_code',
    'buyer.address.subdivision': 'location.state',
    'buyer.address.country': 'country.short_name|country.name!map',
    'buyer.contact.name': 'eca_to_contact.description',
    'buyer.contact.phone': 'eca_to_contact.contact',
    'buyer.contact.email': 'eca_to_contact.contact',
    'lines[].id': 'invoice.id',
    'lines[].sku': 'parts.partnumber|invoice.parts_id',
    'lines[].name': 'invoice.description|parts.description',
    'lines[].description': 'invoice.description|parts.description',
    'lines[].qty': 'invoice.qty',
    'lines[].unit': 'invoice.unit!map|parts.unit!map',
    'lines[].unit_price': 'invoice.fxsellprice',
    'lines[].gross_price': 'invoice.fxsellprice',
    'lines[].allowances[].percent': 'invoice.discount!multiply',
    'lines[].tax.rate': 'tax.rate!multiply',
    'lines[].tax.category':
      'tax.rate!map|partstax.chart_id!map|tax.chart_id!map|account.description!map|account.accno!map',
  },
};
