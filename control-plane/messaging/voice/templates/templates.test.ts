import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { flow, say } from '../voice.kit.ts';

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
