/** One call to the provider of an app, with its token, as an answer or as the error of the API. */
import type {
  CallContext,
  SendOutcome,
  WireRequest,
  WireResponse,
} from '../../channels/contract.ts';
import { given } from '../../channels/reading.ts';
import { commonFail } from '../../platform/http/errors.ts';
import type { Clock } from '../../platform/ids.ts';
import type { AppDesk, OpenedApp } from '../apps/desk.ts';
import type { Place } from '../contacts/store.ts';
import { fail } from '../errors.ts';
import type { ProviderCalls } from '../provider-calls.ts';

export interface CallEdge {
  readonly desk: AppDesk;
  readonly calls: ProviderCalls;
  readonly clock: Clock;
}

/** Throws `provider_refused`, or `unavailable` when another try may help. */
export async function ask(
  edge: CallEdge,
  place: Place,
  opened: OpenedApp,
  requestOf: (context: CallContext) => WireRequest,
): Promise<WireResponse> {
  const answer = await tryAsk(edge, place, opened, requestOf);
  if (answer.kind !== 'answered') throw refused(answer);
  return answer.response;
}

/** The provider's answer, or why there is none. */
export async function tryAsk(
  { desk, calls, clock }: CallEdge,
  place: Place,
  opened: OpenedApp,
  requestOf: (context: CallContext) => WireRequest,
): Promise<
  | { readonly kind: 'answered'; readonly response: WireResponse }
  | Extract<SendOutcome, { kind: 'refused' | 'retry' }>
> {
  const { channel, app } = opened;
  await desk.prepare(place, opened);
  const token = await calls.token(place.environment, channel, app);
  if (token.kind !== 'token') return token;
  const request = requestOf({ now: clock(), ...given({ token: token.token }) });
  const answer = await calls.exchange(place.environment, channel.id, request);
  return answer.kind === 'answered' ? answer : { kind: 'retry', reason: answer.reason };
}

/** The error that an outcome other than success is answered with. */
export function refused(outcome: Exclude<SendOutcome, { kind: 'accepted' }>) {
  if (outcome.kind === 'refused') {
    return fail('provider_refused', `The provider refused: ${outcome.code}: ${outcome.detail}`);
  }
  const why = 'reason' in outcome ? outcome.reason : outcome.code;
  return commonFail('unavailable', `The provider cannot answer now (${why}): try again.`);
}
