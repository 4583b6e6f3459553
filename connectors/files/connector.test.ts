import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  link,
  mkdir,
  mkdtemp,
  open as openFile,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { workbookOf } from '@drawbridge/records/workbook.kit.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { connectorSuite, sampleCommand } from '../contract.suite.ts';
import { type Connector, limits } from '../contract.ts';
import { importCommand } from '../drafts.suite.ts';
import type { SampleDocument } from '../source-under-test.kit.ts';
import { files } from './connector.ts';
import { draftFolders, statusFolders } from './folder.ts';
import { statusFileName } from './status.ts';

const never = new AbortController().signal;
const folders: string[] = [];

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-files-'));
  folders.push(folder);
  return folder;
}

/** By this clock every file that a test writes is old enough to be listed. */
const farAhead = new Date('2999-01-01T00:00:00Z');
const longAgo = new Date('1999-01-01T00:00:00Z');
const open = (
  settings: Readonly<Record<string, unknown>>,
  clock = farAhead,
  limit: { readonly timeoutMs?: number } = {},
) =>
  files.open(files.settings.parse(settings), {
    clock: () => clock,
    allowedRoots: [folders.at(-1) ?? ''],
    ...limit,
  });

connectorSuite('files', async () => {
  const root = await temporaryFolder();
  const folder = path.join(root, 'documents');
  await mkdir(folder);
  const text = ({ lines, ...header }: SampleDocument) => JSON.stringify({ ...header, lines });
  // Long to read because they are many and large.
  const heap = path.join(root, 'heap');
  const heaped = Array.from({ length: 800 }, (_, index) => `${index}.json`);
  await mkdir(heap);
  const large = JSON.stringify(Array(2_000).fill({ number: '1', buyer: 'x'.repeat(30) }));
  for (const name of heaped) await writeFile(path.join(heap, name), large);
  return {
    connector: await open({ folder }),
    unreachable: await open({ folder: path.join(root, 'not-mounted') }),
    pageSize: limits.pageSize,
    refOf: (number) => `${number}.json`,
    async insert(documents) {
      for (const document of documents) {
        await writeFile(path.join(folder, `${document.number}.json`), text(document));
      }
    },
    async insertTwins(number) {
      await writeFile(path.join(folder, `${number}.json`), '[{"number":"1"},{"number":"2"}]');
    },
    async sideStatus(environment, ref) {
      const file = path.join(folder, statusFolders[environment], statusFileName(ref));
      const written = await readFile(file, 'utf8').catch(() => undefined);
      return written === undefined ? undefined : JSON.parse(written);
    },
    drafts: {
      async stored(environment, id) {
        const drafts = path.join(folder, draftFolders[environment]);
        const names = await readdir(drafts).catch(() => []);
        const name = names.find((one) => one.endsWith(`-${id}.json`));
        if (name === undefined) {
          expect(names.filter((one) => one.includes(`-${id}.`))).toEqual([]);
          return { header: undefined, lines: 0 };
        }
        const { lines, ...header } = JSON.parse(await readFile(path.join(drafts, name), 'utf8'));
        return { header, lines: lines.length };
      },
      async goOn(id) {
        const drafts = path.join(folder, draftFolders.live);
        const name = (await readdir(drafts)).find((one) => one.endsWith(`-${id}.json`))!;
        const text = await readFile(path.join(drafts, name), 'utf8');
        await writeFile(path.join(drafts, name), text.replace('"draft"', '"posted"'));
      },
    },
    endless: {
      open: (timeoutMs) => open({ folder: heap }, farAhead, { timeoutMs }),
      refs: heaped,
    },
    async stop() {
      // No partly written file may stay behind.
      const left = await readdir(folder, { recursive: true });
      expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  };
});

describe('files of several documents', () => {
  const csv = 'number;buyer;item\nA;Acme;Bolt\nB#2;Bob;Nut\nA;Acme;Washer\n';

  test('a CSV file is split into documents by the document column', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'day.csv'), csv);
    const connector = await open({ folder, documentColumn: 'number' });
    const outcomes = await connector.readMany(['day.csv#A', 'day.csv#B#2', 'day.csv#C'], never);
    expect(outcomes).toMatchObject([
      {
        document: {
          ref: 'day.csv#A',
          sections: {
            header: [{ origin: 'day.csv', key: '2', values: { buyer: 'Acme' } }],
            lines: [
              { key: '2', values: { item: 'Bolt' } },
              { key: '4', values: { item: 'Washer' } },
            ],
          },
        },
      },
      { document: { sections: { lines: [{ key: '3' }] } } },
      { kind: 'missing' },
    ]);
    expect(await connector.read('day.csv', never)).toMatchObject({ kind: 'unusable' });
    expect(await connector.list(undefined, never)).toMatchObject({
      refs: ['day.csv#A', 'day.csv#B#2'],
    });
  });

  test('a CSV file without that column is one document', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'one.csv'), csv);
    const outcome = await (await open({ folder })).read('one.csv', never);
    expect(outcome).toMatchObject({ document: { sections: { lines: { length: 3 } } } });
  });

  test('one file of more documents than a page is listed page by page', async () => {
    const folder = await temporaryFolder();
    const rows = Array.from({ length: 450 }, (_, index) => ({ number: String(index) }));
    await writeFile(path.join(folder, 'all.json'), JSON.stringify(rows));
    await writeFile(path.join(folder, 'zzz.json'), '{"number":"last"}');
    const connector = await open({ folder });
    const refs: string[] = [];
    let cursor: string | undefined;
    for (const more of [true, true, false]) {
      const page = await connector.list(cursor, never);
      expect(page).toMatchObject({ kind: 'page', more });
      if (page.kind !== 'page') return;
      refs.push(...page.refs);
      cursor = page.cursor;
    }
    expect(refs).toEqual([...rows.map((_, index) => `all.json#${index + 1}`), 'zzz.json']);
    const outcomes = await connector.readMany(['all.json#450', 'all.json#451'], never);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['found', 'missing']);
  });

  test.each([
    ['not UTF-8', Buffer.from([0x61, 0x0a, 0xff]), 'not_utf8'],
    ['not JSON', Buffer.from('{'), 'not_json'],
    ['a table without the column', Buffer.from('a,b\n1,2\n'), 'column_missing'],
  ])('%s is unusable, and is listed so that somebody hears of it', async (name, bytes, code) => {
    const folder = await temporaryFolder();
    const file = name === 'not JSON' ? 'x.json' : 'x.csv';
    await writeFile(path.join(folder, file), bytes);
    const connector = await open({ folder, documentColumn: 'number' });
    expect(await connector.list(undefined, never)).toMatchObject({ refs: [file] });
    expect(await connector.read(file, never)).toMatchObject({ kind: 'unusable', fault: { code } });
  });
});

