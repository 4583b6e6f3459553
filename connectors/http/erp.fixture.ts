/** An ERP with an API over HTTP, as such APIs are documented: lists with pages, ETags, tokens. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ErpInvoice {
  readonly number: string;
  /** The invoice as JSON. */
  readonly json: string;
  readonly lines?: readonly string[];
  updatedMs: number;
}

interface Stored {
  readonly json: string;
  readonly version: number;
}

/** What the server was asked, and how it answers; a test changes it as it goes. */
export class Erp {
  readonly invoices: ErpInvoice[] = [];
  readonly statuses = new Map<string, Stored>();
  readonly requests: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
  pageSize = 100;
  /** The credentials that are let in; undefined: everybody. */
  authorization: string | undefined;
  /** Answers a request instead of the ERP when it returns true. */
  before: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** Requests that are open. */
  open = 0;
  tokensGiven = 0;
  #server: Server | undefined;
  #port = 0;
  readonly #tls: { readonly cert: string; readonly key: string } | undefined;

  constructor(tls?: { readonly cert: string; readonly key: string }) {
    this.#tls = tls;
  }

  get url(): string {
    return `${this.#tls === undefined ? 'http' : 'https'}://127.0.0.1:${this.#port}`;
  }

  /** Listens, on the same port as before. */
  async start(): Promise<void> {
    const listener = (request: IncomingMessage, response: ServerResponse) =>
      void this.#take(request, response);
    const server =
      this.#tls === undefined ? createServer(listener) : createSecureServer(this.#tls, listener);
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Ends, with all its connections. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  /** Adds an invoice, or changes it: it is the latest change then. */
  put(number: string, json: string, lines?: readonly string[]): void {
    const updatedMs =
      Math.max(Date.UTC(2026, 0, 1), ...this.invoices.slice(-1).map((one) => one.updatedMs)) +
      1_000;
    const known = this.invoices.findIndex((one) => one.number === number);
    if (known >= 0) this.invoices.splice(known, 1);
    this.invoices.push({ number, json, updatedMs, ...(lines === undefined ? {} : { lines }) });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const { method = '', url = '', headers } = request;
    this.requests.push({ method, url, headers });
    this.open += 1;
    response.once('close', () => {
      this.open -= 1;
    });
    let body = '';
    for await (const part of request) body += part;
    if (this.before(request, response)) return undefined;
    const { pathname, searchParams } = new URL(url, 'http://erp');
    if (pathname === '/token') return this.#token(response, new URLSearchParams(body));
    if (this.authorization !== undefined && headers.authorization !== this.authorization) {
      return send(response, 401, '{}');
    }
    const [, collection, name = '', part] = pathname.split('/').map(decodeURIComponent);
    if (collection === 'endless') return undefined;
    if (collection === 'invoices' && part === 'lines')
      return this.#lines(response, name, searchParams);
    if (collection === 'invoices' && name !== '') return this.#one(response, name);
    if (collection === 'invoices') return this.#list(response, searchParams);
    if (collection?.startsWith('status') === true) {
      return this.#status(request, response, `${collection}/${name}`, body);
    }
    return send(response, 404, '{}');
  }

  #token(response: ServerResponse, form: URLSearchParams): unknown {
    if (form.get('client_secret') !== 'client secret') return send(response, 401, '{}');
    this.tokensGiven += 1;
    this.authorization = `Bearer token-${this.tokensGiven}`;
    return send(
      response,
      200,
      JSON.stringify({ access_token: `token-${this.tokensGiven}`, expires_in: 3_600 }),
    );
  }

  #one(response: ServerResponse, number: string): void {
    const found = this.invoices.find((one) => one.number === number);
    send(response, found === undefined ? 404 : 200, found?.json ?? '{}');
  }

  #lines(response: ServerResponse, number: string, parameters: URLSearchParams): void {
    const found = this.invoices.find((one) => one.number === number);
    this.#page(response, found?.lines ?? [], parameters);
  }

  #list(response: ServerResponse, parameters: URLSearchParams): unknown {
    const number = parameters.get('number');
    if (number !== null) {
      const found = this.invoices.filter((one) => one.number === number);
      return send(response, 200, `{"data":[${found.map(({ json }) => json).join()}]}`);
    }
    const since = Date.parse(parameters.get('updated_since') ?? '1970-01-01');
    const records = this.invoices
      .filter(({ updatedMs }) => updatedMs >= since)
      .map((one) => {
        const updated_at = new Date(one.updatedMs).toISOString();
        return JSON.stringify({ number: one.number, updated_at });
      });
    return this.#page(response, records, parameters);
  }

  #page(response: ServerResponse, records: readonly string[], parameters: URLSearchParams): void {
    const page = parameters.get('page');
    const start =
      page === null
        ? Number(parameters.get('offset') ?? parameters.get('after') ?? 0)
        : (Number(page) - 1) * this.pageSize;
    const shown = records.slice(start, start + this.pageSize);
    const after = start + shown.length;
    const hasMore = after < records.length;
    const since = parameters.get('updated_since');
    const address = `/invoices?offset=${after}${since === null ? '' : `&updated_since=${encodeURIComponent(since)}`}`;
    if (hasMore) response.setHeader('link', `</first>; rel="first", <${address}>; rel="next"`);
    const next = hasMore ? `,"next":"${after}","next_url":${JSON.stringify(address)}` : '';
    send(response, 200, `{"data":[${shown.join()}]${next}}`);
  }

  #status(request: IncomingMessage, response: ServerResponse, key: string, body: string): unknown {
    const stored = this.statuses.get(key);
    const tag = stored === undefined ? undefined : `"v${stored.version}"`;
    if (request.method === 'GET') {
      if (tag !== undefined) response.setHeader('etag', tag);
      return send(response, stored === undefined ? 404 : 200, stored?.json ?? '{}');
    }
    const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
    const isStale = match !== undefined && match !== tag;
    if (isStale || (noneMatch === '*' && stored !== undefined)) return send(response, 412, '{}');
    this.statuses.set(key, { json: body, version: (stored?.version ?? 0) + 1 });
    return send(response, stored === undefined ? 201 : 200, '{}');
  }
}

function send(response: ServerResponse, status: number, json: string): unknown {
  return response.writeHead(status, { 'content-type': 'application/json' }).end(json);
}
