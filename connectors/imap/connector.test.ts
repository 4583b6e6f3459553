import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { workbookOf } from '@drawbridge/records/workbook.kit.ts';
import { ImapFlow } from 'imapflow';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCertificate } from '../../test/kit/certificates.ts';
import { dovecotUnavailable, startDovecot, type TestDovecot } from '../../test/kit/dovecot.ts';
import { connectorSuite, sampleCommand, secretInTests } from '../contract.suite.ts';
import { type Connector, limits } from '../contract.ts';
import type { SampleDocument } from '../source-under-test.kit.ts';
import { writeConfirmation } from '../write-confirmation.ts';
import { imap } from './connector.ts';
import { statusMailbox } from './status.ts';

const never = new AbortController().signal;
const clock = () => new Date('2026-02-01T00:00:00Z');
const missing = dovecotUnavailable();

interface File {
  readonly name?: string;
  readonly content: string | Uint8Array;
  /** Headers of the part beside its name. */
  readonly headers?: string;
}

interface Mail {
  /** Without it there is no Message-ID. */
  readonly id?: string | undefined;
  readonly files: readonly File[];
}

/** A message, with CRLF. */
function mailOf({ id, files }: Mail): string {
  const boundary = `b-${randomUUID()}`;
  const parts = files.map(({ name, content, headers }) => {
    const named = name === undefined ? '' : `; filename="${name}"`;
    const body = Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n');
    const usual = `Content-Type: application/octet-stream\r\nContent-Disposition: attachment${named}`;
    return `--${boundary}\r\n${headers ?? usual}\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n`;
  });
  return [
    'From: ERP <erp@example.test>',
    'Subject: invoices',
    ...(id === undefined ? [] : [`Message-ID: <${id}>`]),
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    `--${boundary}\r\nContent-Type: text/plain\r\n\r\nHere they are.\r\n`,
    ...parts,
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

function refOfFile(id: string, { name = 'file', content }: File): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return `${id}/${hash}/${name}`;
}

function settingsFor({ host, port, user, password }: TestDovecot, changes: object = {}) {
  return imap.settings.parse({ host, port, user, password, tls: 'off', ...changes });
}

async function loggedIn({ host, port, user, password }: TestDovecot): Promise<ImapFlow> {
  const auth = { user, pass: password };
  const client = new ImapFlow({ host, port, auth, secure: false, logger: false });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const open = (server: TestDovecot, changes: object = {}, limit: { timeoutMs?: number } = {}) =>
  imap.open(settingsFor(server, changes), { clock, allowedRoots: [], ...limit });

const json = (number: string): File => ({
  name: `${number}.json`,
  content: `{"number":"${number}"}`,
});

/** A document of two megabytes. */
const largeDocument = JSON.stringify(
  Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`a${at}`, 'x'.repeat(100_000)])),
);

const listed = async (connector: Connector, cursor?: string) => {
  const page = await connector.list(cursor, never);
  if (page.kind !== 'page') throw new Error(page.fault.message);
  return page;
};

