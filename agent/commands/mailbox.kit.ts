import { once } from 'node:events';
import { connect } from 'node:net';
import type { TestDovecot } from '../../test/kit/dovecot.ts';

/** Puts a message into INBOX, as IMAP does it (RFC 9051). */
export async function deliver(
  { host, port, user, password }: TestDovecot,
  message: string,
): Promise<void> {
  const socket = connect({ host, port });
  const said = async (wanted: RegExp) => {
    for (let told = ''; !wanted.test(told); ) {
      const [piece] = await once(socket, 'data');
      told += String(piece);
    }
  };
  await said(/^\* OK/);
  socket.write(`a LOGIN ${user} "${password}"\r\n`);
  await said(/^a OK/m);
  socket.write(`b APPEND INBOX {${Buffer.byteLength(message)}}\r\n`);
  await said(/^\+/m);
  socket.write(`${message}\r\n`);
  await said(/^b OK/m);
  socket.destroy();
}
