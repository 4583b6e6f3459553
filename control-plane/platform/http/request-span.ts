import type { NextFunction, Request, Response } from 'express';
import { subjectSpan, withSpans } from '../tracing/active-spans.ts';
import type { Tracing } from '../tracing/span.ts';

/** What is known of a request once it is answered. */
export interface Answered {
  /** The path of its row, with names for parameters; undefined when there is none. */
  readonly route: string | undefined;
  readonly tenantId: string | undefined;
}

/**
 * Records a request until it is answered, in the caller's trace when that sent a valid `traceparent`.
 */
export function traceRequest(
  tracing: Tracing,
  request: Request,
  response: Response,
  next: NextFunction,
  answered: () => Answered,
): void {
  const { method } = request;
  const attributes = { 'http.request.method': method };
  const start = { name: method, kind: 'server', attributes } as const;
  const span = tracing.start(start, request.get('traceparent'));
  response.on('close', () => {
    const { route, tenantId } = answered();
    const status = response.statusCode;
    if (route !== undefined) span.rename(`${method} ${route}`);
    span.set({ 'http.route': route, 'drawbridge.tenant.id': tenantId });
    if (!response.writableFinished) span.fail('closed_by_caller');
    else span.set({ 'http.response.status_code': status });
    if (response.writableFinished && status >= 500) span.fail(String(status));
    span.end();
  });
  withSpans([subjectSpan('', span)], () => next());
}
