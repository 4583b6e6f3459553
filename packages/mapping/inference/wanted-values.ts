import type { Profile } from '@drawbridge/profiles/contract.ts';
import { type TaxCategories, vatCategories } from '@drawbridge/profiles/tax-categories.ts';
import { stateLookup } from '../code-names.ts';

/** What of a profile a mapping is proposed for. */
export type WantedProfile = Pick<Profile, 'fields'> &
  Partial<Pick<Profile, 'company' | 'codeLists' | 'taxCategories'>>;

/** What a profile wants to know of a source. */
export interface WantedValues {
  /** Paths of its fields. */
  readonly paths: ReadonlySet<string>;
  readonly categories: TaxCategories;
  readonly categoryCodes: ReadonlySet<string>;
  /** The code of a state, by its name, where its documents name states by codes. */
  readonly stateOf: ((name: string) => string | undefined) | undefined;
}

export function wantedValuesOf({
  fields,
  company,
  codeLists,
  taxCategories = vatCategories,
}: WantedProfile): WantedValues {
  const countries = Object.values(company?.countries ?? {});
  const subdivisions = countries.length === 1 ? countries[0]!.subdivisions : undefined;
  return {
    paths: new Set(fields.map(({ path }) => path)),
    categories: taxCategories,
    categoryCodes:
      codeLists?.billing['tax-categories'] ?? new Set(Object.values(taxCategories.usualCodes)),
    stateOf: subdivisions && stateLookup(subdivisions),
  };
}
