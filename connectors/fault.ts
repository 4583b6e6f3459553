import { type ConnectorFault, limits, type Retry, type Unreachable } from './contract.ts';

/** Builds a fault; `message` must help a person and hold no secret. */
export function fault(code: string, message: string, retry: Retry): ConnectorFault {
  return { code, message: shortened(message), retry };
}

const messageLengthMax = 1_500;

/** A text for people with something in it that a server said, or a row holds: that may be of any length. */
export function shortened(text: string): string {
  return text.length <= messageLengthMax
    ? text
    : `${text.slice(0, messageLengthMax).toWellFormed()}…`;
}

/** The file stands under several names, of which some may be outside the folders that may be read. */
export function hardLinked(name: string): ConnectorFault {
  const message = `${name} is a hard link: the same file stands elsewhere too. Put a copy there.`;
  return fault('hard_link', message, 'never');
}

/** The caller's signal joined with the time limit of one call to a source. */
export function withTimeLimit(
  signal: AbortSignal,
  timeoutMs: number = limits.callTimeoutMs,
): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

/** Why a call of `withTimeLimit` was aborted: by the caller or by the time limit. */
export function abortFault(
  signal: AbortSignal,
  where: string,
  timeoutMs: number = limits.callTimeoutMs,
): ConnectorFault {
  const isTimeout = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  const limit = `${where} did not answer within ${timeoutMs / 1_000} s`;
  return isTimeout
    ? fault('timeout', `${limit}: what it was doing for this call was stopped.`, 'later')
    : fault('aborted', `The call to ${where} was given up before it answered.`, 'later');
}

/**
 * What `work` comes to, or what `gaveUp` answers as soon as the signal aborts; what the work comes to
 * after that is lost.
 */
export async function untilAborted<Result, GivenUp>(
  work: Promise<Result>,
  signal: AbortSignal,
  gaveUp: () => GivenUp,
): Promise<Result | GivenUp> {
  const aborted = Promise.withResolvers<GivenUp>();
  const onAbort = () => aborted.resolve(gaveUp());
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Nobody waits for it any more, so nobody else hears of its failure.
    work.catch(() => undefined);
  }
}

/**
 * What `work` comes to within the time limit of one call to `where`, or why the call ended before: then
 * its signal aborts, and it is not waited for.
 */
export async function withinCall<Result>(
  where: string,
  signal: AbortSignal,
  timeoutMs: number | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | Unreachable> {
  const limited = withTimeLimit(signal, timeoutMs);
  const gaveUp = () => {
    return { kind: 'unreachable', fault: abortFault(limited, where, timeoutMs) } as const;
  };
  return limited.aborted ? gaveUp() : untilAborted(work(limited), limited, gaveUp);
}

/** Why `list` does not go on from its cursor; `why` goes on after "The cursor". */
export function cursorInvalid(why: string): Unreachable {
  const message = `The cursor ${why}: begin again without one.`;
  return { kind: 'unreachable', fault: fault('cursor_invalid', message, 'never') };
}

/** A file or folder that settings name lies outside those that may be read. */
export function outsideRoots(path: string): ConnectorFault {
  // The first is a setting of agents, the second one of the control plane.
  const message = `${path} is outside the folders that may be read (DRAWBRIDGE_FILE_ROOTS, CONNECTOR_ROOTS).`;
  return fault('path_not_allowed', message, 'never');
}

/** What is said of a server at an address that may not be called, behind its name. */
export const privateAddress =
  'is a private address, which is not called from here: let a bridge agent in that network read it.';

const ofSettings = ['path_not_allowed', 'address_not_allowed'];

/**
 * Whether the fault is of the settings alone: they name a place that is not read from here, so that no
 * repeat helps, nor anything that an administrator of the source could do.
 */
export function isOfSettings({ code }: ConnectorFault): boolean {
  return ofSettings.includes(code);
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
  ERR_ADDRESS_REFUSED: privateAddress,
  ERR_TOO_LARGE: 'answered with more than can be read: leave out columns that nobody maps.',
  PROTOCOL_CONNECTION_LOST: 'closed the connection.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'shows a certificate that is not trusted here.',
  SELF_SIGNED_CERT_IN_CHAIN: 'shows a certificate that is not trusted here.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'shows a certificate that is not trusted here.',
  UNABLE_TO_GET_ISSUER_CERT: 'shows a certificate that is not trusted here.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'shows a certificate that is not trusted here.',
  CERT_HAS_EXPIRED: 'shows a certificate that has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'shows a certificate for another host name.',
};

/**
 * The fault of a failed connection by its system code, or undefined when the code is not the
 * network's.
 */
export function networkFault(code: string | undefined, where: string): ConnectorFault | undefined {
  const message = code === undefined ? undefined : networkMessages[code];
  if (message === undefined) return undefined;
  if (code === 'ERR_ADDRESS_REFUSED')
    return fault('address_not_allowed', `${where} ${message}`, 'never');
  const name = code === 'ERR_TOO_LARGE' ? 'too_large' : 'unreachable';
  return fault(name, `${where} ${message}`, 'later');
}

/** The `code` of a system or driver error, or undefined. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  // A host with several addresses fails with one error for each address.
  return error instanceof AggregateError ? errorCode(error.errors[0]) : undefined;
}
