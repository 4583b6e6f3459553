import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { connectorSuite, secretInTests } from '../contract.suite.ts';
import type { Connector, ConnectorContext } from '../contract.ts';
import type { SampleDocument } from '../source-under-test.kit.ts';
import { myinvois } from './connector.ts';
import { Taxpayer } from './taxpayer.fixture.ts';
import { xmlOfUblJson } from './ubl-json.ts';

const never = new AbortController().signal;
const dayMs = 86_400_000;
const at = Date.parse('2026-02-01T00:00:00Z');
const fast = { searchesPerMinute: 60_000, readsPerMinute: 60_000 };
const credentials = { clientId: 'own-client', clientSecret: 'client secret' };

const open = (url: string, changes: object = {}, context: Partial<ConnectorContext> = {}) =>
  myinvois.open(myinvois.settings.parse({ url, ...credentials, ...fast, ...changes }), {
    clock: () => new Date(at),
    allowedRoots: [],
    ...context,
  });

/** Numbers as a supplier writes them, with all their digits. */
function jsonOf({ lines, ...header }: SampleDocument): string {
  return JSON.stringify({ ...header, lines }, (key, member) =>
    ['total', 'price'].includes(key) ? `#${member}#` : member,
  ).replace(/"#(-?[\d.]+)#"/g, '$1');
}

connectorSuite('myinvois', async () => {
  const taxpayer = new Taxpayer(() => new Date(at));
  await taxpayer.start();
  return {
    connector: await open(taxpayer.url),
    unreachable: await open('http://127.0.0.1:1', { clientSecret: secretInTests }),
    writesNothing: true,
    pageSize: 200,
    refOf: (number) => number,
    async insert(documents) {
      for (const document of documents) taxpayer.put(document.number, jsonOf(document));
    },
    async insertTwins(number) {
      const twin = `{"number":${JSON.stringify(number)}}`;
      taxpayer.put(number, `[${twin},${twin}]`);
    },
    sideStatus: async () => undefined,
    endless: {
      open: (timeoutMs) => open(taxpayer.url, {}, { timeoutMs }),
      refs: ['endless'],
      isWorking: async () => taxpayer.open > 0,
    },
    stop: () => taxpayer.stop(),
  };
});

