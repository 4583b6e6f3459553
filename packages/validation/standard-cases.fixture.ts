import vocabulary from '@drawbridge/ubl/vocabulary.json' with { type: 'json' };
import { piecesOf, withAttribute, written } from './changes.fixture.ts';

/** Invoices with more than a profile has, and whether each is valid by the standard. */
export function standardCases(): (readonly [what: string, xml: string, isValid: boolean])[] {
  return [
    ...extensions.map(
      ([what, content, isValid]) => [what, withExtension(content), isValid] as const,
    ),
    ...instanceAttributes.map(
      ([what, tag, attribute, isValid]) => [what, withFirst(tag, attribute), isValid] as const,
    ),
  ];
}

const digest = '<ds:DigestMethod Algorithm="urn:d"/><ds:DigestValue>QUJD</ds:DigestValue>';
const properties =
  '<xades:SignedSignatureProperties><xades:SigningTime>2026-11-21T10:00:00Z</xades:SigningTime></xades:SignedSignatureProperties>';
const signature = [
  '<sig:UBLDocumentSignatures><sac:SignatureInformation><cbc:ID>1</cbc:ID>',
  '<sbc:ReferencedSignatureID schemeID="x">2</sbc:ReferencedSignatureID>',
  '<ds:Signature Id="s"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="urn:c"/>',
  `<ds:SignatureMethod Algorithm="urn:m"/><ds:Reference URI="">${digest}</ds:Reference>`,
  '</ds:SignedInfo><ds:SignatureValue>QUJD</ds:SignatureValue><ds:KeyInfo><ds:X509Data>',
  '<ds:X509Certificate>QUJD</ds:X509Certificate></ds:X509Data></ds:KeyInfo><ds:Object>',
  `<xades:QualifyingProperties Target="#s"><xades:SignedProperties>${properties}`,
  '</xades:SignedProperties></xades:QualifyingProperties></ds:Object></ds:Signature>',
  '</sac:SignatureInformation></sig:UBLDocumentSignatures>',
].join('');

/** Contents of extensions. */
const extensions: readonly (readonly [what: string, content: string, isValid: boolean])[] = [
  ['a signature', signature, true],
  ['a signature without its value', changed(/<ds:SignatureValue>.*?<\/ds:\w+>/, ''), false],
  ['a signature of nothing', changed(/<ds:Reference .*?<\/ds:Reference>/, ''), false],
  ['a digest that is not Base64', changed('DigestValue>QUJD', 'DigestValue>QUJ'), false],
  ['a method without its name', changed(' Algorithm="urn:m"', ''), false],
  ['no information of a signature', changed(/<sac:.*<\/sac:\w+>/, ''), false],
  [
    'an id after what it refers to',
    changed(/(<cbc:ID>.*?<\/\w+:ID>)(<sbc.*?<\/.*?>)/, '$2$1'),
    false,
  ],
  ['two things with one id', changed('<ds:SignedInfo>', '<ds:SignedInfo Id="s">'), false],
  ['a key given in no known way', changed(/<ds:X509Data>.*<\/ds:X509Data>/, '<x/>'), true],
  ['a key that is missing', changed(/<ds:X509Data>.*<\/ds:X509Data>/, ''), false],
  ['a time without its day', changed('2026-11-21T10:00:00Z', '10:00:00'), false],
  ['an undeclared property', changed(properties, '<xades:Nothing/>'), false],
  ['something declared nowhere', '<x><y/></x>', true],
  ['a party', '<cac:Party/>', true],
  ['an amount without currency', '<cbc:Amount>1</cbc:Amount>', false],
  ['an element of no invoice', '<cac:Consignment><cbc:ID>1</cbc:ID></cac:Consignment>', true],
  ['an element of no invoice, empty', '<cac:Consignment/>', false],
  ['a fault in what is declared nowhere', '<x><cbc:IssueDate>1</cbc:IssueDate></x>', false],
  ['an extension in itself', '<ext:ExtensionReason/>', false],
  ['two contents', '<x/><x/>', false],
  ['a type that it says itself', '<x xsi:type="xs:date">2026-11-21</x>', true],
  ['a value not of the type that it says', '<x xsi:type="cbc:IssueDateType">1</x>', false],
];

function changed(from: string | RegExp, to: string): string {
  return signature.replace(from, to);
}

const otherPrefix = 'xmlns:i="http://www.w3.org/2001/XMLSchema-instance"';

/** Attributes that XML Schema itself reads, for the first tag with this beginning. */
const instanceAttributes: readonly (readonly [
  what: string,
  tag: string,
  attribute: string,
  isValid: boolean,
])[] = [
  ['its own type', '<cbc:ID>', 'xsi:type="cbc:IDType"', true],
  ['its own type, by another prefix', '<cbc:ID>', `${otherPrefix} i:type="cbc:IDType"`, true],
  ['the own type of a group', '<cac:Party>', 'xsi:type="cac:PartyType"', true],
  [
    'the type of an element called otherwise',
    '<cac:PostalAddress>',
    'xsi:type="cac:AddressType"',
    true,
  ],
  ['the own type of the document', '<Invoice ', 'xsi:type="InvoiceType"', true],
  ['the type that its own extends', '<cbc:ID>', 'xsi:type="udt:IdentifierType"', false],
  ['another type of the same kind', '<cbc:ID>', 'xsi:type="cbc:UUIDType"', false],
  ['a type of the W3C', '<cbc:IssueDate>', 'xsi:type="xs:date"', false],
  ['an element for a type', '<cbc:ID>', 'xsi:type="cbc:ID"', false],
  ['a type of no namespace', '<cbc:ID>', 'xsi:type="none:IDType"', false],
  ['nil', '<cbc:UUID>', 'xsi:nil="true"', false],
  ['not nil', '<cbc:ID>', 'xsi:nil="false"', false],
  ['a place of a schema', '<cac:Party>', 'xsi:schemaLocation="urn:x x.xsd"', true],
  ['half a place of a schema', '<cac:Party>', 'xsi:schemaLocation="urn:x"', true],
  ['a place without namespace', '<cbc:ID>', 'xsi:noNamespaceSchemaLocation="x.xsd"', true],
  ['an attribute of no meaning', '<cbc:ID>', 'xsi:other="1"', false],
];

const [start, ...rest] = piecesOf(written[0]!);
const declarations = Object.entries(vocabulary.modules)
  .filter(([prefix]) => !start!.includes(`xmlns:${prefix}=`))
  .map(([prefix, { namespace }]) => `xmlns:${prefix}="${namespace}"`)
  .concat('xmlns:xs="http://www.w3.org/2001/XMLSchema"')
  .concat('xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"');

function withExtension(content: string): string {
  const extension = `<ext:UBLExtension><ext:ExtensionContent>${content}</ext:ExtensionContent></ext:UBLExtension>`;
  const root = withAttribute(start!, declarations.join(' '));
  return [root, `<ext:UBLExtensions>${extension}</ext:UBLExtensions>`, ...rest].join('');
}

function withFirst(tag: string, attribute: string): string {
  const xml = [withAttribute(start!, declarations.join(' ')), ...rest].join('');
  if (!xml.includes(tag)) throw new Error(`${tag} is not in the invoice`);
  return xml.replace(tag, (found) => withAttribute(found, attribute));
}
