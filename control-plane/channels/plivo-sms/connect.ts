import { basicAuthorization } from '../basic-authorization.ts';
import type { App, ConnectStep, WireRequest, WireResponse } from '../contract.ts';
import { inboundUrl } from '../sms-content.ts';
import { jsonOf, objectsOf, textOf } from '../untrusted-input.ts';
import type { Settings } from './settings.ts';

/**
 * A number of Plivo belongs to an application, which has the address: finds or makes the application
 * of this app, and gives it the number. Reports need nothing: each message says where they go.
 */
export function connect(app: App<Settings>, answers: readonly WireResponse[]): ConnectStep {
  const number = app.settings.from.replace(/^\+/, '');
  // A sender name takes no messages.
  if (!/^\d+$/.test(number)) return { kind: 'done' };
  const name = app.id.replace('_', '-');
  const address = { message_url: inboundUrl(app), message_method: 'POST' };
  const [listed, saved, given] = answers;
  if (listed === undefined) {
    const query = new URLSearchParams({ app_name: name, limit: '20' });
    return requestOf(app, 'GET', `Application/?${query}`);
  }
  const known = objectsOf(jsonOf(listed.body)?.objects).find((each) => each.app_name === name);
  const knownId = textOf(known?.app_id);
  if (saved === undefined) {
    return knownId === undefined
      ? requestOf(app, 'POST', 'Application/', { app_name: name, ...address })
      : requestOf(app, 'POST', `Application/${encodeURIComponent(knownId)}/`, address);
  }
  const id = knownId ?? textOf(jsonOf(saved.body)?.app_id);
  if (id === undefined) return { kind: 'refused', reason: 'no app_id in the answer' };
  if (given === undefined) return requestOf(app, 'POST', `Number/${number}/`, { app_id: id });
  return { kind: 'done' };
}

function requestOf(
  { endpoint, settings: { auth_id, auth_token } }: App<Settings>,
  method: WireRequest['method'],
  path: string,
  body?: object,
): ConnectStep {
  const request = {
    method,
    url: `${endpoint}/v1/Account/${auth_id}/${path}`,
    headers: {
      authorization: basicAuthorization(auth_id, auth_token),
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  return { kind: 'request', request };
}
