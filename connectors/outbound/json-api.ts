import { setTimeout as wait } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import { parseJsonText } from '@drawbridge/records/json.ts';
import { recordLimits } from '@drawbridge/records/limits.ts';
import { decodeText } from '@drawbridge/records/text.ts';
import {
  type ConnectorContext,
  type ConnectorFault,
  limits,
  type Unreachable,
} from '../contract.ts';
import { fault } from '../fault.ts';
import { type HttpClient, openHttpClient } from './client.ts';
import { answerFault, answerUnreadable, failureFault } from './errors.ts';
import { AccessToken, type OauthSettings } from './oauth.ts';

/** An answer in JSON; numbers are texts, so that they keep their digits. */
interface ApiAnswer {
  readonly kind: 'answer';
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

export type ApiOutcome =
  | ApiAnswer
  /** 404 or 410. */
  | { readonly kind: 'missing' }
  /** 409 or 412: somebody else was faster. */
  | { readonly kind: 'collided' }
  /** The answer is larger than may be read. */
  | { readonly kind: 'too-large'; readonly fault: ConnectorFault }
  | Unreachable;

/** 400 or 422; `code` is the server's own, where it has one. */
export interface Refused {
  readonly kind: 'refused';
  readonly code: string;
  readonly fault: ConnectorFault;
}

export interface ApiRequest {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH';
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Requests of this name go out at a pace of their own. */
  readonly pace?: { readonly of: string; readonly perMinute: number };
}

/** What it takes to reach a server. */
export interface ApiSettings {
  readonly url: string;
  readonly auth:
    | { readonly type: 'none' }
    | { readonly type: 'header'; readonly name: string; readonly value: string }
    | { readonly type: 'basic'; readonly user: string; readonly password: string }
    | { readonly type: 'oauth2'; readonly client: OauthSettings };
  /** Of each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** PEM of the certificates that are trusted for this server. */
  readonly ca?: string | undefined;
  readonly requestsPerMinute?: number | undefined;
}

const attemptsMax = 4;
/** A server that asks for more patience than that is asked again by a later call. */
const patienceMs = 10_000;

/** The API of one server, with its credentials and at its pace. */
export class JsonApi {
  readonly where: string;
  readonly #settings: ApiSettings;
  readonly #client: HttpClient;
  readonly #token: AccessToken | undefined;
  /** By the name of a pace, since the process started: no request goes out earlier. */
  readonly #notBeforeMs = new Map<string, number>();

  constructor(settings: ApiSettings, { clock, socket, network, timeoutMs }: ConnectorContext) {
    this.#settings = settings;
    this.where = `The API at ${new URL(settings.url).host}`;
    const { ca, auth } = settings;
    const secureContext = ca === undefined ? undefined : createSecureContext({ ca });
    this.#client = openHttpClient(
      { totalMs: timeoutMs ?? limits.callTimeoutMs, bodyBytesMax: limits.answerBytesMax },
      network,
      { socket, secureContext },
    );
    this.#token =
      auth.type === 'oauth2' ? new AccessToken(auth.client, this.#client, clock) : undefined;
  }

  /** A place of the API by a path of the settings; its `{names}` are replaced, percent-encoded. */
  urlOf(path: string, values: Readonly<Record<string, string>> = {}): URL | undefined {
    const filled = fillPath(path, values);
    if (filled === undefined) return undefined;
    return new URL(this.#settings.url.replace(/\/$/, '') + filled);
  }

  /** Whether the credentials may be sent there. */
  isOwn(url: URL): boolean {
    return url.origin === new URL(this.#settings.url).origin;
  }

  /** As `ask`, where a refusal is a fault of the settings. */
  async send(request: ApiRequest, signal: AbortSignal): Promise<ApiOutcome> {
    const outcome = await this.ask(request, signal);
    return outcome.kind === 'refused' ? { kind: 'unreachable', fault: outcome.fault } : outcome;
  }

  /** Asks, and again when the server asks for patience or does not take its own token any more. */
  async ask(request: ApiRequest, signal: AbortSignal): Promise<ApiOutcome | Refused> {
    let refused: string | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const login = await this.#login(signal, refused);
      if (login.kind === 'unreachable') return login;
      const { method, url, body, pace } = request;
      await this.#turn(pace, signal);
      const sent = await this.#client.send({
        method,
        url: url.href,
        headers: {
          accept: 'application/json',
          ...this.#settings.headers,
          ...login.headers,
          ...request.headers,
        },
        ...(body === undefined ? {} : { body }),
        signal,
      });
      if (sent.kind !== 'answered') {
        return { kind: 'unreachable', fault: failureFault(sent.failure, this.where) };
      }
      const { answer } = sent;
      if (answer.status === 401 && login.token !== undefined && refused === undefined) {
        refused = login.token;
        continue;
      }
      const afterMs = patienceOf(answer.status, answer.headers);
      if (afterMs !== undefined && afterMs <= patienceMs && attempt < attemptsMax) {
        const name = pace?.of ?? '';
        const knownMs = this.#notBeforeMs.get(name) ?? 0;
        this.#notBeforeMs.set(name, Math.max(knownMs, performance.now() + afterMs));
        continue;
      }
      return outcomeOf(answer, this.where);
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #login(signal: AbortSignal, refused: string | undefined) {
    const { auth } = this.#settings;
    if (this.#token !== undefined) {
      const token = await this.#token.get(signal, refused);
      if (token.kind === 'unreachable') return token;
      const headers = { authorization: `Bearer ${token.value}` };
      return { kind: 'login', headers, token: token.value } as const;
    }
    const headers: Record<string, string> = {};
    if (auth.type === 'header') headers[auth.name.toLowerCase()] = auth.value;
    if (auth.type === 'basic') {
      const pair = Buffer.from(`${auth.user}:${auth.password}`).toString('base64');
      headers.authorization = `Basic ${pair}`;
    }
    return { kind: 'login', headers, token: undefined } as const;
  }

