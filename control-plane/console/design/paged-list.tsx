import type { ReactNode } from 'react';
import { type ListQuery, usePagedRows } from '../api/paging.ts';
import { Button } from './button.tsx';
import { useDesignTexts } from './design-texts.ts';
import { ProblemNote, Skeleton } from './page.tsx';
import { type Column, Table } from './table.tsx';

interface PagedListProps<Row> {
  readonly query: ListQuery<Row>;
  /** What the table lists, for readers of screens. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** What stands there when there are no rows. */
  readonly empty: ReactNode;
}

/**
 * A list of the API: its rows, the way to more, what went wrong, or that there is nothing. Once
 * somebody asked for more, further pages come as they scroll.
 */
export function PagedList<Row>({ query, label, columns, keyOf, empty }: PagedListProps<Row>) {
  const shared = useDesignTexts();
  const list = usePagedRows(query);
  const { rows, data, error, isPending, refetch, hasNextPage, more, isLoadingMore } = list;
  const mayLoad = hasNextPage && !isLoadingMore && error === null;
  const wasAsked = data !== undefined && data.pages.length > 1;
  return (
    <>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton lines={6} />}
      {data && rows.length === 0 && empty}
      {rows.length > 0 && (
        <Table
          label={label}
          columns={columns}
          rows={rows}
          keyOf={keyOf}
          hasMore={hasNextPage}
          onNearEnd={wasAsked && mayLoad ? more : undefined}
        />
      )}
      {hasNextPage && (
        <div>
          <Button isBusy={isLoadingMore} onClick={more}>
            {shared('more')}
          </Button>
        </div>
      )}
    </>
  );
}
