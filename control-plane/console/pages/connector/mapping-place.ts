import { getRouteApi } from '@tanstack/react-router';
import type { Place } from './queries.ts';

const route = getRouteApi('/signed-in/sources/$id');

/** The mapping that the address names. */
export function useMappingPlace(): Place {
  const { id } = route.useParams();
  const { profile } = route.useSearch();
  return { id, profile };
}
