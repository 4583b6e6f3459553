import type { App, InboundMedia } from '../contract.ts';
import { jsonOf, textOf, within } from '../untrusted-input.ts';
import type { Settings } from './settings.ts';

const plainPath = /^[\w-]+(\/[\w-]+)*(\.\w+)?$/;

/** `getFile` turns an id into a path, which is valid for at least an hour. */
export const media: InboundMedia<Settings> = {
  address: {
    request: (id, app) => ({
      method: 'POST',
      url: `${app.endpoint}/bot${app.settings.bot_token}/getFile`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ file_id: id }),
    }),
    read(response, app) {
      const path = textOf(within(jsonOf(response.body), 'result').file_path);
      if (response.status !== 200 || path === undefined || !plainPath.test(path)) return undefined;
      return fileUrl(app, path);
    },
  },

  file: (url) => ({ method: 'GET', url, headers: {} }),
};

function fileUrl({ endpoint, settings }: App<Settings>, path: string): string {
  return `${endpoint}/file/bot${settings.bot_token}/${path}`;
}
