import type { InboundMedia } from '../contract.ts';
import { jsonOf, textOf } from '../untrusted-input.ts';
import type { Settings } from './settings.ts';

/** The hosts of the network's files, in addition to that of its API. */
const fileHosts = /(^|\.)fbsbx\.com$/;

/** A file has an id; its address is valid for minutes, and needs the token too. */
export const media: InboundMedia<Settings> = {
  address: {
    request: (id, { endpoint, settings }) => ({
      method: 'GET',
      url: `${endpoint}/${settings.api_version}/${encodeURIComponent(id)}`,
      headers: { authorization: `Bearer ${settings.access_token}` },
    }),
    read: (response) => (response.status === 200 ? textOf(jsonOf(response.body)?.url) : undefined),
  },

  file(url, { endpoint, settings }) {
    const { origin, hostname, protocol } = new URL(url);
    const isFiles = protocol === 'https:' && fileHosts.test(hostname);
    const isTheirs = isFiles || origin === new URL(endpoint).origin;
    const headers = { authorization: `Bearer ${settings.access_token}` };
    return { method: 'GET', url, headers: isTheirs ? headers : {} };
  },
};
