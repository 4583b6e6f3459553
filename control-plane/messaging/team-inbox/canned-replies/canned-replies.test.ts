import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt } from '../../../../test/kit/postgres.ts';
import { makeMember } from '../../../people/members/new-member.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';

let kit: ServiceKit;
let agent: string;
const path = '/team-inbox/api/canned-replies/';
const hello = { shortcut: 'hello', title: 'Greeting', text: 'Hello {{contact.first_name}}.' };

beforeAll(async () => {
  kit = await startService();
  const member = { email: 'agent@example.com', name: 'Aisha', role: 'agent' } as const;
  const { password } = await makeMember(kit.app.platform, kit.tenantId, member);
  const body = { email: member.email, password };
  agent = (await kit.ask('POST /token/', { as: '', body })).body.access;
});
afterAll(() => kit.stop());

/** A conversation with a new contact; messages are not sent here. */
async function converse(contact: object): Promise<string> {
  const { id } = (await kit.ask('POST /contacts/', { body: contact })).body;
  const conversation = id.replace('con_', 'cnv_');
  await sqlAt(
    kit.ownerUrl,
    `insert into conversation (id, tenant_id, environment, contact_id, state, last_item_id,
       last_item, last_channel, created_at, updated_at)
     values ($1, $2, 'sandbox', $3, 'open', 'msg_1', '1', 'wa', now(), now())`,
    [conversation, kit.tenantId, id],
  );
  return conversation;
}

test('it is made, changed and removed by who may, and each change is in the audit log', async () => {
  const made = await kit.ask(`POST ${path}`, { body: { ...hello, shortcut: ' Hello ' } });
  expect(made).toMatchObject({ status: 201, body: hello });
  const one = `${path}${made.body.id}/`;
  const refused = await kit.ask(`PATCH ${one}`, { as: agent, body: { title: 'Mine' } });
  expect([refused.status, refused.body.code]).toEqual([403, 'not_permitted']);
  const changed = await kit.ask(`PATCH ${one}`, { body: { title: 'Hi' } });
  expect(changed.body).toMatchObject({ ...hello, title: 'Hi' });
  expect((await kit.ask(`GET ${path}`, { as: agent })).body.results).toEqual([changed.body]);
  expect((await kit.ask(`GET ${path}`, { on: 'live' })).body.results).toEqual([]);
  expect((await kit.ask(`DELETE ${one}`)).status).toBe(204);
  expect((await kit.ask(`DELETE ${one}`)).status).toBe(404);
  const { results } = (await kit.ask('GET /tenants/audit-log/')).body;
  const told = results.filter((each: { subject: string }) => each.subject === made.body.id);
  expect(told.map((each: { action: string }) => each.action)).toEqual([
    'deleteCannedReply',
    'updateCannedReply',
    'createCannedReply',
  ]);
  expect(told[1]).toMatchObject({ before: { title: 'Greeting' }, after: { title: 'Hi' } });
});

test.each([
  ['a shortcut with a space', { shortcut: 'two words' }, 'shortcut'],
  ['a variable that is none', { text: '{{contact.email}}' }, 'text'],
  ['braces that do not close', { text: 'Hello {{contact.name' }, 'text'],
  ['no text', { text: ' ' }, 'text'],
])('%s is refused', async (_, wrong, field) => {
  const refused = await kit.ask(`POST ${path}`, { body: { ...hello, ...wrong } });
  expect(refused.status).toBe(400);
  expect(Object.keys(refused.body.errors)).toEqual([field]);
});

test('two have not the same shortcut', async () => {
  const bye = { ...hello, shortcut: 'bye' };
  expect((await kit.ask(`POST ${path}`, { body: bye })).status).toBe(201);
  const other = await kit.ask(`POST ${path}`, { body: { ...bye, shortcut: 'see-you' } });
  const again = await kit.ask(`PATCH ${path}${other.body.id}/`, { body: { shortcut: 'BYE' } });
  expect([again.status, again.body.code]).toEqual([409, 'canned_reply_exists']);
});

test('it reads as the answer to one person, and says what is not known of them', async () => {
  const text = '{{contact.first_name}}, order {{contact.attributes.order}}. {{agent.name}}';
  const made = await kit.ask(`POST ${path}`, { body: { ...hello, shortcut: 'order', text } });
  const filled = async (conversation: string, as?: string) => {
    const line = `GET /team-inbox/api/conversations/${conversation}/canned-replies/`;
    const { status, body } = await kit.ask(line, { as });
    if (status !== 200) return body.code;
    return body.results.find(({ id }: { id: string }) => id === made.body.id);
  };
  const mei = { name: 'Mei Ling', phone: '+60123450002', attributes: { order: 17 } };
  const shown = { id: made.body.id, shortcut: 'order', title: hello.title };
  expect(await filled(await converse(mei), agent)).toEqual({
    ...shown,
    text: 'Mei, order 17. Aisha',
    missing: [],
  });
  expect(await filled(await converse({ phone: '+60123450001' }))).toEqual({
    ...shown,
    text,
    missing: ['contact.first_name', 'contact.attributes.order', 'agent.name'],
  });
  expect(await filled(`cnv_${'0'.repeat(26)}`)).toBe('conversation_not_found');
});

test('there are at most 200, also when many are made at once', async () => {
  const { results } = (await kit.ask(`GET ${path}?limit=200`)).body;
  const making = Array.from({ length: 210 - results.length }, (_, nth) =>
    kit.ask(`POST ${path}`, { body: { ...hello, shortcut: `n${nth}` } }),
  );
  const refused = (await Promise.all(making)).filter(({ status }) => status !== 201);
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
    Array.from({ length: 10 }, () => [409, 'too_many_canned_replies']),
  );
});
