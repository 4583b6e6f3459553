import { useQueryClient } from '@tanstack/react-query';
import { useMappingPlace } from './mapping-place.ts';
import { type Mapping, ofMapping, previewQuery, type SentMapping, saveMapping } from './queries.ts';

/** Keeps a changed mapping; what was read of the one before is read again. */
export function useSaveMapping(): (version: number, mapping: SentMapping) => Promise<Mapping> {
  const queryClient = useQueryClient();
  const place = useMappingPlace();
  return async (version, mapping) => {
    const saved = (await saveMapping(place, version, mapping)) as Mapping;
    queryClient.removeQueries({ queryKey: previewQuery(place).queryKey });
    await queryClient.invalidateQueries(ofMapping(place));
    return saved;
  };
}
