import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useCallback, useEffect, useRef } from 'react';
import { usePagedRows } from '../../api/paging.ts';
import { Badge } from '../../design/badge.tsx';
import { EmptyState, ProblemNote, Skeleton } from '../../design/page.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { useClock } from '../../texts/clock.ts';
import { useFormats } from '../../texts/formats.ts';
import styles from './list.module.css';
import { type Conversation, conversationsQuery, type ListFilter } from './queries.ts';
import { useInboxTexts } from './texts.ts';

/** The height of a row, which its style sheet gives it. */
const rowPx = 84;
/** The next page is loaded when so few rows are left below. */
const nearEndRows = 10;

interface ListProps {
  readonly filter: ListFilter;
  readonly openId: string | undefined;
  onMove(step: 1 | -1): void;
}

/** Conversations; only those that are seen are in the page, however many there are. */
export function ConversationList({ filter, openId, onMove }: ListProps) {
  const t = useInboxTexts();
  const query = usePagedRows(conversationsQuery(filter));
  const { rows, data, error, refetch, hasNextPage, more, isLoadingMore } = query;
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    getItemKey: useCallback((at: number) => rows[at]?.id ?? at, [rows]),
    overscan: 6,
  });
  const seen = list.getVirtualItems();
  const last = seen.at(-1)?.index ?? 0;
  const isMoreWanted =
    hasNextPage && !isLoadingMore && error === null && last >= rows.length - nearEndRows;
  useEffect(() => {
    if (isMoreWanted) more();
  });
  const openAt = rows.findIndex(({ id }) => id === openId);
  const isOpenListed = openAt >= 0;
  const shownAt = useRef(openAt);
  shownAt.current = openAt;
  useEffect(() => {
    // Not when the conversation only gets another place: somebody may be looking for one far below.
    if (openId !== undefined && isOpenListed) list.scrollToIndex(shownAt.current);
  }, [openId, isOpenListed, list]);

  const move = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    onMove(event.key === 'ArrowDown' ? 1 : -1);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its links take the keys
    <div className={styles.frame} ref={frame} onKeyDown={move}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={6} />}
      {data && rows.length === 0 && <EmptyState title={t('noneTitle')}>{t('none')}</EmptyState>}
      {rows.length > 0 && (
        <ul
          className={styles.list}
          aria-label={t('conversations')}
          style={{ height: list.getTotalSize() }}
        >
          {seen.map(({ index, key, start }) => (
            <li
              key={key}
              className={styles.item}
              style={{ transform: `translateY(${start}px)` }}
              aria-setsize={hasNextPage ? -1 : rows.length}
              aria-posinset={index + 1}
            >
              <Row conversation={rows[index]!} isOpen={rows[index]!.id === openId} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Row({ conversation, isOpen }: { conversation: Conversation; isOpen: boolean }) {
  const t = useInboxTexts();
  const channels = useChannelTexts();
  const formats = useFormats();
  const clock = useClock();
  const { id, contact, last_message: last, unread, waiting_since, last_channel } = conversation;
  return (
    <Link
      to="/inbox"
      search={(search) => ({ ...search, id })}
      className={styles.row}
      aria-current={isOpen ? 'true' : undefined}
      data-conversation={id}
    >
      <span className={styles.top}>
        <bdi className={unread > 0 ? styles.unreadName : styles.name}>
          {contact.name ?? contact.phone ?? t('unknown')}
        </bdi>
        <span className={styles.time}>{last && formats.ago(last.created_at, clock())}</span>
      </span>
      <span className={styles.text} dir="auto">
        {last?.direction === 'out' && `${t('us')} `}
        {last?.text}
      </span>
      <span className={styles.top}>
        <span className={styles.time}>{channels(last_channel)}</span>
        {unread > 0 ? (
          <Badge tone="warning">{t('unread', { count: unread })}</Badge>
        ) : (
          waiting_since && <Badge>{t('waiting')}</Badge>
        )}
      </span>
    </Link>
  );
}
