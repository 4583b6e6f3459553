import { type CimObject, type CimValue, numberText } from '@drawbridge/cim/json.ts';
import {
  countOf,
  firstOf,
  follow,
  listOf,
  Node,
  type Occurrences,
  type Shape,
  targetOf,
} from '@drawbridge/cim/node.ts';
import type { Predicate, View } from '@drawbridge/cim/views.ts';
import { type Binding, perBinding } from '../compile.ts';
import { forbidden } from '../xml/scan-text.ts';
import { type JsonMember, jsonMember } from './json-member.ts';
import { currenciesOf, matches } from './occurrence.ts';

/** The JSON form, which the package `cim` defines. */
export type { CimObject } from '@drawbridge/cim/json.ts';

/** A value in the JSON that the model has no place for, or that XML cannot hold. */
export interface BuildIssue {
  readonly code: 'unknown-field' | 'wrong-type' | 'not-xml-text';
  /** Path in the JSON as the caller wrote it, positions counted from 1: `lines[2].qty`. */
  readonly path: string;
  readonly message: string;
}

/** The most issues reported of one document. */
export const issuesMax = 100;

/** A built document, with the issues of all values that did not fit. */
export interface Built {
  readonly root: Node;
  readonly issues: readonly BuildIssue[];
  /** The JSON path that each value came from. */
  readonly origins: ReadonlyMap<Node, string>;
}

/** JSON form → CIM. A value without a place is an issue; everything else is still built. */
export function build(binding: Binding, json: CimObject): Built {
  const { root, issues } = builderOf(binding, json, false);
  // Paths cost as much as all the rest and only faults need them: then the document is built again.
  return issues.length > 0 ? builderOf(binding, json, true) : new TracedLater(binding, json, root);
}

/**
 * A document whose paths are computed at the first use. It is a class because an object literal
 * with a getter gets its own hidden class, and V8 then does not collect the document with the young
 * objects.
 */
class TracedLater implements Built {
  readonly root: Node;
  readonly issues: readonly BuildIssue[] = [];
  readonly #binding: Binding;
  readonly #json: CimObject;
  #origins: Map<Node, string> | undefined;

  constructor(binding: Binding, json: CimObject, root: Node) {
    this.#binding = binding;
    this.#json = json;
    this.root = root;
  }

  get origins(): ReadonlyMap<Node, string> {
    if (this.#origins === undefined) {
      const traced = builderOf(this.#binding, this.#json, true);
      this.#origins = new Map();
      carryOver(traced.origins, traced.root, this.root, this.#origins);
    }
    return this.#origins;
  }
}

function builderOf(binding: Binding, json: CimObject, isTracing: boolean): Builder {
  const builder = new Builder(binding, isTracing);
  // Currencies first: they distinguish the invoice's tax total from the one in accounting currency.
  const { currency, tax_currency, ...rest } = json;
  builder.group(builder.root, { currency, tax_currency, ...rest }, '');
  builder.finish(binding);
  return builder;
}

/** Copies the paths of one tree to an equal one. */
function carryOver(from: Built['origins'], node: Node, equal: Node, to: Map<Node, string>): void {
  const path = from.get(node);
  if (path !== undefined) to.set(equal, path);
  for (const [slot, found] of node.members.entries()) {
    const equals = listOf(equal.members[slot]);
    for (const [at, each] of listOf(found).entries()) carryOver(from, each, equals[at]!, to);
  }
}

type AttributeMember = Extract<JsonMember, { kind: 'attribute' }>;
type ViewMember = Extract<JsonMember, { kind: 'view' }>;

class Builder implements Built {
  readonly root: Node;
  readonly issues: BuildIssue[] = [];
  readonly origins = new Map<Node, string>();
  readonly #isTracing: boolean;

  /** Paths are empty unless it is `isTracing`. */
  constructor(binding: Binding, isTracing: boolean) {
    this.root = new Node(binding.root, undefined);
    this.#isTracing = isTracing;
  }

  #cameFrom(node: Node, path: string): void {
    if (this.#isTracing) this.origins.set(node, path);
  }

  #below(path: string, key: string): string {
    if (!this.#isTracing) return '';
    return path === '' ? key : `${path}.${key}`;
  }

  #nth(path: string, index: number): string {
    return this.#isTracing ? `${path}[${index + 1}]` : '';
  }

  group(node: Node, json: CimObject, path: string): void {
    this.#cameFrom(node, path);
    const keys = Object.keys(json);
    let hasAttributes = false;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!;
      const content = json[key];
      if (content === undefined || content === null) continue;
      const at = this.#below(path, key);
      const member = jsonMember(node.shape, key);
      if (member === undefined) {
        this.#issue('unknown-field', at, 'The invoice model has no such field.');
      } else if (member.kind === 'view') this.#view(node, member, content, at);
      else if (member.kind === 'attribute') hasAttributes = true;
      else this.#members(node, member.shapes, content, at);
    }
    if (hasAttributes) this.#attributes(node, json, path);
  }

