import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Button, ButtonLink } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { ChoiceFilters } from '../../design/filters.tsx';
import { channels, useChannelTexts } from '../../texts/channels.ts';
import { ConversationView } from './conversation.tsx';
import { KeyboardHelp, useShortcuts } from './keyboard.tsx';
import { ConversationList } from './list.tsx';
import { useLiveInbox } from './live.ts';
import styles from './page.module.css';
import { conversationsQuery, type ListFilter, tagsQuery, views } from './queries.ts';
import { useInboxTexts } from './texts.ts';

const route = getRouteApi('/signed-in/inbox');

/** Conversations with people, beside the one that is open. */
export function InboxPage() {
  const t = useInboxTexts();
  const isLive = useLiveInbox();
  const { id, ...search } = route.useSearch();
  const navigate = useNavigate({ from: '/inbox' });
  const queryClient = useQueryClient();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useEffect(() => {
    document.title = `${t('title')} · Drawbridge`;
  }, [t]);
  const filter: ListFilter = {
    view: views.find((each) => each === search.view) ?? 'open',
    channel: channels.find((each) => each === search.channel),
    tag: search.tag,
  };

  function move(step: 1 | -1): void {
    const loaded = queryClient.getQueryData(conversationsQuery(filter).queryKey);
    const ids = loaded?.pages.flatMap(({ results }) => results.map((each) => each.id)) ?? [];
    const at = id === undefined ? -1 : ids.indexOf(id);
    const next = ids[at < 0 ? 0 : at + step];
    if (next === undefined) return;
    void navigate({ search: (old) => ({ ...old, id: next }) }).then(() => {
      document.querySelector<HTMLElement>(`[data-conversation="${next}"]`)?.focus();
    });
  }
  useShortcuts({ j: () => move(1), k: () => move(-1), '?': () => setHelpOpen(true) });

  return (
    <div className={styles.inbox} data-open={id !== undefined}>
      <section className={styles.side} aria-label={t('conversations')}>
        <header className={styles.head}>
          <h1>{t('title')}</h1>
          <span className={styles.live} role="status">
            {isLive ? t('live') : t('connecting')}
          </span>
        </header>
        <ListFilters filter={filter} />
        <ConversationList filter={filter} openId={id} onMove={move} />
        <footer className={styles.foot}>
          <Button kind="plain" onClick={() => setHelpOpen(true)}>
            {t('keyboard')}
          </Button>
          <ButtonLink kind="plain" to="/inbox/canned-replies">
            {t('canned')}
          </ButtonLink>
          <ButtonLink kind="plain" to="/inbox/statistics">
            {t('statistics')}
          </ButtonLink>
          <ButtonLink kind="plain" to="/inbox/hours">
            {t('hours')}
          </ButtonLink>
        </footer>
      </section>
      {id === undefined ? (
        <p className={styles.nothing}>{t('choose')}</p>
      ) : (
        <ConversationView
          key={id}
          id={id}
          isLive={isLive}
          onBack={() => void navigate({ search: (old) => ({ ...old, id: undefined }) })}
        />
      )}
      {isHelpOpen && <KeyboardHelp onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

function ListFilters({ filter }: { filter: ListFilter }) {
  const t = useInboxTexts();
  const channelTexts = useChannelTexts();
  const navigate = useNavigate({ from: '/inbox' });
  const { data: tags } = useQuery(tagsQuery);
  const chosen = [filter.view !== 'open', filter.channel, filter.tag].filter(Boolean);
  const choose = (change: object) =>
    void navigate({ search: (old) => ({ ...old, ...change, id: undefined }) });
  return (
    <ChoiceFilters className={styles.filters} active={chosen.length}>
      <SelectField
        label={t('view')}
        value={filter.view}
        onChange={({ target }) => choose({ view: target.value })}
      >
        {views.map((each) => (
          <option key={each} value={each}>
            {t(each === 'waiting' ? 'waitingLongest' : each)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('channel')}
        value={filter.channel ?? ''}
        onChange={({ target }) => choose({ channel: target.value || undefined })}
      >
        <option value="">{t('anyChannel')}</option>
        {channels.map((each) => (
          <option key={each} value={each}>
            {channelTexts(each)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('tag')}
        value={filter.tag ?? ''}
        onChange={({ target }) => choose({ tag: target.value || undefined })}
      >
        <option value="">{t('anyTag')}</option>
        {tags?.results.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </SelectField>
    </ChoiceFilters>
  );
}
