import { iso3 } from './iso3.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { customers, type Invoice, invoices, items } from './trade.ts';

type Line = Invoice['lines'][number];

const cents = (amount: number) => Math.round(amount * 100);
const usDollarRate = 1.08;
const channel = 1;
const group = 1;
const standardTax = 1;
const zeroTax = 2;
const taxClass = (rate: number) => (rate === 0 ? zeroTax : standardTax);
const productId = (id: number) => id - 10;
const variantId = (id: number) => id + 30;
const countries = customers.filter(
  ({ country }, index) => customers.findIndex((other) => other.country === country) === index,
);
const countryId = (code: string) =>
  countries.find(({ countryCode }) => countryCode === code)!.id + 80;
const orderId = ({ id }: Invoice) => id - 3990;
const numberOf = (one: Invoice) => String(orderId(one)).padStart(8, '0');
const userId = (id: number) => id + 2;
const isPaid = ({ isDraft }: Invoice) => !isDraft;
const placed = invoices.filter(isPaid);
const subTotal = ({ quantity, price }: Line) => quantity * cents(price);
const discountOf = (line: Line) => subTotal(line) - cents(line.net);
const sumOf = ({ lines }: Invoice, of: (line: Line) => number) =>
  lines.reduce((sum, line) => sum + of(line), 0);
const lines = invoices.flatMap((one) => one.lines.map((line) => ({ one, line })));
const orderLines = lines.map((each, index) => ({ ...each, id: index + 301 }));
const breakdown = (rate: number, amount: number, currency: string) =>
  JSON.stringify([
    {
      description: rate === 0 ? 'Zero' : 'VAT',
      identifier: `tax_rate_${taxClass(rate)}`,
      percentage: rate,
      value: amount,
      currency_code: currency,
    },
  ]);
const text = (value: string) =>
  JSON.stringify({
    name: { field_type: 'Lunar\\FieldTypes\\TranslatedText', value: { en: value } },
  });

const stamps = { 'created_at timestamp, updated_at timestamp': at('2025-02-03') } as const;
const stampsOf = {
  'created_at timestamp': ({ date }: Invoice) => at(date, '10:02:44'),
  'updated_at timestamp': ({ due }: Invoice) => at(due, '08:00:12'),
} as const;
const person = {
  'title varchar(255)': null,
  'first_name varchar(255)': ({ first }: { first: string }) => first,
  'last_name varchar(255)': ({ last }: { last: string }) => last,
  'company_name varchar(255)': ({ name }: { name: string }) => name,
} as const;
const place = {
  'line_one varchar(255)': ({ street }: { street: string }) => street,
  'line_two varchar(255), line_three varchar(255)': null,
  'city varchar(255)': ({ city }: { city: string }) => city,
  'state varchar(255)': ({ state }: { state: string }) => state,
  'postcode varchar(255)': ({ zip }: { zip: string }) => zip,
  'delivery_instructions varchar(255)': null,
  'contact_email varchar(255)': ({ email }: { email: string }) => email,
  'contact_phone varchar(255)': ({ phone }: { phone: string }) => phone,
} as const;

/** An order has an address to bill, and one to ship to. */
const addressesOf = (all: readonly Invoice[]) =>
  all.flatMap((one) => [
    { ...one.customer, one, type: 'billing' },
    {
      ...one.customer,
      one,
      type: 'shipping',
      street: 'Dock 4',
      vat: null,
      email: '',
    },
  ]);

