import { refusedCode } from '../platform/net/address.ts';

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
  [/^(ETIMEDOUT|UND_ERR_\w*TIMEOUT|ABORT_ERR|EHOSTUNREACH|ENETUNREACH)$/, 'timeout'],
  [
    /^(ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|CERT_\w+|DEPTH_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/,
    'tls_failed',
  ],
  [/^(HPE_\w+|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES\w+)$/, 'bad_response'],
];

/** What a thrown error of the HTTP client means. */
export function sendErrorOf(error: unknown): SendError {
  const { code, name, errors } = (error ?? {}) as Record<string, unknown>;
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  if (name === 'HTTPParserError') return 'bad_response'; // not all of them have a code
  const text = typeof code === 'string' ? code : '';
  const known = codes.find(([pattern]) => pattern.test(text))?.[1];
  // Several addresses were tried and none answered: the first tells why.
  if (known === undefined && Array.isArray(errors) && errors.length > 0) {
    return sendErrorOf(errors[0]);
  }
  return known ?? 'failed';
}
