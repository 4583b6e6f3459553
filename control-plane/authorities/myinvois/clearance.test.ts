import { clearance } from '@drawbridge/profiles/pint-my/clearance.ts';
import { complete } from '@drawbridge/profiles/pint-my/complete.ts';
import { creditNote, foreignInvoice, invoice } from '@drawbridge/profiles/pint-my/example.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settle } from '../contract.suite.ts';
import { myinvois } from './adapter.ts';
import { startTestHarness, type TestHarness } from './harness.kit.ts';

let harness: TestHarness;
beforeEach(async () => {
  harness = await startTestHarness();
});
afterEach(() => harness.stop());

async function clear(
  cim: typeof invoice,
  type: 'invoice' | 'credit-note',
  change = (x: string) => x,
) {
  const emitted = clearance.document(complete(cim), type);
  if (emitted.kind !== 'emitted') throw new Error(JSON.stringify(emitted.missing));
  const number = /<cbc:ID>([^<]+)/.exec(emitted.xml)?.[1] ?? '';
  const document = { ...harness.document(number), xml: change(emitted.xml) };
  const [outcome] = await settle(myinvois, [document], harness.context, harness);
  return outcome!;
}

// The simulator follows LHDN's rules and shares no code with the emitter, so each checks the other.
test('a document that the profile emits is cleared by the authority', async () => {
  const cleared = await clear(invoice, 'invoice');
  expect(cleared).toMatchObject({ kind: 'cleared' });
  expect(await clear(foreignInvoice, 'invoice')).toMatchObject({ kind: 'cleared' });
  const uin = cleared.kind === 'cleared' ? cleared.uin : '';
  const referring = (xml: string) => xml.replace(/<cbc:UUID>[^<]*/, `<cbc:UUID>${uin}`);
  expect(await clear(creditNote, 'credit-note', referring)).toMatchObject({ kind: 'cleared' });
});

test('a credit note to a document that the authority does not know is refused', async () => {
  expect(await clear(creditNote, 'credit-note')).toMatchObject({
    kind: 'refused',
    errors: [{ code: 'RD301' }],
  });
});
