/** What a PNG file holds, chunk by chunk (PNG, third edition, 5). */

const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const signatureLength = 8;

/** Its size in pixels; undefined when it is no PNG file. */
export function pngHead(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < 24 || !bytes.subarray(0, 16).equals(head)) return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Beside what every reader needs: how it is to be seen. All else tells of somebody. */
const kept = ['tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP'];

/** The file with its picture and nothing else. A chunk that runs past the end is left to the decoder. */
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
