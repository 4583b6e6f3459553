import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  Fragment,
  memo,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import styles from './table.module.css';
import { useIsPrinting } from './use-is-printing.ts';

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
  /** For columns of numbers, which say nothing without their titles: on a narrow screen they stay. */
  readonly keepsColumns?: boolean;
  /** There are rows that are not loaded yet. */
  readonly hasMore?: boolean;
  /** Called when the last rows of a long table come into view. */
  readonly onNearEnd?: (() => void) | undefined;
}

/** Tables with more rows keep only those in the page that are seen. */
const wholeRowsMax = 60;
/** Rows come and go by so many: to know where 100,000 stand one by one takes too long. */
const blockRows = 10;
const nearEndBlocks = 2;
/** The height of most blocks in px, until they are measured. */
const blockPx = blockRows * 48;

/**
 * Rows that scroll with the page; on a narrow screen each row is a card, which names what is in
 * it, unless it keeps its columns. Of a long table only what is seen is in the page, with the rows
 * beside the focus; on paper all rows are.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, keyOf, keepsColumns = false, hasMore = false, onNearEnd } = props;
  const isPrinting = useIsPrinting();
  const isLong = rows.length > wholeRowsMax && !isPrinting;
  const frame = useRef<HTMLElement>(null);
  const head = useRef<HTMLTableSectionElement>(null);
  const widths = useSettledWidths(frame, isLong);
  const top = useBottomOf(head, isLong);
  const blocks = Math.ceil(rows.length / blockRows);
  const list = useWindowVirtualizer({
    count: blocks,
    enabled: isLong,
    estimateSize: () => blockPx,
    overscan: 1,
    rangeExtractor: useCallback((range: Range) => withFocused(range, frame.current), []),
    scrollMargin: top,
  });
  const seen = isLong
    ? list.getVirtualItems()
    : Array.from({ length: blocks }, (_, index) => ({ index, start: top, end: top }));
  const isNearEnd = (seen.at(-1)?.index ?? 0) >= blocks - nearEndBlocks;
  useEffect(() => {
    if (isLong && isNearEnd) onNearEnd?.();
  }, [isLong, isNearEnd, onNearEnd]);

  const end = isLong ? top + list.getTotalSize() : top;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.frame} tabIndex={0} aria-label={label} ref={frame}>
      <table
        className={`${styles.table} ${keepsColumns ? '' : styles.cards} ${widths ? styles.settled : ''}`}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
      >
        {widths && (
          <colgroup>
            {columns.map(({ name }, at) => (
              <col key={name} style={{ width: widths[at] }} />
            ))}
          </colgroup>
        )}
        <thead ref={head}>
          <tr aria-rowindex={1}>
            {columns.map(({ name, title, isAmount }) => (
              <th key={name} scope="col" className={isAmount ? styles.amount : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {seen.map(({ index, start }, nth) => (
          <Fragment key={index}>
            <Gap px={start - (seen[nth - 1]?.end ?? top)} columns={columns.length} />
            <Block
              ref={isLong ? list.measureElement : undefined}
              rows={rows}
              at={index}
              columns={columns}
              keyOf={keyOf}
            />
          </Fragment>
        ))}
        <Gap px={end - (seen.at(-1)?.end ?? top)} columns={columns.length} />
      </table>
    </section>
  );
}

interface BlockProps<Row> {
  readonly rows: readonly Row[];
  /** Which of the blocks it is, from 0. */
  readonly at: number;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly ref: Ref<HTMLTableSectionElement> | undefined;
}

/** Some rows that stand together. While the page scrolls, what stays is not drawn again. */
const Block = memo(function Block<Row>({ rows, at, columns, keyOf, ref }: BlockProps<Row>) {
  const first = at * blockRows;
  return (
    <tbody ref={ref} data-index={at}>
      {rows.slice(first, first + blockRows).map((row, nth) => (
        <tr key={keyOf(row)} aria-rowindex={first + nth + 2}>
          {columns.map(({ name, title, cell, isAmount }) => (
            <td
              key={name}
              className={isAmount ? styles.amount : undefined}
              data-title={typeof title === 'string' && name !== 'actions' ? title : undefined}
            >
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}) as <Row>(props: BlockProps<Row>) => ReactNode;

/** The room of rows that are not in the page. */
function Gap({ px, columns }: { px: number; columns: number }) {
  if (px <= 0) return null;
  return (
    <tbody aria-hidden="true" className={styles.gap}>
      <tr>
        <td colSpan={columns} style={{ height: px }} />
      </tr>
    </tbody>
  );
}

/**
 * The blocks that are seen, and the one that has the focus with its neighbours: it would be lost
 * with its row, and the Tab key goes on from there.
 */
function withFocused(range: Range, frame: HTMLElement | null): number[] {
  const seen = defaultRangeExtractor(range);
  const block = frame?.contains(document.activeElement)
    ? document.activeElement?.closest('tbody')
    : undefined;
  if (!block) return seen;
  const at = Number(block.dataset.index);
  const near = [at - 1, at, at + 1].filter((each) => each >= 0 && each < range.count);
  return [...new Set([...seen, ...near])].sort((a, b) => a - b);
}

/** Where an element ends, in px from the top of the document. */
function useBottomOf(element: { readonly current: HTMLElement | null }, isWanted: boolean): number {
  const [bottom, setBottom] = useState(0);
  useLayoutEffect(() => {
    if (!isWanted) return;
    const now = element.current!.getBoundingClientRect().bottom + window.scrollY;
    // Parts of a pixel differ with each position of the page.
    if (Math.abs(now - bottom) > 1) setBottom(now);
  });
  return bottom;
}

/**
 * Widths of columns in px, as the first rows of a long table made them: each row that comes would
 * move them otherwise. Measured anew when the room changes.
 */
function useSettledWidths(frame: { readonly current: HTMLElement | null }, isLong: boolean) {
  const [widths, setWidths] = useState<readonly number[]>();
  useLayoutEffect(() => {
    if (!isLong || widths !== undefined) return;
    const heads = [...frame.current!.querySelectorAll('th')];
    setWidths(heads.map((each) => each.getBoundingClientRect().width));
  }, [frame, isLong, widths]);
  useEffect(() => {
    if (!isLong) return;
    let known: number | undefined;
    const watching = new ResizeObserver(([entry]) => {
      const { width } = entry!.contentRect;
      if (known !== undefined && known !== width) setWidths(undefined);
      known = width;
    });
    watching.observe(frame.current!);
    return () => watching.disconnect();
  }, [frame, isLong]);
  return isLong ? widths : undefined;
}
