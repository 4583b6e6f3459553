import type { InboundMedia } from '../contract.ts';
import { basic } from '../encoding.ts';
import type { Settings } from './settings.ts';

/** The webhook names the address; Twilio leads on from there to where the file lies. */
export const media: InboundMedia<Settings> = {
  file(url, { endpoint, settings }) {
    const { account_sid, auth_token } = settings;
    const isTheirs = new URL(url).origin === new URL(endpoint).origin;
    const headers = { authorization: basic(account_sid, auth_token) };
    return { method: 'GET', url, headers: isTheirs ? headers : {} };
  },
};
