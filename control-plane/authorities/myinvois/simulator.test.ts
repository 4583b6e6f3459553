import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { seeded, standingClock } from '../../../test/kit/clock.ts';
import { type SampleChanges, sampleXml } from './document.sample.ts';
import { type MyInvoisSimulator, startMyInvoisSimulator } from './simulator.ts';

const time = standingClock('2026-11-21T08:00:00Z');
let simulator: MyInvoisSimulator;
let token = '';

beforeEach(async () => {
  simulator = await startMyInvoisSimulator({ clock: time.clock, random: seeded(5) });
  token = await tokenOf({});
});
afterEach(() => simulator.stop());

function logIn(form: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({
    client_id: 'sandbox-client',
    client_secret: 'sandbox-secret',
    grant_type: 'client_credentials',
    ...form,
  });
  return fetch(`${simulator.url}/connect/token`, { method: 'POST', body, headers });
}

async function tokenOf(form: Record<string, string>): Promise<string> {
  const body = (await (await logIn(form)).json()) as { access_token: string };
  return body.access_token;
}

async function call(method: string, path: string, body?: unknown, bearer = token) {
  const response = await fetch(`${simulator.url}/api/v1.0${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : '' };
}

const xmlOf = (number: string, changes: Partial<SampleChanges> = {}) =>
  sampleXml(number, { issuedAt: '2026-11-21T07:00:00Z', ...changes });

function entry(number: string, xml: string, changes: Record<string, unknown> = {}) {
  const bytes = Buffer.from(xml);
  return {
    format: 'XML',
    document: bytes.toString('base64'),
    documentHash: createHash('sha256').update(bytes).digest('hex'),
    codeNumber: number,
    ...changes,
  };
}

const submit = (...documents: unknown[]) => call('POST', '/documentsubmissions/', { documents });

async function valid(number: string, changes: Partial<SampleChanges> = {}): Promise<string> {
  const { body } = await submit(entry(number, xmlOf(number, changes)));
  simulator.control.advance(1_000);
  return body.acceptedDocuments[0].uuid;
}

const codesOf = (number: string) =>
  simulator.control
    .documents(number)
    .flatMap((row) => row.steps.flatMap((step) => step.findings.map((finding) => finding.code)));

test('the sample is valid; only then it has a long id', async () => {
  const { body, status } = await submit(entry('good', xmlOf('good')));
  expect(status).toBe(202);
  const { uuid } = body.acceptedDocuments[0];
  expect(uuid).toMatch(/^[0-9A-Z]{26}$/);
  expect(body.submissionUid).toMatch(/^[0-9A-Z]{26}$/);
  const path = `/documentsubmissions/${body.submissionUid}`;
  const before = await call('GET', path);
  expect(before.body).toMatchObject({ overallStatus: 'InProgress', documentCount: 1 });
  expect(before.body.documentSummary[0]).toMatchObject({ status: 'Submitted', longId: '' });
  simulator.control.advance(1_000);
  const after = await call('GET', path);
  expect(after.body.overallStatus).toBe('Valid');
  expect(after.body.documentSummary[0].longId).toHaveLength(46);
  expect(codesOf('good')).toEqual([]);
});

const tin = '<cbc:ID schemeID="TIN">C2584563222</cbc:ID>';
const percent = /<cbc:Percent>6<\/cbc:Percent>/;

test.each<[string, readonly [string | RegExp, string], string]>([
  ['future issue', ['<cbc:IssueTime>07:', '<cbc:IssueTime>09:'], 'CF322'],
  ['too old', ['2026-11-21', '2026-11-17'], 'CF321'],
  ['issue time without zone', ['07:00:00Z', '07:00:00'], 'CF320'],
  ['a date that does not exist', ['2026-11-21', '2026-13-41'], 'CF320'],
  ['currency unknown', ['Code>MYR<', 'Code>XXZ<'], 'CF303'],
  ['foreign currency without rate', [/MYR/g, 'USD'], 'CF304'],
  ['no TIN', [tin, '<cbc:ID schemeID="TIN"/>'], 'CF331'],
  ['a TIN that is none', ['C2584563222', '2584563222'], 'CF332'],
  ['no SST number', ['<cbc:ID schemeID="SST">NA</cbc:ID>', '<cbc:ID schemeID="SST"/>'], 'CF331'],
  ['two registrations', ['schemeID="TTX"', 'schemeID="NRIC"'], 'CF333'],
  ['no name', ['Kedai Satu Sdn Bhd', ''], 'CF334'],
  ['no city', ['Kuala Lumpur', ''], 'CF335'],
  ['no address line', ['Lot 66', ''], 'CF337'],
  ['no telephone', ['+60123456789', ''], 'CF414'],
  ['MSIC of four digits', ['46510', '4651'], 'CF339'],
  ['MSIC without description', [' name="Wholesale of computers"', ''], 'CF340'],
  ['scientific notation', ['"MYR">50.00<', '"MYR">5.0E1<'], 'CF352'],
  ['no item description', ['Laptop stand', ''], 'CF362'],
  ['no classification', ['listID="CLASS"', 'listID="PTC"'], 'CF364'],
  [
    'wrong net sum',
    [/TaxExclusiveAmount currencyID="MYR">100.00/, 'TaxExclusiveAmount currencyID="MYR">101.00'],
    'CF370',
  ],
  ['wrong tax sum', [/(<cac:TaxTotal>\s<cbc:TaxAmount currencyID="MYR">)6/, '$17'], 'CF371'],
  [
    'wrong gross',
    ['TaxInclusiveAmount currencyID="MYR">106.00', 'TaxInclusiveAmount currencyID="MYR">107.00'],
    'CF372',
  ],
  [
    'wrong payable',
    ['PayableAmount currencyID="MYR">106.00', 'PayableAmount currencyID="MYR">105.00'],
    'CF373',
  ],
  ['tax that is not its percent', [percent, '<cbc:Percent>8</cbc:Percent>'], 'CF374'],
  [
    'another currency in the totals',
    ['PayableAmount currencyID="MYR"', 'PayableAmount currencyID="SGD"'],
    'CF375',
  ],
  ['type unknown', ['>01</cbc:InvoiceTypeCode>', '>05</cbc:InvoiceTypeCode>'], 'CV301'],
  ['version not active', ['listVersionID="1.0"', 'listVersionID="1.9"'], 'CV302'],
  ['version 1.1 unsigned', ['listVersionID="1.0"', 'listVersionID="1.1"'], 'DS301'],
  ['tax type unknown', [/<cbc:ID>02<\/cbc:ID>/, '<cbc:ID>09</cbc:ID>'], 'CV304'],
  ['classification not in the list', ['>003<', '>046<'], 'CV305'],
  ['party scheme unknown', ['schemeID="TTX"', 'schemeID="VAT"'], 'CV306'],
  ['state unknown', ['SubentityCode>14<', 'SubentityCode>18<'], 'CV307'],
  ['country of two letters', ['>MYS<', '>MY<'], 'CV308'],
  ['no state, in Malaysia', ['SubentityCode>14<', 'SubentityCode>17<'], 'CV309'],
  ['unknown taxpayer', ['C1234567890', 'C40400000000'], 'TP301'],
])('%s is refused', async (name, change, code) => {
  const number = name.replaceAll(' ', '-').slice(0, 40);
  const xml = xmlOf(number, { change });
  expect(xml).not.toBe(xmlOf(number));
  const { body } = await submit(entry(number, xml));
  expect(body.rejectedDocuments).toEqual([]);
  simulator.control.advance(1_000);
  expect(codesOf(number)).toContain(code);
  expect(simulator.control.documents(number)[0]?.longId).toBeUndefined();
});

test('a signed document of version 1.1 is valid unless its certificate is not', async () => {
  const sign = (number: string) =>
    xmlOf(number, { change: [`<cbc:ID>${number}</cbc:ID>`, ''] })
      .replace('listVersionID="1.0"', 'listVersionID="1.1"')
      .replace(/(<Invoice[^>]*>)/s, `$1<UBLExtensions/><cbc:ID>${number}</cbc:ID>`)
      .replace(
        '<cac:AccountingSupplierParty>',
        '<cac:Signature><cbc:ID>s</cbc:ID></cac:Signature><cac:AccountingSupplierParty>',
      );
  await submit(entry('signed', sign('signed')));
  simulator.control.advance(1_000);
  expect(codesOf('signed')).toEqual([]);
  simulator.control.set({ certificateFault: 'DS326' });
  await submit(entry('misnamed', sign('misnamed')));
  simulator.control.advance(1_000);
  expect(codesOf('misnamed')).toEqual(['DS326']);
});

test.each<[string, (xml: string) => object, string]>([
  ['a hash of something else', (xml) => entry('x', xml, { documentHash: '0'.repeat(64) }), 'Hash'],
  ['a document that is not base64', (xml) => entry('x', xml, { document: '!' }), 'Base64'],
  ['a number that is not the ID', (xml) => entry('other', xml), 'CodeNumber'],
  ['JSON', (xml) => entry('x', xml, { format: 'JSON' }), 'ArrayItemNotValid'],
  ['what is not XML', () => entry('x', 'hello'), 'XmlNotWellFormed'],
  ['another root', (xml) => entry('x', xml.replace(/Invoice-2/, 'CreditNote-2')), 'RootElement'],
  [
    'a missing part',
    (xml) => entry('x', xml.replace(/<cac:TaxTotal>.*?<\/cac:TaxTotal>/s, '')),
    'ElementMissing',
  ],
  [
    'parts in the wrong order',
    (xml) => entry('x', xml.replace(/(<cbc:ID>x<\/cbc:ID>)(.*<\/cbc:IssueTime>)/s, '$2$1')),
    'ElementOutOfOrder',
  ],
  [
    'a stray namespace',
    (xml) => entry('x', xml.replace('CommonBasicComponents-2', 'Other-2')),
    'NamespaceNotValid',
  ],
  ['300 KB and more', (xml) => entry('x', xml + ' '.repeat(310_000)), 'MaximumSizeExceeded'],
])('%s is rejected at once', async (_name, make, message) => {
  const { status, body } = await submit(make(xmlOf('x')));
  expect(status).toBe(202);
  expect(body).toMatchObject({ submissionUid: null, acceptedDocuments: [] });
  expect(body.rejectedDocuments[0].error.details[0].message).toContain(message);
});

test.each<[string, unknown, number, string]>([
  ['not JSON', 'no', 400, 'ValidationError'],
  ['no documents', { documents: [] }, 400, 'BadStructure'],
  ['too many', { documents: Array(101).fill(entry('x', 'x')) }, 400, 'BadStructure'],
  [
    'mixed formats',
    { documents: [entry('x', 'x'), entry('y', 'y', { format: 'JSON' })] },
    400,
    'BadStructure',
  ],
  ['5 MB and more', ' '.repeat(5_300_000), 400, 'MaximumSizeExceeded'],
])('a submission of %s is refused whole', async (_name, body, status, code) => {
  const answer = await call('POST', '/documentsubmissions/', body);
  expect(answer.status).toBe(status);
  expect(answer.body.error.code).toBe(code);
});

test('the same payload within ten minutes is 422, later it is a duplicate', async () => {
  const document = entry('same', xmlOf('same'));
  await submit(document);
  simulator.control.advance(60_000);
  const again = await submit(document);
  expect(again.status).toBe(422);
  expect(again.body.error.code).toBe('DuplicateSubmission');
  expect(again.headers.get('retry-after')).toBe('540');
  simulator.control.advance(9 * 60_000);
  expect((await submit(document)).status).toBe(202);
  simulator.control.advance(1_000);
  const [first, second] = simulator.control.documents('same');
  expect(second?.status).toBe('Invalid');
  const finding = second?.steps.flatMap((step) => step.findings)[0];
  expect(finding?.code).toBe('DS302');
  expect(finding?.message.match(/[0-9A-Z]{26}/g)).toEqual([second?.uuid, first?.uuid]);
});

test('after two hours the duplicate guard is gone: a second invoice is cleared', async () => {
  await valid('twice');
  simulator.control.advance(2 * 3_600_000);
  token = await tokenOf({});
  await submit(entry('twice', xmlOf('twice')));
  simulator.control.advance(1_000);
  expect(simulator.control.documents('twice').map((row) => row.status)).toEqual(['Valid', 'Valid']);
});

test.each([
  [{ client_secret: 'wrong' }, {}, 400, 'invalid_client'],
  [{ grant_type: 'password' }, {}, 400, 'unsupported_grant_type'],
  [{ scope: 'Other' }, {}, 400, 'invalid_scope'],
  [{ client_id: 'production-client' }, {}, 403, 'forbidden'],
  [{}, { onbehalfof: 'C1' }, 400, 'unauthorised_client'],
])('login with %j %j is %i %s', async (form, headers, status, error) => {
  const response = await logIn(form as Record<string, string>, headers as Record<string, string>);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error });
});

test('twelve logins a minute, and a token for an hour', async () => {
  for (let count = 2; count <= 12; count += 1) expect((await logIn({})).status).toBe(200);
  const refused = await logIn({});
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('5');
  simulator.control.advance(5_000);
  expect((await logIn({})).status).toBe(200);
  simulator.control.advance(3_600_000);
  expect((await call('GET', '/documenttypes')).status).toBe(401);
});

test('limits are for each client and call, and answers state what remains', async () => {
  for (let left = 11; left >= 0; left -= 1) {
    const { headers } = await call('GET', '/documents/recent');
    expect(headers.get('x-rate-limit-remaining')).toBe(String(left));
    expect(headers.get('x-rate-limit-reset')).toBeNull();
    expect(headers.get('correlationid')).toBeTruthy();
  }
  const refused = await call('GET', '/documents/recent');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('x-rate-limit-reset')).toBe('5');
  expect((await call('GET', '/documenttypes')).status).toBe(200);
});

test('the issuer cancels within the window, once, and not a document that others refer to', async () => {
  const uuid = await valid('cancel');
  const cancel = (id: string, reason = 'wrong') =>
    call('PUT', `/documents/state/${id}/state`, { status: 'cancelled', reason });
  expect((await cancel(uuid, 'x'.repeat(301))).body.error.target).toBe('reason');
  const note = await valid('note', { typeCode: '02', reference: uuid });
  expect((await cancel(uuid)).body.error.code).toBe('ActiveReferencingDocuments');
  expect((await cancel(note)).body).toEqual({ uuid: note, status: 'Cancelled' });
  expect((await cancel(uuid)).status).toBe(200);
  expect((await cancel(uuid)).body.error.code).toBe('IncorrectState');
  const late = await valid('late');
  simulator.control.advance(72 * 3_600_000 + 1);
  token = await tokenOf({});
  expect((await cancel(late)).body.error.code).toBe('OperationPeriodOver');
});

test('the buyer asks for a rejection once; the document stays valid', async () => {
  const uuid = await valid('reject');
  simulator.control.addClient({ id: 'buyer', secret: 's', kind: 'taxpayer', tin: 'C1234567890' });
  simulator.control.addClient({ id: 'other', secret: 's', kind: 'taxpayer', tin: 'C7777777777' });
  const bearerOf = (client_id: string) => tokenOf({ client_id, client_secret: 's' });
  const ask = (bearer: string) =>
    call('PUT', `/documents/state/${uuid}/state`, { status: 'rejected', reason: 'no' }, bearer);
  expect((await ask(await bearerOf('other'))).status).toBe(403);
  const buyer = await bearerOf('buyer');
  expect((await ask(buyer)).body.status).toBe('Requested for Rejection');
  expect((await ask(buyer)).body.error.code).toBe('IncorrectState');
  const details = await call('GET', `/documents/${uuid}/details`, undefined, buyer);
  expect(details.body).toMatchObject({ status: 'Valid', documentStatusReason: 'no' });
  const received = await call(
    'GET',
    '/documents/recent?invoiceDirection=Received',
    undefined,
    buyer,
  );
  expect(received.body.result).toHaveLength(1);
});

test('a receiver does not see what is not valid; raw refuses it to everyone', async () => {
  await submit(entry('bad-CF777', xmlOf('bad-CF777')));
  simulator.control.advance(1_000);
  const [row] = simulator.control.documents('bad-CF777');
  simulator.control.addClient({ id: 'buyer', secret: 's', kind: 'taxpayer', tin: 'C1234567890' });
  const buyer = await tokenOf({ client_id: 'buyer', client_secret: 's' });
  const details = `/documents/${row?.uuid}/details`;
  expect((await call('GET', details, undefined, buyer)).status).toBe(404);
  const own = await call('GET', details);
  expect(own.body.validationResults.validationSteps[1].error).toMatchObject({
    errorCode: 'Error02',
    innerError: [{ errorCode: 'CF777' }],
  });
  expect((await call('GET', `/documents/${row?.uuid}/raw`)).status).toBe(400);
  const good = await valid('raw');
  expect((await call('GET', `/documents/${good}/raw`)).body.document).toBe(xmlOf('raw'));
});

test('search needs a range of at most 31 days, pages, and may lag', async () => {
  for (const number of ['s-1', 's-2', 's-3']) await valid(number);
  const range = 'submissionDateFrom=2026-11-01T00:00:00Z&submissionDateTo=2026-11-30T00:00:00Z';
  const search = (query: string) => call('GET', `/documents/search?${query}`);
  expect((await search('searchQuery=s')).status).toBe(400);
  expect((await search(range.replace('11-30', '12-30'))).status).toBe(400);
  expect((await search(`${range}&pageSize=101`)).status).toBe(400);
  const page = await search(`${range}&pageSize=2&pageNo=2`);
  expect(page.body.metadata).toEqual({ totalPages: 2, totalCount: 3 });
  expect(page.body.result[0]).toMatchObject({ internalId: 's-1', total: 106, netAmount: 100 });
  expect((await search(`${range}&searchQuery=s-2`)).body.result).toHaveLength(1);
  simulator.control.set({ listingLagMs: 60_000 });
  expect((await search(range)).body.result).toEqual([]);
});

test('taxpayers are validated by number pairs, and found by registration', async () => {
  simulator.control.addTaxpayer({ tin: 'C111111', name: 'Satu', idType: 'BRN', idValue: '99' });
  const status = async (path: string) => (await call('GET', `/taxpayer${path}`)).status;
  expect(await status('/validate/C111111?idType=BRN&idValue=99')).toBe(200);
  expect(await status('/validate/C111111?idType=BRN&idValue=98')).toBe(404);
  expect(await status('/validate/C111111?idType=VAT&idValue=99')).toBe(400);
  expect(await status('/validate/C40400000000?idType=BRN&idValue=99')).toBe(404);
  const found = await call('GET', '/taxpayer/search/tin?idType=BRN&idValue=99');
  expect(found.body).toEqual({ tin: 'C111111' });
});

test('magic numbers steer the sandbox', async () => {
  const send = (number: string) => submit(entry(number, xmlOf(number)));
  expect((await send('m-503')).status).toBe(503);
  expect((await send('m-503')).status).toBe(202);
  await expect(send('m-LOST')).rejects.toThrow();
  expect(simulator.control.documents('m-LOST')).toHaveLength(1);
  await send('m-SLOW');
  simulator.control.advance(9 * 60_000);
  expect(simulator.control.documents('m-SLOW')[0]?.status).toBe('Submitted');
  await valid('m-BUYERREJECT');
  expect(simulator.control.documents('m-BUYERREJECT')[0]?.rejectRequestedAt).toBeDefined();
});

test('the control API does over HTTP what tests do in process', async () => {
  const post = (name: string, body: unknown) =>
    fetch(`${simulator.url}/_control/${name}`, { method: 'POST', body: JSON.stringify(body) });
  expect((await post('switches', { validationDelayMs: 60_000 })).status).toBe(204);
  await submit(entry('c', xmlOf('c')));
  await post('advance', { ms: 60_000 });
  await post('faults', { call: 'types', kind: 503 });
  expect((await call('GET', '/documenttypes')).status).toBe(503);
  const rows = await (await fetch(`${simulator.url}/_control/documents?number=c`)).json();
  expect(rows).toMatchObject([{ number: 'c', status: 'Valid', codes: [] }]);
});
