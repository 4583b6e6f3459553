import { expect, test } from 'vitest';
import { sampleDocument } from './document.sample.ts';
import { addressing, pathOf } from './identifiers.ts';
import { envelope } from './sbdh.ts';

const invoice = 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice';

test.each([
  ['BIS', `${invoice}##urn:cen.eu:en16931:2017::2.1`, 'busdox-docid-qns'],
  ['PINT', `${invoice}##urn:peppol:pint:billing-1@ae-1::2.1`, 'peppol-doctype-wildcard'],
])('the scheme of a %s document type', (_name, documentTypeId, scheme) => {
  const { documentType } = addressing({ ...sampleDocument('a'), documentTypeId });
  expect(documentType).toBe(`${scheme}::${documentTypeId}`);
});

test('an identifier that comes with its scheme keeps it', () => {
  const documentTypeId = `busdox-docid-qns::${invoice}##urn:peppol:pint:billing-1@ae-1::2.1`;
  expect(addressing({ ...sampleDocument('a'), documentTypeId }).documentType).toBe(documentTypeId);
});

test('participants are written in lower case with their scheme', () => {
  const document = { ...sampleDocument('a'), receiver: { scheme: '9915', id: 'Helger' } };
  expect(addressing(document).receiver).toBe('iso6523-actorid-upis::9915:helger');
});

test('a path has five segments, with any characters in the identifiers', () => {
  const path = pathOf({ ...addressing(sampleDocument('a')), sender: 'x::a/b?c#d' });
  expect(path.split('/')).toHaveLength(5);
  expect(path).not.toContain('#');
  expect(path).toContain('%23%23');
});

test('the envelope carries document, escaped addresses and one instance id', () => {
  const document = {
    ...sampleDocument('a'),
    submissionKey: 'key<&>"1',
    receiver: { scheme: '0192', id: '<evil>' },
  };
  const xml = envelope(document, new Date('2026-11-21T08:00:00Z'));
  expect(xml.match(/<\?xml/g)).toHaveLength(1);
  expect(xml).toContain('<InstanceIdentifier>key&#60;&#38;&#62;&#34;1</InstanceIdentifier>');
  expect(xml).toContain('0192:&#60;evil&#62;');
  expect(xml).toContain(document.xml.slice(document.xml.indexOf('<Invoice')));
});
