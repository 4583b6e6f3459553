/** A server that keeps to IMAP where nothing else is told, and answers commands with what it is told to. */
import type { Socket } from 'node:net';

/** What stands before the end of the answer to a command, by its name: `SELECT`, `UID SEARCH`. */
export type ImapAnswers = Readonly<Record<string, string | Buffer>>;

const usual: ImapAnswers = {
  CAPABILITY: '* CAPABILITY IMAP4rev1 ID NAMESPACE UIDPLUS\r\n',
  NAMESPACE: '* NAMESPACE (("" "/")) NIL NIL\r\n',
  LIST: '* LIST (\\HasNoChildren) "/" INBOX\r\n',
  LSUB: '* LSUB (\\HasNoChildren) "/" INBOX\r\n',
  SELECT:
    '* FLAGS (\\Seen)\r\n* OK [PERMANENTFLAGS (\\Seen \\*)] ok\r\n* 2 EXISTS\r\n* OK [UIDVALIDITY 1] ok\r\n* OK [UIDNEXT 3] ok\r\n',
  'UID SEARCH': '* SEARCH 1 2\r\n',
};

/** Answers commands so. */
export function answeringImap(answers: ImapAnswers): (socket: Socket) => void {
  return (socket) => {
    let unread = '';
    socket.write('* OK ready\r\n');
    socket.on('data', (chunk) => {
      unread += chunk.toString('latin1');
      for (let end = unread.indexOf('\r\n'); end >= 0; end = unread.indexOf('\r\n')) {
        const [tag = '', first = '', second = ''] = unread.slice(0, end).split(' ');
        unread = unread.slice(end + 2);
        const name = first === 'UID' ? `UID ${second}` : first;
        socket.write(answers[name] ?? usual[name] ?? '');
        socket.write(`${tag} OK done\r\n`);
      }
    });
  };
}

/** A literal (RFC 9051, 4.3) of that length, as it is said, with these bytes. */
export function literal(length: number, bytes: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`{${length}}\r\n`), Buffer.from(bytes)]);
}
