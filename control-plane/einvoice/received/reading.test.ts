import { Validator } from '@drawbridge/validation/validate.ts';
import { expect, test } from 'vitest';
import { sampleXml } from '../../authorities/myinvois/document.sample.ts';
import { readReceived } from './reading.ts';

const validator = new Validator();

test.each([
  ['01', 'invoice'],
  ['02', 'credit-note'],
  ['03', 'invoice'],
  ['04', 'credit-note'],
])('type %s of MyInvois arrives in the ERP as %s', (typeCode, documentType) => {
  const xml = sampleXml('A-1', { issuedAt: '2026-02-01T08:00:00Z', typeCode });
  expect(readReceived(validator, xml)).toMatchObject({ kind: 'read', draft: { documentType } });
});

test.each(['11', '12', '13', '14', '389', '261'])(
  'type %s, self-billed, is no purchase',
  (typeCode) => {
    const xml = sampleXml('A-1', { issuedAt: '2026-02-01T08:00:00Z', typeCode });
    const reason = expect.stringContaining('a customer has issued it for what you sold');
    expect(readReceived(validator, xml)).toEqual({ kind: 'unreadable', reason });
  },
);
