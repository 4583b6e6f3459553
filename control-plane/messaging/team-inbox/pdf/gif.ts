/**
 * Pixels of the screen that the pictures of a GIF file are shown on (GIF89a, 18); undefined when it is
 * cut short.
 */
export function gifHead(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < 10) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}
