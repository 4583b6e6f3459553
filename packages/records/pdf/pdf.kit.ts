import { deflateSync } from 'node:zlib';

/** A file that a PDF of a test carries. */
interface AttachedSample {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Announced in place of its length. */
  readonly length?: number;
}

/** How the PDF is written. */
export interface PdfSample {
  readonly files: readonly AttachedSample[];
  /** As programs since 2003 do it: objects in packed streams, and a packed table. */
  readonly isPacked?: boolean;
  /** Files are named by the catalogue's `AF` alone, without a tree of names. */
  readonly isAssociated?: boolean;
  readonly isEncrypted?: boolean;
  /** Where the table of objects is said to stand; where it does when left out. */
  readonly startxref?: number;
  /** Nodes of the tree of names around the files. */
  readonly depth?: number;
}

/** A PDF file with a blank page and files attached to it (ISO 32000-1, PDF/A-3). */
export function pdfOf(sample: PdfSample): Uint8Array {
  const { files, isPacked = false, isAssociated = false, depth = 1 } = sample;
  const objects = new Map<number, string | Buffer>();
  const specifications: number[] = [];
  let next = 4;
  const add = (value: string | Buffer) => {
    objects.set(next, value);
    next += 1;
    return next - 1;
  };
  for (const { name, content, length } of files) {
    const stream = add(streamOf('/Type /EmbeddedFile /Subtype /text#2Fxml', content, length));
    const written = `(${name.replace(/([()\\])/g, '\\$1')})`;
    specifications.push(
      add(
        `<< /Type /Filespec /F ${written} /EF << /F ${stream} 0 R >> /AFRelationship /Alternative >>`,
      ),
    );
  }
  const named = specifications.map((number, at) => `(${at}) ${number} 0 R`).join(' ');
  let tree = add(`<< /Names [${named}] >>`);
  for (let level = 1; level < depth; level += 1) tree = add(`<< /Kids [${tree} 0 R] >>`);
  const place = isAssociated
    ? `/AF [${specifications.map((number) => `${number} 0 R`).join(' ')}]`
    : `/Names << /EmbeddedFiles ${tree} 0 R >>`;
  objects.set(1, `<< /Type /Catalog /Pages 2 0 R ${place} >>`);
  objects.set(2, '<< /Type /Pages /Kids [3 0 R] /Count 1 >>');
  objects.set(3, '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>');
  const more = sample.isEncrypted === true ? `/Encrypt ${add('<< /Filter /Standard >>')} 0 R` : '';
  return isPacked ? packed(objects, more) : plain(objects, more, sample.startxref);
}

function streamOf(members: string, content: string | Uint8Array, length?: number): Buffer {
  const bytes = deflateSync(content);
  const head = `<< ${members} /Filter /FlateDecode /Length ${length ?? bytes.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\nendstream')]);
}

class Writer {
  readonly #parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\n', 'latin1')];
  length = this.#parts[0]!.length;

  write(value: string | Buffer): void {
    const bytes = Buffer.from(value as string);
    this.#parts.push(bytes);
    this.length += bytes.length;
  }

  object(number: number, value: string | Buffer): number {
    const at = this.length;
    this.write(`${number} 0 obj\n`);
    this.write(value);
    this.write('\nendobj\n');
    return at;
  }

  end(startxref: number): Uint8Array {
    this.write(`startxref\n${startxref}\n%%EOF`);
    return Buffer.concat(this.#parts);
  }
}

function plain(
  objects: ReadonlyMap<number, string | Buffer>,
  more: string,
  startxref?: number,
): Uint8Array {
  const file = new Writer();
  const places = [...objects].map(
    ([number, value]) => [number, file.object(number, value)] as const,
  );
  const at = file.length;
  file.write('xref\n0 1\n0000000000 65535 f \n');
  for (const [number, place] of places) {
    file.write(`${number} 1\n${String(place).padStart(10, '0')} 00000 n \n`);
  }
  file.write(`trailer\n<< /Size ${objects.size + 1} /Root 1 0 R ${more} >>\n`);
  return file.end(startxref ?? at);
}

function packed(objects: ReadonlyMap<number, string | Buffer>, more: string): Uint8Array {
  const file = new Writer();
  const rows = new Map<number, readonly [kind: number, second: number, third: number]>();
  const inner = [...objects].filter(([, value]) => typeof value === 'string') as [number, string][];
  for (const [number, value] of objects) {
    if (typeof value !== 'string') rows.set(number, [1, file.object(number, value), 0]);
  }
  let offset = 0;
  const heads = inner.map(([number, value]) => {
    const head = `${number} ${offset}`;
    offset += value.length + 1;
    return head;
  });
  const index = `${heads.join(' ')}\n`;
  const text = index + inner.map(([, value]) => value).join('\n');
  const container = Math.max(...objects.keys()) + 1;
  const members = `/Type /ObjStm /N ${inner.length} /First ${index.length}`;
  rows.set(container, [1, file.object(container, streamOf(members, text)), 0]);
  for (const [at, [number]] of inner.entries()) rows.set(number, [2, container, at]);
  const table = container + 1;
  const at = file.length;
  rows.set(table, [1, at, 0]);
  rows.set(0, [0, 0, 65_535]);
  const numbers = [...rows.keys()].sort((one, other) => one - other);
  const bytes = Buffer.concat(numbers.map((number) => rowOf(rows.get(number)!)));
  file.object(table, tableOf(bytes, numbers.length, more));
  return file.end(at);
}

const widths = [1, 4, 2] as const;
const columns = 7;

function rowOf([kind, second, third]: readonly [number, number, number]): Buffer {
  const row = Buffer.alloc(columns);
  row.writeUInt8(kind, 0);
  row.writeUInt32BE(second, 1);
  row.writeUInt16BE(third, 5);
  return row;
}

/** Each row is written as what it adds to the one above (PNG's "Up"). */
function tableOf(bytes: Buffer, size: number, more: string): Buffer {
  const rows = Array.from({ length: size }, (_, row) => {
    const own = bytes.subarray(row * columns, (row + 1) * columns);
    const above =
      row === 0 ? Buffer.alloc(columns) : bytes.subarray((row - 1) * columns, row * columns);
    return Buffer.from([2, ...own.map((byte, at) => (byte - above[at]!) & 0xff)]);
  });
  const members =
    `/Type /XRef /Size ${size} /W [${widths.join(' ')}] /Root 1 0 R ${more} ` +
    `/DecodeParms << /Predictor 12 /Columns ${columns} >>`;
  return streamOf(members, Buffer.concat(rows));
}
