import { delimiter } from 'node:path';
import { expect, test } from 'vitest';
import { readSettings, settingRows } from './settings.ts';

test('every setting has a default that reads, and a name and a help of its own', () => {
  expect(readSettings({}).kind).toBe('settings');
  const rows = Object.values(settingRows);
  expect(new Set(rows.map((row) => row.env)).size).toBe(rows.length);
  for (const row of rows) {
    expect(row.env).toMatch(/^DRAWBRIDGE_[A-Z_]+$/);
    expect(row.help).not.toBe('');
  }
});

test.each([
  { env: 'DRAWBRIDGE_ALLOW_HTTP', text: 'yes' },
  { env: 'DRAWBRIDGE_REDIAL_BASE_MS', text: '0' },
  { env: 'DRAWBRIDGE_REDIAL_BASE_MS', text: '1e3' },
  { env: 'DRAWBRIDGE_GRACE_SECONDS', text: '-1' },
  { env: 'DRAWBRIDGE_AGENT_HOME', text: '' },
])('$env=$text does not read', ({ env, text }) => {
  const outcome = readSettings({ [env]: text });
  expect(outcome).toEqual({ kind: 'invalid', cause: expect.stringContaining(env) });
});

test('folders are separated as the system separates paths', () => {
  const outcome = readSettings({ DRAWBRIDGE_FILE_ROOTS: ['/a', '/b'].join(delimiter) });
  expect(outcome).toMatchObject({ settings: { fileRoots: ['/a', '/b'] } });
});
