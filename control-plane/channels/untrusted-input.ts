/**
 * Readers of hostile JSON and forms: each returns the value, or undefined when it has another type.
 */

export type JsonObject = Readonly<Record<string, unknown>>;

/** The most items read from one list in a webhook; providers send far fewer. */
const itemsMax = 5_000;
const textMax = 100_000;

export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** The member as an object; an empty object when it is not one, so that a path can be followed. */
export function within(value: JsonObject | undefined, name: string): JsonObject {
  return objectOf(value?.[name]) ?? {};
}

/** The objects of a list, at most 5,000; none when the value is not a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return [];
  const items = value.slice(0, itemsMax).map(objectOf);
  return items.filter((each) => each !== undefined);
}

/** A non-empty text, or a number as text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value !== '' ? storable(value.slice(0, textMax)) : undefined;
}

/** Removes what PostgreSQL cannot store: U+0000, and halves of surrogate pairs. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** An instant from seconds since 1970. */
export function secondsOf(value: unknown): Date | undefined {
  const seconds = numberOf(value);
  return seconds === undefined ? undefined : instantOf(seconds * 1_000);
}

/** An instant from ISO 8601 text or milliseconds. */
export function instantOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The bytes as a JSON object. */
export function jsonOf(body: string | Uint8Array): JsonObject | undefined {
  try {
    return objectOf(JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString()));
  } catch {
    return undefined; // not JSON: the caller decides what that means
  }
}

/** The fields of a form body, followed by those of the query. */
export function fieldsOf(url: string, body: Uint8Array): URLSearchParams {
  const fields = storableFields(new URLSearchParams(Buffer.from(body).toString()));
  for (const [name, value] of queryOf(url)) if (!fields.has(name)) fields.append(name, value);
  return fields;
}

/** The fields of an address; none when it is no address. */
function queryOf(url: string): URLSearchParams {
  return storableFields(URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams());
}

function storableFields(fields: URLSearchParams): URLSearchParams {
  const cleaned = new URLSearchParams();
  for (const [name, value] of fields) cleaned.append(name, storable(value));
  return cleaned;
}

/** The row of a table by a name from outside; the name may be one that every object inherits. */
export function rowOf<T>(table: Readonly<Record<string, T>>, name: string | undefined) {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The object without its undefined members, as exact optional properties require. */
export function given<T extends object>(
  members: T,
): { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as ReturnType<typeof given<T>>;
}
