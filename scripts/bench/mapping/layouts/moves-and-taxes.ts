import type { Layout, LayoutTable } from './layout.ts';
import { at, tableOf } from './tables.ts';
import { bills, byLine, customers, done, type Invoice, invoices, items } from './trade.ts';

type Line = Invoice['lines'][number];

const round = (value: number) => Math.round(value * 100) / 100;
/** Dollars for a euro. */
const usDollars = 1.087;
const isCredit = ({ kind }: Invoice) => kind === 'credit';
const sign = (one: Invoice) => (isCredit(one) ? -1 : 1);
const currencyId = (one: Invoice) => (one.currency === 'USD' ? 2 : 1);
const own = (one: Invoice, amount: number) =>
  one.currency === 'USD' ? round(amount / usDollars) : amount;
const isPaid = ({ id, isDraft }: Invoice) => !isDraft && id % 3 === 0;
/** A name in each language, as the column of JSON has it. */
const told = (name: string) => JSON.stringify({ en_US: name });
const year = '2026';
const nth = ({ id }: Invoice) => String(id - 4000).padStart(5, '0');
const moveName = (one: Invoice) =>
  one.isDraft ? '/' : `${isCredit(one) ? 'RINV' : 'INV'}/${year}/${nth(one)}`;
const billName = (one: Invoice) => `BILL/${year}/01/${nth(one)}`;
const partner = (id: number) => id + 7;
const contact = (id: number) => id + 107;
const vendor = 60;
const unitIds: Readonly<Record<string, number>> = { PCS: 1, KG: 12, HR: 4, M: 5, L: 10 };
const saleTax = (rate: number) => (rate === 0 ? 5 : 1);
const purchaseTax = 3;
const countryIds = [...new Set(customers.map(({ countryCode }) => countryCode))];
const countryId = (code: string) => countryIds.indexOf(code) + 57;
const stateIds = customers.filter(
  (one, index) =>
    customers.findIndex(
      ({ state, countryCode }) => state === one.state && countryCode === one.countryCode,
    ) === index,
);
const stateId = (of: Invoice['customer']) =>
  stateIds.findIndex(
    ({ state, countryCode }) => state === of.state && countryCode === of.countryCode,
  ) + 501;
const bought = done.slice(0, 12);
const boughtLine = (one: Invoice) => one.lines[0]!;
const cost = (line: Line) => round(line.price / 2);
const costOf = (line: Line) => round(line.quantity * cost(line));
const vatOf = (line: Line) => round(costOf(line) * 0.2);
const ordered = byLine(invoices, (one, line) => ({ one, line }));
const paid = bills.filter(isPaid);

const writers = { 'create_uid integer, write_uid integer': 2 } as const;
const written = <T>(dateOf: (row: T) => string) => ({
  ...writers,
  'create_date timestamp': (row: T) => at(dateOf(row)),
  'write_date timestamp': (row: T) => at(dateOf(row), '10:58:44'),
});
const seeded = {
  ...writers,
  'create_date timestamp, write_date timestamp': at('2025-11-02'),
} as const;
const users = { create_uid: 'res_users.id', write_uid: 'res_users.id' };

interface Move {
  readonly one: Invoice;
  readonly type: 'sale' | 'bill' | 'payment';
}

const moves: readonly Move[] = [
  ...invoices.map((one) => ({ one, type: 'sale' as const })),
  ...bought.map((one) => ({ one, type: 'bill' as const })),
  ...paid.map((one) => ({ one, type: 'payment' as const })),
];
const moveId = ({ one, type }: Move) => one.id + { sale: 0, bill: 1000, payment: 2000 }[type];
const stateOf = ({ one, type }: Move) =>
  type !== 'sale' || !one.isDraft
    ? one.id % 20 === 10 && type === 'sale'
      ? 'cancel'
      : 'posted'
    : 'draft';
const kindOf = ({ one, type }: Move) =>
  type === 'payment'
    ? 'entry'
    : type === 'bill'
      ? 'in_invoice'
      : isCredit(one)
        ? 'out_refund'
        : 'out_invoice';
const nameOf = (move: Move) =>
  move.type === 'sale'
    ? moveName(move.one)
    : move.type === 'bill'
      ? billName(move.one)
      : `PBNK1/${year}/${nth(move.one)}`;
const journalOf = ({ type }: Move) => ({ sale: 1, bill: 2, payment: 7 })[type];
const partnerOf = ({ one, type }: Move) => (type === 'bill' ? vendor : partner(one.customer.id));
/** Without tax, tax, and with it: as positive numbers. */
const amounts = ({ one, type }: Move): readonly [number, number, number] =>
  type === 'payment'
    ? [0, 0, one.gross]
    : type === 'bill'
      ? [
          costOf(boughtLine(one)),
          vatOf(boughtLine(one)),
          round(costOf(boughtLine(one)) + vatOf(boughtLine(one))),
        ]
      : [one.net, one.tax, one.gross];
const moveSign = ({ one, type }: Move) => (type === 'bill' ? -1 : sign(one));
const moneyOf = ({ one, type }: Move) => (type === 'bill' ? 1 : currencyId(one));
const ownOf = ({ one, type }: Move, amount: number) =>
  type === 'bill' ? amount : own(one, amount);

interface MoveLine {
  readonly id: number;
  readonly move: Move;
  readonly display: 'product' | 'tax' | 'payment_term' | 'line_note' | null;
  readonly line?: Line;
  readonly account: number;
  readonly name: string | null;
  /** What it adds to the books, in the money of the document. */
  readonly amount: number;
  readonly base?: number;
  readonly sequence: number;
}

let nextLine = 0;
const lineId = () => (nextLine += 1);

