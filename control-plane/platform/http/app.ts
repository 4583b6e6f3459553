/**
 * Builds an express application of services: `http.createServer(buildApp([einvoicing], context))`.
 * Every answer carries X-Request-Id; every error is `{ detail, code, request_id }`.
 */
import { Readable } from 'node:stream';
import express, {
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import type { AuditLog } from '../audit/audit-log.ts';
import { plainAddress } from '../auth/address-ranges.ts';
import type { AttemptLimit } from '../auth/attempt-limit.ts';
import { type Environment, type Principal, permits, type RefusalCode } from '../auth/principal.ts';
import { requireProof } from '../auth/proof.ts';
import { faultOf } from '../db/errors.ts';
import type { Clock } from '../ids.ts';
import type { BytesUnderWay } from '../limits/bytes-under-way.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tracing } from '../tracing/span.ts';
import { BodyReservation, smallBodyBytes } from './body-reservation.ts';
import { bodyTurns, dropRest } from './body-turns.ts';
import { browserCallOf } from './browser-call.ts';
import { ApiError, commonFail } from './errors.ts';
import { type Health, healthRoutes } from './health.ts';
import { parseInput } from './input.ts';
import { type JsonBodyLimits, parseJson, readJson, readReserved } from './json-body.ts';
import { openRefusalAudit, openRequestAudit } from './request-audit.ts';
import { traceRequest } from './request-span.ts';
import { retryAfter } from './retry-after.ts';
import type { AnyRoute, Reply, RequestCall } from './route.ts';
import type { LimitVerdict, Service } from './service.ts';
import { isFromUntrustedProxy } from './untrusted-proxy.ts';

/** What the handling of every request uses. */
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
  /** Whether this process is so late that further requests would only wait; health is still told. */
  readonly isLate?: () => boolean;
  /** The large bodies that are under way. */
  readonly bodies: BytesUnderWay;
  readonly auditLog: AuditLog;
  /** What express calls `trust proxy`: how many proxies, or which, may say who the caller is. */
  readonly trustProxy?: number | string;
  /** Whether clients reach this address by TLS although the proxy does not say so. */
  readonly isSecure?: (request: Request) => boolean;
  /** Without it, failed credentials are not limited. */
  readonly attempts?: AttemptLimit;
  /** Records requests, those for health excepted. */
  readonly tracing?: Tracing | undefined;
  /** The pages of the console; without them `/console/` says how they are made. */
  readonly console?: RequestHandler | undefined;
  /** Checks answers against the rows' schemas; for tests. */
  readonly checkReplies?: boolean;
}

/** What a JSON body of most routes may be; more is answered with 413. */
const bodyLimits: JsonBodyLimits = { bytesMax: 256 * 1_024, valuesMax: 50_000 };
const lateRetryMs = 2_000;
/** After which to try again what was refused with 503, where nothing else is known. */
const retryMs = 1_000;
const acceptedRequestId = /^[\w.-]{1,128}$/;

const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * The application; an error of a handler that is not an `ApiError` is logged and answered with 500.
 */
export function buildApp(services: readonly Service[], context: HttpContext): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', context.trustProxy ?? false);
  const warnOfProxy = warnOnce(context);
  app.use((request, response, next) => {
    if (isFromUntrustedProxy(request)) warnOfProxy();
    begin(request, response, next, context);
  });
  healthRoutes(app, context.health, context.metrics);
  consoleRoutes(app, context.console);
  const { tracing } = context;
  if (tracing !== undefined) {
    app.use((request, response, next) =>
      traceRequest(tracing, request, response, next, () => {
        const { route, principal } = localsOf(response);
        return { route, tenantId: principal?.tenantId };
      }),
    );
  }
  app.use((_request, _response, next) => {
    if (context.isLate?.() !== true) return next();
    context.metrics.loadRefusals.inc({ reason: 'late' });
    throw commonFail('unavailable', 'The service has more to do than it can: try again later.', {
      headers: retryAfter(lateRetryMs),
    });
  });
  const recordRefusal = openRefusalAudit(context.auditLog, context.clock);
  for (const service of services) addRoutes(app, service, { ...context, recordRefusal });
  app.use(() => {
    throw commonFail('not_found', 'There is nothing at this path.');
  });
  app.use((error: unknown, _: Request, response: Response, _next: NextFunction) => {
    sendError(error, response);
  });
  return app;
}

function consoleRoutes(app: Express, pages: RequestHandler | undefined): void {
  app.get('/', (_, response) => response.redirect('/console/'));
  app.get('/docs', (_, response) => response.redirect('/console/docs'));
  const missing: RequestHandler = () => {
    throw commonFail('not_found', 'The console is not built: run "npm run build:console".');
  };
  app.use('/console', pages ?? missing);
}

