import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CimObject, groupOf } from '@drawbridge/cim/json.ts';
import { creditNote, invoice } from '@drawbridge/profiles/bis-3.0/example.ts';
import { profile } from '@drawbridge/profiles/bis-3.0/profile.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { standingClock } from '../../../test/kit/clock.ts';
import { eventually } from '../../../test/kit/eventually.ts';
import { messageOf, writeEnvelope } from '../../authorities/peppol/simulator/message.ts';
import { type PeppolSimulator, startPeppolSimulator } from '../../authorities/peppol/simulator.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { erpSettings } from '../erp.kit.ts';
import { type Answer, type Harness, startHarness } from '../harness.kit.ts';
import { findUncancelled } from './store.ts';

const supplier = '0208:0403019261';
const inboundToken = 'brought-by-the-access-point';
const validator = new Validator();
let harness: Harness;
let peppol: PeppolSimulator;
let folder: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'received-'));
  const { clock } = standingClock('2026-11-21T08:00:00Z');
  peppol = await startPeppolSimulator({ clock, random: Math.random });
  const credentials = {
    dialect: 'phoss-ap',
    token: 'sandbox-token',
    inbound_token: inboundToken,
  };
  const authorities = { sandbox: { peppol: { baseUrl: peppol.url, credentials } } };
  await writeFile(join(folder, 'authorities.json'), JSON.stringify(authorities));
  harness = await startHarness({
    AUTHORITIES_FILE: join(folder, 'authorities.json'),
    NETWORK_POLL_SECONDS: '1',
  });
});
afterAll(async () => {
  await harness?.stop();
  await peppol?.stop();
  await rm(folder, { recursive: true });
});

const written = (cim: CimObject) => validator.validate(profile, profile.complete(cim)).xml;
/** A new invoice of the supplier. */
const newInvoice = (changes: CimObject = {}) => {
  count += 1;
  return written({ ...invoice, number: `R-${count}`, ...changes });
};
const newAddress = () => {
  count += 1;
  return `0208:0884${String(count).padStart(6, '0')}`;
};

/** An address of acme's that documents come to. */
async function participant(body: object = {}, id = newAddress()): Promise<string> {
  const { status, text } = await harness.call(`PUT /v1/participants/${id}`, body);
  expect(text).toBeTruthy();
  expect(status).toBe(200);
  return id;
}

/** Brings a document as phase4 does: by itself. */
function push(
  receiver: string,
  xml: string,
  changes: { instanceId?: string; token?: string } = {},
) {
  const { instanceId = `push-${(count += 1)}`, token = inboundToken } = changes;
  const message = messageOf({ sender: supplier, receiver, xml, instanceId });
  return harness.call('POST /v1/networks/peppol/documents', undefined, {
    key: null,
    raw: writeEnvelope(message, xml, new Date('2026-11-21T08:00:00Z')),
    headers: { 'content-type': 'application/xml', 'x-token': token },
  });
}

async function received(filter: string): Promise<Answer['body'][]> {
  return (await harness.call(`GET /v1/received?${filter}`)).body.results;
}

