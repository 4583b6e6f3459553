import type { InboundMedia } from '../contract.ts';
import { jsonOf, textOf } from '../reading.ts';
import type { Settings } from './settings.ts';

/** Where the network keeps files, beside the address of its API. */
const fileHosts = /(^|\.)fbsbx\.com$/;

/** A file is known by an id; its address holds for minutes, and wants the token too. */
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
