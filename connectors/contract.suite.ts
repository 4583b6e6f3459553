/**
 * The tests that every kind of source must pass. A kind's own test calls `connectorSuite` with a
 * harness that knows how to put documents into a real source and how to look at it from outside.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Connector,
  type ConnectorFault,
  limits,
  type ReadOutcome,
  type WriteBackCommand,
} from './contract.ts';
import { draftTests } from './drafts.suite.ts';
import type { SampleDocument, SourceUnderTest } from './source-under-test.kit.ts';

export const secretInTests = 'hunter2-never-shown';

const never = new AbortController().signal;

/** A usual document, with `changes`. */
function sampleDocument(number: string, changes: Partial<SampleDocument> = {}): SampleDocument {
  return {
    number,
    buyer: 'Acme',
    total: '10.0000000000',
    issued_on: '2026-01-31',
    lines: [{ line_no: '1', description: 'Bolt', price: '10.0000000000' }],
    ...changes,
  };
}

/** Runs the contract against one kind. */
export function connectorSuite(kind: string, start: () => Promise<SourceUnderTest>): void {
  describe(`${kind} keeps the contract`, () => {
    let source: SourceUnderTest;
    beforeAll(async () => {
      source = await start();
    });
    afterAll(async () => {
      await source?.connector.close();
      await source?.unreachable.close();
      await source?.columns?.connector.close();
      await source?.stop();
    });
    const running = () => source;
    describe('reading', () => readingTests(running));
    describe('values', () => valueTests(running));
    describe('sizes', () => sizeTests(running));
    describe('bounds', () => boundsTests(running));
    describe('hostile refs', () => hostileTests(running));
    describe('describing and listing', () => listingTests(running));
    describe('writing back', () => writeBackTests(running));
    describe('writing back at once', () => concurrencyTests(running));
    describe('writing back into columns', () => columnsTests(running));
    describe('drafts of suppliers’ documents', () => draftTests(running));
    describe('trouble', () => troubleTests(running));
  });
}

function headerOf(outcome: ReadOutcome): Readonly<Record<string, string | null>> | undefined {
  return outcome.kind === 'found' ? outcome.document.sections.header?.[0]?.values : undefined;
}

function readingTests(running: () => SourceUnderTest): void {
  test('a document is found with its header and its lines in order', async () => {
    const { connector, refOf, insert } = running();
    const lines = ['1', '2', '3'].map((line_no) => ({
      line_no,
      description: `Item ${line_no}`,
      price: '1.0000000000',
    }));
    await insert([sampleDocument('R-1', { lines }), sampleDocument('R-2')]);
    const outcome = await connector.read(refOf('R-1'), never);
    expect(outcome).toMatchObject({ kind: 'found', document: { ref: refOf('R-1') } });
    expect(headerOf(outcome)).toMatchObject({ number: 'R-1', issued_on: '2026-01-31' });
    const sections = outcome.kind === 'found' ? outcome.document.sections : {};
    expect(sections.header).toHaveLength(1);
    expect(sections.header?.[0]?.origin).not.toBe('');
    expect(sections.lines?.map((row) => row.values.description)).toEqual([
      'Item 1',
      'Item 2',
      'Item 3',
    ]);
    expect(new Set(sections.lines?.map((row) => row.key)).size).toBe(3);
  });

  test('a document that is not there is missing', async () => {
    const { connector, refOf } = running();
    expect(await connector.read(refOf('NO-SUCH'), never)).toEqual({ kind: 'missing' });
  });

  test('a ref that matches two documents is unusable', async () => {
    const { connector, refOf, insertTwins } = running();
    await insertTwins('TWIN');
    expect(await connector.read(refOf('TWIN'), never)).toMatchObject({
      kind: 'unusable',
      fault: { code: 'header_not_unique', retry: 'never' },
    });
  });
}

