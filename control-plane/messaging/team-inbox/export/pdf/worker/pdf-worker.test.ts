import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../../../../test/kit/eventually.ts';
import { partsOf } from '../parts.ts';
import { sampleDocument } from '../sample.fixture.ts';
import { openPdfWorker, type PdfWorker, type PdfWorkerLimits } from './pdf-worker.ts';

const program = join(import.meta.dirname, 'pdf-worker.fixture.ts');
let pdfWorker: PdfWorker;
afterEach(() => pdfWorker.close());

function open(limits: Partial<PdfWorkerLimits> = {}): void {
  pdfWorker = openPdfWorker({ program, limits });
}

const print = (conversationId = 'ok') =>
  pdfWorker.print(partsOf(sampleDocument({ conversationId }))[0]!);
const said = async () => JSON.parse(Buffer.from(await print()).toString());

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // there is none
  }
}

test.each([
  ['crash', 'crashed', {}],
  ['exit', 'crashed', {}],
  ['hang', 'timeout', { timeoutMs: 800 }],
  ['grow', 'memory', { memoryBytesMax: 200 * 1024 * 1024 }],
])(
  '%s: the caller gets %s, the process is gone, and the next one prints',
  async (id, code, limits) => {
    open(limits);
    const { pid } = await said();
    await expect(print(id)).rejects.toMatchObject({ code });
    expect(isAlive(pid)).toBe(false);
    expect((await said()).pid).not.toBe(pid);
  },
);

test.each([
  ['crash', 'crashed', {}],
  ['hang', 'timeout', { pictureTimeoutMs: 800 }],
])(
  'a picture that ends in %s: the caller gets %s, and the next one prints',
  async (words, code, limits) => {
    open(limits);
    await expect(pdfWorker.thumbnail(Buffer.from(words))).rejects.toMatchObject({ code });
    expect(await pdfWorker.thumbnail(Buffer.from('ok'))).toHaveProperty('file');
    await print();
  },
);

test('one process prints one document after another, without our environment', async () => {
  vi.stubEnv('DRAWBRIDGE_SECRET_KEY', 'secret');
  open();
  const answers = await Promise.all([said(), said(), said()]);
  expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
  expect(Object.keys(answers[0].environment)).not.toContain('DRAWBRIDGE_SECRET_KEY');
  expect(Object.keys(answers[0].environment)).not.toContain('PATH');
});

test('a failure only affects its own caller', async () => {
  open();
  const outcomes = await Promise.allSettled([print(), print('crash'), print()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a caller beyond the queue’s limit is refused at once', async () => {
  open({ waitingMax: 2 });
  const waiting = [print(), print()];
  await expect(print()).rejects.toMatchObject({ code: 'busy' });
  await Promise.all(waiting);
  await print();
});

test('the process is not kept when idle, or when it holds too much', async () => {
  open({ idleMs: 50 });
  const { pid } = await said();
  await eventually(() => expect(isAlive(pid)).toBe(false));
  expect((await said()).pid).not.toBe(pid);
  await pdfWorker.close();
  open({ memoryBytesKept: 1 });
  const fat = (await said()).pid;
  expect((await said()).pid).not.toBe(fat);
});

test('a process that is killed while idle costs no document', async () => {
  open();
  const { pid } = await said();
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(isAlive(pid)).toBe(false));
  expect((await said()).pid).not.toBe(pid);
});

test('a program that cannot start fails only the task, and says why', async () => {
  pdfWorker = openPdfWorker({ program: '/nowhere/program.ts' });
  await expect(print()).rejects.toMatchObject({
    code: 'crashed',
    message: expect.stringContaining('Cannot find module'),
  });
});

test('closing it fails the tasks that run and wait', async () => {
  open();
  await said();
  const printing = [print('hang'), print()].map((each) => expect(each).rejects.toThrow());
  await pdfWorker.close();
  await Promise.all(printing);
});

test('a refusal of the typesetter has its reason, and the process goes on', async () => {
  pdfWorker = openPdfWorker();
  const [part] = partsOf(sampleDocument({ timeZone: 'Mars/Olympus' }));
  await expect(pdfWorker.print(part!)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('Mars/Olympus'),
  });
});
