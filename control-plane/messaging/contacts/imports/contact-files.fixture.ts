/** Files of contacts as people have them, and what becomes of each. */
import { workbookOf } from '@drawbridge/records/workbook.kit.ts';

export interface DirtyFile {
  readonly title: string;
  readonly bytes: Uint8Array;
  readonly query?: string;
  /** Of the contacts that come of it, by phone: name, and attributes. */
  readonly contacts?: Readonly<Record<string, readonly [name: string | null, attributes?: object]>>;
  /** Rows that are left out: a word of the problem, and the row as it is given back. */
  readonly problems?: readonly (readonly [problem: RegExp, row: string])[];
  /** Part of how it is told to have been read. */
  readonly reading?: object;
  /** It is refused as a whole. */
  readonly refused?: RegExp;
}

const utf8 = (text: string) => Buffer.from(text);
const latin = (text: string) => Buffer.from(text, 'latin1');
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const withMark = (text: string) => `\ufeff${text}`;

/** Arabic in Windows-1256: محمد. */
const arabic1256 = Buffer.from([0xe3, 0xcd, 0xe3, 0xcf]);

const columns200 = Array.from({ length: 198 }, (_, n) => `c${n}`);

const cell = (place: string, text: string) =>
  `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
const number = (place: string, value: string) => `<c r="${place}"><v>${value}</v></c>`;

/** The fourth digit from the end counts the files: each has phones of its own. */
export const dirtyFiles: readonly DirtyFile[] = [
  {
    title: 'semicolons, as a spreadsheet in Europe writes them',
    bytes: utf8('phone;name;city\r\n+971501000001;Haddad, Omar;Dubai\r\n'),
    contacts: { '+971501000001': ['Haddad, Omar', { city: 'Dubai' }] },
    reading: { separator: ';', encoding: 'utf-8', header_row: 1 },
  },
  {
    title: 'tabs',
    bytes: utf8('phone\tname\n+971501000002\tAmal\n'),
    contacts: { '+971501000002': ['Amal', {}] },
    reading: { separator: '\t' },
  },
  {
    title: 'bars',
    bytes: utf8('phone|name\n+971501000003|Amal\n'),
    contacts: { '+971501000003': ['Amal'] },
    reading: { separator: '|' },
  },
  {
    title: '"sep=;" on the first line',
    bytes: utf8('sep=;\nphone;name\n+971501000004;Amal, Sr.\n'),
    contacts: { '+971501000004': ['Amal, Sr.'] },
    reading: { separator: ';', header_row: 2 },
  },
  {
    title: 'UTF-16 with its mark, as "Unicode text" of Excel',
    bytes: utf16le(withMark('phone\tname\r\n+971501000005\tأمل\r\n')),
    contacts: { '+971501000005': ['أمل'] },
    reading: { encoding: 'utf-16le', separator: '\t' },
  },
  {
    title: 'UTF-16, the other order, with its mark',
    bytes: utf16be(withMark('phone,name\n+971501000006,أمل\n')),
    contacts: { '+971501000006': ['أمل'] },
    reading: { encoding: 'utf-16be' },
  },
  {
    title: 'UTF-16 without a mark',
    bytes: utf16le('phone,name\n+971501000007,Zoë\n'),
    contacts: { '+971501000007': ['Zoë'] },
    reading: { encoding: 'utf-16le' },
  },
  {
    title: 'UTF-16, the other order, without a mark',
    bytes: utf16be('phone,name\n+971501000008,Zoë\n'),
    contacts: { '+971501000008': ['Zoë'] },
    reading: { encoding: 'utf-16be' },
  },
  {
    title: 'UTF-8 with its mark',
    bytes: utf8(withMark('phone,name\n+971501000009,Zoë 😀\n')),
    contacts: { '+971501000009': ['Zoë 😀'] },
    reading: { encoding: 'utf-8' },
  },
  {
    title: 'Windows-1252, which is told',
    bytes: latin('phone;name\n+971501000010;Zo\xeb O\x92Neill\n+971501000011;Jos\xe9\n'),
    contacts: { '+971501000010': ['Zoë O’Neill'], '+971501000011': ['José'] },
    reading: { encoding: 'windows-1252', encoding_certain: true },
  },
  {
    title: 'code page 850 of DOS, which is told',
    bytes: latin('phone;name\n+971501000850;J\x81rgen K\x94hler\n+971501000851;Rene\x82 Gro\xe1\n'),
    contacts: { '+971501000850': ['Jürgen Köhler'], '+971501000851': ['Reneé Groß'] },
    reading: { encoding: 'ibm850', encoding_certain: true },
  },
  {
    title: 'Windows-1256, which nobody can be sure of',
    bytes: Buffer.concat([utf8('phone,name\n+971501000012,'), arabic1256, utf8('\n')]),
    refused: /encoding/,
  },
  {
    title: 'Windows-1256, when it is named',
    bytes: Buffer.concat([utf8('phone,name\n+971501000013,'), arabic1256, utf8('\n')]),
    query: '?encoding=windows-1256',
    contacts: { '+971501000013': ['محمد'] },
    reading: { encoding: 'windows-1256' },
  },
  {
    title: 'UTF-8 with one row that came from elsewhere',
    bytes: Buffer.concat([
      utf8('phone,name\n+971501000014,Zoë\n'),
      latin('+971501000015,Jos\xe9\n'),
      utf8('+971501000016,Renée\n'),
    ]),
    contacts: { '+971501000014': ['Zoë'], '+971501000016': ['Renée'] },
    problems: [[/encoding/, "'+971501000015,José"]],
  },
  {
    title: 'trailing commas in the header and in rows, and empty rows at the end',
    bytes: utf8('phone,name,,\n+971501000017,Amal,,\n+971501000018,Omar,,,,\n,,,\n,,,\n'),
    contacts: { '+971501000017': ['Amal', {}], '+971501000018': ['Omar', {}] },
  },
  {
    title: 'a value below no name, and one beyond the last column',
    bytes: utf8('phone,name,\n+971501000019,Amal,lost\n+971501000020,Omar,,lost\n'),
    problems: [
      [/column 3.*no name/, "'+971501000019,Amal,lost"],
      [/column 4.*beyond/, "'+971501000020,Omar,,lost"],
    ],
  },
  {
    title: 'short rows',
    bytes: utf8('phone,name,city\n+971501000021\n+971501000022,Omar\n'),
    contacts: { '+971501000021': [null, {}], '+971501000022': ['Omar', {}] },
  },
  {
    title: 'quotes within names',
    bytes: utf8(
      'phone,name,city\n+971501000023,Omar "Abu Ali" Haddad,Dubai\n' +
        '+971501000024,"Omar" Haddad,Dubai\n+971501000025,"Haddad, "Omar" Dr",Dubai\n' +
        '+971501000026,"Say ""hi""",Dubai\n',
    ),
    contacts: {
      '+971501000023': ['Omar "Abu Ali" Haddad', { city: 'Dubai' }],
      '+971501000024': ['"Omar" Haddad', { city: 'Dubai' }],
      '+971501000025': ['Haddad, "Omar" Dr', { city: 'Dubai' }],
      '+971501000026': ['Say "hi"', { city: 'Dubai' }],
    },
  },
  {
    title: 'a quote that is never closed costs its row only',
    bytes: utf8('phone,name\n+971501000027,"Amal\n+971501000028,Omar\n+971501000029,"Zoë"\n'),
    contacts: { '+971501000028': ['Omar'], '+971501000029': ['Zoë'] },
    problems: [[/not closed/, '\'+971501000027,"Amal']],
  },
  {
    title: 'a quote that is closed two rows later costs its row only',
    bytes: utf8('phone,name,city\n+971501000030,"Amal,Dubai\n+971501000031,Omar",Ajman\n'),
    contacts: { '+971501000031': ['Omar"', { city: 'Ajman' }] },
    problems: [[/not closed/, '\'+971501000030,"Amal,Dubai']],
  },
  {
    title: 'a value over several lines',
    bytes: utf8('phone,address,name\r\n+971501000032,"Villa 3\r\nDubai",Amal\r\n'),
    contacts: { '+971501000032': ['Amal', { address: 'Villa 3\nDubai' }] },
  },
  {
    title: 'phones as formulas, with apostrophes, with 00, and with what other programs add',
    bytes: utf8(
      'phone,name\n="+971501000033",A\n"=""+971501000034""",B\n\'+971501000035,C\n' +
        '00971501000036,D\ntel:+971-50-100-0037,E\n+971501000038.0,F\n',
    ),
    contacts: {
      '+971501000033': ['A'],
      '+971501000034': ['B'],
      '+971501000035': ['C'],
      '+971501000036': ['D'],
      '+971501000037': ['E'],
      '+971501000038': ['F'],
    },
  },
  {
    title: 'marks of writing direction, as copied from a chat',
    bytes: utf8(
      '\u200fphone,name\u200e\n\u202a+971 50 100 0039\u202c,\u200fأمل\u200f\n\u2066+971501000040\u2069,B\n',
    ),
    contacts: { '+971501000039': ['أمل'], '+971501000040': ['B'] },
  },
  {
    title: 'phones that a spreadsheet has rounded',
    bytes: utf8('phone,name\n9.71501E+11,A\n9.71501000041E+11,B\n'),
    query: '?default_country=AE',
    contacts: { '+971501000041': ['B'] },
    problems: [[/lacks digits/, '9.71501E+11,A']],
  },
  {
    title: '200 columns',
    bytes: utf8(
      `phone,name,${columns200}\n+971501000042,A,${columns200.map((_, n) => (n % 40 === 0 ? n : ''))}\n`,
    ),
    contacts: {
      '+971501000042': ['A', { c0: '0', c40: '40', c80: '80', c120: '120', c160: '160' }],
    },
  },
  {
    title: 'a title above the header, and other names of columns',
    bytes: utf8('Our customers,,\n\nFull Name,Mobile No.,City\nAmal,+971501000043,Dubai\n'),
    contacts: { '+971501000043': ['Amal', { City: 'Dubai' }] },
    reading: { header_row: 3 },
  },
  {
    title: 'first and last names apart, as an address book writes them',
    bytes: utf8('First Name,Last Name,Phone 1 - Value,Labels\nOmar,Haddad,+971501000044,work\n'),
    contacts: { '+971501000044': ['Omar Haddad', { Labels: 'work' }] },
  },
  {
    title: 'nothing but phones',
    bytes: utf8('+971501000045\n+971501000046\n'),
    contacts: { '+971501000045': [null, {}], '+971501000046': [null, {}] },
    reading: { header_row: 0 },
  },
  {
    title: 'line ends of an old Macintosh',
    bytes: utf8('phone,name\r+971501000047,A\r+971501000048,B\r'),
    contacts: { '+971501000047': ['A'], '+971501000048': ['B'] },
  },
  {
    title: 'NUL, and bytes that Windows-1252 does not have',
    bytes: latin(
      'phone,name\n+971501000049,A\0B\n+971501000050,Ren\xe9e \x81\n+971501000051,Jos\xe9\n+971501000052,Zo\xeb\n+971501000053,H\xe9l\xe8ne \xc9mile\n+971501000054,Andr\xe9 Fran\xe7ois\n',
    ),
    contacts: {
      '+971501000051': ['José'],
      '+971501000052': ['Zoë'],
      '+971501000053': ['Hélène Émile'],
      '+971501000054': ['André François'],
    },
    problems: [
      [/cannot be read/, "'+971501000049,A\ufffdB"],
      [/cannot be read/, "'+971501000050,Renée \x81"],
    ],
  },
  {
    title: 'a header in Arabic, and digits of its script',
    bytes: utf8('الاسم,رقم الجوال\nأمل,+٩٧١٥٠١٠٠٠٠٥٥\n'),
    contacts: { '+971501000055': ['أمل'] },
  },
  {
    title: 'a workbook, with numbers, dates and a row left out',
    bytes: workbookOf({
      rows: [
        cell('A1', 'Mobile') + cell('B1', 'Name') + cell('C1', 'since'),
        cell('A2', '+971501000056') +
          cell('B2', 'Amal, &quot;Dr&quot;') +
          '<c r="C2" s="1"><v>46000</v></c>',
        '',
        number('A4', '971501000057') + cell('B4', 'Omar'),
        cell('A5', '0501'),
      ],
      styles: '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>',
    }),
    query: '?default_country=AE',
    contacts: {
      '+971501000056': ['Amal, "Dr"', { since: '2025-12-09' }],
      '+971501000057': ['Omar', {}],
    },
    problems: [[/wrong length/, '0501']],
    reading: { format: 'xlsx', sheet: 'Invoices', header_row: 1 },
  },
  {
    title: 'a column twice',
    bytes: utf8('phone,note,note\n+971501000058,a,b\n'),
    refused: /"note" twice/,
  },
  {
    title: 'an archive that is no workbook',
    bytes: Buffer.from('PK\x03\x04 and no more', 'latin1'),
    refused: /not an XLSX workbook/,
  },
  {
    title: 'a picture',
    bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49]),
    refused: /./,
  },
];
