/** Its size in pixels, of the screen that its pictures are shown on (GIF89a, 18); undefined when it is no GIF file. */
export function gifHead(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}
