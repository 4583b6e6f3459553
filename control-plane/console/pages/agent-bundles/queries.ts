import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';

export type Bundle = components['schemas']['Bundle'];
export type CarriedBundle = components['schemas']['CarriedBundle'];

const path = (id: string) => ({ params: { path: { id } } });

export const bundlesQuery = (agent: string) =>
  queryOptions({
    queryKey: ['agents', agent, 'bundles'],
    queryFn: () => got(einvoicing.GET('/v1/agents/{id}/bundles', path(agent))),
  });

export const takeBundle = (agent: string, body: Bundle) =>
  got(einvoicing.POST('/v1/agents/{id}/bundles', { ...path(agent), body }));

/** The next bundle to the agent; `bundle_empty` when nothing waits. */
export const nextBundle = (agent: string) =>
  got(einvoicing.POST('/v1/agents/{id}/bundles/next', path(agent)));

/** A bundle to the agent again. */
export const bundleAgain = (agent: string, number: number) =>
  got(
    einvoicing.GET('/v1/agents/{id}/bundles/{number}', {
      params: { path: { id: agent, number } },
    }),
  );
