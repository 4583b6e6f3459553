import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleDocument } from './document.sample.ts';
import { envelope } from './sbdh.ts';
import { openEnvelope, readParticipant } from './sbdh-reader.ts';

const document = sampleDocument('17');
const sbd = envelope(document, new Date('2026-11-20T08:00:00Z'));

test('an envelope gives its addresses and the document as it was written', () => {
  expect(openEnvelope(sbd)).toEqual({
    kind: 'document',
    id: document.submissionKey,
    networkId: document.submissionKey,
    sender: { scheme: '0208', id: '0787709727' },
    receiver: { scheme: '0192', id: '991825827' },
    xml: document.xml.replace(/^<\?xml[^>]*\?>\s*/, ''),
  });
});

test.each([
  ['another root', sbd.replaceAll('StandardBusinessDocument>', 'Other>')],
  ['a document type declaration', `<!DOCTYPE a []>${sbd.replace(/<\?xml[^>]*\?>/, '')}`],
  [
    'two documents',
    sbd.replace('</StandardBusinessDocument>', '<b xmlns="c"/></StandardBusinessDocument>'),
  ],
  ['no document', sbd.replace(/<Invoice[\s\S]*<\/Invoice>/, '')],
  ['no receiver', sbd.replace(/<Receiver>.*<\/Receiver>/, '')],
  ['a receiver of no scheme', sbd.replace('0192:991825827', '991825827')],
  ['no instance identifier', sbd.replaceAll('InstanceIdentifier', 'Other')],
  ['an end too early', sbd.slice(0, -10)],
  ['nothing', ''],
])('an envelope with %s does not read', (_, xml) => {
  expect(openEnvelope(xml)).toMatchObject({ kind: 'unreadable', reason: expect.any(String) });
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.nat(sbd.length), fc.string(), (at, text) => {
      expect(openEnvelope(sbd.slice(0, at) + text + sbd.slice(at))).toBeDefined();
    }),
  );
});

test.each([
  ['iso6523-actorid-upis::0235:1008765432', { scheme: '0235', id: '1008765432' }],
  ['0088:ABC', { scheme: '0088', id: 'abc' }],
  ['0088:', undefined],
  ['GLN:1', undefined],
  [null, undefined],
])('the participant %s', (text, expected) => {
  expect(readParticipant(text)).toEqual(expected);
});