function valueTests(running: () => SourceUnderTest): void {
  test.each([
    ['Latin', 'Société Générale «Žižkov»'],
    ['Arabic', 'شركة الإمارات'],
    ['CJK and emoji', '株式会社 😀 𠮷'],
    ['quotes', `O'Brien "& Sons" \\ \`x\``],
    ['a combining accent', 'e\u0301'],
  ])('%s text comes back as it was', async (name, buyer) => {
    const { connector, refOf, insert } = running();
    await insert([sampleDocument(`U-${name}`, { buyer })]);
    expect(headerOf(await connector.read(refOf(`U-${name}`), never))).toMatchObject({ buyer });
  });

  test('a ref may be written in any script', async () => {
    const { connector, refOf, insert } = running();
    await insert([sampleDocument('请求-Ü-٣')]);
    expect(await connector.read(refOf('请求-Ü-٣'), never)).toMatchObject({ kind: 'found' });
  });

  test.each([
    '0.1000000000',
    '12345678901234567890.1234567891',
    '-0.0000000001',
    '9007199254740993.0000000000',
  ])('the decimal %s keeps its digits', async (total) => {
    const { connector, refOf, insert } = running();
    await insert([sampleDocument(`D${total}`, { total })]);
    expect(headerOf(await connector.read(refOf(`D${total}`), never))).toMatchObject({ total });
  });
}

function sizeTests(running: () => SourceUnderTest): void {
  test('ten thousand lines are read, in order', async () => {
    const { connector, refOf, insert } = running();
    const lines = Array.from({ length: 10_000 }, (_, index) => ({
      line_no: String(index + 1),
      description: `Item ${index + 1}`,
      price: '0.1000000000',
    }));
    await insert([sampleDocument('LONG', { lines })]);
    const outcome = await connector.read(refOf('LONG'), never);
    const read = outcome.kind === 'found' ? outcome.document.sections.lines : undefined;
    expect(read?.map((row) => row.values.line_no)).toEqual(lines.map((line) => line.line_no));
  });

  test('many are read at once, in the order of the refs, and a bad one does not affect the others', async () => {
    const { connector, refOf, insert, insertTwins } = running();
    const numbers = Array.from({ length: 250 }, (_, index) => `M-${index}`);
    await insert(numbers.map((number) => sampleDocument(number)));
    await insertTwins('M-TWIN');
    const refs = [...numbers, 'M-TWIN', 'M-NONE', 'M-0'].map(refOf);
    const outcomes = await connector.readMany(refs, never);
    expect(outcomes.slice(0, 250).map((one) => headerOf(one)?.number)).toEqual(numbers);
    expect(outcomes.slice(250).map(({ kind }) => kind)).toEqual(['unusable', 'missing', 'found']);
    expect(await connector.readMany([], never)).toEqual([]);
  });
}

function boundsTests(running: () => SourceUnderTest): void {
  const ended = async (isWorking = async () => false) => {
    await expect.poll(isWorking).toBe(false);
  };

  test('a call ends at its time limit, its work in the source too, and holds nothing up', async () => {
    const { open, refs, isWorking } = running().endless;
    const connector = await open(300);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    const outcomes = await connector.readMany(refs, never);
    clearInterval(timer);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        kind: 'unreachable',
        fault: {
          code: 'timeout',
          retry: 'later',
          message: expect.stringMatching(/0\.3 s|too long/),
        },
      });
    }
    expect(turns).toBeGreaterThan(3);
    await ended(isWorking);
    await connector.close();
  });

  test('a call that is given up meanwhile comes back at once, and its work ends', async () => {
    const { open, refs, isWorking } = running().endless;
    const connector = await open(limits.callTimeoutMs);
    const controller = new AbortController();
    const reading = connector.readMany(refs, controller.signal);
    if (isWorking !== undefined) await expect.poll(isWorking).toBe(true);
    controller.abort();
    for (const outcome of await reading) {
      expect(outcome).toMatchObject({ kind: 'unreachable', fault: { code: 'aborted' } });
    }
    await ended(isWorking);
    expect(await connector.test(never)).toMatchObject({ kind: 'ok' });
    await connector.close();
  });

  test('a source that stops in the middle of a read is told, and read again once it is back', async (context) => {
    const { open, refs, isWorking, interrupt } = running().endless;
    if (interrupt === undefined || isWorking === undefined) {
      return context.skip('this kind keeps no session');
    }
    const connector = await open(limits.callTimeoutMs);
    const reading = connector.readMany(refs, never);
    await expect.poll(isWorking).toBe(true);
    await interrupt();
    for (const outcome of await reading) {
      expect(outcome).toMatchObject({ kind: 'unreachable', fault: { retry: 'later' } });
    }
    await expect.poll(async () => (await connector.test(never)).kind).toBe('ok');
    await connector.close();
  });

  test.each([
    ['rows', limits.rowsMax + 1, 1, 'too_many_rows'],
    ['bytes', 40, 1_000_000, 'too_large'],
  ])(
    'a document of too many %s is unusable and spoils no other',
    async (what, count, length, code) => {
      const { connector, refOf, insert } = running();
      const lines = Array.from({ length: count }, (_, index) => ({
        line_no: String(index + 1),
        description: 'x'.repeat(length),
        price: '1.0000000000',
      }));
      await insert([sampleDocument(`MUCH-${what}`, { lines }), sampleDocument(`LITTLE-${what}`)]);
      const refs = [`LITTLE-${what}`, `MUCH-${what}`].map(refOf);
      const [little, much] = await connector.readMany(refs, never);
      expect(much).toMatchObject({ kind: 'unusable', fault: { code, retry: 'never' } });
      expect(little).toMatchObject({ kind: 'found' });
    },
  );
}