describe('a document that the access point brings', () => {
  test('is judged and kept, with the bytes as they came, and belongs to its tenant alone', async () => {
    const address = await participant();
    const xml = newInvoice({ number: 'KEPT-1' });
    expect((await push(address.toUpperCase(), xml)).status).toBe(202);
    const [document] = await received('number=KEPT-1');
    expect(document).toMatchObject({
      status: 'received',
      source: 'peppol',
      participant: address,
      profile: 'BIS-3.0',
      checks: { schema: 'passed', business_rules: 'passed' },
      errors: [],
      supplier: { id: 'BE0403019261', name: 'Brouwerij De Sluis BV' },
      document_type: 'invoice',
      currency: 'EUR',
    });
    const { text } = await harness.call(`GET ${document.links.document}`);
    expect(text).toBe(xml.replace(/^<\?xml[^>]*\?>\s*/, ''));
    const draft = await harness.call(`GET ${document.links.document}?form=draft`);
    expect(draft.body.lines).toHaveLength(3);
    const model = await harness.call(`GET ${document.links.document}?form=cim`);
    expect(model.body).toMatchObject({ seller: { name: 'Brouwerij De Sluis BV' } });
    const key = harness.other.keys.sandbox;
    expect((await harness.call(`GET ${document.links.self}`, undefined, { key })).status).toBe(404);
    const live = { environment: 'live' } as const;
    expect((await harness.call(`GET ${document.links.self}`, undefined, live)).status).toBe(404);
  });

  test('is found by when it came', async () => {
    const bring = async (number: string): Promise<string> => {
      await push(await participant(), newInvoice({ number }));
      return (await received(`number=${number}`))[0].received_at;
    };
    const since = await bring('WHEN-1');
    harness.advance(60_000);
    const until = await bring('WHEN-2');
    const numbers = async (filter: string) => (await received(filter)).map(({ number }) => number);
    expect(await numbers(`since=${since}&until=${until}`)).toEqual(['WHEN-1']);
    expect(await numbers(`since=${until.replace('Z', '%2B00:00')}`)).toEqual(['WHEN-2']);
    const wrong = await harness.call(`GET /v1/received?since=${since.replace('Z', '+00:00')}`);
    expect(wrong.body.errors.since[0]).toContain('%2B');
  });

  test('comes in once, however often and in whatever way it comes', async () => {
    const address = await participant();
    const xml = newInvoice({ number: 'ONCE-1' });
    const pushes = Array.from({ length: 5 }, () => push(address, xml, { instanceId: 'once-1' }));
    for (const { status } of await Promise.all(pushes)) expect(status).toBe(202);
    expect(await received('number=ONCE-1')).toHaveLength(1);
    // Another message with the same invoice: kept, and goes no further.
    await push(address, xml, { instanceId: 'once-2' });
    const [second, first] = await received('number=ONCE-1');
    expect(second).toMatchObject({ status: 'duplicate', duplicate_of: first.id });
  });

  test('that breaks rules is kept with what is wrong', async () => {
    const address = await participant();
    await push(address, newInvoice({ number: 'WRONG-1', buyer_reference: null }));
    const [document] = await received('number=WRONG-1');
    expect(document.checks.business_rules).toBe('failed');
    expect(document.errors[0].rule).toMatch(/^BIS-3\.0-/);
  });

  test('that is no invoice is kept as unreadable, with the reason', async () => {
    const address = await participant();
    const xml = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>1</ID></Invoice>`;
    expect((await push(address, xml)).status).toBe(202);
    const [document] = await received('status=unreadable');
    expect(document.errors[0]).toMatchObject({ rule: 'RECEIVED-UNREADABLE', severity: 'fatal' });
    const answer = await harness.call(`GET ${document.links.document}?form=draft`);
    expect(answer.status).toBe(404);
  });

  test.each([
    ['number', (long: string) => ({ number: long })],
    ['supplier', (long: string) => ({ seller: { ...groupOf(invoice.seller), trn: long } })],
  ])('whose %s is longer than any index takes is kept as unreadable', async (_, changes) => {
    const long = randomBytes(3_000).toString('base64');
    expect((await push(await participant(), newInvoice(changes(long)))).status).toBe(202);
    const [document] = await received('status=unreadable');
    expect(document.errors[0].message).toContain('more than 200 characters');
  });

  test.each([
    ['a wrong token', { 'x-token': 'guess' }, undefined, 401, 'network_refused'],
    ['no token', {}, undefined, 401, 'network_refused'],
    ['a body that is no envelope', undefined, '<a/>', 400, 'message_unreadable'],
    ['a body that is no XML', undefined, 'x', 400, 'message_unreadable'],
    ['entities', undefined, '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 400, 'message_unreadable'],
  ])('with %s is refused', async (_, headers, raw, status, code) => {
    const answer = await harness.call('POST /v1/networks/peppol/documents', undefined, {
      key: null,
      raw: raw ?? '<a/>',
      headers: { 'content-type': 'application/xml', 'x-token': inboundToken, ...headers },
      ...(headers === undefined ? {} : { headers: { 'content-type': 'text/xml', ...headers } }),
    });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test('for nobody’s participant is refused, and so is an unknown network', async () => {
    const answer = await push('0208:0999999999', newInvoice());
    expect([answer.status, answer.body.code]).toEqual([404, 'participant_not_found']);
    const unknown = await harness.call('POST /v1/networks/fax/documents', undefined, {
      key: null,
      raw: 'x',
    });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'network_not_found']);
  });
});

test('a tenant has a bounded number of addresses, also when it asks for many at once', async () => {
  const { body } = await harness.call('GET /v1/participants');
  const missing = 200 - body.results.length;
  const put = (id: string) => harness.call(`PUT /v1/participants/${id}`, {});
  const ids = Array.from({ length: missing + 4 }, newAddress);
  const statuses = (await Promise.all(ids.map(put))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(missing);
  expect(statuses.filter((status) => status === 409)).toHaveLength(4);
  const known = ids[statuses.indexOf(200)]!;
  expect((await put(known)).status).toBe(200);
  for (const id of ids) await harness.call(`DELETE /v1/participants/${id}`);
});

test('the access point is asked for documents, also for those that came before their participant', async () => {
  const early = newAddress();
  const there = await participant();
  peppol.control.comeIn({
    sender: supplier,
    receiver: early,
    xml: newInvoice({ number: 'POLL-1' }),
  });
  peppol.control.comeIn({
    sender: supplier,
    receiver: there,
    xml: newInvoice({ number: 'POLL-2' }),
  });
  await eventually(async () => expect(await received('number=POLL-2')).toHaveLength(1));
  expect(await received('number=POLL-1')).toHaveLength(0);
  await participant({}, early);
  await eventually(async () => expect(await received('number=POLL-1')).toHaveLength(1));
});

test('only an endpoint that names the event is told', async () => {
  const endpoint = async (events: readonly string[]) => {
    const url = `https://receiver.example/${events.join()}`;
    const { body } = await harness.call('POST /v1/webhook-endpoints', { url, event_types: events });
    expect(body.id, JSON.stringify(body)).toBeTruthy();
    return body.id as string;
  };
  const [all, named, ofSubject] = [
    await endpoint([]),
    await endpoint(['document.received']),
    await endpoint(['document.*']),
  ];
  await push(await participant(), newInvoice({ number: 'TOLD-1' }));
  const [document] = await received('number=TOLD-1');
  const told = async (id: string) => {
    const { body } = await harness.call(`GET /v1/webhook-endpoints/${id}/deliveries`);
    return body.results.map((each: { event: string }) => each.event);
  };
  expect(await told(all!)).toEqual([]);
  expect(await told(named!)).toEqual(['document.received']);
  expect(await told(ofSubject!)).toEqual(['document.received']);
  const [event] = await harness.sql<{ payload: object }>(
    `select payload from webhook_event where subject_id = $1`,
    [document.id],
  );
  expect(event?.payload).toMatchObject({
    event: 'document.received',
    id: document.id,
    profile: 'BIS-3.0',
    data: { number: 'TOLD-1', valid: true, supplier: { id: 'BE0403019261' } },
  });
});

test('what is kept as unreadable is told to an endpoint that names it', async () => {
  const url = 'https://receiver.example/unreadable';
  const { body } = await harness.call('POST /v1/webhook-endpoints', {
    url,
    event_types: ['document.unreadable'],
  });
  const xml = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"><ID>1</ID></Invoice>`;
  await push(await participant(), xml, { instanceId: 'unreadable-1' });
  await push(await participant(), newInvoice());
  const deliveries = await harness.call(`GET /v1/webhook-endpoints/${body.id}/deliveries`);
  expect(deliveries.body.results.map(({ event }: Answer['body']) => event)).toEqual([
    'document.unreadable',
  ]);
  const [event] = await harness.sql<{ payload: object }>(
    `select payload from webhook_event where type = 'document.unreadable' order by id desc limit 1`,
  );
  expect(event?.payload).toMatchObject({
    data: { network_id: 'unreadable-1', reason: expect.stringContaining('issue_date') },
  });
});

test('those that were cancelled are listed, or the others', async () => {
  await push(await participant(), newInvoice({ number: 'GONE-1' }));
  await push(await participant(), newInvoice({ number: 'GONE-2' }));
  await harness.sql(
    `update received_document set cancelled_at = now() where number = 'GONE-1' returning id`,
  );
  const numbers = async (filter: string) => (await received(filter)).map(({ number }) => number);
  expect(await numbers('cancelled=true')).toEqual(['GONE-1']);
  const others = await numbers('cancelled=false&limit=200');
  expect(others).toContain('GONE-2');
  expect(others).not.toContain('GONE-1');
});

describe('a duplicate of what is rejected then', () => {
  const reject = (id: string) =>
    harness.call(`POST /v1/received/${id}/respond`, {
      status: 'rejected',
      reasons: [{ code: 'PRI' }],
    });
  const events = async (id: string) => {
    const rows = await harness.sql<{ type: string }>(
      'select type from webhook_event where subject_id = $1 order by id',
      [id],
    );
    return rows.map(({ type }) => type);
  };

  test('takes its place, and is imported when that is asked for', async () => {
    const address = await participant({ import_to: harness.acme.connector });
    const xml = newInvoice({ number: 'PLACE-1' });
    for (const instanceId of ['place-1', 'place-2', 'place-3']) {
      await push(address, xml, { instanceId });
    }
    const [third, second, first] = await received('number=PLACE-1');
    expect([third.status, second.status]).toEqual(['duplicate', 'duplicate']);
    expect(await events(third.id)).toEqual([]);
    expect((await reject(first.id)).status).toBe(202);
    const now = await received('number=PLACE-1');
    expect(now.slice(0, 2)).toMatchObject([
      { status: 'received', duplicate_of: first.id, import_to: harness.acme.connector },
      { status: 'duplicate', duplicate_of: third.id },
    ]);
    expect(await events(third.id)).toEqual(['document.received']);
    // By itself it is not imported: it may be a copy of what was rejected.
    const jobs = await harness.sql(`select from job where queue = 'import-document' and key = $1`, [
      third.id,
    ]);
    expect([jobs, now[0].import]).toEqual([[], undefined]);
    expect((await harness.call(`POST /v1/received/${third.id}/import`)).status).toBe(202);
    // What was rejected cannot be accepted any more beside it.
    expect((await reject(third.id)).status).toBe(202);
    expect((await received('number=PLACE-1'))[1]).toMatchObject({
      status: 'received',
      duplicate_of: third.id,
    });
  });

  test('gives it back while nobody has done anything with it, when the answer came to nothing', async () => {
    const xml = newInvoice({ number: 'PLACE-3' });
    const address = await participant();
    for (let time = 1; time <= 2; time += 1) await push(address, xml);
    const [second, first] = await received('number=PLACE-3');
    peppol.control.receiver(supplier, 'unregistered');
    await reject(first.id);
    const path = `POST /v1/received/${first.id}/respond`;
    await eventually(async () => {
      const { body } = await harness.call(`GET /v1/received/${first.id}`);
      expect(body.response.state).toBe('refused');
    });
    peppol.control.receiver(supplier, 'accepts');
    expect((await harness.call(path, { status: 'accepted' })).status).toBe(202);
    expect(await received('number=PLACE-3')).toMatchObject([
      { id: second.id, status: 'duplicate', duplicate_of: first.id },
      { id: first.id, status: 'received', response: { status: 'accepted' } },
    ]);
  });

  test('takes its place once, though several answer at the same moment', async () => {
    const address = await participant();
    const xml = newInvoice({ number: 'PLACE-2' });
    for (let time = 1; time <= 4; time += 1) await push(address, xml);
    const all = await received('number=PLACE-2');
    const answers = await Promise.all(all.map(({ id }) => reject(id)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    const standing = (await received('number=PLACE-2')).filter(
      ({ status, response }) => status === 'received' && response === undefined,
    );
    expect(standing).toEqual([]);
  });
});

test('a duplicate takes the place of what came first, unless that is in the ERP', async () => {
  const address = await participant();
  const xml = newInvoice({ number: 'FORGED-1' });
  // Nothing tells which of them its supplier has sent.
  for (let time = 1; time <= 3; time += 1) await push(address, xml);
  const [third, second, first] = await received('number=FORGED-1');
  const where = { connector_id: harness.acme.connector };
  const importOf = (id: string) => harness.call(`POST /v1/received/${id}/import`, where);
  const outcome = (id: string, expected: string) =>
    eventually(async () => {
      const { body } = await harness.call(`GET /v1/received/${id}`);
      expect(body.import).toMatchObject({ outcome: expected });
    });
  expect((await importOf(first.id)).status).toBe(202);
  await outcome(first.id, 'written');
  const refused = await importOf(second.id);
  expect([refused.status, refused.body.code]).toEqual([409, 'state_conflict']);
  expect(refused.body.detail).toContain(first.id);
  await harness.call(`POST /v1/received/${first.id}/undo`);
  await outcome(first.id, 'undone');
  expect((await importOf(second.id)).status).toBe(202);
  await outcome(second.id, 'written');
  expect(await received('number=FORGED-1')).toMatchObject([
    { id: third.id, status: 'duplicate', duplicate_of: second.id },
    { id: second.id, status: 'imported' },
    { id: first.id, status: 'duplicate', duplicate_of: second.id },
  ]);
  expect((await importOf(first.id)).status).toBe(409);
});

describe('a draft in the ERP', () => {
  const drafts = () => {
    const erp = new Database(harness.erp.file, { readonly: true });
    try {
      return erp.prepare('select * from einv_received_sandbox').all() as Record<string, unknown>[];
    } catch {
      return []; // no draft has come yet
    } finally {
      erp.close();
    }
  };
  const draftOf = (number: string) => drafts().filter((row) => row.number === number);
  const settled = (id: string, outcome: string) =>
    eventually(async () => {
      const { body } = await harness.call(`GET /v1/received/${id}`);
      expect(body.import?.outcome).toBe(outcome);
      return body;
    });

  /** Has the next attempt made now. */
  const runImport = (id: string) => {
    const { db, jobs } = harness.app.platform;
    const { acme } = harness;
    return db.tenant(acme.id, (tx) => jobs.runNow(tx, acme.id, 'import-document', [id]));
  };

  test('arrives by itself where the participant names a connector', async () => {
    const address = await participant({ import_to: harness.acme.connector });
    await push(address, written({ ...creditNote, number: 'AUTO-1' }));
    const [{ id }] = await received('number=AUTO-1');
    const document = await settled(id, 'written');
    expect(document).toMatchObject({ status: 'imported', document_type: 'credit-note' });
    expect(draftOf('AUTO-1')).toMatchObject([
      { document_id: id, status: 'draft', document_type: 'credit-note', currency: 'EUR' },
    ]);
  });

  test('arrives when it is asked for, goes when that is undone, and can come again', async () => {
    await push(await participant(), newInvoice({ number: 'HAND-1' }));
    const [{ id }] = await received('number=HAND-1');
    const where = { connector_id: harness.acme.connector };
    const missing = await harness.call(`POST /v1/received/${id}/import`, {});
    expect([missing.status, missing.body.errors.connector_id]).toEqual([400, ['is missing']]);
    expect((await harness.call(`POST /v1/received/${id}/undo`)).status).toBe(409);
    expect((await harness.call(`POST /v1/received/${id}/import`, where)).status).toBe(202);
    await settled(id, 'written');
    expect((await harness.call(`POST /v1/received/${id}/import`, where)).status).toBe(409);
    expect((await harness.call(`POST /v1/received/${id}/undo`)).status).toBe(202);
    expect(await settled(id, 'undone')).toMatchObject({ status: 'undone' });
    expect(draftOf('HAND-1')).toEqual([]);
    expect((await harness.call(`POST /v1/received/${id}/import`, {})).status).toBe(202);
    await settled(id, 'written');
    expect(draftOf('HAND-1')).toHaveLength(1);
  });

  test('with which somebody has gone on stays, and the document says why', async () => {
    await push(
      await participant({ import_to: harness.acme.connector }),
      newInvoice({ number: 'GO-1' }),
    );
    const [{ id }] = await received('number=GO-1');
    await settled(id, 'written');
    const erp = new Database(harness.erp.file);
    erp.prepare(`update einv_received_sandbox set status = 'posted' where number = 'GO-1'`).run();
    erp.close();
    await harness.call(`POST /v1/received/${id}/undo`);
    const document = await settled(id, 'conflict');
    expect(document.status).toBe('imported');
    expect(document.import.reason).toContain('posted');
  });

  test('that waits for its ERP goes nowhere else, and is taken back when that is asked for', async () => {
    const made = await harness.call('POST /v1/connectors', {
      pattern: 'database',
      kind: 'sqlite',
      name: 'Away ERP',
      settings: erpSettings(`${harness.erp.file}-away`),
    });
    await push(await participant(), newInvoice({ number: 'WAIT-1' }));
    const [{ id }] = await received('number=WAIT-1');
    const importTo = (connector_id: string) =>
      harness.call(`POST /v1/received/${id}/import`, { connector_id });
    expect((await importTo(made.body.id)).status).toBe(202);
    const waiting = await settled(id, 'waiting');
    expect(waiting.import.action).toBe('import');
    const elsewhere = await importTo(harness.acme.connector);
    expect([elsewhere.status, elsewhere.body.detail]).toEqual([
      409,
      expect.stringContaining('take it back (undo)'),
    ]);
    expect((await importTo(made.body.id)).status).toBe(202);
    expect((await harness.call(`POST /v1/received/${id}/undo`)).body.import).toMatchObject({
      outcome: 'waiting',
      action: 'undo',
    });
    await eventually(async () => {
      await runImport(id);
      const jobs = await harness.sql<{ payload: object }>(
        `select payload from job where queue = 'import-document' and key = $1`,
        [id],
      );
      expect(jobs).toMatchObject([{ payload: { action: 'undo' } }]);
    });
    expect((await importTo(made.body.id)).body.detail).toContain('being taken out');
    // The ERP is back: nothing of it is there, and it may go elsewhere.
    await copyFile(harness.erp.file, `${harness.erp.file}-away`);
    await eventually(async () => {
      await runImport(id);
      const { body } = await harness.call(`GET /v1/received/${id}`);
      expect(body).toMatchObject({ status: 'undone', import: { outcome: 'undone' } });
    });
    expect((await importTo(harness.acme.connector)).status).toBe(202);
    await settled(id, 'written');
    expect(draftOf('WAIT-1')).toHaveLength(1);
    // Imported a second time, it has arrived there though nobody said so yet.
    await harness.sql(
      `update received_document set status = 'undone', import = import || '{"outcome":"waiting"}'
       where id = $1 returning id`,
      [id],
    );
    expect((await harness.call(`POST /v1/received/${id}/undo`)).status).toBe(202);
    await settled(id, 'undone');
    expect(draftOf('WAIT-1')).toEqual([]);
  });

  test('that an ERP never takes is given up after 30 days, and may be asked for again', async () => {
    const made = await harness.call('POST /v1/connectors', {
      pattern: 'database',
      kind: 'sqlite',
      name: 'Gone ERP',
      settings: erpSettings(`${harness.erp.file}-gone`),
    });
    await push(await participant(), newInvoice({ number: 'NEVER-1' }));
    const [{ id }] = await received('number=NEVER-1');
    const where = { connector_id: made.body.id };
    expect((await harness.call(`POST /v1/received/${id}/import`, where)).status).toBe(202);
    await eventually(async () => {
      const { body } = await harness.call(`GET /v1/received/${id}`);
      expect(body.import.reason).toContain('does not exist');
    });
    harness.advance(31 * 86_400_000);
    await eventually(async () => {
      // As if it had been tried in time all the while.
      await harness.sql(
        `update job set payload = payload || jsonb_build_object('untriedMs', 0, 'dueAt', $2::text)
         where queue = 'import-document' and key = $1 returning id`,
        [id, new Date(Date.now() + 90 * 86_400_000).toISOString()],
      );
      await runImport(id);
      const { body } = await harness.call(`GET /v1/received/${id}`);
      expect(body.import).toMatchObject({ outcome: 'given-up' });
    });
    expect(await harness.sql(`select from job where queue = 'import-document'`)).toEqual([]);
    // An import by hand needs no body where it is known where to.
    expect((await harness.call(`POST /v1/received/${id}/import`)).status).toBe(202);
  });
});

test('what its authority has cancelled is found by an index', async () => {
  const { db } = harness.app.platform;
  const { id: tenantId } = harness.acme;
  const plans = await db.tenant(tenantId, async (tx) => {
    await tx.run('set local enable_seqscan = off');
    const rows: Tx['rows'] = (sql, values) => tx.rows(`explain ${sql}`, values);
    return findUncancelled({ ...tx, rows }, { tenantId, environment: 'sandbox' }, 'F9D425P6DS');
  });
  expect(JSON.stringify(plans)).toMatch(/Index Cond: [^"]*clearance_id = /);
});

describe('participants', () => {
  test('have one tenant; in live the host confirms them first', async () => {
    const id = await participant();
    const key = harness.other.keys.sandbox;
    const taken = await harness.call(`PUT /v1/participants/${id}`, {}, { key });
    expect([taken.status, taken.body.code]).toEqual([409, 'participant_taken']);
    const live = { environment: 'live' } as const;
    const { body } = await harness.call(`PUT /v1/participants/${id}`, {}, live);
    expect(body.status).toBe('unconfirmed');
    const list = await harness.call('GET /v1/participants', undefined, live);
    expect(list.body.results).toMatchObject([{ id, status: 'unconfirmed' }]);
  });

  test('can go, and then another tenant may have them', async () => {
    const id = await participant();
    expect((await harness.call(`DELETE /v1/participants/${id}`)).status).toBe(204);
    expect((await harness.call(`DELETE /v1/participants/${id}`)).status).toBe(404);
    const key = harness.other.keys.sandbox;
    expect((await harness.call(`PUT /v1/participants/${id}`, {}, { key })).status).toBe(200);
  });

  test('of a form that no network has are refused, as is an unknown connector', async () => {
    expect((await harness.call('PUT /v1/participants/nobody', {})).status).toBe(404);
    const body = { import_to: 'cnx_01k9zq3v7m2n4p6r8t0w2y4a6c' };
    expect((await harness.call(`PUT /v1/participants/${newAddress()}`, body)).status).toBe(404);
  });
});