describe('the folder', () => {
  test('links, hidden files and other folders are not documents', async () => {
    const outside = await temporaryFolder();
    await writeFile(path.join(outside, 'secret.json'), '{"a":"1"}');
    const folder = await temporaryFolder();
    await symlink(path.join(outside, 'secret.json'), path.join(folder, 'link.json'));
    await symlink(outside, path.join(folder, 'way'));
    await mkdir(path.join(folder, 'sub'));
    await writeFile(path.join(folder, 'sub', 'deep.json'), '{"a":"1"}');
    await writeFile(path.join(folder, '.hidden.json'), '{"a":"1"}');
    // While somebody has a.xlsx open in Excel.
    await writeFile(path.join(folder, '~$a.xlsx'), 'Jane');
    await mkdir(path.join(folder, 'folder.json'));
    const refs = ['link.json', 'way/secret.json', '.hidden.json', '~$a.xlsx', 'folder.json'];
    for (const subfolders of [false, true]) {
      const connector = await open({ folder, subfolders });
      const outcomes = await connector.readMany([...refs, 'sub/deep.json'], never);
      const deep = subfolders ? 'found' : 'missing';
      expect(outcomes.map(({ kind }) => kind)).toEqual([...refs.map(() => 'missing'), deep]);
      expect(await connector.list(undefined, never)).toMatchObject({
        refs: subfolders ? ['sub/deep.json'] : [],
      });
    }
  });

  test('a hard link is refused by name: the file stands elsewhere too', async () => {
    const outside = await temporaryFolder();
    await writeFile(path.join(outside, 'secret.json'), '{"a":"secret"}');
    const folder = await temporaryFolder();
    await link(path.join(outside, 'secret.json'), path.join(folder, 'a.json'));
    const connector = await open({ folder });
    expect(await connector.read('a.json', never)).toMatchObject({
      kind: 'unusable',
      fault: { code: 'hard_link', retry: 'never' },
    });
    expect(JSON.stringify(await connector.describe(never))).not.toContain('secret');
  });

  test.each(['documents', 'documents/sub'])(
    'nothing outside is read or written while %s becomes a link and back',
    async (swapped) => {
      const outside = await temporaryFolder();
      await mkdir(path.join(outside, 'sub'));
      for (const place of ['a.json', 'sub/a.json']) {
        await writeFile(path.join(outside, place), '{"a":"secret"}');
      }
      const root = await temporaryFolder();
      await mkdir(path.join(root, 'documents', 'sub'), { recursive: true });
      await writeFile(path.join(root, 'documents', 'sub', 'a.json'), '{"a":"own"}');
      const connector = await open({ folder: path.join(root, 'documents'), subfolders: true });
      const place = path.join(root, swapped);
      let isOver = false;
      const swapping = (async () => {
        while (!isOver) {
          await rename(place, `${place}-aside`);
          await symlink(swapped === 'documents' ? outside : path.join(outside, 'sub'), place);
          await unlink(place);
          await rename(`${place}-aside`, place);
          // As often there as not.
          for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
        }
      })();
      const seen = new Set<string>();
      for (let count = 0; count < 400; count += 1) {
        const outcome = await connector.read('sub/a.json', never);
        seen.add(outcome.kind);
        expect(JSON.stringify(outcome)).not.toContain('secret');
        await connector.writeBack(sampleCommand(`ref-${count}`, `key-${count}`), never);
      }
      isOver = true;
      await swapping;
      expect(seen).toContain('found');
      expect((await readdir(outside)).toSorted()).toEqual(['a.json', 'sub']);
    },
  );

  test('a relative path begins in the allowed root', async () => {
    const root = await temporaryFolder();
    await mkdir(path.join(root, 'outbox'));
    await writeFile(path.join(root, 'outbox', 'a.json'), '{"a":"1"}');
    expect(await (await open({ folder: 'outbox' })).read('a.json', never)).toMatchObject({
      kind: 'found',
    });
    expect(await (await open({ folder: '../outbox' })).test(never)).toMatchObject({
      kind: 'failed',
    });
  });

  test('outside the allowed roots is refused, also through a link', async () => {
    const outside = await temporaryFolder();
    const root = await temporaryFolder();
    await symlink(outside, path.join(root, 'link'));
    for (const folder of [outside, path.join(root, 'link'), path.join(root, '..')]) {
      expect(await (await open({ folder })).test(never)).toMatchObject({
        kind: 'failed',
        fault: { code: 'path_not_allowed', retry: 'never' },
      });
    }
  });

  test('a file that may still be written to is listed only later', async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, 'a.json'), '{"a":"1"}');
    const now = await open({ folder }, longAgo);
    const page = await now.list(undefined, never);
    expect(page).toMatchObject({ kind: 'page', refs: [] });
    const later = await open({ folder });
    const cursor = page.kind === 'page' ? page.cursor : '';
    expect(await later.list(cursor, never)).toMatchObject({ refs: ['a.json'] });
  });

  test('a file moved in with its old date is listed', async () => {
    const folder = await temporaryFolder();
    const elsewhere = path.join(folder, 'elsewhere');
    await mkdir(elsewhere);
    await writeFile(path.join(elsewhere, 'old.json'), '{"a":"1"}');
    await writeFile(path.join(folder, 'new.json'), '{"a":"1"}');
    const connector = await open({ folder });
    const page = await connector.list(undefined, never);
    expect(page).toMatchObject({ refs: ['new.json'] });
    await rename(path.join(elsewhere, 'old.json'), path.join(folder, 'old.json'));
    const cursor = page.kind === 'page' ? page.cursor : '';
    expect(await connector.list(cursor, never)).toMatchObject({ refs: ['old.json'] });
  });

  test.each([
    ['status', (connector: Connector) => connector.writeBack(sampleCommand('a', 'key-a'), never)],
    [
      'received/.written',
      (connector: Connector) => connector.importDraft!(importCommand('rcv_1'), never),
    ],
  ])('%s keeps no temporary file of a process that was killed', async (place, write) => {
    const folder = await temporaryFolder();
    const left = path.join(folder, place, 'x.json.999.tmp');
    await mkdir(path.dirname(left), { recursive: true });
    await writeFile(left, '');
    await utimes(left, longAgo, longAgo);
    const [underWay, others] = ['y.json.998.tmp', 'x.tmp'];
    for (const name of [underWay, others]) await writeFile(path.join(folder, place, name), '');
    await utimes(path.join(folder, place, others), longAgo, longAgo);
    expect(await write(await open({ folder }))).toMatchObject({ kind: 'written' });
    const names = await readdir(path.join(folder, place));
    expect(names.filter((name) => name.endsWith('.tmp')).toSorted()).toEqual([others, underWay]);
  });

  test('a status folder that is a link takes no confirmation', async () => {
    const outside = await temporaryFolder();
    const folder = await temporaryFolder();
    await symlink(outside, path.join(folder, 'status'));
    const outcome = await (await open({ folder })).writeBack(sampleCommand('a', 'key-a'), never);
    expect(outcome).toMatchObject({ kind: 'unreachable', fault: { code: 'not_a_folder' } });
    expect(await readdir(outside)).toEqual([]);
  });
});

