import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { connectorSuite, type SampleDocument, sampleCommand } from '../contract.suite.ts';
import { files } from './connector.ts';
import { statusFolders } from './folder.ts';
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
    await mkdir(path.join(folder, 'folder.json'));
    const refs = ['link.json', 'way/secret.json', '.hidden.json', 'folder.json'];
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

  test('a status folder that is a link takes no confirmation', async () => {
    const outside = await temporaryFolder();
    const folder = await temporaryFolder();
    await symlink(outside, path.join(folder, 'status'));
    const outcome = await (await open({ folder })).writeBack(sampleCommand('a', 'key-a'), never);
    expect(outcome).toMatchObject({ kind: 'unreachable', fault: { code: 'not_a_folder' } });
    expect(await readdir(outside)).toEqual([]);
  });
});