const around: Readonly<Record<string, LayoutTable>> = {
  activity_log: tableOf(placed, {
    '*id bigint': (_one, index) => index + 1,
    'log_name varchar(255)': 'lunar',
    'description varchar(255)': 'status-update',
    'subject_type varchar(255)': 'order',
    'event varchar(255)': null,
    'subject_id bigint': orderId,
    'causer_type varchar(255)': 'staff',
    'causer_id bigint': 1,
    'properties json': '{"new": "payment-received", "previous": "awaiting-payment"}',
    'batch_uuid char(36)': null,
    ...stampsOf,
  }),
  lunar_attribute_groups: {
    columns:
      '*id bigint, attributable_type varchar(255), name json, handle varchar(255), position int, created_at timestamp, updated_at timestamp',
    rows: [[1, 'product', '{"en": "Details"}', 'details', 1, at('2025-02-03'), at('2025-02-03')]],
  },
  lunar_attributes: {
    columns:
      '*id bigint, attribute_type varchar(255), attribute_group_id bigint, position int, name json, handle varchar(255), section varchar(255), type varchar(255), required int, default_value varchar(255), configuration json, system int, created_at timestamp, updated_at timestamp',
    rows: [
      [
        1,
        'product',
        1,
        1,
        '{"en": "Name"}',
        'name',
        'main',
        'Lunar\\FieldTypes\\TranslatedText',
        1,
        null,
        '{"richtext": false}',
        1,
        at('2025-02-03'),
        at('2025-02-03'),
      ],
    ],
    foreign: { attribute_group_id: 'lunar_attribute_groups.id' },
  },
  lunar_brands: {
    columns: '*id bigint, name varchar(255), attribute_data json, created_at timestamp',
    rows: [[1, 'Mill Supplies', null, at('2025-02-03')]],
  },
  lunar_carts: tableOf(
    invoices,
    {
      '*id bigint': ({ id }) => id - 3900,
      'user_id bigint': ({ customer }) => userId(customer.id),
      'customer_id bigint': ({ customer }) => customer.id,
      'merged_id bigint': null,
      'currency_id bigint': ({ currency }) => (currency === 'USD' ? 2 : 1),
      'channel_id bigint': channel,
      'order_id bigint': null,
      'coupon_code varchar(255)': null,
      'completed_at datetime': ({ date, isDraft }) => (isDraft ? null : at(date)),
      'meta json': null,
      ...stampsOf,
      'deleted_at timestamp': null,
    },
    {
      user_id: 'users.id',
      customer_id: 'lunar_customers.id',
      currency_id: 'lunar_currencies.id',
      channel_id: 'lunar_channels.id',
    },
  ),
  lunar_cart_lines: tableOf(
    lines,
    {
      '*id bigint': (_row, index) => index + 1,
      'cart_id bigint': ({ one }) => one.id - 3900,
      'purchasable_type varchar(255)': 'product_variant',
      'purchasable_id bigint': ({ line }) => variantId(line.item.id),
      'quantity int': ({ line }) => line.quantity,
      'meta json': null,
      'created_at timestamp, updated_at timestamp': ({ one }) => at(one.date),
    },
    { cart_id: 'lunar_carts.id' },
  ),
  lunar_cart_addresses: tableOf(
    addressesOf(invoices.slice(0, 10)),
    {
      '*id bigint': (_one, index) => index + 1,
      'cart_id bigint': ({ one }) => one.id - 3900,
      'country_id bigint': ({ countryCode }) => countryId(countryCode),
      ...person,
      ...place,
      'type varchar(255)': ({ type }) => type,
      'shipping_option varchar(255), meta json': null,
      ...stamps,
      'tax_identifier varchar(255)': ({ vat }) => vat,
    },
    { cart_id: 'lunar_carts.id', country_id: 'lunar_countries.id' },
  ),
  lunar_channels: {
    columns:
      '*id bigint, name varchar(255), handle varchar(255), default int, url varchar(255), created_at timestamp, updated_at timestamp, deleted_at timestamp',
    rows: [
      [channel, 'Webstore', 'webstore', 1, 'shop.pumps.example', at('2025-02-03'), null, null],
    ],
  },
  lunar_collection_groups: {
    columns: '*id bigint, name varchar(255), handle varchar(255), created_at timestamp',
    rows: [[1, 'Main', 'main', at('2025-02-03')]],
  },
  lunar_collections: {
    columns:
      '*id bigint, collection_group_id bigint, _lft int, _rgt int, parent_id int, type varchar(255), attribute_data json, sort varchar(255), created_at timestamp, updated_at timestamp, deleted_at timestamp',
    rows: [[1, 1, 1, 2, null, 'static', text('Pumps'), 'custom', at('2025-02-03'), null, null]],
    foreign: { collection_group_id: 'lunar_collection_groups.id' },
  },
  lunar_collection_product: tableOf(
    items,
    {
      '*id bigint': (_one, index) => index + 1,
      'collection_id bigint': 1,
      'product_id bigint': ({ id }) => productId(id),
      'position int': (_one, index) => index + 1,
      ...stamps,
    },
    { collection_id: 'lunar_collections.id', product_id: 'lunar_products.id' },
  ),
  lunar_customer_customer_group: tableOf(
    customers,
    {
      '*id bigint': ({ id }) => id,
      'customer_id bigint': ({ id }) => id,
      'customer_group_id bigint': group,
      ...stamps,
    },
    { customer_id: 'lunar_customers.id', customer_group_id: 'lunar_customer_groups.id' },
  ),
  lunar_customer_groups: {
    columns:
      '*id bigint, name varchar(255), handle varchar(255), default int, attribute_data json, created_at timestamp, updated_at timestamp',
    rows: [[group, 'Trade', 'trade', 1, null, at('2025-02-03'), at('2025-02-03')]],
  },
  lunar_customer_user: tableOf(
    customers,
    {
      '*id bigint': ({ id }) => id,
      'customer_id bigint': ({ id }) => id,
      'user_id bigint': ({ id }) => userId(id),
      ...stamps,
    },
    { customer_id: 'lunar_customers.id', user_id: 'users.id' },
  ),
  lunar_discounts: {
    columns:
      '*id bigint, name varchar(255), handle varchar(255), coupon varchar(255), type varchar(255), starts_at datetime, ends_at datetime, uses int, max_uses int, max_uses_per_user int, priority int, stop int, restriction varchar(255), data json, created_at timestamp, updated_at timestamp',
    rows: [
      [
        1,
        'Trade 10',
        'trade_10',
        null,
        'Lunar\\DiscountTypes\\AmountOff',
        at('2025-02-03'),
        null,
        12,
        null,
        null,
        1,
        0,
        null,
        '{"percentage": 10, "fixed_value": false}',
        at('2025-02-03'),
        at('2025-02-03'),
      ],
    ],
  },
  lunar_languages: {
    columns:
      '*id bigint, code varchar(255), name varchar(255), default int, created_at timestamp, updated_at timestamp',
    rows: [[1, 'en', 'English', 1, at('2025-02-03'), at('2025-02-03')]],
  },
  lunar_product_types: {
    columns: '*id bigint, name varchar(255), created_at timestamp, updated_at timestamp',
    rows: [[1, 'Goods', at('2025-02-03'), at('2025-02-03')]],
  },
  lunar_prices: tableOf(
    items,
    {
      '*id bigint': ({ id }) => id,
      'customer_group_id bigint': null,
      'currency_id bigint': 1,
      'priceable_type varchar(255)': 'product_variant',
      'priceable_id bigint': ({ id }) => variantId(id),
      'price int': ({ price }) => cents(price),
      'compare_price int': null,
      'min_quantity int': 1,
      ...stamps,
    },
    { customer_group_id: 'lunar_customer_groups.id', currency_id: 'lunar_currencies.id' },
  ),
  lunar_staff: {
    columns:
      '*id bigint, admin int, first_name varchar(255), last_name varchar(255), email varchar(255), email_verified_at timestamp, password varchar(255), remember_token varchar(100), created_at timestamp, updated_at timestamp, deleted_at timestamp',
    rows: [
      [
        1,
        1,
        'Paul',
        'Roy',
        'paul@pumps.example',
        null,
        '',
        null,
        at('2025-02-03'),
        at('2025-02-03'),
        null,
      ],
    ],
  },
  lunar_states: tableOf(
    customers,
    {
      '*id bigint': ({ id }) => id,
      'country_id bigint': ({ countryCode }) => countryId(countryCode),
      'name varchar(255)': ({ city }) => `Land of ${city}`,
      'code varchar(255)': ({ state }) => state,
      ...stamps,
    },
    { country_id: 'lunar_countries.id' },
  ),
  lunar_tags: {
    columns: '*id bigint, value varchar(255), created_at timestamp, updated_at timestamp',
    rows: [[1, 'NEW', at('2025-02-03'), at('2025-02-03')]],
  },
  lunar_tax_zones: {
    columns:
      '*id bigint, name varchar(255), zone_type varchar(255), price_display varchar(255), active int, default int, created_at timestamp, updated_at timestamp',
    rows: [[1, 'All', 'country', 'tax_exclusive', 1, 1, at('2025-02-03'), at('2025-02-03')]],
  },
  lunar_tax_zone_countries: tableOf(
    countries,
    {
      '*id bigint': (_one, index) => index + 1,
      'tax_zone_id bigint': 1,
      'country_id bigint': ({ countryCode }) => countryId(countryCode),
      ...stamps,
    },
    { tax_zone_id: 'lunar_tax_zones.id', country_id: 'lunar_countries.id' },
  ),
  lunar_urls: tableOf(
    items,
    {
      '*id bigint': ({ id }) => id,
      'language_id bigint': 1,
      'element_type varchar(255)': 'product',
      'element_id bigint': ({ id }) => productId(id),
      'slug varchar(255)': ({ code }) => code.toLowerCase(),
      'default int': 1,
      ...stamps,
    },
    { language_id: 'lunar_languages.id' },
  ),
  media: tableOf(items.slice(0, 3), {
    '*id bigint': (_one, index) => index + 1,
    'model_type varchar(255)': 'product',
    'model_id bigint': ({ id }) => productId(id),
    'uuid char(36)': null,
    'collection_name varchar(255)': 'images',
    'name varchar(255)': ({ code }) => code,
    'file_name varchar(255)': ({ code }) => `${code}.png`,
    'mime_type varchar(255)': 'image/png',
    'disk varchar(255)': 'public',
    'size bigint': 81_020,
    'order_column int': 1,
    ...stamps,
  }),
  migrations: {
    columns: '*id int, migration varchar(255), batch int',
    rows: [
      [1, '2021_10_01_090000_create_orders_table', 1],
      [2, '2021_10_01_090001_create_order_lines_table', 1],
    ],
  },
  users: tableOf(customers, {
    '*id bigint': ({ id }) => userId(id),
    'name varchar(255)': ({ first, last }) => `${first} ${last}`,
    'email varchar(255)': ({ email }) => email,
    'email_verified_at timestamp': null,
    'password varchar(255)': '',
    'remember_token varchar(100)': null,
    ...stamps,
  }),
};

