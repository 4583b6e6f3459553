/** Makes one call to the provider of an app, with its token. */
import type {
  CallContext,
  SendOutcome,
  WireRequest,
  WireResponse,
} from '../../channels/contract.ts';
import { given } from '../../channels/untrusted-input.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import { commonFail } from '../../platform/http/errors.ts';
import type { Clock } from '../../platform/ids.ts';
import type { AppOpener, OpenedApp } from '../apps/app-opener.ts';
import { fail } from '../errors.ts';
import type { ProviderCalls } from '../provider-calls.ts';

export interface ProviderContext {
  readonly appOpener: AppOpener;
  readonly calls: ProviderCalls;
  readonly clock: Clock;
}

/** Throws `provider_refused`, or `unavailable` when another try may help. */
export async function callProvider(
  context: ProviderContext,
  scope: TenantScope,
  opened: OpenedApp,
  requestOf: (context: CallContext) => WireRequest,
): Promise<WireResponse> {
  const answer = await tryProvider(context, scope, opened, requestOf);
  if (answer.kind !== 'answered') throw refused(answer);
  return answer.response;
}

/** The provider's answer, or why there is none. */
export async function tryProvider(
  { appOpener, calls, clock }: ProviderContext,
  scope: TenantScope,
  opened: OpenedApp,
  requestOf: (context: CallContext) => WireRequest,
): Promise<
  | { readonly kind: 'answered'; readonly response: WireResponse }
  | Extract<SendOutcome, { kind: 'refused' | 'retry' }>
> {
  const { channel, app } = opened;
  await appOpener.prepare(scope, opened);
  const token = await calls.token(scope.environment, channel, app);
  if (token.kind !== 'token') return token;
  const request = requestOf({ now: clock(), ...given({ token: token.token }) });
  const answer = await calls.exchange(scope.environment, channel.id, request);
  return answer.kind === 'answered' ? answer : { kind: 'retry', reason: answer.reason };
}

/** The API error for an outcome that is not a success. */
export function refused(outcome: Exclude<SendOutcome, { kind: 'accepted' }>) {
  if (outcome.kind === 'refused') {
    return fail('provider_refused', `The provider refused: ${outcome.code}: ${outcome.detail}`);
  }
  const why = 'reason' in outcome ? outcome.reason : outcome.code;
  return commonFail('unavailable', `The provider cannot answer now (${why}): try again.`);
}
