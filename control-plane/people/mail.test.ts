import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { openMailer, wasNotTaken } from './mail.ts';
import { type MailServer, startMailServer } from './mail-server.fixture.ts';

let server: MailServer;
afterEach(() => server.stop());

const mail = { to: 'new@example.com', subject: 'You are invited', text: 'the token\n' };
const mailerAt = (smtpUrl: string) =>
  openMailer({
    home: '/nowhere',
    smtpUrl,
    from: 'Host <host@example.com>',
    clock: () => new Date(),
    random: randomBytes,
  });

test('with an SMTP server set, mail goes there and nowhere else', async () => {
  server = await startMailServer();
  await mailerAt(server.url).send(mail);
  expect(server.received).toContain('MAIL FROM:<host@example.com>');
  expect(server.received).toContain('RCPT TO:<new@example.com>');
  expect(server.received).toContain('Subject: You are invited');
  expect(server.received).toContain('the token');
});

test('mail that the server refuses is not sent, and surely not taken', async () => {
  server = await startMailServer('554 no');
  const error = await mailerAt(server.url)
    .send(mail)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(wasNotTaken(error)).toBe(true);
});

test('mail whose answer was lost may have been taken; one for a server that is down was not', async () => {
  server = await startMailServer();
  server.answer(undefined);
  const lost = await mailerAt(server.url)
    .send(mail)
    .catch((thrown: unknown) => thrown);
  expect(lost).toBeInstanceOf(Error);
  expect(wasNotTaken(lost)).toBe(false);
  const down = await mailerAt('smtp://127.0.0.1:1')
    .send(mail)
    .catch((thrown: unknown) => thrown);
  expect(down).toBeInstanceOf(Error);
  expect(wasNotTaken(down)).toBe(true);
});
