import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePagedRows } from '../../api/paging.ts';
import { Button } from '../../design/button.tsx';
import { ProblemNote, Skeleton } from '../../design/page.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { useFormats } from '../../texts/formats.ts';
import { type NameOf, useNames } from './names.ts';
import {
  type Attachment,
  attachmentsQuery,
  type Conversation,
  type HistoryEntry,
  historyQuery,
  type InboxMessage,
  messagesQuery,
  type Note,
  notesQuery,
} from './queries.ts';
import { useInboxTexts } from './texts.ts';
import styles from './thread.module.css';

/** Messages, notes and what was done, in the order in which they happened. */
export function Thread({ conversation }: { conversation: Conversation }) {
  const t = useInboxTexts();
  const { id } = conversation;
  const messages = usePagedRows(messagesQuery(id));
  const { data: notes } = useQuery(notesQuery(id));
  const { data: history } = useQuery(historyQuery(id));
  const { data: files } = useQuery(attachmentsQuery(id));
  const nameOf = useNames();
  const { rows: said, data, error, hasNextPage, more, isLoadingMore, refetch } = messages;
  const oldest = hasNextPage ? said.at(-1)?.created_at : undefined;
  const filesOf = Map.groupBy(files?.results ?? [], ({ message_id }) => message_id);
  const entries: Entry[] = [
    ...said.map((message) => ({
      id: message.id,
      at: message.created_at,
      shown: (
        <MessageBubble message={message} files={filesOf.get(message.id) ?? []} nameOf={nameOf} />
      ),
    })),
    ...(notes?.results ?? []).map((note) => ({
      id: note.id,
      at: note.created_at,
      shown: <NoteBubble note={note} nameOf={nameOf} />,
    })),
    ...(history?.results ?? [])
      .filter(({ type }) => type !== 'noted')
      .map((entry) => ({
        id: entry.id,
        at: entry.created_at,
        shown: <HistoryLine entry={entry} nameOf={nameOf} />,
      })),
  ]
    .filter(({ at }) => oldest === undefined || at >= oldest)
    .sort((a, b) => (a.at < b.at ? -1 : 1));

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.frame} tabIndex={0} aria-label={t('messages')}>
      <div className={styles.thread}>
        {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
        {data === undefined && !error && <Skeleton lines={6} />}
        {hasNextPage && (
          <div className={styles.more}>
            <Button isBusy={isLoadingMore} onClick={more}>
              {t('earlier')}
            </Button>
          </div>
        )}
        <ol className={styles.entries}>
          {entries.map((entry) => (
            <li key={entry.id} className={styles.entry}>
              {entry.shown}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly shown: ReactNode;
}

interface MessageBubbleProps {
  readonly message: InboxMessage;
  readonly files: readonly Attachment[];
  readonly nameOf: NameOf;
}

const shownPictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function MessageBubble({ message, files, nameOf }: MessageBubbleProps) {
  const t = useInboxTexts();
  const channels = useChannelTexts();
  const formats = useFormats();
  const { direction, text, channel, status, error, author, created_at, call } = message;
  const known = Object.hasOwn(statuses, status)
    ? statuses[status as keyof typeof statuses]
    : undefined;
  return (
    <article className={direction === 'in' ? styles.theirs : styles.ours}>
      <p dir="auto" className={styles.text}>
        {text}
        {call?.duration_seconds != null && ` (${formats.number(call.duration_seconds)} s)`}
      </p>
      {files.map((file) => (
        <a key={file.id} href={file.url} download className={styles.file}>
          {shownPictures.includes(file.media_type) && (
            <img src={file.url} alt="" loading="lazy" className={styles.picture} />
          )}
          <bdi>{file.name}</bdi>
        </a>
      ))}
      <p className={styles.about}>
        {direction === 'out' && (
          <>
            <bdi>{nameOf(author)}</bdi>
            {' · '}
          </>
        )}
        {channels(channel)} · <time dateTime={created_at}>{formats.instant(created_at)}</time>
        {direction === 'out' && ` · ${known ? t(known) : status}`}
      </p>
      {error && (
        <p className={styles.failure}>
          {error.detail} <code>{error.code}</code>
        </p>
      )}
    </article>
  );
}

/** Their texts. A call has statuses of its own. */
const statuses = {
  queued: 'queued',
  sending: 'sending',
  unknown: 'maybeSent',
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  failed: 'failed',
  expired: 'expired',
  skipped: 'skipped',
  canceled: 'canceled',
} as const;

function NoteBubble({ note, nameOf }: { note: Note; nameOf: NameOf }) {
  const t = useInboxTexts();
  const formats = useFormats();
  return (
    <article className={styles.note}>
      <p dir="auto" className={styles.text}>
        {note.text}
      </p>
      <p className={styles.about}>
        {t('note')} · <bdi>{nameOf(note.author)}</bdi> ·{' '}
        <time dateTime={note.created_at}>{formats.instant(note.created_at)}</time>
      </p>
    </article>
  );
}

function HistoryLine({ entry, nameOf }: { entry: HistoryEntry; nameOf: NameOf }) {
  const t = useInboxTexts();
  const formats = useFormats();
  const { type, actor, data, created_at } = entry;
  if (type === 'noted') return null;
  const to = typeof data.to === 'string' ? nameOf(data.to) : '';
  return (
    <p className={styles.history}>
      <bdi>{nameOf(actor)}</bdi> · {t(`did_${type}`, { to })} ·{' '}
      <time dateTime={created_at}>{formats.instant(created_at)}</time>
    </p>
  );
}
