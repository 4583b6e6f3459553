import { iso3 } from './iso3.ts';
import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { customers, type Invoice, invoices, items, netPrice } from './trade.ts';

type Line = Invoice['lines'][number];

const round = (value: number) => Math.round(value * 100) / 100;
const kinds = { invoice: 1, delivery: 2, credit: 3, cancellation: 4 };
const usDollarFactor = 1.08;
const unitNames = [
  { id: 1, unit: 'PCS', short: 'Stck.', name: 'Stück' },
  { id: 2, unit: 'M', short: 'm', name: 'Meter' },
  { id: 3, unit: 'HR', short: 'Std.', name: 'Stunde' },
  { id: 4, unit: 'L', short: 'l', name: 'Liter' },
  { id: 5, unit: 'KG', short: 'kg', name: 'Kilogramm' },
];
const unitOf = (code: string) => unitNames.find(({ unit }) => unit === code)!;
const taxId = (rate: number) => (rate === 0 ? 5 : 1);
const countries = customers.filter(
  ({ country }, index) => customers.findIndex((other) => other.country === country) === index,
);
const countryOf = (code: string) =>
  countries.find(({ countryCode }) => countryCode === code)!.id + 20;
const stateOf = (id: number) => id + 300;
const userId = (id: number) => id + 10;
const addressOf = (id: number) => id + 70;
const orderId = ({ id }: Invoice) => id - 3950;
const numberOf = (one: Invoice) => String(20_000 + orderId(one));
const isPaid = ({ id }: Invoice) => id % 3 !== 0;
const salutationOf = (id: number) => (id % 2 === 0 ? 'mr' : 'ms');

/** Prices are with tax. */
const price = (line: Line) => round(netPrice(line) * (1 + line.item.rate / 100));
const amount = ({ lines }: Invoice) =>
  round(lines.reduce((sum, line) => sum + line.quantity * price(line), 0));
const netAmount = ({ lines }: Invoice) =>
  round(
    lines.reduce(
      (sum, line) => sum + round((line.quantity * price(line)) / (1 + line.item.rate / 100)),
      0,
    ),
  );

const ordered = invoices.filter(({ isDraft }) => !isDraft);
const lines = invoices.flatMap((one) => one.lines.map((line) => ({ one, line })));
const orderLines = lines.map((each, index) => ({ ...each, id: index + 201 }));

/** Each kind is counted apart; what was credited was invoiced before, and has a paper that cancels the invoice. */
const documents = [
  ...ordered.map((one, index) => ({ one, type: kinds.invoice, number: 20_001 + index, sign: 1 })),
  ...ordered.map((one, index) => ({ one, type: kinds.delivery, number: 20_001 + index, sign: 1 })),
  ...ordered
    .filter(({ kind }) => kind === 'credit')
    .map((one, index) => ({
      one,
      type: kinds.cancellation,
      number: 20_001 + index,
      sign: -1,
    })),
];

const isListed = { 'active int': 1, 'position int': 1 } as const;
const six = (name: string) =>
  [1, 2, 3, 4, 5, 6].map((number) => `${name}${number} text`).join(', ');