function linesOf(move: Move): MoveLine[] {
  const { one, type } = move;
  const [, tax, total] = amounts(move);
  const common = { move, sequence: 100 };
  if (type === 'payment') {
    const name = `Manual Payment ${nameOf(move)}`;
    return [
      { ...common, id: lineId(), display: null, account: 44, name, amount: total },
      { ...common, id: lineId(), display: null, account: 6, name, amount: -total },
    ];
  }
  const way = -moveSign(move);
  const sold = type === 'bill' ? [boughtLine(one)] : one.lines;
  const products = sold.map((line): MoveLine => {
    const amount = way * (type === 'bill' ? costOf(line) : line.net);
    const name = `[${line.item.code}] ${line.item.name}`;
    const sequence = line.position * 10;
    return {
      id: type === 'sale' ? line.id : lineId(),
      move,
      display: 'product',
      line,
      account: type === 'bill' ? 30 : 26,
      name,
      amount,
      sequence,
    };
  });
  const note: MoveLine[] =
    one.id % 5 === 0 && type === 'sale'
      ? [
          {
            ...common,
            id: lineId(),
            display: 'line_note',
            account: 0,
            name: 'Deliver before noon',
            amount: 0,
          },
        ]
      : [];
  const base = sold
    .filter(({ item }) => type === 'bill' || item.rate !== 0)
    .reduce((all, line) => all + (type === 'bill' ? costOf(line) : line.net), 0);
  const taxes: MoveLine[] =
    tax === 0
      ? []
      : [
          {
            ...common,
            id: lineId(),
            display: 'tax',
            account: type === 'bill' ? 21 : 15,
            name: '20%',
            amount: way * tax,
            base: round(-way * base),
          },
        ];
  return [
    ...products,
    ...note,
    ...taxes,
    {
      ...common,
      id: lineId(),
      display: 'payment_term',
      account: type === 'bill' ? 14 : 6,
      name: '',
      amount: -way * total,
      sequence: 10_100,
    },
  ];
}

const moveLines = moves.flatMap(linesOf);
const priceOf = ({ move, line }: MoveLine) =>
  line === undefined ? 0 : move.type === 'bill' ? cost(line) : line.price;
const netOf = ({ amount }: MoveLine) => Math.abs(amount);
const grossOf = (each: MoveLine) =>
  each.line === undefined
    ? netOf(each)
    : round(netOf(each) + (each.move.type === 'bill' ? vatOf(each.line) : each.line.tax));
const isProduct = ({ display }: MoveLine) => display === 'product';

