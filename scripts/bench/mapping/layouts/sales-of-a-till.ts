import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { byLine, customers, type Invoice, invoices, items } from './trade.ts';

type Line = Invoice['lines'][number];

const round = (value: number) => Math.round(value * 100) / 100;
const saleTypes = { till: 0, invoice: 1, workOrder: 2, quote: 3, return: 4 } as const;
const states = { completed: 0, suspended: 1, cancelled: 2 } as const;

interface Sale {
  readonly one: Invoice;
  readonly id: number;
  readonly type: number;
  readonly state: number;
  /** What is taken back has a quantity below 0. */
  readonly sign: number;
}

const sales: readonly Sale[] = [
  ...invoices.map((one) => ({
    one,
    id: one.id - 4000,
    type: one.kind === 'credit' ? saleTypes.return : saleTypes.invoice,
    state: one.isDraft ? states.suspended : states.completed,
    sign: one.kind === 'credit' ? -1 : 1,
  })),
  ...invoices.slice(0, 18).map((one) => ({
    one,
    id: one.id - 3900,
    type: saleTypes.till,
    state: one.id % 7 === 0 ? states.cancelled : states.completed,
    sign: 1,
  })),
  ...invoices.slice(18, 26).map((one) => ({
    one,
    id: one.id - 3900,
    type: saleTypes.quote,
    state: states.suspended,
    sign: 1,
  })),
  ...invoices.slice(26, 30).map((one) => ({
    one,
    id: one.id - 3900,
    type: saleTypes.workOrder,
    state: states.suspended,
    sign: 1,
  })),
];
const isInvoice = ({ type, state }: Sale) =>
  type === saleTypes.invoice && state === states.completed;
const soldLines = sales.flatMap((sale) => sale.one.lines.map((line) => ({ sale, line })));
const received = invoices.slice(0, 9);
const employeeId = 1;
const supplierId = 2;
const personId = (id: number) => id + 100;
const taxName = (rate: number) => (rate === 0 ? 'Zero' : 'VAT');
const fullPrice = ({ quantity, price }: Line) => round(quantity * price);

const people = [
  ...customers.map((one) => ({ ...one, id: personId(one.id) })),
  {
    ...customers[0]!,
    id: employeeId,
    first: 'Paul',
    last: 'Roy',
    email: 'paul@firm.example',
    street: '',
    city: '',
    zip: '',
    state: '',
    country: '',
    phone: '',
  },
  { ...customers[0]!, id: supplierId, first: 'Ina', last: 'Mill', email: 'sales@mill.example' },
];