/** Refs that try to be read as SQL, a path or a template. */
const hostileRefs: readonly string[] = [
  '',
  ' ',
  '%',
  '_____',
  '*',
  "' OR '1'='1",
  "' OR 1=1 --",
  '" OR ""="',
  '1 OR 1=1',
  '0 UNION SELECT * FROM invoice',
  "SAFE'; DROP TABLE invoice; --",
  'SAFE; DELETE FROM invoice',
  "SAFE'||'",
  'SAFE\\',
  'SAFE\0',
  'SAFE\0.json',
  ' SAFE',
  'SAFE ',
  'safe',
  '$1',
  '?',
  ':ref',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this ref is the attack.
  '${7*7}',
  '{{constructor.constructor("return process")()}}',
  '$(touch /tmp/owned)',
  '`id`',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  '/etc/passwd',
  'file:///etc/passwd',
  '.',
  '..',
  './SAFE.json',
  'status/SAFE.json',
  '%2e%2e%2fetc%2fpasswd',
  'SAFE.json#',
  '\u202ESAFE',
  '\uD800',
  '__proto__',
  'constructor',
  'x'.repeat(limits.refLengthMax + 1),
  'x'.repeat(100_000),
];

function hostileTests(running: () => SourceUnderTest): void {
  beforeAll(async () => {
    await running().insert([sampleDocument('SAFE')]);
  });

  test.each(hostileRefs.map((ref) => [ref.slice(0, 60), ref]))('%j is missing', async (_, ref) => {
    expect(await running().connector.read(ref, never)).toEqual({ kind: 'missing' });
  });

  test('together they are missing too, and what is there stays', async () => {
    const { connector, refOf } = running();
    const refs = [...hostileRefs, refOf('SAFE')];
    const outcomes = await connector.readMany(refs, never);
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      ...hostileRefs.map(() => 'missing'),
      'found',
    ]);
  });
}

async function drain(connector: Connector, cursor: string | undefined) {
  const pages: (readonly string[])[] = [];
  let at = cursor;
  for (let count = 0; count < 100; count += 1) {
    const page = await connector.list(at, never);
    if (page.kind !== 'page') throw new Error(page.fault.message);
    pages.push(page.refs);
    at = page.cursor;
    if (!page.more) break;
  }
  return { pages, refs: pages.flat(), cursor: at ?? '' };
}

let listings = 0;

