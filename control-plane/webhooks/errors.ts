import type { Failure } from '@drawbridge/outbound/outcome.ts';
import { refusedCode } from '../platform/outbound/address.ts';

/** Why a request got no answer; shown to the customer with the attempt. */
export type SendError =
  | 'address_refused'
  | 'connection_refused'
  | 'connection_lost'
  | 'name_not_found'
  | 'timeout'
  | 'tls_failed'
  | 'bad_response'
  | 'failed';

const codes: readonly (readonly [RegExp, SendError])[] = [
  [new RegExp(`^${refusedCode}$`), 'address_refused'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNABORTED)$/, 'connection_lost'],
  [/^(ENOTFOUND|EAI_\w+|ENODATA)$/, 'name_not_found'],
  [
    /^(ETIMEDOUT|UND_ERR_\w*TIMEOUT|TimeoutError|AbortError|ABORT_ERR|EHOSTUNREACH|ENETUNREACH)$/,
    'timeout',
  ],
  [
    /^(ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|DEPTH_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/,
    'tls_failed',
  ],
  [/^(HPE_\w+|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES\w+)$/, 'bad_response'],
];

/** The error code for a failed request. */
export function sendErrorOf({ phase, code }: Failure): SendError {
  const known = codes.find(([pattern]) => pattern.test(code))?.[1];
  return known ?? (phase === 'tls' ? 'tls_failed' : 'failed');
}
