import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { got, messaging, Problem } from '../../api/client.ts';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { ProblemNote, Skeleton } from '../../design/page.tsx';
import { useClock } from '../../texts/clock.ts';
import { useFormats } from '../../texts/formats.ts';
import { Composer } from './composer.tsx';
import styles from './conversation.module.css';
import { ExportDialog } from './export-dialog.tsx';
import { keepConversation, reloadThreads } from './kept-conversations.ts';
import { useShortcuts } from './keyboard.tsx';
import { Person } from './person.tsx';
import { type Presence, usePresence } from './presence.ts';
import {
  type Conversation,
  type ConversationPatch,
  conversationQuery,
  tagsQuery,
  teamQuery,
} from './queries.ts';
import { useInboxTexts } from './texts.ts';
import { Thread } from './thread.tsx';

interface ConversationViewProps {
  readonly id: string;
  /** Changes are heard of at once. */
  readonly isLive: boolean;
  onBack(): void;
}

/** One conversation: what can be done with it, what was said, the answer, and the person. */
export function ConversationView({ id, isLive, onBack }: ConversationViewProps) {
  const { data: conversation, error, refetch } = useQuery(conversationQuery(id));
  if (conversation === undefined) {
    return (
      <div className={styles.loading}>
        {error ? (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton lines={8} />
        )}
      </div>
    );
  }
  return <OpenConversation conversation={conversation} isLive={isLive} onBack={onBack} />;
}

interface OpenConversationProps {
  readonly conversation: Conversation;
  readonly isLive: boolean;
  onBack(): void;
}

function OpenConversation({ conversation, isLive, onBack }: OpenConversationProps) {
  const t = useInboxTexts();
  const session = useSession();
  const { user } = session;
  const mayWrite = mayDo(session, 'messaging', 'inbox:write');
  const { id, contact, unread } = conversation;
  const [isPersonShown, setPersonShown] = useState(false);
  const queryClient = useQueryClient();
  const { others, typed } = usePresence(id, isLive);

  useEffect(() => {
    if (unread === 0 || !mayWrite) return;
    const read = messaging.POST('/team-inbox/api/conversations/{id}/read/', {
      params: { path: { id } },
      body: {},
    });
    void got(read).then(
      (answer) => keepConversation(queryClient, answer, user.id),
      () => undefined, // it stays unread, and the next visit marks it
    );
  }, [id, unread, mayWrite, queryClient, user.id]);

  return (
    <div className={styles.conversation}>
      <section className={styles.main} aria-label={contact.name ?? contact.phone ?? t('unknown')}>
        <header className={styles.head}>
          <div className={styles.back}>
            <Button onClick={onBack}>{t('back')}</Button>
          </div>
          <h2 dir="auto" className={styles.name}>
            {contact.name ?? contact.phone ?? t('unknown')}
          </h2>
          <State conversation={conversation} />
          <div className={styles.personButton}>
            <Button aria-pressed={isPersonShown} onClick={() => setPersonShown(!isPersonShown)}>
              {t('person')}
            </Button>
          </div>
        </header>
        {mayWrite && <Actions conversation={conversation} />}
        <Others others={others} />
        <Thread conversation={conversation} />
        {mayWrite && <Composer conversation={conversation} onTyped={typed} />}
      </section>
      <div className={styles.person} data-shown={isPersonShown}>
        <Person conversation={conversation} />
      </div>
    </div>
  );
}

/** Who else of the team is here. */
function Others({ others }: Pick<Presence, 'others'>) {
  const t = useInboxTexts();
  const { data: team } = useQuery(teamQuery);
  return (
    <p className={styles.others} role="status">
      {others.map(({ id, state }) => (
        <span key={id}>
          <bdi>
            {t(state === 'typing' ? 'isTyping' : 'isLooking', {
              name: team?.results.find((each) => each.id === id)?.name ?? id,
            })}
          </bdi>{' '}
        </span>
      ))}
    </p>
  );
}

function State({ conversation }: { conversation: Conversation }) {
  const t = useInboxTexts();
  const formats = useFormats();
  const clock = useClock();
  const { state, snoozed_until, due_at } = conversation;
  if (state === 'closed') return <Badge>{t('isClosed')}</Badge>;
  if (state === 'snoozed') {
    return <Badge>{t('isSnoozed', { when: formats.instant(snoozed_until ?? '') })}</Badge>;
  }
  if (due_at === null) return <Badge tone="good">{t('isOpen')}</Badge>;
  const isLate = new Date(due_at) < clock();
  return (
    <Badge tone={isLate ? 'bad' : 'warning'}>
      {t(isLate ? 'late' : 'due', { when: formats.instant(due_at) })}
    </Badge>
  );
}

const hourMs = 3_600_000;

/** Ends of a snooze that people choose from. */
function snoozeEnds(now: Date) {
  const morning = (days: number) => {
    const day = new Date(now);
    day.setDate(day.getDate() + days);
    day.setHours(9, 0, 0, 0);
    return day;
  };
  return [
    ['oneHour', new Date(now.getTime() + hourMs)],
    ['threeHours', new Date(now.getTime() + 3 * hourMs)],
    ['tomorrow', morning(1)],
    ['nextWeek', morning(7)],
  ] as const;
}

