import type { Layout } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { byLine, customers, done, type Invoice, invoices, items, netPrice } from './trade.ts';

const country3: Readonly<Record<string, string>> = {
  DE: 'DEU',
  AE: 'ARE',
  CH: 'CHE',
  ES: 'ESP',
  MY: 'MYS',
  FR: 'FRA',
  PT: 'PRT',
  GB: 'GBR',
  SE: 'SWE',
};
const party = (id: number) => `C${10_000 + id}`;
const invoiceId = ({ id }: Invoice) => `CI${id}`;
const typeOf = ({ kind }: Invoice) => (kind === 'credit' ? 'CUST_RTN_INVOICE' : 'SALES_INVOICE');
const statusOf = ({ id, isDraft }: Invoice) =>
  isDraft ? 'INVOICE_IN_PROCESS' : id % 3 === 0 ? 'INVOICE_PAID' : 'INVOICE_READY';
const seq = (position: number) => String(position).padStart(5, '0');
const bought = done.slice(0, 14);
const units = [...new Set(items.map(({ unit }) => unit))];
const contacts = customers.flatMap((one) => [
  { one, mech: `${9000 + one.id * 3}`, type: 'POSTAL_ADDRESS', info: null },
  { one, mech: `${9001 + one.id * 3}`, type: 'TELECOM_NUMBER', info: null },
  { one, mech: `${9002 + one.id * 3}`, type: 'EMAIL_ADDRESS', info: one.email },
]);
const invoiceItems = [
  ...byLine(invoices, (one, line) => ({ one, line, kind: 'goods' as const })),
  ...invoices.map((one) => ({ one, line: one.lines[0]!, kind: 'tax' as const })),
];