function listingTests(running: () => SourceUnderTest): void {
  test('the sections are described with samples', async () => {
    const { connector, insert } = running();
    await insert([sampleDocument('DESC')]);
    const outcome = await connector.describe(never);
    const columns = outcome.kind === 'described' ? outcome.columns : [];
    expect(columns).toContainEqual(
      expect.objectContaining({ section: 'header', column: 'number' }),
    );
    const line = columns.find((one) => one.section === 'lines' && one.column === 'description');
    expect(line?.samples.length).toBeGreaterThan(0);
    for (const { samples } of columns) expect(samples.length).toBeLessThanOrEqual(3);
  });

  test('a test says that it works and names refs that can be read', async () => {
    const { connector, insert } = running();
    await insert([sampleDocument('TESTED')]);
    const outcome = await connector.test(never);
    expect(outcome.kind).toBe('ok');
    const refs = outcome.kind === 'ok' ? outcome.sampleRefs : [];
    expect(refs.length).toBeGreaterThan(0);
    for (const read of await connector.readMany(refs, never)) expect(read.kind).not.toBe('missing');
  });

  test('new documents are listed once, page by page', async () => {
    const { connector, refOf, insert, pageSize } = running();
    const { cursor } = await drain(connector, undefined);
    const numbers = Array.from(
      { length: pageSize + 50 },
      (_, index) => `L-${String(index).padStart(4, '0')}`,
    );
    await insert(numbers.map((number) => sampleDocument(number)));
    const listed = await drain(connector, cursor);
    expect(listed.pages.map((page) => page.length)).toEqual([pageSize, 50]);
    expect(new Set(listed.refs)).toEqual(new Set(numbers.map(refOf)));
    expect((await drain(connector, listed.cursor)).refs).toEqual([]);
    await insert([sampleDocument('L-LAST')]);
    expect((await drain(connector, listed.cursor)).refs).toEqual([refOf('L-LAST')]);
  });

  test('all documents are listed, in an order that changes do not alter', async (context) => {
    const { connector, refOf, insert } = running();
    if (connector.listAll === undefined) return context.skip('this kind cannot list all documents');
    listings += 1; // a repetition of this test has documents of its own
    const [first, second, third] = [1, 2, 3].map((each) => `ALL-${listings}-${each}`);
    await insert([second!, first!].map((number) => sampleDocument(number)));
    const whole = async () => {
      const listed: string[] = [];
      for (let cursor: string | undefined, more = true; more; ) {
        const page = await connector.listAll!(cursor, never);
        if (page.kind !== 'page') throw new Error(page.fault.message);
        if (page.versions !== undefined) expect(page.versions).toHaveLength(page.refs.length);
        listed.push(...page.refs);
        ({ cursor, more } = page);
      }
      return listed;
    };
    const before = await whole();
    const ours = [first!, second!].map(refOf);
    expect(before.filter((ref) => ours.includes(ref))).toHaveLength(2);
    await insert([sampleDocument(third!)]);
    expect((await whole()).filter((ref) => ref !== refOf(third!))).toEqual(before);
  });

  test.each(['', 'x', Buffer.from('[["a"],["\0"]]').toString('base64url')])(
    'the cursor %j is refused',
    async (cursor) => {
      expect(await running().connector.list(cursor, never)).toMatchObject({
        kind: 'unreachable',
        fault: { code: 'cursor_invalid', retry: 'never' },
      });
    },
  );
}

/** A write-back command about `ref`. */
export function sampleCommand(
  ref: string,
  key: string,
  changes: Partial<WriteBackCommand['confirmation']> = {},
  environment: WriteBackCommand['environment'] = 'live',
): WriteBackCommand {
  return {
    idempotencyKey: key,
    environment,
    confirmation: {
      invoiceId: 'inv_1',
      sourceRef: ref,
      status: 'cleared',
      profile: 'PINT-MY',
      uin: 'F9D425P6DS7D8IU',
      validationUrl: 'https://example.test/share/1',
      settledAt: '2026-02-01T10:00:00.000Z',
      cancellableUntil: '2026-02-04T10:00:00.000Z',
      ...changes,
    },
  };
}

/** Skips the tests of a group where nothing is written. */
function whereItWrites(running: () => SourceUnderTest): void {
  beforeEach((context) => {
    if (running().writesNothing) context.skip('this kind writes nothing into its source');
  });
}

function writeBackTests(running: () => SourceUnderTest): void {
  test('a source that takes nothing says so', async (context) => {
    const { connector, writesNothing } = running();
    if (writesNothing === undefined) return context.skip('this kind writes into its source');
    expect(await connector.writeBack(sampleCommand('W-0', 'key-w0'), never)).toEqual({
      kind: 'unsupported',
    });
  });

  describe('of a confirmation', () => confirmationTests(running));
}

