/** Requests to the routes of a service, made from the schemas of their rows. */
import { z } from 'zod';
import type { AnyRoute } from '../platform/http/route.ts';
import { examples } from './examples.kit.ts';
import { hostileText, pick, type Random, type Schema, type Seen, Values } from './values.kit.ts';

export interface FuzzRequest {
  readonly operationId: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const valuesPerField = 40;

/** Remembers what answers hold, so that later requests name things that there are. */
export class Answers implements Seen {
  readonly #byName = new Map<string, unknown[]>();
  readonly #idsByPath = new Map<string, string[]>();

  /** `path`: the row's, as far as its first parameter. */
  note(path: string, answer: unknown): void {
    this.#note(path, answer, 0);
  }

  value(name: string, random: Random): unknown {
    const known =
      this.#byName.get(name) ?? (name.endsWith('_id') ? this.#byName.get('id') : undefined);
    return known === undefined ? undefined : pick(random, known);
  }

  /** The id of a thing below that path. */
  id(path: string, random: Random): string | undefined {
    const known = this.#idsByPath.get(path);
    return known === undefined ? undefined : pick(random, known);
  }

  #note(path: string, value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > 6) return;
    for (const [name, held] of Object.entries(value).slice(0, 60)) {
      if (typeof held === 'string' && held.length < 300) {
        keep(this.#byName, name, held);
        if (name === 'id' || name === 'message_id') keep(this.#idsByPath, path, held);
      } else this.#note(path, held, depth + 1);
    }
  }
}

function keep<Held>(map: Map<string, Held[]>, key: string, value: Held): void {
  const known = map.get(key) ?? [];
  map.set(key, [value, ...known.filter((each) => each !== value)].slice(0, valuesPerField));
}

/** The path of a row as far as its first parameter. */
export function collectionOf(path: string): string {
  return path.replace(/\/?\{.*$/, '').replace(/\/$/, '');
}

/** Makes requests; a request without credentials among them is the caller's to complete. */
export class Requests {
  readonly #random: Random;
  readonly #answers: Answers;
  readonly #values: Values;
  readonly #schemas = new WeakMap<z.ZodType, Schema>();

  constructor(random: Random, answers: Answers) {
    this.#random = random;
    this.#answers = answers;
    this.#values = new Values(random, answers);
  }

  to(row: AnyRoute): FuzzRequest {
    const { headers, body } = row.request ?? {};
    const sent = { ...this.#headers(headers), ...this.#body(body, row) };
    const { content, ...rest } = sent;
    return {
      operationId: row.operationId,
      method: row.method.toUpperCase(),
      path: this.#path(row) + this.#query(row.request?.query),
      headers: rest,
      body: content,
    };
  }

  #path({ path }: AnyRoute): string {
    const random = this.#random;
    const collection = collectionOf(path);
    return path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const roll = random();
      const known = this.#answers.id(collection, random) ?? this.#answers.value(name, random);
      if (typeof known === 'string' && roll < 0.85) return encodeURIComponent(known.toWellFormed());
      const text = hostileText(random).toWellFormed();
      return roll < 0.98 ? encodeURIComponent(text).slice(0, 2_000) || 'x' : '%E0%A4%A';
    });
  }

  #query(schema: z.ZodObject | undefined): string {
    const random = this.#random;
    if (schema === undefined)
      return random() < 0.03 ? `?${encodeURIComponent('constructor')}=1` : '';
    const value = this.#values.value(this.#schema(schema), 'query');
    if (typeof value !== 'object' || value === null) return '';
    const pairs = Object.entries(value).flatMap(([name, held]) => {
      const many = Array.isArray(held) ? held : [held];
      return many.map((each) => `${part(name)}=${part(each)}`);
    });
    if (random() < 0.05 && pairs.length > 0) pairs.push(pairs[0]!);
    if (random() < 0.02) pairs.push('limit=%ff', 'a[b][c]=1', '%00=%00');
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`.slice(0, 7_000);
  }

  #headers(schema: z.ZodObject | undefined): Record<string, string> {
    const random = this.#random;
    if (schema === undefined) return {};
    const value = this.#values.value(this.#schema(schema), 'headers');
    const known = Object.keys(schema.shape);
    const pairs = Object.entries(typeof value === 'object' && value !== null ? value : {})
      .filter(([name]) => known.includes(name))
      .map(([name, held]) => [name, printable(textOf(held))]);
    const headers = Object.fromEntries(pairs) as Record<string, string>;
    // Not to wait for what takes its time.
    return known.includes('prefer')
      ? { ...headers, prefer: pick(random, ['respond-async', 'wait=0', 'wait=x', '']) }
      : headers;
  }

  #body(
    schema: z.ZodType | undefined,
    row: AnyRoute,
  ): Record<string, string> & { content?: string } {
    const random = this.#random;
    if (schema !== undefined) {
      const known = examples[`${row.method.toUpperCase()} ${row.path}`];
      const value = this.#values.value(this.#schema(schema), 'body', known);
      const content = JSON.stringify(value);
      const type = random() < 0.98 ? 'application/json' : printable(hostileText(random));
      const isBroken = random() < 0.02;
      const cut = isBroken ? content.slice(0, Math.floor(random() * content.length)) : content;
      return { 'content-type': type, content: cut };
    }
    if (row.method === 'get' || (!row.upload && random() < 0.7)) return {};
    const lines = Array.from({ length: 4 }, () =>
      [hostileText(random), hostileText(random)].join(),
    );
    const type = pick(random, [
      'text/csv',
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]);
    const text = ['phone,name,segments', ...lines].join('\n');
    const content = type.startsWith('multipart')
      ? `--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${text}\r\n--x--\r\n`
      : type.endsWith('json')
        ? JSON.stringify(this.#values.value({ type: 'object' }, 'body'))
        : text;
    return { 'content-type': type, content };
  }

  #schema(schema: z.ZodType): Schema {
    const known = this.#schemas.get(schema);
    if (known !== undefined) return known;
    const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
    this.#schemas.set(schema, made);
    return made;
  }
}

function part(value: unknown): string {
  return encodeURIComponent(textOf(value).toWellFormed());
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What may stand in a header. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 1_000);
}