if (missing === undefined) {
  connectorSuite('imap', async () => {
    const server = await startDovecot();
    const client = await loggedIn(server);
    await client.mailboxCreate('heap');
    const refs = new Map<string, string>();
    const put = async (number: string, content: string, mailbox = 'INBOX') => {
      const id = `${createHash('sha256').update(number).digest('hex').slice(0, 20)}@erp.test`;
      const file = { name: 'invoice.json', content };
      const ref = refOfFile(id, file);
      refs.set(number, ref);
      await client.append(mailbox, mailOf({ id, files: [file] }));
      return ref;
    };
    // Long to read because there is much of it.
    const heap: string[] = [];
    for (let index = 0; index < 30; index += 1)
      heap.push(await put(`heap ${index}`, largeDocument, 'heap'));
    const sideStatus = async (environment: 'live' | 'sandbox', ref: string) => {
      const mailbox = statusMailbox('einv_status', environment);
      const found = await client.mailboxOpen(mailbox).catch(() => undefined);
      if (found === undefined) return undefined;
      const digest = createHash('sha256').update(ref).digest('hex');
      const uids = await client.search(
        { header: { 'X-Drawbridge-Document': digest } },
        { uid: true },
      );
      const [uid] = uids === false || uids === undefined ? [] : uids;
      if (uid === undefined) return undefined;
      const message = await client.fetchOne(String(uid), { source: true }, { uid: true });
      const source = message === false ? undefined : message?.source;
      const body = source?.toString('latin1').split('\r\n\r\n')[1] ?? '';
      return JSON.parse(Buffer.from(body, 'base64').toString('utf8'));
    };
    return {
      connector: await open(server),
      unreachable: await imap.open(settingsFor({ ...server, port: 1, password: secretInTests }), {
        clock,
        allowedRoots: [],
      }),
      pageSize: limits.pageSize,
      refOf: (number) =>
        refs.get(number) ??
        `${createHash('sha256').update(number).digest('hex')}@none/0000000000000000/a.json`,
      async insert(documents) {
        for (const { lines, ...header } of documents as readonly SampleDocument[]) {
          await put(header.number, JSON.stringify({ ...header, lines }));
        }
      },
      async insertTwins(number) {
        await put(number, '[{"number":"1"},{"number":"2"}]');
      },
      sideStatus,
      endless: {
        open: (timeoutMs) => open(server, { mailbox: 'heap' }, { timeoutMs }),
        refs: heap,
      },
      async stop() {
        client.close();
        await server.stop();
      },
    };
  });
}

