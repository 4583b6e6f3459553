import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const pieceBytes = 2 ** 20;

/**
 * The SHA-256 of a file in hexadecimal; throws the system's error when it cannot be read. A stream would take four
 * times as long, as each of its pieces is new memory.
 */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(pieceBytes);
  await using file = await open(path);
  for (;;) {
    const { bytesRead } = await file.read(piece);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(piece.subarray(0, bytesRead));
  }
}
