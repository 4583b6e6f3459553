import {
  type DefaultError,
  type InfiniteData,
  infiniteQueryOptions,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';

/** A page of a list, as the APIs answer it. */
export interface ListPage<Row> {
  readonly results: readonly Row[];
  /** The cursor of the next page. */
  readonly next?: string | null;
}

export type ListQuery<Row> = UseInfiniteQueryOptions<
  ListPage<Row>,
  DefaultError,
  InfiniteData<ListPage<Row>>,
  QueryKey,
  string | undefined
>;

/** A longer list is not asked for anew by itself: each of its pages is a request. */
const refreshedPagesMax = 4;

const isShort = ({ state }: { readonly state: { readonly data?: unknown } }) => {
  const data = state.data as InfiniteData<unknown> | undefined;
  return (data?.pages.length ?? 0) <= refreshedPagesMax;
};

/** The pages of a list, one after the other: `fetchPage` gets the query of each. */
export function pagesOf<Row>(
  queryKey: QueryKey,
  fetchPage: (page: { readonly cursor?: string }) => Promise<ListPage<Row>>,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: cursor }) => fetchPage(cursor === undefined ? {} : { cursor }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnMount: isShort,
    refetchOnWindowFocus: isShort,
    refetchOnReconnect: isShort,
  });
}

/** The rows of all pages that are loaded. `rows` is the same array until one of them changes. */
export function usePagedRows<Row>(query: ListQuery<Row>) {
  const answer = useInfiniteQuery(query);
  const { data } = answer;
  const rows = useMemo(() => data?.pages.flatMap(({ results }) => results) ?? [], [data]);
  return { ...answer, rows };
}
