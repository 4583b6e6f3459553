import { creditNote } from '@drawbridge/ubl/credit-note.ts';
import { invoice } from '@drawbridge/ubl/invoice.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compile } from '../compile.ts';
import { runs } from '../runs.fixture.ts';
import { parseStrictly } from './parse.ts';
import { scan } from './scan.ts';

const bindings = [compile(invoice), compile(creditNote)];
const urn = 'urn:oasis:names:specification:ubl:schema:xsd';
const head = `<Invoice xmlns="${urn}:Invoice-2" xmlns:cac="${urn}:CommonAggregateComponents-2" xmlns:cbc="${urn}:CommonBasicComponents-2">`;

function declared(rest: string): string {
  return `<?xml version="1.0" ${rest}?>${head}</Invoice>`;
}

/** Reads a document in every way and expects the same result; false when the scanner leaves it. */
function agree(xml: string): boolean {
  const scanned = scan(bindings, [xml]);
  const inPieces = scan(bindings, xml.split(/(?=<)/));
  // A piece may end only there.
  const isSure = inPieces !== undefined || !/<[!?]/.test(xml);
  if (isSure) expect(inPieces).toEqual(scanned);
  if (scanned === undefined) return false;
  const strict = parseStrictly(bindings, xml);
  expect(strict.kind, 'what is scanned is well-formed').toBe('parsed');
  if (strict.kind === 'parsed') expect(scanned.root).toEqual(strict.root);
  return true;
}

