/**
 * How far a request of undici has come. undici's errors do not say it: `ECONNRESET` means certainly
 * unsent during the TLS handshake, and perhaps sent after it. So the connector reports the phases
 * before the request is written, and an interceptor those after.
 */
import type { buildConnector, Dispatcher } from 'undici';
import { codeOf, type Failure, type Phase } from './outcome.ts';

/** Options of a dispatch that wants to know its phase. */
export interface PhasedOptions extends Dispatcher.DispatchOptions {
  /** Called when the request enters the phases `request` and `body`. */
  readonly onPhase?: (phase: Phase) => void;
}

/** A connection could not be made; `failure` names the phase and the code. */
export class ConnectError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, cause?: Error) {
    super(failure.detail ?? `no connection (${failure.phase}: ${failure.code})`, { cause });
    this.name = 'ConnectError';
    this.failure = failure;
  }
}

const literalAddress = /^[\d.]+$|:/;

/** Wraps a connector of undici so that its failures are `ConnectError`s, which name the phase. */
export function phasedConnector(connect: buildConnector.connector): buildConnector.connector {
  return (options, done) => {
    const first: Phase = literalAddress.test(options.hostname) ? 'connect' : 'resolve';
    let phase: Phase = options.httpSocket === undefined ? first : 'tls'; // it is connected already
    const socket = connect(options, (error, made) => {
      if (error === null) done(null, made!);
      else done(new ConnectError({ phase, code: codeOf(error) }, error), null);
    }) as unknown as Pick<NodeJS.EventEmitter, 'once'>; // it answers the socket, untyped
    socket.once('lookup', (error: unknown) => {
      if (error === null) phase = 'connect';
    });
    socket.once('connect', () => {
      phase = 'tls';
    });
  };
}

type Handler = Dispatcher.DispatchHandler;

/** An interceptor that calls `PhasedOptions.onPhase`. */
export const tellPhases: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) => {
    const { onPhase } = options as PhasedOptions;
    return dispatch(options, onPhase === undefined ? handler : told(handler, onPhase));
  };

function told(handler: Handler, onPhase: (phase: Phase) => void): Handler {
  return {
    onRequestStart: (controller, context) => {
      handler.onRequestStart?.(controller, context);
      // A request that was aborted while it waited ends here and is not written.
      if (!controller.aborted) onPhase('request');
    },
    onResponseStart: (controller, status, ...rest) => {
      if (status >= 200) onPhase('body'); // 1xx announces an answer that is still to come
      handler.onResponseStart?.(controller, status, ...rest);
    },
    onBodySent: (chunk) => handler.onBodySent?.(chunk),
    onRequestSent: () => handler.onRequestSent?.(),
    onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
    onResponseStarted: () => handler.onResponseStarted?.(),
    onResponseData: (...all) => handler.onResponseData?.(...all),
    onResponseEnd: (...all) => handler.onResponseEnd?.(...all),
    onResponseError: (...all) => handler.onResponseError?.(...all),
  };
}

/** The failure that an undici error stands for, when the request has come as far as `phase`. */
export function failureOf(error: unknown, phase: Phase): Failure {
  return error instanceof ConnectError ? error.failure : { phase, code: codeOf(error) };
}
