import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { patterns } from './contract.ts';
import { connectorKind, connectorKinds } from './registry.ts';

describe('the registry', () => {
  test('finds each kind by its name, and no other', () => {
    for (const kind of connectorKinds) expect(connectorKind(kind.kind)).toBe(kind);
    for (const name of ['', 'oracle', 'Sqlite', '__proto__', 'toString']) {
      expect(connectorKind(name)).toBeUndefined();
    }
  });

  test('has a folder with the same file names for each kind', async () => {
    for (const { kind } of connectorKinds) {
      const names = await readdir(`${import.meta.dirname}/${kind}`);
      expect(names).toEqual(
        expect.arrayContaining(['connector.test.ts', 'connector.ts', 'errors.ts', 'settings.ts']),
      );
    }
  });

  test('loads in plain Node, which is stricter about drivers than the test runner', async () => {
    const script = "console.log((await import('./registry.ts')).connectorKinds.length)";
    const options = { cwd: import.meta.dirname };
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], options);
    expect(stdout.trim()).toBe(String(connectorKinds.length));
  });

  test('covers every pattern, and names each kind once', () => {
    expect(new Set(connectorKinds.map(({ pattern }) => pattern))).toEqual(new Set(patterns));
    expect(new Set(connectorKinds.map(({ kind }) => kind)).size).toBe(connectorKinds.length);
  });
});

const httpExample = {
  url: 'https://erp.test/api',
  list: { path: '/invoices' },
  read: { path: '/invoices/{ref}' },
};

describe('settings', () => {
  test.each(connectorKinds.map((kind) => [kind.kind, kind] as const))(
    '%s explains every field',
    (_name, kind) => {
      const schema = z.toJSONSchema(kind.settings, { io: 'input' });
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        expect(field, name).toHaveProperty('description');
      }
    },
  );

  test.each(['postgres', 'mysql', 'mssql'])('%s marks what is secret', (name) => {
    const schema = z.toJSONSchema(connectorKind(name)?.settings ?? z.never(), { io: 'input' });
    const secret = Object.entries(schema.properties ?? {})
      .filter(([, field]) => typeof field === 'object' && field.secret === true)
      .map(([field]) => field);
    expect(secret).toEqual(['url', 'password']);
  });

  test.each([
    ['postgres', { url: 'postgres://u:p@h/d' }, true],
    ['postgres', { host: 'h', database: 'd', user: 'u' }, true],
    ['postgres', { host: 'h' }, false],
    ['postgres', { url: 'https://h/d' }, false],
    ['postgres', { url: 'postgres://h' }, false],
    ['postgres', { url: 'postgres://u:p%zz@h/d' }, false],
    ['postgres', { url: 'postgres://u:p@h/d?sslmode=require' }, false],
    ['postgres', { url: 'postgres://u:p@h/d', surprise: 1 }, false],
    ['mysql', { url: 'mysql://u:p@h/d' }, true],
    ['mysql', {}, false],
    ['mssql', { url: 'mssql://u:p@h/d', instance: 'ERP', domain: 'CORP' }, true],
    ['mssql', { url: 'mssql://u:p@h/d', instance: 'h\\ERP' }, false],
    ['sqlite', { file: 'a.db' }, true],
    ['files', { folder: 'in' }, true],
    ['files', { folder: 'in', delimiter: 'x' }, false],
    ['files', { folder: 'in', move: true, subfolders: true }, false],
    ['files', { folder: 'in', rowSections: { column: '1', sections: { L: 'lines' } } }, false],
    ['imap', { host: 'h', user: 'u', password: 'p' }, true],
    ['imap', { host: 'h', user: 'u' }, false],
    ['http', httpExample, true],
    ['http', { ...httpExample, url: 'ftp://h' }, false],
    ['http', { ...httpExample, url: 'https://u:p@h' }, false],
    ['http', { ...httpExample, read: { path: '/invoices' } }, false],
    ['http', { ...httpExample, list: { path: '/i', ref: '$..id' } }, false],
    ['agent', { connector: 'erp' }, true],
    ['agent', {}, false],
  ])('%s with %j is accepted: %s', (name, settings, isAccepted) => {
    expect(connectorKind(name)?.settings.safeParse(settings).success).toBe(isAccepted);
  });
});
