import { delimiter } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings, settingRows } from './settings.ts';

test('every setting has a default that reads, and a name and a help of its own', () => {
  expect(readSettings({}).kind).toBe('settings');
  const rows = Object.values(settingRows);
  expect(new Set(rows.map((row) => row.env)).size).toBe(rows.length);
  for (const row of rows) {
    expect(row.env).toMatch(/^DRAWBRIDGE_[A-Z_]+$|^(HTTPS?|NO)_PROXY$|^SSL_CERT_FILE$/);
    expect(row.help).not.toBe('');
  }
});

test.each([
  { env: 'DRAWBRIDGE_ALLOW_HTTP', text: 'yes' },
  { env: 'DRAWBRIDGE_REDIAL_BASE_MS', text: '0' },
  { env: 'DRAWBRIDGE_REDIAL_BASE_MS', text: '1e3' },
  { env: 'DRAWBRIDGE_GRACE_SECONDS', text: '-1' },
  { env: 'DRAWBRIDGE_AGENT_HOME', text: '' },
  { env: 'DRAWBRIDGE_TLS_MIN', text: '1.1' },
  { env: 'HTTPS_PROXY', text: 'socks5://proxy:1080' },
  { env: 'NO_PROXY', text: 'https://example.com' },
])('$env=$text does not read', ({ env, text }) => {
  const outcome = readSettings({ [env]: text });
  expect(outcome).toEqual({ kind: 'invalid', cause: expect.stringContaining(env) });
});

test('folders are separated as the system separates paths', () => {
  const outcome = readSettings({ DRAWBRIDGE_FILE_ROOTS: ['/a', '/b'].join(delimiter) });
  expect(outcome).toMatchObject({ settings: { fileRoots: ['/a', '/b'] } });
});

test('the address of a proxy is read in capitals or not, and its password is not shown', () => {
  for (const name of ['HTTPS_PROXY', 'https_proxy']) {
    const outcome = readSettings({ [name]: 'http://anna:hush@proxy:3128' });
    expect(outcome).toMatchObject({ settings: { httpsProxy: { proxy: { host: 'proxy' } } } });
  }
  const broken = readSettings({ HTTPS_PROXY: 'http://anna:hush@proxy:none' });
  expect(broken).toEqual({ kind: 'invalid', cause: 'HTTPS_PROXY cannot be ***' });
});
