/** Requests to the routes of a service, made from the schemas of their rows. */
import { z } from 'zod';
import type { AnyRoute } from '../platform/http/route.ts';
import { examples, uploads } from './examples.kit.ts';
import { hostileText, pick, type Random, type Schema, type Seen, Values } from './values.kit.ts';

export interface FuzzRequest {
  readonly operationId: string;
  /** The path of its row, without a slash at the end. */
  readonly collection: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const valuesPerField = 40;

/** Collections of which nothing is listed, and those whose ids they have. */
const sharedIds: Readonly<Record<string, string>> = {
  '/sms/v1/webhooks': '/sms/v1/apps',
  '/botchat/v1/webhooks': '/botchat/v1/bots',
  '/rcs/v1/webhooks': '/rcs/v1/apps',
};

/** Which part of a request is changed: one most often, so that it is what decides. */
const partsToChange = [
  'none',
  'none',
  'none',
  'query',
  'headers',
  'body',
  'body',
  'body',
  'all',
] as const;

/** Of routes that read their bodies themselves. */
const anyObject = z.looseObject({});

/** Remembers what answers hold, so that later requests name things that there are. */
export class Answers implements Seen {
  readonly #byName = new Map<string, unknown[]>();
  readonly #pathsByCollection = new Map<string, string[]>();
  readonly #bodiesByOperation = new Map<string, unknown[]>();

  /** Keeps a value of that field, which no answer may hold. */
  remember(name: string, value: string): void {
    keep(this.#byName, name, value);
  }

  /** Keeps what an answer with 2xx holds. */
  note({ operationId, collection, method, path, body }: FuzzRequest, answer: unknown): void {
    const address = addressOf(path);
    if (method === 'DELETE') this.forget({ collection, path });
    if (body !== undefined) this.#noteBody(operationId, body);
    for (const id of idsOf(answer))
      keep(this.#pathsByCollection, collection, `${address}/${encodeURIComponent(id)}`);
    this.#noteValues(collection, answer, 0);
  }

  /** What was not found, or is deleted, is not asked for again. */
  forget({ collection, path }: Pick<FuzzRequest, 'collection' | 'path'>): void {
    const [parent, rest] = splitAtLastParameter(collection);
    if (parent === undefined) return;
    const gone = addressOf(path).slice(0, rest.length === 0 ? undefined : -rest.length);
    const known = this.#pathsByCollection.get(parent) ?? [];
    this.#pathsByCollection.set(
      parent,
      known.filter((each) => each !== gone),
    );
  }

  /** Of a field such as `language`, or one of a collection such as `/sms/v1/templates.name`. */
  value(name: string, random: Random): unknown {
    const known =
      this.#byName.get(name) ?? (name.endsWith('_id') ? this.#byName.get('id') : undefined);
    return known === undefined ? undefined : pick(random, known);
  }

  /** The path of a thing in that collection, such as `/contacts/17`. */
  path(collection: string, random: Random): string | undefined {
    const owner = sharedIds[collection];
    const known = this.#pathsByCollection.get(owner ?? collection);
    if (known === undefined || known.length === 0) return undefined;
    const path = pick(random, known);
    return owner === undefined ? path : collection + path.slice(path.lastIndexOf('/'));
  }

  /** Bodies that were accepted. */
  bodies(operationId: string): readonly unknown[] {
    return this.#bodiesByOperation.get(operationId) ?? [];
  }

  #noteBody(operationId: string, body: string): void {
    if (body.length > 5_000) return;
    try {
      keep(this.#bodiesByOperation, operationId, JSON.parse(body));
    } catch {
      // A file, or JSON that was cut: nothing to change a place of.
    }
  }

  #noteValues(collection: string, value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > 6) return;
    for (const [name, held] of Object.entries(value).slice(0, 60)) {
      if (typeof held === 'string' && held.length < 300) {
        keep(this.#byName, name, held);
        keep(this.#byName, `${collection}.${name}`, held);
      } else this.#noteValues(collection, held, depth + 1);
    }
  }
}

/** Without the query, and without a slash at the end. */
function addressOf(path: string): string {
  return path.replace(/\?.*$/s, '').replace(/\/$/, '');
}

/** The id of what was made, or those of a list. */
function idsOf(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  const lists = Object.values(answer).filter((held) => Array.isArray(held));
  return [answer, ...lists.flat()].flatMap((each) => {
    const { id, message_id: messageId } = (each ?? {}) as { id?: unknown; message_id?: unknown };
    const found = id ?? messageId;
    return typeof found === 'string' || typeof found === 'number' ? [String(found)] : [];
  });
}

function keep<Held>(map: Map<string, Held[]>, key: string, value: Held): void {
  const known = map.get(key) ?? [];
  map.set(key, [value, ...known.filter((each) => each !== value)].slice(0, valuesPerField));
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
    const { headers, body, query } = row.request ?? {};
    const hostile = pick(this.#random, partsToChange);
    const changesOf = (part: (typeof partsToChange)[number]) =>
      hostile === part || hostile === 'all' ? pick(this.#random, [1, 1, 2]) : 0;
    const sent = {
      ...this.#headers(headers, changesOf('headers')),
      ...this.#body(body, row, changesOf('body')),
    };
    const { content, ...rest } = sent;
    return {
      operationId: row.operationId,
      collection: row.path.replace(/\/$/, ''),
      method: row.method.toUpperCase(),
      path: this.#path(row) + this.#query(query, changesOf('query')),
      headers: rest,
      body: content,
    };
  }

  /** Mostly the path of a thing that there is, and now and then of one that there cannot be. */
  #path({ path }: AnyRoute): string {
    const random = this.#random;
    const [collection, rest] = splitAtLastParameter(path);
    const known = collection === undefined ? undefined : this.#answers.path(collection, random);
    if (known !== undefined && random() < 0.94) return known + rest;
    return path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const roll = random();
      const seen = this.#answers.value(name, random);
      if (typeof seen === 'string' && roll < 0.7) return encodeURIComponent(seen.toWellFormed());
      const text = hostileText(random).toWellFormed();
      return roll < 0.98 ? encodeURIComponent(text).slice(0, 2_000) || 'x' : '%E0%A4%A';
    });
  }

