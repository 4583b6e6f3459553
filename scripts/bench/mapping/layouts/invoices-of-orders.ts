import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import {
  bills,
  byLine,
  credits,
  customers,
  type Invoice,
  invoices,
  items,
  netPrice,
} from './trade.ts';

const round = (value: number) => Math.round(value * 100) / 100;
type Line = Invoice['lines'][number];
/** Orders; those not yet paid have no invoice. */
const orders = invoices.filter(({ kind }) => kind === 'invoice');
const isPerson = (id: number) => id % 4 === 0;
const shipping = 5;
const shippingTax = 1;
const netOf = (line: Line) => round(netPrice(line) * line.quantity);
const taxOf = (line: Line) => round((netOf(line) * line.item.rate) / 100);
const sumOf = ({ lines }: Pick<Invoice, 'lines'>, of: (line: Line) => number) =>
  round(lines.reduce((sum, line) => sum + of(line), 0));
const productsNet = (one: Pick<Invoice, 'lines'>) => sumOf(one, netOf);
const productsGross = (one: Pick<Invoice, 'lines'>) => round(productsNet(one) + sumOf(one, taxOf));
const net = (one: Invoice) => round(productsNet(one) + shipping);
const gross = (one: Invoice) => round(productsGross(one) + shipping + shippingTax);
const withTax = (line: Line, amount: number) => round(amount * (1 + line.item.rate / 100));
const rateOf = ({ currency }: Invoice) => (currency === 'USD' ? 1.08 : 1);
const currencyId = ({ currency }: Invoice) => (currency === 'USD' ? 2 : 1);
const never = '0000-00-00 00:00:00';
const letters = 'ABCDEFGHIJ';
/** Nine letters, as the shop names its orders. */
const referenceOf = ({ id }: Invoice) =>
  [...String(id * 104_729 + 100_000_000).slice(-9)].map((digit) => letters[Number(digit)]).join('');
/** What is added to an order that has an invoice gets one of its own. */
const isSplit = ({ id, lines }: Invoice) => id % 5 === 0 && lines.length > 1;
const parts = bills.flatMap((one) =>
  isSplit(one)
    ? [
        { one, lines: one.lines.slice(0, -1), shipping, shippingTax },
        { one, lines: one.lines.slice(-1), shipping: 0, shippingTax: 0 },
      ]
    : [{ one, lines: one.lines, shipping, shippingTax }],
);
const invoiceId = (one: Invoice, line = one.lines[0]!) =>
  parts.findIndex((part) => part.one === one && part.lines.includes(line)) + 201;
const numberOf = (id: number) => id - 190;
/** Paid, being prepared, shipped or delivered. */
const stateOf = ({ id, isDraft }: Invoice) => (isDraft ? 10 : 2 + (id % 4));
const lines = byLine(orders, (one, line) => ({ one, line }));
const billed = byLine(bills, (one, line) => ({ one, line }));
const ids = { shop: 1, lang: 1 };
const languages = [
  { id: 1, iso: 'en', name: 'English' },
  { id: 2, iso: 'fr', name: 'Français' },
];
const countries = [...new Map(customers.map((one) => [one.countryCode, one])).values()];
const countryId = (code: string) => countries.findIndex((one) => one.countryCode === code) + 6;
const taxRates = [
  { id: 1, rate: 20, name: 'VAT 20%' },
  { id: 2, rate: 0, name: 'VAT 0%' },
];
const taxId = (rate: number) => (rate === 0 ? 2 : 1);
const stamped = { 'date_add datetime, date_upd datetime': at('2025-04-01') } as const;
const totals = {
  'total_discounts decimal, total_discounts_tax_incl decimal, total_discounts_tax_excl decimal': 0,
  'total_paid decimal, total_paid_tax_incl decimal': (one: Invoice) => gross(one),
  'total_paid_tax_excl decimal': (one: Invoice) => net(one),
  'total_paid_real decimal': (one: Invoice) => (one.isDraft ? 0 : gross(one)),
  'total_products decimal': (one: Invoice) => productsNet(one),
  'total_products_wt decimal': (one: Invoice) => productsGross(one),
  'total_shipping decimal, total_shipping_tax_incl decimal': shipping + shippingTax,
  'total_shipping_tax_excl decimal': shipping,
  'carrier_tax_rate decimal': 20,
  'total_wrapping decimal, total_wrapping_tax_incl decimal, total_wrapping_tax_excl decimal': 0,
} as const;

