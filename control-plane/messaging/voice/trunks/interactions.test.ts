import type { EndOf } from '@drawbridge/messaging/call-flow/segment.ts';
import { describe, expect, test } from 'vitest';
import { asterisk } from '../../../channels/asterisk/adapter.ts';
import type { TrunkEvent } from '../../../channels/asterisk/webhook.ts';
import type { Wire } from '../../wire.ts';
import { CallChannel, ChannelEnded } from './call-channel.ts';
import { dial } from './dial.ts';
import { conference, gather, record } from './interactions.ts';

/** A PBX that answers each request with the first matching row, and otherwise with success. */
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
  const callChannel = new CallChannel({ wire, account, callId: 'call_1', since: new Date(0) });
  /** Sends an event after the request that causes it. */
  const after = async (request: RegExp, event: TrunkEvent) => {
    while (!asked.some((each) => request.test(each))) await new Promise(setImmediate);
    callChannel.dispatch(event);
  };
  return { line: callChannel, asked, queries, after };
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
  test('is over when the answering party leaves before the two are joined', async () => {
    const { line: callChannel, after } = pbx([[/addChannel/, 409]]);
    const dialed = dial(callChannel, sales, first);
    await after(/POST channels/, answered);
    callChannel.dispatch(ended);
    expect(await dialed).toEqual({ kind: 'dialed', node: 'sales', result: 'answered' });
  });

  test('fails when the PBX does not join the two, and nobody keeps waiting', async () => {
    const { line: callChannel, asked, after } = pbx([[/addChannel/, 409]]);
    const dialed = dial(callChannel, sales, first);
    await after(/POST channels/, answered);
    expect(await dialed).toMatchObject({ result: 'failed' });
    expect(asked.slice(-2)).toEqual([`DELETE channels/${leg}`, 'DELETE bridges/call_1-bridge']);
  });

  test('leaves neither a leg nor a bridge when the caller hangs up', async () => {
    const { line: callChannel, asked, after } = pbx();
    const dialed = dial(callChannel, sales, first);
    await after(/POST channels/, answered);
    while (!asked.some((each) => each.endsWith('addChannel'))) await new Promise(setImmediate);
    callChannel.end(new ChannelEnded());
    await expect(dialed).rejects.toThrow(ChannelEnded);
    expect(asked.slice(-2)).toEqual([`DELETE channels/${leg}`, 'DELETE bridges/call_1-bridge']);
  });

  test('that was rung before is not rung again while its state is unclear', async () => {
    const { line: callChannel, asked, after } = pbx([[/GET channels/, 503]]);
    const dialed = dial(callChannel, sales, { ...first, isResumed: true });
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
  const { line: callChannel, queries } = pbx([[/POST channels/, 500]]);
  await dial(callChannel, { ...sales, callerId }, first);
  expect(queries[0]?.get('callerId')).toBe(shown);
});

describe('a refusal of the PBX does not block the call', () => {
  test('a message', async () => {
    const { line: callChannel } = pbx([
      [/POST .*record/, 500],
      [/GET recordings/, 404],
    ]);
    const end = { kind: 'record', node: 'm', maxSeconds: 3_600, silenceSeconds: 5 } as const;
    const taken = record(callChannel, { ...end, finishKeys: '#', beep: true }, 4);
    expect(await taken).toEqual({ kind: 'recorded', node: 'm' });
  });

  test('a conference is tried again when its room was just removed', async () => {
    const { line: callChannel, asked } = pbx([[/addChannel/, 404]]);
    const end = { kind: 'conference', node: 'c', name: 'x', goesOn: true } as const;
    const flags = { startsOnEnter: true, endsOnExit: false, isMuted: false };
    const left = conference(callChannel, { ...end, ...flags }, { tenantId: 't', isResumed: false });
    expect(await left).toEqual({ kind: 'left', node: 'c' });
    expect(asked.filter((each) => each.endsWith('addChannel'))).toHaveLength(2);
  });
});

test('keys from another channel of the call are not the caller’s', async () => {
  const { line: callChannel } = pbx();
  const end = { kind: 'gather', node: 'g', prompt: [], maxDigits: 2 } as const;
  const gathered = gather(callChannel, { ...end, finishKeys: '#', timeoutSeconds: 5 });
  for (const [channelId, digit] of [
    ['call_1', '1'],
    [leg, '9'],
    ['call_1', '2'],
  ] as const) {
    callChannel.dispatch({ kind: 'key', channelId, digit });
  }
  expect(await gathered).toEqual({ kind: 'gathered', node: 'g', digits: '12' });
});
