import {
  type DefaultError,
  hashKey,
  type InfiniteData,
  infiniteQueryOptions,
  type QueryKey,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';

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

/** So many pages are asked for anew by themselves: each is a request. */
const refreshedPagesMax = 4;

/** Whether a list is asked for anew by itself. */
export const isShort = ({ state }: { readonly state: { readonly data?: unknown } }) => {
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

/**
 * The rows of all pages that are loaded, and `more`, which loads another one. `rows` is the same array until one of
 * them changes. A page that was asked for comes also when the list is loaded anew in the meantime.
 */
export function usePagedRows<Row>(query: ListQuery<Row>) {
  const answer = useInfiniteQuery(query);
  const { data, hasNextPage, isFetching, fetchNextPage } = answer;
  const rows = useMemo(() => data?.pages.flatMap(({ results }) => results) ?? [], [data]);
  const list = hashKey(query.queryKey);
  const pages = data?.pages.length ?? 0;
  const [asked, setAsked] = useState<{ readonly list: string; readonly pages: number }>();
  const isLoadingMore = hasNextPage && asked?.list === list && pages < asked.pages;
  useEffect(() => {
    if (!isLoadingMore || isFetching) return;
    // After a failure the person asks again.
    void fetchNextPage().then(({ isError }) => isError && setAsked(undefined));
  }, [isLoadingMore, isFetching, fetchNextPage]);
  return { ...answer, rows, more: () => setAsked({ list, pages: pages + 1 }), isLoadingMore };
}

const everyPagesMax = 50;

/** All rows of a list that people choose from or that a page shows as a whole, 200 with each request. */
export async function everyPage<Row>(
  fetchPage: (page: { readonly limit: number; readonly cursor?: string }) => Promise<ListPage<Row>>,
): Promise<{ readonly results: readonly Row[] }> {
  const results: Row[] = [];
  let page: ListPage<Row> | undefined;
  for (let count = 0; count < everyPagesMax && page?.next !== null; count += 1) {
    const cursor = page?.next;
    page = await fetchPage({ limit: 200, ...(cursor == null ? {} : { cursor }) });
    results.push(...page.results);
    if (page.next === undefined) break;
  }
  return { results };
}
