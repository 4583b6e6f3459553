/**
 * Writes packages/ubl/vocabulary.json from the official UBL 2.1 schemas: `node
 * scripts/write-ubl-vocabulary.ts DIR`. It takes facts only: the elements of each element, their
 * order and number, and their types.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Module, Vocabulary } from '@drawbridge/binding/table.ts';
import { SaxesParser, type SaxesTagNS } from 'saxes';

const documents = ['Invoice', 'CreditNote'] as const;

/** Each uses only those before it. */
const files = {
  cct: 'CCTS_CCT_SchemaModule',
  udt: 'UBL-UnqualifiedDataTypes',
  cbc: 'UBL-CommonBasicComponents',
  cac: 'UBL-CommonAggregateComponents',
  ds: 'UBL-xmldsig-core-schema',
  xades: 'UBL-XAdESv132',
  xades141: 'UBL-XAdESv141',
  sbc: 'UBL-SignatureBasicComponents',
  sac: 'UBL-SignatureAggregateComponents',
  sig: 'UBL-CommonSignatureComponents',
  ext: 'UBL-CommonExtensionComponents',
} as const;

const xsd = 'http://www.w3.org/2001/XMLSchema';

/** An element of a schema document. */
interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Tag[];
}

main(process.argv[2]);

function main(folder: string | undefined): void {
  if (folder === undefined) {
    console.error('usage: node scripts/write-ubl-vocabulary.ts DIR (the folder ubl-2.1-xsd)');
    process.exitCode = 2;
    return;
  }
  const schemas = Object.entries(files).map(([prefix, file]): [string, Tag] => [
    prefix,
    read(join(folder, 'common', `${file}-2.1.xsd`)),
  ]);
  const prefixes = new Map([[xsd, 'xs']]);
  for (const [prefix, schema] of schemas) prefixes.set(schema.attributes.targetNamespace!, prefix);
  const vocabulary: Vocabulary = {
    documents: Object.fromEntries(
      documents.map((name) => {
        const schema = read(join(folder, 'maindoc', `UBL-${name}-2.1.xsd`));
        return [name, typeOf(named(schema, 'complexType')[0]!, prefixes)];
      }),
    ),
    modules: Object.fromEntries(
      schemas.map(([prefix, schema]) => [prefix, moduleOf(prefix, schema, prefixes)]),
    ),
  };
  const written = { source: 'OASIS UBL 2.1 of 2013-11-04', ...vocabulary };
  writeFileSync(
    new URL('../packages/ubl/vocabulary.json', import.meta.url),
    `${JSON.stringify(written, undefined, 2)}\n`,
  );
}

type Prefixes = ReadonlyMap<string, string>;

/** The schema document with its includes; names in values have their namespace: `{uri}name`. */
function read(file: string): Tag {
  const open: Tag[] = [{ name: '', attributes: {}, children: [] }];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', (tag: SaxesTagNS) => {
    const attributes = Object.fromEntries(
      Object.values(tag.attributes).map(({ name, value }) => {
        if (!['ref', 'type', 'base'].includes(name)) return [name, value];
        const [, prefix = '', local] = /^(?:(.*):)?(.*)$/.exec(value)!;
        return [name, `{${parser.resolve(prefix)}}${local}`];
      }),
    );
    const child = { name: tag.local, attributes, children: [] };
    open.at(-1)!.children.push(child);
    open.push(child);
  });
  parser.on('closetag', () => open.pop());
  parser.write(readFileSync(file, 'utf8')).close();
  const schema = open[0]!.children[0]!;
  for (const { attributes } of named(schema, 'include')) {
    schema.children.push(...read(join(file, '..', attributes.schemaLocation!)).children);
  }
  return schema;
}

function named({ children }: Tag, ...names: string[]): Tag[] {
  return children.filter(({ name }) => names.includes(name));
}