function confirmationTests(running: () => SourceUnderTest): void {
  whereItWrites(running);

  test('a confirmation is written once', async () => {
    const { connector, refOf, insert, sideStatus } = running();
    await insert([sampleDocument('W-1')]);
    const command = sampleCommand(refOf('W-1'), 'key-w1');
    const written = await connector.writeBack(command, never);
    expect(written.kind).toBe('written');
    expect(await sideStatus('live', refOf('W-1'))).toMatchObject({
      source_ref: refOf('W-1'),
      invoice_id: 'inv_1',
      status: 'cleared',
      profile: 'PINT-MY',
      uin: 'F9D425P6DS7D8IU',
      validation_url: 'https://example.test/share/1',
      settled_at: '2026-02-01T10:00:00.000Z',
      cancellable_until: '2026-02-04T10:00:00.000Z',
      idempotency_key: 'key-w1',
    });
    expect((await connector.writeBack(command, never)).kind).toBe('already');
  });

  test("another invoice's confirmation is a conflict and changes nothing", async () => {
    const { connector, refOf, sideStatus } = running();
    await connector.writeBack(sampleCommand(refOf('W-2'), 'key-w2'), never);
    const before = await sideStatus('live', refOf('W-2'));
    const other = sampleCommand(refOf('W-2'), 'key-w2b', { invoiceId: 'inv_2' });
    expect(await connector.writeBack(other, never)).toEqual({ kind: 'conflict', found: 'inv_1' });
    expect(await sideStatus('live', refOf('W-2'))).toEqual(before);
  });

  test('the confirmation of an invoice that was rejected or cancelled is replaced', async () => {
    const { connector, refOf, sideStatus } = running();
    const ref = refOf('W-7');
    const rejected = sampleCommand(ref, 'key-w7', { invoiceId: 'inv_0', status: 'rejected' });
    const next = sampleCommand(ref, 'key-w7b', { replaces: ['inv_00', 'inv_0'] });
    const kinds = [];
    for (const command of [rejected, next, next, rejected]) {
      kinds.push((await connector.writeBack(command, never)).kind);
    }
    expect(kinds).toEqual(['written', 'written', 'already', 'conflict']);
    expect(await sideStatus('live', ref)).toMatchObject({ invoice_id: 'inv_1', status: 'cleared' });
  });

  test('the status advances, and a late command does not set it back', async () => {
    const { connector, refOf, sideStatus } = running();
    const ref = refOf('W-3');
    const later = { status: 'acknowledged', settledAt: '2026-02-02T10:00:00.000Z' } as const;
    const cleared = sampleCommand(ref, 'key-w3');
    const kinds = [];
    for (const command of [cleared, sampleCommand(ref, 'key-w3b', later), cleared]) {
      kinds.push((await connector.writeBack(command, never)).kind);
    }
    expect(kinds).toEqual(['written', 'written', 'already']);
    expect(await sideStatus('live', ref)).toMatchObject({ status: 'acknowledged' });
  });

  test('the sandbox and live keep separate confirmations', async () => {
    const { connector, refOf, sideStatus } = running();
    const ref = refOf('W-4');
    const sandbox = sampleCommand(ref, 'key-w4s', { invoiceId: 'inv_s' }, 'sandbox');
    expect((await connector.writeBack(sandbox, never)).kind).toBe('written');
    expect(await sideStatus('live', ref)).toBeUndefined();
    expect((await connector.writeBack(sampleCommand(ref, 'key-w4'), never)).kind).toBe('written');
    expect(await sideStatus('sandbox', ref)).toMatchObject({ invoice_id: 'inv_s' });
    expect(await sideStatus('live', ref)).toMatchObject({ invoice_id: 'inv_1' });
  });
}

function concurrencyTests(running: () => SourceUnderTest): void {
  whereItWrites(running);

  test('the same command from several sides at once is applied once', async () => {
    const { connector, refOf } = running();
    const command = sampleCommand(refOf('W-5'), 'key-w5');
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => connector.writeBack(command, never)),
    );
    const kinds = outcomes.map(({ kind }) => kind).toSorted();
    expect(kinds).toEqual([...Array(7).fill('already'), 'written']);
  });

  test('of two invoices at once one is written and the other is a conflict', async () => {
    const { connector, refOf, sideStatus } = running();
    const ref = refOf('W-6');
    const outcomes = await Promise.all(
      ['inv_a', 'inv_b'].map((invoiceId) =>
        connector.writeBack(sampleCommand(ref, `key-${invoiceId}`, { invoiceId }), never),
      ),
    );
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['conflict', 'written']);
    const winner = outcomes[0]?.kind === 'written' ? 'inv_a' : 'inv_b';
    expect(await sideStatus('live', ref)).toMatchObject({ invoice_id: winner });
  });

  test.each(["'; DROP TABLE einv_status; --", '../../../tmp/owned', 'INV/2026/0001'])(
    'the ref %j is only a value',
    async (ref) => {
      const { connector, sideStatus } = running();
      const command = sampleCommand(ref, `key-${ref}`);
      expect((await connector.writeBack(command, never)).kind).toBe('written');
      expect(await sideStatus('live', ref)).toMatchObject({ source_ref: ref });
    },
  );
}

