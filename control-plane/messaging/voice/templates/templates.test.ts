import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { asOwner, flow, say } from '../voice.kit.ts';

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const path = '/voice/api/templates/';
const create = (of: unknown, query = '') =>
  kit.ask(`POST ${path}${query}`, { body: { name: 'Menu', flow: of } });

test.each([
  ['twilio-voice', 'text/xml', '<Gather'],
  ['plivo-voice', 'text/xml', '<GetInput'],
  ['vonage-voice', 'application/json', '"action":"input"'],
])('a flow shows what it compiles to for %s', async (provider, type, part) => {
  const { status, body } = await create(flow, `?provider=${provider}`);
  expect(status, JSON.stringify(body)).toBe(201);
  expect(body.compiled.content_type).toContain(type);
  expect(body.compiled.documents.hello).toContain(part);
  const read = await kit.ask(`GET ${path}${body.id}/?provider=${provider}`);
  expect(read.body).toEqual(body);
  expect((await kit.ask(`GET ${path}${body.id}/`)).body.compiled).toBeNull();
});

/** Each kind of node; all of them are reachable. */
const everyKind = {
  version: 1,
  start: 'welcome',
  nodes: {
    welcome: { ...say('Welcome', 'jingle'), announces_recording: true },
    jingle: { type: 'play', url: 'https://sounds.example/jingle.wav', next: 'breath' },
    breath: { type: 'pause', seconds: 1, next: 'menu' },
    menu: {
      type: 'gather',
      prompt: [{ type: 'play', url: 'https://sounds.example/menu.wav' }],
      max_digits: 1,
      branches: { 1: 'sales', 2: 'room', 3: 'message', 4: 'back' },
      otherwise: 'end',
    },
    sales: { type: 'dial', to: ['+60387654321'], branches: { busy: 'message' }, next: 'end' },
    room: { type: 'conference', name: 'standup', next: 'end' },
    message: { type: 'record', max_seconds: 60, next: 'end' },
    back: { type: 'goto', next: 'welcome' },
    end: { type: 'hangup' },
  },
};

test.each([
  [
    'twilio-voice',
    ['<Say', '<Play', '<Pause', '<Gather', '<Dial', '<Conference', '<Record', '<Hangup'],
  ],
  [
    'plivo-voice',
    ['<Speak', '<Play', '<Wait', '<GetInput', '<Dial', '<Conference', '<Record', '<Hangup'],
  ],
  [
    'vonage-voice',
    ['"talk"', '"stream"', '"wait"', '"input"', '"connect"', '"conversation"', '"record"'],
  ],
])('every kind of node compiles for %s, without loss', async (provider, parts) => {
  const { status, body } = await create(everyKind, `?provider=${provider}`);
  expect(status, JSON.stringify(body)).toBe(201);
  const documents: string = Object.values(body.compiled.documents).join('');
  for (const part of parts) expect(documents).toContain(part);
  const codes = [...body.diagnostics[provider], ...body.diagnostics.asterisk].map(
    ({ code }: { code: string }) => code,
  );
  expect(codes.filter((code) => code.startsWith('E_'))).toEqual([]);
});

test('what a provider cannot express gives a diagnostic for that provider only', async () => {
  const numbers = ['+60311111111', '+60322222222'];
  const together = {
    ...flow,
    start: 'all',
    nodes: { all: { type: 'dial', to: numbers, order: 'together' } },
  };
  const { body } = await create(together);
  const codes = Object.entries<{ code: string }[]>(body.diagnostics).map(([name, all]) => [
    name,
    all.map(({ code }) => code),
  ]);
  expect(codes).toEqual([
    ['twilio-voice', []],
    ['plivo-voice', []],
    ['vonage-voice', ['E_SIMRING']],
    ['asterisk', []],
  ]);
});

test.each([
  ['missing_target', { start: 'nowhere' }, 'flow.start'],
  ['unreachable', { nodes: { ...flow.nodes, alone: { type: 'hangup' } } }, 'flow.nodes.alone'],
])('a flow with a fault (%s) is refused, with the place', async (code, wrong, place) => {
  const { status, body } = await create({ ...flow, ...wrong });
  expect([status, body.code]).toEqual([400, 'invalid_flow']);
  expect(body.errors[place][0]).toContain(code);
});

test('a flow of the wrong shape, or too large, is refused', async () => {
  for (const wrong of [null, [], { ...flow, version: 2 }, { ...flow, colour: 'red' }]) {
    expect((await create(wrong)).status).toBe(400);
  }
  expect(
    (await create({ ...flow, variables: { a: { default: 'x'.repeat(400_000) } } })).status,
  ).toBe(413);
});

