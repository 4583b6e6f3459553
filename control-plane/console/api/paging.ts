import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';

/** A page of a list, as the APIs answer it. */
export interface ListPage<Row> {
  readonly results: readonly Row[];
  /** The cursor of the next page. */
  readonly next?: string | null;
}

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
  });
}
