import type { Field, MappedField, Mapping, SentMapping, Transform, ValueMap } from './queries.ts';

/** Where a field's value comes from: a column, or always the same. */
export type FieldSource = Pick<Field, 'from' | 'value' | 'transforms'>;

/** A mapping as it is sent back: what the API only shows is left out. */
export function sentOf({ fields, lists, joins }: Mapping): SentMapping {
  return {
    ...(lists && { lists: lists as SentMapping['lists'] & {} }),
    ...(joins && { joins: joins as SentMapping['joins'] & {} }),
    fields: fields.map(({ sample: _, ...field }) => field),
  };
}

/** The mapping with another source for a target, as a proposal; without one the field goes. */
export function withField(
  mapping: Mapping,
  target: string,
  source: FieldSource | undefined,
): SentMapping {
  const sent = sentOf(mapping);
  const changed: Field[] =
    source === undefined ? [] : [{ target, ...withoutNothing(source), status: 'proposed' }];
  const at = sent.fields.findIndex((field) => field.target === target);
  const fields = at < 0 ? [...sent.fields, ...changed] : sent.fields.toSpliced(at, 1, ...changed);
  return { ...sent, fields };
}

/** What the API does not take: no transforms as an empty list, and members of undefined. */
function withoutNothing({ from, value, transforms = [] }: FieldSource): FieldSource {
  const steps = transforms.length === 0 ? {} : { transforms };
  return from === undefined ? { value: value ?? '', ...steps } : { from, ...steps };
}

/** The field's source, with what the values mean that were not recognised. */
export function withMeanings(
  { from, transforms = [] }: MappedField,
  meanings: Readonly<Record<string, string>>,
): FieldSource {
  const last = transforms.findLastIndex(({ kind }) => kind === 'map');
  const held = transforms[last];
  const before = held?.kind === 'map' ? held : undefined;
  const step: Transform = {
    // Without a map so far, the other values are codes already.
    ...(before ?? { kind: 'map', unmapped: 'keep' }),
    values: { ...before?.values, ...meanings },
  };
  const steps = before === undefined ? [...transforms, step] : transforms.toSpliced(last, 1, step);
  return { ...(from && { from }), transforms: steps };
}

/** The field that a value map is of. */
export const fieldOf = ({ fields }: Mapping, { target, section, column }: ValueMap) =>
  fields.find(
    ({ from, ...field }) =>
      field.target === target && from?.section === section && from.column === column,
  );
