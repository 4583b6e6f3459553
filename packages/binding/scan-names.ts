/** Thrown where the complete parser must decide; without a trace, for nobody reads it. */
export const unsure = Symbol('unsure');

/** Which URI each prefix stands for; `''` is the default namespace. */
export interface Namespaces {
  readonly uris: ReadonlyMap<string, string>;
  /** Names that were met: what is written → the name that rows use. */
  readonly names: Map<string, string>;
  /** The prefixes of the table stand for what they stand for in it. */
  areOwn: boolean;
}

const xmlUri = 'http://www.w3.org/XML/1998/namespace';
const xmlnsUri = 'http://www.w3.org/2000/xmlns/';

/** What holds outside of the document. */
export const outermost: Namespaces = {
  uris: new Map([['xml', xmlUri]]),
  names: new Map(),
  areOwn: false,
};

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