const around: Readonly<Record<string, LayoutTable>> = {
  s_order_attributes: tableOf(
    invoices,
    { '*id int': orderId, 'orderID int': orderId, [six('attribute')]: null },
    { orderID: 's_order.id' },
  ),
  s_order_details_attributes: tableOf(
    orderLines,
    { '*id int': ({ id }) => id, 'detailID int': ({ id }) => id, [six('attribute')]: null },
    { detailID: 's_order_details.id' },
  ),
  s_order_shippingaddress: tableOf(ordered, {
    '*id int': orderId,
    'userID int': ({ customer }) => userId(customer.id),
    'orderID int': orderId,
    'company varchar(255)': ({ customer }) => customer.name,
    'department varchar(35)': 'Lager',
    'salutation varchar(30)': ({ customer }) => salutationOf(customer.id),
    'firstname varchar(50)': ({ customer }) => customer.first,
    'lastname varchar(60)': ({ customer }) => customer.last,
    'street varchar(255)': 'Dock 4',
    'zipcode varchar(50)': ({ customer }) => customer.zip,
    'city varchar(70)': ({ customer }) => customer.city,
    'phone varchar(40)': '',
    'countryID int': ({ customer }) => countryOf(customer.countryCode),
    'stateID int': null,
    'additional_address_line1 varchar(255), additional_address_line2 varchar(255)': null,
    'title varchar(100)': null,
  }),
  s_order_basket: tableOf(lines.slice(0, 12), {
    '*id int': (_row, index) => index + 900,
    'sessionID varchar(128)': ({ one }) => `s${one.id}`,
    'userID int': ({ one }) => userId(one.customer.id),
    'articlename varchar(255)': ({ line }) => line.item.name,
    'articleID int': ({ line }) => line.item.id,
    'ordernumber varchar(255)': ({ line }) => line.item.code,
    'shippingfree int': 0,
    'quantity int': ({ line }) => line.quantity,
    'price double': ({ line }) => price(line),
    'netprice double': ({ line }) => netPrice(line),
    'tax_rate double': ({ line }) => line.item.rate,
    'datum datetime': ({ one }) => at(one.date),
    'modus int, esdarticle int': 0,
    'partnerID varchar(45)': '',
    'lastviewport varchar(255)': 'checkout',
    'useragent varchar(255)': 'Mozilla/5.0',
    'config mediumtext': '',
    'currencyFactor double': 1,
  }),
  s_order_comparisons: tableOf(items.slice(0, 3), {
    '*id int': (_one, index) => index + 1,
    'sessionID varchar(128)': 's1',
    'userID int': 0,
    'articlename varchar(255)': ({ name }) => name,
    'articleID int': ({ id }) => id,
    'datum datetime': '2026-02-01 10:41:07',
  }),
  s_order_history: tableOf(ordered, {
    '*id int': (_one, index) => index + 1,
    'orderID int': orderId,
    'userID int': 1,
    'previous_order_status_id int': 0,
    'order_status_id int': 2,
    'previous_payment_status_id int': 17,
    'payment_status_id int': (one) => (isPaid(one) ? 12 : 17),
    'comment text': '',
    'change_date datetime': ({ due }) => at(due),
  }),
  s_order_number: {
    columns: '*id int, number int, name varchar(255), desc varchar(255)',
    rows: [
      [1, 20_013, 'user', 'Kunden'],
      [920, 20_096, 'invoice', 'Bestellungen'],
      [921, 20_042, 'doc_1', 'Lieferscheine'],
      [922, 20_005, 'doc_2', 'Gutschriften'],
      [924, 20_042, 'doc_0', 'Rechnungen'],
      [925, 10_000, 'articleordernumber', 'Artikelbestellnummer'],
    ],
  },
  s_user_addresses: tableOf(customers, {
    '*id int': ({ id }) => addressOf(id),
    'user_id int': ({ id }) => userId(id),
    'company varchar(255)': ({ name }) => name,
    'department varchar(35)': '',
    'salutation varchar(30)': ({ id }) => salutationOf(id),
    'title varchar(100)': null,
    'firstname varchar(50)': ({ first }) => first,
    'lastname varchar(60)': ({ last }) => last,
    'street varchar(255)': ({ street }) => street,
    'zipcode varchar(50)': ({ zip }) => zip,
    'city varchar(70)': ({ city }) => city,
    'country_id int': ({ countryCode }) => countryOf(countryCode),
    'state_id int': ({ id }) => stateOf(id),
    'ustid varchar(50)': ({ vat }) => vat,
    'phone varchar(40)': ({ phone }) => phone,
    'additional_address_line1 varchar(255), additional_address_line2 varchar(255)': null,
  }),
  s_user_billingaddress: tableOf(customers.slice(0, 5), {
    '*id int': ({ id }) => id,
    'userID int': ({ id }) => userId(id),
    'company varchar(255)': ({ name }) => name,
    'department varchar(35)': '',
    'salutation varchar(30)': ({ id }) => salutationOf(id),
    'firstname varchar(50)': ({ first }) => first,
    'lastname varchar(60)': ({ last }) => last,
    'street varchar(255)': ({ street }) => street,
    'zipcode varchar(50)': ({ zip }) => zip,
    'city varchar(70)': ({ city }) => city,
    'phone varchar(40)': ({ phone }) => phone,
    'countryID int': ({ countryCode }) => countryOf(countryCode),
    'stateID int': null,
    'ustid varchar(50)': ({ vat }) => vat,
    'additional_address_line1 varchar(255), additional_address_line2 varchar(255)': null,
    'title varchar(100)': null,
  }),
  s_user_attributes: tableOf(
    customers,
    { '*id int': ({ id }) => id, 'userID int': ({ id }) => userId(id) },
    { userID: 's_user.id' },
  ),
  s_articles_prices: tableOf(items, {
    '*id int': ({ id }) => id,
    'pricegroup varchar(15)': 'EK',
    'from int': 1,
    'to varchar(30)': 'beliebig',
    'articleID int, articledetailsID int': ({ id }) => id,
    'price double': (one) => one.price,
    'pseudoprice double, baseprice double': 0,
    'percent decimal': null,
  }),
  s_articles_supplier: {
    columns:
      '*id int, name varchar(100), img varchar(255), link varchar(100), description longtext, meta_title varchar(255), meta_description varchar(255), meta_keywords varchar(255), changed datetime',
    rows: [[2, 'Mill Supplies', '', '', '', null, null, null, '2025-09-25 08:55:35']],
  },
  s_articles_categories: tableOf(items, {
    '*id int': ({ id }) => id,
    'articleID int': ({ id }) => id,
    'categoryID int': 5,
  }),
  s_articles_also_bought_ro: tableOf(items.slice(0, 4), {
    '*id int': (_one, index) => index + 1,
    'article_id int': ({ id }) => id,
    'related_article_id int': ({ id }) => id + 1,
    'sales int': 3,
  }),
  s_categories: {
    columns:
      '*id int, parent int, path varchar(255), description varchar(255), position int, active int',
    rows: [
      [1, null, null, 'Root', 0, 1],
      [3, 1, null, 'Deutsch', 0, 1],
      [5, 3, '|3|', 'Pumpen', 0, 1],
    ],
  },
  s_core_auth: {
    columns:
      '*id int, roleID int, username varchar(255), password varchar(60), encoder varchar(255), apiKey varchar(40), localeID int, sessionID varchar(128), lastlogin datetime, name varchar(255), email varchar(120), active int',
    rows: [
      [1, 1, 'demo', '', 'bcrypt', '', 1, '', '2026-02-18 08:02:11', 'Paul Roy', 'p@p.example', 1],
    ],
  },
  s_core_config_elements: {
    columns:
      '*id int, form_id int, name varchar(255), value text, label varchar(255), description text, type varchar(255), required int, position int, scope int, options blob',
    rows: [
      ['shopName', 's:16:"Drawbridge Pumps";', 'Name des Shops'],
      ['mail', 's:19:"office@pumps.example";', 'Shopbetreiber eMail'],
      ['taxNumber', 's:11:"DE123456824";', 'UStID'],
      ['company', 's:16:"Drawbridge Pumps";', 'Firma'],
    ].map(([name = '', value = '', label = ''], index) => [
      index + 880,
      246,
      name,
      value,
      label,
      null,
      'text',
      0,
      0,
      1,
      null,
    ]),
  },
  s_core_countries_areas: {
    columns: '*id int, name varchar(255), active int',
    rows: [
      [1, 'deutschland', 1],
      [2, 'welt', 1],
      [3, 'europa', 1],
    ],
  },
  s_core_customergroups: {
    columns:
      '*id int, groupkey varchar(15), description varchar(30), tax int, taxinput int, mode int, discount double, minimumorder double, minimumordersurcharge double',
    rows: [
      [1, 'EK', 'Shopkunden', 1, 1, 0, 0, 0, 0],
      [2, 'H', 'Händler', 0, 0, 0, 0, 0, 0],
    ],
  },
  s_core_documents: {
    columns:
      '*id int, name varchar(100), key varchar(255), template varchar(255), numbers varchar(25), left int, right int, top int, bottom int, pagebreak int',
    rows: [
      [kinds.invoice, 'Rechnung', 'invoice', 'index.tpl', 'doc_0', 25, 10, 20, 20, 10],
      [
        kinds.delivery,
        'Lieferschein',
        'delivery_note',
        'index_ls.tpl',
        'doc_1',
        25,
        10,
        20,
        20,
        10,
      ],
      [kinds.credit, 'Gutschrift', 'credit', 'index_gs.tpl', 'doc_2', 25, 10, 20, 20, 10],
      [
        kinds.cancellation,
        'Stornorechnung',
        'cancellation',
        'index_sr.tpl',
        'doc_3',
        25,
        10,
        20,
        20,
        10,
      ],
    ],
  },
  s_core_locales: {
    columns: '*id int, locale varchar(5), language varchar(255), territory varchar(255)',
    rows: [
      [1, 'de_DE', 'Deutsch', 'Deutschland'],
      [2, 'en_GB', 'Englisch', 'Vereinigtes Königreich'],
    ],
  },
  s_core_log: tableOf(ordered.slice(0, 5), {
    '*id int': (_one, index) => index + 1,
    'type varchar(255)': 'backend',
    'key varchar(255)': 'Bestellungen',
    'text mediumtext': (one) => `Bestellung ${numberOf(one)} wurde gespeichert`,
    'date datetime': ({ date }) => at(date),
    'user varchar(255)': 'Paul Roy',
    'ip_address varchar(255)': '127.0.0.1',
    'user_agent varchar(255)': 'Mozilla/5.0',
    'value4 varchar(255)': '',
  }),
  s_core_paymentmeans: {
    columns:
      '*id int, name varchar(255), description varchar(255), template varchar(255), class varchar(255), table varchar(70), hide int, additionaldescription mediumtext, debit_percent double, surcharge double, surchargestring varchar(255), position int, active int, esdactive int, embediframe varchar(255), hideprospect int, action varchar(255), pluginID int, source int, mobile_inactive int',
    rows: [
      [3, 'cash', 'Nachnahme', 'cash.tpl', 'cash.php'],
      [4, 'invoice', 'Rechnung', 'invoice.tpl', 'invoice.php'],
      [5, 'prepayment', 'Vorkasse', 'prepayment.tpl', 'prepayment.php'],
    ].map((row) => [...row, '', 0, '', 0, 0, '', 1, 1, 0, '', 0, null, null, null, 0]),
  },
  s_core_shops: {
    columns:
      '*id int, main_id int, name varchar(255), title varchar(255), position int, host varchar(255), base_path varchar(255), base_url varchar(255), hosts text, secure int, template_id int, category_id int, locale_id int, currency_id int, customer_group_id int, fallback_id int, customer_scope int, default int, active int',
    rows: [
      [
        1,
        null,
        'Deutsch',
        null,
        0,
        'shop.pumps.example',
        '',
        null,
        '',
        1,
        23,
        3,
        1,
        1,
        1,
        null,
        0,
        1,
        1,
      ],
    ],
  },
  s_core_states: {
    columns:
      '*id int, name varchar(55), description varchar(255), position int, group varchar(25), mail int',
    rows: [
      [-1, 'cancelled', 'Abgebrochen', 25, 'state', 0],
      [0, 'open', 'Offen', 1, 'state', 1],
      [1, 'in_process', 'In Bearbeitung (Wartet)', 2, 'state', 1],
      [2, 'completed', 'Komplett abgeschlossen', 3, 'state', 0],
      [4, 'cancelled_rejected', 'Storniert / Abgelehnt', 5, 'state', 1],
      [12, 'completely_paid', 'Komplett bezahlt', 10, 'payment', 0],
      [17, 'open', 'Offen', 0, 'payment', 1],
    ],
  },
  s_core_tax_rules: {
    columns:
      '*id int, areaID int, countryID int, stateID int, groupID int, customer_groupID int, tax decimal, name varchar(255), active int',
    rows: [[1, 3, null, null, 1, 1, 20, 'Europa', 1]],
  },
  s_premium_dispatch: tableOf([{ id: 9, name: 'Standard Versand' }], {
    '*id int': ({ id }) => id,
    'name varchar(255)': ({ name }) => name,
    'type int': 0,
    'description mediumtext, comment varchar(255)': '',
    ...isListed,
    'calculation int': 1,
    'surcharge_calculation int, tax_calculation int': 0,
    'shippingfree decimal, multishopID int, customergroupID int': null,
  }),
  s_emarketing_vouchers: {
    columns:
      '*id int, description varchar(255), vouchercode varchar(100), numberofunits int, value double, minimumcharge double, shippingfree int, bindtosupplier int, valid_from date, valid_to date, ordercode varchar(100), modus int, percental int, numorder int, customergroup int, taxconfig varchar(15)',
    rows: [
      [
        1,
        'Frühling',
        'SPRING',
        100,
        10,
        50,
        0,
        null,
        '2026-03-01',
        '2026-03-31',
        'GUTABS',
        0,
        0,
        1,
        null,
        'default',
      ],
    ],
  },
};