const noise: Readonly<Record<string, LayoutTable>> = {
  ps_cart: tableOf(orders, {
    '*id_cart int': ({ id }) => id + 900,
    'id_shop int': ids.shop,
    'id_lang int': ids.lang,
    'id_address_delivery int': ({ customer }) => customer.id + 50,
    'id_address_invoice int': ({ customer }) => customer.id + 20,
    'id_currency int': (one) => currencyId(one),
    'id_customer int': ({ customer }) => customer.id,
    'secure_key varchar': 'b44a6d9efd7a0076a0fbce6b15eaf3b1',
    'date_add datetime, date_upd datetime': ({ date }) => at(date),
  }),
  ps_cart_product: tableOf(lines, {
    '*id_cart int': ({ one }) => one.id + 900,
    '*id_product int': ({ line }) => line.item.id,
    '*id_address_delivery int': ({ one }) => one.customer.id + 50,
    'id_shop int': ids.shop,
    '*id_product_attribute int': ({ line }) => line.position,
    'quantity int': ({ line }) => line.quantity,
    'date_add datetime': ({ one }) => at(one.date),
  }),
  ps_order_slip: tableOf(credits, {
    '*id_order_slip int': (_one, index) => index + 1,
    'conversion_rate decimal': 1,
    'id_customer int': ({ customer }) => customer.id,
    'id_order int': ({ id }) => id - 1,
    'total_products_tax_excl decimal': (one) => productsNet(one),
    'total_products_tax_incl decimal': (one) => productsGross(one),
    'total_shipping_tax_excl decimal, total_shipping_tax_incl decimal': 0,
    'shipping_cost tinyint': 0,
    'amount decimal': (one) => productsGross(one),
    'shipping_cost_amount decimal': 0,
    'partial tinyint': 1,
    'order_slip_type tinyint': 0,
    'date_add datetime, date_upd datetime': ({ date }) => at(date),
  }),
  ps_order_slip_detail: tableOf(
    byLine(credits, (one, line) => ({ one, line })),
    {
      '*id_order_slip int': ({ one }) => credits.indexOf(one) + 1,
      '*id_order_detail int': ({ line }) => line.id,
      'product_quantity int': ({ line }) => line.quantity,
      'unit_price_tax_excl decimal': ({ line }) => netPrice(line),
      'unit_price_tax_incl decimal': ({ line }) => withTax(line, netPrice(line)),
      'total_price_tax_excl decimal': ({ line }) => netOf(line),
      'total_price_tax_incl decimal': ({ line }) => round(netOf(line) + taxOf(line)),
    },
  ),
  ps_order_history: tableOf(orders, {
    '*id_order_history int': ({ id }) => id + 80,
    'id_employee int': 1,
    'id_order int': ({ id }) => id,
    'id_order_state int': (one) => stateOf(one),
    'date_add datetime': ({ date }) => at(date),
  }),
  ps_order_state_lang: {
    columns: '*id_order_state int, *id_lang int, name varchar, template varchar',
    rows: [
      [2, 1, 'Payment accepted', 'payment'],
      [5, 1, 'Delivered', ''],
      [6, 1, 'Canceled', 'order_canceled'],
      [10, 1, 'Awaiting bank wire payment', 'bankwire'],
      [5, 2, 'Livré', ''],
    ],
  },
  ps_employee: {
    columns:
      '*id_employee int, id_profile int, id_lang int, lastname varchar, firstname varchar, email varchar, passwd varchar, active tinyint',
    rows: [[1, 1, 1, 'Kurz', 'Lena', 'l@b.example', '$2y$10$abcdef', 1]],
  },
  ps_supplier: {
    columns: '*id_supplier int, name varchar, date_add datetime, date_upd datetime, active tinyint',
    rows: [[1, 'Mill Supplies', at('2025-04-01'), at('2025-04-01'), 1]],
  },
  ps_supply_order: tableOf(bills.slice(0, 8), {
    '*id_supply_order int': (_one, index) => index + 1,
    'id_supplier int': 1,
    'supplier_name varchar': 'Mill Supplies',
    'id_lang int, id_warehouse int': 1,
    'id_supply_order_state int': 5,
    'id_currency int': 1,
    'reference varchar': ({ id }) => `SO-${id}`,
    'date_add datetime, date_upd datetime': ({ date }) => at(date),
    'date_delivery_expected datetime': ({ due }) => at(due),
    'total_te decimal': 100,
    'total_with_discount_te decimal': 100,
    'total_tax decimal': 20,
    'total_ti decimal': 120,
  }),
  ps_stock_available: tableOf(items, {
    '*id_stock_available int': ({ id }) => id + 40,
    'id_product int': ({ id }) => id,
    'id_product_attribute int': 0,
    'id_shop int': ids.shop,
    'quantity int, physical_quantity int': 40,
    'reserved_quantity int': 0,
  }),
  ps_configuration: {
    columns:
      '*id_configuration int, id_shop_group int, id_shop int, name varchar, value text, date_add datetime, date_upd datetime',
    rows: [
      [1, null, null, 'PS_LANG_DEFAULT', '1', at('2025-04-01'), at('2025-04-01')],
      [2, null, null, 'PS_INVOICE_PREFIX', '#IN', at('2025-04-01'), at('2025-04-01')],
      [3, null, null, 'PS_SHOP_NAME', 'Drawbridge Pumps', at('2025-04-01'), at('2025-04-01')],
      [4, null, null, 'PS_CURRENCY_DEFAULT', '1', at('2025-04-01'), at('2025-04-01')],
    ],
  },
  ps_shop: {
    columns:
      '*id_shop int, id_shop_group int, name varchar, id_category int, theme_name varchar, active tinyint, deleted tinyint',
    rows: [[1, 1, 'Drawbridge Pumps', 2, 'classic', 1, 0]],
  },
  ps_carrier: {
    columns:
      '*id_carrier int, id_reference int, name varchar, url varchar, active tinyint, deleted tinyint, is_free tinyint',
    rows: [[2, 2, 'My carrier', '', 1, 0, 0]],
  },
  ps_lang: tableOf(languages, {
    '*id_lang int': ({ id }) => id,
    'name varchar': ({ name }) => name,
    'active tinyint': 1,
    'iso_code varchar': ({ iso }) => iso,
    'language_code varchar': ({ iso }) => iso,
  }),
};

