import type { Profile } from '@drawbridge/profiles/contract.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { Mapping, MappingField } from './mapping.ts';
import { transform } from './transform.ts';

/** What became of the values of a column that has to hold codes. */
export interface ValueMap {
  readonly target: string;
  readonly section: string;
  readonly column: string;
  readonly list: 'countries' | 'currencies' | 'units' | 'tax categories';
  /** Different values that were seen. */
  readonly values: number;
  readonly recognised: number;
  /** Those that no code was found for; a person says what they mean. */
  readonly unrecognised: readonly string[];
}

const unrecognisedMax = 50;
const valueLengthMax = 100;

/** Targets that hold codes, with what they are called and the profile's list. */
const kinds: readonly (readonly [RegExp, ValueMap['list'], string])[] = [
  [/address\.country$|origin_country$/, 'countries', 'countries'],
  [/^currency$/, 'currencies', 'currencies'],
  [/^lines\[\]\.unit$/, 'units', 'units'],
  [/tax\.category$/, 'tax categories', 'tax-categories'],
];

/**
 * Of each mapped column that must hold codes, which of its values in these documents are codes
 * after their transforms: "country: 21 values, 19 recognised; these two?"
 */
export function valueMaps(
  { fields }: Mapping,
  lists: Profile['codeLists']['billing'],
  documents: readonly SourceDocument[],
): readonly ValueMap[] {
  return fields.flatMap((field) => {
    const kind = kinds.find(([target]) => target.test(field.target));
    const codes = kind === undefined ? undefined : lists[kind[2]];
    if (kind === undefined || codes === undefined || field.from === undefined) return [];
    const { section, column } = field.from;
    const values = valuesOf(section, column, documents);
    if (values.length === 0) return [];
    const unrecognised = values.filter((value) => !isCode(value, field, codes));
    return [
      {
        target: field.target,
        section,
        column,
        list: kind[1],
        values: values.length,
        recognised: values.length - unrecognised.length,
        unrecognised: unrecognised
          .slice(0, unrecognisedMax)
          .map((value) => value.slice(0, valueLengthMax)),
      },
    ];
  });
}

function valuesOf(
  section: string,
  column: string,
  documents: readonly SourceDocument[],
): readonly string[] {
  const read = documents.flatMap(({ sections }) =>
    (sections[section] ?? []).map((row) => row.values[column] ?? ''),
  );
  return [...new Set(read.map((value) => value.trim()).filter((value) => value !== ''))];
}

function isCode(value: string, { transforms = [] }: MappingField, codes: ReadonlySet<string>) {
  const outcome = transform(value, transforms, () => undefined);
  return !('fault' in outcome) && outcome.value !== undefined && codes.has(outcome.value);
}

/** What a person is asked of the values that were not recognised. */
export function valueQuestion({ values, recognised, unrecognised }: ValueMap): string {
  const shown = unrecognised.slice(0, 5).map((value) => `"${value}"`);
  const more =
    unrecognised.length > shown.length ? `, and ${unrecognised.length - shown.length} more` : '';
  return `${values} values were seen, ${recognised} of them recognised: say what ${shown.join(', ')}${more} mean, with a value map.`;
}
