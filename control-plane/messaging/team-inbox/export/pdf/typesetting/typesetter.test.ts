import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ConversationDocument, Entry } from '../document.ts';
import { partsOf } from '../parts.ts';
import { picturePixelsMax } from '../pictures/picture.ts';
import { textOf, whyNoReader } from '../reading.kit.ts';
import {
  phoneJpeg,
  sampleDocument,
  sampleEntry,
  sampleJpeg,
  samplePng,
} from '../sample.fixture.ts';
import { openTypesetter, type Typesetter } from './typesetter.ts';

let typesetter: Typesetter;
beforeAll(() => {
  typesetter = openTypesetter();
});

function print(change: Partial<ConversationDocument> = {}): Uint8Array {
  const [part] = partsOf(sampleDocument(change));
  return typesetter.typeset(part!);
}

const printed = (entry: Partial<Entry>) => print({ entries: [sampleEntry(0, entry)] });

test('the same document gives the same bytes, also from another typesetter after other work', () => {
  const file = print();
  printed({ text: 'something else' });
  expect(print()).toEqual(file);
  const [part] = partsOf(sampleDocument());
  expect(openTypesetter().typeset(part!)).toEqual(file);
  expect(Buffer.from(file).toString('latin1')).not.toMatch(/CreationDate|ModDate/);
});

test('it is a PDF whose fonts are all inside', () => {
  const text = Buffer.from(print()).toString('latin1');
  expect(text.startsWith('%PDF-1.')).toBe(true);
  expect(text.trimEnd().endsWith('%%EOF')).toBe(true);
  const fonts = [...text.matchAll(/\/BaseFont \/[A-Z]{6}\+(\w+)/g)].map(([, name]) => name);
  expect(new Set(fonts)).toEqual(
    new Set(['NotoSans', 'Vazirmatn', 'NotoSansTamil', 'NotoSansSC', 'NanumGothic']),
  );
});

test.each([
  ['PNG', samplePng(9, 9), '/FlateDecode'],
  ['JPEG', sampleJpeg, '/DCTDecode'],
])('a %s thumbnail is in the file', (_, thumbnail, filter) => {
  const pictures = (file: Uint8Array) => {
    const objects = Buffer.from(file).toString('latin1').split('endobj');
    return objects.filter((each) => each.includes('/Subtype /Image') && each.includes(filter))
      .length;
  };
  const tenant = { name: 'Acme' };
  const entries = [sampleEntry(0, { media: [{ type: 'image', thumbnail }] })];
  expect(pictures(print({ tenant, entries }))).toBe(1);
  expect(pictures(print({ tenant, entries: [sampleEntry(0)] }))).toBe(0);
});

test('a photo does not reveal where it was taken', () => {
  const place = '25.2048N 55.2708E';
  const thumbnail = phoneJpeg(6, place);
  expect(thumbnail.includes(place)).toBe(true);
  const tenant = { name: 'Acme', logo: thumbnail };
  const entries = [sampleEntry(0, { media: [{ type: 'image', thumbnail }] })];
  const file = Buffer.from(print({ tenant, entries }));
  expect(file.toString('latin1').match(/DCTDecode/g)).toHaveLength(1); // the same picture twice
  expect(file.includes(place)).toBe(false);
});

test('an unknown time zone is refused', () => {
  expect(() => print({ timeZone: 'Mars/Olympus' })).toThrow(/time zone/);
});

