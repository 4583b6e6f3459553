/** Thrown where the complete parser must decide. A symbol, which needs no stack trace. */
export const unsure = Symbol('unsure');

/** The URI of each prefix; `''` is the default namespace. */
export interface Namespaces {
  readonly uris: ReadonlyMap<string, string>;
  /** Names seen so far: name as written → name in rows. */
  readonly names: Map<string, string>;
  /** Whether the table's prefixes have their meaning of the table. */
  areOwn: boolean;
}

const xmlUri = 'http://www.w3.org/XML/1998/namespace';
const xmlnsUri = 'http://www.w3.org/2000/xmlns/';

/** The namespaces outside of the document. */
export const outermost: Namespaces = {
  uris: new Map([['xml', xmlUri]]),
  names: new Map(),
  areOwn: false,
};

/** Namespace and local name of a written name. */
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

/** Adds attributes in a namespace, under the name `{uri}name`. */
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
