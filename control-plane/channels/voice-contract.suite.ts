/** The tests that every voice provider over HTTP must pass, against its simulator on real sockets. */
import { compile } from '@drawbridge/messaging/call-flow/compile.ts';
import { callFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { seeded, standingClock } from '../../test/kit/clock.ts';
import type { RunningSimulator } from '../simulation/server.ts';
import { exchange } from './contract.suite.ts';
import type { WebhookRequest, WireRequest, WireResponse } from './contract.ts';
import { polite, type VoiceControl, type VoiceOptions } from './simulation/voice/network.ts';
import type { Behaviour } from './simulation/voice/phone-call.ts';
import type {
  CallHandle,
  LegReport,
  LookUp,
  MarkupProvider,
  OutboundCall,
  PlaceOutcome,
  VoiceAccount,
  VoiceEvent,
} from './voice-contract.ts';
import { startCustomer } from './voice-customer.fixture.ts';

export interface VoiceHarness {
  readonly provider: MarkupProvider;
  start(options: VoiceOptions): Promise<RunningSimulator & { readonly control: VoiceControl }>;
  settings(simulator: RunningSimulator): Readonly<Record<string, string>>;
  /** Settings with one wrong credential, and settings that make each signature wrong. */
  readonly wrong: { readonly api: object; readonly signature: object };
  /** Calls on one page of the provider's list. */
  readonly pageSize: number;
  /** A document that says nothing, and a document whose call is recorded. */
  readonly document: string;
}

const from = '+60399990000';

interface Play {
  readonly provider: MarkupProvider;
  readonly simulator: RunningSimulator & { readonly control: VoiceControl };
  readonly customer: Awaited<ReturnType<typeof startCustomer>>;
  readonly clock: () => Date;
  account(more?: object): VoiceAccount;
  context(): { now: Date; nonce: string };
  place(to: string, more?: Partial<OutboundCall>, account?: VoiceAccount): Promise<PlaceOutcome>;
  /** Plays the calls that wait; returns the events of this call, in order. */
  reported(callId: string): Promise<readonly VoiceEvent[]>;
}

/** Tests of the behaviour that the voice engine needs from a provider. */
export function voiceSuite(harness: VoiceHarness) {
  describe(`voice contract: ${harness.provider.id}`, () => {
    let play: Play;
    beforeAll(async () => {
      play = await startPlay(harness);
    });
    afterAll(async () => {
      await play.simulator.stop();
      await play.customer.running.stop();
    });
    const get = () => play;
    declarations(harness);
    placing(get, harness);
    courses(get);
    transcriptions(get, harness);
    legs(get, harness);
    proofs(get, harness);
    questions(get);
    hostility(get);
  });
}

async function startPlay({ provider, start, settings, document }: VoiceHarness): Promise<Play> {
  const { clock } = standingClock('2026-11-21T08:00:00Z');
  const simulator = await start({ clock, random: seeded(11) });
  const customer = await startCustomer(document);
  const { url } = customer.running;
  let nonce = 0;
  const context = () => ({ now: clock(), nonce: `nonce-${nonce++}` });
  const account = (more: object = {}): VoiceAccount => ({
    id: 'vpc_1',
    endpoint: simulator.url,
    callbackUrl: `${url}/`,
    settings: provider.settings.parse({ ...settings(simulator), ...more }),
  });
  let serial = 0;
  return {
    provider,
    simulator,
    customer,
    clock,
    account,
    context,
    place: async (to, more = {}, by = account()) => {
      const id = more.id ?? `call_${serial++}`;
      const call: OutboundCall = {
        id,
        to,
        from,
        ringSeconds: 30,
        limitSeconds: 600,
        machineDetection: 'off' as const,
        answerUrl: `${url}/flow/${id}/0/start/answered?token=t`,
        statusUrl: `${url}/calls/${id}/status/`,
        ...more,
      };
      const response = await exchange(provider.place(call, by as never, context()));
      return provider.readPlacing(response, clock());
    },
    reported: async (callId) => {
      await simulator.control.play();
      const mine = customer.heard.filter((each) => each.url.includes(`/calls/${callId}/`));
      return mine.flatMap((request) => {
        const verdict = provider.verify(request, account() as never, clock());
        expect(verdict.kind).toBe('ok');
        const reading = provider.events(request);
        if (reading.kind === 'malformed') throw new Error(reading.reason);
        return reading.events;
      });
    },
  };
}

function declarations({ provider }: VoiceHarness) {
  test('settings mark their secrets, and none has a default', () => {
    const { properties } = z.toJSONSchema(provider.settings, { io: 'input' });
    const secrets = Object.values(properties ?? {}).filter(
      (each) => (each as { secret?: boolean }).secret === true,
    );
    expect(secrets.length).toBeGreaterThan(0);
    for (const secret of secrets) expect(secret).not.toHaveProperty('default');
    expect(provider.settings.safeParse({}).success).toBe(false);
  });
}

function placing(get: () => Play, { wrong, pageSize }: VoiceHarness) {
  test('a call is placed once, and its states carry our id in their address', async () => {
    const outcome = await get().place('+60312300001', { id: 'call_once' });
    expect(outcome).toMatchObject({ kind: 'placed' });
    const events = await get().reported('call_once');
    const statuses = events.map((event) => (event.kind === 'report' ? event.status : event.kind));
    expect(statuses).toContain('ringing');
    expect(statuses.at(-1)).toBe('completed');
    const { control } = get().simulator;
    expect(control.calls().filter(({ to }) => to === '60312300001')).toHaveLength(1);
  });

  test('an invalid number is refused, with a reason', async () => {
    const outcome = await get().place('+60312310400');
    expect(outcome).toMatchObject({ kind: 'refused' });
    if (outcome.kind === 'refused') expect(outcome.detail).not.toBe('');
  });

  test('wrong credentials stop the channel, and are not in the outcome', async () => {
    const account = get().account(wrong.api);
    const outcome = await get().place('+60312300002', {}, account);
    expect(outcome).toMatchObject({ kind: 'refused', action: 'stop-channel' });
    for (const secret of Object.values(wrong.api)) {
      expect(JSON.stringify(outcome)).not.toContain(secret);
    }
    const { request, read } = get().provider.check;
    const asked = async (by: VoiceAccount) =>
      read(await exchange(request(by as never, get().context())), get().clock());
    expect(await asked(account)).toMatchObject({ kind: 'refused', action: 'stop-channel' });
    expect(await asked(get().account())).toEqual({ kind: 'ok' });
  });

  test.each([
    [429, 'throttled'],
    [500, 'unknown'],
    [502, 'unknown'],
    [503, 'retry'],
  ])('a status of %i is %s', async (kind, outcome) => {
    get().simulator.control.fault({ call: 'place', kind, retryAfterSeconds: 17 });
    const found = await get().place('+60312300003');
    expect(found.kind).toBe(outcome);
    if (found.kind === 'throttled' || found.kind === 'retry') expect(found.afterMs).toBe(17_000);
  });

  test('after a lost answer the call is in the provider’s own list', async () => {
    get().simulator.control.fault({ call: 'place', kind: 'cut-after' });
    const lost = get().place('+60312300004', { id: 'call_lost' });
    await expect(lost).rejects.toThrow();
    expect((await get().reported('call_lost')).length).toBeGreaterThan(0);
    const listed = await search(get(), '+60312300004');
    expect(listed).toMatchObject([{ to: '+60312300004', from }]);
  });

  test('the list covers every page, each call once', async () => {
    const play = get();
    const calls = 2 * pageSize + 1;
    for (let count = 0; count < calls; count += 1) await play.place('+60312310001');
    await play.simulator.control.play();
    const listed = await search(play, '+60312310001');
    expect(new Set(listed.map(({ callId }) => callId)).size).toBe(calls);
    expect(listed).toHaveLength(calls);
  });

  test('credentials go to no address outside the list, even if a page names it', () => {
    const { provider, account, context, clock } = get();
    const asked = provider.search.request('+60312300004', clock(), account() as never, context());
    for (const next of ['https://evil.example/', '//evil.example/', '/v1/else', '', 7, null]) {
      const body = JSON.stringify({ next_page_uri: next, meta: { next } });
      const page = { status: 200, headers: {}, body };
      expect(provider.nextPage(asked, page, account() as never, context())).toBeUndefined();
    }
  });
}

/** The provider's calls to a number, from all pages. */
async function search({ provider, account, context, clock }: Play, to: string) {
  const since = new Date(clock().getTime() - 60_000);
  const first = provider.search.request(to, since, account() as never, context());
  const listed = provider.search.read(await pagesFrom({ provider, account, context }, first));
  return (listed ?? []).filter((call) => call.to === to);
}

async function pagesFrom(
  { provider, account, context }: Pick<Play, 'provider' | 'account' | 'context'>,
  first: WireRequest,
): Promise<readonly WireResponse[]> {
  const pages: WireResponse[] = [];
  for (let asked: WireRequest | undefined = first; asked !== undefined; ) {
    const page = await exchange(asked);
    pages.push(page);
    asked = provider.nextPage(asked, page, account() as never, context());
  }
  return pages;
}

function courses(get: () => Play) {
  test.each([
    ['busy', '+60312310001', ['busy']],
    ['no answer', '+60312310002', ['no_answer']],
    ['failure', '+60312310004', ['failed']],
    ['refusal', '+60312310005', ['busy', 'no_answer']],
  ])('%s is reported as such, and looked up as such', async (name, to, statuses) => {
    const id = `call_${name.replace(' ', '_')}`;
    await get().place(to, { id });
    const last = (await get().reported(id)).at(-1);
    expect(last?.kind).toBe('report');
    if (last?.kind !== 'report') return;
    expect(statuses).toContain(last.status);
    const found = await lookUp(get(), { requestId: last.callId, callId: last.callId });
    expect(found).toMatchObject({ kind: 'report', callId: last.callId });
    if (found.kind === 'report') expect(statuses).toContain(found.status);
  });

  test('a machine and a person are distinguished', async () => {
    await get().place('+60312310003', { id: 'call_machine', machineDetection: 'continue' });
    const events = await get().reported('call_machine');
    const asked = get().customer.heard.filter(({ url }) => url.includes('/flow/call_machine/'));
    const inputs = asked.map((request) => get().provider.input(request).answeredBy);
    const reported = events.flatMap((event) => ('answeredBy' in event ? [event.answeredBy] : []));
    expect([...inputs, ...reported]).toContain('machine');
  });

  test('an unwanted machine only gets a hang-up', async () => {
    await get().place('+60312310003', { id: 'call_spared', machineDetection: 'hangup' });
    const events = await get().reported('call_spared');
    const asked = get().customer.heard.filter(({ url }) => url.includes('/flow/call_spared/'));
    // If the provider asks at all, it says that a machine answered, so that our answer can hang up.
    for (const request of asked) expect(get().provider.input(request).answeredBy).toBe('machine');
    if (asked.length > 0) return;
    const reported = events.flatMap((event) => ('answeredBy' in event ? [event.answeredBy] : []));
    expect(reported).toContain('machine');
  });

  test('a person who stays on the line is there until we hang up', async () => {
    const outcome = await get().place('+60312310006', { id: 'call_stays' });
    if (outcome.kind !== 'placed') throw new Error(outcome.kind);
    const over = get().reported('call_stays');
    const { control } = get().simulator;
    const isUp = () =>
      control.calls().some((each) => each.to.endsWith('10006') && each.stage === 'answered');
    while (!isUp()) await new Promise((done) => setTimeout(done, 5));
    const call = control.calls().find(({ to }) => to.endsWith('10006'))!;
    const handle = { requestId: outcome.requestId, callId: call.id };
    expect(await lookUp(get(), handle)).toMatchObject({ kind: 'report', status: 'in_progress' });
    const asked = get().provider.hangUp(handle, get().account() as never, get().context());
    expect((await exchange(asked)).status).toBeLessThan(300);
    expect((await over).at(-1)).toMatchObject({ kind: 'report', status: 'completed' });
  });

  test('a recording of the whole call comes at its end, with our credentials', async () => {
    const { provider, customer } = get();
    const recordingUrl = `${customer.running.url}/calls/call_recorded/recording/`;
    const before = customer.state.document;
    const inPlacing = provider.withRecording === undefined;
    if (!inPlacing) {
      customer.state.document = provider.withRecording!(before, { url: recordingUrl });
    }
    await get().place('+60312300006', {
      id: 'call_recorded',
      ...(inPlacing ? { recordingUrl } : {}),
    });
    const events = await get().reported('call_recorded');
    customer.state.document = before;
    const recording = events.find((event) => event.kind === 'recording');
    if (recording?.kind !== 'recording') throw new Error('no recording was reported');
    const ask = (url: string) => provider.recording(url, get().account() as never, get().context());
    const response = await fetch(recording.url, { headers: { ...ask(recording.url).headers } });
    expect(response.status).toBe(200);
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(44);
    expect(ask('https://somewhere.example/a.mp3').headers).toEqual({});
    expect(ask('https://api.twilio.com.evil.example/a.mp3').headers).toEqual({});
  });
}

function transcriptions(get: () => Play, { provider }: VoiceHarness) {
  const own = provider.transcription;
  if (own === undefined) return;

  if (own.kind === 'ordered') {
    test('the text of a recording is ordered once it is there, and found by the recording', async () => {
      const { customer, account, context } = get();
      const recordingUrl = `${customer.running.url}/calls/call_text/recording/`;
      await get().place('+60312300020', { id: 'call_text', recordingUrl });
      const recording = (await get().reported('call_text')).find(
        (event) => event.kind === 'recording',
      );
      if (recording?.kind !== 'recording') throw new Error('no recording was reported');
      const { recordingId } = recording;
      expect(own.isUsedBy(account() as never)).toBe(true);
      const find = async () =>
        own.readFound(await exchange(own.find(recordingId, account() as never, context())));
      expect(await find()).toEqual({ kind: 'none' });
      const begun = await exchange(own.begin(recordingId, account() as never, context()));
      expect(own.readBegun(begun)).toEqual({ kind: 'pending' });
      expect(await find()).toEqual({ kind: 'pending' });
      const done = await find();
      if (done.kind !== 'done') throw new Error(done.kind);
      const told = await exchange(own.text(done.id, account() as never, context()));
      expect(own.readText(told)).toMatch(/\w+\.$/);
    });
    return;
  }

  /** The recording and the text that a call with this document reports, all of them signed. */
  async function textOf(
    id: string,
    to: string,
    document: string,
    behaviour: Partial<Behaviour> = {},
  ) {
    const { customer, simulator, account, clock, place } = get();
    const before = customer.state.document;
    customer.state.document = document;
    simulator.control.expect(to.slice(1), [{ ...polite, ...behaviour }]);
    await place(to, { id });
    await get().reported(id);
    customer.state.document = before;
    const events = customer.heard
      .filter(({ url }) => url.includes(`/${id}/`) && /recording|transcription/.test(url))
      .flatMap((request) => {
        expect(provider.verify(request, account() as never, clock()).kind).toBe('ok');
        const reading = provider.events(request);
        return reading.kind === 'events' ? reading.events : [];
      });
    const recording = events.find((event) => event.kind === 'recording');
    const text = events.find((event) => event.kind === 'transcription');
    return { recording, text };
  }

  test.each([
    ['the whole call', 'call_whole', '+60312300021'],
    ['one message', 'call_message', '+60312300022'],
  ])('the text of a recording of %s is told by its id', async (what, id, to) => {
    const { customer, account, context } = get();
    expect(own.isUsedBy(account() as never)).toBe(true);
    const transcription = { language: own.languageOf(account() as never) };
    const flow = { version: 1, start: 'a', nodes: { a: { type: 'record', max_seconds: 60 } } };
    const at = `${customer.running.url}/calls/${id}`;
    const document =
      what === 'the whole call'
        ? provider.withRecording!(customer.state.document, {
            url: `${at}/recording/`,
            transcription: { ...transcription, url: `${at}/transcription/` },
          })
        : compile(callFlow.parse(flow), provider.markup, {
            base: `${customer.running.url}/flow/${id}/1`,
            recording: { policy: 'free', hasConsented: false },
            transcription,
          }).document;
    const { recording, text } = await textOf(id, to, document);
    if (recording?.kind !== 'recording' || text?.kind !== 'transcription') throw new Error('none');
    expect(text.recordingId).toBe(recording.recordingId);
    if (text.told.kind === 'text') return expect(text.told.value).toMatch(/\w+\.$/);
    const asked = own.fetched!.text(text.told.value, account() as never, context());
    expect(own.fetched!.readText(await exchange(asked))).toMatch(/\w+\.$/);
    const elsewhere = own.fetched!.text('https://x.example/t', account() as never, context());
    expect(elsewhere.headers).toEqual({});
  });

  test('without the setting nothing is asked for', async () => {
    const { account } = get();
    const { transcription, transcription_language, ...rest } = account().settings as Record<
      string,
      unknown
    >;
    expect(transcription ?? transcription_language).toBeDefined();
    const plain = { ...account(), settings: provider.settings.parse(rest) };
    expect(own.isUsedBy(plain as never)).toBe(false);
  });
}

const desk = '+60387654321';
const nobody = '+60387654322';

/** Plays a call that dials; returns the events of its legs, in order. */
async function dialing(
  { provider, customer, simulator, place, account, clock, reported }: Play,
  id: string,
  digits: string,
  { to, behaviour }: { readonly to: readonly string[]; readonly behaviour: Partial<Behaviour> },
): Promise<readonly LegReport[]> {
  const flow = { version: 1, start: 'a', nodes: { a: { type: 'dial', to, order: 'together' } } };
  const before = customer.state.document;
  customer.state.document = compile(callFlow.parse(flow), provider.markup, {
    base: `${customer.running.url}/flow/${id}/1`,
    recording: { policy: 'free', hasConsented: false },
  }).document;
  simulator.control.expect(digits, [{ ...polite, ...behaviour }]);
  await place(`+${digits}`, { id });
  await reported(id);
  customer.state.document = before;
  const heard = customer.heard.filter(({ url }) => url.includes(`/flow/${id}/1/a/leg`));
  return heard.flatMap((request) => {
    expect(provider.verify(request, account() as never, clock()).kind).toBe('ok');
    const reading = provider.events(request);
    return reading.kind === 'malformed'
      ? []
      : reading.events.flatMap((event) => (event.kind === 'leg' ? [event] : []));
  });
}

function legs(get: () => Play, { provider: { markup } }: VoiceHarness) {
  test('a dialled leg is reported and listed with its own id, number and seconds', async () => {
    const play = get();
    const { provider, account, context, clock, simulator } = play;
    const dialed = { to: [desk], behaviour: { seconds: 61 } };
    const reported = await dialing(play, 'call_legs', '60312300008', dialed);
    const of = simulator.control.calls().find(({ to }) => to === '60312300008')!;
    const [leg] = of.legs;
    expect(reported.map(({ status }) => status)).toContain('in_progress');
    expect(new Set(reported.map(({ legId }) => legId))).toEqual(new Set([leg!.id]));
    expect(new Set(reported.map(({ to }) => to))).toEqual(new Set([desk]));
    expect(reported.at(-1)).toMatchObject({ status: 'completed', durationSeconds: 61 });
    const handle = { requestId: of.requestId, callId: of.id };
    const since = new Date(clock().getTime() - 5_000);
    const asked = provider.legs.request(handle, since, account() as never, context());
    expect(provider.legs.read(await pagesFrom(play, asked), handle)).toEqual([
      expect.objectContaining({ legId: leg!.id, to: desk, status: 'completed' }),
    ]);
    const none = { requestId: 'nothing' };
    const unasked = provider.legs.request(none, since, account() as never, context());
    const found = provider.legs.read(await pagesFrom(play, unasked), none);
    expect(found ?? []).toEqual([]);
  });

  test.each([
    ['is-busy', 'busy', '60312300009'],
    ['does-not-answer', 'no_answer', '60312300010'],
    ['fails', 'failed', '60312300011'],
  ] as const)('a leg that %s ends as %s, without a conversation', async (leg, status, digits) => {
    const dialed = { to: [desk], behaviour: { leg } };
    const reported = await dialing(get(), `call_${leg}`, digits, dialed);
    expect(reported.at(-1)).toMatchObject({ status, to: desk });
    expect(reported.some((each) => (each.durationSeconds ?? 0) > 0)).toBe(false);
  });

  if (markup === 'ncco') return; // rings one at a time
  test('of several legs that ring together one is connected, and each is reported', async () => {
    const dialed = { to: [desk, nobody], behaviour: {} };
    const reported = await dialing(get(), 'call_together', '60312300012', dialed);
    const last = Map.groupBy(reported, ({ to }) => to);
    expect(last.get(desk)?.at(-1)).toMatchObject({ status: 'completed', durationSeconds: 7 });
    expect(last.get(nobody)?.at(-1)).toMatchObject({ status: 'canceled', durationSeconds: 0 });
  });
}

function proofs(get: () => Play, { wrong }: VoiceHarness) {
  test('an unsigned, changed or wrongly signed call-back is refused', async () => {
    await get().place('+60312300007', { id: 'call_proof' });
    await get().reported('call_proof');
    const { provider, customer } = get();
    const request = customer.heard.find(({ url }) => url.includes('/calls/call_proof/status'))!;
    const verify = (each: WebhookRequest, by = get().account()) =>
      provider.verify(each, by as never, get().clock()).kind;
    expect(verify(request)).toBe('ok');
    expect(verify({ ...request, headers: {} })).toBe('refused');
    expect(verify(request, get().account(wrong.signature))).toBe('refused');
    const body = Buffer.concat([Buffer.from(request.body), Buffer.from('&CallStatus=busy')]);
    expect(verify({ ...request, body })).toBe('refused');
    if (provider.markup === 'ncco') {
      const later = new Date(get().clock().getTime() + 301_000);
      expect(provider.verify(request, get().account() as never, later).kind).toBe('refused');
      return;
    }
    const url = request.url.replace('call_proof', 'call_other');
    expect(verify({ ...request, url })).toBe('refused');
  });
}

/** The first result that knows of the call, or the last one. */
async function lookUp({ provider, account, context }: Play, handle: CallHandle): Promise<LookUp> {
  let found: LookUp = { kind: 'gone' };
  for (const request of provider.lookUp.requests(handle, account() as never, context())) {
    found = provider.lookUp.read(await exchange(request));
    if (found.kind !== 'gone') break;
  }
  return found;
}

function questions(get: () => Play) {
  test('a call that never existed is gone', async () => {
    expect(await lookUp(get(), { requestId: 'nothing' })).toEqual({ kind: 'gone' });
  });
}

/** Names that every object inherits: a table must say that it has no such row. */
const words = ['constructor', '__proto__', 'toString', 'CallSid', 'CallUUID', 'uuid', 'CallStatus']
  .concat(['status', 'completed', 'RecordingSid', 'RecordingUrl', 'DialBLegUUID', 'dtmf', 'speech'])
  .concat(['recording_url', 'recording_uuid', 'calls', '_embedded', 'objects', 'sid', 'to']);

function hostility(get: () => Play) {
  const word = fc.oneof(fc.string(), fc.constantFrom(...words));
  const form = fc
    .dictionary(word, word, { maxKeys: 6 })
    .map((fields) => new URLSearchParams(fields).toString());
  const body = fc.oneof(fc.json(), fc.string(), form);

  test('no call-back makes it throw', () => {
    const url = 'https://api.example.test/flow/call_1/0/menu/gathered?token=t';
    const { provider } = get();
    fc.assert(
      fc.property(body, word, (text, header) => {
        const headers = { authorization: `Bearer ${header}`, 'x-twilio-signature': header };
        const request = { method: 'POST', url, headers, body: Buffer.from(text) } as const;
        provider.verify(request, get().account() as never, get().clock());
        expect(['events', 'malformed']).toContain(provider.events(request).kind);
        expect(provider.input(request).fields).toBeTypeOf('object');
      }),
    );
  });

  test.each([
    ['7', 7],
    ['-5', undefined],
    ['1e300', undefined],
    ['99999999999999', undefined],
    ['NaN', undefined],
  ])('a duration of %s is read as %s, and text is storable', (said, reported) => {
    const { provider } = get();
    const fields = {
      CallSid: 'c\0',
      CallStatus: 'completed',
      CallDuration: said, // Twilio
      CallUUID: 'c\0',
      Duration: said, // Plivo
      uuid: 'c\0',
      status: 'completed',
      duration: said, // Vonage
    };
    const isJson = provider.markup === 'ncco';
    const text = isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString();
    const url = 'https://api.example.test/calls/call_1/status/';
    const request = { method: 'POST', url, headers: {}, body: Buffer.from(text) } as const;
    const reading = provider.events(request);
    const [event] = reading.kind === 'events' ? reading.events : [];
    expect(event).toMatchObject({ kind: 'report', callId: 'c', status: 'completed' });
    expect((event as { durationSeconds?: number }).durationSeconds).toBe(reported);
  });

  test('no answer makes it throw, and only a success counts as one', () => {
    const { provider } = get();
    const status = fc.constantFrom(200, 201, 204, 301, 400, 401, 403, 404, 409, 429, 500, 503);
    fc.assert(
      fc.property(status, body, (code, text) => {
        const response = { status: code, headers: {}, body: text };
        const placed = provider.readPlacing(response, get().clock());
        if (code >= 300) expect(placed.kind).not.toBe('placed');
        provider.lookUp.read(response);
        provider.search.read([response]);
        provider.legs.read([response, response], { requestId: text });
        const asked = provider.check.request(get().account() as never, get().context());
        provider.nextPage(asked, response, get().account() as never, get().context());
        const checked = provider.check.read(response, get().clock());
        if (code >= 300) expect(checked.kind).not.toBe('ok');
      }),
    );
  });
}