/**
 * An invoice is a paper of an order: its number, a day, an amount with tax and the kind, each counted apart; all else stands in the
 * order, whose lines have prices with tax; the buyer's address is a row of the order, and again of the customer, in two tables;
 * the shipping note has the same numbers as the invoice (Shopware 5.6). Names, keys and types: its SQL,
 * from dumps of such shops; the lesser tables around from memory.
 */
export const documentsOfOrders: Layout = {
  name: 'documents-of-orders',
  isHeldOut: true,
  tables: {
    ...around,
    s_order: tableOf(invoices, {
      '*id int': orderId,
      'ordernumber varchar(255)': (one) => (one.isDraft ? '0' : numberOf(one)),
      'userID int': ({ customer }) => userId(customer.id),
      'invoice_amount double': amount,
      'invoice_amount_net double': netAmount,
      'invoice_shipping double, invoice_shipping_net double': 0,
      'invoice_shipping_tax_rate double': 20,
      'ordertime datetime': ({ date }) => at(date),
      'status int': ({ isDraft, kind }) => {
        if (isDraft) return -1;
        return kind === 'credit' ? 4 : 2;
      },
      'cleared int': (one) => (isPaid(one) && !one.isDraft ? 12 : 17),
      'paymentID int': 4,
      'transactionID varchar(255)': '',
      'comment mediumtext': '',
      'customercomment mediumtext': ({ id }) => (id % 6 === 0 ? 'Please ring twice' : ''),
      'internalcomment mediumtext': '',
      'net int, taxfree int': 0,
      'partnerID varchar(255)': '',
      'temporaryID varchar(255)': ({ id, isDraft }) => (isDraft ? `s${id}` : `t${id}`),
      'referer mediumtext': '',
      'cleareddate datetime': (one) => (isPaid(one) && !one.isDraft ? at(one.due) : null),
      'trackingcode text': '',
      'language varchar(10)': '1',
      'dispatchID int': 9,
      'currency varchar(5)': ({ currency }) => currency,
      'currencyFactor double': ({ currency }) => (currency === 'USD' ? usDollarFactor : 1),
      'subshopID int': 1,
      'remote_addr varchar(255)': '127.0.0.1',
      'deviceType varchar(50)': 'desktop',
      'is_proportional_calculation tinyint': 0,
      'changed datetime': ({ due }) => at(due),
    }),
    s_order_details: tableOf(orderLines, {
      '*id int': ({ id }) => id,
      'orderID int': ({ one }) => orderId(one),
      'ordernumber varchar(255)': ({ one }) => (one.isDraft ? '0' : numberOf(one)),
      'articleID int': ({ line }) => line.item.id,
      'articleordernumber varchar(255)': ({ line }) => line.item.code,
      'price double': ({ line }) => price(line),
      'quantity int': ({ line }) => line.quantity,
      'name varchar(255)': ({ line }) => line.item.name,
      'status int': ({ one }) => (one.isDraft ? 0 : 3),
      'shipped int': ({ one, line }) => (one.isDraft ? 0 : line.quantity),
      'shippedgroup int': 0,
      'releasedate date': null,
      'modus int, esdarticle int': 0,
      'taxID int': ({ line }) => taxId(line.item.rate),
      'tax_rate double': ({ line }) => line.item.rate,
      'config mediumtext': '',
      'ean varchar(255)': '',
      'unit varchar(255)': ({ line }) => unitOf(line.item.unit).name,
      'pack_unit varchar(255)': '',
      'articleDetailID int': ({ line }) => line.item.id,
    }),
    s_order_documents: tableOf(documents, {
      '*id int': (_one, index) => index + 1,
      'date date': ({ one, type }) => (type === kinds.cancellation ? one.due : one.date),
      'type int': ({ type }) => type,
      'userID int': ({ one }) => userId(one.customer.id),
      'orderID int': ({ one }) => orderId(one),
      'amount double': ({ one, type, sign }) => (type === kinds.delivery ? 0 : sign * amount(one)),
      'docID varchar(30)': ({ number }) => String(number),
      'hash varchar(255)': ({ number, type }) => `7f${number * 7}a${type}`,
    }),
    s_order_billingaddress: tableOf(ordered, {
      '*id int': (one) => orderId(one) + 4,
      'userID int': ({ customer }) => userId(customer.id),
      'orderID int': orderId,
      'company varchar(255)': ({ customer }) => customer.name,
      'department varchar(35)': '',
      'salutation varchar(30)': ({ customer }) => salutationOf(customer.id),
      'customernumber varchar(30)': ({ customer }) => String(20_000 + customer.id),
      'firstname varchar(50)': ({ customer }) => customer.first,
      'lastname varchar(60)': ({ customer }) => customer.last,
      'street varchar(255)': ({ customer }) => customer.street,
      'zipcode varchar(50)': ({ customer }) => customer.zip,
      'city varchar(70)': ({ customer }) => customer.city,
      'phone varchar(40)': ({ customer }) => customer.phone,
      'countryID int': ({ customer }) => countryOf(customer.countryCode),
      'stateID int': ({ customer }) => stateOf(customer.id),
      'ustid varchar(50)': ({ customer }) => customer.vat,
      'additional_address_line1 varchar(255), additional_address_line2 varchar(255)': null,
      'title varchar(100)': null,
    }),
    s_user: tableOf(customers, {
      '*id int': ({ id }) => userId(id),
      'password varchar(1024)': '',
      'encoder varchar(255)': 'bcrypt',
      'email varchar(70)': ({ email }) => email,
      'active int': 1,
      'accountmode int': 0,
      'confirmationkey varchar(100)': '',
      'paymentID int': 4,
      'doubleOptinRegister tinyint': 0,
      'doubleOptinEmailSentDate datetime, doubleOptinConfirmDate datetime': null,
      'firstlogin date': '2024-03-01',
      'lastlogin datetime': '2026-02-18 08:02:11',
      'sessionID varchar(128)': ({ id }) => `u${id}`,
      'newsletter int': 0,
      'validation varchar(255)': '',
      'affiliate int': 0,
      'customergroup varchar(15)': 'EK',
      'paymentpreset int': 0,
      'language varchar(10)': '1',
      'subshopID int': 1,
      'referer varchar(255)': '',
      'pricegroupID int': null,
      'internalcomment mediumtext': '',
      'failedlogins int': 0,
      'lockeduntil datetime': null,
      'default_billing_address_id int, default_shipping_address_id int': ({ id }) => addressOf(id),
      'title varchar(100)': null,
      'salutation varchar(30)': ({ id }) => salutationOf(id),
      'firstname varchar(255)': ({ first }) => first,
      'lastname varchar(255)': ({ last }) => last,
      'birthday date': null,
      'customernumber varchar(30)': ({ id }) => String(20_000 + id),
      'login_token varchar(250)': null,
      'changed datetime, password_change_date datetime': '2025-02-03 10:41:07',
      'register_opt_in_id int': null,
    }),
    s_articles: tableOf(items, {
      '*id int': ({ id }) => id,
      'supplierID int': 2,
      'name varchar(100)': ({ name }) => name,
      'description mediumtext': '',
      'description_long mediumtext': ({ name }) => `<p>${name}, boxed</p>`,
      'shippingtime varchar(11)': null,
      'datum date': '2024-03-01',
      'active int': 1,
      'taxID int': ({ rate }) => taxId(rate),
      'pseudosales int, topseller int': 0,
      'metaTitle varchar(255), keywords varchar(255)': '',
      'changetime datetime': '2025-02-03 10:41:07',
      'pricegroupID int': null,
      'pricegroupActive int': 0,
      'filtergroupID int': null,
      'laststock int, crossbundlelook int, notification int': 0,
      'template varchar(255)': '',
      'mode int': 0,
      'main_detail_id int': ({ id }) => id,
      'available_from datetime, available_to datetime, configurator_set_id int': null,
    }),
    s_articles_details: tableOf(items, {
      '*id int': ({ id }) => id,
      'articleID int': ({ id }) => id,
      'ordernumber varchar(255)': ({ code }) => code,
      'suppliernumber varchar(255)': ({ code }) => `M-${code}`,
      'kind int': 1,
      'additionaltext varchar(255)': '',
      'sales int': 12,
      'active int': 1,
      'instock int': 120,
      'stockmin int, laststock int': 0,
      'weight decimal': 1,
      'position int': 0,
      'width decimal, height decimal, length decimal': null,
      'ean varchar(255)': '',
      'unitID int': ({ unit }) => unitOf(unit).id,
      'purchasesteps int, maxpurchase int': null,
      'minpurchase int': 1,
      'purchaseunit decimal, referenceunit decimal': null,
      'packunit varchar(255)': '',
      'releasedate date': null,
      'shippingfree int': 0,
      'shippingtime varchar(11)': '3',
      'purchaseprice double': (one) => round(one.price / 2),
    }),
    s_core_units: tableOf(unitNames, {
      '*id int': ({ id }) => id,
      'unit varchar(255)': ({ short }) => short,
      'description varchar(255)': ({ name }) => name,
    }),
    s_core_tax: {
      columns: '*id int, tax decimal, description varchar(30)',
      rows: [
        [1, 20, '20%'],
        [4, 7, '7 %'],
        [5, 0, '0 %'],
      ],
    },
    s_core_currencies: {
      columns:
        '*id int, currency varchar(255), name varchar(255), standard int, factor double, templatechar varchar(255), symbol_position int, position int',
      rows: [
        [1, 'EUR', 'Euro', 1, 1, '&euro;', 0, 0],
        [2, 'USD', 'US-Dollar', 0, usDollarFactor, '$', 0, 0],
      ],
    },
    s_core_countries: tableOf(countries, {
      '*id int': ({ countryCode }) => countryOf(countryCode),
      'countryname varchar(255)': ({ country }) => country,
      'countryiso varchar(255)': ({ countryCode }) => countryCode,
      'areaID int': 3,
      'countryen varchar(255)': ({ country }) => country.toUpperCase(),
      'position int': 10,
      'notice text': '',
      'taxfree int, taxfree_ustid int, taxfree_ustid_checked int': 0,
      'active int': 1,
      'iso3 varchar(45)': ({ countryCode }) => iso3[countryCode]!,
      'display_state_in_registration int, force_state_in_registration int': 0,
      'allow_shipping int': 1,
    }),
    s_core_countries_states: tableOf(customers, {
      '*id int': ({ id }) => stateOf(id),
      'countryID int': ({ countryCode }) => countryOf(countryCode),
      'name varchar(255)': ({ state }) => state,
      'shortcode varchar(255)': ({ state }) => state,
      'position int': 0,
      'active int': 1,
    }),
  },
  sections: {
    header: { table: 's_order_documents', key: 'id', match: 'docID', where: { type: '1' } },
    lines: { table: 's_order_details', key: 'id', match: 'orderID', matchFrom: 'orderID' },
    customer: {
      table: 's_order_billingaddress',
      key: 'id',
      match: 'orderID',
      matchFrom: 'orderID',
    },
  },
  // The shipping of these orders costs nothing, so that the order's amounts are those of its lines.
  fields: {
    number: 's_order_documents.docID',
    issue_date: 's_order_documents.date|s_order.ordertime!date',
    currency: 's_order.currency|s_core_currencies.currency',
    'exchange_rate.rate': 's_order.currencyFactor!divide|s_core_currencies.factor!divide',
    purchase_order: 's_order.ordernumber|s_order_details.ordernumber',
    buyer_reference: 's_order.ordernumber|s_order_details.ordernumber',
    'notes[]': 's_order.customercomment',
    'payment_means[].code':
      's_order.paymentID!map|s_core_paymentmeans.name!map|s_core_paymentmeans.description!map',
    'totals.net': 's_order.invoice_amount_net',
    'totals.lines': 's_order.invoice_amount_net',
    'totals.gross': 's_order_documents.amount|s_order.invoice_amount',
    'totals.due': 's_order_documents.amount|s_order.invoice_amount',
    'buyer.name': 's_order_billingaddress.company|s_user_addresses.company',
    'buyer.trn': 's_order_billingaddress.ustid|s_user_addresses.ustid',
    'PINT-MY:buyer.identifiers[].id': 's_order_billingaddress.ustid|s_user_addresses.ustid',
    'buyer.address.line1': 's_order_billingaddress.street|s_user_addresses.street',
    'buyer.address.line2':
      's_order_billingaddress.additional_address_line1|s_user_addresses.additional_address_line1',
    'buyer.address.city': 's_order_billingaddress.city|s_user_addresses.city',
    'buyer.address.subdivision': 's_core_countries_states.shortcode|s_core_countries_states.name',
    'buyer.address.post_code': 's_order_billingaddress.zipcode|s_user_addresses.zipcode',
    'buyer.address.country':
      's_core_countries.countryiso|s_core_countries.countryname!map|s_core_countries.countryen!map|s_order_billingaddress.countryID!map',
    'buyer.contact.name':
      's_order_billingaddress.firstname!concat|s_order_billingaddress.lastname!concat|s_user.firstname!concat|s_user.lastname!concat',
    'buyer.contact.phone': 's_order_billingaddress.phone|s_user_addresses.phone',
    'buyer.contact.email': 's_user.email',
    'lines[].id': 's_order_details.id',
    'lines[].sku':
      's_order_details.articleordernumber|s_articles_details.ordernumber|s_order_details.articleID',
    'lines[].name': 's_order_details.name|s_articles.name',
    'lines[].description': 's_order_details.name|s_articles.name|s_articles.description_long',
    'lines[].qty': 's_order_details.quantity',
    'lines[].unit':
      's_order_details.unit!map|s_core_units.unit!map|s_core_units.description!map|s_articles_details.unitID!map',
    'lines[].unit_price': 's_order_details.price!divide,subtract,multiply',
    'lines[].gross_price': 's_order_details.price!divide,subtract,multiply',
    'lines[].tax.rate': 's_order_details.tax_rate|s_core_tax.tax',
    'lines[].tax.category':
      's_order_details.tax_rate!map|s_order_details.taxID!map|s_core_tax.tax!map|s_core_tax.description!map|s_articles.taxID!map',
  },
};