describe('files of other kinds', () => {
  test('an invoice of UBL and a workbook are read as they are', async () => {
    const folder = await temporaryFolder();
    const ubl = '<Invoice><ID>INV-1</ID><InvoiceLine><ID>1</ID></InvoiceLine></Invoice>';
    await writeFile(path.join(folder, 'a.xml'), ubl);
    const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows = [text('no') + text('item'), text('A') + text('Bolt'), text('B') + text('Nut')];
    await writeFile(path.join(folder, 'b.xlsx'), workbookOf({ rows }));
    const connector = await open({ folder });
    expect(await connector.read('a.xml', never)).toMatchObject({
      document: {
        sections: { header: [{ values: { ID: 'INV-1' } }], InvoiceLine: [{ values: { ID: '1' } }] },
      },
    });
    const split = await open({ folder, documentColumn: 'no' });
    expect(await split.read('b.xlsx#B', never)).toMatchObject({
      document: { sections: { lines: [{ key: '3', values: { item: 'Nut' } }] } },
    });
  });

  test('header and line rows are sections, and a header row begins a document', async () => {
    const folder = await temporaryFolder();
    const csv = 'H;INV-1;Acme\nL;1;Bolt;2.50\nL;2;Nut\nT;5%\nH;INV-2;Bob\nL;1;Washer\n';
    await writeFile(path.join(folder, 'day.csv'), csv);
    const rowSections = { column: '1', sections: { H: 'header', L: 'lines', T: 'taxes' } };
    const settings = { folder, headerLine: 0, rowSections, documentColumn: '2' };
    const connector = await open(settings);
    expect(await connector.list(undefined, never)).toMatchObject({
      refs: ['day.csv#INV-1', 'day.csv#INV-2'],
    });
    expect(await connector.read('day.csv#INV-1', never)).toMatchObject({
      document: {
        sections: {
          header: [{ key: '1', values: { '2': 'INV-1', '3': 'Acme' } }],
          lines: [{ values: { '3': 'Bolt', '4': '2.50' } }, { values: { '3': 'Nut' } }],
          taxes: [{ key: '4' }],
        },
      },
    });
    await writeFile(path.join(folder, 'odd.csv'), 'H;INV-3\nX;1\n');
    expect(await connector.read('odd.csv#INV-3', never)).toMatchObject({
      kind: 'unusable',
      fault: { code: 'row_unknown' },
    });
  });

  test('Windows-1252 is read when the settings say so', async () => {
    const folder = await temporaryFolder();
    await writeFile(
      path.join(folder, 'a.csv'),
      Buffer.from('no;buyer\n1;Soci\xe9t\xe9\n', 'latin1'),
    );
    const connector = await open({ folder, encoding: 'windows-1252' });
    expect(await connector.read('a.csv', never)).toMatchObject({
      document: { sections: { header: [{ values: { buyer: 'Société' } }] } },
    });
  });
});

