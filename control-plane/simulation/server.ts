import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A request to a simulated endpoint. */
export interface Call {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/**
 * An answer of a simulated endpoint. `body` is sent as JSON unless it is a string or bytes; `lines`
 * are written one after the other, so there may be any number.
 */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly lines?: Iterable<string>;
}

/** An answer, or a connection that is cut or left open without one. */
export type Reply = Answer | 'cut' | 'hold';

export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** `/a/:name/b`; a name matches one segment or a part of it. */
  readonly path: string;
  handle(call: Call): Reply | Promise<Reply>;
}

export interface RunningSimulator {
  readonly url: string;
  stop(): Promise<void>;
}

/** Larger than the limit of any provider, so that the simulated provider's own limit refuses. */
const bodyBytesMax = 16 * 1024 * 1024;

/** Takes a socket that asks to become a websocket. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/**
 * Serves endpoints on the loopback interface; port 0 takes a free one. It uses node:http without a
 * framework, because in a measurement it shares the machine with what is measured.
 */
export async function serve(
  endpoints: readonly Endpoint[],
  port: number,
  upgrade?: Upgrade,
): Promise<RunningSimulator> {
  const routes = endpoints.map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path) }));
  const server = createServer((request, response) => {
    answer(routes, request, response).catch(() => request.socket.destroy());
  });
  server.keepAliveTimeout = 60_000;
  if (upgrade !== undefined) server.on('upgrade', upgrade);
  server.listen(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Route {
  readonly endpoint: Endpoint;
  readonly pattern: RegExp;
}

function patternOf(path: string): RegExp {
  const plain = path.replace(/\/$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${plain.replace(/:(\w+)/g, '(?<$1>[^/]+?)')}/?$`);
}

async function answer(
  routes: readonly Route[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request);
  if (body === undefined) return write(response, { status: 413 });
  const address = request.url ?? '/';
  const mark = address.indexOf('?');
  const path = mark < 0 ? address : address.slice(0, mark);
  const query = new URLSearchParams(mark < 0 ? '' : address.slice(mark + 1));
  const method = request.method?.toLowerCase();
  for (const { endpoint, pattern } of routes) {
    if (endpoint.method !== method) continue;
    const found = pattern.exec(path);
    if (found === null) continue;
    const headers = request.headers as Call['headers'];
    const params = decoded(found.groups ?? {});
    if (params === undefined) return write(response, { status: 400 });
    const reply = await endpoint.handle({ params, query, headers, body });
    if (reply === 'hold') return;
    if (reply !== 'cut') return write(response, reply);
    request.socket.destroy();
    return;
  }
  return write(response, { status: 404, body: { error: 'no such address' } });
}

function decoded(groups: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    return undefined; // a % that encodes nothing: the address is at fault
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= bodyBytesMax) parts.push(part);
  }
  return bytes > bodyBytesMax ? undefined : Buffer.concat(parts);
}

async function write(response: ServerResponse, reply: Answer): Promise<void> {
  response.statusCode = reply.status;
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  if (reply.lines !== undefined) {
    await pipeline(Readable.from(inBlocks(reply.lines)), response);
    return;
  }
  const { body } = reply;
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) {
    response.end(body);
    return;
  }
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(body));
}

const linesPerBlock = 1_000;

function* inBlocks(lines: Iterable<string>): Iterable<string> {
  let block: string[] = [];
  for (const line of lines) {
    block.push(`${line}\n`);
    if (block.length < linesPerBlock) continue;
    yield block.join('');
    block = [];
  }
  if (block.length > 0) yield block.join('');
}

/** The body as a JSON object, undefined when it is not one. */
export function jsonObject(call: Call): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(call.body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined; // the caller answers as its provider answers to bad JSON
  }
}

/** The form with one value for each field: the last one of several. */
export function formOf(body: Buffer): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}
