/** Whether stored bytes are packed: where the values of a large document came from is, of a small one it is plain JSON. */
export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}
