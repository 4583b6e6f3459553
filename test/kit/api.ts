/**
 * Calls an API and tells the answer as it came: its status, its headers, its body. What only calls an API
 * goes through the printed client of `packages/sdk/clients`.
 */
export class Api {
  readonly #baseUrl: string;
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  get = (path: string): Promise<Answer> => this.#send('GET', path);
  post = (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    this.#send('POST', path, body, headers);
  put = (path: string, body: unknown): Promise<Answer> => this.#send('PUT', path, body);
  patch = (path: string, body: unknown): Promise<Answer> => this.#send('PATCH', path, body);

  async #send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes; the API's own tests check their schemas
  readonly body: any;
}

/** The body of an answer with this status; throws the service's error for another one. */
export function expectStatus(answer: Answer, status: number, what: string): Answer['body'] {
  if (answer.status === status) return answer.body;
  throw new Error(
    `${what}: expected ${status}, got ${answer.status} ${JSON.stringify(answer.body)}`,
  );
}
