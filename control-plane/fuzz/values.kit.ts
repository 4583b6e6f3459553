/** Values that a JSON Schema allows, and values that have broken services before. */
import fc from 'fast-check';

/** A number in [0, 1), the same in every run of a seed. */
export type Random = () => number;

export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly examples?: readonly unknown[];
}

const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'prototype', 'valueOf'];

const texts = {
  names,
  characters: [
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff x',
    '\ufeff',
    '\u202e',
    'e\u0301',
    'ﬀ',
    'İ',
    '👩‍👩‍👧',
  ],
  days: [
    '0000-01-01',
    '0000-12-31',
    '0001-01-01',
    '9999-12-31',
    '2026-02-30',
    '2026-13-01',
    '275760-09-13',
  ],
  instants: [
    '0000-01-01T00:00:00Z',
    '0000-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59.999999999Z',
    '9999-12-31T23:59:59-14:00',
    '-000001-01-01T00:00:00Z',
    '+275760-09-13T00:00:00.001Z',
    '1969-12-31T23:59:59Z',
    '2026-06-30T23:59:60Z',
    '2026-01-01T24:00:00Z',
  ],
  times: ['24:00', '25:61', 'Europe/Nowhere', 'Etc/GMT+99', 'UTC', 'xx', 'und'],
  numbers: [
    '-1',
    '0',
    '-0',
    'NaN',
    'Infinity',
    '0x10',
    '1_000',
    '٣',
    '1,5',
    '.5',
    '5.',
    '+5',
    '1e5',
  ],
  large: [
    '2147483648',
    '9223372036854775807',
    '9223372036854775808',
    '99999999999999999999.99',
    '1.0000000000000000000000001',
    '1e400',
    '1e-400',
    '9'.repeat(400),
  ],
  quotes: [
    '%',
    '_',
    '%00',
    '%ff',
    '\\',
    "'",
    '"',
    '`',
    ';',
    '--',
    '/*',
    '$1',
    '{{x}}',
    '{{constructor}}',
    '{{__proto__}}',
    '{{',
    '}}',
  ],
  patterns: [
    '(',
    '[',
    '(?<x',
    '*',
    '+',
    '\\1',
    '((((a*)*)*)*)*b',
    '../../etc/passwd',
    '/',
    '\r\n',
    '\n',
  ],
  urls: [
    'http://',
    'https://[::1',
    'https://a:99999/',
    'https://%00/',
    'javascript:alert(1)',
    'file:///x',
  ],
  people: ['a@b', 'a@b.c', '@', `${'a'.repeat(320)}@example.com`, '+0', '+1', `+${'9'.repeat(40)}`],
  cursors: ['eyJ9', 'bnVsbA==', 'WzFd', 'IiI=', 'e30=', '===', 'null', 'true', '[]', '{}'],
  long: ['a'.repeat(5_000), '\ud83d'.repeat(300), '🎉'.repeat(999), '[object Object]'],
};
const hostileTexts: readonly string[] = Object.values(texts).flat();

const hostileNumbers: readonly number[] = [
  0,
  -0,
  -1,
  1.5,
  0.1,
  1e-320,
  1e308,
  -1e308,
  32_767,
  32_768,
  2_147_483_647,
  2_147_483_648,
  1e21,
  -2_147_483_649,
  4_294_967_296,
  99_999_999_999,
  2 ** 53,
  2 ** 53 + 2,
  2 ** 63,
  8.64e15,
  8.64e15 + 1,
];

const holding = (name: string) => JSON.parse(`[{"${name}":"a"},{"${name}":{"${name}":1}}]`);
const hostileOthers: readonly unknown[] = [
  null,
  true,
  [],
  {},
  [[]],
  [null],
  { '': '' },
  ['constructor'],
  7,
  JSON.parse('['.repeat(60) + ']'.repeat(60)),
  JSON.parse(`${'{"a":'.repeat(60)}1${'}'.repeat(60)}`),
].concat(names.flatMap(holding));

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}

/** A text that has broken services before. */
export function hostileText(random: Random): string {
  return pick(random, hostileTexts);
}

function hostile(random: Random): unknown {
  const roll = random();
  if (roll < 0.5) return hostileText(random);
  return roll < 0.75 ? pick(random, hostileNumbers) : pick(random, hostileOthers);
}

/** Values seen in answers, by the name of their field. */
export interface Seen {
  value(name: string, random: Random): unknown;
}

/** Values of schemas; most are valid, and some of those have one place that is not. */
export class Values {
  readonly #random: Random;
  readonly #seen: Seen;
  readonly #patterns = new Map<string, readonly string[]>();

  constructor(random: Random, seen: Seen) {
    this.#random = random;
    this.#seen = seen;
  }

  /** A value of the schema, or more often one of the examples, changed in so many places. */
  value(schema: Schema, name: string, changes: number, examples: readonly unknown[] = []): unknown {
    const isExample = examples.length > 0 && this.#random() < 0.75;
    let value = isExample
      ? this.#filled(pick(this.#random, examples))
      : this.#valid(schema, schema, name, 0);
    for (let made = 0; made < changes; made += 1) value = this.#changed(value);
    return value;
  }

