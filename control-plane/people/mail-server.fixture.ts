/** A minimal mail server by RFC 5321 that keeps what it receives. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export interface MailServer {
  readonly url: string;
  /** Every line that was received. */
  readonly received: readonly string[];
  /** The mails that were handed in whole, whatever the answer was. */
  readonly mails: readonly string[];
  /** What the next mails are answered with; undefined: the connection is cut in place of an answer. */
  answer(line: string | undefined): void;
  stop(): void;
}

export async function startMailServer(first = '250 taken'): Promise<MailServer> {
  const received: string[] = [];
  const mails: string[] = [];
  let answerToData: string | undefined = first;
  const server = createServer((socket) => {
    let mail: string[] | undefined;
    socket.on('error', () => socket.destroy()); // a client that gives up is no fault here
    socket.write('220 mail.test\r\n');
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) {
        received.push(line);
        if (mail !== undefined) {
          if (line !== '.') {
            mail.push(line);
            continue;
          }
          mails.push(mail.join('\r\n'));
          mail = undefined;
          if (answerToData === undefined) socket.destroy();
          else socket.write(`${answerToData}\r\n`);
        } else if (line === 'DATA') {
          mail = [];
          socket.write('354 go on\r\n');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    mails,
    answer: (line) => {
      answerToData = line;
    },
    stop: () => void server.close(),
  };
}