  /** Adds the attributes; last, because they need their value. */
  #attributes(node: Node, json: CimObject, path: string): void {
    for (const key of Object.keys(json)) {
      const content = json[key];
      const member = jsonMember(node.shape, key);
      if (content === undefined || content === null || member?.kind !== 'attribute') continue;
      this.#attribute(node, member, content, this.#below(path, key));
    }
  }

  /** Adds fixed values and currencies, once all given values are there. */
  finish(binding: Binding): void {
    const { document = '', accounting = document } = currenciesOf(this.root);
    // One shared object for all amounts without other attributes; it is never changed.
    const finisher = new Finisher(binding, {
      document: Object.freeze({ currencyID: document }),
      accounting: Object.freeze({ currencyID: accounting }),
    });
    finisher.finish(this.root);
  }

  #members(node: Node, shapes: readonly Shape[], content: CimValue, path: string): void {
    const { many } = shapes[shapes.length - 1]!;
    if (!Array.isArray(content)) {
      this.#member(node, shapes, content, many ? this.#nth(path, 0) : path);
      return;
    }
    const items: readonly CimValue[] = content;
    for (let index = 0; index < items.length; index++) {
      const at = many || items.length > 1 ? this.#nth(path, index) : path;
      if (items[index] !== null) this.#member(node, shapes, items[index]!, at);
    }
  }

  #member(node: Node, shapes: readonly Shape[], content: CimValue, path: string): void {
    const isValue = shapes[shapes.length - 1]!.kind === 'value';
    if (isValue) this.#value(place(node, shapes), content, path);
    else if (isObject(content)) this.group(place(node, shapes), content, path);
    else this.#issue('wrong-type', path, `Expected an object, found ${kindOf(content)}.`);
  }

  #value(node: Node, content: CimValue, path: string): void {
    this.#cameFrom(node, path);
    if (!isObject(content)) {
      node.text = this.#text(content, path);
      return;
    }
    const { value: text, ...attributes } = content;
    node.text = this.#text(text ?? '', path);
    for (const [name, attribute] of Object.entries(attributes)) {
      if (attribute === undefined || attribute === null) continue;
      if (attributeName.test(name)) {
        (node.attributes ??= {})[name] = this.#text(attribute, path);
      } else this.#issue('unknown-field', `${path}.${name}`, 'An element has no such attribute.');
    }
  }

  #attribute(node: Node, member: AttributeMember, content: CimValue, path: string): void {
    const { shapes, attribute } = member;
    const held = listOf(follow(node, shapes));
    const texts = Array.isArray(content) ? content : [content];
    for (let index = 0; index < texts.length; index++) {
      if (texts[index] === null) continue;
      const found = held[index] ?? place(node, shapes);
      (found.attributes ??= {})[attribute] = this.#text(texts[index], path);
    }
  }

  #view(node: Node, member: ViewMember, content: CimValue, path: string): void {
    const { view, container, shapes } = member;
    let holder = node;
    while (holder.shape !== container) holder = holder.parent!;
    if (view.member === undefined) {
      const before = countOf(follow(holder, shapes));
      this.#members(holder, shapes, content, path);
      const after = listOf(follow(holder, shapes));
      for (let index = before; index < after.length; index++) {
        this.#discriminate(after[index]!, view, path);
      }
      return;
    }
    const occurrence =
      listOf(follow(holder, shapes)).find((each) => matches(each, view)) ?? place(holder, shapes);
    this.#members(occurrence, targetOf(occurrence.shape, view.member).shapes, content, path);
    this.#discriminate(occurrence, view, path);
  }

  #discriminate(node: Node, view: View, path: string): void {
    for (const name in view.where) {
      const predicate = view.where[name]!;
      const { shapes } = targetOf(node.shape, name);
      const held = firstOf(follow(node, shapes));
      if ('currency' in predicate) {
        if (predicate.currency === 'accounting' && held !== undefined) {
          const currencyID = currenciesOf(this.root).accounting ?? '';
          held.attributes = { ...held.attributes, currencyID };
        }
      } else if (held === undefined) {
        this.#value(place(node, shapes), made(predicate), path);
      }
    }
  }

  #text(content: CimValue, path: string): string {
    const text = typeof content === 'number' ? numberText(content) : content;
    if (typeof text === 'boolean') return String(text);
    if (typeof text !== 'string') {
      this.#issue('wrong-type', path, 'Expected a text, a number or true/false.');
      return '';
    }
    if (isPlain(text) || (text.isWellFormed() && !forbidden.test(text))) return text;
    const message = 'The text holds a control character that XML cannot carry.';
    this.#issue('not-xml-text', path, message);
    return text.toWellFormed().replace(forbiddenAll, '\uFFFD');
  }

  #issue(code: BuildIssue['code'], path: string, message: string): void {
    if (this.issues.length < issuesMax) this.issues.push({ code, path, message });
  }
}

