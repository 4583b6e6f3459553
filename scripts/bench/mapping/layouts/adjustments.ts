import { iso3 } from './iso3.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { customers, type Invoice, invoices, items } from './trade.ts';

type Line = Invoice['lines'][number];

const round = (value: number) => Math.round(value * 100) / 100;
const store = 1;
const stockLocation = 1;
const bankTransfer = 3;
const standardTax = 1;
const zeroTax = 2;
const taxId = (rate: number) => (rate === 0 ? zeroTax : standardTax);
const userId = (id: number) => id + 20;
const billAddress = (id: number) => id + 200;
const shipAddress = (id: number) => id + 400;
const stateId = (id: number) => id + 600;
const variantId = (id: number) => id + 40;
const countries = customers.filter(
  ({ country }, index) => customers.findIndex((other) => other.country === country) === index,
);
const countryId = (code: string) =>
  countries.find(({ countryCode }) => countryCode === code)!.id + 50;
const orderId = ({ id }: Invoice) => id - 3800;
const numberOf = ({ id }: Invoice) => `R${String(id * 7_919 + 100_000_000).slice(0, 9)}`;
const paymentId = ({ id }: Invoice) => id - 3500;
const shipmentId = ({ id }: Invoice) => id - 3300;
const isPaid = ({ id }: Invoice) => id % 3 !== 0;

/** Of all, drafts are carts; every seventh of the others is canceled. */
const isCanceled = ({ id, isDraft }: Invoice) => !isDraft && id % 7 === 0;
const stateOf = (one: Invoice) => {
  if (one.isDraft) return one.id % 2 === 0 ? 'cart' : 'payment';
  return isCanceled(one) ? 'canceled' : 'complete';
};
const placed = invoices.filter(({ isDraft }) => !isDraft);
/** What is credited was an order, goods of which came back. */
const returned = placed.filter((one) => one.kind === 'credit' && !isCanceled(one));
const listTotal = ({ lines }: Invoice) =>
  round(lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0));
const promotion = ({ quantity, price, net }: Line) => round(net - quantity * price);
const orderPromotion = (one: Invoice) => round(one.net - listTotal(one));
const lines = invoices.flatMap((one) => one.lines.map((line) => ({ one, line })));
const lineItems = lines.map((each, index) => ({ ...each, id: index + 1001 }));

const stamps = {
  'created_at datetime': at('2025-02-03'),
  'updated_at datetime': at('2025-02-03'),
} as const;
const stampsOf = {
  'created_at datetime': ({ one }: { one: Invoice }) => at(one.date, '10:02:44'),
  'updated_at datetime': ({ one }: { one: Invoice }) => at(one.due, '08:00:12'),
} as const;
const stampsOfInvoice = {
  'created_at datetime': ({ date }: Invoice) => at(date, '10:02:44'),
  'updated_at datetime': ({ due }: Invoice) => at(due, '08:00:12'),
} as const;
const metadata = { 'customer_metadata json, admin_metadata json': '{}' } as const;

/** Tax is added; a promotion takes away. */
const adjustments = lineItems.flatMap(({ one, line, id }) => [
  {
    one,
    item: id,
    source: 'Spree::TaxRate',
    sourceId: taxId(line.item.rate),
    amount: line.tax,
    label: line.item.rate === 0 ? 'Zero 0.000%' : 'VAT 20.000%',
  },
  ...(line.discount === 0
    ? []
    : [
        {
          one,
          item: id,
          source: 'SolidusPromotions::Benefit',
          sourceId: line.discount === 10 ? 1 : 2,
          amount: promotion(line),
          label: `Promotion (${line.discount}% off)`,
        },
      ]),
]);

