/** MyInvois as a taxpayer's own client sees what was received, by its published documents. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly uuid: string;
  /** The document as it was submitted: XML or JSON. */
  readonly document: string;
  readonly receivedMs: number;
  readonly typeName?: string;
  status: 'Valid' | 'Cancelled';
  cancelledAt?: Date;
}

/** What the server was asked, and how it answers; a test changes it as it goes. */
export class Taxpayer {
  readonly received: Received[] = [];
  readonly requests: { method: string; url: URL; body: string }[] = [];
  /** Answers a request instead when it returns true. */
  before: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  rejectionHours = 72;
  /** Whether the source of what was cancelled is given out. */
  givesOutCancelled = true;
  tokensGiven = 0;
  /** Requests that are open. */
  open = 0;
  readonly #server: Server;
  readonly #clock: () => Date;

  constructor(clock: () => Date) {
    this.#clock = clock;
    this.#server = createServer((request, response) => void this.#take(request, response));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** A supplier's document, validated `agoMs` ago. */
  put(uuid: string, document: string, agoMs = 3_600_000, typeName?: string): void {
    const receivedMs = this.#clock().getTime() - agoMs;
    const typed = typeName === undefined ? {} : { typeName };
    this.received.push({ uuid, document, receivedMs, status: 'Valid', ...typed });
  }

  /** The supplier takes a document back. */
  cancel(uuid: string): void {
    const found = this.received.find((each) => each.uuid === uuid)!;
    Object.assign(found, { status: 'Cancelled', cancelledAt: this.#clock() });
  }

  /** The searches that were asked for documents in that status. */
  searches(status: Received['status'] = 'Valid'): readonly URLSearchParams[] {
    return this.requests
      .filter(({ url }) => url.pathname.endsWith('/search'))
      .map(({ url }) => url.searchParams)
      .filter((query) => query.get('status') === status);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '', 'http://myinvois');
    this.open += 1;
    response.once('close', () => {
      this.open -= 1;
    });
    let body = '';
    for await (const part of request) body += part;
    this.requests.push({ method: request.method ?? '', url, body });
    if (this.before(request, response)) return undefined;
    if (url.pathname === '/connect/token') return this.#token(response, new URLSearchParams(body));
    if (request.headers.authorization !== `Bearer token-${this.tokensGiven}`) {
      return send(response, 401, { error: { code: 'Unauthorized' } });
    }
    const [, , , collection, id = '', part] = url.pathname.split('/').map(decodeURIComponent);
    if (collection === 'documenttypes') return this.#types(response, id);
    if (collection !== 'documents') return send(response, 404, {});
    if (id === 'search') return this.#search(response, url.searchParams);
    if (id === 'endless') return undefined;
    if (part === 'details') return this.#details(response, id);
    return part === 'raw' ? this.#raw(response, id) : send(response, 404, {});
  }

  #token(response: ServerResponse, form: URLSearchParams): unknown {
    if (form.get('client_secret') !== 'client secret') {
      return send(response, 400, { error: 'invalid_client' });
    }
    this.tokensGiven += 1;
    const access_token = `token-${this.tokensGiven}`;
    return send(response, 200, { access_token, token_type: 'Bearer', expires_in: 3_600 });
  }

  #search(response: ServerResponse, query: URLSearchParams): unknown {
    const [from, to] = ['From', 'To'].map((end) =>
      Date.parse(query.get(`submissionDate${end}`) ?? ''),
    );
    const [size, page] = [Number(query.get('pageSize')), Number(query.get('pageNo'))];
    const isAllowed = to! - from! <= 31 * 86_400_000 && size <= 100 && page >= 1;
    if (!isAllowed || query.get('invoiceDirection') !== 'Received') {
      return send(response, 400, { error: { code: 'BadArgument' } });
    }
    const found = this.received
      .filter((each) => each.receivedMs >= from! && each.receivedMs <= to!)
      .filter(({ status }) => status === query.get('status'))
      .toSorted((one, other) => other.receivedMs - one.receivedMs);
    const result = found
      .slice((page - 1) * size, page * size)
      .map(({ uuid, status }) => ({ uuid, status, internalId: uuid }));
    const totalPages = Math.ceil(found.length / size);
    return send(response, 200, { result, metadata: { totalPages, totalCount: found.length } });
  }

  #raw(response: ServerResponse, uuid: string): unknown {
    const found = this.received.find((each) => each.uuid === uuid);
    if (found?.status === 'Cancelled' && !this.givesOutCancelled) {
      return send(response, 400, { error: { code: 'IncorrectState' } });
    }
    return found === undefined
      ? send(response, 404, { error: { code: 'NotFound' } })
      : send(response, 200, { ...detailsOf(found), document: found.document });
  }

  #details(response: ServerResponse, uuid: string): unknown {
    const found = this.received.find((each) => each.uuid === uuid);
    return found === undefined
      ? send(response, 404, { error: { code: 'NotFound' } })
      : send(response, 200, detailsOf(found));
  }

  #types(response: ServerResponse, id: string): unknown {
    if (id === '') {
      const result = [{ id: 45, invoiceTypeCode: 1, description: 'Invoice' }];
      return send(response, 200, { result });
    }
    const period = { activeFrom: '2024-01-01T00:00:00Z', activeTo: null };
    return send(response, 200, {
      id: 45,
      workflowParameters: [
        { parameter: 'cancellationDuration', value: 24, ...period },
        { parameter: 'rejectionDuration', value: this.rejectionHours, ...period },
      ],
    });
  }
}

function detailsOf({ uuid, status, typeName, receivedMs, cancelledAt }: Received) {
  const dateTimeValidated = new Date(receivedMs).toISOString();
  return {
    uuid,
    submissionUid: 'HJSD135P2S7D8IU',
    longId: 'YQH73576FY9VR57B',
    status,
    typeName,
    dateTimeReceived: dateTimeValidated,
    dateTimeValidated,
    cancelDateTime: cancelledAt?.toISOString() ?? null,
    documentStatusReason: cancelledAt === undefined ? null : 'wrong customer',
  };
}

function send(response: ServerResponse, status: number, body: unknown): unknown {
  return response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify(body));
}
