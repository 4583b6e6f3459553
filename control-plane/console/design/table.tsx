import type { ReactNode } from 'react';
import styles from './table.module.css';

export interface Column<Row> {
  readonly name: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the end of their column. */
  readonly isAmount?: boolean;
}

interface TableProps<Row> {
  /** What the table lists, for readers of screens. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** Rows of one page of a list; on a narrow screen each row is a card. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.frame} tabIndex={0} aria-label={label}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ name, title, isAmount }) => (
              <th key={name} scope="col" className={isAmount ? styles.amount : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isAmount }) => (
                <td key={name} className={isAmount ? styles.amount : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