  #query(schema: z.ZodObject | undefined, changes: number): string {
    const random = this.#random;
    if (schema === undefined)
      return changes > 0 && random() < 0.3 ? `?${encodeURIComponent('constructor')}=1` : '';
    const value = this.#values.value(this.#schema(schema), 'query', changes);
    if (typeof value !== 'object' || value === null) return '';
    const pairs = Object.entries(value).flatMap(([name, held]) => {
      const many = Array.isArray(held) ? held : [held];
      return many.map((each) => `${part(name)}=${part(each)}`);
    });
    if (changes > 0 && random() < 0.1 && pairs.length > 0) pairs.push(pairs[0]!);
    if (changes > 0 && random() < 0.1) pairs.push('limit=%ff', 'a[b][c]=1', '%00=%00');
    return pairs.length === 0 ? '' : `?${pairs.join('&')}`.slice(0, 7_000);
  }

  #headers(schema: z.ZodObject | undefined, changes: number): Record<string, string> {
    const random = this.#random;
    if (schema === undefined) return {};
    const value = this.#values.value(this.#schema(schema), 'headers', changes);
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
    changes: number,
  ): Record<string, string> & { content?: string } {
    const random = this.#random;
    const written = examples[`${row.method.toUpperCase()} ${row.path}`] ?? [];
    if (schema !== undefined || written.length > 0) {
      const known = [...written, ...this.#answers.bodies(row.operationId)];
      const value = this.#values.value(this.#schema(schema ?? anyObject), 'body', changes, known);
      const content = JSON.stringify(value);
      const type =
        changes === 0 || random() < 0.95 ? 'application/json' : printable(hostileText(random));
      const isBroken = changes > 0 && random() < 0.04;
      const cut = isBroken ? content.slice(0, Math.floor(random() * content.length)) : content;
      return { 'content-type': type, content: cut };
    }
    if (row.method === 'get' || (!row.upload && random() < 0.7)) return {};
    const good = uploads[row.path];
    if (good !== undefined && random() < 0.5) return { 'content-type': 'text/csv', content: good };
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
        ? JSON.stringify(this.#values.value({ type: 'object' }, 'body', changes))
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

/** `/a/{id}/b/` is the collection `/a` and the rest `/b/`. */
function splitAtLastParameter(path: string): [collection: string | undefined, rest: string] {
  const [, collection, rest] = /^(.*)\/\{\w+\}(.*?)$/.exec(path) ?? [];
  return [collection, rest ?? ''];
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