const books: Readonly<Record<string, LayoutTable>> = {
  account_move: tableOf(
    moves,
    {
      '*id integer': moveId,
      'sequence_number integer': ({ one }) => one.id - 4000,
      'message_main_attachment_id integer': null,
      'journal_id integer': journalOf,
      'company_id integer': 1,
      'payment_id integer': (move) => (move.type === 'payment' ? moveId(move) - 5000 : null),
      'statement_line_id integer, tax_cash_basis_rec_id integer': null,
      'tax_cash_basis_origin_move_id integer, auto_post_origin_id integer': null,
      'secure_sequence_number integer': null,
      'invoice_payment_term_id integer': (move) => (kindOf(move) === 'out_invoice' ? 4 : null),
      'partner_id integer, commercial_partner_id integer': partnerOf,
      'partner_shipping_id integer': (move) => (move.type === 'sale' ? partnerOf(move) : null),
      'partner_bank_id integer, fiscal_position_id integer': null,
      'currency_id integer': moneyOf,
      'reversed_entry_id integer': (move) =>
        kindOf(move) === 'out_refund' ? moveId(move) - 1 : null,
      'invoice_user_id integer': ({ type }) => (type === 'payment' ? null : 2),
      'invoice_incoterm_id integer, invoice_cash_rounding_id integer': null,
      'campaign_id integer, source_id integer, medium_id integer': null,
      'team_id integer': ({ type }) => (type === 'sale' ? 1 : null),
      'access_token varchar': null,
      'name varchar': nameOf,
      'ref varchar': ({ one, type }) =>
        type === 'bill'
          ? `MS/${one.id}`
          : type === 'payment'
            ? moveName(one)
            : isCredit(one)
              ? `Reversal of: INV/${year}/${String(one.id - 4001).padStart(5, '0')}`
              : one.order || null,
      'state varchar': stateOf,
      'move_type varchar': kindOf,
      'auto_post varchar': 'no',
      'inalterable_hash varchar': null,
      'payment_reference varchar': (move) =>
        kindOf(move) === 'out_invoice' && stateOf(move) === 'posted' ? nameOf(move) : null,
      'qr_code_method varchar': null,
      'payment_state varchar': ({ one, type }) =>
        type === 'sale' && isPaid(one) ? 'paid' : 'not_paid',
      'invoice_source_email varchar': null,
      'invoice_partner_display_name varchar': ({ one, type }) =>
        type === 'bill' ? 'Mill Supplies Ltd' : type === 'sale' ? one.customer.name : null,
      'invoice_origin varchar': ({ one, type }) =>
        type === 'sale' ? `S${nth(one)}` : type === 'bill' ? `P${nth(one)}` : null,
      'incoterm_location varchar': null,
      'sequence_prefix varchar': (move) =>
        nameOf(move) === '/' ? null : nameOf(move).replace(/\d+$/, ''),
      'date date': ({ one, type }) => (type === 'payment' ? one.due : one.date),
      'auto_post_until date': null,
      'invoice_date date': ({ one, type }) => (type === 'payment' ? null : one.date),
      'invoice_date_due date': ({ one }) => one.due,
      'delivery_date date': null,
      'narration text': ({ one, type }) =>
        type === 'sale' && one.id % 4 === 0 ? '<p>Thank you for your order</p>' : null,
      'amount_untaxed numeric': (move) => amounts(move)[0],
      'amount_tax numeric': (move) => amounts(move)[1],
      'amount_total numeric': (move) => amounts(move)[2],
      'amount_residual numeric': (move) =>
        move.type === 'payment' || isPaid(move.one) ? 0 : amounts(move)[2],
      'amount_untaxed_signed numeric': (move) => moveSign(move) * ownOf(move, amounts(move)[0]),
      'amount_tax_signed numeric': (move) => moveSign(move) * ownOf(move, amounts(move)[1]),
      'amount_total_signed numeric': (move) => moveSign(move) * ownOf(move, amounts(move)[2]),
      'amount_total_in_currency_signed numeric': (move) => moveSign(move) * amounts(move)[2],
      'amount_residual_signed numeric': (move) =>
        move.type === 'payment' || isPaid(move.one)
          ? 0
          : moveSign(move) * ownOf(move, amounts(move)[2]),
      'quick_edit_total_amount numeric': 0,
      'is_storno boolean, to_check boolean': 0,
      'always_tax_exigible boolean': ({ type }) => (type === 'payment' ? 1 : 0),
      'posted_before boolean': (move) => (stateOf(move) === 'draft' ? 0 : 1),
      'is_move_sent boolean': ({ one, type }) => (type === 'sale' && one.id % 2 === 0 ? 1 : 0),
      'send_and_print_values jsonb': null,
      ...written(({ one }: Move) => one.date),
    },
    {
      journal_id: 'account_journal.id',
      company_id: 'res_company.id',
      payment_id: 'account_payment.id',
      invoice_payment_term_id: 'account_payment_term.id',
      partner_id: 'res_partner.id',
      commercial_partner_id: 'res_partner.id',
      partner_shipping_id: 'res_partner.id',
      currency_id: 'res_currency.id',
      reversed_entry_id: 'account_move.id',
      invoice_user_id: 'res_users.id',
      team_id: 'crm_team.id',
      ...users,
    },
  ),
  account_move_line: tableOf(
    moveLines,
    {
      '*id integer': ({ id }) => id,
      'move_id integer': ({ move }) => moveId(move),
      'journal_id integer': ({ move }) => journalOf(move),
      'company_id integer': 1,
      'company_currency_id integer': 1,
      'sequence integer': ({ sequence }) => sequence,
      'account_id integer': ({ account }) => (account === 0 ? null : account),
      'currency_id integer': ({ move }) => moneyOf(move),
      'partner_id integer': ({ move }) => partnerOf(move),
      'reconcile_model_id integer': null,
      'payment_id integer': ({ move }) => (move.type === 'payment' ? moveId(move) - 5000 : null),
      'statement_line_id integer, statement_id integer': null,
      'group_tax_id integer': null,
      'tax_line_id integer': ({ display, move }) =>
        display === 'tax' ? (move.type === 'bill' ? purchaseTax : 1) : null,
      'tax_group_id integer': ({ display }) => (display === 'tax' ? 2 : null),
      'tax_repartition_line_id integer': ({ display, move }) =>
        display === 'tax' ? (move.type === 'bill' ? 12 : isCredit(move.one) ? 4 : 2) : null,
      'full_reconcile_id integer': ({ account, move }) =>
        account === 6 && isPaid(move.one) ? move.one.id - 3900 : null,
      'product_id integer': ({ line }) => (line === undefined ? null : line.item.id + 20),
      'product_uom_id integer': ({ line }) =>
        line === undefined ? null : unitIds[line.item.unit]!,
      'move_name varchar': ({ move }) => nameOf(move),
      'parent_state varchar': ({ move }) => stateOf(move),
      'ref varchar': ({ move: { one, type } }) => (type === 'sale' ? one.order || null : null),
      'name varchar': ({ name }) => name,
      'tax_audit varchar': null,
      'matching_number varchar': ({ account, move }) =>
        account === 6 && isPaid(move.one) ? String(move.one.id - 3900) : null,
      'display_type varchar': ({ display }) => display,
      'date date': ({ move: { one, type } }) => (type === 'payment' ? one.due : one.date),
      'invoice_date date': ({ move: { one, type } }) => (type === 'payment' ? null : one.date),
      'date_maturity date': ({ display, move }) =>
        display === 'payment_term' ? move.one.due : null,
      'discount_date date': null,
      'analytic_distribution jsonb': null,
      'debit numeric': ({ move, amount }) => Math.max(ownOf(move, amount), 0),
      'credit numeric': ({ move, amount }) => Math.max(-ownOf(move, amount), 0),
      'balance numeric': ({ move, amount }) => ownOf(move, amount),
      'amount_currency numeric': ({ amount }) => amount,
      'tax_base_amount numeric': ({ move, base }) => (base === undefined ? 0 : ownOf(move, base)),
      'amount_residual numeric': ({ move, display, amount }) =>
        display === 'payment_term' && !isPaid(move.one) ? ownOf(move, amount) : 0,
      'amount_residual_currency numeric': ({ move, display, amount }) =>
        display === 'payment_term' && !isPaid(move.one) ? amount : 0,
      'quantity numeric': ({ line, display }) =>
        display === 'tax' ? null : (line?.quantity ?? (display === 'line_note' ? 0 : null)),
      'price_unit numeric': (each) => (isProduct(each) ? priceOf(each) : null),
      'price_subtotal numeric': (each) => (isProduct(each) ? netOf(each) : 0),
      'price_total numeric': (each) => (isProduct(each) ? grossOf(each) : 0),
      'discount numeric': ({ line, move }) =>
        line !== undefined && move.type === 'sale' ? line.discount : 0,
      'discount_percentage numeric': null,
      'discount_amount_currency numeric, discount_balance numeric': 0,
      'tax_tag_invert boolean': ({ display, move }) =>
        (display === 'tax' || display === 'product') && move.type === 'sale' && !isCredit(move.one)
          ? 1
          : 0,
      'reconciled boolean': ({ account, move }) => (account === 6 && isPaid(move.one) ? 1 : 0),
      'blocked boolean': 0,
      'is_downpayment boolean': 0,
      'purchase_line_id integer': ({ move, line }) =>
        move.type === 'bill' && line !== undefined ? line.id - 80_000 : null,
      'vehicle_id integer, expense_id integer': null,
      ...written(({ move }: MoveLine) => move.one.date),
    },
    {
      move_id: 'account_move.id',
      journal_id: 'account_journal.id',
      company_id: 'res_company.id',
      company_currency_id: 'res_currency.id',
      account_id: 'account_account.id',
      currency_id: 'res_currency.id',
      partner_id: 'res_partner.id',
      payment_id: 'account_payment.id',
      tax_line_id: 'account_tax.id',
      tax_group_id: 'account_tax_group.id',
      tax_repartition_line_id: 'account_tax_repartition_line.id',
      product_id: 'product_product.id',
      product_uom_id: 'uom_uom.id',
      purchase_line_id: 'purchase_order_line.id',
      ...users,
    },
  ),
  account_move_line_account_tax_rel: tableOf(
    moveLines.filter(isProduct),
    {
      '*account_move_line_id integer': ({ id }) => id,
      '*account_tax_id integer': ({ move, line }) =>
        move.type === 'bill' ? purchaseTax : saleTax(line!.item.rate),
    },
    { account_move_line_id: 'account_move_line.id', account_tax_id: 'account_tax.id' },
  ),
  account_tax: {
    columns:
      '*id integer, company_id integer, sequence integer, tax_group_id integer, cash_basis_transition_account_id integer, country_id integer, ' +
      'create_uid integer, write_uid integer, type_tax_use varchar, tax_scope varchar, amount_type varchar, tax_exigibility varchar, name jsonb, ' +
      'description jsonb, invoice_label jsonb, amount numeric, active boolean, price_include boolean, include_base_amount boolean, is_base_affected boolean, ' +
      'analytic boolean, create_date timestamp, write_date timestamp',
    rows: [
      [1, 'sale', '20%', '20%', 20, 2, 1],
      [2, 'sale', '10%', '10%', 10, 3, 1],
      [3, 'purchase', '20% G', '20%', 20, 2, 1],
      [4, 'purchase', '0% G', '0%', 0, 4, 1],
      [5, 'sale', '0% EX', '0%', 0, 4, 1],
      [6, 'sale', '5.5%', '5.5%', 5.5, 5, 0],
    ].map(([id, use, name, label, amount, group, active], index) => [
      id!,
      1,
      index + 1,
      group!,
      null,
      countryId('FR'),
      1,
      1,
      use!,
      null,
      'percent',
      'on_invoice',
      told(String(name)),
      null,
      told(String(label)),
      amount!,
      active!,
      0,
      0,
      1,
      0,
      at('2025-11-02'),
      at('2025-11-02'),
    ]),
    foreign: {
      company_id: 'res_company.id',
      tax_group_id: 'account_tax_group.id',
      country_id: 'res_country.id',
    },
  },
  account_tax_group: {
    columns:
      '*id integer, sequence integer, company_id integer, tax_payable_account_id integer, country_id integer, name jsonb, preceding_subtotal jsonb, create_date timestamp',
    rows: [2, 3, 4, 5].map((id, index) => [
      id,
      10,
      1,
      null,
      countryId('FR'),
      told(['VAT 20%', 'VAT 10%', 'VAT 0%', 'VAT 5.5%'][index]!),
      null,
      at('2025-11-02'),
    ]),
    foreign: { company_id: 'res_company.id', country_id: 'res_country.id' },
  },
  account_tax_repartition_line: {
    columns:
      '*id integer, account_id integer, tax_id integer, company_id integer, sequence integer, repartition_type varchar, document_type varchar, use_in_tax_closing boolean, factor_percent numeric',
    rows: [
      [1, null, 1, 1, 1, 'base', 'invoice', 0, 100],
      [2, 15, 1, 1, 1, 'tax', 'invoice', 1, 100],
      [3, null, 1, 1, 1, 'base', 'refund', 0, 100],
      [4, 15, 1, 1, 1, 'tax', 'refund', 1, 100],
      [11, null, 3, 1, 1, 'base', 'invoice', 0, 100],
      [12, 21, 3, 1, 1, 'tax', 'invoice', 1, 100],
    ],
    foreign: {
      account_id: 'account_account.id',
      tax_id: 'account_tax.id',
      company_id: 'res_company.id',
    },
  },
  account_account: {
    columns:
      '*id integer, currency_id integer, company_id integer, group_id integer, code varchar, account_type varchar, internal_group varchar, name jsonb, reconcile boolean, deprecated boolean, non_trade boolean',
    rows: [
      [6, null, 1, null, '411100', 'asset_receivable', 'asset', told('Customers'), 1, 0, 0],
      [14, null, 1, null, '401100', 'liability_payable', 'liability', told('Suppliers'), 1, 0, 0],
      [
        15,
        null,
        1,
        null,
        '445710',
        'liability_current',
        'liability',
        told('VAT collected'),
        0,
        0,
        0,
      ],
      [21, null, 1, null, '445660', 'asset_current', 'asset', told('VAT deductible'), 0, 0, 0],
      [26, null, 1, null, '707100', 'income', 'income', told('Sales of goods'), 0, 0, 0],
      [30, null, 1, null, '607100', 'expense', 'expense', told('Purchases'), 0, 0, 0],
      [44, null, 1, null, '511201', 'asset_current', 'asset', told('Receipts'), 1, 0, 0],
    ],
    foreign: { company_id: 'res_company.id' },
  },
  account_journal: {
    columns:
      '*id integer, default_account_id integer, sequence integer, currency_id integer, company_id integer, name jsonb, code varchar, type varchar, active boolean, refund_sequence boolean',
    rows: [
      [1, 26, 5, null, 1, told('Customer Invoices'), 'INV', 'sale', 1, 1],
      [2, 30, 6, null, 1, told('Vendor Bills'), 'BILL', 'purchase', 1, 1],
      [3, null, 9, null, 1, told('Miscellaneous Operations'), 'MISC', 'general', 1, 0],
      [7, 44, 7, null, 1, told('Bank'), 'BNK1', 'bank', 1, 0],
    ],
    foreign: { default_account_id: 'account_account.id', company_id: 'res_company.id' },
  },
  account_payment_term: {
    columns:
      '*id integer, company_id integer, sequence integer, discount_days integer, create_uid integer, name jsonb, note jsonb, early_pay_discount_computation varchar, active boolean, early_discount boolean, discount_percentage float8',
    rows: [
      [
        1,
        null,
        10,
        10,
        1,
        told('Immediate Payment'),
        told('<p>Payment terms: Immediate Payment</p>'),
        'included',
        1,
        0,
        2,
      ],
      [
        4,
        null,
        10,
        10,
        1,
        told('30 Days'),
        told('<p>Payment terms: 30 Days</p>'),
        'included',
        1,
        0,
        2,
      ],
      [
        5,
        null,
        10,
        10,
        1,
        told('45 Days'),
        told('<p>Payment terms: 45 Days</p>'),
        'included',
        1,
        0,
        2,
      ],
    ],
  },
  account_payment_term_line: {
    columns:
      '*id integer, days_next_month varchar, nb_days integer, payment_id integer, value varchar, delay_type varchar, value_amount numeric',
    rows: [
      [1, '10', 0, 1, 'percent', 'days_after', 100],
      [4, '10', 30, 4, 'percent', 'days_after', 100],
      [5, '10', 45, 5, 'percent', 'days_after', 100],
    ],
    foreign: { payment_id: 'account_payment_term.id' },
  },
  account_payment: tableOf(
    paid,
    {
      '*id integer': ({ id }) => id - 3000,
      'message_main_attachment_id integer': null,
      'move_id integer': ({ id }) => id + 2000,
      'partner_bank_id integer': null,
      'payment_method_line_id integer': 1,
      'currency_id integer': currencyId,
      'partner_id integer': ({ customer }) => partner(customer.id),
      'outstanding_account_id integer': 44,
      'destination_account_id integer': 6,
      'payment_type varchar': 'inbound',
      'partner_type varchar': 'customer',
      'payment_reference varchar': null,
      'amount numeric': ({ gross }) => gross,
      'amount_company_currency_signed numeric': (one) => own(one, one.gross),
      'is_reconciled boolean': 1,
      'is_matched boolean, is_internal_transfer boolean': 0,
      ...written(({ due }: Invoice) => due),
    },
    {
      move_id: 'account_move.id',
      currency_id: 'res_currency.id',
      partner_id: 'res_partner.id',
      outstanding_account_id: 'account_account.id',
      destination_account_id: 'account_account.id',
    },
  ),
  account_partial_reconcile: tableOf(
    paid,
    {
      '*id integer': ({ id }) => id - 3950,
      'debit_move_id integer': (one) =>
        moveLines.find(
          ({ move, account }) => move.one === one && move.type === 'sale' && account === 6,
        )!.id,
      'credit_move_id integer': (one) =>
        moveLines.find(
          ({ move, account }) => move.one === one && move.type === 'payment' && account === 6,
        )!.id,
      'full_reconcile_id integer': ({ id }) => id - 3900,
      'debit_currency_id integer, credit_currency_id integer': currencyId,
      'company_id integer': 1,
      'max_date date': ({ due }) => due,
      'amount numeric': (one) => own(one, one.gross),
      'debit_amount_currency numeric, credit_amount_currency numeric': ({ gross }) => gross,
      ...written(({ due }: Invoice) => due),
    },
    {
      debit_move_id: 'account_move_line.id',
      credit_move_id: 'account_move_line.id',
      company_id: 'res_company.id',
    },
  ),
};

