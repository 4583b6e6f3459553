import { afterEach, beforeEach, expect, test } from 'vitest';
import { seeded, standingClock } from '../../../test/kit/clock.ts';
import { sampleDocument } from './document.sample.ts';
import { envelope } from './sbdh.ts';
import { type PeppolSimulator, startPeppolSimulator } from './simulator.ts';

const time = standingClock('2026-11-21T08:00:00Z');
let simulator: PeppolSimulator;
beforeEach(async () => {
  simulator = await startPeppolSimulator({ clock: time.clock, random: seeded(4) });
});
afterEach(() => simulator.stop());

const sample = sampleDocument('1');
const good = {
  sender: 'iso6523-actorid-upis::0208:0787709727',
  receiver: 'iso6523-actorid-upis::0192:991825827',
  type: `busdox-docid-qns::${sample.documentTypeId}`,
  process: `cenbii-procid-ubl::${sample.processId}`,
  country: 'BE',
};

async function post(prefix: string, ids: Partial<typeof good>, query = '', xml = sample.xml) {
  const path = Object.values({ ...good, ...ids })
    .map(encodeURIComponent)
    .join('/');
  const response = await fetch(`${simulator.url}${prefix}/${path}${query}`, {
    method: 'POST',
    headers: { 'x-token': 'sandbox-token' },
    body: xml,
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const submit = (ids: Partial<typeof good> = {}, query = '', xml?: string) =>
  post('/api/outbound/submit', ids, query, xml);

async function statusOf(instanceId: string) {
  const response = await fetch(`${simulator.url}/api/outbound/status/${instanceId}`, {
    headers: { 'x-token': 'sandbox-token' },
  });
  return response.status === 200 ? await response.json() : response.status;
}

test.each<[string, Partial<typeof good>]>([
  ['a sender without scheme', { sender: '0208:0787709727' }],
  ['a receiver of another scheme', { receiver: 'other::0192:991825827' }],
  ['a receiver without ICD', { receiver: 'iso6523-actorid-upis::991825827' }],
  ['a document type without root', { type: 'busdox-docid-qns::Invoice##x::2.1' }],
  ['a process of another scheme', { process: 'other::x' }],
  ['a country of three letters', { country: 'BEL' }],
])('%s is 400', async (_name, ids) => {
  const { status, body } = await submit(ids);
  expect(status).toBe(400);
  expect(body).toEqual(expect.any(String));
});

test.each<[string, string]>([
  ['another root', sample.xml.replaceAll('Invoice', 'CreditNote')],
  ['another customization', sample.xml.replace('billing:3.0<', 'billing:4.0<')],
  ['another profile', sample.xml.replace('billing:01:1.0<', 'billing:02:1.0<')],
  ['broken XML', sample.xml.slice(0, -5)],
])('%s is 422, and nothing is sent', async (_name, xml) => {
  expect((await submit({}, '?sbdhInstanceID=i1', xml)).status).toBe(422);
  expect(simulator.control.deliveries()).toEqual([]);
  expect(await statusOf('i1')).toBe(404);
});

test('a PINT customization may be more specific than its wildcard type', async () => {
  const special = 'urn:peppol:pint:billing-1@ae-1';
  const general = sample.documentTypeId.replace(/##.*::/, `##${special}*::`);
  const type = `peppol-doctype-wildcard::${general}`;
  const xml = sample.xml.replace(/urn:cen[^<]*/, `${special}:more`);
  expect((await submit({ type }, '', xml)).status).toBe(200);
});

test('a document is sent, and its MLS comes later', async () => {
  expect((await submit({}, '?sbdhInstanceID=i1')).body).toMatchObject({
    overallSuccess: true,
    sbdhInstanceIdentifier: 'i1',
  });
  expect(await statusOf('i1')).toMatchObject({ status: 'sent', mlsStatus: 'pending' });
  simulator.control.advance(2_000);
  expect(await statusOf('i1')).toMatchObject({ mlsStatus: 'received_ap' });
});

test('an instance id is accepted once', async () => {
  await submit({}, '?sbdhInstanceID=i1');
  expect((await submit({}, '?sbdhInstanceID=i1')).status).toBe(422);
  expect(simulator.control.deliveries('i1')).toHaveLength(1);
});

test('an acceptance replaces the acknowledgement before it', async () => {
  simulator.control.receiver('0192:991825827', 'mls-acknowledges-then-accepts');
  await submit({}, '?sbdhInstanceID=i1');
  simulator.control.advance(2_000);
  expect(await statusOf('i1')).toMatchObject({ mlsStatus: 'received_ab' });
  simulator.control.advance(600_000);
  expect(await statusOf('i1')).toMatchObject({ mlsStatus: 'received_ap' });
});

test('a failed document is retried by the access point, and given up in the end', async () => {
  simulator.control.receiver('0192:991825827', 'transport-error');
  expect((await submit({}, '?sbdhInstanceID=i1')).status).toBe(422);
  expect(await statusOf('i1')).toMatchObject({ status: 'failed', attemptCount: 1 });
  simulator.control.advance(30_000);
  expect(await statusOf('i1')).toMatchObject({ status: 'failed', attemptCount: 2 });
  simulator.control.advance(30_000);
  expect(await statusOf('i1')).toMatchObject({ status: 'permanently_failed', attemptCount: 3 });
});

test('/sendas4 makes every try a new message, which a receiver cannot recognise', async () => {
  await post('/sendas4', {});
  await post('/sendas4', {});
  const ids = simulator.control.deliveries().map((row) => row.instanceId);
  expect(new Set(ids).size).toBe(2);
});

test('after its duplicate guard the receiver accepts a second copy', async () => {
  const send = () =>
    fetch(`${simulator.url}/sendsbdh`, {
      method: 'POST',
      headers: { 'x-token': 'sandbox-token' },
      body: envelope(sample, time.clock()),
    });
  await send();
  await send();
  expect(simulator.control.deliveries()).toMatchObject([{ discarded: 1 }]);
  simulator.control.advance(10 * 60_000);
  await send();
  expect(simulator.control.deliveries()).toHaveLength(2);
});

test.each<[string, string | RegExp, string]>([
  ['invalid-sbd-xml', 'StandardBusinessDocument ', 'Other '],
  ['invalid-header-version', '>1.0<', '>2.0<'],
  ['invalid-sender-authority', 'Authority="iso6523-actorid-upis"', 'Authority="x"'],
  ['missing-document-type-identifier', '>DOCUMENTID<', '>X<'],
  ['missing-process-identifier', '>PROCESSID<', '>X<'],
  ['missing-country-c1', '>COUNTRY_C1<', '>X<'],
  ['invalid-standard', /<Standard>[^<]*/, '<Standard>x'],
  ['invalid-type-version', '<TypeVersion>2.1', '<TypeVersion>2.2'],
])('an envelope is refused with %s, in HTTP 200', async (fault, find, replacement) => {
  const response = await fetch(`${simulator.url}/sendsbdh`, {
    method: 'POST',
    headers: { 'x-token': 'sandbox-token' },
    body: envelope(sample, time.clock()).replace(find, replacement),
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    overallSuccess: false,
    sbdhParsingException: { message: fault },
  });
});

test.each([
  ['/api/outbound/status/x', 'GET', 401],
  ['/sendsbdh', 'POST', 403],
])('%s without the token is %s %i', async (path, method, status) => {
  expect((await fetch(simulator.url + path, { method })).status).toBe(status);
});

test('the buyer’s invoice response comes in beside the MLS', async () => {
  await submit({}, '?sbdhInstanceID=i1');
  for (const code of ['AB', 'IP', 'UQ', 'AP', 'PD']) simulator.control.respond('i1', code);
  const codes = simulator.control.inbound('i1').map((row) => row.code);
  expect(codes).toEqual(['AB', 'IP', 'UQ', 'AP', 'PD']);
  expect(await statusOf('i1')).toMatchObject({ mlsStatus: 'pending' });
});

test('the control API does over HTTP what tests do in process', async () => {
  const control = (name: string, body: unknown) =>
    fetch(`${simulator.url}/_control/${name}`, { method: 'POST', body: JSON.stringify(body) });
  await control('receivers', { value: '0192:991825827', behaviour: 'not-serviced' });
  expect((await submit()).body.as4ResponseErrors[0]).toMatchObject({ errorCode: 'EBMS:0004' });
  const senseless = await control('receivers', { value: '0192:1', behaviour: 'sings' });
  expect(senseless.status).toBe(400);
  await control('receivers', { value: '0192:991825827', behaviour: 'accepts' });
  await submit({}, '?sbdhInstanceID=i2');
  const rows = await (await fetch(`${simulator.url}/_control/deliveries?instanceId=i2`)).json();
  expect(rows).toMatchObject([{ instanceId: 'i2', discarded: 0 }]);
});
