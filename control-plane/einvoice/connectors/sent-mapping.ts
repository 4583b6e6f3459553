import { mappingSchema } from '@drawbridge/mapping/mapping.ts';
import { z } from 'zod';

/** A mapping whose fields may have the sample that a read shows beside them, so that it can be sent back. */
export const sentMapping = z.preprocess(withoutSamples, mappingSchema);

function withoutSamples(mapping: unknown): unknown {
  const { fields } = (mapping ?? {}) as { readonly fields?: unknown };
  if (!Array.isArray(fields)) return mapping;
  return { ...(mapping as object), fields: fields.map(withoutSample) };
}

function withoutSample(field: unknown): unknown {
  if (typeof field !== 'object' || field === null || Array.isArray(field)) return field;
  const { sample: _, ...plain } = field as { readonly sample?: unknown };
  return plain;
}
