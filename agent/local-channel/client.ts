import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { type Failed, failed } from '../outcome.ts';
import { channelAddress } from './address.ts';
import { type ChannelRequest, channelAnswer } from './messages.ts';

export type Asked =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly outcome: Failed };

/**
 * Asks the running agent of a home folder; `line` is given each line of an answer of many. Ends when the agent has
 * answered, or `stop` is aborted.
 *
 *   const asked = await askAgent(settings.home, { method: 'retry' });
 */
export async function askAgent(
  home: string,
  request: ChannelRequest,
  { line = () => {}, stop }: { line?: (value: unknown) => void; stop?: AbortSignal } = {},
): Promise<Asked> {
  const socket = connect(channelAddress(home));
  const leave = () => socket.destroy();
  stop?.addEventListener('abort', leave, { once: true });
  let fault: NodeJS.ErrnoException | undefined;
  socket.on('error', (error) => {
    fault = error;
  });
  socket.write(`${JSON.stringify(request)}\n`);
  try {
    for await (const text of createInterface({ input: socket })) {
      const read = channelAnswer.safeParse(JSON.parse(text));
      if (!read.success) return unclear('It answers what this version does not know.');
      const answer = read.data;
      if (answer.kind === 'done') return answer;
      if (answer.kind === 'failed') return refused(answer.error, answer.cause);
      line(answer.value);
    }
  } catch (error) {
    fault ??= error as Error;
  } finally {
    stop?.removeEventListener('abort', leave);
    socket.destroy();
  }
  if (stop?.aborted) return { kind: 'done', value: undefined };
  return fault === undefined ? unclear('It ended before it answered.') : meaningOf(home, fault);
}

function meaningOf(home: string, { code, message }: NodeJS.ErrnoException): Asked {
  if (code === 'ENOENT' || code === 'ECONNREFUSED') {
    return refused('not_running', `No agent runs on ${home}.`);
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return refused(
      'channel_failed',
      `Only the owner of ${home} may ask the agent that runs there.`,
    );
  }
  return unclear(message);
}

function unclear(said: string): Asked {
  return refused('channel_failed', `The running agent cannot be asked: ${said}`);
}

function refused(...reason: Parameters<typeof failed>): Asked {
  return { kind: 'failed', outcome: failed(...reason) };
}
