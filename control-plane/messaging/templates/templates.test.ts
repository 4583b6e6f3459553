import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { account } from '../../channels/whatsapp/simulator/sandbox-account.ts';
import { type Answer, type ServiceKit, startService } from '../service.kit.ts';
import { templateQueue, updateOf } from './registrar.ts';
import { findTemplate } from './store.ts';

interface Held {
  readonly language: string;
}

let service: ServiceKit;
let network: string;

beforeAll(async () => {
  service = await startService();
  const credentials = await readFile(join(service.home, 'credentials.json'), 'utf8');
  network = JSON.parse(credentials).simulators.whatsapp;
});
afterAll(() => service.stop());

const control = async (name: string, body: object) => {
  const response = await fetch(`${network}/_control/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status, await response.text()).toBeLessThan(300);
};

const auditOf = async (id: string) =>
  (await service.ask(`GET /tenants/audit-log/?subject=${id}`)).body.results;

describe.each(['sms', 'botchat', 'rcs'])('a template of %s', (channel) => {
  const path = `/${channel}/v1/templates/`;

  test('is renamed and given other words, which the next message has', async () => {
    const { body: made } = await service.ask(`POST ${path}`, {
      body: { name: 'otp', body: 'Your code is {{1}}.' },
    });
    const patch = { name: 'login_code', body: 'Hello {{name}}, {{code}} is your code.' };
    const { status, body } = await service.ask(`PATCH ${path}${made.id}/`, { body: patch });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      ...patch,
      id: made.id,
      language: 'en',
      category: 'UTILITY',
      status: 'approved',
      variables: ['name', 'code'],
      definition: { name: 'login_code', parameterFormat: 'named' },
    });
    expect((await service.ask(`GET ${path}${made.id}/`)).body).toEqual(body);
    expect((await auditOf(made.id))[0]).toMatchObject({
      action: expect.stringMatching(/^update/),
      before: { name: 'otp' },
      after: { name: 'login_code' },
    });
  });

  test('takes the name of no other, but of one that is deleted', async () => {
    const make = async (name: string) =>
      (await service.ask(`POST ${path}`, { body: { name, body: 'x' } })).body.id;
    const [first, second] = [await make('first'), await make('second')];
    const rename = () => service.ask(`PATCH ${path}${second}/`, { body: { name: 'first' } });
    expect((await rename()).body.code).toBe('template_exists');
    await service.ask(`DELETE ${path}${first}/`);
    expect((await rename()).body).toMatchObject({ id: second, name: 'first' });
    const gone = await service.ask(`PATCH ${path}${first}/`, { body: { name: 'again' } });
    expect([gone.status, gone.body.code]).toEqual([404, 'template_not_found']);
  });
});

test('a registration is changed with its text, held to the same rules, and taken away', async () => {
  const registration = {
    entity_id: '1101234567890123456',
    template_id: '1107161234567890123',
    header: 'ACMEBK',
    type: 'T',
  };
  const { body: made } = await service.ask('POST /sms/v1/templates/', {
    body: { name: 'registered', body: 'Your code is {{1}}.', registration },
  });
  const change = (body: object) => service.ask(`PATCH /sms/v1/templates/${made.id}/`, { body });
  const tooMany = await change({ body: '{{1}} {{2}} {{3}} {{4}}' });
  expect([tooMany.status, tooMany.body.errors]).toMatchObject([400, { body: [expect.anything()] }]);
  expect((await change({ category: 'MARKETING' })).body.errors).toHaveProperty('registration.type');
  const promotion = { ...registration, header: '612345', type: 'P' };
  const changed = await change({ category: 'MARKETING', registration: promotion });
  expect(changed.body).toMatchObject({ category: 'MARKETING', registration: promotion });
  expect((await change({ registration: null })).body.registration).toBeNull();
});

test('two changes at once are both kept', async () => {
  const path = '/sms/v1/templates/';
  const { body: made } = await service.ask(`POST ${path}`, { body: { name: 'both', body: 'x' } });
  const change = (body: object) => service.ask(`PATCH ${path}${made.id}/`, { body });
  await Promise.all([change({ body: 'new words' }), change({ category: 'MARKETING' })]);
  expect((await service.ask(`GET ${path}${made.id}/`)).body).toMatchObject({
    body: 'new words',
    category: 'MARKETING',
  });
});

describe('a template that the network reviews', { timeout: 120_000 }, () => {
  const path = '/wa/v1/templates/';
  let app: Answer['body'];
  beforeAll(async () => {
    const made = await service.ask('POST /wa/v1/apps/', {
      body: { name: 'reviewed', provider: 'whatsapp' },
    });
    app = made.body;
  });

  /** Names are used once at the network, also when a test is tried again. */
  let prefix = '';
  let tries = 0;
  beforeEach(() => {
    tries += 1;
    prefix = `t${tries}_`;
  });

  const find = async (id: string) => (await service.ask(`GET ${path}${id}/`)).body;
  /** A submission whose answer is lost is tried again after half a minute. */
  const timeout = 90_000;
  const stands = (id: string, status: string) =>
    expect.poll(async () => (await find(id)).status, { timeout }).toBe(status);
  const change = (id: string, body: object) => service.ask(`PATCH ${path}${id}/`, { body });

  async function submit(name: string, status: string, more: object = {}): Promise<string> {
    const body = {
      name: `${prefix}${name}`,
      language: 'en_US',
      category: 'UTILITY',
      app_id: app.id,
      body: 'Hello {{1}}, your order has been sent today.',
      body_examples: ['Asha'],
      footer: 'Reply STOP',
      ...more,
    };
    const made = await service.ask(`POST ${path}`, { body });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await stands(made.body.id, status);
    return made.body.id;
  }

  test('is changed at the network, and pending until its verdict', async () => {
    const id = await submit('parcel', 'approved');
    const body = 'Hello {{1}}, your order {{2}} has been sent today.';
    const changed = await change(id, { body, body_examples: ['Asha', 'A-17'], footer: null });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(changed.body).toMatchObject({ id, body, status: 'pending', variables: ['1', '2'] });
    expect(changed.body.definition).not.toHaveProperty('footer');
    await stands(id, 'approved');
    expect((await find(id)).body).toBe(body);
  });

  test('stays as it was when the network refuses the change', async () => {
    const id = await submit('daily', 'approved');
    expect((await change(id, { footer: 'Once a day' })).status).toBe(200);
    await stands(id, 'approved');
    const before = await find(id);
    const second = await change(id, { footer: 'Twice a day' });
    expect([second.status, second.body.code]).toEqual([400, 'template_refused']);
    expect(second.body.detail).toContain('limit');
    const { updated_at: _, ...kept } = before;
    expect(await find(id)).toMatchObject(kept);
  });

  test('stays as it was when the network does not answer, and can be changed after', async () => {
    const id = await submit('silent', 'approved');
    await control('faults', { call: 'template', kind: 500, times: 1 });
    const lost = await change(id, { footer: 'New' });
    expect([lost.status, lost.body.code]).toEqual([502, 'network_unreachable']);
    expect(await find(id)).toMatchObject({
      status: 'approved',
      definition: { footer: 'Reply STOP' },
    });
    expect((await change(id, { footer: 'New' })).body).toMatchObject({ status: 'pending' });
  });

  test('takes no change in review, keeps its category once approved, and changes it when rejected', async () => {
    const pending = await submit('waits_pending', 'pending');
    const refused = await change(pending, { footer: 'x' });
    expect([refused.status, refused.body.code]).toEqual([409, 'template_in_review']);
    const approved = await submit('categorised', 'approved');
    expect((await change(approved, { category: 'MARKETING' })).body.errors).toHaveProperty(
      'category',
    );
    const rejected = await submit('promo_rejected', 'rejected');
    const again = await change(rejected, { category: 'MARKETING' });
    expect(again.body).toMatchObject({ status: 'pending', category: 'MARKETING', reason: null });
  });

  test('is paused by what its own account is told, and not by one of the same name in another', async () => {
    const id = await submit('shared', 'approved');
    const other = { name: `second ${prefix}`, provider: 'whatsapp' };
    const { body: second } = await service.ask('POST /wa/v1/apps/', { body: other });
    const pause = ({ waba_id }: Record<string, string>, templateId: string) => {
      const value = {
        event: 'PAUSED',
        message_template_id: templateId,
        message_template_name: `${prefix}shared`,
        message_template_language: 'en_US',
      };
      return control('notify', { field: 'message_template_status_update', value, waba_id });
    };
    await pause(second.settings, '77');
    const heard = async () =>
      (await service.ask(`GET /wa/v1/apps/${second.id}/`)).body.last_inbound_at;
    const { phone_number_id } = second.settings;
    await control('inbound', { from: '60123450077', text: 'hello', phone_number_id });
    await expect.poll(heard).not.toBeNull();
    expect((await find(id)).status).toBe('approved');
    await pause(app.settings, '78');
    await stands(id, 'paused');
  });

  test('is checked before the network is asked', async () => {
    const id = await submit('checked', 'approved');
    const refused = await change(id, { body: '{{1}} is first', body_examples: ['x'] });
    expect([refused.status, refused.body.code]).toEqual([400, 'template_refused']);
    expect((await change(id, { name: 'other' })).status).toBe(400);
    expect((await find(id)).status).toBe('approved');
  });

  test('is approved though the answer to its submission was lost, and can be changed then', async () => {
    await control('faults', { call: 'template', kind: 'cut-after', times: 1 });
    const id = await submit('answer_lost', 'approved');
    expect((await change(id, { footer: 'New' })).body).toMatchObject({ status: 'pending' });
  });

  test('is in review, not rejected, when the answer was lost and it is submitted again', async () => {
    await control('faults', { call: 'template', kind: 'cut-after', times: 1 });
    const id = await submit('answer_lost_pending', 'pending');
    const { db, jobs } = service.app.platform;
    const scope = { tenantId: service.tenantId, environment: 'sandbox' } as const;
    const submitAgain = async () => {
      const row = await db.tenant(scope.tenantId, async (tx) => {
        await jobs.runNow(tx, scope.tenantId, templateQueue, [id]);
        return findTemplate(tx, scope, id);
      });
      return row?.provider_id;
    };
    await expect.poll(submitAgain, { timeout }).toEqual(expect.any(String));
    expect(await find(id)).toMatchObject({ status: 'pending', reason: null });
  });

  test.each([
    ['pending', null],
    ['approved', 'approved'],
  ] as const)(
    'that the network calls %s at its submission may have a verdict already',
    (status, kept) => {
      const template = { templateId: '1', name: 'x', language: 'ms', status };
      expect(updateOf({ kind: 'held', template })).toMatchObject({
        provider_id: '1',
        status: kept,
      });
    },
  );

  test('is removed in its own language only', async () => {
    const english = await submit('bilingual', 'approved');
    const malay = await submit('bilingual', 'approved', { language: 'ms' });
    expect((await service.ask(`DELETE ${path}${english}/`)).status).toBe(204);
    const languages = async () => {
      const url = `${network}/v24.0/${app.settings.waba_id}/message_templates?name=${prefix}bilingual`;
      const headers = { authorization: `Bearer ${account.accessToken}` };
      const { data } = (await (await fetch(url, { headers })).json()) as { data: Held[] };
      return data.map(({ language }) => language);
    };
    await expect.poll(languages, { timeout }).toEqual(['ms']);
    expect((await find(malay)).status).toBe('approved');
  });

  test('stays usable when its number is removed and connected again', async () => {
    const connect = async (name: string, settings?: object) =>
      (await service.ask('POST /wa/v1/apps/', { body: { name, provider: 'whatsapp', settings } }))
        .body;
    const first = await connect(`moved ${prefix}`);
    const id = await submit('moved', 'approved', { app_id: first.id });
    const settings = await service.settingsOf(first.id);
    for (const { id: other } of (await service.ask('GET /wa/v1/apps/')).body.results) {
      await service.ask(`DELETE /wa/v1/apps/${other}/`);
    }
    const again = await connect(`moved again ${prefix}`, settings);
    const person = { phone: '+60123450099', segments: [`moved ${prefix}`], name: 'Asha' };
    expect((await service.ask('POST /contacts/', { body: person })).status).toBe(201);
    const broadcast = await service.ask('POST /broadcast/', {
      body: {
        template: `${prefix}moved`,
        segment: `moved ${prefix}`,
        variables: { 1: { attribute: 'name' } },
      },
    });
    expect([broadcast.status, broadcast.body.app_id]).toEqual([201, again.id]);
    const stood = async () => (await service.ask(`GET /broadcast/${broadcast.body.id}/`)).body;
    await expect.poll(async () => (await stood()).counts.delivered, { timeout }).toBe(1);
    expect((await change(id, { footer: null })).body).toMatchObject({ status: 'pending' });
    await stands(id, 'approved');
  });
});
