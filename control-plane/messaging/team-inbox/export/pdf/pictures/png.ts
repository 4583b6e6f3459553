/** Reads a PNG file, chunk by chunk (PNG, third edition, 5). */

const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const signatureLength = 8;

/** The size in pixels; undefined when it is not a PNG file. */
export function pngHead(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < 24 || !bytes.subarray(0, 16).equals(head)) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/**
 * Kept in addition to the critical chunks, because they affect the display. All others may have
 * personal data.
 */
const kept = ['tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP'];

/** The file with its picture only. A chunk that exceeds the file is left to the decoder. */
export function plainPng(bytes: Buffer): Buffer {
  const pieces = [bytes.subarray(0, signatureLength)];
  let at = signatureLength;
  while (at + 8 <= bytes.length) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (/^[A-Z]/.test(type) || kept.includes(type)) pieces.push(bytes.subarray(at, end));
    at = end;
    if (type === 'IEND') break;
  }
  return Buffer.concat(pieces);
}