const around: Readonly<Record<string, LayoutTable>> = {
  ospos_receivings: tableOf(
    received,
    {
      'receiving_time timestamp': ({ date }) => at(date),
      'supplier_id int': supplierId,
      'employee_id int': employeeId,
      'comment text': '',
      '*receiving_id int': ({ id }) => id - 4000,
      'payment_type varchar(20)': 'Cash',
      'reference varchar(32)': ({ id }) => `MS-${id}`,
    },
    { employee_id: 'ospos_employees.person_id', supplier_id: 'ospos_suppliers.person_id' },
  ),
  ospos_receivings_items: tableOf(
    byLine(received, (one, line) => ({ one, line })),
    {
      '*receiving_id int': ({ one }) => one.id - 4000,
      '*item_id int': ({ line }) => line.item.id,
      'description varchar(30)': '',
      'serialnumber varchar(30)': '',
      '*line int': ({ line }) => line.position,
      'quantity_purchased decimal': ({ line }) => line.quantity,
      'item_cost_price decimal': ({ line }) => round(line.price / 2),
      'item_unit_price decimal': ({ line }) => round(line.price / 2),
      'discount decimal': 0,
      'discount_type tinyint': 0,
      'item_location int': 1,
      'receiving_quantity decimal': 1,
    },
    { item_id: 'ospos_items.item_id', receiving_id: 'ospos_receivings.receiving_id' },
  ),
  ospos_inventory: tableOf(
    soldLines.filter(({ sale }) => sale.state === states.completed),
    {
      '*trans_id int': (_row, index) => index + 1,
      'trans_items int': ({ line }) => line.item.id,
      'trans_user int': employeeId,
      'trans_date timestamp': ({ sale }) => at(sale.one.date),
      'trans_comment text': ({ sale }) => `POS ${sale.id}`,
      'trans_location int': 1,
      'trans_inventory decimal': ({ sale, line }) => -sale.sign * line.quantity,
    },
    { trans_items: 'ospos_items.item_id', trans_user: 'ospos_employees.person_id' },
  ),
  ospos_item_quantities: tableOf(
    items,
    { '*item_id int': ({ id }) => id, '*location_id int': 1, 'quantity decimal': 120 },
    { item_id: 'ospos_items.item_id', location_id: 'ospos_stock_locations.location_id' },
  ),
  ospos_stock_locations: {
    columns: '*location_id int, location_name varchar(255), deleted tinyint',
    rows: [[1, 'stock', 0]],
  },
  ospos_employees: {
    columns:
      'username varchar(255), password varchar(255), *person_id int, deleted tinyint, hash_version tinyint, language varchar(48), language_code varchar(8)',
    rows: [['admin', '', employeeId, 0, 2, null, null]],
    foreign: { person_id: 'ospos_people.person_id' },
  },
  ospos_suppliers: {
    columns:
      '*person_id int, company_name varchar(255), agency_name varchar(255), account_number varchar(255), tax_id varchar(32), deleted tinyint, category tinyint',
    rows: [[supplierId, 'Mill Supplies Ltd', '', null, 'DE811111111', 0, 0]],
    foreign: { person_id: 'ospos_people.person_id' },
  },
  ospos_expenses: {
    columns:
      '*expense_id int, date timestamp, amount decimal, payment_type varchar(40), expense_category_id int, description varchar(255), employee_id int, deleted tinyint, supplier_tax_code varchar(255), tax_amount decimal, supplier_id int',
    rows: [[1, '2026-01-09 10:41:07', 120, 'Cash', 1, 'Fuel', employeeId, 0, '', 20, null]],
  },
  ospos_cash_up: {
    columns:
      '*cashup_id int, open_date timestamp, close_date timestamp, open_amount_cash decimal, transfer_amount_cash decimal, note int, closed_amount_cash decimal, closed_amount_total decimal, description varchar(255), open_employee_id int, close_employee_id int, deleted tinyint',
    rows: [['1', '2026-01-05 08:00:00', '2026-01-05 18:00:00', 200, 0, 0, 410, 410, '', 1, 1, 0]],
  },
  ospos_giftcards: {
    columns:
      'record_time timestamp, *giftcard_id int, giftcard_number varchar(255), value decimal, deleted tinyint, person_id int',
    rows: [['2026-01-05 10:41:07', 1, '1', 50, 0, null]],
  },
  ospos_dinner_tables: {
    columns: '*dinner_table_id int, name varchar(30), status tinyint, deleted tinyint',
    rows: [
      [1, 'Delivery', 0, 0],
      [2, 'Take Away', 0, 0],
    ],
  },
  ospos_app_config: {
    columns: '*key varchar(50), value varchar(500)',
    rows: [
      ['company', 'Drawbridge Pumps'],
      ['address', '1 Dock Road'],
      ['phone', '+44 20 555 1000'],
      ['currency_code', 'EUR'],
      ['tax_included', '0'],
      ['default_tax_1_rate', '20'],
      ['default_tax_1_name', 'VAT'],
      ['tax_id', 'DE123456824'],
      ['invoice_enable', '1'],
      ['sales_invoice_format', '{CO}'],
      ['last_used_invoice_number', '76'],
    ],
  },
  ospos_sessions: {
    columns: '*id varchar(40), ip_address varchar(45), data blob, timestamp int',
    rows: [['b7c1', '127.0.0.1', '', 1_767_600_000]],
  },
  ospos_item_kits: {
    columns:
      '*item_kit_id int, name varchar(255), description varchar(255), item_id int, kit_discount decimal, price_option tinyint',
    rows: [],
  },
};

