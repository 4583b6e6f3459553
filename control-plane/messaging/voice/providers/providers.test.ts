import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { asOwner, fromNumber } from '../voice.kit.ts';

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const path = '/voice/api/provider-configs/';
const settings = { account_sid: `AC${'1'.repeat(32)}`, auth_token: 'a-secret-token' };
const draft = { provider: 'twilio-voice', name: 'Main', from_number: fromNumber };
const create = (more: object = {}, on: 'sandbox' | 'live' = 'sandbox') =>
  kit.ask(`POST ${path}`, { body: { ...draft, settings, ...more }, on });

describe('a provider configuration', () => {
  test('stores its secrets encrypted, and never shows them', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body.settings).toEqual({ account_sid: settings.account_sid, auth_token: '••••••••' });
    expect(body.callback_url).toBe(`${kit.url}/voice/api/callbacks/${body.id}/`);
    const { rows } = await asOwner(kit, `select * from voice_provider where id = '${body.id}'`);
    expect(JSON.stringify(rows)).not.toContain('a-secret-token');
    for (const each of [path, `${path}${body.id}/`]) {
      expect(JSON.stringify((await kit.ask(`GET ${each}`)).body)).not.toContain('a-secret-token');
    }
  });

  test('can be changed in part, and its secret only by a new one', async () => {
    const { body } = await create();
    const one = `${path}${body.id}/`;
    const name = { body: { name: 'Second', calls_per_second: 1 } };
    expect((await kit.ask(`PATCH ${one}`, name)).body).toMatchObject({
      name: 'Second',
      calls_per_second: 1,
      settings: body.settings,
    });
    const masked = { body: { settings: body.settings } };
    const refused = await kit.ask(`PATCH ${one}`, masked);
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([
      400,
      ['settings.auth_token'],
    ]);
    const text = { settings: { intelligence_service_sid: `GA${'2'.repeat(32)}` } };
    const without = { settings: { intelligence_service_sid: null } };
    expect((await kit.ask(`PATCH ${one}`, { body: text })).body.settings).toMatchObject(
      text.settings,
    );
    expect((await kit.ask(`PATCH ${one}`, { body: without })).body.settings).toEqual(body.settings);
    expect((await kit.ask(`DELETE ${one}`)).status).toBe(204);
    expect((await kit.ask(`GET ${one}`)).status).toBe(404);
    expect((await kit.ask(`DELETE ${one}`)).status).toBe(404);
  });

  test.each([
    ['settings.auth_token', { settings: { account_sid: settings.account_sid } }],
    ['settings.colour', { settings: { ...settings, colour: 'red' } }],
    ['settings.constructor', { settings: { ...settings, constructor: 'a' } }],
    ['settings.account_sid', { settings: { ...settings, account_sid: 'x' } }],
    ['from_number', { from_number: '12' }],
    ['provider', { provider: 'carrier-pigeon' }],
    ['calls_per_second', { calls_per_second: 51 }],
  ])('a wrong %s is refused without being echoed', async (field, more) => {
    const { status, body } = await create(more);
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
    expect(JSON.stringify(body)).not.toContain('a-secret-token');
  });

  test('belongs to one environment; live has no default settings', async () => {
    const { body } = await create({}, 'live');
    expect((await kit.ask(`GET ${path}${body.id}/`)).status).toBe(404);
    const bare = await kit.ask(`POST ${path}`, { body: draft, on: 'live' });
    expect([bare.status, bare.body.code]).toEqual([400, 'invalid_request']);
  });

  test.each(['twilio-voice', 'plivo-voice', 'vonage-voice', 'asterisk'])(
    '%s is asked whether the credentials are valid',
    async (provider) => {
      const body = { ...draft, provider };
      const made = await kit.ask(`POST ${path}`, { body });
      const tested = await kit.ask(`POST ${path}${made.body.id}/test/`);
      expect(tested.body).toMatchObject({ ok: true, code: null, detail: null });
    },
  );

  test('wrong credentials are reported as such', async () => {
    const { body } = await create();
    const tested = await kit.ask(`POST ${path}${body.id}/test/`);
    expect(tested.body).toMatchObject({ ok: false, code: '20003' });
  });

  test.each([
    [
      'a PBX',
      path,
      { ...draft, provider: 'asterisk' },
      { url: 'https://pbx.example.com', username: 'a', trunk: 'c' },
      'password',
      'url',
    ],
    [
      'a gateway',
      '/sms/v1/apps/',
      { provider: 'generic-http-sms', name: 'gateway' },
      { base_url: 'https://sms.example.com', from: 'ACME', webhook_secret: 'x'.repeat(16) },
      'auth_value',
      'base_url',
    ],
  ])('the secret of %s goes to no other address unless it is sent again', async (...given) => {
    const [, at, more, settings, secret, address] = given;
    const body = { ...more, settings: { ...settings, [secret]: 'known to few' } };
    const made = await kit.ask(`POST ${at}`, { body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const change = (settings: object) =>
      kit.ask(`PATCH ${at}${made.body.id}/`, { body: { settings } });
    const elsewhere = { [address]: 'https://evil.example.com' };
    const { status, body: refused } = await change(elsewhere);
    expect([status, Object.keys(refused.errors)]).toEqual([400, [`settings.${secret}`]]);
    expect((await kit.ask(`GET ${at}${made.body.id}/`)).body.settings[address]).not.toMatch('evil');
    const again = {
      [secret]: 'known to few',
      ...(secret === 'auth_value' && { webhook_secret: 'y'.repeat(16) }),
    };
    expect((await change({ ...elsewhere, ...again })).status).toBe(200);
    expect((await change({ [address]: elsewhere[address] })).status).toBe(200);
  });

  test('a live PBX at a private address is not dialled', async () => {
    const pbx = { url: 'http://127.0.0.1:8088', username: 'a', password: 'b', trunk: 'c' };
    const body = { ...draft, provider: 'asterisk', settings: pbx };
    const made = await kit.ask(`POST ${path}`, { body, on: 'live' });
    const tested = await kit.ask(`POST ${path}${made.body.id}/test/`, { on: 'live' });
    expect(tested.body).toMatchObject({ ok: false, code: 'unreachable' });
    const health = await kit.ask('GET /voice/api/ari-health/', { on: 'live' });
    expect(health.body.results).toMatchObject([{ reachable: false, latency_ms: null }]);
  });
});
