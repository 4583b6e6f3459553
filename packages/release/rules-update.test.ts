import nacl from 'tweetnacl';
import { describe, expect, test } from 'vitest';
import { decideRules, openRulesFile, type RulesQuestion, rulesFileText } from './rules-update.ts';

const [own, other] = [1, 2].map((seed) =>
  nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(seed)),
);
const keyOf = ({ publicKey }: nacl.SignKeyPair) => Buffer.from(publicKey).toString('base64');
const manifest = {
  version: '1.3.0',
  interface: 1,
  not_before: '2026-01-02T00:00:00.000Z',
  warn_after: '2027-01-02T00:00:00.000Z',
};
const script = new Uint8Array([1, 2, 3]);
const text = rulesFileText(manifest, script, (bytes) => nacl.sign.detached(bytes, own!.secretKey));
const open = (content: string, key = own!) => openRulesFile(Buffer.from(content), [keyOf(key)]);

test('an update of rules is read as it was signed', () => {
  const opened = open(text);
  expect(opened).toMatchObject({ kind: 'opened', manifest });
  expect(opened.kind === 'opened' && [...opened.script]).toEqual([1, 2, 3]);
});

const changed = (change: (file: Record<string, string>) => object) =>
  JSON.stringify({ ...JSON.parse(text), ...change(JSON.parse(text)) });

test.each([
  ['cut off', text.slice(0, -20), 'unreadable'],
  ['no update', '{}', 'unreadable'],
  ['with another script', changed(() => ({ script: 'AAAA' })), 'unsigned'],
  [
    'with another version',
    changed(({ manifest: said }) => ({ manifest: said!.replace('1.3.0', '1.4.0') })),
    'unsigned',
  ],
  ['without a signature', changed(() => ({ signature: '' })), 'unsigned'],
])('one that is %s is refused', (_, content, kind) => {
  expect(open(content).kind).toBe(kind);
});

test('one of another maker is refused', () => {
  expect(open(text, other!).kind).toBe('unsigned');
});

describe('an agent', () => {
  const question: RulesQuestion = {
    manifest: { ...manifest, product: 'drawbridge-rules', sha256: '0'.repeat(64) },
    interface: 1,
    current: '1.2.0',
    seen: undefined,
    now: new Date('2026-06-01T00:00:00Z'),
  };
  test.each<[string, Partial<RulesQuestion>, string]>([
    ['takes newer rules', {}, 'take'],
    ['has these', { current: '1.3.0' }, 'current'],
    ['refuses older ones than its own', { current: '1.10.0' }, 'refused'],
    ['refuses older ones than it has seen', { seen: '1.4.0' }, 'refused'],
    ['refuses those of tomorrow', { now: new Date('2026-01-01T00:00:00Z') }, 'refused'],
    ['refuses those for a newer agent', { interface: 0 }, 'refused'],
    ['refuses those for an older agent', { interface: 2 }, 'refused'],
  ])('%s', (_, change, kind) => {
    expect(decideRules({ ...question, ...change }).kind).toBe(kind);
  });
});
