import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';

/** What a person says of a field. */
export type FieldChange =
  | {
      readonly kind: 'column';
      readonly target: string;
      readonly section: string;
      readonly column: string;
    }
  | { readonly kind: 'constant'; readonly target: string; readonly value: string }
  | { readonly kind: 'none'; readonly target: string }
  /** Its amounts have at most two decimals. */
  | { readonly kind: 'round'; readonly target: string }
  /** What values of its column mean. */
  | {
      readonly kind: 'values';
      readonly target: string;
      readonly values: Readonly<Record<string, string>>;
    };

/** The mapping with what a person said of it; what was said is no proposal any more. */
export function withChanges(mapping: Mapping, changes: readonly FieldChange[]): Mapping {
  const fields = changes.reduce(changed, mapping.fields);
  return { ...mapping, fields };
}

function changed(fields: Mapping['fields'], change: FieldChange): Mapping['fields'] {
  const { target } = change;
  const others = fields.filter((field) => field.target !== target);
  switch (change.kind) {
    case 'none':
      return others;
    case 'constant':
      return [...others, { target, value: change.value, status: 'proposed' }];
    case 'column':
      return [...others, fromColumn(fields, change)];
    case 'round':
      return fields.map((field) => (field.target === target ? rounded(field) : field));
    case 'values':
      return fields.map((field) => {
        return field.target === target ? withValues(field, change.values) : field;
      });
  }
}

/** The column that was proposed keeps the transforms that were found for it. */
function fromColumn(
  fields: Mapping['fields'],
  { target, section, column }: Extract<FieldChange, { kind: 'column' }>,
): MappingField {
  const proposed = fields.find((field) => field.target === target);
  const isSame = proposed?.from?.section === section && proposed.from.column === column;
  const transforms = isSame ? proposed.transforms : undefined;
  return {
    target,
    from: { section, column },
    ...(transforms !== undefined && { transforms }),
    status: 'proposed',
  };
}

function rounded(field: MappingField): MappingField {
  return { ...field, transforms: [...(field.transforms ?? []), { kind: 'round', places: 2 }] };
}

function withValues(field: MappingField, said: Readonly<Record<string, string>>): MappingField {
  const steps = field.transforms ?? [];
  const at = steps.findIndex(({ kind }) => kind === 'map');
  const known = steps[at];
  const values = { ...(known?.kind === 'map' ? known.values : {}), ...said };
  const step = known?.kind === 'map' ? { ...known, values } : ({ kind: 'map', values } as const);
  const transforms = at < 0 ? [...steps, step] : steps.with(at, step);
  return { ...field, transforms };
}
