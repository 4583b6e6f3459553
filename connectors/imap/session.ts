import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { ImapFlow, ImapFlowOptions } from 'imapflow';
import type { ConnectorContext, Unreachable } from '../contract.ts';
import { type HttpClient, openHttpClient } from '../outbound/client.ts';
import { AccessToken } from '../outbound/oauth.ts';
import { imapFault } from './errors.ts';
import { messagesMax, noteEnd } from './mailboxes.ts';
import { messageLimits } from './message.ts';
import type { ImapSettings } from './settings.ts';

const connectMs = 10_000;
/** From the connection to the end of the login: a server may say something all the time. */
const loginMs = 20_000;
const answerMs = 60_000;
/** Servers end an idle command after half an hour. */
const idleMs = 5 * 60_000;
const tokenBytesMax = 65_536;
/** Of a line, which the driver reads in one piece: the numbers of a quarter of a million messages. */
const lineBytesMax = 2 * 1_048_576;

export type SessionOutcome = { readonly kind: 'session'; readonly client: ImapFlow } | Unreachable;

type Login = NonNullable<ImapFlowOptions['auth']>;

/** Sessions with one server, which it opens when they are asked for. */
export class ImapServer {
  readonly where: string;
  readonly #settings: ImapSettings;
  readonly #context: ConnectorContext;
  readonly #http: HttpClient | undefined;
  readonly #token: AccessToken | undefined;

  constructor(settings: ImapSettings, context: ConnectorContext) {
    this.#settings = settings;
    this.#context = context;
    this.where = `IMAP at ${settings.host}:${settings.port}`;
    if (settings.oauth === undefined) return;
    const { socket, network } = context;
    this.#http = openHttpClient({ totalMs: connectMs, bodyBytesMax: tokenBytesMax }, network, {
      socket,
    });
    this.#token = new AccessToken(settings.oauth, this.#http, context.clock);
  }

  /** A session that has logged in; whoever asks for it closes it. */
  async open(signal: AbortSignal): Promise<SessionOutcome> {
    const first = await this.#credentials(signal);
    if (first.kind === 'unreachable') return first;
    const opened = await this.#openAs(first.auth, signal);
    const isRefused = opened.kind === 'unreachable' && opened.fault.code === 'access_denied';
    const { accessToken } = first.auth;
    if (!isRefused || accessToken === undefined) return opened;
    // A token may end before its time: the next one is tried once.
    const next = await this.#credentials(signal, accessToken);
    return next.kind === 'unreachable' ? next : this.#openAs(next.auth, signal);
  }

  async #openAs(auth: Login, signal: AbortSignal): Promise<SessionOutcome> {
    let client: ImapFlow | undefined;
    const ended = AbortSignal.any([signal, AbortSignal.timeout(loginMs)]);
    const close = () => client?.close();
    ended.addEventListener('abort', close, { once: true });
    try {
      const { socket } = this.#context;
      const { host, port } = this.#settings;
      const address = socket === undefined ? host : await dialledAddress(socket(), host, port);
      const { ImapFlow: Client } = await import('imapflow');
      const opening = new Client(this.#options(address, auth));
      client = opening;
      // A session that breaks is noticed by the command that waits for it, or by the next one.
      opening.on('error', (error) => noteEnd(opening, error));
      boundUntagged(opening);
      await opening.connect();
      return { kind: 'session', client: opening };
    } catch (error) {
      client?.close();
      return { kind: 'unreachable', fault: imapFault(error, this.where) };
    } finally {
      ended.removeEventListener('abort', close);
    }
  }

  async close(): Promise<void> {
    await this.#http?.close();
  }

  /** `refused` is a token that the server does not take any more. */
  async #credentials(signal: AbortSignal, refused?: string) {
    const { user, password = '' } = this.#settings;
    const credentials = (auth: Login) => ({ kind: 'credentials', auth }) as const;
    if (this.#token === undefined) return credentials({ user, pass: password });
    const token = await this.#token.get(signal, refused);
    if (token.kind === 'unreachable') return token;
    return credentials({ user, accessToken: token.value });
  }

  /** The certificates that are trusted; Node's own where neither settings nor host name any. */
  #trusted(): { readonly ca?: string; readonly secureContext?: SecureContext } {
    const { ca, tls } = this.#settings;
    if (ca !== undefined) return { ca };
    const { network } = this.#context;
    return network === undefined || tls === 'off' ? {} : { secureContext: network.secureContext };
  }

  #options(address: string, auth: Login): ImapFlowOptions {
    const { host, port, tls } = this.#settings;
    return {
      host: address,
      servername: host,
      port,
      secure: tls === 'verify' || tls === 'unverified',
      doSTARTTLS: tls === 'starttls',
      tls: {
        rejectUnauthorized: tls !== 'unverified',
        minVersion: 'TLSv1.2',
        ...this.#trusted(),
      },
      auth,
      logger: false,
      clientInfo: { name: 'drawbridge' },
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: answerMs,
      maxIdleTime: idleMs,
      disableAutoIdle: true,
      maxLineLength: lineBytesMax,
      maxLiteralSize: messageLimits.bytesMax + messageLimits.headersMax,
      maxResponseSize: messageLimits.bytesMax + 2 * messageLimits.headersMax,
    };
  }
}

/** What a server says unasked may not keep the thread: the driver would go through each number of a range. */
function boundUntagged(client: ImapFlow): void {
  // Sent to those only who have asked for QRESYNC (RFC 7162), and we do not.
  Object.assign(client, { untaggedVanished: async () => undefined });
  client.on('exists', ({ count }: { readonly count: number }) => {
    if (count > messagesMax) client.close();
  });
}

/**
 * The address that a socket of the caller reaches, and may: the driver dials by itself, and is given
 * this very address, so that no second look-up can lead elsewhere.
 */
async function dialledAddress(socket: Socket, host: string, port: number): Promise<string> {
  const dialled = Promise.withResolvers<string>();
  socket.once('error', dialled.reject);
  socket.once('connect', () => dialled.resolve(socket.remoteAddress ?? host));
  socket.setTimeout(connectMs, () => {
    dialled.reject(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
  });
  socket.connect(port, host);
  try {
    return await dialled.promise;
  } finally {
    socket.destroy();
  }
}