const parties: Readonly<Record<string, LayoutTable>> = {
  res_partner: tableOf(
    [
      ...customers.map((one) => ({ one, id: partner(one.id), type: 'contact', rank: 1 })),
      ...customers.map((one) => ({ one, id: contact(one.id), type: 'person', rank: 0 })),
      { one: customers[7]!, id: 1, type: 'own', rank: 0 },
      { one: customers[7]!, id: 3, type: 'user', rank: 0 },
      { one: customers[8]!, id: vendor, type: 'vendor', rank: 0 },
    ],
    {
      '*id integer': ({ id }) => id,
      'company_id integer': null,
      'title integer': null,
      'parent_id integer': ({ one, type }) => (type === 'person' ? partner(one.id) : null),
      'user_id integer': null,
      'state_id integer': ({ one, type }) => (type === 'contact' ? stateId(one) : null),
      'country_id integer': ({ one }) => countryId(one.countryCode),
      'industry_id integer': null,
      'color integer': 0,
      'commercial_partner_id integer': ({ one, id, type }) =>
        type === 'person' ? partner(one.id) : id,
      'name varchar': ({ one, type }) =>
        type === 'person'
          ? `${one.first} ${one.last}`
          : type === 'own'
            ? 'Pompes du Rhône SAS'
            : type === 'user'
              ? 'Lena Kurz'
              : type === 'vendor'
                ? 'Mill Supplies Ltd'
                : one.name,
      'complete_name varchar': ({ one, type }) =>
        type === 'person'
          ? `${one.name}, ${one.first} ${one.last}`
          : type === 'own'
            ? 'Pompes du Rhône SAS'
            : type === 'user'
              ? 'Lena Kurz'
              : type === 'vendor'
                ? 'Mill Supplies Ltd'
                : one.name,
      'ref varchar': ({ one, type }) => (type === 'contact' ? one.code : null),
      'lang varchar': 'en_US',
      'tz varchar': null,
      'vat varchar': ({ one, type }) =>
        type === 'contact' || type === 'person'
          ? one.vat
          : type === 'vendor'
            ? 'GB999000111'
            : 'FR12345678901',
      'company_registry varchar, website varchar': null,
      'function varchar': ({ type }) => (type === 'person' ? 'Buyer' : null),
      'type varchar': 'contact',
      'street varchar': ({ one, type }) => (type === 'own' ? '2 quai du Rhône' : one.street),
      'street2 varchar': null,
      'zip varchar': ({ one }) => one.zip,
      'city varchar': ({ one }) => one.city,
      'email varchar, email_normalized varchar': ({ one, type }) =>
        type === 'contact' || type === 'person' ? one.email : null,
      'phone varchar': ({ one, type }) => (type === 'contact' ? one.phone : null),
      'mobile varchar': ({ one, type }) => (type === 'person' ? `+49 170 555 ${one.id}` : null),
      'commercial_company_name varchar, company_name varchar': ({ one, type }) =>
        type === 'contact' || type === 'person' ? one.name : null,
      'date date': null,
      'comment text': null,
      'partner_latitude numeric, partner_longitude numeric': 0,
      'active boolean': 1,
      'employee boolean': 0,
      'is_company boolean': ({ type }) => (type === 'person' || type === 'user' ? 0 : 1),
      'partner_share boolean': ({ type }) => (type === 'own' || type === 'user' ? 0 : 1),
      'contact_address_complete varchar': ({ one }) =>
        `${one.street}, ${one.zip} ${one.city}, ${one.country}`,
      'message_bounce integer': 0,
      'signup_type varchar, signup_token varchar': null,
      'supplier_rank integer': ({ type }) => (type === 'vendor' ? 12 : 0),
      'customer_rank integer': ({ rank }) => rank,
      'invoice_warn varchar, sale_warn varchar': 'no-message',
      'invoice_warn_msg text': null,
      'debit_limit numeric': null,
      'peppol_endpoint varchar, peppol_eas varchar, ubl_cii_format varchar': null,
      'team_id integer': null,
      ...seeded,
    },
    {
      parent_id: 'res_partner.id',
      state_id: 'res_country_state.id',
      country_id: 'res_country.id',
      commercial_partner_id: 'res_partner.id',
      ...users,
    },
  ),
  res_country: tableOf(
    countryIds.map((code) => customers.find(({ countryCode }) => countryCode === code)!),
    {
      '*id integer': ({ countryCode }) => countryId(countryCode),
      'address_view_id integer': null,
      'currency_id integer': 1,
      'phone_code integer': 44,
      'code varchar': ({ countryCode }) => countryCode,
      'name_position varchar': 'before',
      'name jsonb': ({ country }) => told(country),
      'vat_label jsonb': told('VAT'),
      'address_format text': '%(street)s',
      'state_required boolean': 0,
      'zip_required boolean': 1,
      ...seeded,
    },
    { currency_id: 'res_currency.id' },
  ),
  res_country_state: tableOf(
    stateIds,
    {
      '*id integer': stateId,
      'country_id integer': ({ countryCode }) => countryId(countryCode),
      'name varchar': ({ city }) => `${city} region`,
      'code varchar': ({ state }) => state,
      ...seeded,
    },
    { country_id: 'res_country.id' },
  ),
  res_company: {
    columns:
      '*id integer, name varchar, partner_id integer, currency_id integer, sequence integer, parent_path varchar, parent_id integer, paperformat_id integer, ' +
      'email varchar, phone varchar, account_fiscal_country_id integer, fiscalyear_last_day integer, fiscalyear_last_month varchar, chart_template varchar, ' +
      'account_sale_tax_id integer, account_purchase_tax_id integer, tax_calculation_rounding_method varchar, invoice_terms jsonb, active boolean, create_date timestamp',
    rows: [
      [
        1,
        'Pompes du Rhône SAS',
        1,
        1,
        0,
        '1/',
        null,
        null,
        'info@pompes.example',
        '+33 4 555 1',
        countryId('FR'),
        31,
        '12',
        'fr',
        1,
        3,
        'round_per_line',
        null,
        1,
        at('2025-11-02'),
      ],
    ],
    foreign: { partner_id: 'res_partner.id', currency_id: 'res_currency.id' },
  },
  res_currency: {
    columns:
      '*id integer, name varchar, symbol varchar, decimal_places integer, full_name varchar, position varchar, currency_unit_label varchar, currency_subunit_label varchar, rounding numeric, active boolean, iso_numeric integer',
    rows: [
      [1, 'EUR', '€', 2, 'Euro', 'after', 'Euros', 'Cents', 0.01, 1, 978],
      [2, 'USD', '$', 2, 'United States dollar', 'before', 'Dollars', 'Cents', 0.01, 1, 840],
      [3, 'GBP', '£', 2, 'Pound sterling', 'before', 'Pounds', 'Pence', 0.01, 0, 826],
    ],
  },
  res_currency_rate: {
    columns:
      '*id integer, currency_id integer, company_id integer, name date, rate numeric, create_uid integer, create_date timestamp',
    rows: [
      [1, 2, 1, '2026-01-01', usDollars, 2, at('2026-01-01')],
      [2, 3, 1, '2026-01-01', 0.866, 2, at('2026-01-01')],
    ],
    foreign: { currency_id: 'res_currency.id', company_id: 'res_company.id' },
  },
  res_users: {
    columns:
      '*id integer, company_id integer, partner_id integer, active boolean, create_date timestamp, login varchar, password varchar, action_id integer, share boolean, notification_type varchar, signature text',
    rows: [
      [1, 1, 3, 0, at('2025-11-02'), '__system__', null, null, 0, 'email', null],
      [
        2,
        1,
        3,
        1,
        at('2025-11-02'),
        'lena@pompes.example',
        '$pbkdf2$',
        null,
        0,
        'email',
        '<p>Lena</p>',
      ],
    ],
    foreign: { company_id: 'res_company.id', partner_id: 'res_partner.id' },
  },
  crm_team: {
    columns:
      '*id integer, sequence integer, company_id integer, user_id integer, name jsonb, active boolean, use_quotations boolean, invoiced_target float8',
    rows: [[1, 10, 1, 2, told('Sales'), 1, 1, 0]],
  },
};

