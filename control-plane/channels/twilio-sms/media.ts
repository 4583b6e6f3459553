import { basicAuthorization } from '../basic-authorization.ts';
import type { InboundMedia } from '../contract.ts';
import type { Settings } from './settings.ts';

/** The webhook names an address, from which Twilio redirects to the file. */
export const media: InboundMedia<Settings> = {
  file(url, { endpoint, settings }) {
    const { account_sid, auth_token } = settings;
    const isTheirs = new URL(url).origin === new URL(endpoint).origin;
    const headers = { authorization: basicAuthorization(account_sid, auth_token) };
    return { method: 'GET', url, headers: isTheirs ? headers : {} };
  },
};