test('flows are listed until they are removed', async () => {
  const { body } = await create(flow);
  expect((await kit.ask(`GET ${path}?limit=1`)).body.results[0].id).toBe(body.id);
  expect((await kit.ask(`DELETE ${path}${body.id}/`)).status).toBe(204);
  expect((await kit.ask(`GET ${path}${body.id}/`)).status).toBe(404);
  expect(JSON.stringify((await kit.ask(`GET ${path}`)).body)).not.toContain(body.id);
});

/** A flow that says this and hangs up. */
const saying = (text: string) => ({ version: 1, start: 'bye', nodes: { bye: say(text) } });
const change = (id: string, body: object, query = '') =>
  kit.ask(`PATCH ${path}${id}/${query}`, { body });

test('a change of the flow makes a version; a new name and the same flow make none', async () => {
  const made = (await create(saying('Hello'))).body;
  expect(made).toMatchObject({ version: 1, updated_at: made.created_at });
  const named = await change(made.id, { name: 'Greeting' });
  const updated_at = expect.any(String);
  expect(named).toMatchObject({ status: 200, body: { ...made, name: 'Greeting', updated_at } });
  const { nodes, start, version } = saying('Hello');
  const same = await change(made.id, { flow: { start, nodes, version } });
  expect(same.body).toMatchObject({ name: 'Greeting', version: 1 });
  const changed = await change(made.id, { flow: saying('Bye') }, '?provider=twilio-voice');
  expect(changed.body).toMatchObject({ id: made.id, name: 'Greeting', version: 2 });
  expect(changed.body.compiled.documents.bye).toContain('Bye');
  expect(changed.body.created_at).toBe(made.created_at);
  expect(changed.body.updated_at > made.updated_at).toBe(true);
  const read = await kit.ask(`GET ${path}${made.id}/?provider=twilio-voice`);
  expect(read.body).toEqual(changed.body);
  const [item] = (await kit.ask(`GET ${path}?limit=1`)).body.results;
  expect(Object.keys(item)).toEqual(['id', 'name', 'version', 'created_at', 'updated_at']);
  expect(changed.body).toMatchObject(item);
  const { results } = (await kit.ask(`GET /tenants/audit-log/?subject=${made.id}`)).body;
  const told = results.filter(({ action }: { action: string }) => action === 'updateVoiceTemplate');
  expect(told[0]).toMatchObject({
    before: { version: 1, flow: made.flow },
    after: { version: 2, flow: changed.body.flow },
  });
  expect(told[2]).toMatchObject({ before: { name: 'Menu' }, after: { name: 'Greeting' } });
  expect(Object.keys(told[2].after)).not.toContain('flow');
});

test('changes of one moment are all answered, and each former flow is kept', async () => {
  const { id, flow: first } = (await create(saying('0'))).body;
  const texts = Array.from({ length: 8 }, (_, at) => String(at + 1));
  const answers = await Promise.all(texts.map((text) => change(id, { flow: saying(text) })));
  expect(answers.map(({ status }) => status)).toEqual(texts.map(() => 200));
  const flows = [
    first,
    ...answers
      .map(({ body }) => body)
      .sort((one, other) => one.version - other.version)
      .map((body) => body.flow),
  ];
  const { rows } = await asOwner(
    kit,
    `select version, flow from voice_former_flow where template_id = '${id}' order by version`,
  );
  expect(rows).toEqual(flows.slice(0, -1).map((each, at) => ({ version: at + 1, flow: each })));
  const { body } = await kit.ask(`GET ${path}${id}/`);
  expect(body).toMatchObject({ version: flows.length, flow: flows.at(-1) });
});

test('a change that is wrong, or of what is not there, changes nothing', async () => {
  const { body: made } = await create(saying('Hello'));
  const refusal = async (id: string, body: object) => {
    const answer = await change(id, body);
    return [answer.status, answer.body.code];
  };
  expect(await refusal(made.id, {})).toEqual([400, 'invalid_request']);
  expect(await refusal(made.id, { name: '' })).toEqual([400, 'invalid_request']);
  expect(await refusal(made.id, { flow: null })).toEqual([400, 'invalid_request']);
  const wrong = await change(made.id, {
    name: 'Other',
    flow: { ...saying('a'), start: 'nowhere' },
  });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'invalid_flow']);
  expect(wrong.body.errors['flow.start'][0]).toContain('missing_target');
  expect((await kit.ask(`GET ${path}${made.id}/`)).body).toEqual(made);
  const unknown = [404, 'call_template_not_found'];
  expect(await refusal(`vtp_${'0'.repeat(26)}`, { name: 'Other' })).toEqual(unknown);
  expect((await kit.ask(`DELETE ${path}${made.id}/`)).status).toBe(204);
  expect(await refusal(made.id, { name: 'Other' })).toEqual(unknown);
});
