import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createCertificate } from '../../test/kit/certificates.ts';
import { connectorSuite, sampleCommand, secretInTests } from '../contract.suite.ts';
import type { Connector, ConnectorContext } from '../contract.ts';
import { limits } from '../contract.ts';
import type { SampleDocument } from '../source-under-test.kit.ts';
import { http } from './connector.ts';
import { Erp } from './erp.fixture.ts';

const never = new AbortController().signal;
const clock = () => new Date('2026-02-01T00:00:00Z');

const usual = {
  list: {
    path: '/invoices',
    records: '$.data',
    ref: '$.number',
    paging: { by: 'cursor', parameter: 'after', next: '$.next' },
    changes: {},
  },
  read: { path: '/invoices?number={ref}', record: '$.data' },
};

const open = (url: string, changes: object = {}, context: Partial<ConnectorContext> = {}) =>
  http.open(http.settings.parse({ url, ...usual, ...changes }), {
    clock,
    allowedRoots: [],
    ...context,
  });

/** Numbers as an ERP writes them, with all their digits. */
function jsonOf({ lines, ...header }: SampleDocument): string {
  const withNumbers = (value: object, numbers: readonly string[]) =>
    JSON.stringify(value, (key, member) => (numbers.includes(key) ? `#${member}#` : member));
  return withNumbers({ ...header, lines }, ['total', 'price']).replace(/"#(-?[\d.]+)#"/g, '$1');
}

connectorSuite('http', async () => {
  const erp = new Erp();
  await erp.start();
  const writeBack = {
    mode: 'request',
    path: '/status/{ref}',
    sandboxPath: '/status-sandbox/{ref}',
  };
  const slow = { read: { path: '/endless/{ref}' } };
  return {
    connector: await open(erp.url, { writeBack }),
    unreachable: await open('http://127.0.0.1:1', {
      writeBack,
      auth: { type: 'basic', user: 'erp', password: secretInTests },
    }),
    pageSize: limits.pageSize,
    refOf: (number) => number,
    async insert(documents) {
      for (const document of documents) erp.put(document.number, jsonOf(document));
    },
    async insertTwins(number) {
      erp.put(number, JSON.stringify({ number }));
      erp.invoices.push({ ...erp.invoices.at(-1)! });
    },
    async sideStatus(environment, ref) {
      const collection = environment === 'live' ? 'status' : 'status-sandbox';
      const stored = erp.statuses.get(`${collection}/${ref}`);
      return stored === undefined ? undefined : JSON.parse(stored.json);
    },
    endless: {
      open: (timeoutMs) => open(erp.url, slow, { timeoutMs }),
      refs: ['x'],
      isWorking: async () => erp.open > 0,
    },
    stop: () => erp.stop(),
  };
});

