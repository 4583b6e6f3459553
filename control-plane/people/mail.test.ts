import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { openMailer } from './mail.ts';

let server: Server;
afterEach(() => server.close());

/** A minimal mail server by RFC 5321 that records what it receives. */
async function startServer(answerToData: string): Promise<{ url: string; received: string[] }> {
  const received: string[] = [];
  server = createServer((socket) => {
    let isData = false;
    socket.write('220 mail.test\r\n');
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        received.push(line);
        if (isData) {
          if (line !== '.') continue;
          isData = false;
          socket.write(`${answerToData}\r\n`);
        } else if (line === 'DATA') {
          isData = true;
          socket.write('354 go on\r\n');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

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
  const { url, received } = await startServer('250 taken');
  await mailerAt(url).send(mail);
  expect(received).toContain('MAIL FROM:<host@example.com>');
  expect(received).toContain('RCPT TO:<new@example.com>');
  expect(received).toContain('Subject: You are invited');
  expect(received).toContain('the token');
});

test('mail that the server refuses is not sent', async () => {
  const { url } = await startServer('554 no');
  await expect(mailerAt(url).send(mail)).rejects.toThrow();
});
