/** A table and what its rows hold. */
export interface LaidOutTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly LaidOutColumn[];
  /** The primary key and unique ones; empty for a table without a key. */
  readonly keys: readonly (readonly string[])[];
}

interface LaidOutColumn {
  readonly name: string;
  readonly holds: keyof TypeNames;
  /** SQL over `n`, the number of the row from 0; of a day: how many days it is after 2020-01-01. */
  readonly value: string;
}

/** How a database calls the types. */
interface TypeNames {
  readonly integer: string;
  /** A whole number that is kept as a decimal, as keys are in databases that came from others. */
  readonly wholeDecimal: string;
  readonly amount: string;
  readonly text: string;
  readonly day: string;
}

/** What differs in the SQL of a database that makes such tables. */
export interface TableSql {
  readonly types: TypeNames;
  /** The day that is `days` after 2020-01-01. */
  day(days: string): string;
  /** An INSERT that takes `select`, SQL over `n`, for each `n` below `count`. */
  insert(table: string, select: string, count: number): string;
}

const tablesInAll = 200;
const smallRows = 50;
const linesOfInvoice = 3;
const customers = 500;
const products = 300;
const isLargeFrom = 10_000;

/**
 * 200 tables with about `rows` rows in all: invoices with their lines (four fifths of the rows), a table with
 * a decimal key, one without a key, and small ones, of which some point at rows of the large ones.
 */
export function tablesOf(rows: number): readonly LaidOutTable[] {
  const invoices = Math.round(rows / 5);
  const movements = Math.round(rows / 10);
  const named: readonly LaidOutTable[] = [
    laidOut('sales_invoice', invoices, [['id'], ['number']], {
      id: ['integer', 'n + 1'],
      number: ['text', `'INV-' || (n + 1)`],
      invoice_date: ['day', 'n % 2000'],
      due_date: ['day', 'n % 2000 + 30'],
      customer_id: ['integer', `n % ${customers} + 1`],
      currency: ['text', `'AED'`],
      tax_amount: ['amount', 'n % 900 * 0.05'],
      total_amount: ['amount', 'n % 900 * 1.05'],
    }),
    laidOut('sales_invoice_line', invoices * linesOfInvoice, [['invoice_id', 'position']], {
      invoice_id: ['integer', `(n - n % ${linesOfInvoice}) / ${linesOfInvoice} + 1`],
      position: ['integer', `n % ${linesOfInvoice} + 1`],
      product_id: ['integer', `n % ${products} + 1`],
      description: ['text', `'Article ' || (n % ${products} + 1)`],
      quantity: ['amount', 'n % 9 + 1'],
      unit_price: ['amount', 'n % 300 + 0.5'],
      line_amount: ['amount', '(n % 300 + 0.5) * (n % 9 + 1)'],
    }),
    laidOut('stock_movement', movements, [['movement_no']], {
      movement_no: ['wholeDecimal', 'n + 1'],
      product_id: ['integer', `n % ${products} + 1`],
      moved_on: ['day', 'n % 2000'],
      quantity: ['amount', 'n % 40 - 20'],
    }),
    laidOut('journal', movements, [], {
      posted_on: ['day', 'n % 2000'],
      account: ['text', `'4' || (n % 700)`],
      amount: ['amount', 'n % 900 - 450'],
      remark: ['text', `'Posting ' || n`],
    }),
    laidOut('customer', customers, [['id']], {
      id: ['integer', 'n + 1'],
      name: ['text', `'Firm ' || (n + 1)`],
      city: ['text', `'Town ' || (n % 20)`],
      country: ['text', `'AE'`],
      phone: ['text', `'+971 4 ' || (1000000 + n)`],
    }),
    laidOut('product', products, [['id']], {
      id: ['integer', 'n + 1'],
      code: ['text', `'P-' || (1000 + n)`],
      name: ['text', `'Article ' || (n + 1)`],
      unit: ['text', `'EA'`],
    }),
  ];
  const small = Array.from({ length: tablesInAll - named.length }, (_, index) =>
    laidOut(`module_${index + 1}`, smallRows, [['id']], {
      id: ['integer', 'n + 1'],
      code: ['text', `'M' || (n + 1)`],
      name: ['text', `'Entry ' || (n + 1)`],
      created_on: ['day', 'n'],
      customer_id: ['integer', `n % ${customers} + 1`],
      amount: ['amount', 'n * 1.5'],
      ...(index % 5 === 0 ? pointers(index, invoices, movements) : {}),
    }),
  );
  return [...named, ...small];
}

/** Columns whose values stand anywhere in the large tables. */
function pointers(index: number, invoices: number, movements: number): Columns {
  const spread = `(n + ${index}) * 7919`;
  return {
    sales_invoice_id: ['integer', `${spread} % ${invoices} + 1`],
    movement_no: ['integer', `${spread} % ${movements} + 1`],
  };
}

type Columns = Readonly<Record<string, readonly [holds: keyof TypeNames, value: string]>>;

function laidOut(
  name: string,
  rows: number,
  keys: readonly (readonly string[])[],
  columns: Columns,
): LaidOutTable {
  const list = Object.entries(columns).map(([column, [holds, value]]) => ({
    name: column,
    holds,
    value,
  }));
  return { name, rows, keys, columns: list };
}

/** Tables of which no discovery may read more than a sample. */
export function largeTables(tables: readonly LaidOutTable[]): readonly LaidOutTable[] {
  return tables.filter(({ rows }) => rows >= isLargeFrom);
}

/** The statements that make a table with its rows. */
export function statementsOf(
  { name, rows, columns, keys }: LaidOutTable,
  { types, day, insert }: TableSql,
): readonly string[] {
  const list = columns.map((column) => `${column.name} ${types[column.holds]}`);
  const keyed = keys.map((key, index) => {
    return `${index === 0 ? 'primary key' : 'unique'} (${key.join(', ')})`;
  });
  const values = columns.map(({ holds, value }) => (holds === 'day' ? day(value) : value));
  return [
    `create table ${name} (${[...list, ...keyed].join(', ')})`,
    insert(name, values.join(', '), rows),
  ];
}

/** Of the large tables the one of which the largest share was read, by how many rows of each were read. */
export function mostRead(
  tables: readonly LaidOutTable[],
  rowsRead: ReadonlyMap<string, number>,
): { readonly share: number; readonly of: string } {
  const shares = largeTables(tables).map(({ name, rows }) => ({
    share: (rowsRead.get(name) ?? 0) / rows,
    of: `the rows of ${name}`,
  }));
  return shares.reduce((most, one) => (one.share > most.share ? one : most));
}
