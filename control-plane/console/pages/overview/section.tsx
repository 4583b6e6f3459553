import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card, ProblemNote, Skeleton } from '../../design/page.tsx';

interface SectionProps<Data> {
  readonly title: string;
  // The options of each query have a key type of their own.
  // biome-ignore lint/suspicious/noExplicitAny: no other type takes every query
  readonly query: UseQueryOptions<Data, Error, Data, any>;
  readonly children: (data: Data) => ReactNode;
  /** Without it the section is always there; false: it is not, for there is nothing to do. */
  readonly isWanted?: (data: Data) => boolean;
}

/** One subject that is looked at by itself: that one fails does not hide the others. */
export function Section<Data>({ title, query, children, isWanted }: SectionProps<Data>) {
  const { data, error, refetch } = useQuery(query);
  if (isWanted && (data === undefined ? !error : !isWanted(data))) return null;
  return (
    <Card title={title}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? !error && <Skeleton /> : children(data)}
    </Card>
  );
}