/**
 * An invoice is a number, sums and the order it is of; who buys, in which money, and how it is paid stand in the order; each
 * amount with and without tax; the tax of a line in rows of its own and names by language (PrestaShop 8).
 */
export const invoicesOfOrders: Layout = {
  name: 'invoices-of-orders',
  isHeldOut: false,
  hasDiscounts: true,
  tables: {
    ...noise,
    ps_orders: tableOf(orders, {
      '*id_order int': ({ id }) => id,
      'reference varchar': (one) => referenceOf(one),
      'id_shop_group int, id_shop int': ids.shop,
      'id_carrier int': 2,
      'id_lang int': ids.lang,
      'id_customer int': ({ customer }) => customer.id,
      'id_cart int': ({ id }) => id + 900,
      'id_currency int': (one) => currencyId(one),
      'id_address_delivery int': ({ customer }) => customer.id + 50,
      'id_address_invoice int': ({ customer }) => customer.id + 20,
      'current_state int': (one) => stateOf(one),
      'secure_key varchar': 'b44a6d9efd7a0076a0fbce6b15eaf3b1',
      'payment varchar': ({ id }) => (id % 5 === 0 ? 'Payments by check' : 'Bank transfer'),
      'conversion_rate decimal': (one) => rateOf(one),
      'module varchar': ({ id }) => (id % 5 === 0 ? 'ps_checkpayment' : 'ps_wirepayment'),
      'recyclable tinyint, gift tinyint': 0,
      'gift_message text': '',
      'mobile_theme tinyint': 0,
      'shipping_number varchar': '',
      ...totals,
      'round_mode tinyint, round_type tinyint': 2,
      'invoice_number int': (one) => (one.isDraft ? 0 : numberOf(invoiceId(one))),
      'delivery_number int': ({ id, isDraft }) => (isDraft ? 0 : id - 3995),
      'invoice_date datetime': ({ date, isDraft }) => (isDraft ? never : at(date, '16:20:11')),
      'delivery_date datetime': ({ date, isDraft }) => (isDraft ? never : at(date, '18:02:00')),
      'valid int': ({ isDraft }) => (isDraft ? 0 : 1),
      'date_add datetime': ({ date }) => at(date),
      'date_upd datetime': ({ due }) => at(due),
      'note text': '',
    }),
    ps_order_invoice: tableOf(parts, {
      '*id_order_invoice int': (_part, index) => index + 201,
      'id_order int': ({ one }) => one.id,
      'number int': (_part, index) => numberOf(index + 201),
      'delivery_number int': ({ one }) => one.id - 3995,
      'delivery_date datetime': ({ one }) => at(one.date, '18:02:00'),
      'total_discount_tax_excl decimal, total_discount_tax_incl decimal': 0,
      'total_paid_tax_excl decimal': (part) => round(productsNet(part) + part.shipping),
      'total_paid_tax_incl decimal': (part) =>
        round(productsGross(part) + part.shipping + part.shippingTax),
      'total_products decimal': (part) => productsNet(part),
      'total_products_wt decimal': (part) => productsGross(part),
      'total_shipping_tax_excl decimal': (part) => part.shipping,
      'total_shipping_tax_incl decimal': (part) => part.shipping + part.shippingTax,
      'shipping_tax_computation_method int': 0,
      'total_wrapping_tax_excl decimal, total_wrapping_tax_incl decimal': 0,
      'shop_address text': 'Drawbridge Pumps<br />Kai 9<br />20457 Hamburg<br />Germany',
      'note text': ({ one }) => (one.id % 6 === 0 ? 'Thank you for your order' : ''),
      'date_add datetime': ({ one }) => at(one.date, '16:20:11'),
    }),
    ps_order_invoice_tax: tableOf(parts, {
      'id_order_invoice int': (_part, index) => index + 201,
      'type varchar': 'shipping',
      'id_tax int': 1,
      'amount decimal': (part) => part.shippingTax,
    }),
    ps_order_invoice_payment: tableOf(parts, {
      '*id_order_invoice int': (_part, index) => index + 201,
      '*id_order_payment int': ({ one }) => one.id - 3700,
      'id_order int': ({ one }) => one.id,
    }),
    ps_order_payment: tableOf(bills, {
      '*id_order_payment int': ({ id }) => id - 3700,
      'order_reference varchar': (one) => referenceOf(one),
      'id_currency int': (one) => currencyId(one),
      'amount decimal': (one) => gross(one),
      'payment_method varchar': ({ id }) => (id % 5 === 0 ? 'Payments by check' : 'Bank transfer'),
      'conversion_rate decimal': (one) => rateOf(one),
      'transaction_id varchar': '',
      'card_number varchar, card_brand varchar, card_expiration char, card_holder varchar': null,
      'date_add datetime': ({ date }) => at(date, '16:20:11'),
    }),
    ps_order_detail: tableOf(lines, {
      '*id_order_detail int': ({ line }) => line.id,
      'id_order int': ({ one }) => one.id,
      'id_order_invoice int': ({ one, line }) => (one.isDraft ? 0 : invoiceId(one, line)),
      'id_warehouse int': 0,
      'id_shop int': ids.shop,
      'product_id int': ({ line }) => line.item.id,
      'product_attribute_id int, id_customization int': 0,
      'product_name text': ({ line }) => line.item.name,
      'product_quantity int': ({ line }) => line.quantity,
      'product_quantity_in_stock int': ({ line }) => line.quantity,
      'product_quantity_refunded int, product_quantity_return int': 0,
      'product_quantity_reinjected int': 0,
      'product_price decimal': ({ line }) => line.price,
      'reduction_percent decimal': ({ line }) => line.discount,
      'reduction_amount decimal, reduction_amount_tax_incl decimal': 0,
      'reduction_amount_tax_excl decimal, group_reduction decimal': 0,
      'product_quantity_discount decimal': 0,
      'product_ean13 varchar, product_isbn varchar, product_upc varchar, product_mpn varchar': '',
      'product_reference varchar': ({ line }) => line.item.code,
      'product_supplier_reference varchar': '',
      'product_weight decimal': 0.3,
      'id_tax_rules_group int': ({ line }) => taxId(line.item.rate),
      'tax_computation_method tinyint': 0,
      'tax_name varchar': '',
      'tax_rate decimal': 0,
      'ecotax decimal, ecotax_tax_rate decimal': 0,
      'discount_quantity_applied tinyint': 0,
      'download_hash varchar': '',
      'download_nb int': 0,
      'download_deadline datetime': never,
      'total_price_tax_incl decimal': ({ line }) => round(netOf(line) + taxOf(line)),
      'total_price_tax_excl decimal': ({ line }) => netOf(line),
      'unit_price_tax_incl decimal': ({ line }) => withTax(line, netPrice(line)),
      'unit_price_tax_excl decimal': ({ line }) => netPrice(line),
      'total_shipping_price_tax_incl decimal, total_shipping_price_tax_excl decimal': 0,
      'purchase_supplier_price decimal': ({ line }) => line.item.price / 2,
      'original_product_price decimal': ({ line }) => line.price,
      'original_wholesale_price decimal': ({ line }) => line.item.price / 2,
      'total_refunded_tax_excl decimal, total_refunded_tax_incl decimal': 0,
    }),
    ps_order_detail_tax: tableOf(billed, {
      'id_order_detail int': ({ line }) => line.id,
      'id_tax int': ({ line }) => taxId(line.item.rate),
      'unit_amount decimal': ({ line }) => round((netPrice(line) * line.item.rate) / 100),
      'total_amount decimal': ({ line }) => taxOf(line),
    }),
    ps_customer: tableOf(customers, {
      '*id_customer int': ({ id }) => id,
      'id_shop_group int, id_shop int': ids.shop,
      'id_gender int': 1,
      'id_default_group int': 3,
      'id_lang int': ids.lang,
      'id_risk int': 0,
      'company varchar': ({ id, name }) => (isPerson(id) ? null : name),
      'siret varchar': ({ id }) => (id % 4 === 2 ? `81234567800${100 + id}` : null),
      'ape varchar': null,
      'firstname varchar': ({ first }) => first,
      'lastname varchar': ({ last }) => last,
      'email varchar': ({ email }) => email,
      'passwd varchar': '$2y$10$abcdef',
      'last_passwd_gen timestamp': at('2025-04-01'),
      'birthday date': '0000-00-00',
      'newsletter tinyint': 1,
      'ip_registration_newsletter varchar, newsletter_date_add datetime': null,
      'optin tinyint': 0,
      'website varchar': null,
      'outstanding_allow_amount decimal': 0,
      'show_public_prices tinyint, max_payment_days int': 0,
      'secure_key varchar': 'b44a6d9efd7a0076a0fbce6b15eaf3b1',
      'note text': null,
      'active tinyint': 1,
      'is_guest tinyint, deleted tinyint': 0,
      ...stamped,
    }),
    ps_address: tableOf(
      [
        ...customers.map((one) => ({ ...one, owner: one.id, id: one.id + 20, alias: 'Invoice' })),
        ...customers.map((one) => ({
          ...one,
          owner: one.id,
          id: one.id + 50,
          alias: 'Delivery',
          street: 'Dock 4',
        })),
      ],
      {
        '*id_address int': ({ id }) => id,
        'id_country int': ({ countryCode }) => countryId(countryCode),
        'id_state int': ({ owner }) => owner + 70,
        'id_customer int': ({ owner }) => owner,
        'id_manufacturer int, id_supplier int, id_warehouse int': 0,
        'alias varchar': ({ alias }) => alias,
        'company varchar': ({ owner, name }) => (isPerson(owner) ? '' : name),
        'lastname varchar': ({ last }) => last,
        'firstname varchar': ({ first }) => first,
        'address1 varchar': ({ street }) => street,
        'address2 varchar': '',
        'postcode varchar': ({ zip }) => zip,
        'city varchar': ({ city }) => city,
        'other text': '',
        'phone varchar': ({ phone }) => phone,
        'phone_mobile varchar': '',
        'vat_number varchar': ({ owner, vat }) => (isPerson(owner) ? '' : vat),
        'dni varchar': '',
        ...stamped,
        'active tinyint': 1,
        'deleted tinyint': 0,
      },
    ),
    ps_country: tableOf(countries, {
      '*id_country int': ({ countryCode }) => countryId(countryCode),
      'id_zone int': 1,
      'id_currency int': 0,
      'iso_code varchar': ({ countryCode }) => countryCode,
      'call_prefix int': 49,
      'active tinyint': 1,
      'contains_states tinyint': 1,
      'need_identification_number tinyint': 0,
      'need_zip_code tinyint': 1,
      'zip_code_format varchar': 'NNNNN',
      'display_tax_label tinyint': 1,
    }),
    ps_country_lang: tableOf(
      countries.flatMap((one) => languages.map(({ id }) => ({ one, lang: id }))),
      {
        '*id_country int': ({ one }) => countryId(one.countryCode),
        '*id_lang int': ({ lang }) => lang,
        'name varchar': ({ one }) => one.country,
      },
    ),
    ps_state: tableOf(customers, {
      '*id_state int': ({ id }) => id + 70,
      'id_country int': ({ countryCode }) => countryId(countryCode),
      'id_zone int': 1,
      'name varchar': ({ city }) => `Region of ${city}`,
      'iso_code varchar': ({ state }) => state,
      'tax_behavior smallint': 0,
      'active tinyint': 1,
    }),
    ps_currency: {
      columns:
        '*id_currency int, name varchar, iso_code varchar, numeric_iso_code varchar, precision int, conversion_rate decimal, deleted tinyint, active tinyint',
      rows: [
        [1, 'Euro', 'EUR', '978', 2, 1, 0, 1],
        [2, 'US Dollar', 'USD', '840', 2, 1.08, 0, 1],
      ],
    },
    ps_currency_lang: {
      columns: '*id_currency int, *id_lang int, name varchar, symbol varchar, pattern varchar',
      rows: [
        [1, 1, 'Euro', '€', ''],
        [2, 1, 'US Dollar', '$', ''],
        [1, 2, 'Euro', '€', ''],
        [2, 2, 'Dollar des États-Unis', '$', ''],
      ],
    },
    ps_tax: tableOf(taxRates, {
      '*id_tax int': ({ id }) => id,
      'rate decimal': ({ rate }) => rate,
      'active tinyint': 1,
      'deleted tinyint': 0,
    }),
    ps_tax_lang: tableOf(
      taxRates.flatMap((one) => languages.map(({ id }) => ({ ...one, lang: id }))),
      {
        '*id_tax int': ({ id }) => id,
        '*id_lang int': ({ lang }) => lang,
        'name varchar': ({ name, lang }) => (lang === 2 ? name.replace('VAT', 'TVA') : name),
      },
    ),
    ps_tax_rules_group: tableOf(taxRates, {
      '*id_tax_rules_group int': ({ id }) => id,
      'name varchar': ({ rate }) => (rate === 0 ? 'Zero rate' : 'Standard rate'),
      'active tinyint': 1,
      'deleted tinyint': 0,
      ...stamped,
    }),
    ps_product: tableOf(items, {
      '*id_product int': ({ id }) => id,
      'id_supplier int': 1,
      'id_manufacturer int': 0,
      'id_category_default int': 2,
      'id_shop_default int': ids.shop,
      'id_tax_rules_group int': ({ rate }) => taxId(rate),
      'on_sale tinyint, online_only tinyint': 0,
      'ean13 varchar, isbn varchar, upc varchar, mpn varchar': '',
      'ecotax decimal': 0,
      'quantity int': 0,
      'minimal_quantity int': 1,
      'price decimal': ({ price }) => price,
      'wholesale_price decimal': ({ price }) => price / 2,
      'unity varchar': '',
      'unit_price decimal': 0,
      'additional_shipping_cost decimal': 0,
      'reference varchar': ({ code }) => code,
      'supplier_reference varchar, location varchar': '',
      'width decimal, height decimal, depth decimal': 0,
      'weight decimal': 0.3,
      'active tinyint': 1,
      'condition varchar': 'new',
      'visibility varchar': 'both',
      ...stamped,
    }),
    ps_product_lang: tableOf(
      items.flatMap((one) => languages.map(({ id }) => ({ one, lang: id }))),
      {
        '*id_product int': ({ one }) => one.id,
        '*id_shop int': ids.shop,
        '*id_lang int': ({ lang }) => lang,
        'description text, description_short text': ({ one }) => `<p>${one.name}, boxed</p>`,
        'link_rewrite varchar': ({ one }) => one.code.toLowerCase(),
        'meta_description varchar, meta_keywords varchar, meta_title varchar': '',
        'name varchar': ({ one }) => one.name,
        'available_now varchar, available_later varchar': '',
      },
    ),
  },
  sections: {
    header: { table: 'ps_order_invoice', key: 'id_order_invoice', match: 'number' },
    lines: {
      table: 'ps_order_detail',
      key: 'id_order_detail',
      match: 'id_order_invoice',
      matchFrom: 'id_order_invoice',
    },
  },
  fields: {
    number: 'ps_order_invoice.number',
    issue_date: 'ps_order_invoice.date_add!date|ps_orders.invoice_date!date',
    currency: 'ps_currency.iso_code|ps_orders.id_currency!map',
    'exchange_rate.rate': 'ps_orders.conversion_rate|ps_order_payment.conversion_rate',
    purchase_order: 'ps_orders.reference',
    buyer_reference: 'ps_orders.reference',
    'notes[]': 'ps_order_invoice.note',
    'delivery.date': 'ps_order_invoice.delivery_date!date|ps_orders.delivery_date!date',
    'payment_means[].code':
      'ps_orders.payment!map|ps_orders.module!map|ps_order_payment.payment_method!map',
    'totals.net': 'ps_order_invoice.total_paid_tax_excl',
    'totals.lines': 'ps_order_invoice.total_products',
    'totals.gross': 'ps_order_invoice.total_paid_tax_incl',
    'totals.due': 'ps_order_invoice.total_paid_tax_incl',
    'charges[].amount': 'ps_order_invoice.total_shipping_tax_excl',
    'allowances[].amount': 'ps_order_invoice.total_discount_tax_excl',
    'buyer.name':
      'ps_address.company|ps_customer.company|ps_address.firstname!concat|ps_address.lastname!concat',
    'buyer.trn': 'ps_address.vat_number',
    'PINT-MY:buyer.identifiers[].id': 'ps_address.vat_number',
    'buyer.registration_id': 'ps_customer.siret',
    'buyer.address.line1': 'ps_address.address1',
    'buyer.address.line2': 'ps_address.address2',
    'buyer.address.city': 'ps_address.city',
    'buyer.address.post_code': 'ps_address.postcode',
    'buyer.address.subdivision': 'ps_state.iso_code|ps_state.name',
    'buyer.address.country': 'ps_country.iso_code|ps_country_lang.name!map',
    'buyer.contact.name':
      'ps_address.firstname!concat|ps_address.lastname!concat|ps_customer.firstname!concat|ps_customer.lastname!concat',
    'buyer.contact.phone': 'ps_address.phone',
    'buyer.contact.email': 'ps_customer.email',
    'lines[].id': 'ps_order_detail.id_order_detail',
    'lines[].sku': 'ps_order_detail.product_reference|ps_product.reference',
    'lines[].name': 'ps_order_detail.product_name|ps_product_lang.name',
    'lines[].description':
      'ps_order_detail.product_name|ps_product_lang.name|ps_product_lang.description_short|ps_product_lang.description',
    'lines[].qty': 'ps_order_detail.product_quantity',
    'lines[].unit_price':
      'ps_order_detail.unit_price_tax_excl|ps_order_detail.product_price|ps_order_detail.original_product_price',
    'lines[].allowances[].percent': 'ps_order_detail.reduction_percent',
    'lines[].gross_price':
      'ps_order_detail.unit_price_tax_excl|ps_order_detail.product_price|ps_order_detail.original_product_price',
    'lines[].net': 'ps_order_detail.total_price_tax_excl',
    'lines[].accounting.amount': 'ps_order_detail.total_price_tax_incl',
    'lines[].accounting.tax_totals[].amount': 'ps_order_detail_tax.total_amount',
    'lines[].tax.rate': 'ps_tax.rate',
    'lines[].tax.category':
      'ps_tax.rate!map|ps_tax_lang.name!map|ps_order_detail_tax.id_tax!map|ps_order_detail.id_tax_rules_group!map|ps_tax_rules_group.name!map',
  },
};
