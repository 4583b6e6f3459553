import { inflateRawSync } from 'node:zlib';

/** A file in an archive that is kept in memory. */
export interface ZipEntry {
  readonly name: string;
  /** Its bytes, or undefined when it is broken or has more than `bytesMax`. */
  read(bytesMax: number): Uint8Array | undefined;
}

const endLength = 22;
const commentLengthMax = 65_535;
const entryLength = 46;
const localLength = 30;
const signatures = { end: 0x06_05_4b_50, entry: 0x02_01_4b_50, local: 0x04_03_4b_50 } as const;
const methods = { stored: 0, deflated: 8 } as const;

/**
 * The files of a ZIP archive, by the directory at its end, or undefined when it is none or has more
 * than `entriesMax`. Neither encryption nor archives of more than 4 GiB are read.
 *
 * Libraries unpack whole archives, or believe the sizes that an archive announces; here no more is
 * ever unpacked than is asked for.
 */
export function zipEntries(bytes: Uint8Array, entriesMax: number): ZipEntry[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = directoryEnd(view);
  if (end === undefined) return undefined;
  const count = view.getUint16(end + 10, true);
  if (count > entriesMax) return undefined;
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index += 1) {
    const isEntry = at + entryLength <= end && view.getUint32(at, true) === signatures.entry;
    if (!isEntry) return undefined;
    const nameLength = view.getUint16(at + 28, true);
    const start = at + entryLength;
    entries.push(entryAt(bytes, view, at, start + nameLength));
    at = start + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function directoryEnd(view: DataView): number | undefined {
  const last = view.byteLength - endLength;
  const first = Math.max(0, last - commentLengthMax);
  for (let at = last; at >= first; at -= 1) {
    if (view.getUint32(at, true) === signatures.end) return at;
  }
  return undefined;
}

function entryAt(bytes: Uint8Array, view: DataView, at: number, nameEnd: number): ZipEntry {
  const name = Buffer.from(bytes.subarray(at + entryLength, nameEnd)).toString('utf8');
  const method = view.getUint16(at + 10, true);
  const size = view.getUint32(at + 20, true);
  const local = view.getUint32(at + 42, true);
  return {
    name,
    read(bytesMax) {
      const isLocal =
        local + localLength <= bytes.length && view.getUint32(local, true) === signatures.local;
      if (!isLocal) return undefined;
      const names = view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const start = local + localLength + names;
      const packed = bytes.subarray(start, start + size);
      if (method === methods.stored) return packed.length <= bytesMax ? packed : undefined;
      return method === methods.deflated ? inflate(packed, bytesMax) : undefined;
    },
  };
}

function inflate(packed: Uint8Array, maxOutputLength: number): Uint8Array | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength });
  } catch {
    // Broken, or larger: either way there is nothing to read.
    return undefined;
  }
}
