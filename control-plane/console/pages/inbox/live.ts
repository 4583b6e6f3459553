import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClock } from '../../texts/clock.ts';
import { hearPresence } from './presence.ts';
import { inboxKey } from './queries.ts';

const eventTypes = [
  'message.received',
  'message.queued',
  'message.moved',
  'call.happened',
  'conversation.changed',
  'conversation.removed',
  'reset',
] as const;

/** However much happens, what is shown is loaded anew at most this often. */
const loadEveryMs = 500;
/** A browser does not come back by itself after a refusal, such as too many open streams. */
const openAgainMs = 15_000;

/** Loads what is shown anew when something changes in the inbox; returns whether it listens. */
export function useLiveInbox(): boolean {
  const queryClient = useQueryClient();
  const clock = useClock();
  const [isLive, setLive] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const source = new EventSource('/team-inbox/api/events/');
    let loading: number | undefined;
    let opening: number | undefined;
    const load = () => {
      loading ??= window.setTimeout(() => {
        loading = undefined;
        void queryClient.invalidateQueries({ queryKey: inboxKey });
      }, loadEveryMs);
    };
    source.onopen = () => {
      setLive(true);
      // What happened while nobody listened.
      if (attempt > 0) load();
    };
    source.onerror = () => {
      setLive(false);
      if (source.readyState !== EventSource.CLOSED) return;
      opening = window.setTimeout(() => setAttempt(attempt + 1), openAgainMs);
    };
    for (const type of eventTypes) source.addEventListener(type, load);
    source.addEventListener('conversation.presence', ({ data }: MessageEvent<string>) =>
      hearPresence(queryClient, data, clock()),
    );
    return () => {
      source.close();
      window.clearTimeout(loading);
      window.clearTimeout(opening);
    };
  }, [queryClient, attempt, clock]);
  return isLive;
}
