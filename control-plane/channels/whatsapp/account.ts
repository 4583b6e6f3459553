/** The business account and its numbers: what the network tells of them, and what it answers. */
import type { App, Channel, ChannelEvent } from '../contract.ts';
import { given, type JsonObject, jsonOf, objectsOf, textOf, within } from '../reading.ts';
import type { Settings } from './settings.ts';

const upgraded = '1000';

/** One that ends all sending says so; all others ask to look how the number stands. */
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

/** Not what is only announced, or taken back. */
function isDisabled(value: JsonObject, what: string): boolean {
  const state = textOf(within(value, 'ban_info').waba_ban_state);
  return what === 'DISABLED_UPDATE' && (state === undefined || state === 'DISABLE');
}

/** A ban on adding numbers ends no sending. */
function isRestricted(value: JsonObject, what: string): boolean {
  if (what !== 'ACCOUNT_RESTRICTION') return false;
  const types = objectsOf(value.restriction_info).map((each) => textOf(each.restriction_type));
  return types.length === 0 || types.some((type) => type !== 'RESTRICTED_ADD_PHONE_NUMBER_ACTION');
}

const fields = ['quality_rating', 'messaging_limit_tier', 'throughput'].join(',');

export const standing: NonNullable<Channel<Settings>['standing']> = {
  request: ({ endpoint, settings }: App<Settings>) => ({
    method: 'GET',
    url: `${endpoint}/${settings.api_version}/${settings.phone_number_id}?fields=${fields}`,
    headers: { authorization: `Bearer ${settings.access_token}` },
  }),

  read({ status, body }) {
    const told = status === 200 ? jsonOf(body) : undefined;
    if (told === undefined) return undefined;
    const isUpgraded = textOf(within(told, 'throughput').level) === 'HIGH';
    return {
      ...given({
        quality: textOf(told.quality_rating)?.toLowerCase(),
        tier: textOf(told.messaging_limit_tier),
      }),
      settings: isUpgraded ? { throughput: upgraded } : {},
    };
  },
};
