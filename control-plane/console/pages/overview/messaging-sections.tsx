import { Link } from '@tanstack/react-router';
import { Badge } from '../../design/badge.tsx';
import { ButtonLink } from '../../design/button.tsx';
import { useClock } from '../../texts/clock.ts';
import { useFormats } from '../../texts/formats.ts';
import { walletQuery } from '../wallet/queries.ts';
import { runningQuery, waitingQuery } from './queries.ts';
import { Section } from './section.tsx';
import { useOverviewTexts } from './texts.ts';

export function WaitingPeople() {
  const t = useOverviewTexts();
  const formats = useFormats();
  const clock = useClock();
  return (
    <Section title={t('waiting')} query={waitingQuery}>
      {(waiting) =>
        waiting.length === 0 ? (
          <Badge tone="good">{t('nobodyWaits')}</Badge>
        ) : (
          <>
            <ul>
              {waiting.map(({ id, contact, waiting_since }) => (
                <li key={id}>
                  <Link to="/inbox" search={{ id }}>
                    <bdi>{contact.name ?? contact.phone ?? t('unknown')}</bdi>
                  </Link>{' '}
                  {formats.ago(waiting_since!, clock())}
                </li>
              ))}
            </ul>
            <ButtonLink to="/inbox" search={{ view: 'waiting' }}>
              {t('toInbox')}
            </ButtonLink>
          </>
        )
      }
    </Section>
  );
}

export function RunningBroadcasts() {
  const t = useOverviewTexts();
  return (
    <Section
      title={t('broadcasts')}
      query={runningQuery}
      isWanted={({ results }) => results.length > 0}
    >
      {({ results }) => (
        <ul>
          {results.map(({ id, template, counts, recipients }) => (
            <li key={id}>
              <Link to="/broadcasts/$id" params={{ id }}>
                <bdi>{template}</bdi>
              </Link>{' '}
              {t('sentOf', { sent: counts.sent, count: recipients })}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

export function WalletState() {
  const t = useOverviewTexts();
  const formats = useFormats();
  return (
    <Section title={t('wallet')} query={walletQuery}>
      {({ available, currency, is_low }) => (
        <>
          <p>{currency === null ? t('noWallet') : formats.money(available, currency)}</p>
          {is_low && <Badge tone="warning">{t('isLow')}</Badge>}
        </>
      )}
    </Section>
  );
}