describe('a file of very many rows', () => {
  const rowCount = 200_000;
  const rowsOfOne = 5;

  test('is listed and read in memory that does not grow with it', async () => {
    const folder = await temporaryFolder();
    const file = await openFile(path.join(folder, 'all.csv'), 'w');
    await file.write('number;line;item;price\n');
    for (let at = 0; at < rowCount; at += 10_000) {
      const rows = Array.from({ length: 10_000 }, (_, index) => {
        const number = Math.floor((at + index) / rowsOfOne);
        return `INV-${number};${index % rowsOfOne};Item ${at + index} of a usual length;12.50\n`;
      });
      await file.write(rows.join(''));
    }
    await file.close();
    const connector = await open({ folder, documentColumn: 'number' });
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    await connector.list(undefined, never);
    collect();
    const before = process.memoryUsage().heapUsed;
    let peak = before;
    let cursor: string | undefined;
    let count = 0;
    for (let more = true; more; ) {
      const page = await connector.list(cursor, never);
      if (page.kind !== 'page') throw new Error(page.fault.message);
      // Every tenth page is read, the first of those that follow from memory.
      if (count % 2_000 < limits.pageSize) {
        for (const outcome of await connector.readMany(page.refs, never)) {
          const lines = outcome.kind === 'found' ? outcome.document.sections.lines : [];
          expect(lines).toHaveLength(rowsOfOne);
        }
      }
      count += page.refs.length;
      ({ cursor, more } = page);
      if (count % 4_000 !== 0) continue;
      collect();
      peak = Math.max(peak, process.memoryUsage().heapUsed);
    }
    expect(count).toBe(rowCount / rowsOfOne);
    // Of 12 MB of text the documents ahead and their refs; all 200,000 rows would be 150 MB.
    expect(peak - before).toBeLessThan(50_000_000);
  }, 300_000);

  test('documents whose rows stand apart are whole, also when others were asked for first', async () => {
    const folder = await temporaryFolder();
    const csv = 'no;item\nA;1\nB;1\nC;1\nB;2\nA;2\nC;2\n';
    await writeFile(path.join(folder, 'day.csv'), csv);
    const connector = await open({ folder, documentColumn: 'no' });
    for (const no of ['B', 'C', 'A', 'C', 'B']) {
      const outcome = await connector.read(`day.csv#${no}`, never);
      expect(outcome).toMatchObject({
        document: { sections: { lines: [{ values: { item: '1' } }, { values: { item: '2' } }] } },
      });
    }
    await writeFile(path.join(folder, 'day.csv'), csv.replaceAll('2', '3'));
    expect(JSON.stringify(await connector.read('day.csv#C', never))).toContain('"item":"3"');
  });
});

