import { type ConnectorFault, limits, type Retry } from './contract.ts';

/** Builds a fault; `message` must help a person and hold no secret. */
export function fault(code: string, message: string, retry: Retry): ConnectorFault {
  return { code, message, retry };
}

/** The caller's signal joined with the time limit of one call to a source. */
export function bounded(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(limits.readTimeoutMs)]);
}

/** Why a bounded call was given up: the caller's wish, or the time limit. */
export function abortFault(signal: AbortSignal, where: string): ConnectorFault {
  const isTimeout = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  return isTimeout
    ? fault('timeout', `${where} did not answer within ${limits.readTimeoutMs / 1_000} s.`, 'later')
    : fault('aborted', `The call to ${where} was given up before it answered.`, 'later');
}

const networkMessages: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection: is the server running, and is the port right?',
  ECONNRESET: 'closed the connection.',
  EPIPE: 'closed the connection.',
  ENOTFOUND: 'is not a known host name.',
  EAI_AGAIN: 'could not be looked up: the name server did not answer.',
  ETIMEDOUT: 'did not answer in time: is a firewall in between?',
  EHOSTUNREACH: 'cannot be reached from here.',
  ENETUNREACH: 'cannot be reached from here.',
  ERR_ADDRESS_REFUSED:
    'is a private address, which is not called from here: let a bridge agent in that network read it.',
  PROTOCOL_CONNECTION_LOST: 'closed the connection.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'shows a certificate that is not trusted here.',
  SELF_SIGNED_CERT_IN_CHAIN: 'shows a certificate that is not trusted here.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'shows a certificate that is not trusted here.',
  CERT_HAS_EXPIRED: 'shows a certificate that has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate for another host name.',
};

/**
 * The fault of a failed connection by its system code, or undefined when the code is not the
 * network's.
 */
export function networkFault(code: string | undefined, where: string): ConnectorFault | undefined {
  const message = code === undefined ? undefined : networkMessages[code];
  return message === undefined ? undefined : fault('unreachable', `${where} ${message}`, 'later');
}

/** The `code` of a system or driver error, or undefined. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // A host with several addresses fails with one error an address.
  return error instanceof AggregateError ? errorCode(error.errors[0]) : undefined;
}
