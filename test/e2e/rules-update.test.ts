/** Rules that come as a signed file, for agents that were installed before them. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invoice } from '@drawbridge/profiles/bis-3.0/example.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeRulesScript } from '../../scripts/build-agent/agent-scripts.ts';
import { partsOf } from '../../scripts/build-agent/platforms.ts';
import { rulesUpdateName, writeRulesUpdate } from '../../scripts/release/rules-update.ts';
import { newSigningKey, type SigningKey, signingKeyOf } from '../../scripts/release/signing-key.ts';
import { runAgent } from '../kit/agent-process.ts';
import { ownPlatform, releaseUnavailable, type TestRelease, testRelease } from '../kit/release.ts';

const obstacle = await releaseUnavailable();
let folder: string;
let home: string;
let release: TestRelease;
let script: string;

beforeAll(async () => {
  if (obstacle !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'drawbridge-rules-'));
  release = await testRelease('0.1.0', 'whole'); // others ask for it too
  script = await makeRulesScript();
}, 900_000);
afterAll(() => folder && rm(folder, { recursive: true }));
beforeEach(async (context) => {
  if (obstacle !== undefined) return context.skip(obstacle);
  home = join(await mkdtemp(join(folder, 'home-')), 'home');
});

async function agent(...args: readonly string[]) {
  const program = [join(release.folder, partsOf(ownPlatform!).executable)] as const;
  const ran = await runAgent(home, [...args, '--json'], { program });
  return { ...ran, data: JSON.parse(ran.stdout) };
}

interface Change {
  readonly version?: string;
  readonly warnAfter?: string;
  readonly notBefore?: string;
  readonly key?: SigningKey;
  readonly script?: string;
}

/** An update in which a sentence of an explanation is another one. */
async function update(change: Change = {}): Promise<string> {
  const version = change.version ?? '0.2.0';
  const into = await mkdtemp(join(folder, 'update-'));
  await writeRulesUpdate(into, {
    version,
    notBefore: new Date(change.notBefore ?? '2026-01-01T00:00:00Z'),
    warnAfter: new Date(change.warnAfter ?? '2040-01-01T00:00:00Z'),
    key: change.key ?? release.key,
    script: change.script ?? script.replaceAll(known, `${marker} ${known}`),
  });
  return join(into, rulesUpdateName(version));
}

const rule = 'BIS-3.0-BR-CO-15';
const marker = 'These are the new rules.';
let known: string;
const why = async () => (await agent('explain', rule)).data.why as string;

beforeAll(async () => {
  if (obstacle !== undefined) return;
  home = join(folder, 'none');
  known = await why();
});

test('validate and explain use newer rules once they are imported, and show says which', async () => {
  expect(script).toContain(known);
  const own = await agent('rules', 'show');
  expect(own.data).toMatchObject({ version: '0.1.0', source: 'agent', outdated: false });
  const imported = await agent('rules', 'import', await update());
  expect(imported).toMatchObject({ code: 0, data: { from: '0.1.0', to: '0.2.0' } });
  expect(await why()).toBe(`${marker} ${known}`);
  expect((await agent('rules', 'show')).data).toMatchObject({
    version: '0.2.0',
    source: 'update',
    outdated: false,
    unused: null,
  });
  const document = join(folder, 'invoice.json');
  await writeFile(document, JSON.stringify(invoice));
  const judged = await agent('validate', document, '--profile', 'BIS-3.0', '--complete');
  expect(judged).toMatchObject({ code: 0, data: { status: 'passed' } });
  expect((await agent('rules', 'import', await update({ version: '0.3.0' }))).code).toBe(0);
});

test.each<[string, () => Promise<string>, number, string]>([
  ['older than the last', () => update({ version: '0.1.5' }), 3, '3010'],
  [
    'to be used later',
    () => update({ version: '0.4.0', notBefore: '2090-01-01T00:00:00Z' }),
    3,
    '3010',
  ],
  [
    'of another maker',
    async () => update({ version: '0.4.0', key: await foreignKey() }),
    1,
    '1020',
  ],
  ['changed on its way', () => tampered(), 1, '1020'],
  [
    'no rules',
    () => update({ version: '0.4.0', script: '(function(require,module,exports){})' }),
    3,
    '3010',
  ],
  ['not there', async () => join(folder, 'absent.json'), 4, '4003'],
])(
  'rules that are %s are refused with the reason, and nothing changes',
  async (_, file, code, number) => {
    expect((await agent('rules', 'import', await update())).code).toBe(0);
    const refused = await agent('rules', 'import', await file());
    expect(refused).toMatchObject({ code, data: { error: { code: `ERR_DRAWBRIDGE_${number}` } } });
    expect((await agent('rules', 'show')).data).toMatchObject({ version: '0.2.0' });
    expect(await why()).toContain(marker);
  },
);

async function foreignKey(): Promise<SigningKey> {
  const file = join(await mkdtemp(join(folder, 'key-')), 'key.pem');
  await newSigningKey(file);
  return signingKeyOf(await readFile(file, 'utf8'));
}

async function tampered(): Promise<string> {
  const file = await update({ version: '0.4.0' });
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('0.4.0', '0.4.1'));
  return file;
}

test('rules that somebody changed in the home folder are not run, and doctor says so', async () => {
  expect((await agent('rules', 'import', await update())).code).toBe(0);
  const file = join(home, 'rules.json');
  const whole = JSON.parse(await readFile(file, 'utf8'));
  const bytes = Buffer.from(whole.script, 'base64');
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(file, JSON.stringify({ ...whole, script: bytes.toString('base64') }));
  expect(await why()).toBe(known);
  const { data } = await agent('doctor');
  expect(data.findings).toContainEqual(
    expect.objectContaining({
      component: 'rules',
      status: 'fail',
      detail: expect.stringContaining('not those that were signed'),
    }),
  );
  // Not even then are older ones taken than were in use.
  expect((await agent('rules', 'import', await update({ version: '0.1.9' }))).code).toBe(3);
  expect((await agent('rules', 'import', await update())).code).toBe(0);
  expect(await why()).toContain(marker);
});

test('after their date there is a warning', async () => {
  const file = await update({ warnAfter: '2026-02-01T00:00:00Z' });
  expect((await agent('rules', 'import', file)).code).toBe(0);
  expect((await agent('rules', 'show')).data).toMatchObject({ outdated: true });
  expect((await agent('doctor')).data.findings).toContainEqual(
    expect.objectContaining({ component: 'rules', status: 'warn' }),
  );
});