describe('a taxpayer', () => {
  let taxpayer: Taxpayer;
  let now: number;
  const started: Taxpayer[] = [];
  const connectors: Connector[] = [];
  beforeEach(async () => {
    now = at;
    taxpayer = new Taxpayer(() => new Date(now));
    started.push(taxpayer);
    await taxpayer.start();
  });
  afterAll(async () => {
    for (const connector of connectors) await connector.close();
    for (const each of started) await each.stop();
  });
  const connect = async (changes: object = {}) => {
    const connector = await open(taxpayer.url, changes, { clock: () => new Date(now) });
    connectors.push(connector);
    return connector;
  };
  const drain = async (connector: Connector, cursor?: string) => {
    const refs: string[] = [];
    let from = cursor;
    for (let more = true; more; ) {
      const page = await connector.list(from, never);
      if (page.kind !== 'page') throw new Error(page.fault.message);
      refs.push(...page.refs);
      ({ cursor: from, more } = page);
    }
    return { refs, cursor: from };
  };
  const headerOf = async (connector: Connector, ref: string) => {
    const outcome = await connector.read(ref, never);
    if (outcome.kind !== 'found') throw new Error(JSON.stringify(outcome));
    const { sections, xml } = outcome.document;
    return { values: sections.header![0]!.values, xml };
  };

  test('searches half a year in windows of 31 days, and finds each document once', async () => {
    const days = Array.from({ length: 180 }, (_, day) => day);
    for (const day of days) taxpayer.put(`U${day}`, '{"number":"x"}', day * dayMs);
    const connector = await connect({ from: '2025-08-01' });
    const first = await drain(connector);
    expect(new Set(first.refs)).toEqual(new Set(days.map((day) => `U${day}`)));
    expect(first.refs).toHaveLength(180);
    for (const search of taxpayer.searches()) {
      const [from, to] = ['From', 'To'].map((end) =>
        Date.parse(search.get(`submissionDate${end}`)!),
      );
      expect(to! - from!).toBeLessThanOrEqual(31 * dayMs);
    }
    expect(taxpayer.searches()).toHaveLength(6);
    expect((await drain(connector, first.cursor)).refs).toEqual([]);
    now += 40 * dayMs; // The connector was off for longer than a window.
    taxpayer.put('LATER', '{"number":"x"}', dayMs);
    taxpayer.put('SOON AFTER', '{"number":"x"}', 39 * dayMs);
    const later = await drain(connector, first.cursor);
    expect(new Set(later.refs)).toEqual(new Set(['LATER', 'SOON AFTER']));
  });

  test('what was validated or listed late is found by the overlap, also after a restart', async () => {
    const { cursor } = await drain(await connect());
    now += 60_000;
    taxpayer.put('LATE', '{"number":"x"}', 20 * 3_600_000);
    expect((await drain(await connect(), cursor)).refs).toEqual(['LATE']);
  });

  test('a document that is cancelled while pages are read hides no other', async () => {
    const all = Array.from({ length: 250 }, (_, index) => `U${index}`);
    for (const [index, uuid] of all.entries()) taxpayer.put(uuid, '{"number":"x"}', index * 1_000);
    const connector = await connect();
    taxpayer.before = (request) => {
      // It leaves the first page, and one of the second moves up into it.
      if (request.url?.includes('pageNo=2')) taxpayer.received[3]!.status = 'Cancelled';
      return false;
    };
    const { refs } = await drain(connector);
    expect(new Set(refs)).toEqual(new Set(all));
    expect(refs).toHaveLength(250);
  });

  test('what its supplier cancels is listed again, and says so, also after days without a connection', async () => {
    taxpayer.put('KEPT', '{"number":"x"}', 0);
    taxpayer.put('TAKEN BACK', '{"number":"x"}', 0);
    const connector = await connect();
    const { refs, cursor } = await drain(connector);
    expect(new Set(refs)).toEqual(new Set(['KEPT', 'TAKEN BACK']));
    now += 60 * 3_600_000;
    taxpayer.cancel('TAKEN BACK');
    now += 7 * dayMs; // Nobody listed meanwhile.
    const next = await drain(connector, cursor);
    expect(next.refs).toEqual(['TAKEN BACK']);
    const said = {
      myinvois_status: 'Cancelled',
      cancelled_at: '2026-02-03T12:00:00.000Z',
      status_reason: 'wrong customer',
    };
    expect((await headerOf(connector, 'TAKEN BACK')).values).toMatchObject(said);
    taxpayer.givesOutCancelled = false;
    expect((await headerOf(connector, 'TAKEN BACK')).values).toMatchObject(said);
    expect((await drain(connector, next.cursor)).refs).toEqual([]);
    expect(taxpayer.searches('Cancelled')).toHaveLength(3);
  });

  test('what is cancelled is found after 40 days without a connection', async () => {
    taxpayer.put('TAKEN BACK', '{"number":"x"}', 0);
    const { cursor } = await drain(await connect());
    now += 60_000;
    taxpayer.cancel('TAKEN BACK');
    now += 40 * dayMs;
    expect((await drain(await connect(), cursor)).refs).toEqual(['TAKEN BACK']);
  });

  test('what could not be read is listed again', async () => {
    taxpayer.put('U', '{"number":"x"}', 0);
    const connector = await connect();
    const { refs, cursor } = await drain(connector);
    expect(refs).toHaveLength(1);
    expect((await drain(connector, cursor)).refs).toEqual([]);
    taxpayer.before = (request, response) => {
      if (!/\/(?:raw|details)/.test(request.url ?? '')) return false;
      response.writeHead(500).end();
      return true;
    };
    expect(await connector.readMany(refs, never)).toMatchObject([{ kind: 'unreachable' }]);
    taxpayer.before = () => false;
    expect((await drain(connector, cursor)).refs).toEqual(refs);
  });

  test('where searches are far apart each round makes one, and none is given up', async () => {
    for (const day of [1, 40, 80]) taxpayer.put(`U${day}`, '{"number":"x"}', day * dayMs);
    // A turn every half a second, and less patience.
    const settings = myinvois.settings.parse({
      url: taxpayer.url,
      ...credentials,
      ...fast,
      searchesPerMinute: 120,
      from: '2025-10-01',
    });
    const connector = await myinvois.open(settings, {
      clock: () => new Date(now),
      allowedRoots: [],
      timeoutMs: 800,
    });
    connectors.push(connector);
    const refs = new Set<string>();
    let cursor: string | undefined;
    const before = performance.now();
    let rounds = 0;
    while (refs.size < 3) {
      rounds += 1;
      const page = await connector.list(cursor, never);
      if (page.kind !== 'page') throw new Error(page.fault.message);
      for (const ref of page.refs) refs.add(ref);
      ({ cursor } = page);
      await wait(25);
    }
    expect(performance.now() - before).toBeGreaterThan(3 * 500);
    expect(rounds).toBeGreaterThan(taxpayer.searches().length);
    expect(taxpayer.searches('Cancelled')).toHaveLength(1);
  });

  test('one page is no more than a call can read at the pace of MyInvois', async () => {
    for (let index = 0; index < 50; index += 1) taxpayer.put(`U${index}`, '{"number":"x"}');
    const connector = await connect({ readsPerMinute: 60 });
    const page = await connector.list(undefined, never);
    expect(page).toMatchObject({ kind: 'page', more: true });
    expect(page.kind === 'page' && page.refs.length).toBe(20);
  });

  test('the end of the time to reject is what MyInvois publishes for the type', async () => {
    taxpayer.rejectionHours = 48;
    taxpayer.put('U1', '<Invoice><InvoiceTypeCode>01</InvoiceTypeCode></Invoice>', 0, 'Invoice');
    taxpayer.put('U2', '<Invoice><InvoiceTypeCode>01</InvoiceTypeCode></Invoice>', 0, 'Invoice');
    const connector = await connect();
    const { values, xml } = await headerOf(connector, 'U1');
    expect(values).toMatchObject({
      uuid: 'U1',
      myinvois_status: 'Valid',
      rejectable_until: '2026-02-03T00:00:00.000Z',
    });
    expect(xml).toContain('<InvoiceTypeCode>');
    await headerOf(connector, 'U2');
    const asked = taxpayer.requests.filter(({ url }) => url.pathname.includes('documenttypes'));
    expect(asked).toHaveLength(2);
  });

  test('UBL in JSON becomes the XML that it stands for', async () => {
    const invoice = {
      _D: 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2',
      Invoice: [
        {
          ID: [{ _: 'INV & <1>' }],
          InvoiceTypeCode: [{ _: '01', listVersionID: '1.1' }],
          LegalMonetaryTotal: [{ PayableAmount: [{ _: 106.1, currencyID: 'MYR' }] }],
          UBLExtensions: [{ UBLExtension: [{}] }],
          Note: [{ _: 'a' }, { _: 'b' }],
        },
      ],
    };
    const text = JSON.stringify(invoice).replace('106.1', '106.10');
    taxpayer.put('U1', text, 0, 'Invoice');
    const { values, xml } = await headerOf(await connect(), 'U1');
    expect(values).toMatchObject({ ID: 'INV & <1>', rejectable_until: expect.any(String) });
    expect(xml).toContain('<cbc:InvoiceTypeCode listVersionID="1.1">01</cbc:InvoiceTypeCode>');
    expect(xml).toContain('<cbc:ID>INV &amp; &lt;1&gt;</cbc:ID>');
    expect(xml).toContain('<cbc:PayableAmount currencyID="MYR">106.10</cbc:PayableAmount>');
    expect(xml).not.toContain('UBLExtension');
  });

  test.each([
    ['a name that ends the element', { Invoice: [{ 'ID><x': [{ _: '1' }] }] }],
    ['an attribute that ends it', { Invoice: [{ ID: [{ _: '1', 'a="b" x': 'y' }] }] }],
    ['two invoices', { Invoice: [{}, {}] }],
    ['two roots', { Invoice: [{}], CreditNote: [{}] }],
    ['a text in place of an element', { Invoice: [{ ID: ['1'] }] }],
    ['no invoice', { number: '1' }],
  ])('JSON with %s is not made XML', (_, value) => {
    expect(xmlOfUblJson(value)).toBeUndefined();
  });

  test('an intermediary or a wrong secret is told, without the secret', async () => {
    const connector = await connect({ clientSecret: secretInTests });
    const outcome = await connector.test(never);
    expect(outcome).toMatchObject({ kind: 'failed', fault: { code: 'access_denied' } });
    expect(JSON.stringify(outcome)).not.toContain(secretInTests);
  });

  test('MyInvois that asks for patience is asked again when it says', async () => {
    taxpayer.put('U1', '{"number":"x"}');
    let refused = 0;
    taxpayer.before = (request, response) => {
      if (!request.url?.includes('/search') || refused > 0) return false;
      refused += 1;
      response.writeHead(429, { 'retry-after': '0' }).end('{}');
      return true;
    };
    expect((await drain(await connect())).refs).toEqual(['U1']);
  });
});
