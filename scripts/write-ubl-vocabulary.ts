/**
 * Writes packages/ubl/vocabulary.json from the official UBL 2.1 schemas: `node
 * scripts/write-ubl-vocabulary.ts DIR`. Only facts are taken: which element stands in which, in
 * what order and how often, as far as an invoice or a credit note can reach them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Vocabulary } from '@drawbridge/binding/table.ts';
import { SaxesParser, type SaxesTagPlain } from 'saxes';

const documents = ['Invoice', 'CreditNote'] as const;

interface Declarations {
  /** Name of an element → name of its type. */
  readonly elements: Map<string, string>;
  /** Name of a type → its members as the vocabulary writes them. */
  readonly sequences: Map<string, string[]>;
}

main(process.argv[2]);

function main(folder: string | undefined): void {
  if (folder === undefined) {
    console.error('usage: node scripts/write-ubl-vocabulary.ts DIR (the folder ubl-2.1-xsd)');
    process.exitCode = 2;
    return;
  }
  const common = declarations(join(folder, 'common', 'UBL-CommonAggregateComponents-2.1.xsd'));
  const contents = documents.map((name): [string, string] => {
    const { sequences } = declarations(join(folder, 'maindoc', `UBL-${name}-2.1.xsd`));
    return [name, sequences.get(name)!.join(' ')];
  });
  const written = { source: 'OASIS UBL 2.1 of 2013-11-04', ...reachable(contents, common) };
  writeFileSync(
    new URL('../packages/ubl/vocabulary.json', import.meta.url),
    `${JSON.stringify(written, undefined, 2)}\n`,
  );
}

function reachable(
  contents: [string, string][],
  { elements, sequences }: Declarations,
): Vocabulary {
  const aggregates = new Map<string, string>();
  const typeOf = new Map<string, string>();
  const visit = (members: readonly string[]): void => {
    for (const member of members) {
      if (!member.startsWith('cac:')) continue;
      const name = member.slice('cac:'.length).replace(/[?*+]$/, '');
      const type = elements.get(name)!;
      if (type !== name) typeOf.set(name, type);
      if (aggregates.has(type)) continue;
      aggregates.set(type, sequences.get(type)!.join(' '));
      visit(sequences.get(type)!);
    }
  };
  for (const [, content] of contents) visit(content.split(' '));
  return {
    documents: Object.fromEntries(contents),
    aggregates: Object.fromEntries([...aggregates].sort()),
    typeOf: Object.fromEntries([...typeOf].sort()),
  };
}

function declarations(file: string): Declarations {
  const elements = new Map<string, string>();
  const sequences = new Map<string, string[]>();
  let members: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    if (name === 'xsd:complexType') {
      members = [];
      sequences.set(withoutType(attributes.name!), members);
    } else if (name === 'xsd:element' && attributes.ref !== undefined) {
      members.push(attributes.ref + mark(attributes));
    } else if (name === 'xsd:element') {
      elements.set(attributes.name!, withoutType(attributes.type!));
    }
  });
  parser.write(readFileSync(file, 'utf8')).close();
  return { elements, sequences };
}

function withoutType(name: string): string {
  return name.replace(/Type$/, '');
}

function mark({ minOccurs = '1', maxOccurs = '1' }: SaxesTagPlain['attributes']): string {
  if (maxOccurs === 'unbounded') return minOccurs === '0' ? '*' : '+';
  return minOccurs === '0' ? '?' : '';
}
