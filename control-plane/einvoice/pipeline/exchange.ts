import { type Dispatcher, request } from 'undici';
import {
  type AuthorityEndpoint,
  type Exchange,
  WireFault,
  type WireResponse,
} from '../../authorities/contract.ts';

/** How long one exchange may take, and how much of an answer is read. */
const timeoutMs = 30_000;
const answerBytesMax = 10_000_000;

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The wire to one authority; it follows no redirect. */
export function exchangeWith({ baseUrl }: AuthorityEndpoint): Exchange {
  return async ({ path, method, headers, body }) => {
    let response: Dispatcher.ResponseData;
    try {
      response = await request(`${baseUrl}${path}`, {
        ...{ method, headers, signal: AbortSignal.timeout(timeoutMs) },
        ...(body === undefined ? {} : { body }),
      });
    } catch (error) {
      throw new WireFault(reasonOf(error), wasSent(error));
    }
    try {
      return await readAnswer(response);
    } catch (error) {
      throw new WireFault(`the answer broke off: ${reasonOf(error)}`, true);
    }
  };
}

async function readAnswer(response: Dispatcher.ResponseData): Promise<WireResponse> {
  const { statusCode: status, headers, body } = response;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += (chunk as Uint8Array).length;
    if (length > answerBytesMax) throw new Error(`more than ${answerBytesMax} bytes`);
    chunks.push(chunk as Uint8Array);
  }
  if (redirects.has(status)) throw new Error(`a redirect (${status}), which is not followed`);
  return {
    status,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]),
    ),
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Before a connection stood, nothing can have been taken. */
function wasSent(error: unknown): boolean {
  return ![
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EHOSTUNREACH',
    'UND_ERR_CONNECT_TIMEOUT',
  ].includes((error as { code?: string }).code ?? '');
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message: string };
  return typeof code === 'string' ? code : message;
}
