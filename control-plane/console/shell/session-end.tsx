import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { einvoicing, got } from '../api/client.ts';
import { onAnswer } from '../api/last-answer.ts';
import { hasPersonActed } from '../api/person.ts';
import { leaveForSignIn, type Session, sessionQuery, tellSessionChanged } from '../api/session.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { ProblemNote } from '../design/page.tsx';
import { useClock } from '../texts/clock.ts';
import { endOf, isNear, type SessionEnd } from './session-limits.ts';
import { useShellTexts } from './shell-texts.ts';

const everyMs = 1_000;
/** Who reads or writes for long without a request is still there: the server is told this often. */
const tellEveryMs = 60_000;

/** Says two minutes before that the session ends, and leads to the sign-in page when it has. */
export function SessionEndDialog() {
  const end = useSessionEnd();
  const [seen, setSeen] = useState<SessionEnd['kind']>();
  if (end === undefined || !isNear(end) || seen === end.kind) return null;
  return end.kind === 'idle' ? (
    <IdleDialog seconds={end.seconds} />
  ) : (
    // It cannot be put off: once it was seen it stands in nobody's way.
    <LifeDialog seconds={end.seconds} onClose={() => setSeen('life')} />
  );
}

/** When the session ends, looked at each second. */
function useSessionEnd(): SessionEnd | undefined {
  const clock = useClock();
  const router = useRouter();
  const queryClient = useQueryClient();
  const { data: session, dataUpdatedAt: toldAtMs } = useQuery(sessionQuery);
  const answeredAt = useRef(clock());
  const [now, setNow] = useState(clock);
  useEffect(
    () =>
      onAnswer(() => {
        answeredAt.current = clock();
      }),
    [clock],
  );
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), everyMs);
    return () => clearInterval(timer);
  }, [clock]);
  useEffect(() => {
    const timer = setInterval(() => {
      // Without a network the next request tells of it.
      if (hasPersonActed()) einvoicing.GET('/v1/session').catch(() => undefined);
    }, tellEveryMs);
    return () => clearInterval(timer);
  }, []);
  const end =
    session?.ends && endOf(session.ends, { now, answeredAt: answeredAt.current, toldAtMs });
  const hasEnded = end !== undefined && end.seconds <= 0;
  useEffect(() => {
    if (!hasEnded) return;
    const leave = () => signOut(router.state.location.href);
    hasNextSession(queryClient, clock()).then((hasNext) => {
      if (hasNext) answeredAt.current = clock();
      else void leave();
    }, leave);
  }, [hasEnded, router, queryClient, clock]);
  return end;
}

/** The times of browser and server differ by less. */
const sameSessionSeconds = 60;

/** Whether the person has signed in again in another window, which is no longer the session that ends here. */
async function hasNextSession(queryClient: QueryClient, now: Date): Promise<boolean> {
  const known = queryClient.getQueryState<Session | null>(sessionQuery.queryKey)!;
  const knownSeconds = known.data?.ends?.remaining_seconds ?? 0;
  const left = knownSeconds - (now.getTime() - known.dataUpdatedAt) / 1_000;
  const next = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
  return (next?.ends?.remaining_seconds ?? 0) > left + sameSessionSeconds;
}

/** Ends the session for all windows; it may have ended already. */
async function signOut(next: string): Promise<void> {
  try {
    await einvoicing.DELETE('/v1/session');
    tellSessionChanged();
  } finally {
    leaveForSignIn(next);
  }
}

function IdleDialog({ seconds }: { seconds: number }) {
  const t = useShellTexts();
  const queryClient = useQueryClient();
  const stay = useMutation({
    mutationFn: () => got(einvoicing.GET('/v1/session')),
    onSuccess: (now) => queryClient.setQueryData(sessionQuery.queryKey, now),
  });
  return (
    <Dialog
      title={t('signedOutSoon')}
      onClose={() => stay.mutate()}
      onSubmit={() => stay.mutate()}
      actions={
        <Button type="submit" kind="main" isBusy={stay.isPending}>
          {t('staySignedIn')}
        </Button>
      }
    >
      <p>{t('idleText')}</p>
      <TimeLeft seconds={seconds} />
      {stay.error && <ProblemNote error={stay.error} />}
    </Dialog>
  );
}

function LifeDialog({ seconds, onClose }: { seconds: number; onClose: () => void }) {
  const t = useShellTexts();
  const router = useRouter();
  return (
    <Dialog
      title={t('signedOutSoon')}
      onClose={onClose}
      onSubmit={() => void signOut(router.state.location.href)}
      actions={
        <>
          <Button onClick={onClose}>{t('finishFirst')}</Button>
          <Button type="submit" kind="main">
            {t('signInAgain')}
          </Button>
        </>
      }
    >
      <p>{t('lifeText')}</p>
      <TimeLeft seconds={seconds} />
    </Dialog>
  );
}

/** Not read out each second: readers of screens hear the dialog once, and find the time when they look. */
function TimeLeft({ seconds }: { seconds: number }) {
  const t = useShellTexts();
  const whole = Math.max(0, Math.ceil(seconds));
  const time = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
  return (
    <p role="timer" aria-live="off">
      {t('timeLeft', { time })}
    </p>
  );
}
