import { crc32, deflateSync } from 'node:zlib';
import type { ConversationDocument, Entry } from './document.ts';

type Colour = readonly [red: number, green: number, blue: number];
type Painter = (x: number, y: number) => Colour;

const white: Colour = [255, 255, 255];
const gradient: Painter = (x, y) => [40 + (x % 160), 90 + (y % 110), 150];

/** A PNG file; `painter` gives the colour of each pixel. */
export function samplePng(width: number, height: number, painter = gradient): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    const pixels = Array.from({ length: width }, (__, x) => painter(x, y));
    return Buffer.from([0, ...pixels.flat()]);
  });
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A JPEG file of a few grey pixels. */
export const sampleJpeg = Buffer.from(
  [
    '/9j/4AAQSkZJRgABAQEAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKra',
    'rYqMyP/L2u71////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4',
    '+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj/wAARCAAMAAkDASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAA',
    'AQMF/8QAGxABAAICAwAAAAAAAAAAAAAAAQACAzEREkH/xAAUAQEAAAAAAAAAAAAAAAAAAAAA/8QAFBEBAAAAAAAA',
    'AAAAAAAAAAAAAP/aAAwDAQACEQMRAD8A08dGh1ooHm5aHAOowP/Z',
  ].join(''),
  'base64',
);

/** The same as a phone stores it: with an orientation and a place name in its metadata. */
export function phoneJpeg(orientation: number, place: string): Buffer {
  const words = Buffer.from(`${place}\0`);
  const ifd = Buffer.from('0002011200030000000100000000010e0002000000000000002600000000', 'hex');
  ifd.writeUInt16BE(orientation, 10);
  ifd.writeUInt32BE(words.length, 18);
  const head = Buffer.from('ffe100004578696600004d4d002a00000008', 'hex');
  head.writeUInt16BE(head.length - 2 + ifd.length + words.length, 2);
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, words.length + 2]), words]);
  const [start, rest] = [sampleJpeg.subarray(0, 2), sampleJpeg.subarray(2)];
  return Buffer.concat([start, head, ifd, words, comment, rest, Buffer.from(place)]);
}

/** A chunk of a PNG file. */
export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A logo: a dune under a moon. */
const mark: Painter = (x, y) => {
  const isMoon = (x - 84) ** 2 + (y - 34) ** 2 < 20 ** 2;
  const isDune = y > 76 - 26 * Math.sin((x + 12) / 44);
  const isInside = (x - 60) ** 2 + (y - 60) ** 2 < 58 ** 2;
  if (!isInside) return white;
  return isMoon ? [244, 208, 111] : isDune ? [6, 56, 47] : [11, 83, 69];
};

/** Lines of text, like on a receipt. */
const receipt: Painter = (x, y) => {
  const line = Math.floor(y / 22);
  const width = [300, 0, 420, 380, 400, 0, 440, 180][line] ?? 0;
  const isPrint = x > 24 && x < 24 + width && y % 22 > 8 && y % 22 < 18;
  return isPrint ? [120, 130, 140] : [250, 249, 245];
};

const start = Date.parse('2026-11-20T19:58:12Z');

/** An entry some minutes after the start. */
export function sampleEntry(minutes: number, change: Partial<Entry> = {}): Entry {
  return {
    kind: 'message',
    at: new Date(start + minutes * 60_000),
    direction: 'in',
    channel: 'wa',
    author: 'Fatima Al Mansoori',
    text: 'Good evening, I have a question about my transfer.',
    states: [],
    ...change,
  };
}

