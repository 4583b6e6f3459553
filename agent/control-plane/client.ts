import { parseJson } from '@drawbridge/connectors/json.ts';
/** Calls of the control plane's API in the name of a person, through the proxy and the CAs of this host. */

import { openHttpClient } from '@drawbridge/connectors/outbound/client.ts';
import { z } from 'zod';
import { meaningOfFailure } from '../network/faults.ts';
import { openNetwork } from '../network/network.ts';
import { isTrustedAddress } from '../network/trusted-address.ts';
import { type Failed, failed, type Opened } from '../outcome.ts';
import type { Settings } from '../settings.ts';
import type { Identity } from '../store/identity.ts';
import { errorOf } from './refusals.ts';

/** An answer of the API; `refused` with the code of its error table. */
export type ApiAnswer =
  | { readonly kind: 'ok'; readonly body: unknown }
  | {
      readonly kind: 'refused';
      readonly code: string;
      /** The members of the body that it refuses. */
      readonly members: readonly string[];
      /** The error as the CLI ends with it. */
      readonly outcome: Failed;
    }
  | { readonly kind: 'unreachable'; readonly outcome: Failed };

export type ApiCall = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  path: string,
  body?: object,
) => Promise<ApiAnswer>;

export interface ControlPlane {
  readonly url: string;
  readonly call: ApiCall;
  close(): Promise<void>;
}

/** A preview reads documents through the link for at most half a minute; then come its checks. */
const answerTimeoutMs = 120_000;
const answerBytesMax = 20_000_000;

const problem = z.object({
  code: z.string().max(100),
  detail: z.string().max(20_000),
  errors: z.record(z.string(), z.unknown()).optional(),
});

const rejected = z.object({ id: z.string(), status: z.literal('rejected') });

/** `url` is another address of the same control plane, such as that of its sandbox. */
export function openControlPlane(
  settings: Settings,
  identity: Pick<Identity, 'url' | 'caFile'>,
  key: string,
  url = identity.url,
): Opened<ControlPlane> {
  if (!isTrustedAddress(url, settings)) {
    const cause = `${url} is not safe.`;
    return { kind: 'failed', outcome: failed('url_invalid', cause) };
  }
  const network = openNetwork(settings, identity.caFile);
  if (network.kind === 'failed') return network;
  const base = url.replace(/\/+$/, '');
  const limits = { totalMs: answerTimeoutMs, bodyBytesMax: answerBytesMax };
  const client = openHttpClient(limits, network.value);
  const call: ApiCall = async (method, path, body) => {
    const sent = await client.send({
      method,
      url: base + path,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (sent.kind !== 'answered') {
      return unreachable(`${base} cannot be reached: ${meaningOfFailure(sent.failure)}`);
    }
    const { status, body: bytes, bodyFault } = sent.answer;
    const json = bodyFault === undefined ? parseJson(bytes.toString('utf8')) : undefined;
    if (status >= 200 && status < 300 && json !== undefined) return { kind: 'ok', body: json };
    const told = problem.safeParse(json);
    // A document that is rejected at once is answered with its invoice.
    if (status === 422 && rejected.safeParse(json).success) return { kind: 'ok', body: json };
    if (!told.success) return unreachable(`${base} answered HTTP ${status} and nothing usable.`);
    const { code, detail, errors = {} } = told.data;
    const error = errorOf(code, status);
    const members = Object.keys(errors);
    return { kind: 'refused', code, members, outcome: failed(error, detail) };
  };
  return { kind: 'opened', value: { url: base, call, close: () => client.close() } };
}

function unreachable(cause: string): ApiAnswer {
  return { kind: 'unreachable', outcome: failed('control_plane_unreachable', cause) };
}
