import type { EndOf } from '@drawbridge/messaging/call-flow/segment.ts';
import { describe, expect, test } from 'vitest';
import { asterisk } from '../../../channels/asterisk/adapter.ts';
import type { TrunkEvent } from '../../../channels/asterisk/webhook.ts';
import type { Wire } from '../../wire.ts';
import { dial } from './dial.ts';
import { Line, LineOver } from './line.ts';
import { conference, gather, record } from './waits.ts';

/** A PBX that answers each request by the first row that fits it, and else that it was done. */
function pbx(answers: readonly (readonly [request: RegExp, status: number])[] = []) {
  const asked: string[] = [];
  const queries: URLSearchParams[] = [];
  const send: Wire['send'] = async ({ method, url }) => {
    const request = `${method} ${new URL(url).pathname.replace('/ari/', '')}`;
    asked.push(request);
    queries.push(new URL(url).searchParams);
    const status = answers.find(([pattern]) => pattern.test(request))?.[1] ?? 200;
    return { kind: 'answered', response: { status, headers: {}, body: '{}' } };
  };
  const login = { username: 'u', password: 'p' };
  const settings = asterisk.settings.parse({ url: 'http://pbx.example', ...login, trunk: 'trunk' });
  const account = { id: 'vpc_1', endpoint: 'http://pbx.example', callbackUrl: '', settings };
  const wire = { send } as Wire;
  const line = new Line({ wire, account, callId: 'call_1', since: new Date(0) });
  /** Tells an event once the request was made that it follows. */
  const after = async (request: RegExp, event: TrunkEvent) => {
    while (!asked.some((each) => request.test(each))) await new Promise(setImmediate);
    line.hear(event);
  };
  return { line, asked, queries, after };
}

const leg = 'call_1-leg4-0';
const sales: EndOf<'dial'> = {
  kind: 'dial',
  node: 'sales',
  to: ['+60387654321'],
  leg: 0,
  ringSeconds: 30,
  limitSeconds: 7_200,
};
const first = { callerId: '+60399990000', document: 4, isResumed: false };
const answered = { kind: 'entered', channelId: leg, args: [] } as const;
const ended = { kind: 'ended', channelId: leg, status: 'completed', cause: '' } as const;

describe('a dial', () => {
  test('is over when who answered has left before the two were joined', async () => {
    const { line, after } = pbx([[/addChannel/, 409]]);
    const dialed = dial(line, sales, first);
    await after(/POST channels/, answered);
    line.hear(ended);
    expect(await dialed).toEqual({ kind: 'dialed', node: 'sales', result: 'answered' });
  });

  test('has failed when the PBX does not join the two, and nobody is left waiting', async () => {
    const { line, asked, after } = pbx([[/addChannel/, 409]]);
    const dialed = dial(line, sales, first);
    await after(/POST channels/, answered);
    expect(await dialed).toMatchObject({ result: 'failed' });
    expect(asked.slice(-2)).toEqual([`DELETE channels/${leg}`, 'DELETE bridges/call_1-bridge']);
  });

  test('leaves neither a leg nor a bridge when the caller hangs up', async () => {
    const { line, asked, after } = pbx();
    const dialed = dial(line, sales, first);
    await after(/POST channels/, answered);
    while (!asked.some((each) => each.endsWith('addChannel'))) await new Promise(setImmediate);
    line.end(new LineOver());
    await expect(dialed).rejects.toThrow(LineOver);
    expect(asked.slice(-2)).toEqual([`DELETE channels/${leg}`, 'DELETE bridges/call_1-bridge']);
  });

  test('that was rung before is not rung again while the PBX does not say how it stands', async () => {
    const { line, asked, after } = pbx([[/GET channels/, 503]]);
    const dialed = dial(line, sales, { ...first, isResumed: true });
    await after(/GET channels/, { ...ended, status: 'busy' });
    expect(await dialed).toMatchObject({ result: 'busy' });
    expect(asked).not.toContain('POST channels');
  });
});

test.each([
  ['+60388887777', '+60388887777'],
  ['"Bank" <+1>\r\nX: y', first.callerId],
  ['sip:a@b.example', first.callerId],
])('a dial shows %j as %s', async (callerId, shown) => {
  const { line, queries } = pbx([[/POST channels/, 500]]);
  await dial(line, { ...sales, callerId }, first);
  expect(queries[0]?.get('callerId')).toBe(shown);
});

describe('what the PBX refuses holds up nobody', () => {
  test('a message', async () => {
    const { line } = pbx([
      [/POST .*record/, 500],
      [/GET recordings/, 404],
    ]);
    const end = { kind: 'record', node: 'm', maxSeconds: 3_600, silenceSeconds: 5 } as const;
    const taken = record(line, { ...end, finishKeys: '#', beep: true }, 4);
    expect(await taken).toEqual({ kind: 'recorded', node: 'm' });
  });

  test('a conference, tried once more for a room that was just removed', async () => {
    const { line, asked } = pbx([[/addChannel/, 404]]);
    const end = { kind: 'conference', node: 'c', name: 'x', goesOn: true } as const;
    const flags = { startsOnEnter: true, endsOnExit: false, isMuted: false };
    const left = conference(line, { ...end, ...flags }, { tenantId: 't', isResumed: false });
    expect(await left).toEqual({ kind: 'left', node: 'c' });
    expect(asked.filter((each) => each.endsWith('addChannel'))).toHaveLength(2);
  });
});

test('keys that another channel of the call hears are not the caller’s', async () => {
  const { line } = pbx();
  const end = { kind: 'gather', node: 'g', prompt: [], maxDigits: 2 } as const;
  const gathered = gather(line, { ...end, finishKeys: '#', timeoutSeconds: 5 });
  for (const [channelId, digit] of [
    ['call_1', '1'],
    [leg, '9'],
    ['call_1', '2'],
  ] as const) {
    line.hear({ kind: 'key', channelId, digit });
  }
  expect(await gathered).toEqual({ kind: 'gathered', node: 'g', digits: '12' });
});