const goods: Readonly<Record<string, LayoutTable>> = {
  product_template: tableOf(
    items,
    {
      '*id integer': ({ id }) => id,
      'message_main_attachment_id integer': null,
      'sequence integer': 1,
      'categ_id integer': 1,
      'uom_id integer, uom_po_id integer': ({ unit }) => unitIds[unit]!,
      'company_id integer, color integer': null,
      'detailed_type varchar, type varchar': ({ unit }) => (unit === 'HR' ? 'service' : 'product'),
      'default_code varchar': ({ code }) => code,
      'priority varchar': '0',
      'name jsonb': ({ name }) => told(name),
      'description jsonb, description_purchase jsonb': null,
      'description_sale jsonb': ({ id, name }) => (id % 3 === 0 ? told(`${name}, boxed`) : null),
      'product_properties jsonb': null,
      'list_price numeric': ({ price }) => price,
      'volume numeric, weight numeric': 0,
      'sale_ok boolean, purchase_ok boolean, active boolean': 1,
      'has_configurable_attributes boolean': 0,
      'invoice_policy varchar': 'order',
      'service_type varchar': 'manual',
      'tracking varchar': 'none',
      'sale_delay integer': 0,
      ...seeded,
    },
    { categ_id: 'product_category.id', uom_id: 'uom_uom.id', uom_po_id: 'uom_uom.id' },
  ),
  product_product: tableOf(
    items,
    {
      '*id integer': ({ id }) => id + 20,
      'product_tmpl_id integer': ({ id }) => id,
      'default_code varchar': ({ code }) => code,
      'barcode varchar': null,
      'combination_indices varchar': '',
      'volume numeric, weight numeric': 0,
      'active boolean': 1,
      'can_image_variant_1024_be_zoomed boolean': 0,
      ...seeded,
    },
    { product_tmpl_id: 'product_template.id' },
  ),
  product_taxes_rel: tableOf(
    items,
    { '*prod_id integer': ({ id }) => id, '*tax_id integer': ({ rate }) => saleTax(rate) },
    { prod_id: 'product_template.id', tax_id: 'account_tax.id' },
  ),
  product_supplier_taxes_rel: tableOf(
    items,
    { '*prod_id integer': ({ id }) => id, '*tax_id integer': purchaseTax },
    { prod_id: 'product_template.id', tax_id: 'account_tax.id' },
  ),
  product_category: {
    columns:
      '*id integer, parent_id integer, name varchar, complete_name varchar, parent_path varchar',
    rows: [
      [1, null, 'All', 'All', '1/'],
      [2, 1, 'Saleable', 'All / Saleable', '1/2/'],
    ],
    foreign: { parent_id: 'product_category.id' },
  },
  product_pricelist: {
    columns:
      '*id integer, sequence integer, currency_id integer, company_id integer, name jsonb, discount_policy varchar, active boolean',
    rows: [[1, 16, 1, null, told('Default'), 'with_discount', 1]],
    foreign: { currency_id: 'res_currency.id' },
  },
  uom_uom: {
    columns:
      '*id integer, category_id integer, uom_type varchar, name jsonb, factor numeric, rounding numeric, active boolean',
    rows: [
      [1, 1, 'reference', told('Units'), 1, 0.01, 1],
      [2, 1, 'bigger', told('Dozens'), 0.0833, 0.01, 1],
      [3, 3, 'reference', told('Days'), 1, 0.01, 1],
      [4, 3, 'smaller', told('Hours'), 8, 0.01, 1],
      [5, 4, 'reference', told('m'), 1, 0.01, 1],
      [10, 6, 'reference', told('L'), 1, 0.01, 1],
      [12, 2, 'reference', told('kg'), 1, 0.01, 1],
    ],
    foreign: { category_id: 'uom_category.id' },
  },
  uom_category: {
    columns: '*id integer, name jsonb',
    rows: [1, 2, 3, 4, 6].map((id, index) => [
      id,
      told(['Unit', 'Weight', 'Working Time', 'Length / Distance', 'Volume'][index]!),
    ]),
  },
};

