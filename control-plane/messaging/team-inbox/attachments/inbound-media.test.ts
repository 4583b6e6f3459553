import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../../test/kit/eventually.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';

let kit: ServiceKit;
let simulators: Readonly<Record<string, string>>;

beforeAll(async () => {
  kit = await startService();
  ({ simulators } = JSON.parse(await readFile(join(kit.home, 'credentials.json'), 'utf8')));
  for (const path of ['/wa/v1/apps/', '/sms/v1/apps/', '/rcs/v1/apps/', '/botchat/v1/bots/']) {
    const provider = path.startsWith('/sms') ? { provider: 'twilio-sms' } : {};
    const { status, body } = await kit.ask(`POST ${path}`, {
      body: { name: 'first', ...provider },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    settings[body.provider] = await kit.settingsOf(body.id);
  }
});
afterAll(() => kit.stop());

async function control(provider: string, name: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const url = `${simulators[provider]}/_control/${name}`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  expect(response.status, text).toBeLessThan(300);
  return text === '' ? {} : JSON.parse(text);
}

const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(200, 7)]);
const html = Buffer.from('<html><script>alert(1)</script></html>');

type Settings = Readonly<Record<string, string>>;
const settings: Record<string, Settings> = {};

/** How a person sends a file on each channel; `id` is the file's id at the simulator. */
const channels = [
  [
    'wa',
    'whatsapp',
    (id: string, who: string) => ({
      from: who,
      phone_number_id: settings.whatsapp!.phone_number_id,
      part: { type: 'image', image: { id, mime_type: 'image/png' } },
    }),
  ],
  [
    'sms',
    'twilio-sms',
    (file: string, from: string) => {
      return { from, text: 'look', file, to: settings['twilio-sms']!.from };
    },
  ],
  [
    'botchat',
    'telegram',
    (file_id: string, who: string) => ({
      chat_id: Number(who.slice(-7)),
      token: settings.telegram!.bot_token,
      part: { photo: [{ file_id, width: 9, height: 9 }] },
    }),
  ],
  [
    'rcs',
    'google-rcs',
    (id: string, who: string) => {
      const fileUri = `${simulators['google-rcs']}/files/${id}`;
      return rcsFile({ fileUri, mimeType: 'image/png', fileName: '../me.png' }, who);
    },
  ],
] as const;

const rcsFile = (payload: object, who: string) => ({
  from: `+${who}`,
  agent_id: settings['google-rcs']!.agent_id,
  part: { userFile: { payload } },
});

async function received(channel: string): Promise<Record<string, string>[]> {
  return (await kit.ask(`GET /${channel}/v1/messages/?direction=in`)).body.results;
}
/** Waits for the newest unread message of a channel. */
async function nextOf(channel: string, before: number): Promise<Record<string, string>> {
  return eventually(async () => {
    const rows = await received(channel);
    expect(rows.length).toBe(before + 1);
    return rows[0]!;
  });
}
const filesOf = async ({ contact_id }: Record<string, string>) => {
  const id = contact_id!.replace('con_', 'cnv_');
  return (await kit.ask(`GET /team-inbox/api/conversations/${id}/attachments/`)).body.results;
};
const errorOf = async (channel: string, id: string) =>
  (await kit.ask(`GET /${channel}/v1/messages/${id}/`)).body.error;

let last = 1_000;
const person = () => `6012345${(last += 1)}`;

describe.each(channels)('a file that a person sends by %s', (channel, provider, write) => {
  test('is fetched as the provider gives it, and is a file of the conversation', async () => {
    const { id } = await control(provider, 'files', {
      media_type: 'image/png',
      base64: png.toString('base64'),
    });
    const before = (await received(channel)).length;
    await control(provider, 'inbound', write(id, person()));
    const message = await nextOf(channel, before);
    const [file] = await eventually(async () => {
      const files = await filesOf(message);
      expect(files, JSON.stringify(await errorOf(channel, message.id!))).toHaveLength(1);
      return files;
    });
    expect(file).toMatchObject({
      message_id: message.id,
      author: message.contact_id,
      bytes: png.length,
      media_type: 'image/png',
      name: channel === 'rcs' ? 'me.png' : 'image.png',
    });
    const headers = { authorization: `Bearer ${await kit.keyOf('agent')}` };
    const response = await fetch(kit.url + file.url, { headers });
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
  });

  test('is not stored when its bytes have another type than it claims', async () => {
    const { id } = await control(provider, 'files', {
      media_type: 'image/png',
      base64: html.toString('base64'),
    });
    const before = (await received(channel)).length;
    await control(provider, 'inbound', write(id, person()));
    const message = await nextOf(channel, before);
    const detail = 'files of this type are not accepted';
    await eventually(async () => {
      expect(await errorOf(channel, message.id!)).toEqual({ code: 'file_not_kept', detail });
    });
    expect(await filesOf(message)).toEqual([]);
  });
});

test('an address that leads into our own network is not called', async () => {
  const before = (await received('rcs')).length;
  const payload = { fileUri: `${kit.url}/health`, mimeType: 'image/png' };
  await control('google-rcs', 'inbound', rcsFile(payload, person()));
  const message = await nextOf('rcs', before);
  const detail = 'the address is not a public one';
  await eventually(async () => {
    expect(await errorOf('rcs', message.id!)).toEqual({ code: 'file_not_kept', detail });
  });
});

test('a provider that fails is asked again', async () => {
  const { id } = await control('telegram', 'files', {
    media_type: 'image/png',
    base64: png.toString('base64'),
  });
  await control('telegram', 'faults', { call: 'file', kind: 503, times: 1 });
  const before = (await received('botchat')).length;
  await control('telegram', 'inbound', channels[2][2](id, person()));
  const message = await nextOf('botchat', before);
  await eventually(async () => expect(await filesOf(message)).toHaveLength(1));
});
