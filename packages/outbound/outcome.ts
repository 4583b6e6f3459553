/**
 * What is certain about a request that got no whole answer. Only this decides whether to send
 * again: a request that was certainly not sent may be repeated; for one that was perhaps sent, the
 * caller must first ask what became of it.
 *
 * Only the phase counts. The code of the error cannot decide: `ECONNRESET` in a TLS handshake means
 * certainly unsent, and later means perhaps sent; and a list of codes has gaps, each of which loses
 * or repeats a request. The code is for people.
 */

/**
 * How far a request had come, in this order:
 * `address` as it is written the address may never be called,
 * `resolve` the name is looked up,
 * `connect` a connection is made, or one is waited for,
 * `tls`     the TLS handshake,
 * `request` the request is written and the head of its answer awaited (what of it has left this host
 *           when the connection breaks, nobody can tell),
 * `body`    status and headers of the answer have come, its body is read.
 */
export type Phase = 'address' | 'resolve' | 'connect' | 'tls' | 'request' | 'body';

/**
 * `unsent`     certainly not sent: the server has seen nothing of the request,
 * `maybe-sent` the server may have taken it,
 * `answered`   the server took it and has said how it stands.
 */
export type Certainty = 'unsent' | 'maybe-sent' | 'answered';

/** Why a request ended before its answer was whole. */
export interface Failure {
  readonly phase: Phase;
  /** From Node, OpenSSL or undici, e.g. `ECONNRESET`; the error's name when it has no code. */
  readonly code: string;
  /** A sentence, where the code does not say enough. */
  readonly detail?: string;
}

/** What is certain of a request that ended in this phase. */
export const certaintyByPhase: Readonly<Record<Phase, Certainty>> = {
  address: 'unsent',
  resolve: 'unsent',
  connect: 'unsent',
  tls: 'unsent',
  request: 'maybe-sent',
  body: 'answered',
};

/**
 * The code of an error, or its name when it has none. Never its message, which may hold an address
 * with a credential.
 */
export function codeOf(error: unknown): string {
  const { code, name, errors, cause } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code === 'string') return code;
  // Several addresses were tried and none answered: the first one says why.
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  if (cause !== undefined) return codeOf(cause);
  return typeof name === 'string' ? name : 'unknown';
}
