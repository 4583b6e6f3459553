import { element, type Tag, tag } from './xsd-text.ts';

/** An unqualified data type of UBL 2.1 with its supplementary components. */
export interface LeafType {
  readonly name: string;
  /** The W3C type of the text. */
  readonly base: string;
  readonly attributes: Readonly<Record<string, LeafAttribute>>;
}

/** A supplementary component. */
interface LeafAttribute {
  readonly type: 'normalizedString' | 'anyURI' | 'language';
  readonly isRequired: boolean;
}

/** Names of attributes; `!` marks a mandatory one. */
const rows: readonly (readonly [name: string, base: string, attributes: string])[] = [
  ['Amount', 'decimal', 'currencyID! currencyCodeListVersionID'],
  ['Quantity', 'decimal', 'unitCode unitCodeListID unitCodeListAgencyID unitCodeListAgencyName'],
  ['Measure', 'decimal', 'unitCode! unitCodeListVersionID'],
  ['Date', 'date', ''],
  ['Time', 'time', ''],
  ['Indicator', 'boolean', ''],
  ['Numeric', 'decimal', 'format'],
  ['BinaryObject', 'base64Binary', 'format mimeCode! encodingCode characterSetCode uri filename'],
  [
    'Code',
    'normalizedString',
    'listID listAgencyID listAgencyName listName listVersionID name languageID listURI listSchemeURI',
  ],
  [
    'Identifier',
    'normalizedString',
    'schemeID schemeName schemeAgencyID schemeAgencyName schemeVersionID schemeDataURI schemeURI',
  ],
  ['Text', 'string', 'languageID languageLocaleID'],
];

const leafTypes: readonly LeafType[] = rows.map(([name, base, attributes]) => ({
  name,
  base,
  attributes: Object.fromEntries(
    attributes
      .split(' ')
      .filter(Boolean)
      .map((each) => [each.replace('!', ''), attributeOf(each)]),
  ),
}));

function attributeOf(written: string): LeafAttribute {
  const name = written.replace('!', '');
  const isRequired = written.endsWith('!');
  if (/URI$/i.test(name)) return { type: 'anyURI', isRequired };
  return { type: name === 'languageID' ? 'language' : 'normalizedString', isRequired };
}

/**
 * UBL names its leaves by their representation term (UBL 2.1, NDR): the end of the name is the
 * type, except for one element of the standard.
 */
const byEnding: readonly [RegExp, string][] = [
  [/^TimeAmount$/, 'Text'],
  [/Amount$/, 'Amount'],
  [/Quantity$/, 'Quantity'],
  [/Measure$/, 'Measure'],
  [/Date$/, 'Date'],
  [/Time$/, 'Time'],
  [/Indicator$/, 'Indicator'],
  [/(Percent|Numeric|Rate)$/, 'Numeric'],
  [/BinaryObject$/, 'BinaryObject'],
  [/Code$/, 'Code'],
  [/(ID|URI)$/, 'Identifier'],
];

/** The type of a leaf, by its name without prefix. */
export function leafTypeOf(local: string): LeafType {
  const name = byEnding.find(([ending]) => ending.test(local))?.[1] ?? 'Text';
  return leafTypes.find((each) => each.name === name)!;
}

/** The declaration of a leaf in the schema. */
export function leaf(local: string): Tag {
  return element({ name: local, type: leafTypeOf(local).name });
}

/** The types in the schema. */
export const leafTypeTags: readonly Tag[] = leafTypes.map(({ name, base, attributes }) => {
  const components = Object.entries(attributes).map(([attribute, { type, isRequired }]) =>
    tag('attribute', {
      name: attribute,
      type: `xs:${type}`,
      ...(isRequired ? { use: 'required' } : {}),
    }),
  );
  const extension = tag('extension', { base: `xs:${base}` }, components);
  return tag('complexType', { name }, [tag('simpleContent', {}, [extension])]);
});