describe('an API', () => {
  let erp: Erp;
  const started: Erp[] = [];
  const connectors: Connector[] = [];
  beforeEach(async () => {
    erp = new Erp();
    started.push(erp);
    await erp.start();
  });
  afterAll(async () => {
    for (const connector of connectors) await connector.close();
    for (const each of started) await each.stop();
  });
  const connect = async (changes: object = {}, context: Partial<ConnectorContext> = {}) => {
    const connector = await open(erp.url, changes, context);
    connectors.push(connector);
    return connector;
  };
  const fill = (count: number) => {
    for (let index = 0; index < count; index += 1) erp.put(`N-${index}`, `{"number":"N-${index}"}`);
  };
  const drain = async (connector: Connector, cursor?: string) => {
    const refs: string[] = [];
    let at = cursor;
    for (let more = true; more; ) {
      const page = await connector.list(at, never);
      if (page.kind !== 'page') throw new Error(page.fault.message);
      refs.push(...page.refs);
      ({ cursor: at, more } = page);
    }
    return { refs, cursor: at };
  };
  const listBy = (paging: object, changes?: object) => ({
    list: {
      path: '/invoices',
      records: '$.data',
      ref: '$.number',
      paging,
      ...(changes && { changes }),
    },
  });

  describe.each([
    ['page', { by: 'page' }],
    ['offset', { by: 'offset' }],
    ['cursor', { by: 'cursor', parameter: 'after', next: '$.next' }],
    ['the header Link', { by: 'link' }],
    ['a link in the answer', { by: 'link', next: '$.next_url' }],
  ])('paged by %s', (_name, paging) => {
    test.each([
      ['changes', {}],
      ['new records only', undefined],
    ])('gives each record once, and later those that came since: %s', async (_kind, changes) => {
      fill(450);
      const connector = await connect(listBy(paging, changes));
      const first = await drain(connector);
      expect(first.refs).toEqual(Array.from({ length: 450 }, (_, index) => `N-${index}`));
      expect((await drain(connector, first.cursor)).refs).toEqual([]);
      erp.put('LATER', '{"number":"LATER"}');
      const later = await drain(connector, first.cursor);
      expect(later.refs).toEqual(['LATER']);
      if (changes === undefined) return;
      erp.put('N-7', '{"number":"N-7"}');
      expect((await drain(connector, later.cursor)).refs).toEqual(['N-7']);
    });
  });

  test.each([{ by: 'page' }, { by: 'offset' }])(
    'records that move between pages while they are read are not lost: %j',
    async (paging) => {
      fill(300);
      const connector = await connect(listBy(paging, {}));
      let isMoved = false;
      erp.before = (request) => {
        const isSecond = /page=2|offset=100/.test(request.url ?? '');
        if (isSecond && !isMoved) {
          isMoved = true;
          // It leaves the first page, and one of the second moves up into it.
          erp.put('N-3', '{"number":"N-3"}');
        }
        return false;
      };
      const { refs } = await drain(connector);
      expect(new Set(refs).size).toBe(300);
    },
  );

  test('what was committed late with an earlier time is found in the overlap', async () => {
    fill(3);
    const connector = await connect();
    const { cursor } = await drain(connector);
    erp.put('LATE', '{"number":"LATE"}');
    erp.invoices.at(-1)!.updatedMs -= 60_000;
    expect((await drain(connector, cursor)).refs).toEqual(['LATE']);
  });

  test('what was listed is listed again when none of it could be read, or it was not stored', async () => {
    const connector = await connect(listBy({ by: 'page' }, {}));
    const { cursor } = await drain(connector);
    fill(2);
    const refs = ['N-0', 'N-1'];
    expect((await drain(connector, cursor)).refs).toEqual(refs);
    let failing = /number=N-/;
    erp.before = (request, response) => {
      if (!failing.test(request.url ?? '')) return false;
      response.writeHead(500).end();
      return true;
    };
    await connector.readMany(refs, never);
    expect((await drain(connector, cursor)).refs).toEqual(refs);
    // Whoever reads one of them sets the other aside.
    failing = /number=N-1/;
    expect((await connector.readMany(refs, never))[1]).toMatchObject({ kind: 'unreachable' });
    expect((await drain(connector, cursor)).refs).toEqual([]);
    connector.forgetListed?.();
    expect((await drain(connector, cursor)).refs).toEqual(refs);
  });

  test('a server that is slow to read from is given pages that one call can read', async () => {
    fill(60);
    const pace = { requestsPerMinute: 1_200 };
    const connector = await connect(pace, { timeoutMs: 1_000, clock: () => new Date() });
    const read: string[] = [];
    const lengths: number[] = [];
    let at: string | undefined;
    for (let calls = 0; calls < 60 && read.length < 60; calls += 1) {
      const page = await connector.list(at, never);
      if (page.kind !== 'page') continue;
      lengths.push(page.refs.length);
      const outcomes = await connector.readMany(page.refs, never);
      // As an agent does: it goes on when all are read.
      if (outcomes.some(({ kind }) => kind !== 'found')) continue;
      read.push(...page.refs);
      at = page.cursor;
    }
    expect(lengths[0]).toBe(60);
    expect(read).toEqual(Array.from({ length: 60 }, (_, index) => `N-${index}`));
  }, 60_000);

  test('what was found by a list that failed in its middle is listed by the next one', async () => {
    const connector = await connect(listBy({ by: 'page' }, {}));
    const { cursor } = await drain(connector);
    fill(150);
    erp.before = (request, response) => {
      if (!/page=2/.test(request.url ?? '')) return false;
      response.writeHead(500).end();
      return true;
    };
    expect(await connector.list(cursor, never)).toMatchObject({ kind: 'unreachable' });
    erp.before = () => false;
    expect((await drain(connector, cursor)).refs).toHaveLength(150);
  });

  test('a record that is dated in years to come keeps no later one back', async () => {
    fill(1);
    const connector = await connect();
    erp.put('FUTURE', '{"number":"FUTURE"}');
    erp.invoices.at(-1)!.updatedMs = Date.UTC(2099, 0, 1);
    const { cursor } = await drain(connector);
    erp.put('LATER', '{"number":"LATER"}');
    erp.invoices.at(-1)!.updatedMs = clock().getTime();
    expect((await drain(connector, cursor)).refs).toEqual(['LATER']);
  });

  test('a list that is slow is read on from where a call ended, also where all is known there', async () => {
    fill(400);
    let nowMs = clock().getTime();
    erp.before = (request) => {
      if (/\/invoices\?page/.test(request.url ?? '')) nowMs += 10_000;
      return false;
    };
    const connector = await connect(listBy({ by: 'page' }, {}), { clock: () => new Date(nowMs) });
    const { cursor } = await drain(connector);
    erp.requests.length = 0;
    expect(await connector.list(cursor, never)).toMatchObject({ refs: [], more: false });
    // The second pass over the four pages, by two of them a call.
    const again = await connect(listBy({ by: 'page' }, {}), { clock: () => new Date(nowMs) });
    const pages: number[] = [];
    let at: string | undefined;
    for (let more = true; more; ) {
      erp.requests.length = 0;
      const page = await again.list(at, never);
      if (page.kind !== 'page') throw new Error(page.fault.message);
      pages.push(erp.requests.length);
      ({ cursor: at, more } = page);
    }
    expect(Math.max(...pages)).toBeLessThanOrEqual(2);
  });

  test.each([{ by: 'page' }, { by: 'offset' }])(
    'a server that gives its last page again and again has an end: %j',
    async (paging) => {
      const lines = ['{"no":1}', '{"no":2}'];
      erp.put('N', '{"number":"N"}', lines);
      erp.before = (request, response) => {
        const { pathname } = new URL(request.url ?? '', erp.url);
        if (!pathname.endsWith('/lines')) return false;
        response.end(`{"data":[${lines.join()}]}`);
        return true;
      };
      const children = { lines: { path: '/invoices/{ref}/lines', records: '$.data', paging } };
      const connector = await connect({ read: { path: '/invoices/{ref}' }, children });
      const outcome = await connector.read('N', never);
      expect(outcome.kind === 'found' && outcome.document.sections.lines).toHaveLength(2);
    },
  );

  test.each([
    ['a path that is none', { path: '/facturas' }, 'list_missing', '"list.path"'],
    ['a place of refs without one', { ref: '$.id' }, 'path_wrong', '"list.ref"'],
    [
      'a place of changes without one',
      { changes: { field: '$.modified' } },
      'path_wrong',
      '"list.changes.field"',
    ],
  ])('settings that find nothing are told: %s', async (_name, wrong, code, setting) => {
    fill(3);
    const connector = await connect({ list: { ...usual.list, ...wrong } });
    const fault = { code, message: expect.stringContaining(setting) };
    expect(await connector.test(never)).toMatchObject({ kind: 'failed', fault });
  });

  test('a list that has moved away is a fault, and not one without records', async () => {
    fill(1);
    const connector = await connect();
    const { cursor } = await drain(connector);
    erp.before = (_, response) => {
      response.writeHead(404).end();
      return true;
    };
    expect(await connector.list(cursor, never)).toMatchObject({ fault: { code: 'list_missing' } });
  });

  test('an answer that is packed is read, within the limit of what it unpacks to', async () => {
    const pack = (text: string) => (_: unknown, response: ServerResponse) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(text));
      return true;
    };
    erp.before = pack('{"data":[{"number":"N","updated_at":"2026-01-01T00:00:00Z"}]}');
    const connector = await connect();
    expect(await connector.test(never)).toMatchObject({ kind: 'ok', sampleRefs: ['N'] });
    erp.before = pack(' '.repeat(limits.answerBytesMax + 1));
    expect(await connector.read('N', never)).toMatchObject({ fault: { code: 'too_large' } });
  });

  test('two hundred thousand records are listed in memory that does not grow with them', async () => {
    const count = 200_000;
    erp.before = (request, response) => {
      const offset = Number(new URL(request.url ?? '', erp.url).searchParams.get('offset'));
      erp.requests.length = 0;
      const length = Math.min(2_000, count - offset);
      const records = Array.from(
        { length },
        (_, index) => `{"number":"INV-${offset + index}","note":"a usual length of text"}`,
      );
      response.end(`{"data":[${records.join()}]}`);
      return true;
    };
    const connector = await connect(listBy({ by: 'offset' }));
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    let cursor: string | undefined;
    let listed = 0;
    let before = 0;
    let peak = 0;
    for (let more = true; more; ) {
      const page = await connector.list(cursor, never);
      if (page.kind !== 'page') throw new Error(page.fault.message);
      listed += page.refs.length;
      ({ cursor, more } = page);
      if (listed % 20_000 !== 0) continue;
      collect();
      const used = process.memoryUsage().heapUsed;
      if (before === 0) before = used;
      peak = Math.max(peak, used);
    }
    expect(listed).toBe(count);
    expect(peak - before).toBeLessThan(20_000_000);
  }, 300_000);

  test('sections are read by further requests, page by page, with the numbers as they are written', async () => {
    erp.pageSize = 2;
    const lines = [
      '{"no":1,"qty":9007199254740993.5}',
      '{"no":2,"qty":1e3}',
      '{"no":3,"qty":0.10}',
    ];
    erp.put('A/1', '{"number":"A/1","customer":"C 7","total":12345678901234567890.12}', lines);
    const children = {
      lines: { path: '/invoices/{number}/lines', records: '$.data', paging: { by: 'offset' } },
    };
    const connector = await connect({ read: { path: '/invoices/{ref}' }, children });
    expect(await connector.read('A/1', never)).toMatchObject({
      document: {
        sections: {
          header: [{ values: { total: '12345678901234567890.12' } }],
          lines: [
            { key: '1', values: { qty: '9007199254740993.5' } },
            { key: '2', values: { qty: '1000' } },
            { key: '3', values: { qty: '0.10' } },
          ],
        },
      },
    });
    expect(await connector.read('..', never)).toEqual({ kind: 'missing' });
  });

  test.each([
    ['a header', { type: 'header', name: 'Authorization', value: 'Key k' }, 'Key k'],
    [
      'basic',
      { type: 'basic', user: 'u', password: 'p:ß' },
      `Basic ${Buffer.from('u:p:ß').toString('base64')}`,
    ],
  ])('requests are signed in by %s', async (_name, auth, authorization) => {
    erp.authorization = authorization;
    fill(1);
    expect(await (await connect({ auth })).test(never)).toMatchObject({
      kind: 'ok',
      sampleRefs: ['N-0'],
    });
    const other = await (await connect()).test(never);
    expect(other).toMatchObject({
      kind: 'failed',
      fault: { code: 'access_denied', retry: 'never' },
    });
  });

  describe('with OAuth 2.0', () => {
    const signIn = (clientSecret: string) => ({
      auth: {
        type: 'oauth2',
        client: { tokenUrl: `${erp.url}/token`, clientId: 'drawbridge', clientSecret },
      },
    });

    test('a token is asked for once, kept, and asked for again before its end', async () => {
      let nowMs = clock().getTime();
      fill(1);
      const connector = await connect(signIn('client secret'), { clock: () => new Date(nowMs) });
      await Promise.all([1, 2, 3].map(() => connector.test(never)));
      expect(erp.tokensGiven).toBe(1);
      nowMs += 3_590_000;
      expect(await connector.test(never)).toMatchObject({ kind: 'ok' });
      expect(erp.tokensGiven).toBe(2);
    });

    test('a token that the server forgot is asked for again, once', async () => {
      fill(1);
      const connector = await connect(signIn('client secret'));
      await connector.test(never);
      erp.authorization = 'Bearer another';
      expect(await connector.test(never)).toMatchObject({ kind: 'ok' });
      expect(erp.tokensGiven).toBe(2);
      erp.before = (request, response) => {
        if (request.url === '/token') return false;
        response.writeHead(401).end();
        return true;
      };
      expect(await connector.test(never)).toMatchObject({ fault: { code: 'access_denied' } });
      expect(erp.tokensGiven).toBe(3);
    });

    test('a wrong secret is a fault without it', async () => {
      const outcome = await (await connect(signIn(secretInTests))).test(never);
      expect(outcome).toMatchObject({ kind: 'failed', fault: { code: 'access_denied' } });
      expect(JSON.stringify(outcome)).not.toContain(secretInTests);
    });
  });

  test('a server that asks for a little patience is asked again, and for more it is told', async () => {
    fill(1);
    const connector = await connect();
    let refusals = 2;
    let after = '0';
    erp.before = (_, response) => {
      if (refusals === 0) return false;
      refusals -= 1;
      response.writeHead(429, { 'retry-after': after }).end();
      return true;
    };
    expect(await connector.test(never)).toMatchObject({ kind: 'ok' });
    refusals = 1;
    after = '120';
    expect(await connector.test(never)).toMatchObject({
      kind: 'failed',
      fault: { code: 'overloaded', retry: { afterSeconds: 120 } },
    });
  });

  test('a server that restarts in the middle of a read is read on from afterwards', async () => {
    fill(40);
    const connector = await connect();
    let asked = 0;
    erp.before = () => {
      asked += 1;
      return asked === 10; // this one gets no answer
    };
    const refs = Array.from({ length: 40 }, (_, index) => `N-${index}`);
    const reading = connector.readMany(refs, never);
    await expect.poll(() => asked).toBeGreaterThanOrEqual(10);
    await erp.stop();
    const outcomes = await reading;
    expect(outcomes.some(({ kind }) => kind === 'unreachable')).toBe(true);
    for (const outcome of outcomes) {
      if (outcome.kind !== 'found') expect(outcome).toMatchObject({ fault: { retry: 'later' } });
    }
    erp.before = () => false;
    await erp.start();
    for (const outcome of await connector.readMany(refs, never)) expect(outcome.kind).toBe('found');
  });

  test.each([
    [
      'a link to another server',
      200,
      { link: '<http://198.51.100.7/>; rel="next"' },
      '{"data":[]}',
      'link_elsewhere',
    ],
    [
      'a link to nowhere',
      200,
      { link: '<http://[/>; rel="next"' },
      '{"data":[]}',
      'link_elsewhere',
    ],
    ['a redirect', 302, { location: 'http://198.51.100.7/' }, '', 'redirect'],
    ['no JSON', 200, {}, '<html>', 'answer_unreadable'],
    ['no array', 200, {}, '{"data":{}}', 'answer_unreadable'],
    ['JSON too deep', 200, {}, '['.repeat(200_000), 'answer_unreadable'],
    ['an unknown path', 400, {}, '', 'statement_failed'],
    ['a failure', 500, {}, '', 'unreachable'],
  ])('%s is a fault', async (_name, status, headers, body, code) => {
    erp.before = (_, response) => {
      response.writeHead(status, headers).end(body);
      return true;
    };
    const connector = await connect(listBy({ by: 'link' }));
    expect(await connector.list(undefined, never)).toMatchObject({
      kind: 'unreachable',
      fault: { code },
    });
  });

  test('Latin-1 is read when the server says so', async () => {
    erp.before = (_, response) => {
      response.setHeader('content-type', 'application/json; charset=ISO-8859-1');
      response.end(Buffer.from('{"data":[{"number":"N","buyer":"Soci\xe9t\xe9"}]}', 'latin1'));
      return true;
    };
    expect(JSON.stringify(await (await connect()).read('N', never))).toContain('Société');
  });

  describe('confirmations', () => {
    const command = sampleCommand('INV/1', 'key 1');

    test('carry an idempotency key and the names of the settings', async () => {
      const names = { invoice_id: 'drawbridge_id', uin: 'irbm' };
      const connector = await connect({
        writeBack: { mode: 'request', path: '/status/{ref}', method: 'PATCH', names },
      });
      expect(await connector.writeBack(command, never)).toMatchObject({ kind: 'written' });
      const sent = erp.requests.find(({ method }) => method === 'PATCH');
      expect(sent?.headers['idempotency-key']).toMatch(/^[0-9a-f]{64}$/);
      expect(sent?.headers['if-none-match']).toBe('*');
      const stored = JSON.parse(erp.statuses.get('status/INV/1')?.json ?? '');
      expect(stored).toMatchObject({ drawbridge_id: 'inv_1', irbm: 'F9D425P6DS7D8IU' });
      expect(await connector.writeBack(command, never)).toMatchObject({ kind: 'already' });
    });

    test('of the sandbox go nowhere without a place of their own', async () => {
      const connector = await connect({ writeBack: { mode: 'request', path: '/status/{ref}' } });
      const sandbox = sampleCommand('A', 'key-a', {}, 'sandbox');
      expect(await connector.writeBack(sandbox, never)).toEqual({ kind: 'unsupported' });
      expect(erp.requests).toEqual([]);
    });

    test('are only sent where the server does not tell what it has', async () => {
      const writeBack = { mode: 'request', path: '/status', method: 'POST', readable: false };
      const connector = await connect({ writeBack });
      expect(await connector.writeBack(command, never)).toMatchObject({ kind: 'written' });
      expect(erp.requests.map(({ method }) => method)).toEqual(['POST']);
    });
  });

  test('an address that the caller refuses is not called', async () => {
    class Refusing extends Socket {
      override connect(): this {
        return this.destroy(Object.assign(new Error('no'), { code: 'ERR_ADDRESS_REFUSED' }));
      }
    }
    const connector = await connect({}, { socket: () => new Refusing() });
    expect(await connector.test(never)).toMatchObject({
      kind: 'failed',
      fault: { message: expect.stringContaining('private address') },
    });
    expect(erp.requests).toEqual([]);
  });

  test('sockets of the caller are used, with TLS and a certificate of a private authority', async () => {
    const authority = createCertificate({ name: 'Company CA', isAuthority: true });
    const own = createCertificate({ name: 'erp.test', issuer: authority, hosts: ['127.0.0.1'] });
    const secure = new Erp(own);
    started.push(secure);
    await secure.start();
    secure.put('S', '{"number":"S"}');
    let sockets = 0;
    const socket = () => {
      sockets += 1;
      return new Socket();
    };
    const trusting = await open(secure.url, { ca: authority.cert }, { socket });
    expect(await trusting.test(never)).toMatchObject({ kind: 'ok', sampleRefs: ['S'] });
    expect(sockets).toBeGreaterThan(0);
    const other = await open(secure.url, {});
    expect(await other.test(never)).toMatchObject({
      kind: 'failed',
      fault: { message: expect.stringContaining('not trusted') },
    });
    connectors.push(trusting, other);
  });
});
