import nacl from 'tweetnacl';
import { expect, test } from 'vitest';
import { toBase64 } from './bytes.ts';
import { readStatement, stateCompany } from './company-statement.ts';

const keys = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(7));
const key = toBase64(keys.publicKey);
const other = toBase64(nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(8)).publicKey);
const company = { legal_name: 'Al Noor Trading LLC', trn: '100234567801003' };
const said = { agent_id: 'agt_1', environment: 'live', control_plane_key: key } as const;
const statement = stateCompany(said, company, new Date('2026-11-24T00:00:00Z'), keys.secretKey);

test('what was signed for an agent is believed by it', () => {
  expect(readStatement(JSON.parse(JSON.stringify(statement)), 'agt_1', [other, key])).toEqual({
    kind: 'read',
    statement,
    company,
  });
});

test.each([
  ['for another agent', statement, 'agt_2', /for the agent agt_1/],
  [
    'with a key that is not trusted',
    { ...statement, control_plane_key: other },
    'agt_1',
    /another key/,
  ],
  ['for another environment', { ...statement, environment: 'sandbox' }, 'agt_1', /does not verify/],
  ['of another day', { ...statement, made_at: '2027-01-01T00:00:00Z' }, 'agt_1', /does not verify/],
  [
    'with another company',
    { ...statement, company: statement.company.replace('1002', '1009') },
    'agt_1',
    /does not verify/,
  ],
  ['that was cut off', { ...statement, signature: undefined }, 'agt_1', /cut off/],
  ['with more than there is', { ...statement, more: 1 }, 'agt_1', /no company profile/],
  ['that is none', 'company', 'agt_1', /no company profile/],
])('a statement %s is refused', (_, content, agentId, cause) => {
  const read = readStatement(content, agentId, [key]);
  expect(read).toEqual({ kind: 'refused', cause: expect.stringMatching(cause) });
});
