import type { SampleErp } from '../erp-folder.ts';
import type { Truth } from '../score.ts';

export type Cell = string | number | null;

/** A table of a layout: its columns with their types, and its rows. */
export interface LayoutTable {
  /** `name type`, separated by commas; the columns of the primary key begin with `*`. */
  readonly columns: string;
  readonly rows: readonly (readonly Cell[])[];
  /** Declared foreign keys: column → `table.column`. */
  readonly foreign?: Readonly<Record<string, string>>;
}

/** How an ERP keeps the trade. */
export interface Layout {
  readonly name: string;
  /** Not looked at while the proposals were tuned; first figures of those that were stand in docs/performance.md. */
  readonly isHeldOut: boolean;
  readonly tables: Readonly<Record<string, LayoutTable>>;
  readonly sections: Truth['sections'];
  /** Target → columns that hold it, separated by `|`; `column!map,multiply` where a form is needed. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether line discounts have to be right for sums to be. */
  readonly hasDiscounts?: boolean;
  /** A price after discount, with which sums are right without one. */
  readonly netPrice?: string;
}

const always =
  'business_process specification_id issue_time type_code transaction_type lines[].base_qty';
const sums = 'totals.lines totals.net lines[].net';
const taxed =
  'totals.tax totals.gross totals.due tax_breakdown[].amount tax_breakdown[].taxable lines[].accounting.amount ' +
  'lines[].accounting.tax_totals[].amount';

const profiles = ['BIS-3.0', 'PINT-AE', 'PINT-MY'];

/** The layout as a sample ERP. */
export function erpOf(layout: Layout): SampleErp {
  const tables = Object.entries(layout.tables).map(([table, { columns, foreign = {} }]) => {
    const named = columns.split(/,\s*/).map((text) => {
      const isKey = text.startsWith('*');
      const [, column = '', type = 'text'] = /^\*?("[^"]+"|\S+)(?:\s+(.+))?$/.exec(text) ?? [];
      return { column: column.replaceAll('"', ''), type, nullable: true, isKey };
    });
    return {
      table,
      columns: named,
      primary_key: named.filter(({ isKey }) => isKey).map(({ column }) => column),
      foreign_keys: Object.entries(foreign).map(([column, to]) => ({
        columns: [column],
        references: to.slice(0, to.lastIndexOf('.')),
        referenced_columns: [to.slice(to.lastIndexOf('.') + 1)],
      })),
    };
  });
  return {
    name: layout.name,
    tables,
    truth: { profiles, sections: layout.sections, fields: fieldsOf(layout) },
    rows: (table) =>
      layout.tables[table]!.rows.map((row) =>
        row.map((cell) => (cell === null ? null : String(cell))),
      ),
  };
}

function fieldsOf({ fields, hasDiscounts = false, netPrice }: Layout): Truth['fields'] {
  const discounts = hasDiscounts
    ? [['lines[].allowances[].percent'], ['lines[].allowances[].amount']]
    : [[]];
  const products = [
    ...discounts.map((discount) => ['lines[].qty', 'lines[].unit_price', ...discount]),
    ...(netPrice === undefined ? [] : [['lines[].qty', `lines[].unit_price=${netPrice}`]]),
  ];
  const fillAny = (needs: readonly (readonly string[])[]) => ({ fill: { needs_any: needs } });
  const fill = (needs: readonly string[]) => fillAny([needs]);
  const made: Record<string, object> = {
    'buyer.tax_registrations[].scheme': fill(['buyer.trn']),
    'PINT-AE:buyer.endpoint': fill(['buyer.trn']),
    'PINT-AE:buyer.endpoint_scheme': fill(['buyer.trn']),
    'PINT-MY:buyer.identifiers[].id': fill(['buyer.trn']),
    'PINT-MY:buyer.endpoint_scheme': { constant: '0230' },
    'lines[].id': fill([]),
    'lines[].unit': fill([]),
    'lines[].gross_price': fill(['lines[].unit_price']),
    'lines[].name': fill(['lines[].description']),
    'lines[].description': fill(['lines[].name']),
    'tax_breakdown[].category': fill(['lines[].tax.category']),
    'tax_breakdown[].rate': fill(['lines[].tax.rate']),
    'lines[].tax.category': { constant: true },
    'lines[].tax.rate': { constant: true },
  };
  for (const target of always.split(' ')) made[target] = fill([]);
  const taxes = ['lines[].tax.category', 'lines[].tax.rate'];
  for (const target of sums.split(' ')) made[target] = fillAny(products);
  for (const target of taxed.split(' ')) {
    made[target] = fillAny(products.map((amounts) => [...amounts, ...taxes]));
  }
  for (const [target, columns] of Object.entries(fields)) {
    const known = columns.split('|').map((text) => {
      const [column = '', forms] = text.split('!');
      return forms === undefined
        ? { column }
        : { column, form: { any: forms.split(','), why: 'its form' } };
    });
    made[target] = { ...made[target], columns: known };
  }
  const others = `seller.name seller.endpoint seller.endpoint_scheme seller.trn seller.tin seller.registration_id
    seller.registration_type seller.address.line1 seller.address.city seller.address.subdivision
    seller.address.country seller.contact.phone seller.industry_code seller.industry_name buyer.endpoint
    buyer.endpoint_scheme buyer.registration_id buyer.name buyer.address.line1 buyer.address.city
    buyer.address.subdivision buyer.address.country buyer.address.post_code buyer.contact.phone buyer.contact.email
    buyer.contact.name buyer.trn currency due_date
    exchange_rate.rate payment_means[].code payment_terms[].note purchase_order buyer_reference notes[]
    lines[].classifications[].code lines[].qty lines[].sku lines[].allowances[].percent lines[].allowances[].amount`;
  for (const target of others.split(/\s+/)) made[target] ??= { constant: true };
  return made as Truth['fields'];
}