describe('files that move', () => {
  const setUp = async (settings: Readonly<Record<string, unknown>> = {}, clock = farAhead) => {
    const folder = await temporaryFolder();
    const connector = await open({ folder, move: true, ...settings }, clock);
    const put = (name: string, text: string) => writeFile(path.join(folder, name), text);
    const inside = async (...parts: string[]) =>
      (await readdir(path.join(folder, ...parts)).catch(() => [])).toSorted();
    return { folder, connector, put, inside };
  };
  const listed = async (connector: Connector, cursor?: string) => {
    const page = await connector.list(cursor, never);
    if (page.kind !== 'page') throw new Error(page.fault.message);
    return page;
  };
  const settle = (
    connector: Connector,
    ref: string,
    status: 'cleared' | 'rejected' | 'invalid' = 'cleared',
  ) => connector.writeBack(sampleCommand(ref, `key-${ref}`, { status }), never);

  test('are claimed by the listing, read there, and processed when their last document is confirmed', async () => {
    const { connector, put, inside } = await setUp();
    await put('two.json', '[{"a":"1"},{"a":"2"}]');
    const page = await listed(connector);
    expect(page.refs).toEqual(['two.json#1', 'two.json#2']);
    expect(await inside('claimed', 'drawbridge')).toEqual(['000000000001-two.json']);
    expect(await connector.read('two.json#2', never)).toMatchObject({ kind: 'found' });
    await settle(connector, 'two.json#1');
    expect(await inside('processed')).toEqual([]);
    await settle(connector, 'two.json#2');
    expect(await inside('processed')).toEqual(['two.json']);
    expect(await inside('claimed', 'drawbridge')).toEqual([]);
    expect((await listed(connector, page.cursor)).refs).toEqual([]);
  });

  test('that our checks rejected make room for their correction, and can still be read', async () => {
    const { folder, connector, put, inside } = await setUp();
    await put('a.json', '{"a":"wrong"}');
    const first = await listed(connector);
    await put('a.json', '{"a":"right"}');
    expect((await listed(connector, first.cursor)).refs).toEqual([]);
    expect(connector.takesInvalid).toBe(true);
    await settle(connector, 'a.json', 'invalid');
    expect(await inside('rejected')).toEqual(['a.json', 'a.json.reason.txt']);
    expect(await inside('claimed', 'drawbridge')).toEqual([]);
    await rename(path.join(folder, 'a.json'), path.join(folder, 'b.tmp'));
    expect(await connector.read('a.json', never)).toMatchObject({
      document: { sections: { header: [{ values: { a: 'wrong' } }] } },
    });
    await rename(path.join(folder, 'b.tmp'), path.join(folder, 'a.json'));
    expect((await listed(connector, first.cursor)).refs).toEqual(['a.json']);
    expect(await connector.read('a.json', never)).toMatchObject({
      document: { sections: { header: [{ values: { a: 'right' } }] } },
    });
  });

  test('are rejected with the reason beside when one of their documents is, or when they cannot be read', async () => {
    const { folder, connector, put, inside } = await setUp();
    await put('no.json', '{"a":"1"}');
    await put('broken.json', '{');
    expect((await listed(connector)).refs).toEqual(['no.json']);
    expect(await inside('rejected')).toEqual(['broken.json', 'broken.json.reason.txt']);
    await settle(connector, 'no.json', 'rejected');
    const reason = (name: string) => readFile(path.join(folder, 'rejected', name), 'utf8');
    expect(await reason('no.json.reason.txt')).toContain('inv_1');
    expect(await reason('broken.json.reason.txt')).toContain('this is not JSON');
  });

  test('of the same name follow each other, and overwrite none', async () => {
    const { folder, connector, put, inside } = await setUp();
    await put('a.json', '{"a":"first"}');
    const first = await listed(connector);
    await put('a.json', '{"a":"second"}');
    expect((await listed(connector, first.cursor)).refs).toEqual([]);
    expect(JSON.stringify(await connector.read('a.json', never))).toContain('first');
    await settle(connector, 'a.json', 'rejected');
    const second = await listed(connector, first.cursor);
    expect(second.refs).toEqual(['a.json']);
    expect(JSON.stringify(await connector.read('a.json', never))).toContain('second');
    // The first one's confirmation is not the second's.
    await listed(connector, second.cursor);
    expect(await inside('processed')).toEqual([]);
    const replaces = ['inv_1'];
    const mended = sampleCommand('a.json', 'key-2', { invoiceId: 'inv_2', replaces });
    expect(await connector.writeBack(mended, never)).toMatchObject({ kind: 'written' });
    expect(await inside('processed')).toEqual(['a.json']);
    expect(await readFile(path.join(folder, 'rejected', 'a.json'), 'utf8')).toContain('first');
  });

  test('whose name was processed before are documents of their own', async () => {
    const { folder, connector, put, inside } = await setUp();
    await mkdir(path.join(folder, 'processed'));
    await writeFile(path.join(folder, 'processed', 'a.json'), 'earlier');
    await put('a.json', '{"a":"1"}');
    const second = await listed(connector);
    expect(second.refs).toEqual(['a-2.json']);
    await settle(connector, 'a-2.json');
    expect(await inside('processed')).toEqual(['a-2.json', 'a.json']);
    // Also when somebody has taken those away: their confirmations stand in the folder of these.
    await rm(path.join(folder, 'processed'), { recursive: true });
    await settle(connector, 'a.json');
    await put('a.json', '{"a":"3"}');
    expect((await listed(connector, second.cursor)).refs).toEqual(['a-3.json']);
  });

  test('of a long name are claimed by its beginning', async () => {
    const { connector, put, inside } = await setUp();
    await put(`${'ف'.repeat(120)}.json`, '{"a":"1"}');
    const { refs } = await listed(connector);
    expect(refs[0]).toMatch(/^ف{90,}\.json$/);
    await settle(connector, refs[0]!);
    expect(await inside('processed')).toEqual(refs);
  });

  test('and cannot be moved are a fault of the folder', async () => {
    const { folder, connector, put } = await setUp();
    await put('a.json', '{"a":"1"}');
    // A folder stands where the file would be.
    await mkdir(path.join(folder, 'claimed', 'drawbridge', '000000000001-a.json'), {
      recursive: true,
    });
    expect(await connector.list(undefined, never)).toMatchObject({
      kind: 'unreachable',
      fault: { code: 'unreachable', message: expect.stringContaining(folder) },
    });
  });

  test('a listing whose cursor was lost, or that is repeated, tells of the same files', async () => {
    const { connector, put } = await setUp();
    await put('a.json', '{"a":"1"}');
    await put('b.json', '{"a":"1"}');
    const all = (await listed(connector)).refs.toSorted();
    expect(all).toEqual(['a.json', 'b.json']);
    expect((await listed(connector)).refs.toSorted()).toEqual(all);
  });

  test('two readers share no file, and lose none', async () => {
    const { folder, connector, put } = await setUp();
    const other = await open({ folder, move: true, reader: 'second' });
    for (let number = 0; number < 40; number += 1) await put(`${number}.json`, '{"a":"1"}');
    const pages = await Promise.all([listed(connector), listed(other)]);
    const refs = pages.flatMap((page) => page.refs);
    expect(refs).toHaveLength(40);
    expect(new Set(refs).size).toBe(40);
  });

  test('a reader that is killed at any instant loses no file and takes none twice', async () => {
    const { folder, connector, inside } = await setUp();
    const total = 300;
    for (let number = 0; number < total; number += 1) {
      await writeFile(path.join(folder, `${number}.json`), `{"a":"${number}"}`);
    }
    for (let kill = 0; kill < 3; kill += 1) {
      const reader = fork(path.join(import.meta.dirname, 'reader.fixture.ts'), [folder]);
      const count = (await inside('processed')).length;
      await expect
        .poll(async () => (await inside('processed')).length, { timeout: 60_000, interval: 5 })
        .toBeGreaterThan(count);
      const ended = once(reader, 'exit');
      reader.kill('SIGKILL');
      await ended;
    }
    for (const ref of (await listed(connector)).refs) await settle(connector, ref);
    for (let more = true; more; ) {
      const page = await listed(connector);
      for (const ref of page.refs) await settle(connector, ref);
      more = page.refs.length > 0;
    }
    expect(await inside('processed')).toHaveLength(total);
    const contents = await Promise.all(
      (await inside('processed')).map((name) =>
        readFile(path.join(folder, 'processed', name), 'utf8'),
      ),
    );
    expect(new Set(contents).size).toBe(total);
    expect(await inside('claimed', 'drawbridge')).toEqual([]);
  }, 180_000);

  test('a link in place of the folder of claims takes no file away', async () => {
    const outside = await temporaryFolder();
    const { folder, connector, put } = await setUp();
    await symlink(outside, path.join(folder, 'claimed'));
    await put('a.json', '{"a":"1"}');
    expect(await connector.list(undefined, never)).toMatchObject({
      kind: 'unreachable',
      fault: { code: 'not_a_folder' },
    });
    expect(await readdir(outside)).toEqual([]);
  });

  test('a cursor of files that stay is not one of files that move', async () => {
    const { folder, connector, put } = await setUp();
    await put('a.json', '{"a":"1"}');
    const { cursor } = await listed(await open({ folder }));
    expect(await connector.list(cursor, never)).toMatchObject({
      fault: { code: 'cursor_invalid' },
    });
  });
});

