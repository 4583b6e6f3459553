import type { Layout } from './layout.ts';
import { tableOf } from './tables.ts';
import { byLine, customers, type Invoice, invoices, items } from './trade.ts';

const round = (value: number) => Math.round(value * 100) / 100;
const money = (value: number) => value.toFixed(8);
const at = (date: string, time: string) => `${date} ${time}`;
const orderId = (one: Invoice) => one.id - 1000;
const refundId = (one: Invoice) => one.id + 2000;
const itemId = (id: number) => id - 88_000;
const productId = (id: number) => id + 40;
const isRefund = ({ kind }: Invoice) => kind === 'credit';
const orders = invoices.filter((one) => !isRefund(one));
const refunds = invoices.filter(isRefund);
const newest = orders.slice(-2);

function statusOf(one: Invoice): string {
  if (one.isDraft) return 'wc-checkout-draft';
  if (one.id % 13 === 0) return 'wc-cancelled';
  if (one.id % 17 === 0) return 'wc-failed';
  return newest.includes(one) ? 'wc-processing' : 'wc-completed';
}

const isDone = (one: Invoice) => statusOf(one) === 'wc-completed';
/** Without tax; the tax on it is 20 %. */
const shipping = ({ id }: Invoice) => (id % 5 === 0 ? 12.5 : 0);
const shippingTax = (one: Invoice) => round(shipping(one) * 0.2);
const tax = (one: Invoice) => round(one.tax + shippingTax(one));
const total = (one: Invoice) => round(one.net + shipping(one) + tax(one));
const subtotal = (line: Invoice['lines'][number]) => round(line.price * line.quantity);
const isGuest = ({ customer }: Invoice) => customer.id % 4 === 0;
const lines = byLine(orders, (one, line) => ({ one, line }));
const taxItem = (one: Invoice) => 8000 + one.id;
const shippingItem = (one: Invoice) => 16_000 + one.id;
const taxClass = (rate: number) => (rate === 0 ? 'zero-rate' : '');
const created = ({ date }: Invoice) => at(date, '10:41:07');

interface Pair {
  readonly item: number;
  readonly key: string;
  readonly value: string;
}

const lineMeta = ({ line }: (typeof lines)[number]): readonly Pair[] =>
  Object.entries({
    _product_id: String(productId(line.item.id)),
    _variation_id: '0',
    _qty: String(line.quantity),
    _tax_class: taxClass(line.item.rate),
    _line_subtotal: String(subtotal(line)),
    _line_subtotal_tax: String(round((subtotal(line) * line.item.rate) / 100)),
    _line_total: String(line.net),
    _line_tax: String(line.tax),
    _line_tax_data: `a:2:{s:5:"total";a:1:{i:1;s:4:"${line.tax}";}}`,
  }).map(([key, value]) => ({ item: itemId(line.id), key, value }));

const taxMeta = (one: Invoice): readonly Pair[] =>
  Object.entries({
    rate_id: '1',
    label: 'VAT',
    compound: '',
    tax_amount: String(one.tax),
    shipping_tax_amount: String(shippingTax(one)),
    rate_percent: '20',
  }).map(([key, value]) => ({ item: taxItem(one), key, value }));

const shippingMeta = (one: Invoice): readonly Pair[] =>
  Object.entries({
    method_id: shipping(one) === 0 ? 'free_shipping' : 'flat_rate',
    instance_id: '2',
    cost: String(shipping(one)),
    total_tax: String(shippingTax(one)),
  }).map(([key, value]) => ({ item: shippingItem(one), key, value }));

const orderMeta = (one: Invoice) =>
  Object.entries({
    _billing_vat_number: one.customer.vat,
    _billing_po_number: one.order,
    is_vat_exempt: 'no',
    _wc_order_attribution_source_type: 'typein',
    _wc_order_attribution_session_pages: '4',
  }).map(([key, value]) => ({ one, key, value }));

/**
 * Orders of a shop, which are its invoices; addresses are rows by kind, lines have a name only, and quantities, sums and
 * rates are values by key or in tables made for reports (WooCommerce with its own order tables).
 */