const beside: Readonly<Record<string, LayoutTable>> = {
  sale_order: tableOf(
    invoices,
    {
      '*id integer': ({ id }) => id - 3900,
      'campaign_id integer, source_id integer, medium_id integer': null,
      'company_id integer': 1,
      'partner_id integer, partner_invoice_id integer, partner_shipping_id integer': ({
        customer,
      }) => partner(customer.id),
      'fiscal_position_id integer': null,
      'payment_term_id integer': 4,
      'pricelist_id integer': 1,
      'currency_id integer': currencyId,
      'user_id integer': 2,
      'team_id integer': 1,
      'access_token varchar': null,
      'name varchar': (one) => `S${nth(one)}`,
      'state varchar': 'sale',
      'client_order_ref varchar': ({ order }) => order || null,
      'origin varchar, reference varchar': null,
      'invoice_status varchar': 'invoiced',
      'validity_date date': null,
      'note text': null,
      'currency_rate numeric': (one) => (one.currency === 'USD' ? usDollars : 1),
      'amount_untaxed numeric': ({ net }) => net,
      'amount_tax numeric': ({ tax }) => tax,
      'amount_total numeric': ({ gross }) => gross,
      'locked boolean, require_signature boolean': 0,
      'commitment_date timestamp': null,
      'date_order timestamp': ({ date }) => at(date, '08:12:00'),
      ...written(({ date }: Invoice) => date),
    },
    {
      company_id: 'res_company.id',
      partner_id: 'res_partner.id',
      partner_invoice_id: 'res_partner.id',
      partner_shipping_id: 'res_partner.id',
      payment_term_id: 'account_payment_term.id',
      pricelist_id: 'product_pricelist.id',
      currency_id: 'res_currency.id',
      user_id: 'res_users.id',
      team_id: 'crm_team.id',
    },
  ),
  sale_order_line: tableOf(
    ordered,
    {
      '*id integer': ({ line }) => line.id - 89_000,
      'order_id integer': ({ one }) => one.id - 3900,
      'sequence integer': 10,
      'company_id integer': 1,
      'currency_id integer': ({ one }) => currencyId(one),
      'order_partner_id integer': ({ one }) => partner(one.customer.id),
      'salesman_id integer': 2,
      'product_id integer': ({ line }) => line.item.id + 20,
      'product_uom integer': ({ line }) => unitIds[line.item.unit]!,
      'state varchar': 'sale',
      'display_type varchar': null,
      'invoice_status varchar': 'invoiced',
      'name text': ({ line }) => `[${line.item.code}] ${line.item.name}`,
      'product_uom_qty numeric, qty_delivered numeric, qty_invoiced numeric': ({ line }) =>
        line.quantity,
      'qty_to_invoice numeric': 0,
      'price_unit numeric': ({ line }) => line.price,
      'discount numeric': ({ line }) => line.discount,
      'price_subtotal numeric': ({ line }) => line.net,
      'price_tax float8': ({ line }) => line.tax,
      'price_total numeric': ({ line }) => round(line.net + line.tax),
      'customer_lead float8': 0,
      'is_downpayment boolean': 0,
      ...written(({ one }: { one: Invoice }) => one.date),
    },
    {
      order_id: 'sale_order.id',
      company_id: 'res_company.id',
      currency_id: 'res_currency.id',
      order_partner_id: 'res_partner.id',
      product_id: 'product_product.id',
      product_uom: 'uom_uom.id',
    },
  ),
  sale_order_line_invoice_rel: tableOf(
    ordered,
    {
      '*invoice_line_id integer': ({ line }) => line.id,
      '*order_line_id integer': ({ line }) => line.id - 89_000,
    },
    { invoice_line_id: 'account_move_line.id', order_line_id: 'sale_order_line.id' },
  ),
  purchase_order: tableOf(
    bought,
    {
      '*id integer': ({ id }) => id - 3900,
      'partner_id integer': vendor,
      'currency_id integer, company_id integer': 1,
      'payment_term_id integer, fiscal_position_id integer': null,
      'invoice_count integer': 1,
      'name varchar': (one) => `P${nth(one)}`,
      'partner_ref varchar': ({ id }) => `MS-${id}`,
      'origin varchar': null,
      'state varchar': 'purchase',
      'invoice_status varchar': 'invoiced',
      'notes text': null,
      'amount_untaxed numeric': (one) => costOf(boughtLine(one)),
      'amount_tax numeric': (one) => vatOf(boughtLine(one)),
      'amount_total numeric': (one) => round(costOf(boughtLine(one)) + vatOf(boughtLine(one))),
      'date_order timestamp, date_approve timestamp, date_planned timestamp': ({ date }) =>
        at(date),
      ...written(({ date }: Invoice) => date),
    },
    { partner_id: 'res_partner.id', currency_id: 'res_currency.id', company_id: 'res_company.id' },
  ),
  purchase_order_line: tableOf(
    bought,
    {
      '*id integer': (one) => boughtLine(one).id - 80_000,
      'order_id integer': ({ id }) => id - 3900,
      'sequence integer': 10,
      'product_id integer': (one) => boughtLine(one).item.id + 20,
      'product_uom integer': (one) => unitIds[boughtLine(one).item.unit]!,
      'partner_id integer': vendor,
      'currency_id integer': 1,
      'name text': (one) => boughtLine(one).item.name,
      'product_qty numeric, qty_received numeric, qty_invoiced numeric': (one) =>
        boughtLine(one).quantity,
      'discount numeric': 0,
      'price_unit numeric': (one) => cost(boughtLine(one)),
      'price_subtotal numeric': (one) => costOf(boughtLine(one)),
      'price_tax float8': (one) => vatOf(boughtLine(one)),
      'price_total numeric': (one) => round(costOf(boughtLine(one)) + vatOf(boughtLine(one))),
      'state varchar': 'purchase',
      ...written(({ date }: Invoice) => date),
    },
    {
      order_id: 'purchase_order.id',
      product_id: 'product_product.id',
      product_uom: 'uom_uom.id',
      partner_id: 'res_partner.id',
    },
  ),
  stock_picking: tableOf(
    bills,
    {
      '*id integer': ({ id }) => id - 3900,
      'sale_id integer': ({ id }) => id - 3900,
      'partner_id integer': ({ customer }) => partner(customer.id),
      'picking_type_id integer': 2,
      'company_id integer': 1,
      'name varchar': (one) => `WH/OUT/${nth(one)}`,
      'origin varchar': (one) => `S${nth(one)}`,
      'state varchar': 'done',
      'scheduled_date timestamp, date_done timestamp': ({ date }) => at(date, '07:30:00'),
      'note text': null,
      ...written(({ date }: Invoice) => date),
    },
    { sale_id: 'sale_order.id', partner_id: 'res_partner.id', company_id: 'res_company.id' },
  ),
  stock_move: tableOf(
    byLine(bills, (one, line) => ({ one, line })),
    {
      '*id integer': ({ line }) => line.id - 88_000,
      'picking_id integer': ({ one }) => one.id - 3900,
      'sale_line_id integer': ({ line }) => line.id - 89_000,
      'product_id integer': ({ line }) => line.item.id + 20,
      'product_uom integer': ({ line }) => unitIds[line.item.unit]!,
      'location_id integer': 8,
      'location_dest_id integer': 5,
      'name varchar': ({ line }) => line.item.name,
      'reference varchar': ({ one }) => `WH/OUT/${nth(one)}`,
      'state varchar': 'done',
      'product_uom_qty numeric, product_qty numeric, quantity numeric': ({ line }) => line.quantity,
      'price_unit float8': ({ line }) => -cost(line),
      'date timestamp': ({ one }) => at(one.date, '07:30:00'),
      ...written(({ one }: { one: Invoice }) => one.date),
    },
    {
      picking_id: 'stock_picking.id',
      sale_line_id: 'sale_order_line.id',
      product_id: 'product_product.id',
      product_uom: 'uom_uom.id',
    },
  ),
  ir_sequence: {
    columns:
      '*id integer, number_next integer, number_increment integer, padding integer, company_id integer, name varchar, code varchar, implementation varchar, prefix varchar, active boolean',
    rows: [
      [1, 146, 1, 5, null, 'Sales Order', 'sale.order', 'standard', 'S', 1],
      [2, 113, 1, 5, null, 'Purchase Order', 'purchase.order', 'standard', 'P', 1],
    ],
  },
  ir_config_parameter: {
    columns: '*id integer, create_uid integer, key varchar, value text, create_date timestamp',
    rows: [
      [1, 1, 'database.uuid', '5f0c7f8e-0b1c-11f1', at('2025-11-02')],
      [2, 1, 'web.base.url', 'https://pompes.example', at('2025-11-02')],
    ],
  },
  mail_message: tableOf(done, {
    '*id integer': ({ id }) => id + 9000,
    'parent_id integer': null,
    'res_id integer': ({ id }) => id,
    'author_id integer': 3,
    'subject varchar': null,
    'model varchar': 'account.move',
    'message_type varchar': 'notification',
    'email_from varchar': 'lena@pompes.example',
    'body text': '<p>Invoice validated</p>',
    'date timestamp': ({ date }) => at(date),
    ...written(({ date }: Invoice) => date),
  }),
};