  /** Milliseconds until a request of that pace may go out. */
  waitMs(pace: string): number {
    return Math.max(0, (this.#notBeforeMs.get(pace) ?? 0) - performance.now());
  }

  /** Waits for this request's turn at the pace of the settings and of the server. */
  async #turn(pace: ApiRequest['pace'], signal: AbortSignal): Promise<void> {
    const { of, perMinute } = pace ?? { of: '', perMinute: this.#settings.requestsPerMinute };
    // Others that wait too may be first.
    for (let ms = this.waitMs(of); ms > 0; ms = this.waitMs(of)) {
      await wait(ms, undefined, { signal }).catch(() => undefined);
      // A call that is given up ends with the request, and takes nobody's turn.
      if (signal.aborted) return;
    }
    if (perMinute !== undefined) this.#notBeforeMs.set(of, performance.now() + 60_000 / perMinute);
  }
}

const segmentsMax = 2_000;

/** Undefined when a value would be a way to another place. */
function fillPath(path: string, values: Readonly<Record<string, string>>): string | undefined {
  let isOdd = false;
  const filled = path.replace(/\{([^{}]{1,256})\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : '';
    // Dots alone would lead upwards, and half a character is none.
    isOdd ||= value === '' || /^\.{1,2}$/.test(value) || !value.isWellFormed();
    return isOdd ? '' : encodeURIComponent(value);
  });
  return isOdd || filled.length > path.length + segmentsMax * 3 ? undefined : filled;
}

/** How long the server asks to wait, where that is what it answers. */
function patienceOf(status: number, headers: Readonly<Record<string, string>>): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const seconds = Number(headers['retry-after']);
  return seconds >= 0 && headers['retry-after'] !== '' ? seconds * 1_000 : undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly bodyFault: { readonly kind: 'too-long' | 'broken-off' } | undefined;
}

function outcomeOf(
  { status, headers, body, bodyFault }: Answer,
  where: string,
): ApiOutcome | Refused {
  if (status === 404 || status === 410) return { kind: 'missing' };
  if (status === 409 || status === 412) return { kind: 'collided' };
  if (status === 400 || status === 422) {
    return { kind: 'refused', code: codeOf(body), fault: answerFault({ status, headers }, where) };
  }
  if (status < 200 || status >= 300) {
    return { kind: 'unreachable', fault: answerFault({ status, headers }, where) };
  }
  if (bodyFault?.kind === 'too-long') {
    const message = `${where} answered with more than ${limits.answerBytesMax} bytes.`;
    return { kind: 'too-large', fault: fault('too_large', message, 'never') };
  }
  if (bodyFault !== undefined) {
    const message = `${where} closed the connection in the middle of its answer.`;
    return { kind: 'unreachable', fault: fault('unreachable', message, 'later') };
  }
  if (body.length === 0) return { kind: 'answer', value: null, headers };
  const text = decodeText(body, recordLimits, charsetOf(headers));
  if (text.kind === 'unreadable') {
    return { kind: 'unreachable', fault: answerUnreadable(where, text.error.message) };
  }
  const parsed = parseJsonText(text.text);
  if (parsed.kind === 'unreadable') {
    return { kind: 'unreachable', fault: answerUnreadable(where, parsed.error.message) };
  }
  return { kind: 'answer', value: parsed.value, headers };
}

/** The first code in an error's body, however it is called and wherever it stands. */
function codeOf(body: Buffer): string {
  const text = body.subarray(0, codeWithin).toString('utf8');
  return /"(?:code|errorCode)"\s*:\s*"([\w.-]{1,100})"/.exec(text)?.[1] ?? '';
}

const codeWithin = 65_536;

/** Old servers send Latin-1 and say so. */
function charsetOf(headers: Readonly<Record<string, string>>) {
  const charset = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset === 'iso-8859-1' || charset === 'windows-1252') return 'windows-1252';
  if (charset === 'utf-16le' || charset === 'utf-16be') return charset;
  return undefined;
}