/**
 * The order is the invoice, its amounts whole cents; tax is told in texts of JSON beside their sums, a rate only by the class of the
 * goods; what is sold is named by a kind and a key of it, names of goods are in JSON as well; the buyer's address is a row of the
 * order by its kind, the customer another; what is given back is a transaction (Lunar 1, from GetCandy). Names, types and keys:
 * its migrations, packages/core/database/migrations of lunarphp/lunar; later columns from memory.
 */
export const minorUnits: Layout = {
  name: 'minor-units',
  isHeldOut: true,
  tables: {
    ...around,
    lunar_orders: tableOf(
      invoices,
      {
        '*id bigint': orderId,
        'customer_id bigint': ({ customer }) => customer.id,
        'user_id bigint': ({ customer }) => userId(customer.id),
        'channel_id bigint': channel,
        'new_customer int': 0,
        'cart_id bigint': ({ id }) => id - 3900,
        'status varchar(255)': (one) => (isPaid(one) ? 'payment-received' : 'awaiting-payment'),
        'reference varchar(255)': (one) => (isPaid(one) ? numberOf(one) : null),
        'customer_reference varchar(255)': ({ order }) => (order === '' ? null : order),
        'sub_total bigint': (one) => sumOf(one, subTotal),
        'discount_breakdown json': '[]',
        'discount_total bigint': (one) => sumOf(one, discountOf),
        'shipping_breakdown json': '[]',
        'shipping_total bigint': 0,
        'tax_breakdown json': ({ tax, currency }) => breakdown(20, cents(tax), currency),
        'tax_total bigint': ({ tax }) => cents(tax),
        'total bigint': ({ gross }) => cents(gross),
        'notes text': ({ id }) => (id % 6 === 0 ? 'Please ring twice' : null),
        'currency_code varchar(3)': ({ currency }) => currency,
        'compare_currency_code varchar(3)': 'EUR',
        'exchange_rate decimal': ({ currency }) => (currency === 'USD' ? usDollarRate : 1),
        'placed_at datetime': (one) => (isPaid(one) ? at(one.date) : null),
        'fingerprint varchar(255)': ({ id }) => `f${id * 77}`,
        'meta json': null,
        ...stampsOf,
      },
      {
        customer_id: 'lunar_customers.id',
        user_id: 'users.id',
        channel_id: 'lunar_channels.id',
        cart_id: 'lunar_carts.id',
      },
    ),
    lunar_order_lines: tableOf(
      orderLines,
      {
        '*id bigint': ({ id }) => id,
        'order_id bigint': ({ one }) => orderId(one),
        'purchasable_type varchar(255)': 'product_variant',
        'purchasable_id bigint': ({ line }) => variantId(line.item.id),
        'type varchar(255)': ({ line }) => (line.item.unit === 'HR' ? 'digital' : 'physical'),
        'description varchar(255)': ({ line }) => line.item.name,
        'option varchar(255)': '',
        'identifier varchar(255)': ({ line }) => line.item.code,
        'unit_price bigint': ({ line }) => cents(line.price),
        'unit_quantity smallint': 1,
        'quantity int': ({ line }) => line.quantity,
        'sub_total bigint': ({ line }) => subTotal(line),
        'discount_total bigint': ({ line }) => discountOf(line),
        'tax_breakdown json': ({ one, line }) =>
          breakdown(line.item.rate, cents(line.tax), one.currency),
        'tax_total bigint': ({ line }) => cents(line.tax),
        'total bigint': ({ line }) => cents(line.net) + cents(line.tax),
        'notes text, meta json': null,
        'created_at timestamp, updated_at timestamp': ({ one }) => at(one.date),
      },
      { order_id: 'lunar_orders.id' },
    ),
    lunar_order_addresses: tableOf(
      addressesOf(invoices),
      {
        '*id bigint': (_one, index) => index + 1,
        'order_id bigint': ({ one }) => orderId(one),
        'country_id bigint': ({ countryCode }) => countryId(countryCode),
        ...person,
        ...place,
        'type varchar(255)': ({ type }) => type,
        'shipping_option varchar(255)': null,
        'meta json': null,
        'created_at timestamp, updated_at timestamp': ({ one }) => at(one.date),
        'tax_identifier varchar(255)': ({ vat }) => vat,
      },
      { order_id: 'lunar_orders.id', country_id: 'lunar_countries.id' },
    ),
    lunar_transactions: tableOf(
      [
        ...placed.map((one) => ({ one, type: 'capture' })),
        ...placed.filter(({ kind }) => kind === 'credit').map((one) => ({ one, type: 'refund' })),
      ],
      {
        '*id bigint': (_one, index) => index + 1,
        'parent_transaction_id bigint': null,
        'order_id bigint': ({ one }) => orderId(one),
        'success int': 1,
        'type text': ({ type }) => type,
        'driver varchar(255)': 'offline',
        'amount bigint': ({ one }) => cents(one.gross),
        'reference varchar(255)': ({ one }) => `tr_${one.id}`,
        'status varchar(255)': 'settled',
        'notes varchar(255)': null,
        'card_type varchar(25)': 'none',
        'last_four varchar(4)': null,
        'meta json': null,
        'created_at timestamp, updated_at timestamp': ({ one }) => at(one.due),
        'captured_at datetime': ({ one }) => at(one.due),
      },
      {
        parent_transaction_id: 'lunar_transactions.id',
        order_id: 'lunar_orders.id',
      },
    ),
    lunar_customers: tableOf(customers, {
      '*id bigint': ({ id }) => id,
      ...person,
      'tax_identifier varchar(255)': ({ vat }) => vat,
      'account_ref varchar(255)': ({ code }) => code,
      'attribute_data json, meta json': null,
      ...stamps,
    }),
    lunar_addresses: tableOf(
      customers,
      {
        '*id bigint': ({ id }) => id,
        'customer_id bigint': ({ id }) => id,
        'country_id bigint': ({ countryCode }) => countryId(countryCode),
        ...person,
        ...place,
        'last_used_at datetime': null,
        'meta json': null,
        'shipping_default int': 0,
        'billing_default int': 1,
        ...stamps,
        'tax_identifier varchar(255)': null,
      },
      { customer_id: 'lunar_customers.id', country_id: 'lunar_countries.id' },
    ),
    lunar_products: tableOf(
      items,
      {
        '*id bigint': ({ id }) => productId(id),
        'brand_id bigint': 1,
        'product_type_id bigint': 1,
        'status varchar(255)': 'published',
        'attribute_data json': ({ name }) => text(name),
        ...stamps,
        'deleted_at timestamp': null,
      },
      { brand_id: 'lunar_brands.id', product_type_id: 'lunar_product_types.id' },
    ),
    lunar_product_variants: tableOf(
      items,
      {
        '*id bigint': ({ id }) => variantId(id),
        'product_id bigint': ({ id }) => productId(id),
        'tax_class_id bigint': ({ rate }) => taxClass(rate),
        'attribute_data json, tax_ref varchar(255)': null,
        'unit_quantity int, min_quantity int, quantity_increment int': 1,
        'sku varchar(255)': ({ code }) => code,
        'gtin varchar(255), mpn varchar(255), ean varchar(255)': null,
        'length_value decimal': null,
        'length_unit varchar(255)': 'mm',
        'width_value decimal': null,
        'width_unit varchar(255)': 'mm',
        'height_value decimal': null,
        'height_unit varchar(255)': 'mm',
        'weight_value decimal': 1,
        'weight_unit varchar(255)': 'kg',
        'volume_value decimal': null,
        'volume_unit varchar(255)': 'l',
        'shippable int': ({ unit }) => (unit === 'HR' ? 0 : 1),
        'stock int': 120,
        'backorder int': 0,
        'purchasable varchar(255)': 'always',
        ...stamps,
        'deleted_at timestamp': null,
      },
      { product_id: 'lunar_products.id', tax_class_id: 'lunar_tax_classes.id' },
    ),
    lunar_tax_classes: {
      columns:
        '*id bigint, name varchar(255), default int, created_at timestamp, updated_at timestamp',
      rows: [
        [standardTax, 'Standard', 1, at('2025-02-03'), at('2025-02-03')],
        [zeroTax, 'Zero', 0, at('2025-02-03'), at('2025-02-03')],
      ],
    },
    lunar_tax_rates: {
      columns:
        '*id bigint, tax_zone_id bigint, priority tinyint, name varchar(255), created_at timestamp, updated_at timestamp',
      rows: [[1, 1, 1, 'VAT', at('2025-02-03'), at('2025-02-03')]],
      foreign: { tax_zone_id: 'lunar_tax_zones.id' },
    },
    lunar_tax_rate_amounts: {
      columns:
        '*id bigint, tax_class_id bigint, tax_rate_id bigint, percentage decimal, created_at timestamp, updated_at timestamp',
      rows: [
        [1, standardTax, 1, 20, at('2025-02-03'), at('2025-02-03')],
        [2, zeroTax, 1, 0, at('2025-02-03'), at('2025-02-03')],
      ],
      foreign: { tax_class_id: 'lunar_tax_classes.id', tax_rate_id: 'lunar_tax_rates.id' },
    },
    lunar_currencies: {
      columns:
        '*id bigint, code varchar(10), name varchar(255), exchange_rate decimal, decimal_places int, enabled int, default int, sync_prices int, created_at timestamp, updated_at timestamp',
      rows: [
        [1, 'EUR', 'Euro', 1, 2, 1, 1, 0, at('2025-02-03'), at('2025-02-03')],
        [2, 'USD', 'US Dollar', usDollarRate, 2, 1, 0, 0, at('2025-02-03'), at('2025-02-03')],
      ],
    },
    lunar_countries: tableOf(countries, {
      '*id bigint': ({ countryCode }) => countryId(countryCode),
      'name varchar(255)': ({ country }) => country,
      'iso3 varchar(255)': ({ countryCode }) => iso3[countryCode]!,
      'iso2 varchar(255)': ({ countryCode }) => countryCode,
      'phonecode varchar(255)': ({ id }) => String(30 + id),
      'capital varchar(255)': ({ city }) => city,
      'currency varchar(255)': 'EUR',
      'native varchar(255)': ({ country }) => country,
      'emoji varchar(255), emoji_u varchar(255)': '',
      ...stamps,
    }),
  },
  sections: {
    header: {
      table: 'lunar_orders',
      key: 'id',
      match: 'reference',
      where: { status: 'payment-received' },
    },
    lines: { table: 'lunar_order_lines', key: 'id', match: 'order_id', matchFrom: 'id' },
    customer: {
      table: 'lunar_order_addresses',
      key: 'id',
      match: 'order_id',
      matchFrom: 'id',
      where: { type: 'billing' },
    },
  },
  // Both sums before tax are before discount, so that no column has the total without tax.
  fields: {
    number: 'lunar_orders.reference',
    issue_date: 'lunar_orders.placed_at!date|lunar_orders.created_at!date',
    currency: 'lunar_orders.currency_code',
    'exchange_rate.rate': 'lunar_orders.exchange_rate!divide|lunar_currencies.exchange_rate!divide',
    purchase_order: 'lunar_orders.customer_reference',
    buyer_reference: 'lunar_orders.customer_reference',
    'notes[]': 'lunar_orders.notes',
    'totals.tax': 'lunar_orders.tax_total!divide,multiply',
    'totals.gross': 'lunar_orders.total!divide,multiply',
    'totals.due': 'lunar_orders.total!divide,multiply',
    'buyer.name': 'lunar_order_addresses.company_name|lunar_customers.company_name',
    'buyer.trn': 'lunar_order_addresses.tax_identifier|lunar_customers.tax_identifier',
    'PINT-MY:buyer.identifiers[].id':
      'lunar_order_addresses.tax_identifier|lunar_customers.tax_identifier',
    'buyer.address.line1': 'lunar_order_addresses.line_one|lunar_addresses.line_one',
    'buyer.address.line2': 'lunar_order_addresses.line_two|lunar_addresses.line_two',
    'buyer.address.city': 'lunar_order_addresses.city|lunar_addresses.city',
    'buyer.address.subdivision': 'lunar_order_addresses.state|lunar_addresses.state',
    'buyer.address.post_code': 'lunar_order_addresses.postcode|lunar_addresses.postcode',
    'buyer.address.country':
      'lunar_countries.iso2|lunar_countries.iso3!map|lunar_countries.name!map|lunar_countries.native!map|lunar_order_addresses.country_id!map',
    'buyer.contact.name':
      'lunar_order_addresses.first_name!concat|lunar_order_addresses.last_name!concat|lunar_customers.first_name!concat|' +
      'lunar_customers.last_name!concat|users.name',
    'buyer.contact.phone': 'lunar_order_addresses.contact_phone|lunar_addresses.contact_phone',
    'buyer.contact.email':
      'lunar_order_addresses.contact_email|lunar_addresses.contact_email|users.email',
    'lines[].id': 'lunar_order_lines.id',
    'lines[].sku':
      'lunar_order_lines.identifier|lunar_product_variants.sku|lunar_order_lines.purchasable_id',
    'lines[].name': 'lunar_order_lines.description',
    'lines[].description': 'lunar_order_lines.description',
    'lines[].qty': 'lunar_order_lines.quantity',
    'lines[].base_qty': 'lunar_order_lines.unit_quantity|lunar_product_variants.unit_quantity',
    'lines[].unit_price': 'lunar_order_lines.unit_price!divide,multiply',
    'lines[].gross_price': 'lunar_order_lines.unit_price!divide,multiply',
    'lines[].allowances[].amount': 'lunar_order_lines.discount_total!divide,multiply',
    'lines[].accounting.amount': 'lunar_order_lines.total!divide,multiply',
    'lines[].accounting.tax_totals[].amount': 'lunar_order_lines.tax_total!divide,multiply',
    'lines[].tax.rate': 'lunar_tax_rate_amounts.percentage|lunar_product_variants.tax_class_id!map',
    'lines[].tax.category':
      'lunar_product_variants.tax_class_id!map|lunar_tax_classes.name!map|lunar_tax_rate_amounts.percentage!map|' +
      'lunar_tax_rate_amounts.tax_class_id!map',
  },
};