/**
 * Odoo 17 with the columns of PostgreSQL: lines of goods, of tax, of what is owed and of text in one table with those of bills
 * and payments; taxes by a table between; names in JSON by language. Names from the published dictionary of the project.
 */
export const movesAndTaxes: Layout = {
  name: 'moves-and-taxes',
  isHeldOut: true,
  hasDiscounts: true,
  tables: { ...beside, ...goods, ...parties, ...books },
  sections: {
    header: {
      table: 'account_move',
      key: 'id',
      match: 'name',
      where: { move_type: 'out_invoice', state: 'posted' },
    },
    lines: {
      table: 'account_move_line',
      key: 'id',
      match: 'move_id',
      matchFrom: 'id',
      where: { display_type: 'product' },
    },
    customer: { table: 'res_partner', key: 'id', match: 'id', matchFrom: 'partner_id' },
  },
  fields: {
    number: 'account_move.name|account_move.payment_reference|account_move_line.move_name',
    issue_date:
      'account_move.invoice_date|account_move.date|account_move_line.invoice_date|account_move_line.date',
    due_date: 'account_move.invoice_date_due',
    'delivery.date': 'stock_picking.date_done',
    currency: 'res_currency.name',
    'exchange_rate.rate': 'res_currency_rate.rate!divide|sale_order.currency_rate!divide',
    purchase_order: 'account_move.ref|sale_order.client_order_ref|account_move_line.ref',
    buyer_reference: 'account_move.ref|sale_order.client_order_ref|account_move_line.ref',
    'notes[]': 'account_move.narration',
    'payment_terms[].note': 'account_payment_term.name|account_payment_term.note',
    'totals.net': 'account_move.amount_untaxed',
    'totals.lines': 'account_move.amount_untaxed',
    'totals.tax': 'account_move.amount_tax',
    'totals.gross': 'account_move.amount_total|account_move.amount_total_in_currency_signed',
    'totals.due': 'account_move.amount_total|account_move.amount_total_in_currency_signed',
    'seller.name': 'res_company.name|res_partner.name|res_partner.complete_name',
    'seller.trn': 'res_partner.vat',
    'seller.address.line1': 'res_partner.street|res_partner.contact_address_complete',
    'seller.address.city': 'res_partner.city',
    'seller.address.subdivision': 'res_country_state.code|res_country_state.name',
    'seller.address.country': 'res_country.code|res_country.name!map',
    'seller.contact.phone': 'res_company.phone|res_partner.phone',
    'buyer.name':
      'res_partner.name|res_partner.complete_name|res_partner.commercial_company_name|res_partner.company_name|account_move.invoice_partner_display_name',
    'buyer.trn': 'res_partner.vat',
    'PINT-MY:buyer.identifiers[].id': 'res_partner.vat',
    'buyer.address.line1': 'res_partner.street|res_partner.contact_address_complete',
    'buyer.address.city': 'res_partner.city',
    'buyer.address.post_code': 'res_partner.zip',
    'buyer.address.subdivision': 'res_country_state.code|res_country_state.name',
    'buyer.address.country': 'res_country.code|res_country.name!map',
    'buyer.contact.phone': 'res_partner.phone',
    'buyer.contact.email': 'res_partner.email|res_partner.email_normalized',
    'lines[].id': 'account_move_line.id|account_move_line.sequence',
    'lines[].sku': 'product_product.default_code|product_template.default_code',
    'lines[].name': 'account_move_line.name',
    'lines[].description': 'account_move_line.name',
    'lines[].qty': 'account_move_line.quantity',
    'lines[].unit': 'uom_uom.name!map|account_move_line.product_uom_id!map',
    'lines[].unit_price': 'account_move_line.price_unit',
    'lines[].gross_price': 'account_move_line.price_unit',
    'lines[].allowances[].percent': 'account_move_line.discount',
    'lines[].net': 'account_move_line.price_subtotal',
    'lines[].tax.rate': 'account_tax.amount',
    'lines[].tax.category':
      'account_tax.amount!map|account_tax.name!map|account_tax.invoice_label!map|account_tax.tax_group_id!map|' +
      'account_tax_group.name!map|account_move_line_account_tax_rel.account_tax_id!map',
  },
};
