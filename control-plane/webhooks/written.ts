import type { Dispatcher } from 'undici';

/** Options of a request that wants to know when it goes out. */
export interface TracedOptions extends Dispatcher.DispatchOptions {
  readonly onWritten?: () => void;
}

type Handler = Dispatcher.DispatchHandler;

/** An undici interceptor: calls `onWritten` when a connection is there and the request is written to it. */
export const tellWritten: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) => {
    const { onWritten } = options as TracedOptions;
    return dispatch(options, onWritten ? traced(handler, onWritten) : handler);
  };

function traced(handler: Handler, onWritten: () => void): Handler {
  return {
    onRequestStart: (controller, context) => {
      onWritten();
      handler.onRequestStart?.(controller, context);
    },
    onRequestUpgrade: (...rest) => handler.onRequestUpgrade?.(...rest),
    onResponseStart: (...rest) => handler.onResponseStart?.(...rest),
    onResponseData: (...rest) => handler.onResponseData?.(...rest),
    onResponseEnd: (...rest) => handler.onResponseEnd?.(...rest),
    onResponseError: (...rest) => handler.onResponseError?.(...rest),
  };
}