/** A conversation in many scripts. */
export function sampleDocument(change: Partial<ConversationDocument> = {}): ConversationDocument {
  return {
    conversationId: 'cnv_01m7ymvd8mxaner5rp12k5mvz7',
    tenant: { name: 'Gulf Meridian Bank', colour: '#0b5345', logo: samplePng(120, 120, mark) },
    timeZone: 'Asia/Dubai',
    contact: { name: 'Fatima Al Mansoori · فاطمة المنصوري', details: ['+971 50 123 4567'] },
    channels: ['wa', 'sms'],
    participants: [
      { name: 'Priya Raman', details: ['Agent'] },
      { name: 'يوسف حداد', details: ['Admin'] },
    ],
    entries: sampleEntries(),
    consents: [
      {
        at: new Date('2026-01-03T08:15:00Z'),
        channel: 'wa',
        address: '+971501234567',
        state: 'granted',
        source: 'inbound',
        note: 'Said yes by keyword',
      },
      {
        at: new Date('2026-06-01T12:00:00Z'),
        channel: 'sms',
        address: '+971501234567',
        state: 'revoked',
        source: 'inbound',
      },
    ],
    extent: { hasNotes: true },
    exportedBy: 'Priya Raman <priya@gulfmeridian.example>',
    exportedAt: new Date('2026-11-21T08:00:00Z'),
    ...change,
  };
}

function sampleEntries(): Entry[] {
  const agent = { direction: 'out', author: 'Priya Raman' } as const;
  const read = (minutes: number) => [
    { name: 'sent', at: new Date(start + minutes * 60_000 + 800) },
    { name: 'delivered', at: new Date(start + minutes * 60_000 + 2_100) },
    { name: 'read', at: new Date(start + minutes * 60_000 + 41_000) },
  ];
  return [
    sampleEntry(0, {
      text: 'مرحبا، حوّلت مبلغ AED 1,250.00 إلى Al Noor Trading LLC يوم 12/11/2026، ولم يصل بعد. رقم العملية TRX-88431.',
      author: 'فاطمة المنصوري',
    }),
    sampleEntry(2, {
      ...agent,
      text: 'Good evening Ms Al Mansoori, thank you for writing. Let me look at TRX-88431 for you. 🙏',
      states: read(2),
    }),
    sampleEntry(3, {
      kind: 'note',
      author: 'Priya Raman',
      text: 'Held by the screening step since 12 Nov; asked payments operations.\nTicket OPS-2291.',
    }),
    sampleEntry(6, {
      text: 'This is the receipt I was given 👇🏽',
      media: [
        {
          type: 'image',
          filename: 'receipt.png',
          contentType: 'image/png',
          bytes: 48_211,
          thumbnail: samplePng(480, 190, receipt),
        },
        {
          type: 'document',
          filename: 'كشف-حساب.pdf',
          contentType: 'application/pdf',
          bytes: 912_004,
        },
      ],
    }),
    sampleEntry(14, {
      ...agent,
      text: 'नमस्ते! आपका ₹45,000 का भुगतान संसाधित हो गया है। कृपया क्षण भर प्रतीक्षा करें — UTR: 4471-2291.',
      states: read(14),
    }),
    sampleEntry(20, {
      text: 'வணக்கம், என் கணக்கில் ஸ்ரீ லட்சுமி டிரேடர்ஸ் பணம் வந்துவிட்டது. நன்றி! 😊',
      author: 'லட்சுமி',
    }),
    sampleEntry(400, {
      text: '你好，我想确认一下转账的状态。金额是人民币 3,200 元。\n東京支店からの入金も確認できますか？\n감사합니다, 확인 부탁드립니다.',
      author: '陳美玲',
    }),
    sampleEntry(404, {
      ...agent,
      channel: 'sms',
      text: 'Family plan 👨‍👩‍👧‍👦 from 🇦🇪 🇮🇳 🇲🇾 approved ✅ — 5️⃣ accounts, 100% ❤️',
      states: [{ name: 'failed', at: new Date(start + 405 * 60_000) }],
    }),
    sampleEntry(420, {
      kind: 'call',
      direction: 'in',
      channel: 'voice',
      text: 'Answered by Priya Raman, 3 min 12 s, recorded.',
      states: [{ name: 'completed' }],
    }),
    sampleEntry(430, { kind: 'event', author: 'يوسف حداد', text: 'Closed the conversation.' }),
  ];
}
