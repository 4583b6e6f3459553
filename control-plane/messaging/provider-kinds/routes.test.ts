import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channels } from '../../channels/registry.ts';
import { voiceProviders } from '../../channels/voice-registry.ts';
import { type ServiceKit, startService } from '../service.kit.ts';

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

interface Kind {
  readonly channel: string;
  readonly provider: string;
  readonly title: string;
  readonly settings: {
    readonly required: readonly string[];
    readonly properties: Readonly<Record<string, { readonly title: string }>>;
  };
}

async function kindsAt(path: string, on: 'live' | 'sandbox' = 'live'): Promise<Map<string, Kind>> {
  const { status, body } = await kit.ask(`GET ${path}`, { on });
  expect(status).toBe(200);
  return new Map(body.results.map((each: Kind) => [each.provider, each]));
}

test('each provider says its channel, and its settings with titles, secrets and defaults', async () => {
  const kinds = await kindsAt('/provider-kinds/');
  expect([...kinds.keys()]).toEqual(channels.map(({ id }) => id));
  expect(kinds.get('twilio-sms')).toMatchObject({
    channel: 'sms',
    title: 'Twilio',
    settings: {
      required: ['account_sid', 'auth_token'],
      properties: {
        account_sid: { title: 'Account SID' },
        auth_token: { secret: true },
        messages_per_second: { default: '10', advanced: true },
      },
    },
  });
});

test('voice providers likewise', async () => {
  const kinds = await kindsAt('/voice/api/provider-kinds/');
  expect([...kinds.keys()]).toEqual(voiceProviders.map(({ id }) => id));
  expect(kinds.get('asterisk')).toMatchObject({
    channel: 'voice',
    title: 'Asterisk (ARI)',
    settings: { required: ['url', 'username', 'password', 'trunk'] },
  });
});

test('no setting is without a title, and of secrets nothing is shown', async () => {
  for (const path of ['/provider-kinds/', '/voice/api/provider-kinds/']) {
    for (const on of ['live', 'sandbox'] as const) {
      for (const [provider, { settings }] of await kindsAt(path, on)) {
        for (const [name, field] of Object.entries(settings.properties)) {
          expect([provider, name, field.title]).toEqual([
            provider,
            name,
            expect.stringMatching(/^[A-Z]/),
          ]);
          if ('secret' in field) expect(field).not.toHaveProperty('default');
        }
      }
    }
  }
});

describe('in the sandbox nothing is needed for which a simulator stands in', () => {
  test.each([
    ['/provider-kinds/', 'whatsapp'],
    ['/provider-kinds/', 'twilio-sms'],
    ['/voice/api/provider-kinds/', 'asterisk'],
  ])('%s: %s', async (path, provider) => {
    const { settings } = (await kindsAt(path, 'sandbox')).get(provider)!;
    expect(settings.required).toEqual([]);
  });
});

test.each(['/provider-kinds/', '/voice/api/provider-kinds/'])(
  '%s is for those who may read channels',
  async (path) => {
    const billing = await kit.keyOf('billing');
    expect((await kit.ask(`GET ${path}`, { as: billing })).status).toBe(403);
  },
);