  /** The example with numbers of its own and values seen. */
  #filled(example: unknown): unknown {
    const text = JSON.stringify(example)
      .replaceAll('#', () => String(Math.floor(1_000 + this.#random() * 8_999)))
      .replaceAll(/"\$([\w/.-]+)"/g, (_, name: string) =>
        JSON.stringify(this.#seen.value(name, this.#random) ?? name),
      );
    return JSON.parse(text) as unknown;
  }

  #valid(schema: Schema, root: Schema, name: string, depth: number): unknown {
    const random = this.#random;
    if (schema.$ref !== undefined) return this.#valid(at(root, schema.$ref), root, name, depth);
    if ('const' in schema) return schema.const;
    if (schema.enum) return pick(random, schema.enum);
    const either = schema.anyOf ?? schema.oneOf;
    if (either) {
      // Deep down the simplest, or a schema that contains itself would never end.
      const chosen = depth > 6 ? either.at(-1)! : pick(random, either);
      return this.#valid(chosen, root, name, depth + 1);
    }
    if (schema.allOf) {
      const parts = schema.allOf.map((part) => this.#valid(part, root, name, depth + 1));
      return parts.every((part) => typeof part === 'object')
        ? Object.assign({}, ...parts)
        : parts[0];
    }
    switch (schema.type) {
      case 'object':
        return this.#object(schema, root, depth);
      case 'array':
        return this.#array(schema, root, name, depth);
      case 'integer':
      case 'number':
        return this.#number(schema);
      case 'boolean':
        return random() < 0.5;
      case 'null':
        return null;
      case 'string':
        return this.#text(schema, name);
      default:
        return hostile(random);
    }
  }

  #object(schema: Schema, root: Schema, depth: number): unknown {
    const random = this.#random;
    const { properties = {}, required = [], additionalProperties: more } = schema;
    const value: Record<string, unknown> = {};
    for (const [key, of] of Object.entries(properties)) {
      const share = depth > 6 ? 0 : 0.4;
      if (required.includes(key) || random() < share)
        set(value, key, this.#valid(of, root, key, depth + 1));
    }
    for (
      let count = typeof more === 'object' ? pick(random, [0, 1, 2]) : 0;
      count > 0;
      count -= 1
    ) {
      const key = random() < 0.5 ? pick(random, names) : `k${count}`;
      set(value, key, this.#valid(more as Schema, root, key, depth + 1));
    }
    return value;
  }

  #array(schema: Schema, root: Schema, name: string, depth: number): unknown[] {
    const { prefixItems, items = {}, minItems = 0 } = schema;
    if (prefixItems) return prefixItems.map((item) => this.#valid(item, root, name, depth + 1));
    const count = Math.max(minItems, depth > 6 ? 0 : pick(this.#random, [0, 1, 1, 2, 5]));
    return Array.from({ length: Math.min(count, 50) }, () =>
      this.#valid(items, root, name, depth + 1),
    );
  }

  #number({ minimum = -1_000, maximum = 1_000, type }: Schema): number {
    const random = this.#random;
    const value = pick(random, [minimum, maximum, minimum + random() * (maximum - minimum)]);
    return type === 'integer' ? Math.round(value) : value;
  }

  #text(schema: Schema, name: string): string {
    const random = this.#random;
    const roll = random();
    const seen = roll < 0.5 ? this.#seen.value(name, random) : undefined;
    if (typeof seen === 'string') return seen;
    const { format, pattern, minLength = 0, maxLength = 40 } = schema;
    const isFree = format === undefined && pattern === undefined;
    if (roll < (isFree ? 0.6 : 0.51)) return hostileText(random);
    if (schema.examples?.length) return String(pick(random, schema.examples));
    switch (format) {
      case 'date-time':
        return pick(random, [
          '2026-03-01T08:00:00Z',
          '2027-01-01T00:00:00.123Z',
          '0001-01-01T00:00:00Z',
          '0000-01-01T00:00:00Z',
          '9999-12-31T23:59:59Z',
        ]);
      case 'date':
        return pick(random, ['2026-03-01', '0000-01-01', '0001-01-01', '9999-12-31', '2024-02-29']);
      case 'uuid':
        return '01890a5d-ac96-774b-bcce-b302099a8057';
      case 'email':
        return `u${Math.floor(random() * 1e6)}@example.com`;
      case 'uri':
        return 'https://example.com/';
      default:
    }
    if (pattern !== undefined) return pick(random, this.#matching(pattern));
    if (/phone|^to$|^from/.test(name)) return `+6012${Math.floor(1e6 + random() * 9e6)}`;
    const text = `${name} ${Math.floor(random() * 1e6)}`;
    return text.padEnd(minLength, 'x').slice(0, Math.max(maxLength, minLength));
  }

  #matching(pattern: string): readonly string[] {
    const known = this.#patterns.get(pattern);
    if (known !== undefined) return known;
    const made = samples(pattern, Math.floor(this.#random() * 1e9));
    this.#patterns.set(pattern, made);
    return made;
  }

  /** The value with something hostile at one place in it. */
  #changed(value: unknown): unknown {
    const random = this.#random;
    if (typeof value !== 'object' || value === null || random() < 0.15) return hostile(random);
    if (Array.isArray(value)) {
      if (value.length === 0 || random() < 0.1) return [...value, hostile(random)];
      const place = Math.floor(random() * value.length);
      return value.map((item, n) => (n === place ? this.#changed(item) : item));
    }
    const keys = Object.keys(value);
    const copy: Record<string, unknown> = {};
    const roll = random();
    const place = pick(random, keys);
    for (const key of keys) {
      const held = (value as Record<string, unknown>)[key];
      if (key === place && roll < 0.1) continue; // left out
      set(copy, key, key === place && roll < 0.85 ? this.#changed(held) : held);
    }
    if (roll >= 0.85 || keys.length === 0) set(copy, hostileText(random), hostile(random));
    return copy;
  }
}

/** Also `__proto__` becomes a member of its own. */
function set(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function at(root: Schema, reference: string): Schema {
  const name = reference.replace('#/$defs/', '');
  return reference === '#' ? root : (root.$defs?.[name] ?? {});
}

/** Texts that a pattern matches; hostile ones where it is not understood. */
function samples(pattern: string, seed: number): readonly string[] {
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { numRuns: 30, seed });
  } catch {
    return hostileTexts;
  }
}
