/**
 * The text of a file that a person made: UTF-8, or UTF-16 with its mark, as PowerShell and editors of Windows write
 * it. The mark is no part of it.
 */
export function textOfFile(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder().decode(bytes);
}