/** Everybody is a party, each way to reach one a row of a kind; tax is a line; dates with times (OFBiz). */
export const partyModel: Layout = {
  name: 'party-model',
  isHeldOut: false,
  tables: {
    invoice: tableOf(
      [
        ...invoices.map((one) => ({ one, isSale: true })),
        ...bought.map((one) => ({ one, isSale: false })),
      ],
      {
        '*invoice_id': ({ one, isSale }) => (isSale ? invoiceId(one) : `PI${one.id}`),
        invoice_type_id: ({ one, isSale }) => (isSale ? typeOf(one) : 'PURCHASE_INVOICE'),
        party_id_from: ({ one, isSale }) => (isSale ? 'Company' : `S${one.customer.id}`),
        party_id: ({ one, isSale }) => (isSale ? party(one.customer.id) : 'Company'),
        role_type_id: null,
        status_id: ({ one }) => statusOf(one),
        'billing_account_id, contact_mech_id': null,
        'invoice_date timestamp': ({ one }) => at(one.date),
        'due_date timestamp': ({ one }) => at(one.due),
        'paid_date timestamp': ({ one }) => (one.id % 3 === 0 ? at(one.due, '16:02:00') : null),
        invoice_message: null,
        reference_number: ({ one }) => one.order || null,
        description: ({ one }) => (one.id % 5 === 0 ? 'Spring delivery' : null),
        currency_uom_id: ({ one }) => one.currency,
        'last_updated_stamp timestamp, created_stamp timestamp': ({ one }) => at(one.date),
      },
      { party_id: 'party.party_id', invoice_type_id: 'invoice_type.invoice_type_id' },
    ),
    invoice_type: {
      columns: '*invoice_type_id, parent_type_id, has_table, description',
      rows: [
        ['SALES_INVOICE', 'INVOICE', 'N', 'Sales Invoice'],
        ['PURCHASE_INVOICE', 'INVOICE', 'N', 'Purchase Invoice'],
        ['CUST_RTN_INVOICE', 'INVOICE', 'N', 'Customer Return Invoice'],
      ],
    },
    invoice_item: tableOf(
      invoiceItems,
      {
        '*invoice_id': ({ one }) => invoiceId(one),
        '*invoice_item_seq_id': ({ one, line, kind }) =>
          seq(kind === 'tax' ? one.lines.length + 1 : line.position),
        invoice_item_type_id: ({ kind }) => (kind === 'tax' ? 'ITM_SALES_TAX' : 'INV_FPROD_ITEM'),
        'override_gl_account_id, inventory_item_id': null,
        product_id: ({ line, kind }) => (kind === 'tax' ? null : line.item.code),
        'product_feature_id, parent_invoice_id, parent_invoice_item_seq_id': null,
        uom_id: null,
        taxable_flag: ({ line, kind }) => (kind === 'goods' && line.item.rate > 0 ? 'Y' : 'N'),
        'quantity numeric': ({ line, kind }) => (kind === 'tax' ? null : line.quantity),
        'amount numeric': ({ one, line, kind }) => (kind === 'tax' ? one.tax : netPrice(line)),
        description: ({ line, kind }) => (kind === 'tax' ? 'Sales tax' : line.item.name),
        'tax_auth_party_id, tax_auth_geo_id': ({ kind }) => (kind === 'tax' ? 'DEU_BZST' : null),
        tax_authority_rate_seq_id: null,
        'created_stamp timestamp': ({ one }) => at(one.date),
      },
      { invoice_id: 'invoice.invoice_id', product_id: 'product.product_id' },
    ),
    party: tableOf(
      [...customers.map(({ id }) => party(id)), ...customers.map(({ id }) => `S${id}`), 'Company'],
      {
        '*party_id': (id) => id,
        party_type_id: 'PARTY_GROUP',
        external_id: null,
        preferred_currency_uom_id: 'EUR',
        description: null,
        status_id: 'PARTY_ENABLED',
        'created_date timestamp': at('2024-02-02'),
      },
    ),
    party_group: tableOf(
      [
        ...customers.map(({ id, name }) => [party(id), name]),
        ...customers.map(({ id }) => [`S${id}`, `Supplier ${id}`]),
        ['Company', 'Our Company'],
      ],
      {
        '*party_id': ([id]) => id ?? null,
        group_name: ([, name]) => name ?? null,
        'group_name_local, office_site_name': null,
        'annual_revenue numeric, num_employees integer': null,
        'ticker_symbol, comments, logo_image_url': null,
      },
      { party_id: 'party.party_id' },
    ),
    party_role: tableOf(customers, {
      '*party_id': ({ id }) => party(id),
      '*role_type_id': 'BILL_TO_CUSTOMER',
    }),
    party_contact_mech: tableOf(
      contacts,
      {
        '*party_id': ({ one }) => party(one.id),
        '*contact_mech_id': ({ mech }) => mech,
        '*from_date timestamp': at('2024-02-02'),
        'thru_date timestamp': null,
        allow_solicitation: 'Y',
      },
      { party_id: 'party.party_id', contact_mech_id: 'contact_mech.contact_mech_id' },
    ),
    contact_mech: tableOf(contacts, {
      '*contact_mech_id': ({ mech }) => mech,
      contact_mech_type_id: ({ type }) => type,
      info_string: ({ info }) => info,
    }),
    postal_address: tableOf(
      contacts.filter(({ type }) => type === 'POSTAL_ADDRESS'),
      {
        '*contact_mech_id': ({ mech }) => mech,
        to_name: ({ one }) => one.name,
        attn_name: ({ one }) => `${one.first} ${one.last}`,
        address1: ({ one }) => one.street,
        'address2, directions': null,
        city: ({ one }) => one.city,
        postal_code: ({ one }) => one.zip,
        postal_code_ext: null,
        country_geo_id: ({ one }) => country3[one.countryCode] ?? null,
        state_province_geo_id: ({ one }) => `${one.countryCode}-${one.state}`,
      },
      { contact_mech_id: 'contact_mech.contact_mech_id', country_geo_id: 'geo.geo_id' },
    ),
    telecom_number: tableOf(
      contacts.filter(({ type }) => type === 'TELECOM_NUMBER'),
      {
        '*contact_mech_id': ({ mech }) => mech,
        country_code: '44',
        area_code: '20',
        contact_number: ({ one }) => one.phone.slice(7),
        ask_for_name: null,
      },
      { contact_mech_id: 'contact_mech.contact_mech_id' },
    ),
    geo: tableOf(Object.entries(country3), {
      '*geo_id': ([, three]) => three,
      geo_type_id: 'COUNTRY',
      geo_name: ([two]) => customers.find(({ countryCode }) => countryCode === two)?.country ?? two,
      geo_code: ([two]) => two,
      geo_sec_code: null,
      abbreviation: ([, three]) => three,
    }),
    invoice_contact_mech: tableOf(
      invoices,
      {
        '*invoice_id': (one) => invoiceId(one),
        '*contact_mech_id': ({ customer }) => `${9000 + customer.id * 3}`,
        '*contact_mech_purpose_type_id': 'BILLING_LOCATION',
      },
      { invoice_id: 'invoice.invoice_id', contact_mech_id: 'contact_mech.contact_mech_id' },
    ),
    party_tax_auth_info: tableOf(
      customers,
      {
        '*party_id': ({ id }) => party(id),
        '*tax_auth_geo_id': ({ countryCode }) => country3[countryCode] ?? null,
        '*tax_auth_party_id': ({ countryCode }) => `${country3[countryCode]}_TAX`,
        '*from_date timestamp': at('2024-02-02'),
        party_tax_id: ({ vat }) => vat,
        is_exempt: 'N',
        is_nexus: 'N',
      },
      { party_id: 'party.party_id' },
    ),
    product: tableOf(items, {
      '*product_id': ({ code }) => code,
      product_type_id: 'FINISHED_GOOD',
      primary_product_category_id: null,
      internal_name: ({ name }) => `${name} (stock)`,
      product_name: ({ name }) => name,
      description: ({ name }) => name,
      quantity_uom_id: ({ unit }) => `OTH_${unit}`,
      taxable: ({ rate }) => (rate === 0 ? 'N' : 'Y'),
    }),
    uom: tableOf([...units.map((unit) => [`OTH_${unit}`, unit]), ['EUR', 'EUR'], ['USD', 'USD']], {
      '*uom_id': ([id]) => id ?? null,
      uom_type_id: ([id]) => (id!.length === 3 ? 'CURRENCY_MEASURE' : 'OTHER_MEASURE'),
      abbreviation: ([, code]) => code ?? null,
      description: ([, code]) => `Unit ${code}`,
    }),
    payment: tableOf(
      done.filter(({ id }) => id % 3 === 0),
      {
        '*payment_id': ({ id }) => `P${id}`,
        payment_type_id: 'CUSTOMER_PAYMENT',
        party_id_from: ({ customer }) => party(customer.id),
        party_id_to: 'Company',
        status_id: 'PMNT_RECEIVED',
        'effective_date timestamp': ({ due }) => at(due),
        'amount numeric': ({ gross }) => gross,
        currency_uom_id: ({ currency }) => currency,
      },
    ),
    payment_application: tableOf(
      done.filter(({ id }) => id % 3 === 0),
      {
        '*payment_application_id': ({ id }) => `A${id}`,
        payment_id: ({ id }) => `P${id}`,
        invoice_id: (one) => invoiceId(one),
        'amount_applied numeric': ({ gross }) => gross,
      },
    ),
    order_header: tableOf(done, {
      '*order_id': ({ id }) => `WS${id}`,
      order_type_id: 'SALES_ORDER',
      'order_date timestamp': ({ date }) => at(date),
      status_id: 'ORDER_COMPLETED',
      currency_uom: ({ currency }) => currency,
      'grand_total numeric': ({ gross }) => gross,
    }),
    order_item: tableOf(
      byLine(done, (one, line) => ({ one, line })),
      {
        '*order_id': ({ one }) => `WS${one.id}`,
        '*order_item_seq_id': ({ line }) => seq(line.position),
        product_id: ({ line }) => line.item.code,
        'quantity numeric': ({ line }) => line.quantity,
        'unit_price numeric': ({ line }) => netPrice(line),
        item_description: ({ line }) => line.item.name,
        status_id: 'ITEM_COMPLETED',
      },
    ),
  },
  sections: {
    header: {
      table: 'invoice',
      key: 'invoice_id',
      match: 'invoice_id',
      where: { invoice_type_id: 'SALES_INVOICE' },
    },
    lines: {
      table: 'invoice_item',
      key: 'invoice_item_seq_id',
      match: 'invoice_id',
      matchFrom: 'invoice_id',
      where: { invoice_item_type_id: 'INV_FPROD_ITEM' },
    },
    customer: {
      table: 'party_group',
      key: 'party_id',
      match: 'party_id',
      matchFrom: 'party_id',
    },
  },
  fields: {
    number: 'invoice.invoice_id',
    issue_date: 'invoice.invoice_date!date',
    due_date: 'invoice.due_date!date',
    currency: 'invoice.currency_uom_id',
    purchase_order: 'invoice.reference_number',
    buyer_reference: 'invoice.reference_number',
    'notes[]': 'invoice.description|invoice.invoice_message',
    'buyer.name': 'party_group.group_name|postal_address.to_name',
    'buyer.trn': 'party_tax_auth_info.party_tax_id',
    'buyer.address.line1': 'postal_address.address1',
    'buyer.address.line2': 'postal_address.address2',
    'buyer.address.city': 'postal_address.city',
    'buyer.address.subdivision': 'postal_address.state_province_geo_id',
    'buyer.address.post_code': 'postal_address.postal_code',
    'buyer.address.country':
      'postal_address.country_geo_id!map|geo.abbreviation!map|geo.geo_code|geo.geo_name!map',
    'buyer.contact.name': 'postal_address.attn_name',
    'buyer.contact.phone': 'telecom_number.contact_number',
    'buyer.contact.email': 'contact_mech.info_string',
    'lines[].id': 'invoice_item.invoice_item_seq_id',
    'lines[].sku': 'invoice_item.product_id',
    'lines[].name': 'invoice_item.description|product.product_name|product.description',
    'lines[].description': 'invoice_item.description|product.product_name|product.description',
    'lines[].qty': 'invoice_item.quantity',
    'lines[].unit': 'product.quantity_uom_id!map|uom.abbreviation!map',
    'lines[].unit_price': 'invoice_item.amount',
    'lines[].gross_price': 'invoice_item.amount',
    'lines[].tax.category': 'invoice_item.taxable_flag!map|product.taxable!map',
  },
};
