import type { UseInfiniteQueryOptions } from '@tanstack/react-query';
import {
  type DefaultError,
  type InfiniteData,
  type QueryKey,
  useInfiniteQuery,
} from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ListPage } from '../api/paging.ts';
import { Button } from './button.tsx';
import { useDesignTexts } from './design-texts.ts';
import { ProblemNote, Skeleton } from './page.tsx';
import { type Column, Table } from './table.tsx';

interface PagedListProps<Row> {
  readonly query: UseInfiniteQueryOptions<
    ListPage<Row>,
    DefaultError,
    InfiniteData<ListPage<Row>>,
    QueryKey,
    string | undefined
  >;
  /** What the table lists, for readers of screens. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** What stands there when there are no rows. */
  readonly empty: ReactNode;
}

/** A list of the API: its rows, the way to more, what went wrong, or that there is nothing. */
export function PagedList<Row>({ query, label, columns, keyOf, empty }: PagedListProps<Row>) {
  const shared = useDesignTexts();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(query);
  const rows = data?.pages.flatMap(({ results }) => results) ?? [];
  return (
    <>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton lines={6} />}
      {data && rows.length === 0 && empty}
      {rows.length > 0 && <Table label={label} columns={columns} rows={rows} keyOf={keyOf} />}
      {hasNextPage && (
        <div>
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {shared('more')}
          </Button>
        </div>
      )}
    </>
  );
}
