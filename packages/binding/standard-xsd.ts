import { leaf, leafTypeTags } from './leaf-types.ts';
import type { SyntaxTable, Vocabulary } from './table.ts';
import type { PrintedXsd } from './xsd.ts';
import { element, schema, type Tag, tag } from './xsd-text.ts';

const extensions = 'urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2';

/**
 * Prints the schema of the whole standard for one document type: it takes what no row binds, as the
 * official schema does, and holds it to the same types. Only the content of extensions is free.
 */
export function printStandardXsd(table: SyntaxTable, vocabulary: Vocabulary): PrintedXsd {
  const { cac, cbc } = table.namespaces;
  const namespaces = { ...table.namespaces, ext: extensions };
  const content = vocabulary.documents[table.root]!;
  const lists = [content, ...Object.values(vocabulary.aggregates)];
  const names = new Set(lists.flatMap((list) => list.split(' ').map(elementOf)));
  const groups = [...names].filter((name) => name.startsWith('cac:')).map(localName);
  const values = [...names, 'cbc:ID', 'cbc:Name'].filter((name) => name.startsWith('cbc:'));
  const leaves = [...new Set(values)].map((name) => leaf(localName(name)));
  return {
    main: schema(
      table.namespace,
      namespaces,
      ['cac', 'cbc', 'ext'],
      [element({ name: table.root }, [sequenceOf(content, {})])],
    ),
    imports: {
      'cac.xsd': schema(
        cac!,
        namespaces,
        ['cbc'],
        [
          ...groups.map((name) => element({ name, type: vocabulary.typeOf[name] ?? name })),
          ...Object.entries(vocabulary.aggregates).map(([name, list]) =>
            sequenceOf(list, { name }),
          ),
        ],
      ),
      'cbc.xsd': schema(cbc!, {}, [], [...leafTypeTags, ...leaves]),
      'ext.xsd': schema(extensions, namespaces, ['cbc'], extensionTags),
    },
  };
}

function sequenceOf(list: string, attributes: Tag['attributes']): Tag {
  const members = list
    .split(' ')
    .map((written) => element({ ref: elementOf(written), ...occurs(written) }));
  return tag('complexType', attributes, [tag('sequence', {}, members)]);
}

function elementOf(written: string): string {
  return written.replace(/[?*+]$/, '');
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function occurs(written: string): Tag['attributes'] {
  return {
    ...(/[?*]$/.test(written) ? { minOccurs: '0' } : {}),
    ...(/[*+]$/.test(written) ? { maxOccurs: 'unbounded' } : {}),
  };
}

const extensionValues = [
  'ExtensionAgencyID',
  'ExtensionAgencyName',
  'ExtensionVersionID',
  'ExtensionAgencyURI',
  'ExtensionURI',
  'ExtensionReasonCode',
  'ExtensionReason',
];

const anything = tag('any', { namespace: '##other', processContents: 'lax' });

const extensionTags: readonly Tag[] = [
  ...leafTypeTags,
  ...extensionValues.map(leaf),
  element({ name: 'ExtensionContent' }, [
    tag('complexType', {}, [tag('sequence', {}, [{ ...anything }])]),
  ]),
  element({ name: 'UBLExtension' }, [
    sequenceOf(
      ['cbc:ID', 'cbc:Name', ...extensionValues.map((name) => `ext:${name}`)]
        .map((name) => `${name}?`)
        .concat('ext:ExtensionContent')
        .join(' '),
      {},
    ),
  ]),
  element({ name: 'UBLExtensions' }, [sequenceOf('ext:UBLExtension+', {})]),
];