/**
 * Receipts of a till, invoices, quotes, work orders and returns in one table, by the kind of the sale and how far it is; it has no
 * amount, no day that it is due and no currency, and its tax is a row for each line and one for each rate; customers, suppliers
 * and users are persons, whose keys they have (Open Source Point of Sale 3.3).
 */
export const salesOfATill: Layout = {
  name: 'sales-of-a-till',
  isHeldOut: true,
  hasDiscounts: true,
  tables: {
    ...around,
    ospos_sales: tableOf(
      sales,
      {
        'sale_time timestamp': ({ one }) => at(one.date),
        'customer_id int': ({ one, type }) =>
          type === saleTypes.till && one.id % 2 === 0 ? null : personId(one.customer.id),
        'employee_id int': employeeId,
        'comment text': ({ one }) => (one.id % 6 === 0 ? 'Thank you for your order' : ''),
        'invoice_number varchar(32)': (sale) => (isInvoice(sale) ? sale.one.number : null),
        'quote_number varchar(32)': ({ type, id }) => (type === saleTypes.quote ? `Q${id}` : null),
        '*sale_id int': ({ id }) => id,
        'sale_status tinyint': ({ state }) => state,
        'dinner_table_id int': null,
        'work_order_number varchar(32)': ({ type, id }) =>
          type === saleTypes.workOrder ? `W${id}` : null,
        'sale_type tinyint': ({ type }) => type,
      },
      {
        customer_id: 'ospos_customers.person_id',
        employee_id: 'ospos_employees.person_id',
        dinner_table_id: 'ospos_dinner_tables.dinner_table_id',
      },
    ),
    ospos_sales_items: tableOf(
      soldLines,
      {
        '*sale_id int': ({ sale }) => sale.id,
        '*item_id int': ({ line }) => line.item.id,
        'description varchar(255)': ({ line }) => `${line.item.name}, boxed`,
        'serialnumber varchar(30)': '',
        '*line int': ({ line }) => line.position,
        'quantity_purchased decimal': ({ sale, line }) => sale.sign * line.quantity,
        'item_cost_price decimal': ({ line }) => round(line.price / 2),
        'item_unit_price decimal': ({ line }) => line.price,
        'discount decimal': ({ line }) => line.discount,
        'discount_type tinyint': 0,
        'item_location int': 1,
        'print_option tinyint': 0,
      },
      {
        item_id: 'ospos_items.item_id',
        sale_id: 'ospos_sales.sale_id',
        item_location: 'ospos_stock_locations.location_id',
      },
    ),
    ospos_sales_items_taxes: tableOf(
      soldLines,
      {
        '*sale_id int': ({ sale }) => sale.id,
        '*item_id int': ({ line }) => line.item.id,
        '*line int': ({ line }) => line.position,
        '*name varchar(255)': ({ line }) => taxName(line.item.rate),
        '*percent decimal': ({ line }) => line.item.rate,
        'tax_type tinyint': 1,
        'rounding_code tinyint': 1,
        'cascade_sequence tinyint': 0,
        'item_tax_amount decimal': ({ sale, line }) => sale.sign * line.tax,
        'sales_tax_code_id int, jurisdiction_id int, tax_category_id int': null,
      },
      { item_id: 'ospos_items.item_id' },
    ),
    ospos_sales_taxes: tableOf(
      sales.flatMap((sale) =>
        [20, 0]
          .map((rate) => ({
            sale,
            rate,
            of: sale.one.lines.filter(({ item }) => item.rate === rate),
          }))
          .filter(({ of }) => of.length > 0),
      ),
      {
        '*sales_taxes_id int': (_row, index) => index + 1,
        'sale_id int': ({ sale }) => sale.id,
        'jurisdiction_id int, tax_category_id int': null,
        'tax_type smallint': 1,
        'tax_group varchar(32)': ({ rate }) => `${rate}% ${taxName(rate)}`,
        'sale_tax_basis decimal': ({ sale, of }) =>
          sale.sign * round(of.reduce((sum, { net }) => sum + net, 0)),
        'sale_tax_amount decimal': ({ sale, of }) =>
          sale.sign * round(of.reduce((sum, { tax }) => sum + tax, 0)),
        'print_sequence tinyint': 0,
        'name varchar(255)': ({ rate }) => taxName(rate),
        'tax_rate decimal': ({ rate }) => rate,
        'sales_tax_code_id int': null,
        'rounding_code tinyint': 1,
      },
    ),
    ospos_sales_payments: tableOf(
      sales.filter(({ state }) => state === states.completed),
      {
        '*payment_id int': (_sale, index) => index + 1,
        'sale_id int': ({ id }) => id,
        'payment_type varchar(40)': ({ one, type }) =>
          type === saleTypes.till ? 'Cash' : one.id % 3 === 0 ? 'Debit Card' : 'Due',
        'payment_amount decimal': ({ one, sign }) => sign * one.gross,
        'cash_refund decimal, cash_adjustment tinyint': 0,
        'employee_id int': employeeId,
        'payment_time timestamp': ({ one }) => at(one.date),
        'reference_code varchar(40)': '',
      },
      { sale_id: 'ospos_sales.sale_id', employee_id: 'ospos_employees.person_id' },
    ),
    ospos_sales_reward_points: {
      columns: '*id int, sale_id int, earned float, used float',
      rows: [],
    },
    ospos_customers: tableOf(
      customers,
      {
        '*person_id int': ({ id }) => personId(id),
        'company_name varchar(255)': ({ name }) => name,
        'account_number varchar(255)': ({ code }) => code,
        'taxable int': 1,
        'tax_id varchar(32)': ({ vat }) => vat,
        'sales_tax_code_id int': null,
        'discount decimal': 0,
        'discount_type tinyint': 0,
        'package_id int, points int': null,
        'deleted tinyint': 0,
        'date timestamp': at('2025-02-03'),
        'employee_id int': employeeId,
        'consent tinyint': 1,
      },
      { person_id: 'ospos_people.person_id' },
    ),
    ospos_people: tableOf(people, {
      'first_name varchar(255)': ({ first }) => first,
      'last_name varchar(255)': ({ last }) => last,
      'gender int': null,
      'phone_number varchar(255)': ({ phone }) => phone,
      'email varchar(255)': ({ email }) => email,
      'address_1 varchar(255)': ({ street }) => street,
      'address_2 varchar(255)': '',
      'city varchar(255)': ({ city }) => city,
      'state varchar(255)': ({ state }) => state,
      'zip varchar(255)': ({ zip }) => zip,
      'country varchar(255)': ({ country }) => country,
      'comments text': '',
      '*person_id int': ({ id }) => id,
    }),
    ospos_items: tableOf(
      items,
      {
        'name varchar(255)': ({ name }) => name,
        'category varchar(255)': 'Pumps',
        'supplier_id int': supplierId,
        'item_number varchar(255)': ({ code }) => code,
        'description varchar(255)': ({ name }) => `${name}, boxed`,
        'cost_price decimal': ({ price }) => round(price / 2),
        'unit_price decimal': ({ price }) => price,
        'reorder_level decimal': 5,
        'receiving_quantity decimal': 1,
        '*item_id int': ({ id }) => id,
        'pic_filename varchar(255)': null,
        'allow_alt_description tinyint, is_serialized tinyint': 0,
        'stock_type tinyint': ({ unit }) => (unit === 'HR' ? 1 : 0),
        'item_type tinyint': 0,
        'deleted tinyint': 0,
        'tax_category_id int': null,
        'qty_per_pack decimal': 1,
        'pack_name varchar(8)': 'Each',
        'low_sell_item_id int': ({ id }) => id,
        'hsn_code varchar(32)': '',
      },
      { supplier_id: 'ospos_suppliers.person_id' },
    ),
    ospos_items_taxes: tableOf(
      items,
      {
        '*item_id int': ({ id }) => id,
        '*name varchar(255)': ({ rate }) => taxName(rate),
        '*percent decimal': ({ rate }) => rate,
      },
      { item_id: 'ospos_items.item_id' },
    ),
    // What the receipts of a day come to, for reports only.
    ospos_sales_items_temp: tableOf(soldLines.slice(0, 6), {
      'sale_date date': ({ sale }) => sale.one.date,
      'sale_id int': ({ sale }) => sale.id,
      'item_id int': ({ line }) => line.item.id,
      'subtotal decimal': ({ line }) => line.net,
      'tax decimal': ({ line }) => line.tax,
      'total decimal': ({ line }) => round(line.net + line.tax),
      'cost decimal': ({ line }) => round(fullPrice(line) / 2),
    }),
  },
  sections: {
    header: {
      table: 'ospos_sales',
      key: 'sale_id',
      match: 'invoice_number',
      where: { sale_status: '0', sale_type: '1' },
    },
    lines: { table: 'ospos_sales_items', key: 'line', match: 'sale_id', matchFrom: 'sale_id' },
    customer: {
      table: 'ospos_customers',
      key: 'person_id',
      match: 'person_id',
      matchFrom: 'customer_id',
    },
  },
  // The currency is a setting; a line has no unit, and an item only the name of what it is packed in.
  fields: {
    number: 'ospos_sales.invoice_number',
    issue_date: 'ospos_sales.sale_time|ospos_sales_payments.payment_time',
    issue_time: 'ospos_sales.sale_time!time,substring,split',
    'notes[]': 'ospos_sales.comment',
    'payment_means[].code': 'ospos_sales_payments.payment_type!map',
    'totals.gross': 'ospos_sales_payments.payment_amount',
    'totals.due': 'ospos_sales_payments.payment_amount',
    'buyer.name': 'ospos_customers.company_name',
    'buyer.trn': 'ospos_customers.tax_id',
    'buyer.address.line1': 'ospos_people.address_1',
    'buyer.address.line2': 'ospos_people.address_2',
    'buyer.address.city': 'ospos_people.city',
    'buyer.address.subdivision': 'ospos_people.state',
    'buyer.address.post_code': 'ospos_people.zip',
    'buyer.address.country': 'ospos_people.country!map',
    'buyer.contact.name': 'ospos_people.first_name!concat|ospos_people.last_name!concat',
    'buyer.contact.phone': 'ospos_people.phone_number',
    'buyer.contact.email': 'ospos_people.email',
    'lines[].id': 'ospos_sales_items.line',
    'lines[].sku': 'ospos_items.item_number|ospos_sales_items.item_id',
    'lines[].name': 'ospos_items.name|ospos_sales_items.description|ospos_items.description',
    'lines[].description': 'ospos_sales_items.description|ospos_items.description|ospos_items.name',
    'lines[].qty': 'ospos_sales_items.quantity_purchased',
    'lines[].unit_price': 'ospos_sales_items.item_unit_price',
    'lines[].gross_price': 'ospos_sales_items.item_unit_price',
    'lines[].allowances[].percent': 'ospos_sales_items.discount',
    'lines[].tax.rate': 'ospos_sales_items_taxes.percent|ospos_items_taxes.percent',
    'lines[].tax.category':
      'ospos_sales_items_taxes.percent!map|ospos_sales_items_taxes.name!map|ospos_items_taxes.percent!map|ospos_items_taxes.name!map',
    'lines[].accounting.tax_totals[].amount': 'ospos_sales_items_taxes.item_tax_amount',
  },
};
