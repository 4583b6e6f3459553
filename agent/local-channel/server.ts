import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Report } from '../log/events.ts';
import { channelAddress } from './address.ts';
import {
  type ChannelAnswer,
  type ChannelRequest,
  channelLimits,
  channelRequest,
} from './messages.ts';

export interface Caller {
  /** Sends one of many lines; false when the caller does not keep up, and the line is left out. */
  line(value: unknown): boolean;
  /** Aborted when the caller is gone. */
  readonly gone: AbortSignal;
}

/** Serves a request; what it resolves with is the last that the caller hears. */
export type ServeRequest = (
  request: ChannelRequest,
  caller: Caller,
) => Promise<Exclude<ChannelAnswer, { kind: 'line' }>>;

/**
 * Serves commands of the folder's owner until it is closed. Nothing is sent before a request was read, so whoever
 * can only read the pipe of Windows learns nothing. Where it cannot be opened the agent works without.
 */
export function openChannel(home: string, serve: ServeRequest, report: Report): { close(): void } {
  const address = channelAddress(home);
  const isFile = process.platform !== 'win32';
  const callers = new Set<Socket>();
  const server: Server = createServer((socket) => {
    callers.add(socket);
    socket.on('close', () => callers.delete(socket));
    socket.on('error', () => socket.destroy()); // the caller is gone
    void answer(socket, serve);
  });
  server.maxConnections = channelLimits.connections;
  server.on('error', (error) => report('channel_failed', error.message));
  server.on('listening', () => isFile && chmodSync(address, 0o600));
  // A run that was killed leaves its socket; the lock of the home folder says that it is nobody's.
  if (isFile) rmSync(address, { force: true });
  server.listen(address);
  return {
    close() {
      server.close();
      for (const caller of callers) caller.destroy();
    },
  };
}

async function answer(socket: Socket, serve: ServeRequest): Promise<void> {
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  const send = (message: ChannelAnswer) => socket.write(`${JSON.stringify(message)}\n`);
  const line = (value: unknown) => {
    if (socket.writableLength > channelLimits.unreadBytes) return false;
    send({ kind: 'line', value });
    return true;
  };
  const read = await readRequest(socket);
  if (read === undefined) return void socket.destroy();
  const request = channelRequest.safeParse(read);
  if (!request.success) {
    const cause = 'The running agent does not know this request: it is of another version.';
    send({ kind: 'failed', error: 'channel_failed', cause });
  } else {
    const served = serve(request.data, { line, gone: gone.signal });
    send(await served.catch((error: Error) => failure(error)));
  }
  socket.end();
}

function failure({ message }: Error): ChannelAnswer {
  return { kind: 'failed', error: 'channel_failed', cause: message };
}

/** The first line, parsed; undefined when none comes in time, or one that is too long. What follows is ignored. */
function readRequest(socket: Socket): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    if (text.includes('\n')) return;
    text += String(chunk);
    const end = text.indexOf('\n');
    if (end >= 0) resolve(parsed(text.slice(0, end)));
    else if (text.length > channelLimits.requestLength) resolve(undefined);
  });
  socket.once('close', () => resolve(undefined));
  const timer = setTimeout(() => resolve(undefined), channelLimits.requestMs);
  return promise.finally(() => clearTimeout(timer));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // nobody who speaks this asks so
  }
}
