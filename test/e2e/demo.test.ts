import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DemoReport } from '../../scripts/demo/run.ts';

const root = join(import.meta.dirname, '../..');
const withinMs = 120_000;

let folder: string;
let report: DemoReport;

/** Processes of this run, which have its folder in their environment. */
async function running(): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    if (pid === String(process.pid)) continue;
    const [environment, command] = await Promise.all(
      ['environ', 'cmdline'].map((file) =>
        readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => ''),
      ),
    );
    if (environment!.includes(folder) || command!.includes(folder)) found.push(command!);
  }
  return found;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drawbridge-demo-test-'));
  await chmod(folder, 0o711); // PostgreSQL runs as another user when we are root
  // As a person does, but with a separate folder for its temporary files.
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'demo', '--', '--json'], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder },
    timeout: withinMs,
    maxBuffer: 10_000_000,
  });
  report = JSON.parse(stdout);
}, withinMs + 10_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the demo reports success', () => {
  expect(report).toMatchObject({ ok: true, problems: [] });
  expect(report.invoices.length).toBeGreaterThanOrEqual(12);
});

test('invoices and credit notes of three profiles settle, each through every state', () => {
  const settled = report.invoices.filter(({ expected }) => expected === 'settles');
  const kinds = settled.map(({ profile, kind }) => `${profile} ${kind}`);
  for (const profile of ['PINT-AE', 'PINT-MY', 'BIS-3.0']) {
    expect(kinds).toEqual(expect.arrayContaining([`${profile} invoice`, `${profile} credit note`]));
  }
  for (const { profile, status, timeline, uin, faults } of settled) {
    const end = profile === 'PINT-MY' ? 'cleared' : 'delivered';
    const way = timeline.map((entry) => entry.status);
    expect([status, faults]).toEqual([end, []]);
    expect(way).toEqual(['received', 'validating', 'validated', 'submitted', end]);
    expect(uin === undefined).toBe(profile !== 'PINT-MY');
  }
});

test('bad documents are rejected by the authority’s rule, at the column to correct', () => {
  const rejected = report.invoices.filter(({ status }) => status === 'rejected');
  const found = rejected.flatMap(({ faults }) => faults.map(({ rule, source }) => [rule, source]));
  expect(found).toEqual(
    expect.arrayContaining([
      ['PINT-AE-ibr-132-ae', 'OCUST.TAX_NO'],
      ['PINT-MY-ibr-03-my', 'OCUST.REG_NO'],
      ['BIS-3.0-BR-CO-15', 'OSALES.GROSS_CONTROL'],
    ]),
  );
  for (const { timeline } of rejected) {
    expect(timeline.map(({ status }) => status)).toEqual(['received', 'validating', 'rejected']);
  }
});

test('every transition reached the receiver, verified; settled invoices are confirmed in the ERP once', () => {
  const moves = report.invoices.reduce((count, { timeline }) => count + timeline.length, 0);
  expect(report.webhooks).toMatchObject({ received: moves, verified: moves });
  expect(report.replay.replayed).toBe(true);
  const settled = report.invoices.filter(({ expected }) => expected === 'settles');
  expect(report.confirmations.map((row) => row.invoice_id).toSorted()).toEqual(
    settled.map(({ id }) => id).toSorted(),
  );
});

test('nothing is left: no process, no file', async () => {
  const left = await readdir(folder);
  expect(left.filter((name) => name.startsWith('drawbridge'))).toEqual([]);
  if (process.platform === 'linux') expect(await running()).toEqual([]);
});
