import { expect, test } from 'vitest';
import { readAddress, sourceKinds } from './address.ts';

const server = { kind: 'server', host: 'erp', user: 'reader', database: 'fa' };

test.each<[string, string | undefined, object]>([
  ['mysql://reader@erp/fa', undefined, { ...server, connector: 'mysql', port: 3306 }],
  ['mariadb://reader@erp:3307/fa', undefined, { ...server, connector: 'mysql', port: 3307 }],
  ['postgresql://reader@erp/fa', undefined, { ...server, connector: 'postgres', port: 5432 }],
  ['mssql://erp/fa', undefined, { ...server, connector: 'mssql', user: 'drawbridge_reader' }],
  ['reader@erp/fa', 'mysql', { ...server, connector: 'mysql', port: 3306 }],
  ['mysql://reader@[::1]/fa', undefined, { ...server, host: '::1' }],
  ['mysql://re%40der@erp/f%20a', undefined, { ...server, user: 're@der', database: 'f a' }],
  ['imaps://a@mail/INBOX', undefined, { kind: 'mailbox', host: 'mail', user: 'a', port: 993 }],
  ['a@mail', 'imap', { kind: 'mailbox', mailbox: 'INBOX' }],
  ['./erp.sqlite', undefined, { kind: 'path', path: './erp.sqlite' }],
  ['C:\\erp\\invoices', 'files', { kind: 'path', path: 'C:\\erp\\invoices' }],
  ['mysql://reader:secret@erp/fa', undefined, { kind: 'unreadable', why: 'password' }],
  ['mysql://reader@erp', undefined, { kind: 'unreadable', why: 'database' }],
  ['mysql://reader@erp/fa?ssl=1', undefined, { kind: 'unreadable', why: 'form' }],
  ['imaps://mail/INBOX', undefined, { kind: 'unreadable', why: 'user' }],
  ['constructor://erp/fa', undefined, { kind: 'unreadable', why: 'scheme' }],
  ['oracle://erp/fa', undefined, { kind: 'unreadable', why: 'scheme' }],
  ['https://erp.example/api', undefined, { kind: 'unreadable', why: 'api' }],
])('%s (%s) is read', (text, chosen, expected) => {
  const address = readAddress(
    text,
    sourceKinds.find(({ kind }) => kind === chosen),
  );
  expect(address).toMatchObject(expected);
  expect(JSON.stringify(address)).not.toContain('secret');
});
