/** One step of a path: a member's name or a position in an array, from 0. */
type Step = string | number;

/**
 * The part of JSONPath (RFC 9535) that names one place: `$`, `.name`, `['any name']` and `[0]`. Wildcards,
 * slices and filters name many places, or none, and are refused. Undefined for another text.
 */
export function parseJsonPath(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  const pattern = /\.([A-Za-z_][\w-]*)|\[(\d{1,6})\]|\['([^'\\]{1,200})'\]/y;
  if (!path.startsWith('$')) return undefined;
  for (let at = 1; at < path.length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const [found, name, position, quoted] = pattern.exec(path) ?? [];
    if (found === undefined) return undefined;
    steps.push(position === undefined ? (name ?? quoted ?? '') : Number(position));
  }
  return steps;
}

/** The value at a path of `parseJsonPath`, or undefined when there is none. */
export function valueAt(value: unknown, path: readonly Step[]): unknown {
  let at = value;
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<Step, unknown>>)[step];
  }
  return at;
}
