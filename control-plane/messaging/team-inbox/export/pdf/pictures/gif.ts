/**
 * The size in pixels of the screen on which a GIF file shows its pictures (GIF89a, 18); undefined
 * when the file is cut short.
 */
export function gifHead(bytes: Buffer): { width: number; height: number } | undefined {
  if (bytes.length < 10) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}