interface OpenContext extends HttpContext {
  readonly recordRefusal: ReturnType<typeof openRefusalAudit>;
}

interface Locals {
  readonly requestId: string;
  readonly log: Log;
  route?: string;
  principal?: Principal;
  /** The key that was refused, when it is one of ours. */
  refusedId?: string;
}

const localsOf = (response: Response) => response.locals as Locals;

function begin(
  request: Request,
  response: Response,
  next: NextFunction,
  context: HttpContext,
): void {
  const startedAt = context.stopwatch();
  // A stream of a handler that fails takes the socket from the request, and with it who called.
  const { ip } = request;
  const sent = request.get('x-request-id') ?? '';
  const requestId = acceptedRequestId.test(sent) ? sent : context.newRequestId();
  Object.assign(response.locals, { requestId, log: context.log.child({ requestId }) });
  response.set({ ...securityHeaders, 'x-request-id': requestId });
  response.on('close', () => {
    const { log, route = 'none', principal, refusedId } = localsOf(response);
    const status = response.writableFinished ? response.statusCode : 499; // the caller hung up
    const ms = context.stopwatch() - startedAt;
    context.metrics.requestSeconds.observe({ method: request.method, route, status }, ms / 1_000);
    const fields = {
      method: request.method,
      route,
      status,
      ms,
      tenantId: principal?.tenantId,
      by: principal?.id ?? refusedId,
      ip,
    };
    if (status < 400) log.debug(fields, 'request');
    else log.info(fields, 'request');
  });
  next();
}

function addRoutes(app: Express, service: Service, context: OpenContext): void {
  for (const row of service.routes) {
    app[row.method](expressPath(row.path), (request, response) =>
      answer(row, service, context, request, response),
    );
  }
  for (const [path, allowed] of methodsByPath(service.routes)) {
    // `app.all` makes a matcher for each method that Node knows.
    app.route(path).all((request, response) => {
      response.set('allow', allowed);
      if (request.method === 'OPTIONS') return void response.status(204).end();
      throw commonFail('method_not_allowed', `${request.method} is not allowed here: ${allowed}.`);
    });
  }
}

async function answer(
  row: AnyRoute,
  service: Service,
  context: OpenContext,
  request: Request,
  response: Response,
): Promise<void> {
  const locals = localsOf(response);
  locals.route = row.path;
  const { authorization } = request.headers;
  const ip = plainAddress(request.ip ?? '');
  const from = {
    environment: context.environmentOf(request),
    ip,
    countedIp: isFromUntrustedProxy(request) ? undefined : ip,
    requestId: locals.requestId,
    browser: browserCallOf(request, request.secure || context.isSecure?.(request) === true),
  };
  const principal =
    'public' in row.auth
      ? undefined
      : await admit(row, service, context, { ...from, authorization }, locals);
  if (principal) {
    locals.principal = principal;
    if (row.limit !== undefined && service.count) {
      refuseOverLimit(row.limit, await service.count(row.limit, principal), response);
    }
  }
  const call = { ...from, principal, log: locals.log };
  const audit = openRequestAudit(context.auditLog, { row, service: service.name, ...call });
  const reservation = new BodyReservation(
    context.bodies,
    principal?.tenantId ?? '',
    context.metrics.loadRefusals,
  );
  let reply: Reply | ApiError;
  try {
    const limits = bodyLimitsOf(row);
    const hasSchema = row.request?.body !== undefined;
    const turn = () => bodyTurns.next(principal?.tenantId ?? '');
    const bytes = hasSchema ? await readJson(request, limits, reservation, turn) : undefined;
    const readRaw = (bytesMax: number) => readReserved(request, bytesMax, reservation, turn);
    const signal = hangUpOf(response);
    reply = await handle(row, bytes, { ...call, audit, signal, raw: request, readRaw });
  } finally {
    reservation.end();
  }
  if (reply instanceof ApiError) throw reply;
  await audit.finish(request.params as Record<string, string>, reply);
  if (context.checkReplies) checkReply(row, reply);
  send(reply, response, [row.responses[reply.status]?.mediaType ?? []].flat()[0]);
}

/** A large body goes as it came to a row that wants it so. */
async function handle(
  row: AnyRoute,
  bytes: Uint8Array<ArrayBuffer> | undefined,
  call: RequestCall,
): Promise<Reply | ApiError> {
  const { params, query, headers } = call.raw as Request;
  const { body: bodySchema, ...schemas } = row.request ?? {};
  const isLarge = bytes !== undefined && bytes.length > smallBodyBytes;
  if (isLarge && row.largeBody !== undefined) {
    const input = await parseInput(schemas, { params, query, headers, body: undefined });
    return row.largeBody({ ...input, ...call }, bytes);
  }
  const body = bytes === undefined ? undefined : parseJson(bytes);
  const input = await parseInput(row.request ?? {}, { params, query, headers, body });
  return row.handler({ ...input, ...call });
}

