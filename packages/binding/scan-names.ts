import type { Shape } from '@drawbridge/cim/node.ts';
import type { Binding } from './compile.ts';

/** Thrown where the complete parser must decide; without a trace, for nobody reads it. */
export const unsure = Symbol('unsure');

/** Which URI each prefix stands for; `''` is the default namespace. */
export interface Namespaces {
  readonly uris: ReadonlyMap<string, string>;
  /** Names of the table, where its own prefixes stand for its own namespaces. */
  usual: NamesByHash;
  /** Others that were met. */
  readonly names: Map<number, ElementName>;
}

/** By the hash of what is written: a name is found without being cut out. */
export type NamesByHash = ReadonlyMap<number, ElementName>;

export interface ElementName {
  readonly written: string;
  /** The name that rows use. */
  readonly element: string;
}

const xmlUri = 'http://www.w3.org/XML/1998/namespace';
const xmlnsUri = 'http://www.w3.org/2000/xmlns/';
const none: NamesByHash = new Map();

/** What holds outside of the document. */
export const outermost: Namespaces = {
  ...{ uris: new Map([['xml', xmlUri]]), usual: none, names: new Map() },
};

/** The hash of a name, character by character, from 0 on. */
export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

const known = new WeakMap<Binding, NamesByHash>();

/** The names of the table as documents usually write them; none where these prefixes mean other. */
export function usualNames(binding: Binding, uris: Namespaces['uris']): NamesByHash {
  for (const [uri, prefix] of binding.prefixes) if (uris.get(prefix) !== uri) return none;
  let names = known.get(binding);
  if (names === undefined) {
    names = new Map(namesBelow(binding.root).map((name) => [hashOf(name.written), name]));
    known.set(binding, names);
  }
  return names;
}

function namesBelow({ members }: Shape): ElementName[] {
  return members.flatMap((each) => [
    { written: each.element, element: each.element },
    ...namesBelow(each),
  ]);
}

function hashOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = nextHash(hash, name.charCodeAt(at));
  return hash;
}

/** Namespace and local name of what is written. */
export function expanded(name: string, { uris }: Namespaces): [uri: string, local: string] {
  const colon = name.indexOf(':');
  const uri = uris.get(colon < 0 ? '' : name.slice(0, colon));
  if (uri === undefined && colon >= 0) throw unsure;
  return [uri ?? '', colon < 0 ? name : name.slice(colon + 1)];
}

/** The prefix that an attribute declares; undefined when it is another attribute. */
export function declaredPrefix(name: string, value: string): string | undefined {
  if (name !== 'xmlns' && !name.startsWith('xmlns:')) return undefined;
  const prefix = name.slice('xmlns:'.length);
  const isReserved = prefix === 'xml' || prefix === 'xmlns' || value === xmlUri;
  const isEmpty = value === '' && prefix !== '';
  if (isReserved || isEmpty || value === xmlnsUri || value.trim() !== value) throw unsure;
  return prefix;
}

/** An attribute in a namespace is called `{uri}name`. */
export function withPrefixed(
  written: ReadonlyMap<string, string>,
  own: Record<string, string> | undefined,
  namespaces: Namespaces,
): Record<string, string> | undefined {
  let all = own;
  for (const [name, value] of written) {
    if (name === 'xmlns' || name.startsWith('xmlns:')) continue;
    const [uri, local] = expanded(name, namespaces);
    const key = `{${uri}}${local}`;
    if (all?.[key] !== undefined) throw unsure;
    all ??= {};
    all[key] = value;
  }
  return all;
}