describe('half-written files', () => {
  test('wait for their marker, which goes when they are taken', async () => {
    const folder = await temporaryFolder();
    const connector = await open({ folder, move: true, marker: '.ready' });
    await writeFile(path.join(folder, 'a.json'), '{"a":"1"}');
    expect(await connector.list(undefined, never)).toMatchObject({ refs: [] });
    await writeFile(path.join(folder, 'a.json.ready'), '');
    expect(await connector.list(undefined, never)).toMatchObject({ refs: ['a.json'] });
    expect(await readdir(folder)).not.toContain('a.json.ready');
  });

  test('are new when their marker is, whatever was listed before', async () => {
    const folder = await temporaryFolder();
    const connector = await open({ folder, marker: '.ready' });
    const put = (name: string) => writeFile(path.join(folder, name), '{"a":"1"}');
    const listed = async (cursor?: string) => {
      const page = await connector.list(cursor, never);
      if (page.kind !== 'page') throw new Error(page.fault.message);
      return page;
    };
    await put('first.json');
    await put('second.json');
    await put('second.json.ready');
    const second = await listed();
    expect(second.refs).toEqual(['second.json']);
    await put('first.json.ready');
    expect((await listed(second.cursor)).refs).toEqual(['first.json']);
  });

  test('on a share wait until they stand still by the clock of this host', async () => {
    const folder = await temporaryFolder();
    let now = Date.parse('2026-01-01T00:00:00Z');
    const settings = files.settings.parse({ folder, share: true, settleSeconds: 5 });
    const context = { clock: () => new Date(now), allowedRoots: [folder] };
    const connector = await files.open(settings, context);
    const refs = async () => {
      const page = await connector.list(undefined, never);
      return page.kind === 'page' ? page.refs : page.fault.code;
    };
    const file = path.join(folder, 'a.json');
    await writeFile(file, '{"a":');
    expect(await refs()).toEqual([]);
    now += 4_000;
    await writeFile(file, '{"a":"1"}');
    expect(await refs()).toEqual([]);
    now += 4_000;
    expect(await refs()).toEqual([]);
    now += 4_000;
    expect(await refs()).toEqual(['a.json']);
  });

  test.each([{ share: false }, { share: true }])(
    'a new file is noticed early: $share',
    async ({ share }) => {
      const folder = await temporaryFolder();
      const connector = await open({ folder, share });
      const over = new AbortController();
      const changed = connector.changed?.(over.signal);
      let isNoticed = false;
      void changed?.then(() => {
        isNoticed = true;
      });
      // The watcher may begin after a file was put there, so one is put there until it is seen.
      let count = 0;
      await expect
        .poll(
          async () => {
            count += 1;
            await writeFile(path.join(folder, `${count}.json`), '{"a":"1"}');
            return isNoticed;
          },
          { timeout: 60_000, interval: 200 },
        )
        .toBe(true);
      await connector.close();
    },
    90_000,
  );

  test('nobody waits for changes longer than asked, nor of a folder that is not there', async () => {
    const connector = await open({ folder: path.join(await temporaryFolder(), 'none') });
    await connector.changed?.(AbortSignal.abort());
    await connector.close();
  });
});