function bodyLimitsOf({ bodyBytesMax, bodyValuesMax }: AnyRoute): JsonBodyLimits {
  const { bytesMax, valuesMax } = bodyLimits;
  return { bytesMax: bodyBytesMax ?? bytesMax, valuesMax: bodyValuesMax ?? valuesMax };
}

/** Refusals that a stranger who tries keys would get. */
const isGuess: ReadonlySet<RefusalCode> = new Set(['invalid_credentials', 'revoked_credentials']);

function warnOnce({ log }: HttpContext): () => void {
  let isSaid = false;
  return () => {
    if (!isSaid) {
      log.warn(
        'X-Forwarded-For arrived, but TRUST_PROXY is not set: callers are known by the address of ' +
          'the proxy, /metrics is closed to them, failed keys and sign-ins are not limited by address',
      );
    }
    isSaid = true;
  };
}

interface Caller
  extends Pick<RequestCall, 'environment' | 'ip' | 'countedIp' | 'requestId' | 'browser'> {
  readonly authorization: string | undefined;
}

async function admit(
  row: AnyRoute,
  service: Service,
  context: OpenContext,
  { authorization, environment, ip, countedIp, requestId, browser }: Caller,
  locals: Locals,
): Promise<Principal> {
  const isCounted = authorization !== undefined && countedIp !== undefined;
  const attempts = isCounted ? context.attempts : undefined;
  const waitMs = attempts?.waitMs(ip, authorization!) ?? 0;
  if (waitMs > 0) {
    throw commonFail('rate_limited', 'Too many credentials from this address were refused.', {
      headers: retryAfter(waitMs),
    });
  }
  const outcome = await service.authenticate({ authorization, browser, ip, environment });
  if (outcome.kind === 'refused') {
    const { code, detail, known } = outcome;
    if (isGuess.has(code)) await attempts?.failed(ip);
    if (known) {
      locals.refusedId = known.id;
      const from = { service: service.name, environment, ip, requestId };
      await context.recordRefusal({ ...known, code }, from);
    }
    const error = code === 'missing_credentials' ? '' : ', error="invalid_token"';
    throw commonFail(code, detail, {
      headers: { 'www-authenticate': `Bearer realm="drawbridge"${error}` },
    });
  }
  attempts?.accepted(authorization!);
  const { scope } = row.auth as { scope: string };
  if (!permits(outcome.principal, scope)) {
    throw commonFail('not_permitted', `This key or role lacks the permission ${scope}.`);
  }
  if (row.needsProof) requireProof(outcome.principal, context.clock());
  return outcome.principal;
}

/**
 * States the limit in the fields of draft-ietf-httpapi-ratelimit-headers, and throws when it is
 * reached.
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
  const { body } = reply;
  const json = body instanceof Uint8Array ? Buffer.from(body).toString() : JSON.stringify(body);
  declared.schema?.parse(JSON.parse(json));
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

/** Closes the connection when the stream fails, so that no client takes a part for the whole. */
function sendStream(body: Readable, response: Response): void {
  body.on('error', () => response.destroy());
  response.on('close', () => body.destroy());
  body.pipe(response);
}

function sendError(error: unknown, response: Response): void {
  const { requestId, log, principal } = localsOf(response);
  const known = asApiError(error);
  if (known.status >= 500) log.error({ err: error }, known.code);
  if (response.headersSent) return void response.destroy();
  const { code, status, message, extra } = known;
  // A body whose end was not announced is not read to its end for an error.
  const { complete, headers } = response.req;
  if (!complete && headers['content-length'] === undefined) response.set('connection', 'close');
  const body = { detail: message, code, request_id: requestId, ...extra.body };
  const advice = status === 503 && extra.headers?.['retry-after'] === undefined;
  send(
    { status, body, headers: { ...(advice ? retryAfter(retryMs) : {}), ...extra.headers } },
    response,
  );
  const isKept = response.getHeader('connection') !== 'close';
  if (!complete && isKept) void dropRest(response.req, principal?.tenantId ?? '');
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof URIError)
    return commonFail('invalid_request', 'The path is not valid UTF-8.');
  if (faultOf(error).retry === 'later') return commonFail('unavailable', 'Try again in a moment.');
  if (isDiskFull(error)) {
    return commonFail('unavailable', 'There is no room for this now: try again later.');
  }
  return commonFail('internal_error', 'A fault of the service; it has been logged.');
}

function isDiskFull(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT';
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
