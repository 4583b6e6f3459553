import { useQuery } from '@tanstack/react-query';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge, type Tone } from '../../design/badge.tsx';
import { Facts, ProblemNote, Skeleton } from '../../design/page.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { useFormats } from '../../texts/formats.ts';
import styles from './person.module.css';
import { attachmentsQuery, type Conversation, consentsQuery, contactQuery } from './queries.ts';
import { useInboxTexts } from './texts.ts';

const tones: Readonly<Record<string, Tone>> = { granted: 'good', revoked: 'bad' };

/** Who the person is, what they agreed to, and the files of the conversation. */
export function Person({ conversation }: { conversation: Conversation }) {
  const t = useInboxTexts();
  const session = useSession();
  return (
    <aside className={styles.person} aria-label={t('person')}>
      {mayDo(session, 'messaging', 'contacts:read') && <Contact id={conversation.contact.id} />}
      <Files id={conversation.id} />
    </aside>
  );
}

function Contact({ id }: { id: string }) {
  const t = useInboxTexts();
  const channels = useChannelTexts();
  const formats = useFormats();
  const { data: contact, error } = useQuery(contactQuery(id));
  const { data: consents } = useQuery(consentsQuery(id));
  if (error) return <ProblemNote error={error} />;
  if (contact === undefined) return <Skeleton lines={5} />;
  return (
    <>
      <h2>{t('person')}</h2>
      <Facts
        facts={[
          [t('name'), contact.name && <bdi>{contact.name}</bdi>, 'name'],
          [t('phone'), contact.phone && <bdi dir="ltr">{contact.phone}</bdi>, 'phone'],
          ...Object.entries(contact.attributes).map(
            ([name, value]) =>
              [<bdi key={name}>{name}</bdi>, <bdi key={name}>{String(value)}</bdi>, name] as const,
          ),
          [t('since'), formats.instant(contact.created_at), 'since'],
        ]}
      />
      <h3>{t('consents')}</h3>
      {consents?.results.length === 0 && <p>{t('noConsents')}</p>}
      <ul className={styles.list}>
        {consents?.results.map(({ channel, address, state, at }) => (
          <li key={`${channel} ${address}`}>
            <Badge tone={tones[state] ?? 'neutral'}>
              {t(state === 'unknown' ? 'unknownConsent' : state)}
            </Badge>{' '}
            {channels(channel)} <bdi dir="ltr">{address}</bdi>
            {at && <div className={styles.soft}>{formats.instant(at)}</div>}
          </li>
        ))}
      </ul>
    </>
  );
}

function Files({ id }: { id: string }) {
  const t = useInboxTexts();
  const { data } = useQuery(attachmentsQuery(id));
  if (data === undefined || data.results.length === 0) return null;
  return (
    <>
      <h3>{t('files')}</h3>
      <ul className={styles.list}>
        {data.results.map((file) => (
          <li key={file.id}>
            <a href={file.url} download>
              <bdi>{file.name}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