function columnsTests(running: () => SourceUnderTest): void {
  const columns = (context: { skip: (reason: string) => never }) =>
    running().columns ?? context.skip('this kind has no columns to write to');

  test('live fills the slot, and the sandbox only its side table', async (context) => {
    const { connector, slot } = columns(context);
    const { insert, sideStatus } = running();
    await insert([sampleDocument('C-1')]);
    const sandbox = sampleCommand('C-1', 'key-c1s', { invoiceId: 'inv_s' }, 'sandbox');
    const live = sampleCommand('C-1', 'key-c1');
    expect((await connector.writeBack(sandbox, never)).kind).toBe('written');
    expect(await slot('C-1')).toMatchObject({ einv_id: null });
    expect(await sideStatus('sandbox', 'C-1')).toMatchObject({ invoice_id: 'inv_s' });
    expect((await connector.writeBack(live, never)).kind).toBe('written');
    expect(await slot('C-1')).toMatchObject({ einv_id: 'inv_1', einv_status: 'cleared' });
    expect(await sideStatus('live', 'C-1')).toBeUndefined();
    expect((await connector.writeBack(live, never)).kind).toBe('already');
  });

  test("the slot advances, keeps another invoice's id, and replaces one that it may", async (context) => {
    const { connector, slot } = columns(context);
    await running().insert([sampleDocument('C-2')]);
    const later = { status: 'delivered', settledAt: '2026-02-02T10:00:00.000Z' } as const;
    const commands = [
      sampleCommand('C-2', 'key-c2'),
      sampleCommand('C-2', 'key-c2b', later),
      sampleCommand('C-2', 'key-c2'),
      sampleCommand('C-2', 'key-c2c', { invoiceId: 'inv_2' }),
    ];
    const kinds = [];
    for (const command of commands) kinds.push((await connector.writeBack(command, never)).kind);
    expect(kinds).toEqual(['written', 'written', 'already', 'conflict']);
    expect(await slot('C-2')).toMatchObject({ einv_id: 'inv_1', einv_status: 'delivered' });
    const next = sampleCommand('C-2', 'key-c2d', { invoiceId: 'inv_3', replaces: ['inv_1'] });
    expect((await connector.writeBack(next, never)).kind).toBe('written');
    expect(await slot('C-2')).toMatchObject({ einv_id: 'inv_3', einv_status: 'cleared' });
  });

  test('a row that is not there, or there twice, is for a person to look at', async (context) => {
    const { connector } = columns(context);
    await running().insertTwins('C-TWIN');
    for (const ref of ['C-NONE', 'C-TWIN', "C-1' OR '1'='1"]) {
      const outcome = await connector.writeBack(sampleCommand(ref, `key-${ref}`), never);
      expect(outcome.kind).toBe('conflict');
    }
  });

  test('of two invoices at once one is written into the slot', async (context) => {
    const { connector, slot } = columns(context);
    await running().insert([sampleDocument('C-3')]);
    const outcomes = await Promise.all(
      ['inv_a', 'inv_b'].map((invoiceId) =>
        connector.writeBack(sampleCommand('C-3', `key-${invoiceId}`, { invoiceId }), never),
      ),
    );
    expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['conflict', 'written']);
    const winner = outcomes[0]?.kind === 'written' ? 'inv_a' : 'inv_b';
    expect(await slot('C-3')).toMatchObject({ einv_id: winner });
  });
}

async function everyFault(
  connector: Connector,
  signal: AbortSignal,
  { writesNothing }: Pick<SourceUnderTest, 'writesNothing'>,
): Promise<ConnectorFault[]> {
  const writeBack = () => connector.writeBack(sampleCommand('X-1', 'key-x'), signal);
  const outcomes = [
    await connector.test(signal),
    await connector.describe(signal),
    await connector.read('X-1', signal),
    ...(await connector.readMany(['X-1', 'X-2'], signal)),
    await connector.list(undefined, signal),
    ...(writesNothing ? [] : [await writeBack()]),
  ];
  const [first, ...rest] = outcomes.map(({ kind }) => kind);
  expect([first, ...new Set(rest)]).toEqual(['failed', 'unreachable']);
  return outcomes.flatMap((outcome) => ('fault' in outcome ? [outcome.fault] : []));
}

function troubleTests(running: () => SourceUnderTest): void {
  test('a source that does not answer is unreachable, and the message holds no secret', async () => {
    for (const fault of await everyFault(running().unreachable, never, running())) {
      expect(fault.retry).not.toBe('never');
      expect(fault.message.length).toBeGreaterThan(10);
      expect(JSON.stringify(fault)).not.toContain(secretInTests);
    }
  });

  test('an aborted call returns at once', async () => {
    for (const fault of await everyFault(running().connector, AbortSignal.abort(), running())) {
      expect(fault).toMatchObject({ code: 'aborted', retry: 'later' });
    }
  });
}