function moduleOf(prefix: string, schema: Tag, prefixes: Prefixes): Module {
  const elements: Record<string, string[]> = {};
  const leaves: Record<string, string[]> = {};
  const types = new Map(
    named(schema, 'simpleType', 'complexType').map((tag) => [
      tag.attributes.name!,
      typeOf(tag, prefixes),
    ]),
  );
  for (const { attributes } of named(schema, 'element')) {
    const name = attributes.name!;
    const type = qualified(attributes.type!, prefixes);
    const base = type === `${prefix}:${name}Type` && /^>(\S+)$/.exec(types.get(`${name}Type`)!);
    if (base) {
      types.delete(`${name}Type`);
      (leaves[base[1]!] ??= []).push(name);
    } else {
      (elements[type] ??= []).push(name);
    }
  }
  return {
    namespace: schema.attributes.targetNamespace!,
    ...optional('leaves', joined(leaves)),
    ...optional('elements', joined(elements)),
    ...optional('types', Object.fromEntries(types)),
  };
}

function joined(lists: Record<string, string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(lists).map(([type, names]) => [type, names.join(' ')]));
}

function optional<Key extends keyof Module>(key: Key, facts: Record<string, string>) {
  return Object.keys(facts).length === 0 ? {} : { [key]: facts };
}

/** A type in the notation of `Module.types`. */
function typeOf(tag: Tag, prefixes: Prefixes): string {
  const [content] = named(tag, 'simpleContent', 'complexContent');
  const [derived] = named(content ?? tag, 'restriction', 'extension');
  const body = derived ?? tag;
  const marks = { restriction: tag.name === 'simpleType' ? '=' : '<', extension: '>' };
  return [
    tag.attributes.abstract === 'true' ? 'abstract' : '',
    tag.attributes.mixed === 'true' ? 'mixed' : '',
    derived &&
      marks[derived.name as keyof typeof marks] + qualified(derived.attributes.base!, prefixes),
    ...named(body, 'enumeration').map(({ attributes }) => `"${attributes.value}"`),
    ...named(body, 'sequence', 'choice').map((each) => particle(each, prefixes, true)),
    ...named(body, 'attribute').map(({ attributes }) => {
      const mark = attributes.use === 'required' ? '!' : '';
      return `@${attributes.name}${mark}:${qualified(attributes.type!, prefixes)}`;
    }),
    ...named(body, 'anyAttribute').map(() => '@any'),
  ]
    .filter(Boolean)
    .join(' ');
}

function particle(tag: Tag, prefixes: Prefixes, isOutermost = false): string {
  const { name, attributes } = tag;
  const occurs = mark(attributes);
  if (name === 'any') {
    const lax = attributes.processContents === 'lax' ? ':lax' : '';
    return `${attributes.namespace}${lax}${occurs}`;
  }
  if (name === 'element') {
    if (attributes.ref !== undefined) return qualified(attributes.ref, prefixes) + occurs;
    const type =
      attributes.type === undefined ? 'xs:anyType' : qualified(attributes.type, prefixes);
    return `${attributes.name}=${type}${occurs}`;
  }
  const members = named(tag, 'element', 'any', 'sequence', 'choice');
  const inner = members
    .map((each) => particle(each, prefixes))
    .join(name === 'choice' ? ' | ' : ' ');
  return name === 'sequence' && isOutermost && occurs === '' ? inner : `( ${inner} )${occurs}`;
}

function qualified(name: string, prefixes: Prefixes): string {
  const [, uri, local] = /^\{(.*)\}(.*)$/.exec(name)!;
  const prefix = prefixes.get(uri!);
  if (prefix === undefined) throw new Error(`${name} is in no schema that is read`);
  return `${prefix}:${local}`;
}

function mark({ minOccurs = '1', maxOccurs = '1' }: Tag['attributes']): string {
  const occurs = { '0..1': '?', '1..1': '', '0..unbounded': '*', '1..unbounded': '+' };
  const written = occurs[`${minOccurs}..${maxOccurs}` as keyof typeof occurs];
  if (written === undefined) throw new Error(`No mark for ${minOccurs}..${maxOccurs}`);
  return written;
}