describe('read back', () => {
  beforeEach((context) => {
    const reason = whyNoReader();
    if (reason !== undefined) context.skip(reason);
  });

  test('the head names tenant, contact, channels, period, zone, exporter and participants', async () => {
    const text = await textOf(print());
    for (const expected of [
      'Gulf Meridian Bank',
      'Conversation record',
      'Fatima Al Mansoori · فاطمة المنصوري',
      'WhatsApp, SMS',
      'cnv_01m7ymvd8mxaner5rp12k5mvz7',
      'Entries',
      'Asia/Dubai',
      '2026-11-20 23:58:12 – 2026-11-21 07:08:12',
      'Priya Raman <priya@gulfmeridian.example>',
      '2026-11-21 12:00:00 (2026-11-21 08:00:00 UTC)',
      'Participants',
      'Agent',
      'Admin',
      'Friday, 20 November 2026',
      'Saturday, 21 November 2026',
      '1/2',
      '2/2',
    ]) {
      expect(text).toContain(expected);
    }
  });

  test.each<[string, Partial<ConversationDocument>, string[]]>([
    [
      'the whole',
      { extent: { hasNotes: false } },
      ['the whole conversation', 'without internal notes'],
    ],
    [
      'a piece',
      { extent: { since: new Date('2026-11-20T20:00:00Z'), hasNotes: true } },
      ['only from 2026-11-21 00:00:00 (2026-11-20 20:00:00 UTC)', 'with internal notes'],
    ],
    ['no channel', { channels: [] }, ['\nnone\n']],
    ['no consents', { consents: [] }, ['Consents', 'None on record']],
    ['many consents', { hasMoreConsents: true }, ['the newest 2; older ones are left out']],
    ['a message of nothing', { entries: [sampleEntry(0, { text: '' })] }, ['[empty]']],
    [
      'why it failed',
      { entries: [sampleEntry(0, { problem: '131026: not on the network' })] },
      ['131026: not on the network'],
    ],
  ])('it says %s', async (_, change, expected) => {
    const text = await textOf(print(change));
    for (const words of expected) expect(text).toContain(words);
  });

  test('a name of 200 wide letters leaves room for the conversation', async () => {
    const name = 'W'.repeat(200);
    const entries = Array.from({ length: 30 }, (_, n) => sampleEntry(n, { text: `n${n}.` }));
    const text = await textOf(print({ tenant: { name }, entries }));
    const [first, second] = text.split('\f');
    expect(first!.match(/^n\d+\.$/gm)!.length).toBeGreaterThan(5);
    expect(second!.match(/W/g)!.length).toBeLessThan(100);
  });

  test('entries have both times, author, direction, channel, states and media', async () => {
    const text = await textOf(print());
    for (const expected of [
      '23:58:12',
      '19:58:12 UTC',
      '20 Nov 20:00:12 UTC',
      'Sent · WhatsApp',
      'يوسف حداد',
      'sent 00:00:12 · delivered 00:00:14 · read 00:00:53',
      'Internal note, not sent',
      'receipt.png · image/png · 48 kB',
      'document',
      'failed 06:43:12',
      'Received · WhatsApp',
      'Call received · Voice',
      'Closed the conversation',
      'Consents',
      'granted',
      'revoked',
      '2026-01-03 12:15:00',
      '2026-01-03 08:15:00 UTC',
      '+971501234567',
      'Said yes by keyword',
    ]) {
      expect(text).toContain(expected);
    }
  });

  test.each([
    'नमस्ते! आपका ₹45,000 का भुगतान',
    'ஸ்ரீ லட்சுமி டிரேடர்ஸ்',
    '你好，我想确认一下转账的状态',
    '東京支店からの入金も確認できますか',
    '감사합니다, 확인 부탁드립니다',
    'مرحبا',
    'Al Noor Trading LLC',
    '👨‍👩‍👧‍👦',
    '🇦🇪 🇮🇳 🇲🇾',
    '❤️',
  ])('%s is in the text of the file', async (words) => {
    expect(bare(await textOf(print()))).toContain(bare(words));
  });

  test.each([
    '#import "@preview/cetz:0.3.0": *',
    '#read("/etc/passwd") #sys.inputs #panic("x")',
    '*bold* _it_ `raw` $x^2$ <label> @ref = Head // gone /* gone */ \\ #{1 + 1}',
    ']#set page(fill: red)[',
    '"); #eval("1") ("',
    '\\u{41} \\n -- --- ... ~ "quoted"',
  ])('%s is printed as it was written', async (words) => {
    const text = await textOf(printed({ text: words, author: words.slice(0, 9) }));
    expect(text).toContain(words);
    expect(text.split(words.slice(0, 9).trim())).toHaveLength(3);
  });

  test.each([
    ['nul\0and \x1b[2J', 'nul[U+0000]and [U+001B][2J'],
    ['a \ud83d lone', 'a [U+D83D] lone'],
    ['send \u202e05$', 'send [U+202E]05$'],
    ['\u{1f9ff}\u{10c00}', '[U+10C00]'],
  ])('%j shows its codes', async (text, shown) => {
    expect(await textOf(printed({ text }))).toContain(shown);
  });

  test('a word of 100,000 letters is complete and within the page', async () => {
    const file = printed({ text: `${'W'.repeat(100_000)}E` });
    const lines = (await textOf(file)).split('\n').filter((line) => /^W{9,}E?$/.test(line.trim()));
    expect(lines.join('').replace(/\s/g, '')).toHaveLength(100_001);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(50);
  });

  test('an author’s open override only reverses the author', async () => {
    const text = await textOf(printed({ author: 'Eve \u202b\u2067\u202e' }));
    expect(text).toContain('Eve [U+202E]\n');
    expect(text).toContain('Received · WhatsApp\n');
  });

  test.each([
    ['not a picture', Buffer.from('GIF89a'), 'image: its format is not known'],
    ['cut short', samplePng(64, 64).subarray(0, 90), 'image: the picture is damaged'],
    ['changed inside', changed(samplePng(64, 64)), 'image: the picture is damaged'],
    ['a JPEG without a picture', Buffer.from('ffd8ffd9', 'hex'), 'image: its format is not known'],
    ['a JPEG cut short', sampleJpeg.subarray(0, 120), 'image: its format is not known'],
    ['a bomb', bomb(), 'image: the picture is too large'],
    ['empty', Buffer.alloc(0), 'image: its format is not known'],
  ])('a thumbnail that is %s gives a labelled box', async (_, thumbnail, label) => {
    const media = [{ type: 'image', filename: 'a.png', thumbnail }];
    const text = await textOf(printed({ media }));
    expect(text).toContain(label);
    expect(text).toContain('a.png');
  });

  test('a broken logo is left out, a broken colour ignored', async () => {
    const tenant = { name: 'Acme', logo: Buffer.from('x'), colour: 'red; #panic()' };
    expect(await textOf(print({ tenant }))).toContain('Acme\n');
  });
});

/** Poppler guesses the spaces around emoji. */
function bare(text: string): string {
  return text.replace(/\s/g, '');
}

function changed(png: Buffer): Buffer {
  const copy = Buffer.from(png);
  copy[copy.length - 30]! ^= 0xff;
  return copy;
}

function bomb(): Buffer {
  const png = samplePng(8, 8);
  png.writeUInt32BE(picturePixelsMax, 16);
  return png;
}
