import type { IncomingMessage } from 'node:http';
import { commonFail } from './errors.ts';

/** The body of a request that its handler reads itself. Throws `payload_too_large`. */
export async function readRawBody(raw: IncomingMessage, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) {
      const headers = { connection: 'close' };
      throw commonFail('payload_too_large', `More than ${bytesMax} bytes.`, { headers });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