function Actions({ conversation }: { conversation: Conversation }) {
  const t = useInboxTexts();
  const session = useSession();
  const clock = useClock();
  const queryClient = useQueryClient();
  const { data: team } = useQuery(teamQuery);
  const { data: tags } = useQuery(tagsQuery);
  const [isExporting, setExporting] = useState(false);
  const snooze = useRef<HTMLSelectElement>(null);
  const { id, state, assignee_id, tags: own } = conversation;
  const key = conversationQuery(id).queryKey;
  const change = useMutation({
    // One after another: the second of two quick changes expects what the first has made.
    scope: { id: `conversation ${id}` },
    mutationFn: (body: ConversationPatch) =>
      got(
        messaging.PATCH('/team-inbox/api/conversations/{id}/', { params: { path: { id } }, body }),
      ),
    // Shown at once, and taken back when it is refused.
    onMutate: ({ expected_assignee_id: _, ...body }) => {
      // What was asked for before would show the old state for a moment.
      void queryClient.cancelQueries({ queryKey: key });
      const before = queryClient.getQueryData(key);
      queryClient.setQueryData(key, (old) => old && { ...old, ...body });
      return { before };
    },
    onError: (_, __, kept) => queryClient.setQueryData(key, kept?.before),
    onSuccess: (answer) => keepConversation(queryClient, answer, session.user.id),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: key }),
        reloadThreads(queryClient, [{ conversation_id: id }]),
      ]),
  });
  const assign = (to: string | null) =>
    change.mutate({ assignee_id: to, expected_assignee_id: assignee_id });
  const close = () => change.mutate({ state: state === 'closed' ? 'open' : 'closed' });
  useShortcuts({
    a: () => assign(session.user.id),
    e: close,
    s: () => snooze.current?.focus(),
    p: () => setExporting(true),
  });
  const answering = team?.results.filter(({ may_answer }) => may_answer) ?? [];
  const isKnown = assignee_id === null || answering.some((each) => each.id === assignee_id);

  return (
    <div className={styles.actions} role="toolbar" aria-label={t('actions')}>
      <select
        className={styles.choice}
        aria-label={t('assignee')}
        value={assignee_id ?? ''}
        onChange={({ target }) => assign(target.value || null)}
      >
        <option value="">{t('nobody')}</option>
        {!isKnown && <option value={assignee_id}>{assignee_id}</option>}
        {answering.map((each) => (
          <option key={each.id} value={each.id}>
            {each.id === session.user.id ? t('me', { name: each.name }) : each.name}
          </option>
        ))}
      </select>
      {state !== 'closed' && (
        <select
          ref={snooze}
          className={styles.choice}
          aria-label={t('snooze')}
          value=""
          onChange={({ target }) =>
            change.mutate(
              target.value === 'wake'
                ? { state: 'open' }
                : { state: 'snoozed', snoozed_until: target.value },
            )
          }
        >
          <option value="">{t('snooze')}</option>
          {state === 'snoozed' && <option value="wake">{t('wake')}</option>}
          {snoozeEnds(clock()).map(([name, end]) => (
            <option key={name} value={end.toISOString()}>
              {t(name)}
            </option>
          ))}
        </select>
      )}
      {tags && tags.results.length > 0 && (
        <details className={styles.tags}>
          <summary className={styles.choice}>
            {own.length === 0 ? t('tags') : own.join(', ')}
          </summary>
          <fieldset className={styles.tagList}>
            <legend>{t('tags')}</legend>
            {tags.results.map(({ id: tagId, name }) => (
              <label key={tagId}>
                <input
                  type="checkbox"
                  checked={own.includes(name)}
                  onChange={({ target }) =>
                    change.mutate({
                      tags: target.checked ? [...own, name] : own.filter((each) => each !== name),
                    })
                  }
                />{' '}
                <bdi>{name}</bdi>
              </label>
            ))}
          </fieldset>
        </details>
      )}
      <Button isChanging onClick={close} isBusy={change.isPending}>
        {state === 'closed' ? t('reopen') : t('close')}
      </Button>
      <Button onClick={() => setExporting(true)}>{t('export')}</Button>
      {change.error && <Refused error={change.error} />}
      {isExporting && <ExportDialog conversationId={id} onClose={() => setExporting(false)} />}
    </div>
  );
}

/** Why a change was not made; of a conversation that somebody else took first, who that is. */
function Refused({ error }: { error: Error }) {
  const t = useInboxTexts();
  const { data: team } = useQuery(teamQuery);
  if (!(error instanceof Problem) || error.code !== 'conversation_taken') {
    return <ProblemNote error={error} />;
  }
  const { assigneeId } = error;
  const name = team?.results.find(({ id }) => id === assigneeId)?.name ?? assigneeId;
  return (
    <p role="alert">
      <bdi>{name ? t('takenBy', { name }) : t('takenAway')}</bdi>
    </p>
  );
}
