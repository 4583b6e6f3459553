/** A JSON object from the network. */
export type Json = Readonly<Record<string, unknown>>;

/** The objects of a list; none where there is no list. */
export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}