const around: Readonly<Record<string, LayoutTable>> = {
  spree_assets: tableOf(items.slice(0, 3), {
    '*id int': (_one, index) => index + 1,
    'viewable_type varchar': 'Spree::Variant',
    'viewable_id int': ({ id }) => variantId(id),
    'attachment_width int, attachment_height int': 600,
    'attachment_file_size int': 81_020,
    'position int': 1,
    'attachment_content_type varchar': 'image/png',
    'attachment_file_name varchar': ({ code }) => `${code}.png`,
    'type varchar(75)': 'Spree::Image',
    'attachment_updated_at datetime, alt text': null,
    ...stamps,
  }),
  spree_cartons: tableOf(placed.slice(0, 12), {
    '*id int': (_one, index) => index + 1,
    'number varchar': ({ id }) => `C${id * 31}`,
    'external_number varchar': null,
    'stock_location_id int': stockLocation,
    'address_id int': ({ customer }) => shipAddress(customer.id),
    'shipping_method_id int': 1,
    'tracking varchar': null,
    'shipped_at datetime': ({ date }) => at(date, '16:00:00'),
    ...stampsOfInvoice,
    'imported_from_shipment_id int': null,
  }),
  spree_customer_returns: tableOf(returned, {
    '*id int': (_one, index) => index + 1,
    'number varchar': ({ number }) => number.replaceAll('-', ''),
    'stock_location_id int': stockLocation,
    ...stampsOfInvoice,
  }),
  spree_return_authorizations: tableOf(returned, {
    '*id int': (_one, index) => index + 1,
    'number varchar': ({ id }) => `RA${id * 53}`,
    'state varchar': 'authorized',
    'order_id int': orderId,
    'memo text': '',
    ...stampsOfInvoice,
    'stock_location_id int': stockLocation,
    'return_reason_id int': 1,
    ...metadata,
  }),
  spree_return_items: tableOf(returned, {
    '*id int': (_one, index) => index + 1,
    'return_authorization_id int': (_one, index) => index + 1,
    'inventory_unit_id int': (_one, index) => index + 1,
    'exchange_variant_id int': null,
    ...stampsOfInvoice,
    'amount decimal': ({ net }) => net,
    'included_tax_total decimal': 0,
    'additional_tax_total decimal': ({ tax }) => tax,
    'reception_status varchar': 'received',
    'acceptance_status varchar': 'accepted',
    'customer_return_id int, reimbursement_id int': (_one, index) => index + 1,
    'exchange_inventory_unit_id int, acceptance_status_errors text': null,
    'preferred_reimbursement_type_id int, override_reimbursement_type_id int': null,
    'resellable int': 1,
    'return_reason_id int': 1,
  }),
  spree_reimbursements: tableOf(returned, {
    '*id int': (_one, index) => index + 1,
    'number varchar': ({ id }) => `RI${id * 59}`,
    'reimbursement_status varchar': 'reimbursed',
    'customer_return_id int': (_one, index) => index + 1,
    'order_id int': orderId,
    'total decimal': ({ gross }) => gross,
    ...stampsOfInvoice,
  }),
  spree_refunds: tableOf(returned, {
    '*id int': (_one, index) => index + 1,
    'payment_id int': paymentId,
    'amount decimal': ({ gross }) => gross,
    'transaction_id varchar': ({ id }) => `re_${id}`,
    ...stampsOfInvoice,
    'refund_reason_id int': 1,
    'reimbursement_id int': (_one, index) => index + 1,
    ...metadata,
  }),
  spree_inventory_units: tableOf(
    lineItems.filter(({ one }) => !one.isDraft),
    {
      '*id int': (_row, index) => index + 1,
      'state varchar': ({ one }) => (one.kind === 'credit' ? 'returned' : 'shipped'),
      'variant_id int': ({ line }) => variantId(line.item.id),
      'shipment_id int': ({ one }) => shipmentId(one),
      ...stampsOf,
      'pending int': 0,
      'line_item_id int': ({ id }) => id,
      'carton_id int': null,
    },
  ),
  spree_payment_methods: {
    columns:
      '*id int, type varchar, name varchar, description text, active int, deleted_at datetime, created_at datetime, updated_at datetime, auto_capture int, preferences text, preference_source varchar, position int, available_to_users int, available_to_admin int',
    rows: [
      [2, 'Spree::PaymentMethod::StoreCredit', 'Store Credit'],
      [bankTransfer, 'Spree::PaymentMethod::Check', 'Bank transfer'],
    ].map((row) => [
      ...row,
      '',
      1,
      null,
      '2025-02-03 10:41:07',
      '2025-02-03 10:41:07',
      0,
      '',
      null,
      1,
      1,
      1,
    ]),
  },
  spree_payments: tableOf(placed, {
    '*id int': paymentId,
    'amount decimal': ({ gross }) => gross,
    'order_id int': orderId,
    'source_type varchar, source_id int': null,
    'payment_method_id int': bankTransfer,
    'state varchar': (one) => (isPaid(one) ? 'completed' : 'checkout'),
    'response_code varchar, avs_response varchar': null,
    ...stampsOfInvoice,
    'number varchar': ({ id }) => `P${id * 41}`,
    'cvv_response_code varchar, cvv_response_message varchar': null,
    ...metadata,
  }),
  spree_preferences: {
    columns: '*id int, value text, key varchar, created_at datetime, updated_at datetime',
    rows: [[1, '1', 'spree/app_configuration/track_inventory_levels', null, null]],
  },
  spree_prices: tableOf(items, {
    '*id int': ({ id }) => id,
    'variant_id int': ({ id }) => variantId(id),
    'amount decimal': ({ price }) => price,
    'currency varchar': 'EUR',
    'deleted_at datetime': null,
    ...stamps,
    'country_iso varchar(2)': null,
  }),
  spree_refund_reasons: {
    columns:
      '*id int, name varchar, active int, mutable int, created_at datetime, updated_at datetime, code varchar',
    rows: [[1, 'Return processing', 1, 0, '2025-02-03 10:41:07', '2025-02-03 10:41:07', null]],
  },
  spree_roles: {
    columns: '*id int, name varchar, created_at datetime, updated_at datetime',
    rows: [[1, 'admin', '2025-02-03 10:41:07', '2025-02-03 10:41:07']],
  },
  spree_roles_users: {
    columns: '*id int, role_id int, user_id int, created_at datetime, updated_at datetime',
    rows: [[1, 1, 1, '2025-02-03 10:41:07', '2025-02-03 10:41:07']],
  },
  spree_shipments: tableOf(placed, {
    '*id int': shipmentId,
    'tracking varchar': null,
    'number varchar': ({ id }) => `H${id * 43}`,
    'cost decimal': 0,
    'shipped_at datetime': ({ date }) => at(date, '16:00:00'),
    'order_id int': orderId,
    'state varchar': (one) => (isCanceled(one) ? 'canceled' : 'shipped'),
    ...stampsOfInvoice,
    'stock_location_id int': stockLocation,
    'adjustment_total decimal, additional_tax_total decimal, promo_total decimal': 0,
    'included_tax_total decimal': 0,
    ...metadata,
  }),
  spree_shipping_categories: {
    columns: '*id int, name varchar, created_at datetime, updated_at datetime',
    rows: [[1, 'Default', '2025-02-03 10:41:07', '2025-02-03 10:41:07']],
  },
  spree_shipping_methods: {
    columns:
      '*id int, name varchar, deleted_at datetime, created_at datetime, updated_at datetime, tracking_url varchar, admin_name varchar, tax_category_id int, code varchar, available_to_all int, carrier varchar, service_level varchar, available_to_users int',
    rows: [
      [
        1,
        'Forwarder',
        null,
        '2025-02-03 10:41:07',
        '2025-02-03 10:41:07',
        '',
        '',
        null,
        '',
        1,
        '',
        '',
        1,
      ],
    ],
  },
  spree_state_changes: tableOf(placed, {
    '*id int': (_one, index) => index + 1,
    'name varchar': 'order',
    'previous_state varchar': 'confirm',
    'stateful_id int': orderId,
    'user_id int': ({ customer }) => userId(customer.id),
    'stateful_type varchar': 'Spree::Order',
    'next_state varchar': 'complete',
    ...stampsOfInvoice,
  }),
  spree_stock_items: tableOf(items, {
    '*id int': ({ id }) => id,
    'stock_location_id int': stockLocation,
    'variant_id int': ({ id }) => variantId(id),
    'count_on_hand int': 120,
    ...stamps,
    'backorderable int': 1,
    'deleted_at datetime': null,
  }),
  spree_stock_locations: {
    columns:
      '*id int, name varchar, created_at datetime, updated_at datetime, default int, address1 varchar, address2 varchar, city varchar, state_id int, state_name varchar, country_id int, zipcode varchar, phone varchar, active int, backorderable_default int, propagate_all_variants int, admin_name varchar, position int, restock_inventory int, fulfillable int, code varchar, check_stock_on_transfer int',
    rows: [
      [
        stockLocation,
        'default',
        '2025-02-03 10:41:07',
        '2025-02-03 10:41:07',
        1,
        'Dock 4',
        '',
        'Hamburg',
        null,
        'HH',
        countryId('DE'),
        '20457',
        '',
        1,
        1,
        1,
        '',
        1,
        1,
        1,
        'HH',
        1,
      ],
    ],
  },
  spree_stock_movements: tableOf(
    lineItems.filter(({ one }) => !one.isDraft),
    {
      '*id int': (_row, index) => index + 1,
      'stock_item_id int': ({ line }) => line.item.id,
      'quantity int': ({ line }) => -line.quantity,
      'action varchar': null,
      ...stampsOf,
      'originator_type varchar': 'Spree::Shipment',
      'originator_id int': ({ one }) => shipmentId(one),
    },
  ),
  spree_store_credits: tableOf(customers.slice(0, 2), {
    '*id int': ({ id }) => id,
    'user_id int': ({ id }) => userId(id),
    'category_id int, created_by_id int': 1,
    'amount decimal': 50,
    'amount_used decimal, amount_authorized decimal': 0,
    'currency varchar': 'EUR',
    'memo text, deleted_at datetime': null,
    ...stamps,
    'type_id int': 1,
    'invalidated_at datetime': null,
  }),
  spree_stores: {
    columns:
      '*id int, name varchar, url varchar, meta_description text, meta_keywords text, seo_title varchar, mail_from_address varchar, default_currency varchar, code varchar, default int, created_at datetime, updated_at datetime, cart_tax_country_iso varchar, available_locales varchar, bcc_email varchar, reverse_charge_status int, legal_name varchar, contact_email varchar, contact_phone varchar, description text, vat_id varchar, tax_id varchar, address1 varchar, address2 varchar, zipcode varchar, city varchar, state_name varchar, country_id int, state_id int',
    rows: [
      [
        store,
        'Drawbridge Pumps',
        'shop.pumps.example',
        '',
        '',
        'Pumps',
        'office@pumps.example',
        'EUR',
        'pumps',
        1,
        '2025-02-03 10:41:07',
        '2025-02-03 10:41:07',
        'DE',
        'en',
        null,
        0,
        'Drawbridge Pumps',
        'office@pumps.example',
        '+49 40 555 1000',
        null,
        'DE123456824',
        null,
        '1 Dock Road',
        null,
        '20457',
        'Hamburg',
        'HH',
        countryId('DE'),
        null,
      ],
    ],
  },
  spree_taxonomies: {
    columns: '*id int, name varchar, created_at datetime, updated_at datetime, position int',
    rows: [[1, 'Categories', '2025-02-03 10:41:07', '2025-02-03 10:41:07', 1]],
  },
  spree_user_addresses: tableOf(customers, {
    '*id int': ({ id }) => id,
    'user_id int': ({ id }) => userId(id),
    'address_id int': ({ id }) => billAddress(id),
    'default int': 0,
    'archived int': 0,
    ...stamps,
    'default_billing int': 1,
  }),
  spree_zones: {
    columns:
      '*id int, name varchar, description varchar, zone_members_count int, created_at datetime, updated_at datetime',
    rows: [[1, 'Everywhere', 'All countries', 9, '2025-02-03 10:41:07', '2025-02-03 10:41:07']],
  },
  spree_zone_members: tableOf(countries, {
    '*id int': (_one, index) => index + 1,
    'zoneable_type varchar': 'Spree::Country',
    'zoneable_id int': ({ countryCode }) => countryId(countryCode),
    'zone_id int': 1,
    ...stamps,
  }),
};

