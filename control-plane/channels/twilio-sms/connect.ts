import { basicAuthorization } from '../basic-authorization.ts';
import type { App, ConnectStep, WireRequest, WireResponse } from '../contract.ts';
import { inboundUrl } from '../sms-content.ts';
import { jsonOf, objectsOf, textOf } from '../untrusted-input.ts';
import type { Settings } from './settings.ts';

/**
 * Has messages to the number, or to the service, come to our address. Reports need nothing: each
 * message says where they go.
 */
export function connect(app: App<Settings>, answers: readonly WireResponse[]): ConnectStep {
  const { from, messaging_service_sid: service } = app.settings;
  if (service !== undefined) {
    if (answers.length > 0) return { kind: 'done' };
    const fields = { InboundRequestUrl: inboundUrl(app), InboundMethod: 'POST' };
    // Services have a host of their own.
    const base = app.endpoint.replace('://api.', '://messaging.');
    return requestOf(app, 'POST', `${base}/v1/Services/${service}`, fields);
  }
  // A sender name takes no messages.
  if (from === undefined || !from.startsWith('+')) return { kind: 'done' };
  const numbers = `${app.endpoint}/2010-04-01/Accounts/${app.settings.account_sid}/IncomingPhoneNumbers`;
  const [listed, ...later] = answers;
  if (listed === undefined) {
    const query = new URLSearchParams({ PhoneNumber: from });
    return requestOf(app, 'GET', `${numbers}.json?${query}`);
  }
  if (later.length > 0) return { kind: 'done' };
  const [number] = objectsOf(jsonOf(listed.body)?.incoming_phone_numbers);
  const sid = textOf(number?.sid);
  if (sid === undefined) return { kind: 'refused', reason: `the account has no number ${from}` };
  const fields = { SmsUrl: inboundUrl(app), SmsMethod: 'POST' };
  return requestOf(app, 'POST', `${numbers}/${encodeURIComponent(sid)}.json`, fields);
}

function requestOf(
  { settings }: App<Settings>,
  method: WireRequest['method'],
  url: string,
  fields?: Readonly<Record<string, string>>,
): ConnectStep {
  const headers = {
    authorization: basicAuthorization(settings.account_sid, settings.auth_token),
    'content-type': 'application/x-www-form-urlencoded',
  };
  const body = fields === undefined ? {} : { body: new URLSearchParams(fields).toString() };
  return { kind: 'request', request: { method, url, headers, ...body } };
}
