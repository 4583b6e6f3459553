import { expect, test } from 'vitest';
import { readApplicationResponse } from './application-response.ts';
import { rejectionErrors } from './inbound.ts';

const mls = (code: string, lines: string) =>
  `<ApplicationResponse xmlns="urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2">
    <ID>7</ID>
    <SenderParty><EndpointID schemeID="0192">991825827</EndpointID></SenderParty>
    <DocumentResponse>
      <Response><ResponseCode>${code}</ResponseCode><Description>whole</Description></Response>
      <DocumentReference><ID>instance-1</ID></DocumentReference>${lines}
    </DocumentResponse>
  </ApplicationResponse>`;

const line = (id: string, reason: string, text: string) =>
  `<LineResponse>
    <LineReference><LineID>${id}</LineID></LineReference>
    <Response>
      <Description>${text}</Description>
      <Status><StatusReasonCode>${reason}</StatusReasonCode></Status>
    </Response>
  </LineResponse>`;

const errorsOf = (xml: string) => rejectionErrors(readApplicationResponse(xml)!);

test('gives the answered document, the sender of the answer and the code', () => {
  expect(readApplicationResponse(mls('AP', ''))).toEqual({
    code: 'AP',
    description: 'whole',
    documentId: 'instance-1',
    sender: { scheme: '0192', id: '991825827' },
    receiver: { scheme: '', id: '' },
    issuedAt: undefined,
    lines: [],
  });
});

test('a rejection gives a reason for each line', () => {
  const xml = mls('RE', line('/Invoice/ID', 'BV', 'one') + line('NA', 'SV', 'two'));
  expect(errorsOf(xml)).toEqual([
    { code: 'BV', message: 'one', location: '/Invoice/ID' },
    { code: 'SV', message: 'two' },
  ]);
});

test('a rejection without lines gives its own text', () => {
  expect(errorsOf(mls('RE', ''))).toEqual([{ code: 'RE', message: 'whole' }]);
});

test('it is read inside its envelope too', () => {
  const xml = `<S><H><ID>other</ID></H>${mls('AB', '')}</S>`;
  expect(readApplicationResponse(xml)?.code).toBe('AB');
});

test.each([
  ['not XML', 'no'],
  ['another document', '<Invoice/>'],
  ['a document type declaration', `<!DOCTYPE a [<!ENTITY e "e">]>${mls('RE', '')}`],
  ['nesting without end', '<a>'.repeat(100_000)],
  ['nothing', ''],
])('%s is no response', (_name, xml) => {
  expect(readApplicationResponse(xml)).toBeUndefined();
});
