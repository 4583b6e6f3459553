import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useClock } from '../../texts/clock.ts';
import {
  type ConversationChange,
  keepConversation,
  leaveOutConversation,
  reloadThreads,
} from './kept-conversations.ts';
import { hearPresence } from './presence.ts';
import { type Conversation, inboxKey } from './queries.ts';
import { createReloader } from './reloader.ts';

const eventTypes = [
  'message.received',
  'message.queued',
  'message.moved',
  'call.happened',
  'conversation.changed',
  'conversation.removed',
] as const;

/** However much happens in the open conversation, it is loaded anew at most this often. */
const threadEveryMs = 500;
/** Everybody's inbox may have to be loaded anew at the same moment: they spread it over this time. */
const spreadMs = 5_000;
/** A browser does not come back by itself after a refusal, such as too many open streams. */
const openAgainMs = 15_000;

const after = (ms: number, call: () => void) => {
  const timer = window.setTimeout(call, ms);
  return () => window.clearTimeout(timer);
};

/** Between 0 and 1. */
const anyShare = () => crypto.getRandomValues(new Uint8Array(1))[0]! / 255;

interface Change extends ConversationChange {
  /** As it is by now; only the last of several changes has it. */
  readonly conversation?: Conversation;
}

/**
 * Changes what is shown as the stream of events tells it; returns whether it listens. Rows of lists come
 * with the events: lists are loaded anew only when some events may be lost.
 */
export function useLiveInbox(): boolean {
  const queryClient = useQueryClient();
  const { user } = useSession();
  const clock = useClock();
  const [isLive, setLive] = useState(false);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const source = new EventSource('/team-inbox/api/events/');
    const all = createReloader({
      load: () => queryClient.invalidateQueries({ queryKey: inboxKey }),
      waitMs: () => anyShare() * spreadMs,
      after,
    });
    const changes: Change[] = [];
    const threads = createReloader({
      load: () => reloadThreads(queryClient, changes.splice(0)),
      waitMs: () => threadEveryMs,
      after,
    });
    const opening: { cancel?: () => void } = {};
    let wasOpen = false;

    source.onopen = () => {
      setLive(true);
      // What happened before; when the stream opens once more it tells that by itself.
      if (!wasOpen) all.want();
      wasOpen = true;
    };
    source.onerror = () => {
      setLive(false);
      if (source.readyState !== EventSource.CLOSED) return;
      all.want();
      opening.cancel = after(openAgainMs, () => setAttempt(attempt + 1));
    };
    const hear = ({ type, data }: MessageEvent<string>) => {
      const change: Change = JSON.parse(data);
      const { conversation, conversation_id } = change;
      if (conversation !== undefined) keepConversation(queryClient, conversation, user.id);
      if (type === 'conversation.removed')
        leaveOutConversation(queryClient, String(conversation_id));
      changes.push(change);
      threads.want();
    };
    for (const type of eventTypes) source.addEventListener(type, hear);
    source.addEventListener('reset', all.want);
    source.addEventListener('conversation.presence', ({ data }: MessageEvent<string>) =>
      hearPresence(queryClient, data, clock()),
    );
    return () => {
      source.close();
      all.stop();
      threads.stop();
      opening.cancel?.();
    };
  }, [queryClient, attempt, clock, user.id]);
  return isLive;
}
