/** The test server as another client sees it: FreeTDS, whose makers share no code with ours. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificate } from '../../../test/kit/certificates.ts';
import { startTdsServer, type TdsServer, testLogin } from './server.kit.ts';

const installed = await tsql([], '', '/dev/null').then(
  () => true,
  () => false,
);

async function tsql(args: readonly string[], input: string, configFile: string): Promise<string> {
  const child = spawn('tsql', [...args], {
    env: { PATH: process.env.PATH, FREETDSCONF: configFile, TDSVER: '7.4', LC_ALL: 'C.UTF-8' },
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  const all = Promise.all([text(child.stdout), text(child.stderr)]);
  const [out, err] = await Promise.race([all, failed]);
  return out + err;
}

if (!installed) {
  test('FreeTDS reads the test server', (context) =>
    context.skip('FreeTDS (freetds-bin) is not installed'));
} else {
  describe('FreeTDS', freeTdsTests);
}

function freeTdsTests(): void {
  let folder: string;
  let plain: TdsServer;
  let secure: TdsServer;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'drawbridge-freetds-'));
    plain = await startTdsServer();
    secure = await startTdsServer({
      tls: createCertificate({ name: 'localhost', hosts: ['127.0.0.1'] }),
    });
    const entry = (name: string, port: number, encryption: string) =>
      `[${name}]\nhost = 127.0.0.1\nport = ${port}\ntds version = 7.4\nclient charset = UTF-8\n` +
      `encryption = ${encryption}\ntext size = 2000000\n`;
    await writeFile(
      path.join(folder, 'freetds.conf'),
      entry('plain', plain.port, 'off') + entry('secure', secure.port, 'require'),
    );
  });

  afterAll(async () => {
    await plain?.stop();
    await secure?.stop();
    await rm(folder, { recursive: true });
  });

  /** What it prints for batches, rows as values with bars between them. */
  async function ask(server: string, batch: string, { user, password } = testLogin) {
    const args = ['-S', server, '-U', user, '-P', password, '-o', 'qf', '-t', '|', '-r', '\n'];
    const out = await tsql(args, `${batch}\ngo\n`, path.join(folder, 'freetds.conf'));
    return out.split('\n').filter((line) => line !== '');
  }

  test('logs in, with TLS inside of TDS too', async () => {
    for (const server of ['plain', 'secure']) {
      expect(await ask(server, `SELECT 'yes' AS answer`)).toContain('yes');
    }
  });

  test('a wrong password is refused by number', async () => {
    const lines = await ask('plain', 'SELECT 1', { user: 'sa', password: 'wrong' });
    expect(lines.join('\n')).toMatch(/18456/);
    expect(lines.join('\n')).toContain("Login failed for user 'sa'");
  });

  test.each([
    ['bigint', '9223372036854775807', '9223372036854775807'],
    ['tinyint', '255', '255'],
    ['bit', '1', '1'],
    ['decimal(38,10)', '1234567890123456789012345678.0123456789', undefined],
    ['numeric(9,2)', '-1.50', undefined],
    ['money', '922337203685477.5807', '922337203685477.5807'],
    ['uniqueidentifier', '0F0E8400-E29B-41D4-A716-446655440000', undefined],
    ['nvarchar(20)', 'Žluť 😀', undefined],
    ['varchar(20)', 'Société', undefined],
    ['nchar(4)', 'ab', 'ab  '],
    ['date', '2026-01-31', 'Jan 31 2026 12:00AM'],
    ['time', '10:00:00.123456', 'Jan 1 1900 10:00AM'],
    ['datetime', '2026-01-31T10:00:00.003', 'Jan 31 2026 10:00AM'],
    ['smalldatetime', '2026-01-31T10:05:00', 'Jan 31 2026 10:05AM'],
    ['datetime2', '0001-01-01T10:00:00.123456', 'Jan 1 1 10:00AM'],
    ['float', '1.5', '1.5'],
    ['real', '0.25', '0.25'],
  ])('reads a value of type %s', async (type, literal, printed = literal) => {
    const table = `v_${type.replace(/\W/g, '_')}`;
    const [, row = ''] = await ask(
      'plain',
      `CREATE TABLE ${table} (v ${type}, missing ${type})\ngo\n` +
        `INSERT INTO ${table} VALUES (N'${literal}', NULL)\ngo\nSELECT v, missing FROM ${table}`,
    ).then((lines) => lines.filter((line) => line.includes('|')));
    const [value = '', missing] = row.split('|');
    expect(missing).toBe('NULL');
    expect(normal(value)).toBe(normal(printed));
  });

  test('a long text comes in parts and whole', async () => {
    const lines = await ask(
      'plain',
      'CREATE TABLE long (v nvarchar(max))\ngo\n' +
        `INSERT INTO long VALUES (repeat('ž', 100000))\ngo\nSELECT v FROM long`,
    );
    expect(lines).toContain('ž'.repeat(100_000));
  });

  test('several statements have an answer each, also without anything between them', async () => {
    const lines = await ask('plain', `SELECT 'one' AS a SELECT 'two' AS b; PRINT 'three'`);
    expect(lines.join('\n')).toMatch(/one[\s\S]*two[\s\S]*three/);
  });

  test('a statement that stands after a query is run: nothing but the connector keeps it from that', async () => {
    const lines = await ask(
      'plain',
      `CREATE TABLE gone (k varchar(9))\ngo\nINSERT INTO gone VALUES ('a')\ngo\n` +
        `SELECT 'x' AS k DELETE FROM gone\ngo\nSELECT count(*) AS n FROM gone`,
    );
    expect(lines.at(-1)).toBe('0');
  });

  test('errors have their number, and a transaction goes on after one', async () => {
    const lines = await ask(
      'plain',
      `CREATE TABLE kept (k varchar(9) PRIMARY KEY)\ngo\nBEGIN TRAN\ngo\n` +
        `INSERT INTO kept VALUES ('a')\ngo\nINSERT INTO kept VALUES ('a')\ngo\n` +
        `SELECT * FROM nowhere\ngo\nCOMMIT\ngo\nSELECT k FROM kept`,
    );
    expect(lines.join('\n')).toMatch(/2627/);
    expect(lines.join('\n')).toMatch(/208/);
    expect(lines).toContain('a');
  });
}

/** FreeTDS fills numbers up with blanks. */
function normal(printed: string): string {
  return printed.replace(/\s+/g, ' ');
}
