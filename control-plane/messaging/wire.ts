/** HTTP to providers and PBXs: what was asked, and whether it can have been heard. */
import { createHash } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent, type Dispatcher } from 'undici';
import type { WireRequest, WireResponse } from '../channels/contract.ts';
import {
  type AddressPolicy,
  anywhere,
  checkUrl,
  guardedLookup,
  publicOnly,
  refusedCode,
} from '../platform/net/address.ts';

export type Exchange =
  | { readonly kind: 'answered'; readonly response: WireResponse }
  /** No connection was made, so nothing was heard. */
  | { readonly kind: 'unsent'; readonly reason: string }
  /** It may have been heard. */
  | { readonly kind: 'lost'; readonly reason: string };

export type Fetched =
  | {
      readonly kind: 'fetched';
      readonly bytes: number;
      readonly sha256: string;
      readonly mediaType: string;
    }
  | { readonly kind: 'failed'; readonly reason: string; readonly retry: 'never' | 'later' };

export interface Wire {
  send(request: WireRequest): Promise<Exchange>;
  /** Writes the body of the answer to a file; redirections are followed without credentials. */
  fetchTo(path: string, request: WireRequest, bytesMax: number): Promise<Fetched>;
  /** Whether an address may be dialled; for connections that are not HTTP requests. */
  policyOf(url: string): AddressPolicy;
  close(): Promise<void>;
}

export interface WireOptions {
  /** Origins of our own: simulators, and what the operator named. */
  readonly isTrusted: (origin: string) => boolean;
  /** Whether others may be private addresses. */
  readonly allowPrivate: boolean;
}

const limits = { totalMs: 20_000, connectMs: 5_000, headBytes: 16_384, bodyBytes: 1_048_576 };
const redirectsMax = 3;
const fetchMs = 120_000;
const tooLarge = 'the file is too large';
const tooLargeCode = 'ERR_FILE_TOO_LARGE';

export function openWire({ isTrusted, allowPrivate }: WireOptions): Wire {
  const others = allowPrivate ? anywhere : publicOnly;
  const agents = { trusted: agentOf(anywhere), others: agentOf(others) };
  const isOurs = (url: string) => URL.canParse(url) && isTrusted(new URL(url).origin);
  const policyOf = (url: string) => (isOurs(url) ? anywhere : others);

  function dial(request: WireRequest, signal: AbortSignal) {
    const verdict = checkUrl(request.url, policyOf(request.url));
    if (verdict.kind === 'refused') {
      throw Object.assign(new Error(`the address ${verdict.reason}`), { code: refusedCode });
    }
    const agent = isOurs(request.url) ? agents.trusted : agents.others;
    return agent.request({
      origin: verdict.url.origin,
      path: verdict.url.pathname + verdict.url.search,
      method: request.method,
      headers: { ...request.headers, 'user-agent': 'drawbridge' },
      signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
  }

  return {
    policyOf,
    send: async (request) => {
      try {
        const answer = await dial(request, AbortSignal.timeout(limits.totalMs));
        const body = await readUpTo(answer.body, limits.bodyBytes);
        const headers = plainHeaders(answer.headers);
        const response = { status: answer.statusCode, headers, body: body.toString('utf8') };
        return { kind: 'answered', response };
      } catch (error) {
        return unanswered(error);
      }
    },
    fetchTo: async (path, request, bytesMax) => {
      const signal = AbortSignal.timeout(fetchMs);
      try {
        return await follow(request, redirectsMax, (next) => dial(next, signal), path, bytesMax);
      } catch (error) {
        const code = codeOf(error);
        if (code === tooLargeCode) return { kind: 'failed', reason: tooLarge, retry: 'never' };
        const { reason } = unanswered(error);
        return { kind: 'failed', reason, retry: code === refusedCode ? 'never' : 'later' };
      }
    },
    close: async () => {
      await Promise.all([agents.trusted.destroy(), agents.others.destroy()]);
    },
  };
}

async function follow(
  request: WireRequest,
  left: number,
  dial: (request: WireRequest) => Promise<Dispatcher.ResponseData>,
  path: string,
  bytesMax: number,
): Promise<Fetched> {
  const answer = await dial(request);
  const { location, 'content-type': type } = plainHeaders(answer.headers);
  const status = answer.statusCode;
  if (status >= 300 && status < 400 && location !== undefined && left > 0) {
    await answer.body.dump();
    const url = new URL(location, request.url).href;
    return follow({ method: 'GET', url, headers: {} }, left - 1, dial, path, bytesMax);
  }
  if (status !== 200) {
    await answer.body.dump();
    // The file is often ready a moment after it was told of.
    const retry = status === 401 || status === 403 || status === 410 ? 'never' : 'later';
    return { kind: 'failed', reason: `HTTP ${status}`, retry };
  }
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
  await pipeline(answer.body, counting, createWriteStream(path, { mode: 0o600 }));
  return { kind: 'fetched', bytes, sha256: sum.digest('hex'), mediaType: type ?? '' };
}

function agentOf(policy: AddressPolicy): Agent {
  const resolve = (host: string) => lookup(host, { all: true });
  return new Agent({
    connect: { lookup: guardedLookup(policy, resolve), timeout: limits.connectMs },
    allowH2: false,
    headersTimeout: limits.totalMs,
    bodyTimeout: limits.totalMs,
    maxHeaderSize: limits.headBytes,
    keepAliveTimeout: 10_000,
  });
}

const unsentCodes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|DEPTH_ZERO_.*|ERR_ADDRESS_REFUSED)$/;

/** Says what happened in words of ours: an error's own may hold an address with a credential. */
function unanswered(error: unknown): Exclude<Exchange, { kind: 'answered' }> {
  const code = codeOf(error);
  const kind = unsentCodes.test(code) ? 'unsent' : 'lost';
  return { kind, reason: code === refusedCode ? 'the address is not a public one' : code };
}

function codeOf(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: unknown; name?: string };
  if (typeof code === 'string') return code;
  return cause === undefined ? (name ?? 'error') : codeOf(cause);
}

function plainHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

async function readUpTo(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= bytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, bytesMax);
}