/**
 * Allowed names of attributes. They are written as they are, so they have no markup and no prefix.
 * All names in UBL have this form.
 */
const attributeName = /^[A-Za-z]{1,64}$/;

const forbiddenAll = new RegExp(forbidden, 'g');

/** Whether the text needs no change, as nearly every text; a loop, because most are short. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code >= 0xd800) return false;
  }
  return true;
}

function isObject(content: CimValue): content is CimObject {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

function kindOf(content: CimValue): string {
  return Array.isArray(content) ? 'a list' : `a ${typeof content}`;
}

/** Adds an occurrence at the end of `shapes`, in the first wrap that has room for it. */
function place(node: Node, shapes: readonly Shape[]): Node {
  let at = node;
  for (let index = 0; index < shapes.length; index++) {
    const shape = shapes[index]!;
    const next = shapes[index + 1];
    const wrap = next && openWrap(at.members[shape.slot], next);
    at = wrap ?? new Node(shape, at);
  }
  return at;
}

/** The first wrap with room. Occurrences fill wraps in order, so those with room are the last. */
function openWrap(wraps: Occurrences, next: Shape): Node | undefined {
  if (wraps === undefined) return undefined;
  if (!Array.isArray(wraps)) return hasRoom(wraps, next) ? wraps : undefined;
  let full = 0;
  let open = wraps.length;
  while (full < open) {
    const middle = (full + open) >> 1;
    if (hasRoom(wraps[middle]!, next)) open = middle;
    else full = middle + 1;
  }
  return wraps[full];
}

/** Whether the wrap has room; a wrap that may occur only once always has. */
function hasRoom(wrap: Node, next: Shape): boolean {
  return wrap.shape.max === 1 || countOf(wrap.members[next.slot]) < next.max;
}

/** Adds the values that every document has by default, after all given ones. */
class Finisher {
  readonly #due: readonly (readonly Shape[])[];
  readonly #currencies: Currencies;

  constructor(binding: Binding, currencies: Currencies) {
    this.#due = dueIn(binding);
    this.#currencies = currencies;
  }

  finish(node: Node): void {
    const due = this.#due[node.shape.number]!;
    for (let index = 0; index < due.length; index++) {
      const shape = due[index]!;
      const held = node.members[shape.slot];
      if (held === undefined) this.#addFixed(node, shape);
      else if (shape.kind !== 'value') this.#finishAll(held);
      else if (shape.datatype === 'amount') listOf(held).forEach(this.#addCurrency);
    }
  }

  #finishAll(found: Node | Node[]): void {
    if (!Array.isArray(found)) this.finish(found);
    else for (let at = 0; at < found.length; at++) this.finish(found[at]!);
  }

  #addFixed(node: Node, shape: Shape): void {
    if (shape.fixed !== undefined) new Node(shape, node).text = shape.fixed;
    else if (shape.kind === 'wrap' && shape.min === 1 && shape.members.some(isFixed)) {
      this.finish(new Node(shape, node));
    }
  }

  readonly #addCurrency = (amount: Node): void => {
    const currency = this.#currencies[amount.shape.currency];
    if (amount.attributes === undefined) amount.attributes = currency;
    else amount.attributes.currencyID ??= currency.currencyID;
  };
}

/** By number of the shape: members that get default values, or contain such members. */
const dueIn = perBinding((binding): readonly (readonly Shape[])[] => {
  const due: Shape[][] = [];
  const isDue = (shape: Shape): boolean => {
    const members = shape.members.filter(isDue);
    due[shape.number] = members;
    return members.length > 0 || isFixed(shape) || shape.datatype === 'amount';
  };
  isDue(binding.root);
  return due;
});

function isFixed({ fixed }: Shape): boolean {
  return fixed !== undefined;
}

type Currencies = Readonly<Record<Shape['currency'], { readonly currencyID: string }>>;

function made(predicate: Exclude<Predicate, { currency: unknown }>): string {
  return 'is' in predicate ? predicate.is : predicate.as;
}
