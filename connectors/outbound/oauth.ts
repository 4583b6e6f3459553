import { SingleFlight } from '@drawbridge/concurrency/single-flight.ts';
import { z } from 'zod';
import type { Unreachable } from '../contract.ts';
import { fault } from '../fault.ts';
import { parseJson } from '../json.ts';
import type { HttpClient } from './client.ts';
import { answerFault, failureFault } from './errors.ts';

const text = z.string().min(1).max(2_000);

/** Settings of OAuth 2.0 between programs: client credentials, or a refresh token that somebody got. */
export const oauthSettings = z.strictObject({
  tokenUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .describe('Where tokens are asked for'),
  clientId: text.describe('Id of the client'),
  clientSecret: z.string().max(4_000).default('').meta({ secret: true }).describe('Its secret'),
  refreshToken: z
    .string()
    .max(8_000)
    .optional()
    .meta({ secret: true })
    .describe('A refresh token; client credentials are used when left out'),
  scope: text.optional().describe('Scopes, separated by blanks'),
});
export type OauthSettings = z.infer<typeof oauthSettings>;

export type TokenOutcome = { readonly kind: 'token'; readonly value: string } | Unreachable;

/** Tokens are renewed so long before they end, for a request takes its time. */
const marginMs = 60_000;
/** Of a token whose server names no end. */
const defaultSeconds = 300;

/** The token of one client: asked for once, kept until shortly before its end. */
export class AccessToken {
  readonly #settings: OauthSettings;
  readonly #client: HttpClient;
  readonly #clock: () => Date;
  readonly #asking = new SingleFlight<TokenOutcome>();
  #known: { readonly value: string; readonly untilMs: number } | undefined;

  constructor(settings: OauthSettings, client: HttpClient, clock: () => Date) {
    this.#settings = settings;
    this.#client = client;
    this.#clock = clock;
  }

  /** A token that is good now; `refused` is one that the server would not take any more. */
  async get(signal: AbortSignal, refused?: string): Promise<TokenOutcome> {
    const known = this.#known;
    const isGood = known !== undefined && known.untilMs > this.#clock().getTime();
    if (isGood && known.value !== refused) return { kind: 'token', value: known.value };
    return this.#asking.join('token', () => this.#ask(signal));
  }

  async #ask(signal: AbortSignal): Promise<TokenOutcome> {
    const { tokenUrl, clientId, clientSecret, refreshToken, scope } = this.#settings;
    const form = new URLSearchParams({
      grant_type: refreshToken === undefined ? 'client_credentials' : 'refresh_token',
      client_id: clientId,
      client_secret: clientSecret,
    });
    if (refreshToken !== undefined) form.set('refresh_token', refreshToken);
    if (scope !== undefined) form.set('scope', scope);
    const where = new URL(tokenUrl).host;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    };
    const sent = await this.#client.send({
      method: 'POST',
      url: tokenUrl,
      headers,
      body: form.toString(),
      signal,
    });
    if (sent.kind !== 'answered') {
      return { kind: 'unreachable', fault: failureFault(sent.failure, where) };
    }
    const { status, body } = sent.answer;
    if (status === 400 || status === 401 || status === 403) {
      const message = `${where} gives no token (${status}): check client id and secret.`;
      return { kind: 'unreachable', fault: fault('access_denied', message, 'never') };
    }
    if (status !== 200) return { kind: 'unreachable', fault: answerFault(sent.answer, where) };
    const answer = tokenAnswer.safeParse(parseJson(body.toString('utf8')));
    if (!answer.success) {
      const message = `${where} answered without a token.`;
      return { kind: 'unreachable', fault: fault('token_missing', message, 'later') };
    }
    const { access_token: value, expires_in: seconds } = answer.data;
    const untilMs = this.#clock().getTime() + seconds * 1_000 - marginMs;
    this.#known = { value, untilMs };
    return { kind: 'token', value };
  }
}

const tokenAnswer = z.object({
  access_token: z.string().min(1).max(16_384),
  expires_in: z.coerce.number().min(0).max(86_400).catch(defaultSeconds),
});
