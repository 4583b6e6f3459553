import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { got, messaging } from '../../api/client.ts';
import type { components } from '../../api/messaging-api.d.ts';
import { useSession } from '../../api/session.ts';
import { useClock } from '../../texts/clock.ts';

type State = components['schemas']['ConversationPresence']['state'];

interface Told {
  readonly conversation_id: string;
  readonly user_id: string;
  readonly state: State;
}

/** Who was last heard of at a conversation, and when. */
type Heard = Readonly<Record<string, { readonly state: State; readonly at: number }>>;

const repeatMs = 20_000;
/** Who is not heard of for so long is gone. */
const goneAfterMs = 45_000;
/** Who has not typed for so long only looks. */
const typingMs = 6_000;
const checkMs = 3_000;

const presenceKey = (conversation: string) => ['presence', conversation] as const;

/** Keeps what the stream of events told. */
export function hearPresence(queryClient: QueryClient, told: string, now: Date): void {
  const { conversation_id, user_id, state } = JSON.parse(told) as Told;
  queryClient.setQueryData(presenceKey(conversation_id), (heard: Heard = {}) => ({
    ...heard,
    [user_id]: { state, at: now.getTime() },
  }));
}

export interface Presence {
  /** Ids of those who look or type too. */
  readonly others: readonly { readonly id: string; readonly state: State }[];
  /** Called with each change of the answer. */
  typed(): void;
}

/**
 * Tells the team that this conversation is looked at, and says who else does. `isLive`: the stream of
 * events is open.
 */
export function usePresence(conversation: string, isLive: boolean): Presence {
  const { user } = useSession();
  const clock = useClock();
  const queryClient = useQueryClient();
  const [now, setNow] = useState(() => clock().getTime());
  const typedAt = useRef(Number.NEGATIVE_INFINITY);
  const last = useRef<State>('gone');
  const { data: heard = {} } = useQuery({
    queryKey: presenceKey(conversation),
    queryFn: () => queryClient.getQueryData<Heard>(presenceKey(conversation)) ?? {},
    staleTime: Number.POSITIVE_INFINITY,
  });
  const tell = useCallback(
    (state: State) => {
      last.current = state;
      const params = { path: { id: conversation } };
      const path = '/team-inbox/api/conversations/{id}/presence/';
      // It is repeated soon, and nobody is harmed by one that is lost.
      got(messaging.POST(path, { params, body: { state } })).catch(() => undefined);
    },
    [conversation],
  );

  useEffect(() => {
    // Before it is open the answers of those who are there would be missed.
    if (!isLive) return;
    tell('looking');
    const repeating = window.setInterval(() => tell(last.current), repeatMs);
    const checking = window.setInterval(() => {
      const at = clock().getTime();
      setNow(at);
      if (last.current === 'typing' && at > typedAt.current + typingMs) tell('looking');
    }, checkMs);
    return () => {
      window.clearInterval(repeating);
      window.clearInterval(checking);
      tell('gone');
    };
  }, [tell, clock, isLive]);

  const others = Object.entries(heard)
    .filter(([id, { state, at }]) => id !== user.id && state !== 'gone' && now < at + goneAfterMs)
    .map(([id, { state }]) => ({ id, state }));
  const known = others.map(({ id }) => id).join(' ');
  useEffect(() => {
    // Who has just come hears of us now, and not only with the next repeat.
    if (known !== '') tell(last.current);
  }, [known, tell]);

  return {
    others,
    typed: () => {
      typedAt.current = clock().getTime();
      if (last.current !== 'typing') tell('typing');
    },
  };
}
