/**
 * Services as an express application: `http.createServer(buildApp([einvoicing], context))`.
 * Every answer carries X-Request-Id; every error is `{ detail, code, request_id }`.
 */
import { Readable } from 'node:stream';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { type Environment, type Principal, permits } from '../auth/principal.ts';
import { faultOf } from '../db/errors.ts';
import type { Clock } from '../ids.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { ApiError, commonFail } from './errors.ts';
import { type Health, healthRoutes } from './health.ts';
import { parseInput } from './input.ts';
import { readJson } from './json-body.ts';
import { retryAfter } from './retry-after.ts';
import type { AnyRoute, Reply } from './route.ts';
import type { LimitVerdict, Service } from './service.ts';

export interface HttpContext {
  /** The environment of the address a request came to. */
  readonly environmentOf: (request: Request) => Environment;
  readonly newRequestId: () => string;
  /** Monotonic milliseconds, for durations. */
  readonly stopwatch: () => number;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly health: Health;
  /** What express calls `trust proxy`: how many proxies, or which, may say who the caller is. */
  readonly trustProxy?: number | string;
  /** Checks answers against the rows' schemas; for tests. */
  readonly checkReplies?: boolean;
}

export const bodyBytesMax = 256 * 1_024;
const acceptedRequestId = /^[\w.-]{1,128}$/;

const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

export function buildApp(services: readonly Service[], context: HttpContext): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', context.trustProxy ?? false);
  app.use((request, response, next) => begin(request, response, next, context));
  healthRoutes(app, context.health, context.metrics);
  for (const service of services) addRoutes(app, service, context);
  app.use(() => {
    throw commonFail('not_found', 'There is nothing at this path.');
  });
  app.use((error: unknown, _: Request, response: Response, _next: NextFunction) => {
    sendError(error, response);
  });
  return app;
}

interface Locals {
  readonly requestId: string;
  readonly log: Log;
  route?: string;
  principal?: Principal;
}

const localsOf = (response: Response) => response.locals as Locals;

function begin(
  request: Request,
  response: Response,
  next: NextFunction,
  context: HttpContext,
): void {
  const startedAt = context.stopwatch();
  const sent = request.get('x-request-id') ?? '';
  const requestId = acceptedRequestId.test(sent) ? sent : context.newRequestId();
  Object.assign(response.locals, { requestId, log: context.log.child({ requestId }) });
  response.set({ ...securityHeaders, 'x-request-id': requestId });
  response.on('close', () => {
    const { log, route = 'none', principal } = localsOf(response);
    const status = response.writableFinished ? response.statusCode : 499; // the caller hung up
    const ms = context.stopwatch() - startedAt;
    context.metrics.requestSeconds.observe({ method: request.method, route, status }, ms / 1_000);
    const fields = { method: request.method, route, status, ms, tenantId: principal?.tenantId };
    if (status < 400) log.debug(fields, 'request');
    else log.info(fields, 'request');
  });
  next();
}

function addRoutes(app: Express, service: Service, context: HttpContext): void {
  for (const row of service.routes) {
    app[row.method](expressPath(row.path), (request, response) =>
      answer(row, service, context, request, response),
    );
  }
  for (const [path, allowed] of methodsByPath(service.routes)) {
    app.all(path, (request, response) => {
      response.set('allow', allowed);
      if (request.method === 'OPTIONS') return void response.status(204).end();
      throw commonFail('method_not_allowed', `${request.method} is not allowed here: ${allowed}.`);
    });
  }
}

async function answer(
  row: AnyRoute,
  service: Service,
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const locals = localsOf(response);
  locals.route = row.path;
  const environment = context.environmentOf(request);
  const principal =
    'public' in row.auth ? undefined : await admit(row, service, request, environment);
  if (principal) {
    locals.principal = principal;
    if (row.limit !== undefined && service.count) {
      refuseOverLimit(row.limit, await service.count(row.limit, principal), response);
    }
  }
  const { params, query, headers } = request;
  const hasSchema = row.request?.body !== undefined;
  const body = hasSchema ? await readJson(request, row.bodyBytesMax ?? bodyBytesMax) : undefined;
  const input = await parseInput(row.request ?? {}, { params, query, headers, body });
  const reply = await row.handler({
    ...input,
    principal,
    environment,
    requestId: locals.requestId,
    ip: request.ip ?? '',
    log: locals.log,
    signal: hangUpOf(response),
    raw: request,
  });
  if (reply instanceof ApiError) throw reply;
  if (context.checkReplies) checkReply(row, reply);
  send(reply, response, [row.responses[reply.status]?.mediaType ?? []].flat()[0]);
}

