/** The events of a business account and of its numbers. */
import type { App, Channel, ChannelEvent, ConnectStep, WireResponse } from '../contract.ts';
import { given, type JsonObject, jsonOf, objectsOf, textOf, within } from '../untrusted-input.ts';
import type { Settings } from './settings.ts';

const upgraded = '1000';

/** An event that ends all sending says so; any other asks people to check the number. */
export function accountEvent(
  value: JsonObject,
  field: string,
  account: string | undefined,
): Extract<ChannelEvent, { kind: 'account' }> {
  const what = textOf(value.event) ?? field;
  const isStopped = isDisabled(value, what) || isRestricted(value, what);
  const detail = JSON.stringify(value);
  return { kind: 'account', what, detail, isStopped, ...given({ account }) };
}

/** False for what is only announced, or withdrawn. */
function isDisabled(value: JsonObject, what: string): boolean {
  const state = textOf(within(value, 'ban_info').waba_ban_state);
  return what === 'DISABLED_UPDATE' && (state === undefined || state === 'DISABLE');
}

/** False for a ban on adding numbers, which does not stop sending. */
function isRestricted(value: JsonObject, what: string): boolean {
  if (what !== 'ACCOUNT_RESTRICTION') return false;
  const types = objectsOf(value.restriction_info).map((each) => textOf(each.restriction_type));
  return types.length === 0 || types.some((type) => type !== 'RESTRICTED_ADD_PHONE_NUMBER_ACTION');
}

const fields = ['quality_rating', 'messaging_limit_tier', 'throughput'].join(',');

export const health: NonNullable<Channel<Settings>['health']> = {
  request: ({ endpoint, settings }: App<Settings>) => ({
    method: 'GET',
    url: `${endpoint}/${settings.api_version}/${settings.phone_number_id}?fields=${fields}`,
    headers: { authorization: `Bearer ${settings.access_token}` },
  }),

  read({ status, body }) {
    const answer = status === 200 ? jsonOf(body) : undefined;
    if (answer === undefined) return undefined;
    const isUpgraded = textOf(within(answer, 'throughput').level) === 'HIGH';
    return {
      ...given({
        quality: textOf(answer.quality_rating)?.toLowerCase(),
        tier: textOf(answer.messaging_limit_tier),
      }),
      settings: isUpgraded ? { throughput: upgraded } : {},
    };
  },
};

/**
 * Has the webhooks of the business account come to the app's address, whatever the network's own
 * app says; the network tries the address first.
 */
export function connect(app: App<Settings>, answers: readonly WireResponse[]): ConnectStep {
  if (answers.length > 0) return { kind: 'done' };
  const { api_version, waba_id, access_token, verify_token } = app.settings;
  const request = {
    method: 'POST',
    url: `${app.endpoint}/${api_version}/${waba_id}/subscribed_apps`,
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ override_callback_uri: app.callbackUrl, verify_token }),
  } as const;
  return { kind: 'request', request };
}