describe('the scanner gives the same result as the complete parser', () => {
  test.each([
    [
      'a declaration',
      `<?xml version="1.0" encoding="utf-8" standalone='yes' ?>\n${head}</Invoice>`,
    ],
    [
      'references',
      `${head}<cbc:ID a="&lt;&#10;&quot;\t\n">&amp;&apos;&#x1F600;&gt;&#13;</cbc:ID></Invoice>`,
    ],
    ['a CDATA section', `${head}<cbc:ID>a<![CDATA[<&]] >]]>b</cbc:ID></Invoice>`],
    [
      'comments and instructions',
      `<!-- a --><?b c?>${head}<cbc:ID>1<!-- - -->2<?x?></cbc:ID><!----></Invoice>\n<!-- z -->`,
    ],
    [
      'texts that comments, instructions and elements part',
      `${head}<cbc:ID><!-- -->1<![CDATA[2]]>3<?x?><a>4<b>5</b>6</a>7<b/></cbc:ID><cbc:Odd>1<!-- -->2<c>3</c></cbc:Odd></Invoice>`,
    ],
    ['other line ends', `${head}\r\n<cbc:Note b="\r\n">1\r2\r\n</cbc:Note>\r</Invoice>\r\n`],
    [
      'other prefixes',
      `<u:Invoice xmlns:u="${urn}:Invoice-2"><b:ID xmlns:b="${urn}:CommonBasicComponents-2">1</b:ID></u:Invoice>`,
    ],
    [
      'a default namespace on a child',
      `${head}<ID xmlns="${urn}:CommonBasicComponents-2">1</ID><Party xmlns=""><X/></Party></Invoice>`,
    ],
    [
      'a prefix that means something else inside',
      `${head}<cac:Delivery xmlns:cbc="urn:x"><cbc:ID/></cac:Delivery><cbc:ID>1</cbc:ID></Invoice>`,
    ],
    [
      'attributes in a namespace',
      `${head.replace('>', ' xmlns:xsi="urn:xsi" xsi:schemaLocation="a b">')}<cbc:ID xml:lang="en" xsi:nil="false" lang="x"/></Invoice>`,
    ],
    [
      'what no row binds',
      `${head}<cbc:Odd a="1">t<x:y xmlns:x="urn:y">u</x:y></cbc:Odd><cbc:Odd/>text</Invoice>`,
    ],
    [
      'white space in tags',
      `${head.replace('>', '\n>')}<cbc:ID\ta = '1"' />\n <cbc:Note>\n</cbc:Note\n></Invoice>`,
    ],
    ['other scripts', `${head}<cbc:Note>مرحبا 𝔘 é</cbc:Note></Invoice>`],
  ])('%s', (_what, xml) => {
    expect(agree(xml)).toBe(true);
  });

  test.each([
    ['a document type', `<!DOCTYPE Invoice>${head}</Invoice>`],
    ['another version', `<?xml version="1.1"?>${head}</Invoice>`],
    ['another encoding', `<?xml version="1.0" encoding="latin1"?>${head}</Invoice>`],
    ['a declaration in capitals', `<?xml VERSION="1.0"?>${head}</Invoice>`],
    ['a declaration whose answer is in capitals', declared('standalone="YES"')],
    ['a declaration with other blanks', `<?xml \u00a0version="1.0"?>${head}</Invoice>`],
    ['a reference before the root', `&#10;${head}</Invoice>`],
    ['a reference after the root', `${head}</Invoice>&#9;`],
    ['a namespace with white space around it', `${head}<x:y xmlns:x=" urn:x"/></Invoice>`],
    ['a declaration that is not first', ` <?xml version="1.0"?>${head}</Invoice>`],
    ['an end tag of another element', `${head}<cbc:ID></cbc:IDs></Invoice>`],
    ['an end tag of the beginning of a name', `${head}<cbc:IDs></cbc:ID></Invoice>`],
    ['no end', `${head}<cbc:ID>`],
    ['a second root', `${head}</Invoice>${head}</Invoice>`],
    ['text after the root', `${head}</Invoice>x`],
    ['an unknown entity', `${head}&nbsp;</Invoice>`],
    ['a reference without end', `${head}&amp</Invoice>`],
    ['a reference to no character', `${head}&#0;</Invoice>`],
    ['a surrogate', `${head}&#xD800;</Invoice>`],
    ['a control character', `${head}\u0001</Invoice>`],
    ['a control character in an attribute', `${head}<cbc:ID a="\u0001"/></Invoice>`],
    ['a control character in a name', `${head}<cbc:I\u0001D/></Invoice>`],
    ['a control character in a tag', `${head}<cbc:ID \u000c/></Invoice>`],
    ['a control character in a comment', `${head}<!--\u0001--></Invoice>`],
    ['a control character in an instruction', `${head}<?a \u0001?></Invoice>`],
    ['a control character in a CDATA section', `${head}<![CDATA[\u0001]]></Invoice>`],
    ['a control character after the root', `${head}</Invoice>\u0001`],
    ['what is no character', `${head}\ufffe</Invoice>`],
    ['what is no character, in an attribute', `${head}<cbc:ID a="\uffff"/></Invoice>`],
    ['half a pair', `${head}\ud800</Invoice>`],
    ['the end of a CDATA section', `${head}]]></Invoice>`],
    ['two dashes in a comment', `${head}<!-- -- --></Invoice>`],
    ['three dashes at the end of a comment', `${head}<!-- ---></Invoice>`],
    ['the same attribute twice', `${head}<cbc:ID a="1" a="2"/></Invoice>`],
    [
      'the same attribute by two prefixes',
      `${head}<cbc:ID xmlns:a="u" xmlns:b="u" a:x="1" b:x="2"/></Invoice>`,
    ],
    ['attributes that touch', `${head}<cbc:ID a="1"b="2"/></Invoice>`],
    ['an attribute without quotes', `${head}<cbc:ID a=1/></Invoice>`],
    ['< in an attribute', `${head}<cbc:ID a="<"/></Invoice>`],
    ['a prefix that is not declared', `${head}<x:ID/></Invoice>`],
    ['a prefix undeclared', `${head}<cbc:ID xmlns:cbc=""/></Invoice>`],
    ['a reserved prefix', `${head}<cbc:ID xmlns:xmlns="u"/></Invoice>`],
    ['a name that begins with a digit', `${head}<1D/></Invoice>`],
    ['a name with two colons', `${head}<cbc:a:b/></Invoice>`],
    ['an instruction called xml', `${head}<?XML x?></Invoice>`],
    ['another root', '<a/>'],
    ['nothing', ''],
  ])('%s is left to the complete parser, which refuses it', (_what, xml) => {
    expect(scan(bindings, [xml])).toBeUndefined();
    expect(parseStrictly(bindings, xml).kind).toBe('refused');
  });

  const text = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom(
      ' ',
      '\n',
      '\r\n',
      '\t',
      '&amp;',
      '&#65;',
      '<![CDATA[<]]>',
      '<!-- c -->',
      '<?p d?>',
    ),
    fc.constantFrom('&', '<', ']]>', '--', '"', "'", '>', '<!DOCTYPE x>', '\u0000', '\ufffe', '𝔘'),
  );
  const attribute = fc
    .tuple(
      fc.constantFrom(
        'a',
        'currencyID',
        'xml:lang',
        'cbc:a',
        'x:a',
        'xmlns',
        'xmlns:x',
        'xmlns:cbc',
        '__proto__',
      ),
      fc.oneof(fc.constantFrom('AED', 'urn:x', `${urn}:CommonBasicComponents-2`, ''), text),
      fc.constantFrom('"', "'"),
    )
    .map(([name, value, quote]) => ` ${name}=${quote}${value}${quote}`);
  const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
    element: fc
      .tuple(
        fc.constantFrom(
          'cbc:ID',
          'cbc:Note',
          'cac:InvoiceLine',
          'cac:Item',
          'cac:Price',
          'ID',
          'x:y',
          'é',
        ),
        fc.array(attribute, { maxLength: 2 }),
        tie('content'),
      )
      .map(([name, attributes, content]) => `<${name}${attributes.join('')}>${content}</${name}>`),
    content: fc
      .array(fc.oneof({ maxDepth: 4 }, text, tie('element')), { maxLength: 3 })
      .map((parts) => parts.join('')),
  }));

  test('any document', () => {
    let read = 0;
    fc.assert(
      fc.property(fc.array(element, { maxLength: 4 }), (elements) => {
        if (agree(`${head}${elements.join('')}</Invoice>`)) read++;
      }),
      runs(500),
    );
    expect(read).toBeGreaterThan(20);
  });

  const names = [
    'cbc:ID',
    'cbc:ID',
    'b:ID',
    'cbc:Name',
    'b:Name',
    'cac:Item',
    'cac:Item',
    'a:Item',
    'cac:ClassifiedTaxCategory',
  ];
  const heads = [head, head.replace('>', ` xmlns:a="${urn}:CommonAggregateComponents-2">`)].map(
    (each) => each.replace('>', ` xmlns:b="${urn}:CommonBasicComponents-2">`),
  );
  const rarely = (odd: readonly string[]) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant('') }, fc.constantFrom(...odd));
  const { piece } = fc.letrec<{ piece: string; inner: string }>((tie) => ({
    piece: fc
      .tuple(
        fc.constantFrom(...names),
        rarely([' a="1"', ' xmlns:b="urn:x"', '/', ' ']),
        tie('inner'),
        rarely(['', '', '', '', 'cbc:ID', 'cac:Item']),
        rarely(['<!-- c -->', '<?p?>', '<![CDATA[ ]]>', ' ']),
      )
      .map(([name, attributes, inner, otherEnd, after]) =>
        attributes === '/'
          ? `<${name}/>${after}`
          : `<${name}${attributes}>${inner}</${otherEnd || name}>${after}`,
      ),
    inner: fc
      .array(fc.oneof({ maxDepth: 3 }, fc.constantFrom('1', ' ', '<!-- c -->'), tie('piece')), {
        maxLength: 3,
      })
      .map((parts) => parts.join('')),
  }));

  test.each([
    '<cbc:ID>1</cbc:ID><cac:Item/> <cbc:Note>n</cbc:Note>',
    '<cbc:ID>1</cbc:ID><cac:Item></cac:Item> <cbc:Note>n</cbc:Note>',
    '<cbc:ID>1</cbc:ID><![CDATA[x]]><cbc:Note>n</cbc:Note>',
    '<cbc:ID>1</cbc:ID>x<!-- c --> <cbc:Note>n</cbc:Note>',
    '<cbc:ID>1</cbc:ID><cac:Item xmlns:b="urn:x"> <b:Name>1</b:Name></cac:Item>',
    '<a:Item><cbc:Name>1</cbc:Name> </a:Item><cac:Item><cbc:Name>1</cbc:Name> </cac:Item>',
    '<cbc:Odd>1</cbc:Odd> <cbc:ID>1</cbc:ID><cbc:Odd>1</cbc:Odd> <cbc:ID>1</cbc:ID>',
    `<cac:Item><cac:ClassifiedTaxCategory><cac:TaxScheme><cbc:ID>1<!-- c --></cbc:ID> <cbc:Note>
    </cbc:Note></cac:TaxScheme></cac:ClassifiedTaxCategory></cac:Item><cbc:ID>1</cbc:ID> <cbc:Note>n</cbc:Note>`,
  ])('%s, line after line', (line) => {
    const lines = `<cac:InvoiceLine>${line}</cac:InvoiceLine>`.repeat(4);
    expect(agree(`${heads[1]}${lines}</Invoice>`)).toBe(true);
  });

  test.each(['<a:Item> </a:Item>', '<a:Item><cbc:Name>1</cbc:Name> </a:Item>'])(
    'an end tag of another prefix that stands in the other lines: %s',
    (item) => {
      const good = `<cac:InvoiceLine>${item.replaceAll('a:', 'cac:')}</cac:InvoiceLine>`.repeat(3);
      const bad = `<cac:InvoiceLine>${item.replace('</a:', '</cac:')}</cac:InvoiceLine>`;
      expect(agree(`${heads[1]}${good}${bad}${good}</Invoice>`)).toBe(false);
    },
  );

  test.each(heads)('lines of which many are alike, below %s', (root) => {
    let read = 0;
    fc.assert(
      fc.property(
        fc.array(fc.array(piece, { maxLength: 3 }), { minLength: 1, maxLength: 2 }),
        fc.array(fc.nat(1), { minLength: 3, maxLength: 9 }),
        (kinds, order) => {
          const lines = order.map((each) => kinds[each % kinds.length]!.join(''));
          const body = lines.map((each) => `<cac:InvoiceLine>${each}</cac:InvoiceLine>`).join('');
          const xml = `${root}${body}</Invoice>`;
          const isRead = agree(xml);
          if (isRead) read++;
          else expect(parseStrictly(bindings, xml).kind, 'is well-formed').toBe('refused');
        },
      ),
      runs(1_500),
    );
    expect(read).toBeGreaterThan(300);
  });
});
