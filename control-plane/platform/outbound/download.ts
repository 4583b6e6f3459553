import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '@drawbridge/outbound/outcome.ts';
import { type AddressPolicy, refusedCode } from './address.ts';
import type { OutboundClient } from './client.ts';

/** A file to download, with its limits. */
export interface DownloadRequest {
  readonly url: string;
  /** For this address only: a redirect is followed without them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the body is written; the file is left half written when it fails. */
  readonly path: string;
  readonly bytesMax: number;
  /** Milliseconds for all of it, redirects included. */
  readonly totalMs: number;
  /** Which addresses may be called, asked of each that is redirected to as well. */
  policyOf(url: string): AddressPolicy;
}

/** The outcome of a download. */
export type Download =
  | {
      readonly kind: 'fetched';
      readonly bytes: number;
      /** Hexadecimal. */
      readonly sha256: string;
      /** As the server names it; empty when it does not. */
      readonly mediaType: string;
    }
  /** `retry` says whether it may come when it is asked for later. */
  | { readonly kind: 'failed'; readonly reason: string; readonly retry: 'never' | 'later' };

const redirectsMax = 3;
const tooLarge = 'the file is too large';
const tooLargeCode = 'ERR_FILE_TOO_LARGE';

/** Writes what a GET answers to a file. Follows redirects; never throws for what others do. */
export async function download(
  client: OutboundClient,
  request: DownloadRequest,
): Promise<Download> {
  const signal = AbortSignal.timeout(request.totalMs);
  let { url, headers } = request;
  for (let redirects = 0; ; redirects += 1) {
    const policy = request.policyOf(url);
    const outcome = await client.open({ method: 'GET', url, headers, policy, signal });
    if (outcome.kind !== 'answered') {
      return outcome.failure.code === refusedCode
        ? { kind: 'failed', reason: 'the address is not a public one', retry: 'never' }
        : { kind: 'failed', reason: outcome.reason, retry: 'later' };
    }
    const { status, headers: answered, body } = outcome.answer;
    const { location } = answered;
    const isRedirect = status >= 300 && status < 400 && location !== undefined;
    if (status === 200) {
      const mediaType = answered['content-type'] ?? '';
      return write(body, request, mediaType);
    }
    await body.dump();
    if (!isRedirect || redirects === redirectsMax || !URL.canParse(location, url)) {
      // The file is often ready a moment after it was told of.
      const retry = status === 401 || status === 403 || status === 410 ? 'never' : 'later';
      return { kind: 'failed', reason: `HTTP ${status}`, retry };
    }
    url = new URL(location, url).href;
    headers = {};
  }
}

async function write(
  body: Readable,
  { path, bytesMax }: DownloadRequest,
  mediaType: string,
): Promise<Download> {
  const sum = createHash('sha256');
  let bytes = 0;
  const counting = new Transform({
    transform: (chunk: Buffer, _, done) => {
      bytes += chunk.length;
      sum.update(chunk);
      const fault = Object.assign(new Error(tooLarge), { code: tooLargeCode });
      done(bytes > bytesMax ? fault : null, chunk);
    },
  });
  try {
    await pipeline(body, counting, createWriteStream(path, { mode: 0o600 }));
    return { kind: 'fetched', bytes, sha256: sum.digest('hex'), mediaType };
  } catch (error) {
    const code = codeOf(error);
    return code === tooLargeCode
      ? { kind: 'failed', reason: tooLarge, retry: 'never' }
      : { kind: 'failed', reason: code, retry: 'later' };
  }
}
