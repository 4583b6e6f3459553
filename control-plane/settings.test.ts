import { expect, test } from 'vitest';
import { maskedSettings, readSettings, settingsHelp } from './settings.ts';

test('an empty environment gives the defaults', () => {
  expect(readSettings({})).toMatchObject({
    port: 8080,
    sandboxPort: 8081,
    home: '.drawbridge',
    databaseUrl: undefined,
    readLimit: 100,
    submitLimit: 1000,
    metricsFrom: ['127.0.0.1/32', '::1/128'],
  });
  expect(readSettings({ PORT: '' }).port).toBe(8080);
});

test('every wrong value is named at once, and no secret is repeated', () => {
  const read = () => readSettings({ PORT: '80x', SANDBOX_PORT: '70000', LOG_LEVEL: 'loud' });
  expect(read).toThrow(/PORT must be .*\n.*SANDBOX_PORT must be .*\n.*LOG_LEVEL must be one of/);
});

test.each([
  ['TRUST_PROXY', '1', 'trustProxy', 1],
  ['TRUST_PROXY', '10.0.0.1, 10.1.0.0/16', 'trustProxy', '10.0.0.1/32,10.1.0.0/16'],
  ['PUBLIC_URL', 'https://api.example.com/', 'baseUrl', 'https://api.example.com'],
  ['WEBHOOK_ALLOW_PRIVATE', 'true', 'webhookAllowPrivate', true],
] as const)('%s=%s is read', (variable, value, name, expected) => {
  expect(readSettings({ [variable]: value })[name]).toBe(expected);
});

test.each([
  'PUBLIC_URL',
  'METRICS_FROM',
  'WEBHOOK_ALLOW_PRIVATE',
  'JOB_LEASE_MS',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_APP_URL',
  'DRAWBRIDGE_SECRET_KEY',
  'SMTP_URL',
  'MAIL_FROM',
])('%s refuses what it cannot be', (variable) => {
  expect(() => readSettings({ [variable]: 'x' })).toThrow(`${variable} must be`);
});

test.each([
  ['mysql://me:hunter2@db/x', /must be postgres:/],
  ['postgres://me:hunter2@db', /must be postgres:/],
  ['postgres://me:hunter2%@db/x', /a % of a password is written as %25/],
])('%s is no DATABASE_URL, and its password is not repeated', (value, said) => {
  const read = () => readSettings({ DATABASE_URL: value });
  expect(read).toThrow(said);
  expect(read).not.toThrow(/hunter2/);
});

test.each([
  ['SMTP_URL', 'smtps://me:hunter2@mail.example.com'],
  ['SMTP_URL', 'smtp://127.0.0.1:25'],
  ['MAIL_FROM', 'Acme, Billing <billing@acme.example>'],
  ['MAIL_FROM', 'billing@acme.example'],
  ['DRAWBRIDGE_SECRET_KEY', `${Buffer.alloc(32).toString('base64')}, ${'0f'.repeat(32)}`],
])('%s can be %s', (variable, value) => {
  expect(() => readSettings({ [variable]: value })).not.toThrow();
});

test.each([
  ['SMTP_URL', 'http://me:hunter2@mail.example.com', /SMTP_URL must be smtp:/],
  ['SMTP_URL', 'smtp://me:hunter2%@mail.example.com', /a % of a password is written as %25/],
  ['DRAWBRIDGE_SECRET_KEY', `${Buffer.alloc(32).toString('base64')},hunter2`, /must be 32 bytes/],
])('a wrong %s is told, and not repeated', (variable, value, said) => {
  const read = () => readSettings({ [variable]: value });
  expect(read).toThrow(said);
  expect(read).not.toThrow(/hunter2/);
});

test('the printed settings mask secrets, and the help lists every setting', () => {
  const masked = maskedSettings(readSettings({ DATABASE_URL: 'postgres://me:hunter2@db/x' }));
  expect(masked.DATABASE_URL).toBe('(set)');
  expect(masked.DATABASE_APP_URL).toBeUndefined();
  expect(JSON.stringify(masked)).not.toContain('hunter2');
  for (const variable of Object.keys(masked)) expect(settingsHelp()).toContain(variable);
});
