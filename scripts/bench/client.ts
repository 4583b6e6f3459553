import { Pool } from 'undici';

/** What a client of the API sends and reads, over connections that it keeps. */
export class Client {
  readonly #pool: Pool;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(baseUrl: string, key: string, connections: number) {
    this.#pool = new Pool(baseUrl, { connections, pipelining: 1 });
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  async send(method: 'GET' | 'PATCH' | 'POST' | 'PUT', path: string, body?: unknown): Promise<any> {
    const answer = await this.#pool.request({
      method,
      path,
      headers: this.#headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text);
  }

  /** Submits a document without waiting for its verdict; resolves when it is accepted. */
  async submit(connectorId: string, sourceRef: string): Promise<void> {
    const { statusCode, body } = await this.#pool.request({
      method: 'POST',
      path: '/v1/invoices',
      headers: { ...this.#headers, prefer: 'respond-async' },
      body: JSON.stringify({ connector_id: connectorId, source_ref: sourceRef }),
    });
    const text = await body.text();
    if (statusCode !== 202) throw new Error(`POST /v1/invoices: ${statusCode} ${text}`);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
