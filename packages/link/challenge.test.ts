import { randomBytes } from 'node:crypto';
import nacl from 'tweetnacl';
import { expect, test } from 'vitest';
import { toBase64 } from './bytes.ts';
import { transcript } from './challenge.ts';
import { sessionKeys } from './seal.ts';
import { sign, verifies } from './signature.ts';

const agentKeys = nacl.sign.keyPair();
const identities = {
  agent: toBase64(agentKeys.publicKey),
  controlPlane: toBase64(nacl.sign.keyPair().publicKey),
};
const freshKey = () => sessionKeys((length) => randomBytes(length)).publicKey;
const hello = {
  kind: 'hello' as const,
  agentId: 'agt_1',
  software: '0.1.0',
  epoch: 4,
  versions: { min: 1, max: 3 },
  sessionKey: freshKey(),
};
const challenge = { kind: 'challenge' as const, version: 3, sessionKey: freshKey() };
const signature = sign(transcript('agent', identities, hello, challenge), agentKeys.secretKey);

test('a signature of the same handshake verifies', () => {
  const digest = transcript('agent', identities, hello, challenge);
  expect(verifies(digest, signature, identities.agent)).toBe(true);
});

test.each([
  { what: 'the role', digest: transcript('control-plane', identities, hello, challenge) },
  {
    what: 'the peer',
    digest: transcript('agent', { ...identities, controlPlane: freshKey() }, hello, challenge),
  },
  {
    what: 'the agent',
    digest: transcript('agent', identities, { ...hello, agentId: 'agt_2' }, challenge),
  },
  { what: 'the epoch', digest: transcript('agent', identities, { ...hello, epoch: 5 }, challenge) },
  {
    what: 'the versions offered',
    digest: transcript('agent', identities, { ...hello, versions: { min: 1, max: 1 } }, challenge),
  },
  {
    what: 'the version chosen',
    digest: transcript('agent', identities, hello, { ...challenge, version: 1 }),
  },
  {
    what: 'the agent’s session key',
    digest: transcript('agent', identities, { ...hello, sessionKey: freshKey() }, challenge),
  },
  {
    what: 'the control plane’s session key',
    digest: transcript('agent', identities, hello, { ...challenge, sessionKey: freshKey() }),
  },
])('a signature does not verify once $what has changed', ({ digest }) => {
  expect(verifies(digest, signature, identities.agent)).toBe(false);
});