const addresses = [
  ...customers.map((one) => ({ ...one, id: billAddress(one.id), state_: stateId(one.id) })),
  ...customers.map((one) => ({
    ...one,
    id: shipAddress(one.id),
    state_: stateId(one.id),
    street: 'Dock 4',
    vat: null,
  })),
];

/**
 * The order is the invoice; tax and what promotions take away are adjustments of a kind each, by the kind and key of what they are
 * of and what they come from, with their sums in order and line; a buyer is an address, a user only a mail; the rate is a fraction
 * behind a table between two; no key of another table is declared but a few (Solidus 4.5). Names and types: the schema of its demo,
 * db/schema.rb of solidusio/solidus-demo; columns that came later from memory.
 */
export const adjustmentsOfOrders: Layout = {
  name: 'adjustments',
  isHeldOut: true,
  tables: {
    ...around,
    spree_orders: tableOf(invoices, {
      '*id int': orderId,
      'number varchar(32)': numberOf,
      'item_total decimal': listTotal,
      'total decimal': ({ gross }) => gross,
      'state varchar': stateOf,
      'adjustment_total decimal': (one) => round(orderPromotion(one) + one.tax),
      'user_id int': ({ customer }) => userId(customer.id),
      'completed_at datetime': ({ date, isDraft }) => (isDraft ? null : at(date, '10:41:07')),
      'bill_address_id int': ({ customer }) => billAddress(customer.id),
      'ship_address_id int': ({ customer }) => shipAddress(customer.id),
      'payment_total decimal': (one) => (one.isDraft || !isPaid(one) ? 0 : one.gross),
      'shipment_state varchar': (one) => (one.isDraft ? null : 'shipped'),
      'payment_state varchar': (one) => {
        if (one.isDraft) return null;
        return isPaid(one) ? 'paid' : 'balance_due';
      },
      'email varchar': ({ customer }) => customer.email,
      'special_instructions text': ({ id }) => (id % 6 === 0 ? 'Please ring twice' : null),
      ...stampsOfInvoice,
      'currency varchar': ({ currency }) => currency,
      'last_ip_address varchar': '127.0.0.1',
      'created_by_id int': ({ customer }) => userId(customer.id),
      'shipment_total decimal': 0,
      'additional_tax_total decimal': ({ tax }) => tax,
      'promo_total decimal': orderPromotion,
      'channel varchar': 'spree',
      'included_tax_total decimal': 0,
      'item_count int': ({ lines: all }) => all.reduce((sum, line) => sum + line.quantity, 0),
      'approver_id int, approved_at datetime': null,
      'confirmation_delivered int': ({ isDraft }) => (isDraft ? 0 : 1),
      'guest_token varchar': ({ id }) => `g${id}`,
      'canceled_at datetime': (one) => (isCanceled(one) ? at(one.due) : null),
      'canceler_id int': (one) => (isCanceled(one) ? 1 : null),
      'store_id int': store,
      'approver_name varchar': null,
      'frontend_viewable int': 1,
      ...metadata,
    }),
    spree_line_items: tableOf(lineItems, {
      '*id int': ({ id }) => id,
      'variant_id int': ({ line }) => variantId(line.item.id),
      'order_id int': ({ one }) => orderId(one),
      'quantity int': ({ line }) => line.quantity,
      'price decimal': ({ line }) => line.price,
      ...stampsOf,
      'cost_price decimal': ({ line }) => round(line.price / 2),
      'tax_category_id int': ({ line }) => taxId(line.item.rate),
      'adjustment_total decimal': ({ line }) => round(promotion(line) + line.tax),
      'additional_tax_total decimal': ({ line }) => line.tax,
      'promo_total decimal': ({ line }) => promotion(line),
      'included_tax_total decimal': 0,
      ...metadata,
    }),
    spree_adjustments: tableOf(adjustments, {
      '*id int': (_row, index) => index + 1,
      'source_type varchar': ({ source }) => source,
      'source_id int': ({ sourceId }) => sourceId,
      'adjustable_type varchar': 'Spree::LineItem',
      'adjustable_id int': ({ item }) => item,
      'amount decimal': ({ amount }) => amount,
      'label varchar': ({ label }) => label,
      'eligible int': 1,
      ...stampsOf,
      'order_id int': ({ one }) => orderId(one),
      'included int': 0,
      'promotion_code_id int, adjustment_reason_id int': null,
      'finalized int': 1,
    }),
    spree_addresses: tableOf(addresses, {
      '*id int': ({ id }) => id,
      'name varchar': ({ first, last }) => `${first} ${last}`,
      'address1 varchar': ({ street }) => street,
      'address2 varchar': null,
      'city varchar': ({ city }) => city,
      'zipcode varchar': ({ zip }) => zip,
      'phone varchar': ({ phone }) => phone,
      'state_name varchar, alternative_phone varchar': null,
      'company varchar': (one) => customers.find(({ code }) => code === one.code)!.name,
      'state_id int': ({ state_ }) => state_,
      'country_id int': ({ countryCode }) => countryId(countryCode),
      ...stamps,
      'vat_id varchar': ({ vat }) => vat,
      'reverse_charge_status int': 0,
      'email varchar': null,
    }),
    spree_users: tableOf(
      [{ id: 1, email: 'admin@pumps.example' }, ...customers.map((one) => ({ ...one }))],
      {
        '*id int': ({ id }) => (id === 1 ? 1 : userId(id)),
        'encrypted_password varchar(128), password_salt varchar(128)': '',
        'email varchar': ({ email }) => email,
        'remember_token varchar, persistence_token varchar': null,
        'reset_password_token varchar, perishable_token varchar': null,
        'sign_in_count int, failed_attempts int': 0,
        'last_request_at datetime, current_sign_in_at datetime, last_sign_in_at datetime': null,
        'current_sign_in_ip varchar, last_sign_in_ip varchar': '127.0.0.1',
        'login varchar': ({ email }) => email,
        'ship_address_id int': ({ id }) => (id === 1 ? null : shipAddress(id)),
        'bill_address_id int': ({ id }) => (id === 1 ? null : billAddress(id)),
        ...stamps,
        'spree_api_key varchar(48), authentication_token varchar, unlock_token varchar': null,
        'locked_at datetime, remember_created_at datetime': null,
        'reset_password_sent_at datetime, deleted_at datetime': null,
        'confirmation_token varchar, confirmed_at datetime, confirmation_sent_at datetime': null,
        ...metadata,
      },
    ),
    spree_variants: tableOf(items, {
      '*id int': ({ id }) => variantId(id),
      'sku varchar': ({ code }) => code,
      'weight decimal': 1,
      'height decimal, width decimal, depth decimal, deleted_at datetime': null,
      'is_master int': 1,
      'product_id int': ({ id }) => id,
      'cost_price decimal': ({ price }) => round(price / 2),
      'position int': 1,
      'cost_currency varchar': 'EUR',
      'track_inventory int': ({ unit }) => (unit === 'HR' ? 0 : 1),
      'tax_category_id int': null,
      'updated_at datetime, created_at datetime': at('2025-02-03'),
      'shipping_category_id int, gtin varchar, condition varchar': null,
    }),
    spree_products: tableOf(items, {
      '*id int': ({ id }) => id,
      'name varchar': ({ name }) => name,
      'description text': ({ name }) => `${name}, boxed`,
      'available_on datetime': at('2025-02-03'),
      'deleted_at datetime': null,
      'slug varchar': ({ code }) => code.toLowerCase(),
      'meta_description text, meta_keywords varchar': null,
      'tax_category_id int': ({ rate }) => taxId(rate),
      'shipping_category_id int': 1,
      ...stamps,
      'promotionable int': 1,
      'meta_title varchar, discontinue_on datetime': null,
      'primary_taxon_id int': null,
    }),
    spree_tax_categories: {
      columns:
        '*id int, name varchar, description varchar, is_default int, deleted_at datetime, created_at datetime, updated_at datetime, tax_code varchar, tax_reverse_charge_mode int',
      rows: [
        [standardTax, 'Standard', '', 1],
        [zeroTax, 'Zero', '', 0],
      ].map((row) => [...row, null, '2025-02-03 10:41:07', '2025-02-03 10:41:07', null, 0]),
    },
    spree_tax_rate_tax_categories: {
      columns: '*id int, tax_category_id int, tax_rate_id int',
      rows: [
        [1, standardTax, standardTax],
        [2, zeroTax, zeroTax],
      ],
      foreign: {
        tax_category_id: 'spree_tax_categories.id',
        tax_rate_id: 'spree_tax_rates.id',
      },
    },
    spree_tax_rates: {
      columns:
        '*id int, amount decimal, zone_id int, included_in_price int, created_at datetime, updated_at datetime, name varchar, show_rate_in_label int, deleted_at datetime, starts_at datetime, expires_at datetime, level int',
      rows: [
        [standardTax, 0.2, 1, 0, '2025-02-03 10:41:07', '2025-02-03 10:41:07', 'VAT', 1],
        [zeroTax, 0, 1, 0, '2025-02-03 10:41:07', '2025-02-03 10:41:07', 'Zero', 1],
      ].map((row) => [...row, null, null, null, 0]),
    },
    spree_countries: tableOf(countries, {
      '*id int': ({ countryCode }) => countryId(countryCode),
      'iso_name varchar': ({ country }) => country.toUpperCase(),
      'iso varchar': ({ countryCode }) => countryCode,
      'iso3 varchar': ({ countryCode }) => iso3[countryCode]!,
      'name varchar': ({ country }) => country,
      'numcode int': ({ id }) => id * 31,
      'states_required int': 0,
      'updated_at datetime, created_at datetime': at('2025-02-03'),
    }),
    spree_states: tableOf(customers, {
      '*id int': ({ id }) => stateId(id),
      'name varchar': ({ city }) => `Land of ${city}`,
      'abbr varchar': ({ state }) => state,
      'country_id int': ({ countryCode }) => countryId(countryCode),
      'updated_at datetime, created_at datetime': at('2025-02-03'),
    }),
  },
  sections: {
    header: { table: 'spree_orders', key: 'id', match: 'number', where: { state: 'complete' } },
    lines: { table: 'spree_line_items', key: 'id', match: 'order_id', matchFrom: 'id' },
    customer: { table: 'spree_addresses', key: 'id', match: 'id', matchFrom: 'bill_address_id' },
  },
  // The total of the items is before what promotions take away, so that no column has the total without tax.
  fields: {
    number: 'spree_orders.number',
    issue_date: 'spree_orders.completed_at!date|spree_orders.created_at!date',
    'delivery.date': 'spree_shipments.shipped_at!date',
    currency: 'spree_orders.currency',
    'notes[]': 'spree_orders.special_instructions',
    'payment_means[].code': 'spree_payment_methods.name!map|spree_payment_methods.type!map',
    'totals.tax': 'spree_orders.additional_tax_total',
    'totals.gross': 'spree_orders.total',
    'totals.due': 'spree_orders.total',
    'buyer.name': 'spree_addresses.company',
    'buyer.trn': 'spree_addresses.vat_id',
    'PINT-MY:buyer.identifiers[].id': 'spree_addresses.vat_id',
    'buyer.address.line1': 'spree_addresses.address1',
    'buyer.address.line2': 'spree_addresses.address2',
    'buyer.address.city': 'spree_addresses.city',
    'buyer.address.post_code': 'spree_addresses.zipcode',
    'buyer.address.subdivision': 'spree_states.abbr|spree_states.name',
    'buyer.address.country':
      'spree_countries.iso|spree_countries.iso3!map|spree_countries.name!map|spree_countries.iso_name!map',
    'buyer.contact.name': 'spree_addresses.name',
    'buyer.contact.phone': 'spree_addresses.phone',
    'buyer.contact.email': 'spree_orders.email|spree_users.email|spree_users.login',
    'seller.name': 'spree_stores.legal_name|spree_stores.name',
    'seller.trn': 'spree_stores.vat_id',
    'seller.address.line1': 'spree_stores.address1',
    'seller.address.city': 'spree_stores.city',
    'seller.address.country':
      'spree_countries.iso|spree_countries.iso3!map|spree_countries.name!map|spree_countries.iso_name!map',
    'seller.address.subdivision': 'spree_stores.state_name',
    'seller.contact.phone': 'spree_stores.contact_phone',
    'lines[].id': 'spree_line_items.id',
    'lines[].sku': 'spree_variants.sku|spree_line_items.variant_id',
    'lines[].name': 'spree_products.name|spree_products.description',
    'lines[].description': 'spree_products.description|spree_products.name',
    'lines[].qty': 'spree_line_items.quantity',
    'lines[].unit_price': 'spree_line_items.price',
    'lines[].gross_price': 'spree_line_items.price',
    'lines[].allowances[].amount': 'spree_line_items.promo_total!negate,abs,multiply',
    'lines[].accounting.tax_totals[].amount': 'spree_line_items.additional_tax_total',
    'lines[].tax.rate': 'spree_tax_rates.amount!multiply|spree_line_items.tax_category_id!map',
    'lines[].tax.category':
      'spree_tax_categories.name!map|spree_line_items.tax_category_id!map|spree_tax_rates.amount!map|spree_tax_rates.name!map|' +
      'spree_tax_rate_tax_categories.tax_rate_id!map|spree_products.tax_category_id!map',
  },
};
