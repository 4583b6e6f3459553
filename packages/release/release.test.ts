import nacl from 'tweetnacl';
import { describe, expect, test } from 'vitest';
import { checksumsText, parseChecksums } from './checksums.ts';
import { type Manifest, parseManifest } from './manifest.ts';
import { isSigned } from './signature.ts';
import { decideTrial } from './trial.ts';
import { decideUpgrade, type UpgradeQuestion } from './upgrade.ts';
import { compareVersions } from './version.ts';

const manifest: Manifest = {
  product: 'drawbridge-agent',
  version: '1.3.0',
  minimum_version: '1.1.0',
  not_before: '2026-01-02T00:00:00.000Z',
  executables: [
    { platform: 'linux-x64', file: 'drawbridge-linux-x64', sha256: '0'.repeat(64), size: 9 },
  ],
};
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

test.each([
  ['1.2.3', '1.2.3', 0],
  ['1.10.0', '1.9.9', 1],
  ['2.0.0', '10.0.0', -1],
  ['0.0.1', '0.0.2', -1],
])('%s compared with %s', (a, b, sign) => {
  expect(Math.sign(compareVersions(a, b))).toBe(sign);
});

describe('an upgrade', () => {
  const question: UpgradeQuestion = {
    manifest,
    platform: 'linux-x64',
    current: '1.2.0',
    seen: '1.2.0',
    now: new Date('2026-01-03T00:00:00Z'),
  };

  test.each<[string, Partial<UpgradeQuestion>, ReturnType<typeof decideUpgrade>['kind']]>([
    ['to a newer version', {}, 'upgrade'],
    ['to the same version', { current: '1.3.0' }, 'current'],
    ['to an older version', { current: '1.4.0' }, 'refused'],
    ['to one older than was seen, after a roll back', { seen: '1.4.0' }, 'refused'],
    ['to the one that was seen, after a roll back', { seen: '1.3.0' }, 'upgrade'],
    ['of an agent that remembers no version', { seen: undefined }, 'upgrade'],
    ['from the minimum version', { current: '1.1.0' }, 'upgrade'],
    ['from before the minimum version', { current: '1.0.9', seen: '1.0.9' }, 'refused'],
    ['before its time', { now: new Date('2026-01-01T23:59:59Z') }, 'refused'],
    ['of another platform', { platform: 'linux-riscv64' }, 'refused'],
  ])('%s', (_, change, kind) => {
    expect(decideUpgrade({ ...question, ...change }).kind).toBe(kind);
  });
});

describe('a trial', () => {
  const trial = { from: '1.2.0', to: '1.3.0', starts: 0 };

  test.each([
    ['none', undefined, '1.3.0', undefined, 'over'],
    ['the new version said that it is well', trial, '1.3.0', '1.3.0', 'over'],
    ['killed before the switch', trial, '1.2.0', '1.2.0', 'not_switched'],
    ['the first start', trial, '1.3.0', '1.2.0', 'start'],
    ['the third start', { ...trial, starts: 2 }, '1.3.0', undefined, 'start'],
    ['ended three times', { ...trial, starts: 3 }, '1.3.0', undefined, 'go_back'],
  ])('%s', (_, current, installed, well, kind) => {
    expect(decideTrial(current, installed, well).kind).toBe(kind);
  });

  test('counts its starts', () => {
    expect(decideTrial(trial, '1.3.0', undefined)).toMatchObject({ trial: { starts: 1 } });
  });
});

describe('a manifest', () => {
  test('is read, and what a later version adds is left out', () => {
    expect(parseManifest(bytesOf({ ...manifest, channel: 'stable' }))).toEqual(manifest);
  });

  test.each([
    ['another product', { product: 'other' }],
    ['no version', { version: 'latest' }],
    ['a path for a file', { executables: [{ ...manifest.executables[0], file: '../x' }] }],
    ['no executable', { executables: [] }],
    ['no instant', { not_before: 'soon' }],
  ])('with %s is none', (_, change) => {
    expect(parseManifest(bytesOf({ ...manifest, ...change }))).toBeUndefined();
  });

  test('that is no JSON or no UTF-8 is none', () => {
    expect(parseManifest(new TextEncoder().encode('{'))).toBeUndefined();
    expect(parseManifest(new Uint8Array([0xff, 0xfe]))).toBeUndefined();
  });
});

describe('a signature', () => {
  const [own, other] = [1, 2].map((seed) =>
    nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(seed)),
  );
  const keyOf = ({ publicKey }: nacl.SignKeyPair) => btoa(String.fromCharCode(...publicKey));
  const bytes = bytesOf(manifest);
  const signature = nacl.sign.detached(bytes, own!.secretKey);

  test('of one of the keys holds, of another key or for other bytes not', () => {
    expect(isSigned(bytes, signature, [keyOf(other!), keyOf(own!)])).toBe(true);
    expect(isSigned(bytes, signature, [keyOf(other!)])).toBe(false);
    expect(isSigned(bytes, signature, [])).toBe(false);
    expect(isSigned(bytesOf({ ...manifest, version: '1.3.1' }), signature, [keyOf(own!)])).toBe(
      false,
    );
    expect(isSigned(bytes, signature.subarray(1), [keyOf(own!)])).toBe(false);
  });
});

test('hashes of files are written as sha256sum does, and read again', () => {
  const hashes = new Map([
    ['b.deb', 'b'.repeat(64)],
    ['a.sh', 'a'.repeat(64)],
  ]);
  expect(checksumsText(hashes)).toBe(`${'a'.repeat(64)}  a.sh\n${'b'.repeat(64)}  b.deb\n`);
  expect(parseChecksums(checksumsText(hashes))).toEqual(hashes);
  for (const text of ['x  a', `${'a'.repeat(64)}  ../a\n`, `${'a'.repeat(63)}  a\n`]) {
    expect(parseChecksums(text)).toBeUndefined();
  }
});
