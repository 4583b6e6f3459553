/** Where a release is read from: a folder, or the address of one. */
import { join } from 'node:path';
import { type HttpClient, openHttpClient } from '@drawbridge/connectors/outbound/client.ts';
import type { Network } from '@drawbridge/connectors/outbound/network.ts';
import { meaningOfFailure } from '../network/faults.ts';
import { readFileUpTo } from '../read-up-to.ts';

type ReleasedBytes =
  | { readonly kind: 'read'; readonly value: Uint8Array }
  | { readonly kind: 'larger'; readonly cause: string }
  | { readonly kind: 'absent' | 'failed'; readonly cause: string };

/** Reads a file of a release by its name, unless it is larger than expected. */
export type ReadReleased = (name: string, bytesMax: number) => Promise<ReleasedBytes>;

export function readerOfFolder(folder: string): ReadReleased {
  return async (name, bytesMax) => {
    const file = join(folder, name);
    try {
      const value = await readFileUpTo(file, bytesMax);
      if (value !== undefined) return { kind: 'read', value };
      return { kind: 'larger', cause: `${file} has more than ${bytesMax} bytes.` };
    } catch (error) {
      const { code = 'no code' } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') {
        return { kind: 'absent', cause: `There is no ${file}.` };
      }
      return { kind: 'failed', cause: `${file} cannot be read (${code}).` };
    }
  };
}

const downloadMs = 600_000;

export function readerOfAddress(address: string, network: Network): ReadReleased {
  const base = address.replace(/\/+$/, '');
  return async (name, bytesMax) => {
    const client = openHttpClient({ totalMs: downloadMs, bodyBytesMax: bytesMax }, network);
    try {
      return await download(client, `${base}/${name}`);
    } finally {
      await client.close();
    }
  };
}

async function download(client: HttpClient, url: string): Promise<ReleasedBytes> {
  const outcome = await client.send({ method: 'GET', url, headers: {} });
  if (outcome.kind !== 'answered') {
    const cause = `${url} cannot be reached: ${meaningOfFailure(outcome.failure)}`;
    return { kind: 'failed', cause };
  }
  const { status, body, bodyFault } = outcome.answer;
  if (status === 404) return { kind: 'absent', cause: `There is no ${url}.` };
  if (status === 200 && bodyFault === undefined) return { kind: 'read', value: body };
  if (status === 200 && bodyFault?.kind === 'too-long') {
    return { kind: 'larger', cause: `${url} has ${bodyFault.reason}.` };
  }
  return { kind: 'failed', cause: `${url} answered HTTP ${status}, and nothing whole.` };
}
