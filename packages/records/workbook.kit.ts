import { crc32, deflateRawSync } from 'node:zlib';

interface Part {
  readonly name: string;
  readonly text: string | Uint8Array;
  /** Announced instead of the true size. */
  readonly announced?: number;
}

/** A ZIP archive of these parts. */
export function zipOf(parts: readonly Part[]): Uint8Array {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, text, announced } of parts) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt16LE(8, 4);
    fixed.writeUInt32LE(crc32(content), 10);
    fixed.writeUInt32LE(packed.length, 14);
    fixed.writeUInt32LE(announced ?? content.length, 18);
    fixed.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fixed, Buffer.from(name)]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    const entry = [Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fixed, place, Buffer.from(name)];
    locals.push(local, packed);
    directory.push(...entry);
    at += local.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, listed, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** What a workbook of a test is made of; cells are given as XML of SpreadsheetML. */
export interface WorkbookParts {
  /** Rows of `<c …>` elements, the first on row 1. */
  readonly rows: readonly string[];
  readonly strings?: readonly string[];
  readonly styles?: string;
  readonly sheets?: string;
  readonly properties?: string;
  readonly more?: readonly Part[];
}

/** A workbook, laid out as Excel does it. */
export function workbookOf({
  rows,
  strings = [],
  styles = '',
  sheets = '<sheet name="Invoices" sheetId="1" r:id="rId1"/>',
  properties = '',
  more = [],
}: WorkbookParts): Uint8Array {
  const data = rows.map((cells, index) => `<row r="${index + 1}">${cells}</row>`).join('');
  const shared = strings.map((text) => `<si><t xml:space="preserve">${text}</t></si>`).join('');
  return zipOf([
    { name: '[Content_Types].xml', text: '<Types/>' },
    {
      name: 'xl/workbook.xml',
      text: `<workbook ${main} xmlns:r="${relations}">${properties}<sheets>${sheets}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/>
        <Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>`,
    },
    { name: 'xl/styles.xml', text: `<styleSheet ${main}>${styles}</styleSheet>` },
    { name: 'xl/sharedStrings.xml', text: `<sst ${main}>${shared}</sst>` },
    {
      name: 'xl/worksheets/sheet1.xml',
      text: `<worksheet ${main}><sheetData>${data}</sheetData></worksheet>`,
    },
    ...more,
  ]);
}
