import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { standingClock } from '../../../test/kit/clock.ts';
import { exchange } from '../contract.suite.ts';
import type { VoiceAccount } from '../voice-contract.ts';
import { asterisk, dialString } from './adapter.ts';
import type { Settings } from './settings.ts';
import { type PbxSimulator, startAsteriskSimulator } from './simulator.ts';
import { readEvent, saysReplaced } from './webhook.ts';

const { clock } = standingClock('2026-11-21T08:00:00Z');
const context = { now: clock(), nonce: 'n' };
let pbx: PbxSimulator;
let account: VoiceAccount<Settings>;
beforeAll(async () => {
  pbx = await startAsteriskSimulator({ clock, random: () => 0 });
  const settings = asterisk.settings.parse(pbx.settings);
  account = { id: 'vpc_1', endpoint: pbx.url, callbackUrl: '', settings };
});
afterAll(() => pbx.stop());

const call = (id: string, to = '+60312310006') => ({
  id,
  to,
  from: '+60399990000',
  answerUrl: '',
  statusUrl: '',
  ringSeconds: 30,
  limitSeconds: 600,
  machineDetection: 'off' as const,
});
const place = async (id: string, to?: string, by = account) =>
  asterisk.readPlacing(await exchange(asterisk.place(call(id, to), by, context)), clock());
const lookUp = async (requestId: string) =>
  asterisk.lookUp.read(
    await exchange(asterisk.lookUp.requests({ requestId }, account, context)[0]!),
  );

describe('asterisk', () => {
  test('a call that is requested twice is placed once: its channel has our id', async () => {
    expect(await place('call_a')).toEqual({ kind: 'placed', requestId: 'call_a' });
    expect(await place('call_a')).toEqual({ kind: 'placed', requestId: '' });
    expect(pbx.control.placed().filter(({ id }) => id === 'call_a')).toHaveLength(1);
    expect(await lookUp('call_a')).toMatchObject({ kind: 'report', callId: 'call_a' });
  });

  test('after a lost answer the channel exists under our id', async () => {
    pbx.control.fault({ call: 'place', kind: 'cut-after' });
    await expect(place('call_b')).rejects.toThrow();
    expect(await lookUp('call_b')).toMatchObject({ kind: 'report', callId: 'call_b' });
    expect(await lookUp('call_c')).toEqual({ kind: 'gone' });
  });

  test('an invalid number is refused; wrong credentials stop the channel', async () => {
    expect(await place('call_d', '+60312310400')).toMatchObject({ kind: 'refused', code: '400' });
    const by = { ...account, settings: { ...account.settings, password: 'not-the-password' } };
    const outcome = await place('call_e', undefined, by);
    expect(outcome).toMatchObject({ kind: 'refused', action: 'stop-channel' });
    expect(JSON.stringify(outcome)).not.toContain('not-the-password');
  });

  test('while Asterisk is still starting, nothing was taken', async () => {
    pbx.control.fault({ call: 'place', kind: 503 });
    expect(await place('call_f')).toMatchObject({ kind: 'retry' });
  });

  test('only what answers as Asterisk does is one', () => {
    const check = (body: string) =>
      asterisk.check.read({ status: 200, headers: {}, body }, clock()).kind;
    expect(check('{"ping":"pong"}')).toBe('ok');
    expect(check('<html>A router</html>')).toBe('unclear');
  });

  test('only digits are dialled, however the number is written', () => {
    const { url } = asterisk.place(call('call_g', '+60 3-1234,5&app=x'), account, context);
    expect(new URL(url).searchParams.get('endpoint')).toBe('PJSIP/+60312345@trunk');
    expect(new URL(url).searchParams.get('app')).toBe('drawbridge-vpc_1');
  });
});

test.each([
  ['+60312345678', 'PJSIP/+60312345678@trunk'],
  ['sip:desk12@pbx.example', 'PJSIP/trunk/sip:desk12@pbx.example'],
  ['sips:desk12@pbx.example', 'PJSIP/trunk/sips:desk12@pbx.example'],
])('%s is dialled as %s', (to, dialled) => {
  expect(dialString(account.settings, to)).toBe(dialled);
});

describe('an event of the websocket', () => {
  const channel = { id: 'call_1', state: 'Ringing' };
  test.each([
    [
      { type: 'StasisStart', channel, args: ['a'] },
      { kind: 'entered', args: ['a'] },
    ],
    [
      { type: 'ChannelStateChange', channel },
      { kind: 'state', status: 'ringing' },
    ],
    [
      { type: 'ChannelDtmfReceived', channel, digit: '#' },
      { kind: 'key', digit: '#' },
    ],
    [
      { type: 'ChannelDestroyed', channel, cause: 17 },
      { kind: 'ended', status: 'busy' },
    ],
    [
      { type: 'ChannelDestroyed', channel, cause: 19 },
      { kind: 'ended', status: 'no_answer' },
    ],
    [
      { type: 'ChannelDestroyed', channel, cause: 38 },
      { kind: 'ended', status: 'failed' },
    ],
    [
      { type: 'PlaybackFinished', playback: { id: 'p' } },
      { kind: 'played', playbackId: 'p' },
    ],
    [
      { type: 'RecordingFinished', recording: { name: 'r', duration: 3 } },
      { kind: 'recorded', isEmpty: false, durationSeconds: 3 },
    ],
    [
      { type: 'RecordingFailed', recording: { name: 'r' } },
      { kind: 'recorded', isEmpty: true },
    ],
  ])('%o is %o', (event, found) => {
    expect(readEvent(JSON.stringify(event))?.event).toMatchObject(found);
  });

  test.each([
    ['{"type":"ApplicationReplaced","application":"drawbridge"}', true],
    ['{"type":"StasisStart","args":["ApplicationReplaced"]}', false],
    ['ApplicationReplaced', false],
  ])('%s: another listener took over: %s', (text, is) => expect(saysReplaced(text)).toBe(is));

  test.each(['', '{', '[]', '{"type":"StasisStart"}', '{"type":"__proto__"}', 'null'])(
    '%s tells nothing',
    (text) => expect(readEvent(text)).toBeUndefined(),
  );
});

test.each(['http://u:p@pbx.example', 'https://pbx.example/ari?x=1', 'https://pbx.example#a'])(
  'the address %s is refused, because settings that are not secret are shown',
  (url) => {
    const { error } = asterisk.settings.safeParse({ ...pbx.settings, url });
    expect(error?.issues.map(({ path }) => path)).toEqual([['url']]);
  },
);
