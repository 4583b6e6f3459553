import { expect, test } from 'vitest';
import { profileSuite } from '../contract.suite.ts';
import { creditNote, exportInvoice, invoice } from './example.ts';
import { profile } from './profile.ts';

profileSuite(profile, {
  invoice,
  export: exportInvoice,
  'credit note': creditNote,
  'self-billed invoice': { ...invoice, type_code: '389' },
});

test('a UAE tax invoice has 51 mandatory fields', () => {
  expect(profile.fields).toHaveLength(51);
});