async function admit(
  row: AnyRoute,
  service: Service,
  request: Request,
  environment: Environment,
): Promise<Principal> {
  const { authorization } = request.headers;
  const ip = request.ip ?? '';
  const outcome = await service.authenticate({ authorization, ip, environment });
  if (outcome.kind === 'refused') {
    const { code, detail } = outcome;
    const error = code === 'missing_credentials' ? '' : ', error="invalid_token"';
    throw commonFail(code, detail, {
      headers: { 'www-authenticate': `Bearer realm="drawbridge"${error}` },
    });
  }
  const { scope } = row.auth as { scope: string };
  if (!permits(outcome.principal, scope)) {
    throw commonFail('not_permitted', `This key lacks the permission ${scope}.`);
  }
  return outcome.principal;
}

/**
 * Tells the limit by the fields of draft-ietf-httpapi-ratelimit-headers, whether it is reached or
 * not.
 */
function refuseOverLimit(name: string, verdict: LimitVerdict, response: Response): void {
  const { isGranted, max, windowMs, remaining, retryAfterMs } = verdict;
  const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1_000));
  response.set({
    'ratelimit-policy': `"${name}";q=${max};w=${seconds(windowMs)}`,
    ratelimit: `"${name}";r=${remaining};t=${seconds(retryAfterMs)}`,
  });
  if (isGranted) return;
  throw commonFail('rate_limited', `More than ${max} requests in ${windowMs} ms: slow down.`, {
    headers: retryAfter(retryAfterMs),
  });
}

function hangUpOf(response: Response): AbortSignal {
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function checkReply(row: AnyRoute, reply: Reply): void {
  const declared = row.responses[reply.status];
  if (!declared) throw new Error(`${row.operationId} answers ${reply.status}, which its row lacks`);
  declared.schema?.parse(JSON.parse(JSON.stringify(reply.body)));
}

function send({ status, body, headers = {} }: Reply, response: Response, mediaType?: string): void {
  response.status(status).set(headers);
  if (body === undefined) return void response.end();
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  if (!response.get('content-type')) {
    response.set('content-type', mediaType ?? 'application/json; charset=utf-8');
  }
  if (body instanceof Readable) return void sendStream(body, response);
  response.end(isRaw ? body : JSON.stringify(body));
}

/** What breaks off halfway cuts the connection, so that nobody takes it for the whole. */
function sendStream(body: Readable, response: Response): void {
  body.on('error', () => response.destroy());
  response.on('close', () => body.destroy());
  body.pipe(response);
}

function sendError(error: unknown, response: Response): void {
  const { requestId, log } = localsOf(response);
  const known = asApiError(error);
  if (known.status >= 500) log.error({ err: error }, known.code);
  if (response.headersSent) return void response.destroy();
  const { code, status, message, extra } = known;
  const body = { detail: message, code, request_id: requestId, ...extra.body };
  send({ status, body, ...(extra.headers ? { headers: extra.headers } : {}) }, response);
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof URIError)
    return commonFail('invalid_request', 'The path is not valid UTF-8.');
  if (faultOf(error).retry === 'later') {
    const headers = { 'retry-after': '1' };
    return commonFail('unavailable', 'Try again in a moment.', { headers });
  }
  return commonFail('internal_error', 'A fault of the service; it has been logged.');
}

function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function methodsByPath(routes: readonly AnyRoute[]): Map<string, string> {
  const all = new Map<string, string>();
  for (const { path, method } of routes) {
    const allowed = all.get(expressPath(path));
    const added = method === 'get' ? 'GET, HEAD' : method.toUpperCase();
    all.set(expressPath(path), allowed ? `${allowed}, ${added}` : added);
  }
  return all;
}
