import { build } from '@drawbridge/binding/json/build.ts';
import { emit } from '@drawbridge/binding/xml/emit.ts';
import type { CimObject } from '@drawbridge/cim/json.ts';
import { creditNote as europeanCreditNote } from '@drawbridge/profiles/bis-3.0/example.ts';
import { exportInvoice } from '@drawbridge/profiles/pint-ae/example.ts';
import { foreignInvoice } from '@drawbridge/profiles/pint-my/example.ts';
import { profiles } from '@drawbridge/profiles/registry.ts';
import { bindings } from '@drawbridge/profiles/ubl.ts';
import fc from 'fast-check';

/** Good documents, and changes that tests make to them. */

/** Good documents as `emit` writes them, each with an attachment. */
export const written: readonly string[] = (
  [
    ['PINT-AE', 'invoice', exportInvoice],
    ['PINT-MY', 'invoice', foreignInvoice],
    ['BIS-3.0', 'credit-note', europeanCreditNote],
  ] as const
).map(([id, type, cim]: readonly [string, keyof typeof bindings, CimObject]) => {
  const { complete } = profiles.find((each) => each.id === id)!;
  const attached = { id: 'a', attachment: 'QUJD', mime_code: 'text/csv', filename: 'a.csv' };
  const lines = cim.lines as readonly CimObject[];
  // Enough lines for a reader that expects them to be alike.
  const whole = complete({ ...cim, documents: [attached], lines: [...lines, ...lines, ...lines] });
  return emit(bindings[type], build(bindings[type], whole).root);
});

/** Start tags and end tags, each with the text after it. */
export function piecesOf(xml: string): string[] {
  return xml.replace(/^<\?.*?\?>/, '').split(/(?<=>)(?=<)/);
}

export function isLeaf(piece: string): boolean {
  return piece.includes('</') && !piece.startsWith('</');
}

/** Texts for values. */
export const texts = [
  '',
  ' ',
  '1',
  '-1',
  '+1',
  '+.5',
  '+',
  '+-1',
  '-',
  '.',
  '1.',
  '.5',
  '-.5',
  '1..5',
  '1e3',
  '1,000',
  ' 1 ',
  '007',
  '12345678901234567890123456789',
  '0.1234567890123456789',
  'INF',
  'NaN',
  '１',
  '\u00a01',
  '2026-02-28',
  '2026-02-29',
  '2024-02-29',
  '2026-02-30',
  '2026-01-31',
  '2000-02-29',
  '1900-02-29',
  '9999-12-31',
  '2026-04-31',
  '2026-13-01',
  '2026-1-1',
  '0000-01-01',
  '-2026-01-01',
  '2026-01-01Z',
  '2026-01-01+14:00',
  ' 2026-01-01',
  '2026-01-01\t',
  '20260101',
  '10:00:00',
  '24:00:00',
  '10:00:60',
  '10:00:00.5',
  '\n10:00:00 ',
  '10:00:00+14:00',
  '10:00',
  '25:00:00Z',
  'true',
  'false',
  'TRUE',
  '0',
  'x',
  'a\nb',
  '&#13;',
  '&#9;',
  '<!-- c -->1',
  '1<?p?>',
  '<![CDATA[1]]>',
  '<cbc:ID>1</cbc:ID>',
  '\u00a0',
  '\u2028',
  '%zz',
  '1<!-- c -->2',
  'QUJD',
  'QUJ',
  'QUI=',
  'QUJ=',
  'QQ==',
  'QR==',
  'QUJDQ_==',
  'Q=Q=',
  'QUJDQQ==',
  'QU JD',
  '\n QUJD\n QQ==\n',
  'QQ= =',
];
const xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
/** Attributes for start tags. */
export const attributes = [
  'currencyID="AED"',
  'currencyID=""',
  'unitCode="H87"',
  'schemeID="0088"',
  'format="x"',
  'languageID="en"',
  'languageID="not a language"',
  'listURI="http://[x"',
  'uri="%zz"',
  'mimeCode="application/pdf"',
  'xml:lang="en"',
  'xml:id="1 2"',
  'toString="x"',
  'x=""',
  'xmlns:y="urn:x"',
  'xmlns:y="%zz :"',
  'xmlns=""',
  'xmlns:cbc="urn:other"',
  ...['type="cbc:IDType"', 'type="cac:PartyType"', 'type="cbc:NoteType"', 'nil="false"'].map(
    (own) => `${xsi} xsi:${own}`,
  ),
];
const invoiceUri = bindings.invoice.table.namespace;
const hints = [
  `xsi:schemaLocation="${invoiceUri} http://x/UBL-Invoice-2.1.xsd"`,
  `xsi:schemaLocation="${invoiceUri} a.xsd urn:x b.xsd"`,
  'xsi:schemaLocation="urn:x a.xsd"',
  'xsi:schemaLocation="x"',
  'xsi:nil="true"',
  'xsi:noNamespaceSchemaLocation="a.xsd"',
  'xsi:type="x"',
].map((hint) => `${xsi} ${hint}`);
const between = [
  '<cbc:Note>n</cbc:Note>',
  '<cbc:LineCountNumeric>1</cbc:LineCountNumeric>',
  '<x/>',
  '<cac:Signature><cbc:ID>1</cbc:ID></cac:Signature>',
  '<cac:Party/>',
  '<cbc:CopyIndicator/>',
  '<cac:PartyIdentification><cbc:ID/></cac:PartyIdentification>',
  '<cbc:TimeAmount/>',
  'x',
  '\u00a0',
  '\n ',
  '<![CDATA[ ]]>',
  '<![CDATA[x]]>',
  '<!-- c -->',
  '<?p?>',
  '&#32;',
];

/** A change of a document. */
export const change = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('text', 'attribute', 'between', 'drop', 'twice', 'swap', 'hint'),
  pick: fc.nat(),
});

/** Makes a change in the pieces of a document. */
export function changed(
  pieces: string[],
  { at, kind, pick }: { at: number; kind: string; pick: number },
) {
  const leaves = [...pieces.keys()].filter((index) => isLeaf(pieces[index]!));
  const leaf = leaves[at % leaves.length]!;
  const any = 1 + (at % (pieces.length - 1));
  const taken = <T>(list: readonly T[]): T => list[pick % list.length]!;
  if (kind === 'text') pieces[leaf] = pieces[leaf]!.replace(/>.*</s, () => `>${taken(texts)}<`);
  if (kind === 'attribute') pieces[any] = withAttribute(pieces[any]!, taken(attributes));
  if (kind === 'hint') pieces[0] = withAttribute(pieces[0]!, taken(hints));
  if (kind === 'between') pieces.splice(any, 0, taken(between));
  if (kind === 'drop') pieces.splice(leaf, 1);
  if (kind === 'twice') pieces.splice(leaf, 0, pieces[leaf]!);
  if (kind === 'swap') pieces.splice(leaf, 2, ...pieces.slice(leaf, leaf + 2).reverse());
}

/** The piece with one more attribute. */
export function withAttribute(piece: string, attribute: string): string {
  return piece.replace(/^<[\w:]+/, (tag) => `${tag} ${attribute}`);
}