export const orderValues: Layout = {
  name: 'order-meta',
  isHeldOut: true,
  tables: {
    wp_wc_orders: tableOf(
      [
        ...orders.map((one) => ({ one, id: orderId(one), type: 'shop_order' })),
        ...refunds.map((one) => ({ one, id: refundId(one), type: 'shop_order_refund' })),
      ],
      {
        '*id bigint': ({ id }) => id,
        'status varchar(20)': ({ one }) => (isRefund(one) ? 'wc-completed' : statusOf(one)),
        'currency varchar(10)': ({ one }) => one.currency,
        'type varchar(20)': ({ type }) => type,
        'tax_amount decimal': ({ one }) => (isRefund(one) ? money(-one.tax) : money(tax(one))),
        'total_amount decimal': ({ one }) =>
          isRefund(one) ? money(-one.gross) : money(total(one)),
        'customer_id bigint': ({ one }) => (isGuest(one) ? 0 : one.customer.id),
        'billing_email varchar(320)': ({ one }) => (isRefund(one) ? null : one.customer.email),
        'date_created_gmt datetime': ({ one }) => created(one),
        'date_updated_gmt datetime': ({ one }) => at(one.date, '17:20:30'),
        'parent_order_id bigint': ({ one }) => (isRefund(one) ? orderId(one) - 1 : 0),
        'payment_method varchar(100)': ({ one }) => (one.id % 3 === 0 ? 'cod' : 'bacs'),
        payment_method_title: ({ one }) =>
          one.id % 3 === 0 ? 'Cash on delivery' : 'Direct bank transfer',
        'transaction_id varchar(100)': '',
        'ip_address varchar(100)': '203.0.113.7',
        user_agent: 'Mozilla/5.0',
        customer_note: ({ one }) => (one.id % 6 === 0 ? 'Please ring twice' : ''),
      },
    ),
    wp_wc_order_addresses: tableOf(
      orders.flatMap((one) => ['billing', 'shipping'].map((type) => ({ one, type }))),
      {
        '*id bigint': (_row, index) => index + 1,
        'order_id bigint': ({ one }) => orderId(one),
        'address_type varchar(20)': ({ type }) => type,
        first_name: ({ one }) => one.customer.first,
        last_name: ({ one }) => one.customer.last,
        company: ({ one, type }) => (type === 'billing' ? one.customer.name : 'Depot'),
        address_1: ({ one, type }) => (type === 'billing' ? one.customer.street : 'Dock 4'),
        address_2: '',
        city: ({ one }) => one.customer.city,
        state: ({ one }) => one.customer.state,
        postcode: ({ one }) => one.customer.zip,
        country: ({ one }) => one.customer.countryCode,
        'email varchar(320)': ({ one, type }) => (type === 'billing' ? one.customer.email : null),
        'phone varchar(100)': ({ one, type }) => (type === 'billing' ? one.customer.phone : ''),
      },
    ),
    wp_wc_order_operational_data: tableOf(orders, {
      '*id bigint': (_one, index) => index + 1,
      'order_id bigint': (one) => orderId(one),
      'created_via varchar(100)': 'checkout',
      'woocommerce_version varchar(20)': '9.4.2',
      'prices_include_tax tinyint(1)': 0,
      'coupon_usages_are_counted tinyint(1)': 1,
      'download_permission_granted tinyint(1)': 1,
      'cart_hash varchar(100)': ({ id }) => `c${id * 7919}`,
      'new_order_email_sent tinyint(1)': 1,
      'order_key varchar(100)': ({ id }) => `wc_order_k${id * 31}`,
      'order_stock_reduced tinyint(1)': 1,
      'date_paid_gmt datetime': (one) => (isDone(one) ? at(one.date, '10:45:00') : null),
      'date_completed_gmt datetime': (one) => (isDone(one) ? at(one.date, '17:20:30') : null),
      'shipping_tax_amount decimal': (one) => money(shippingTax(one)),
      'shipping_total_amount decimal': (one) => money(shipping(one)),
      'discount_tax_amount decimal': ({ lines: all }) =>
        money(
          all.reduce(
            (sum, line) => sum + round(((subtotal(line) - line.net) * line.item.rate) / 100),
            0,
          ),
        ),
      'discount_total_amount decimal': ({ lines: all }) =>
        money(all.reduce((sum, line) => sum + subtotal(line) - line.net, 0)),
      'recorded_sales tinyint(1)': 1,
    }),
    wp_wc_orders_meta: tableOf(orders.flatMap(orderMeta), {
      '*id bigint': (_row, index) => index + 1,
      'order_id bigint': ({ one }) => orderId(one),
      'meta_key varchar(255)': ({ key }) => key,
      meta_value: ({ value }) => value,
    }),
    wp_woocommerce_order_items: tableOf(
      [
        ...lines.map(({ one, line }) => ({
          id: itemId(line.id),
          name: line.item.name,
          type: 'line_item',
          one,
        })),
        ...orders.map((one) => ({ id: taxItem(one), name: 'VAT-1', type: 'tax', one })),
        ...orders.map((one) => ({
          id: shippingItem(one),
          name: shipping(one) === 0 ? 'Free shipping' : 'Flat rate',
          type: 'shipping',
          one,
        })),
      ],
      {
        '*order_item_id bigint': ({ id }) => id,
        order_item_name: ({ name }) => name,
        'order_item_type varchar(200)': ({ type }) => type,
        'order_id bigint': ({ one }) => orderId(one),
      },
    ),
    wp_woocommerce_order_itemmeta: tableOf(
      [...lines.flatMap(lineMeta), ...orders.flatMap(taxMeta), ...orders.flatMap(shippingMeta)],
      {
        '*meta_id bigint': (_pair, index) => index + 1,
        'order_item_id bigint': ({ item }) => item,
        'meta_key varchar(255)': ({ key }) => key,
        meta_value: ({ value }) => value,
      },
    ),
    wp_wc_order_product_lookup: tableOf(
      lines.filter(({ one }) => !one.isDraft),
      {
        '*order_item_id bigint': ({ line }) => itemId(line.id),
        'order_id bigint': ({ one }) => orderId(one),
        'product_id bigint': ({ line }) => productId(line.item.id),
        'variation_id bigint': 0,
        'customer_id bigint': ({ one }) => one.customer.id + 100,
        'date_created datetime': ({ one }) => created(one),
        'product_qty integer': ({ line }) => line.quantity,
        'product_net_revenue double': ({ line }) => line.net,
        'product_gross_revenue double': ({ one, line }) =>
          round(line.net + line.tax + (shipping(one) + shippingTax(one)) / one.lines.length),
        'coupon_amount double': ({ line }) => round(subtotal(line) - line.net),
        'tax_amount double': ({ line }) => line.tax,
        'shipping_amount double': ({ one }) => round(shipping(one) / one.lines.length),
        'shipping_tax_amount double': ({ one }) => round(shippingTax(one) / one.lines.length),
      },
    ),
    wp_wc_order_stats: tableOf(
      orders.filter(({ isDraft }) => !isDraft),
      {
        '*order_id bigint': (one) => orderId(one),
        'parent_id bigint': 0,
        'date_created datetime, date_created_gmt datetime': (one) => created(one),
        'date_paid datetime': (one) => (isDone(one) ? at(one.date, '10:45:00') : null),
        'date_completed datetime': (one) => (isDone(one) ? at(one.date, '17:20:30') : null),
        'num_items_sold integer': ({ lines: all }) =>
          all.reduce((sum, { quantity }) => sum + quantity, 0),
        'total_sales double': (one) => total(one),
        'tax_total double': (one) => tax(one),
        'shipping_total double': (one) => shipping(one),
        'net_total double': ({ net }) => net,
        'returning_customer tinyint(1)': 1,
        'status varchar(200)': (one) => statusOf(one),
        'customer_id bigint': ({ customer }) => customer.id + 100,
      },
    ),
    wp_wc_order_tax_lookup: tableOf(
      orders.filter(({ isDraft }) => !isDraft),
      {
        '*order_id bigint': (one) => orderId(one),
        '*tax_rate_id bigint': 1,
        'date_created datetime': (one) => created(one),
        'shipping_tax double': (one) => shippingTax(one),
        'order_tax double': (one) => one.tax,
        'total_tax double': (one) => tax(one),
      },
    ),
    wp_wc_customer_lookup: tableOf(customers, {
      '*customer_id bigint': ({ id }) => id + 100,
      'user_id bigint': ({ id }) => (id % 4 === 0 ? null : id),
      'username varchar(60)': ({ first }) => first.toLowerCase(),
      'first_name varchar(255)': ({ first }) => first,
      'last_name varchar(255)': ({ last }) => last,
      'email varchar(100)': ({ email }) => email,
      'date_last_active timestamp': '2026-02-20 08:00:00',
      'date_registered timestamp': '2025-02-01 08:00:00',
      'country char(2)': ({ countryCode }) => countryCode,
      'postcode varchar(20)': ({ zip }) => zip,
      'city varchar(100)': ({ city }) => city,
      'state varchar(100)': ({ state }) => state,
    }),
    wp_wc_product_meta_lookup: tableOf(items, {
      '*product_id bigint': ({ id }) => productId(id),
      'sku varchar(100)': ({ code }) => code,
      'global_unique_id varchar(100)': '',
      'virtual tinyint(1)': ({ unit }) => (unit === 'HR' ? 1 : 0),
      'downloadable tinyint(1)': 0,
      'min_price decimal, max_price decimal': ({ price }) => price.toFixed(4),
      'onsale tinyint(1)': 0,
      'stock_quantity double': 40,
      'stock_status varchar(100)': 'instock',
      'rating_count bigint': 0,
      'average_rating decimal': '0.00',
      'total_sales bigint': ({ id }) => id * 3,
      'tax_status varchar(100)': 'taxable',
      'tax_class varchar(100)': ({ rate }) => taxClass(rate),
    }),
    wp_woocommerce_tax_rates: {
      columns:
        '*tax_rate_id bigint, tax_rate_country varchar(2), tax_rate_state varchar(200), tax_rate varchar(8), tax_rate_name varchar(200), tax_rate_priority bigint, tax_rate_compound integer, tax_rate_shipping integer, tax_rate_order bigint, tax_rate_class varchar(200)',
      rows: [
        [1, '', '', '20.0000', 'VAT', 1, 0, 1, 0, ''],
        [2, '', '', '0.0000', 'VAT', 1, 0, 1, 0, 'zero-rate'],
      ],
    },
    wp_wc_tax_rate_classes: {
      columns: '*tax_rate_class_id bigint, name varchar(200), slug varchar(200)',
      rows: [
        [1, 'Reduced rate', 'reduced-rate'],
        [2, 'Zero rate', 'zero-rate'],
      ],
    },
    wp_posts: tableOf(
      [
        ...items.map(({ id, name, code }) => ({
          id: productId(id),
          title: name,
          slug: code.toLowerCase(),
          type: 'product',
          status: 'publish',
        })),
        ...orders.map((one) => ({
          id: orderId(one),
          title: '',
          slug: '',
          type: 'shop_order_placehold',
          status: 'draft',
        })),
        ...['Shop', 'Cart', 'Checkout'].map((title, index) => ({
          id: index + 5,
          title,
          slug: title.toLowerCase(),
          type: 'page',
          status: 'publish',
        })),
      ],
      {
        '*ID bigint': ({ id }) => id,
        'post_author bigint': 1,
        'post_date datetime, post_date_gmt datetime': '2025-12-01 09:00:00',
        post_content: ({ type, title }) => (type === 'product' ? `<p>${title} of our own</p>` : ''),
        post_title: ({ title }) => title,
        post_excerpt: '',
        'post_status varchar(20)': ({ status }) => status,
        'comment_status varchar(20), ping_status varchar(20)': 'closed',
        'post_password varchar(255)': '',
        'post_name varchar(200)': ({ slug }) => slug,
        'to_ping, pinged': '',
        'post_modified datetime, post_modified_gmt datetime': '2026-01-02 09:00:00',
        post_content_filtered: '',
        'post_parent bigint': 0,
        'guid varchar(255)': ({ id }) => `https://shop.example/?p=${id}`,
        'menu_order integer': 0,
        'post_type varchar(20)': ({ type }) => type,
        'post_mime_type varchar(100)': '',
        'comment_count bigint': 0,
      },
    ),
    wp_postmeta: tableOf(
      items.flatMap((one) =>
        Object.entries({
          _sku: one.code,
          _regular_price: String(one.price),
          _price: String(one.price),
          _stock: '40',
          _tax_class: taxClass(one.rate),
        }).map(([key, value]) => ({ one, key, value })),
      ),
      {
        '*meta_id bigint': (_row, index) => index + 1,
        'post_id bigint': ({ one }) => productId(one.id),
        'meta_key varchar(255)': ({ key }) => key,
        meta_value: ({ value }) => value,
      },
    ),
    wp_users: tableOf(
      customers.filter(({ id }) => id % 4 !== 0),
      {
        '*ID bigint': ({ id }) => id,
        'user_login varchar(60)': ({ first }) => first.toLowerCase(),
        'user_pass varchar(255)': '$P$B',
        'user_nicename varchar(50)': ({ first }) => first.toLowerCase(),
        'user_email varchar(100)': ({ email }) => email,
        'user_url varchar(100)': '',
        'user_registered datetime': '2025-02-01 08:00:00',
        'user_activation_key varchar(255)': '',
        'user_status integer': 0,
        'display_name varchar(250)': ({ first, last }) => `${first} ${last}`,
      },
    ),
    wp_usermeta: tableOf(
      customers.flatMap((one) =>
        Object.entries({
          billing_company: one.name,
          billing_phone: one.phone,
          wp_capabilities: 'a:1:{s:8:"customer";b:1;}',
        }).map(([key, value]) => ({ one, key, value })),
      ),
      {
        '*umeta_id bigint': (_row, index) => index + 1,
        'user_id bigint': ({ one }) => one.id,
        'meta_key varchar(255)': ({ key }) => key,
        meta_value: ({ value }) => value,
      },
    ),
    wp_options: {
      columns: '*option_id bigint, option_name varchar(191), option_value, autoload varchar(20)',
      rows: [
        [1, 'siteurl', 'https://shop.example', 'yes'],
        [2, 'blogname', 'Our Shop', 'yes'],
        [3, 'woocommerce_currency', 'EUR', 'yes'],
        [4, 'woocommerce_prices_include_tax', 'no', 'yes'],
        [5, 'woocommerce_store_address', 'Elbe 1', 'yes'],
      ],
    },
    wp_comments: tableOf(orders.slice(0, 12), {
      '*comment_ID bigint': ({ id }) => id - 4000,
      'comment_post_ID bigint': (one) => orderId(one),
      comment_author: 'WooCommerce',
      'comment_author_email varchar(100)': 'woocommerce@shop.example',
      'comment_date datetime, comment_date_gmt datetime': (one) => created(one),
      comment_content: 'Order status changed from Processing to Completed.',
      'comment_type varchar(20)': 'order_note',
      'user_id bigint': 0,
    }),
    wp_terms: {
      columns: '*term_id bigint, name varchar(200), slug varchar(200), term_group bigint',
      rows: [
        [15, 'Uncategorised', 'uncategorised', 0],
        [16, 'Pumps', 'pumps', 0],
      ],
    },
    wp_woocommerce_sessions: {
      columns: '*session_id bigint, session_key char(32), session_value, session_expiry bigint',
      rows: [[1, 't_8f3c', 'a:0:{}', 1_771_000_000]],
    },
  },
  sections: {
    header: {
      table: 'wp_wc_orders',
      key: 'id',
      match: 'id',
      where: { status: 'wc-completed', type: 'shop_order' },
    },
    lines: {
      table: 'wp_woocommerce_order_items',
      key: 'order_item_id',
      match: 'order_id',
      matchFrom: 'id',
      where: { order_item_type: 'line_item' },
    },
    customer: {
      table: 'wp_wc_order_addresses',
      key: 'id',
      match: 'order_id',
      matchFrom: 'id',
      where: { address_type: 'billing' },
    },
  },
  // The price of one piece is kept nowhere: it is the sum of the line by its quantity. Shipping is no line, so no column has
  // the total without tax.
  fields: {
    number: 'wp_wc_orders.id',
    issue_date:
      'wp_wc_orders.date_created_gmt!date|wp_wc_order_stats.date_created!date|wp_wc_order_stats.date_created_gmt!date|' +
      'wp_wc_order_stats.date_completed!date|wp_wc_order_operational_data.date_completed_gmt!date',
    'delivery.date':
      'wp_wc_order_operational_data.date_completed_gmt!date|wp_wc_order_stats.date_completed!date',
    currency: 'wp_wc_orders.currency',
    purchase_order: 'wp_wc_orders_meta.meta_value',
    buyer_reference: 'wp_wc_orders_meta.meta_value',
    'notes[]': 'wp_wc_orders.customer_note',
    'payment_means[].code': 'wp_wc_orders.payment_method!map|wp_wc_orders.payment_method_title!map',
    'charges[].amount':
      'wp_wc_order_operational_data.shipping_total_amount|wp_wc_order_stats.shipping_total',
    'totals.lines': 'wp_wc_order_stats.net_total',
    'totals.tax':
      'wp_wc_orders.tax_amount|wp_wc_order_stats.tax_total|wp_wc_order_tax_lookup.total_tax',
    'totals.gross': 'wp_wc_orders.total_amount|wp_wc_order_stats.total_sales',
    'totals.due': 'wp_wc_orders.total_amount|wp_wc_order_stats.total_sales',
    'buyer.name': 'wp_wc_order_addresses.company',
    'buyer.trn': 'wp_wc_orders_meta.meta_value',
    'PINT-MY:buyer.identifiers[].id': 'wp_wc_orders_meta.meta_value',
    'buyer.address.line1': 'wp_wc_order_addresses.address_1',
    'buyer.address.line2': 'wp_wc_order_addresses.address_2',
    'buyer.address.city': 'wp_wc_order_addresses.city',
    'buyer.address.subdivision': 'wp_wc_order_addresses.state',
    'buyer.address.post_code': 'wp_wc_order_addresses.postcode',
    'buyer.address.country': 'wp_wc_order_addresses.country',
    'buyer.contact.name':
      'wp_wc_order_addresses.first_name!concat|wp_wc_order_addresses.last_name!concat',
    'buyer.contact.phone': 'wp_wc_order_addresses.phone',
    'buyer.contact.email': 'wp_wc_order_addresses.email|wp_wc_orders.billing_email',
    'lines[].id': 'wp_woocommerce_order_items.order_item_id',
    'lines[].sku':
      'wp_wc_product_meta_lookup.sku|wp_wc_order_product_lookup.product_id|wp_woocommerce_order_itemmeta.meta_value',
    'lines[].name': 'wp_woocommerce_order_items.order_item_name|wp_posts.post_title',
    'lines[].description':
      'wp_woocommerce_order_items.order_item_name|wp_posts.post_title|wp_posts.post_content',
    'lines[].qty':
      'wp_wc_order_product_lookup.product_qty|wp_woocommerce_order_itemmeta.meta_value',
    'lines[].unit_price':
      'wp_wc_order_product_lookup.product_net_revenue!divide|wp_woocommerce_order_itemmeta.meta_value!divide',
    'lines[].net':
      'wp_wc_order_product_lookup.product_net_revenue|wp_woocommerce_order_itemmeta.meta_value',
    'lines[].allowances[].amount': 'wp_wc_order_product_lookup.coupon_amount',
    'lines[].accounting.tax_totals[].amount': 'wp_wc_order_product_lookup.tax_amount',
    'lines[].tax.rate':
      'wp_woocommerce_tax_rates.tax_rate|wp_woocommerce_order_itemmeta.meta_value',
    'lines[].tax.category':
      'wp_wc_product_meta_lookup.tax_class!map|wp_woocommerce_tax_rates.tax_rate!map|' +
      'wp_woocommerce_tax_rates.tax_rate_class!map|wp_woocommerce_order_itemmeta.meta_value!map|wp_wc_tax_rate_classes.slug!map|' +
      'wp_wc_tax_rate_classes.name!map',
  },
};
