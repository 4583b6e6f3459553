/** Sockets to database servers, which may be hostile: what a driver leaves open, or lets come in without end. */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { watchAnswer } from './driver.ts';

/** Bytes until somebody is logged in; servers say some hundred, and certificates some thousand. */
const loginBytesMax = 1_048_576;
/** Drivers give up after ten seconds, but not all of them hang up. */
const loginMs = 12_000;
/** Bytes of the answer to a command that gives no rows. */
export const commandBytesMax = 1_048_576;
/** For how long a server may go on after it was told that this is all. */
const closingMs = 1_000;

const logins = new WeakMap<Socket, () => void>();

/**
 * An unconnected socket that ends when the server says too much before `loggedIn`, when that takes too long, and
 * when the server goes on after the end.
 */
export function serverSocket(make: () => Socket = () => new Socket()): Socket {
  const socket = make();
  guardReading(socket);
  const stopWatching = watchAnswer(socket, loginBytesMax);
  const deadline = setTimeout(() => socket.destroy(), loginMs).unref();
  const end = () => {
    stopWatching();
    clearTimeout(deadline);
  };
  logins.set(socket, end);
  socket.once('close', end);
  // Drivers close their half alone.
  socket.once('finish', () => {
    const timer = setTimeout(() => socket.destroy(), closingMs).unref();
    socket.once('close', () => clearTimeout(timer));
  });
  return socket;
}

const guarded = new WeakSet<Duplex>();

/**
 * A driver that cannot read what comes in ends the connection: its error would otherwise be nobody's, and end the
 * process. Called for the stream of each TLS too, which stands above the socket.
 */
export function guardReading(stream: Duplex): void {
  if (guarded.has(stream)) return;
  guarded.add(stream);
  const emit = stream.emit.bind(stream);
  stream.emit = (name: string | symbol, ...given: unknown[]) => {
    if (name !== 'data') return emit(name, ...given);
    try {
      return emit(name, ...given);
    } catch (error) {
      stream.destroy(error as Error);
      return true;
    }
  };
}

/** From now on answers are watched one by one. */
export function loggedIn(socket: Socket): void {
  logins.get(socket)?.();
}
