import { queryOptions } from '@tanstack/react-query';
import type { OpenApi } from './openapi.ts';

const contracts = { einvoicing: '/v1/openapi.json', messaging: '/openapi.json' } as const;
export type Contract = keyof typeof contracts;

/** The description of an API, as this address serves it to everybody. */
export const contractQuery = (contract: Contract) =>
  queryOptions({
    queryKey: ['openapi', contract],
    queryFn: async () => {
      const answer = await fetch(contracts[contract]);
      if (!answer.ok) throw new TypeError(`${contracts[contract]} answered ${answer.status}`);
      return (await answer.json()) as OpenApi;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
