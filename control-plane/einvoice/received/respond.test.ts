import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invoice } from '@drawbridge/profiles/bis-3.0/example.ts';
import { profile } from '@drawbridge/profiles/bis-3.0/profile.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { readApplicationResponse } from '../../authorities/peppol/application-response.ts';
import { messageOf, writeEnvelope } from '../../authorities/peppol/simulator/message.ts';
import { type PeppolSimulator, startPeppolSimulator } from '../../authorities/peppol/simulator.ts';
import { type Harness, startHarness } from '../harness.kit.ts';

// Two control planes start, and the machine may be busy.
vi.setConfig({ hookTimeout: 180_000, testTimeout: 120_000 });

const supplier = '0208:0403019261';
const inboundToken = 'brought-by-the-access-point';
const validator = new Validator();

describe.each(['phoss-ap', 'phase4'])('an answer to a supplier over %s', (dialect) => {
  let harness: Harness;
  let peppol: PeppolSimulator;
  let folder: string;
  let address: string;
  let count = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'respond-'));
    peppol = await startPeppolSimulator({ clock: () => new Date(), random: Math.random });
    const credentials = { dialect, token: 'sandbox-token', inbound_token: inboundToken };
    const authorities = { sandbox: { peppol: { baseUrl: peppol.url, credentials } } };
    await writeFile(join(folder, 'authorities.json'), JSON.stringify(authorities));
    harness = await startHarness({ AUTHORITIES_FILE: join(folder, 'authorities.json') });
    address = '0208:0884000001';
    await harness.call(`PUT /v1/participants/${address}`, {});
    peppol.control.serve(supplier);
  });
  afterAll(async () => {
    await harness?.stop();
    await peppol?.stop();
    await rm(folder, { recursive: true });
  });

  const newNumber = () => {
    count += 1;
    return `A-${count}-${Math.random()}`;
  };

  async function newDocument(number = newNumber()): Promise<string> {
    const cim = profile.complete({ ...invoice, number });
    const { xml } = validator.validate(profile, cim);
    const instanceId = newNumber();
    const message = messageOf({ sender: supplier, receiver: address, xml, instanceId });
    const sent = await harness.call('POST /v1/networks/peppol/documents', undefined, {
      key: null,
      raw: writeEnvelope(message, xml, new Date()),
      headers: { 'content-type': 'application/xml', 'x-token': inboundToken },
    });
    expect(sent.status).toBe(202);
    const { body } = await harness.call(`GET /v1/received?number=${number}`);
    return body.results[0].id;
  }
  const respond = (id: string, body: object) =>
    harness.call(`POST /v1/received/${id}/respond`, body);
  const responseOf = async (id: string) =>
    (await harness.call(`GET /v1/received/${id}`)).body.response;
  const untilDelivered = (id: string) =>
    eventually(async () => {
      const response = await responseOf(id);
      expect(response).toMatchObject({ state: 'delivered' });
      return response;
    });
  /** What came in for the supplier of that answer. */
  const arrived = (response: string) =>
    peppol.control
      .inbound(response)
      .filter(({ documentType }) => documentType.includes('invoice_response'))
      .map(({ xml }) => xml);

  test('arrives once, says what was answered, and a second one follows it', async () => {
    const id = await newDocument();
    const query = { status: 'under_query', reasons: [{ code: 'REF', text: 'which order?' }] };
    expect((await respond(id, query)).body.response).toMatchObject({ status: 'under_query' });
    const first = await untilDelivered(id);
    expect((await respond(id, query)).body.response.id).toBe(first.id);
    await respond(id, { status: 'accepted', note: 'thank you' });
    const second = await untilDelivered(id);
    expect(second.id).not.toBe(first.id);
    for (const [response, code] of [
      [first.id, 'UQ'],
      [second.id, 'AP'],
    ]) {
      const messages = arrived(response);
      expect(messages).toHaveLength(1);
      expect(readApplicationResponse(messages[0]!), messages[0]).toMatchObject({
        code,
        sender: { scheme: '0208', id: '0884000001' },
        receiver: { scheme: '0208', id: '0403019261' },
      });
    }
    const { body } = await harness.call(`GET /v1/received/${id}/responses`);
    expect(body.results).toMatchObject([
      { status: 'under_query', state: 'delivered', reasons: query.reasons },
      { status: 'accepted', state: 'delivered', note: 'thank you' },
    ]);
    expect((await respond(id, { status: 'rejected', reasons: [{ code: 'PRI' }] })).body.code).toBe(
      'state_conflict',
    );
  });

  test('is sent once in effect when the access point’s answer is lost', async () => {
    const id = await newDocument();
    const call = dialect === 'phase4' ? 'sendsbdh' : 'submit';
    peppol.control.fault({ call, kind: 'cut-after' });
    await respond(id, { status: 'accepted' });
    const { id: response } = await untilDelivered(id);
    expect(arrived(response)).toHaveLength(1);
  });

  test('what comes in the place of what was rejected is no duplicate, and is the one that is answered', async () => {
    const number = newNumber();
    const rejected = await newDocument(number);
    peppol.control.receiver(supplier, 'unregistered');
    await respond(rejected, { status: 'rejected', reasons: [{ code: 'REF' }] });
    const corrected = await newDocument(number);
    const statusOf = async (id: string) =>
      (await harness.call(`GET /v1/received/${id}`)).body.status;
    expect(await statusOf(corrected)).toBe('received');
    expect(await statusOf(await newDocument(number))).toBe('duplicate');
    await eventually(async () => {
      expect(await responseOf(rejected)).toMatchObject({ state: 'refused' });
    });
    peppol.control.receiver(supplier, 'accepts');
    const late = await respond(rejected, { status: 'accepted' });
    expect([late.status, late.body.detail]).toEqual([409, expect.stringContaining(corrected)]);
    expect((await respond(corrected, { status: 'accepted' })).status).toBe(202);
  });

  test('of two who answer at once, one is told', async () => {
    const id = await newDocument();
    const answers = await Promise.all([
      respond(id, { status: 'accepted' }),
      respond(id, { status: 'rejected', reasons: [{ code: 'QUA' }] }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
  });

  test.each([
    ['a rejection without a reason', { status: 'rejected' }, 'reasons'],
    ['another reason without a text', { status: 'rejected', reasons: [{ code: 'OTH' }] }, 'text'],
    ['an unknown code', { status: 'rejected', reasons: [{ code: 'XXX' }] }, 'reasons.0.code'],
  ])('%s is 400', async (_, body, field) => {
    const { status, body: error } = await respond(await newDocument(), body);
    expect([status, Object.keys(error.errors)]).toEqual([400, [field]]);
  });

  test('a supplier that the network cannot reach is told of with the reason', async () => {
    peppol.control.receiver(supplier, 'unregistered');
    const id = await newDocument();
    await respond(id, { status: 'accepted' });
    await eventually(async () => {
      expect(await responseOf(id)).toMatchObject({ state: 'refused', reason: expect.any(String) });
    });
    peppol.control.receiver(supplier, 'accepts');
    // What was refused told nobody, so another answer may be given.
    expect((await respond(id, { status: 'accepted' })).status).toBe(202);
    await untilDelivered(id);
  });
});
