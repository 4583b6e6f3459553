import { type CimObject, textOf } from '@drawbridge/cim/json.ts';
import type { Profile } from './contract.ts';
import { profiles } from './registry.ts';

/** The profile whose specification a document states, also in a later minor version; else undefined. */
export function statedProfile(cim: CimObject): Profile | undefined {
  const stated = textOf(cim.specification_id) ?? '';
  return specifications.find(([known]) => stated === known || stated.startsWith(`${known}.`))?.[1];
}

const specifications: readonly (readonly [specification: string, profile: Profile])[] =
  profiles.flatMap((profile) =>
    ['', 'selfbilling'].map((process) => {
      const { specification_id } = profile.complete({ business_process: process });
      return [textOf(specification_id) ?? '', profile] as const;
    }),
  );