describe.skipIf(missing !== undefined)('a mailbox', () => {
  let server: TestDovecot;
  let client: ImapFlow;
  const connectors: Connector[] = [];
  beforeAll(async () => {
    server = await startDovecot();
    client = await loggedIn(server);
  });
  afterAll(async () => {
    for (const connector of connectors) await connector.close();
    client.close();
    await server.stop();
  });

  /** A mailbox of its own for a test. */
  let mailbox: string;
  beforeEach(async () => {
    if (!client.usable) client = await loggedIn(server);
    mailbox = `box ${randomUUID()}`;
    await client.mailboxCreate(mailbox);
  });
  const connect = async (changes: object = {}) => {
    const connector = await open(server, { mailbox, ...changes });
    connectors.push(connector);
    return connector;
  };
  const send = (mail: Mail | string, to = mailbox) =>
    client.append(to, typeof mail === 'string' ? mail : mailOf(mail));
  const messagesIn = async (name: string) => {
    const status = await client.status(name, { messages: true }).catch(() => false as const);
    return status === false ? 0 : (status.messages ?? 0);
  };

  test('files of all kinds are documents, each called by message, content and name', async () => {
    const connector = await connect();
    const csv = Buffer.from('no;buyer\n1;Soci\xe9t\xe9\n', 'latin1');
    const xlsx = workbookOf({
      rows: ['<c t="inlineStr"><is><t>no</t></is></c>', '<c><v>7</v></c>'],
    });
    const ubl = '<Invoice><ID>INV-1</ID><InvoiceLine><ID>1</ID></InvoiceLine></Invoice>';
    const files: File[] = [
      { name: 'a.xlsx', content: xlsx },
      { content: ubl, headers: 'Content-Type: application/xml' },
      { name: 'scan.pdf', content: '%PDF' },
      json('INV-2'),
      { name: '../../etc/a.csv', content: 'no\n1\n' },
      json('INV-2'),
    ];
    await send({ id: 'kinds@erp', files });
    const page = await listed(connector);
    expect(page.refs).toEqual([
      refOfFile('kinds@erp', files[0]!),
      refOfFile('kinds@erp', { name: 'file.xml', content: ubl }),
      refOfFile('kinds@erp', files[3]!),
      refOfFile('kinds@erp', { name: 'a.csv', content: 'no\n1\n' }),
    ]);
    const outcomes = await connector.readMany(page.refs, never);
    expect(outcomes).toMatchObject([
      { document: { sections: { lines: [{ values: { no: '7' } }] } } },
      { document: { sections: { header: [{ values: { ID: 'INV-1' } }], InvoiceLine: [{}] } } },
      { document: { sections: { header: [{ values: { number: 'INV-2' } }] } } },
      { kind: 'found' },
    ]);
    await send({ id: 'latin@erp', files: [{ name: 'l.csv', content: csv }] });
    const latin = await connect({ encoding: 'windows-1252' });
    const ref = refOfFile('latin@erp', { name: 'l.csv', content: csv });
    expect(JSON.stringify(await latin.read(ref, never))).toContain('Société');
  });

  test.each([
    'Content-Type: message/rfc822\r\nContent-Disposition: attachment; filename="fwd.eml"',
    'Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="fwd.eml"',
  ])('files of a message that is attached to another are documents: %s', async (headers) => {
    const connector = await connect();
    const forwarded = mailOf({ id: 'inner@erp', files: [json('F-1')] });
    const twice = mailOf({ id: 'middle@erp', files: [{ content: forwarded, headers }] });
    await send({ id: 'outer@erp', files: [{ content: twice, headers }, json('F-2')] });
    const { refs } = await listed(connector);
    expect(refs).toEqual([
      refOfFile('outer@erp', json('F-1')),
      refOfFile('outer@erp', json('F-2')),
    ]);
    expect(JSON.stringify(await connector.read(refs[0]!, never))).toContain('F-1');
  });

  test.each([
    'application/pkcs7-mime; name="smime.p7m"',
    'application/ms-tnef; name="winmail.dat"',
  ])('a message that cannot be looked into is told: %s', async (type) => {
    const connector = await connect();
    await send({ id: 'closed@erp', files: [{ content: 'x', headers: `Content-Type: ${type}` }] });
    const { refs } = await listed(connector);
    expect(refs).toEqual(['closed@erp/message']);
    expect(await connector.read(refs[0]!, never)).toMatchObject({
      kind: 'unusable',
      fault: { code: 'message_closed' },
    });
  });

  test('messages without documents are passed, however slow they come', async () => {
    let nowMs = clock().getTime();
    // Each look at it is ten seconds later, of which a list has fifteen.
    const slow = () => new Date((nowMs += 10_000));
    const connector = await imap.open(settingsFor(server, { mailbox }), {
      clock: slow,
      allowedRoots: [],
    });
    connectors.push(connector);
    for (let count = 0; count < 3; count += 1) await send({ files: [] });
    await send({ id: 'last@erp', files: [json('L-1')] });
    const first = await listed(connector);
    expect(first).toMatchObject({ refs: [], more: true });
    let page = first;
    while (page.more) page = await listed(connector, page.cursor);
    expect(page.refs).toEqual([refOfFile('last@erp', json('L-1'))]);
  });

  test('a file of several documents gives a ref for each', async () => {
    const connector = await connect({ documentColumn: 'no' });
    const file = { name: 'day.csv', content: 'no;item\nA;1\nB;1\nA;2\n' };
    await send({ id: 'many@erp', files: [file] });
    const base = refOfFile('many@erp', file);
    expect((await listed(connector)).refs).toEqual([`${base}#A`, `${base}#B`]);
    expect(await connector.read(`${base}#A`, never)).toMatchObject({
      document: { sections: { lines: [{}, {}] } },
    });
  });

  test('messages are flagged only when the caller has stored what was listed', async () => {
    const connector = await connect();
    await send({ id: 'f1@erp', files: [json('F-1')] });
    const flagged = async () => {
      await client.mailboxOpen(mailbox);
      return client.search({ keyword: '$DrawbridgeTaken' }, { uid: true });
    };
    const page = await listed(connector);
    expect(await flagged()).toEqual([]);
    await listed(connector, page.cursor);
    expect(await flagged()).toHaveLength(1);
  });

  test('a server that restarts in the middle of a read is read on from afterwards', async () => {
    const connector = await connect();
    const refs: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const file = { name: `${index}.json`, content: largeDocument };
      await send({ id: `restart${index}@erp`, files: [file] });
      refs.push(refOfFile(`restart${index}@erp`, file));
    }
    const reading = connector.readMany(refs, never);
    await expect.poll(() => server.sessions()).toBeGreaterThan(0);
    await server.halt();
    for (const outcome of await reading) {
      if (outcome.kind !== 'found') {
        expect(outcome).toMatchObject({ kind: 'unreachable', fault: { retry: 'later' } });
      }
    }
    expect(await connector.test(never)).toMatchObject({
      kind: 'failed',
      fault: { code: 'unreachable' },
    });
    await server.resume();
    for (const outcome of await connector.readMany(refs, never)) expect(outcome.kind).toBe('found');
  });

  test('a message moves when its last document is confirmed, and is read there too', async () => {
    const processed = `done ${randomUUID()}`;
    const rejected = `bad ${randomUUID()}`;
    const connector = await connect({ processed, rejected });
    await send({ id: 'm1@erp', files: [json('M-1'), json('M-2')] });
    await send({ id: 'm2@erp', files: [json('M-3')] });
    const { refs } = await listed(connector);
    const confirm = (ref: string, status: 'cleared' | 'rejected') =>
      connector.writeBack(sampleCommand(ref, `key-${ref}`, { status }), never);
    await confirm(refs[0]!, 'cleared');
    expect(await messagesIn(processed)).toBe(0);
    await confirm(refs[1]!, 'cleared');
    await confirm(refs[2]!, 'rejected');
    expect([
      await messagesIn(processed),
      await messagesIn(rejected),
      await messagesIn(mailbox),
    ]).toEqual([1, 1, 0]);
    for (const outcome of await connector.readMany(refs, never)) expect(outcome.kind).toBe('found');
  });

  test('a message whose documents our own checks rejected moves as well', async () => {
    expect((await connect()).takesInvalid).toBe(false);
    const [processed, rejected] = [`done ${randomUUID()}`, `bad ${randomUUID()}`];
    const connector = await connect({ processed, rejected });
    expect(connector.takesInvalid).toBe(true);
    await send({ id: 'invalid@erp', files: [json('I-1'), json('I-2')] });
    const { refs } = await listed(connector);
    for (const ref of refs) {
      const command = sampleCommand(ref, `key-${ref}`, { status: 'invalid' });
      expect(await writeConfirmation(connector, command, never)).toMatchObject({ kind: 'written' });
    }
    expect([await messagesIn(rejected), await messagesIn(mailbox)]).toEqual([1, 0]);
  });

  test('a message without Message-ID, or with an unusual one, is found by its headers', async () => {
    const connector = await connect();
    await send({ files: [json('H-1')] });
    await send({ id: 'a/b#c"d', files: [json('H-2')] });
    await send({ id: `${'x'.repeat(400)}@erp`, files: [json('H-3')] });
    const { refs } = await listed(connector);
    expect(refs).toHaveLength(3);
    for (const ref of refs) expect(ref).toMatch(/^headers-[0-9a-f]{32}\//);
    for (const outcome of await connector.readMany(refs, never)) expect(outcome.kind).toBe('found');
  });

  test('two messages that claim one Message-ID are told apart by what they carry', async () => {
    const connector = await connect();
    await send({ id: 'same@erp', files: [json('S-1')] });
    await send({ id: 'same@erp', files: [json('S-2')] });
    const { refs } = await listed(connector);
    const read = await connector.readMany(refs, never);
    expect(JSON.stringify(read[0])).toContain('S-1');
    expect(JSON.stringify(read[1])).toContain('S-2');
  });

  test('hostile messages are bounded, told, and hold up no other', async () => {
    const connector = await connect();
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      name: `${index}.json`,
      content: '{}',
    }));
    await send({ id: 'many@evil', files: many });
    const depth = 200;
    const nested = Array.from(
      { length: depth },
      (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`,
    );
    await send(`Message-ID: <deep@evil>\r\nMIME-Version: 1.0\r\n${nested.join('')}`);
    await send(
      `Message-ID: <cut@evil>\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Disposition: attachment; filename="a.json"\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%%`,
    );
    await send({ id: 'good@erp', files: [json('G-1')] });
    const { refs } = await listed(connector);
    const read = await connector.readMany(refs, never);
    expect(refs).toContain('many@evil/message');
    expect(refs).toContain('deep@evil/message');
    expect(refs.at(-1)).toBe(refOfFile('good@erp', json('G-1')));
    expect(read.at(-1)).toMatchObject({ kind: 'found' });
    for (const outcome of read.slice(0, -1)) {
      expect(outcome).toMatchObject({ kind: 'unusable', fault: { retry: 'never' } });
    }
    for (const ref of refs) expect(ref.length).toBeLessThanOrEqual(limits.refLengthMax);
  });

  test('a message that arrives is noticed', async () => {
    const connector = await connect();
    const over = new AbortController();
    let isNoticed = false;
    const changed = connector.changed?.(over.signal).then(() => {
      isNoticed = true;
    });
    let count = 0;
    await expect
      .poll(
        async () => {
          count += 1;
          if (!isNoticed) await send({ id: `n${count}@erp`, files: [json(`N-${count}`)] });
          return isNoticed;
        },
        { timeout: 60_000, interval: 300 },
      )
      .toBe(true);
    await changed;
    over.abort();
  });

  test('a wrong password is a fault that says so, without the password', async () => {
    const connector = await connect({ password: secretInTests });
    const outcome = await connector.test(never);
    expect(outcome).toMatchObject({
      kind: 'failed',
      fault: { code: 'access_denied', retry: 'never' },
    });
    expect(JSON.stringify(outcome)).not.toContain(secretInTests);
  });

  test('an address that the caller refuses is not dialled', async () => {
    const { Socket } = await import('node:net');
    class Refusing extends Socket {
      override connect(): this {
        return this.destroy(Object.assign(new Error('no'), { code: 'ERR_ADDRESS_REFUSED' }));
      }
    }
    const context = { clock, allowedRoots: [], socket: () => new Refusing() };
    const connector = await imap.open(settingsFor(server, { mailbox }), context);
    expect(await connector.test(never)).toMatchObject({
      kind: 'failed',
      fault: { message: expect.stringContaining('private address') },
    });
    await connector.close();
  });
});

describe.skipIf(missing !== undefined)('a mailbox with another UIDVALIDITY', () => {
  test('loses no message and takes none twice', async () => {
    const server = await startDovecot();
    let client = await loggedIn(server);
    const connector = await open(server);
    const send = (mail: Mail) => client.append('INBOX', mailOf(mail));
    for (const number of ['1', '2', '3'])
      await send({ id: `v${number}@erp`, files: [json(`V-${number}`)] });
    const first = await listed(connector);
    expect(first.refs).toHaveLength(3);
    // Stored: the cursor comes back.
    const second = await listed(connector, first.cursor);
    await send({ id: 'v4@erp', files: [json('V-4')] });
    const third = await listed(connector, second.cursor);
    await send({ id: 'v5@erp', files: [json('V-5')] });
    const before = (await client.mailboxOpen('INBOX')).uidValidity;
    await server.renumber();
    client = await loggedIn(server);
    const { uidValidity } = await client.mailboxOpen('INBOX');
    expect(uidValidity).not.toBe(before);
    // The fourth was listed and never confirmed: it is listed again, by the same ref.
    const after = await listed(connector, third.cursor);
    expect(after.refs.toSorted()).toEqual(
      [...third.refs, refOfFile('v5@erp', json('V-5'))].toSorted(),
    );
    for (const outcome of await connector.readMany([...first.refs, ...after.refs], never)) {
      expect(outcome.kind).toBe('found');
    }
    expect((await listed(connector, after.cursor)).refs).toEqual([]);
    await connector.close();
    client.close();
    await server.stop();
  });
});

describe.skipIf(missing !== undefined)('a mailbox behind TLS', () => {
  let folder: string;
  let server: TestDovecot;
  const authority = createCertificate({ name: 'Company CA', isAuthority: true });
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-imap-tls-'));
    const own = createCertificate({ name: 'mail.test', issuer: authority, hosts: ['127.0.0.1'] });
    const [certificate, key] = [path.join(folder, 'cert'), path.join(folder, 'key')];
    await writeFile(certificate, own.cert);
    await writeFile(key, own.key);
    server = await startDovecot({ tls: { certificate, key } });
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  test('is read when the certificate is of the named authority, and else not', async () => {
    const trusting = await open(server, { tls: 'verify', ca: authority.cert });
    expect(await trusting.test(never)).toMatchObject({ kind: 'ok' });
    const other = await open(server, { tls: 'verify' });
    expect(await other.test(never)).toMatchObject({
      kind: 'failed',
      fault: { message: expect.stringContaining('not trusted') },
    });
    await trusting.close();
    await other.close();
  });
});

describe.skipIf(missing !== undefined)('a mailbox that takes tokens', () => {
  let tokens: Server;
  let server: TestDovecot;
  let url: string;
  /** Tokens that the mail server is told are good. */
  const good = new Set<string>();
  const asked: string[] = [];
  let refusesAll = false;
  beforeAll(async () => {
    tokens = createServer(async (request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://tokens');
      response.setHeader('content-type', 'application/json');
      if (pathname === '/token') {
        let body = '';
        for await (const chunk of request) body += String(chunk);
        asked.push(body);
        const value = `token-${asked.length}`;
        good.add(value);
        return response.end(JSON.stringify({ access_token: value, expires_in: 3_600 }));
      }
      const active = !refusesAll && good.has(searchParams.get('token') ?? '');
      response.end(JSON.stringify(active ? { active: true, username: 'erp' } : { active }));
    }).listen(0, '127.0.0.1');
    await once(tokens, 'listening');
    url = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}`;
    server = await startDovecot({ introspectionUrl: `${url}/introspect?token=` });
  });
  afterAll(async () => {
    await server.stop();
    tokens.close();
  });

  test('is read with a token of OAuth2, asked for once, and one that it does not take any more is told', async () => {
    const oauth = { tokenUrl: `${url}/token`, clientId: 'erp', clientSecret: 's3cret' };
    const connector = await open(server, { password: undefined, oauth });
    expect(await connector.test(never)).toMatchObject({ kind: 'ok' });
    expect(new URLSearchParams(asked[0]).get('grant_type')).toBe('client_credentials');
    expect(await connector.test(never)).toMatchObject({ kind: 'ok' });
    expect(asked).toHaveLength(1);
    await connector.close();
    const revoked = await open(server, { password: undefined, oauth });
    expect(await revoked.test(never)).toMatchObject({ kind: 'ok' });
    good.clear();
    await server.halt(); // the session is open, and would go on
    await server.resume();
    // The one that it has is refused, and the next is taken.
    expect(await revoked.test(never)).toMatchObject({ kind: 'ok' });
    expect(asked).toHaveLength(3);
    refusesAll = true;
    await server.halt();
    await server.resume();
    expect(await revoked.test(never)).toMatchObject({
      kind: 'failed',
      fault: { code: 'access_denied' },
    });
    await revoked.close();
  });
});

if (missing !== undefined) {
  test('the tests of the mailbox run', (context) => context.skip(missing));
}
