import { useQuery } from '@tanstack/react-query';
import { mayDo, useSession } from '../../api/session.ts';
import { ButtonLink } from '../../design/button.tsx';
import { Card, ProblemNote, Skeleton } from '../../design/page.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { useFormats } from '../../texts/formats.ts';
import { conversationOfQuery, saidQuery } from '../contacts/queries.ts';
import { useContactTexts } from '../contacts/texts.ts';
import styles from './said.module.css';

/** The newest messages of every channel, and the way to the whole conversation. */
export function Said({ contactId }: { contactId: string }) {
  const isSeen = mayDo(useSession(), 'messaging', 'inbox:read');
  return isSeen && <Messages contactId={contactId} />;
}

function Messages({ contactId }: { contactId: string }) {
  const t = useContactTexts();
  const channels = useChannelTexts();
  const formats = useFormats();
  const { data, error, refetch } = useQuery(saidQuery(contactId));
  const { data: conversations } = useQuery(conversationOfQuery(contactId));
  const conversation = conversations?.results[0];
  return (
    <Card title={t('said')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={4} />}
      {data?.results.length === 0 && <p>{t('nothingSaid')}</p>}
      <ul>
        {data?.results.map(({ id, direction, text, channel, created_at }) => (
          <li key={id}>
            <p className={styles.about}>
              {direction === 'in' ? t('them') : t('us')} · {channels(channel)} ·{' '}
              <time dateTime={created_at}>{formats.instant(created_at)}</time>
            </p>
            <p dir="auto" className={styles.text}>
              {text}
            </p>
          </li>
        ))}
      </ul>
      {conversation && (
        <ButtonLink to="/inbox" search={{ id: conversation.id }}>
          {t('open')}
        </ButtonLink>
      )}
    </Card>
  );
}
