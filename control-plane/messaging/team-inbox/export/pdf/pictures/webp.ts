/** Reads the first chunk of a WebP file (RFC 9649). */

type Size = { readonly width: number; readonly height: number };

/** Where the data of the first chunk begins. */
const data = 20;

/** The size in pixels; undefined when there is none. */
export function webpHead(bytes: Buffer): Size | undefined {
  if (bytes.length < data + 10) return undefined;
  return sizes[bytes.toString('latin1', 12, 16)]?.(bytes);
}

const sizes: Readonly<Record<string, (bytes: Buffer) => Size | undefined>> = {
  /** Lossy: fourteen bits each, after the start code of a key frame (RFC 6386, 9.1). */
  'VP8 ': (bytes) =>
    bytes.readUIntBE(data + 3, 3) === 0x9d012a
      ? {
          width: bytes.readUInt16LE(data + 6) & 0x3fff,
          height: bytes.readUInt16LE(data + 8) & 0x3fff,
        }
      : undefined,
  /** Lossless: fourteen bits each, the size less one, after a signature (RFC 9649, 3.4). */
  VP8L: (bytes) => {
    if (bytes[data] !== 0x2f) return undefined;
    const bits = bytes.readUInt32LE(data + 1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  },
  /** Extended: the canvas size less one (RFC 9649, 2.7). */
  VP8X: (bytes) => ({
    width: bytes.readUIntLE(data + 4, 3) + 1,
    height: bytes.readUIntLE(data + 7, 3) + 1,
  }),
};
