import { Link } from '@tanstack/react-router';
import { Badge } from '../../design/badge.tsx';
import { ButtonLink } from '../../design/button.tsx';
import { useFormats } from '../../texts/formats.ts';
import {
  agentsQuery,
  cancelledQuery,
  heldQuery,
  receivedQuery,
  rejectedQuery,
  webhooksQuery,
} from './queries.ts';
import { Section } from './section.tsx';
import { useOverviewTexts } from './texts.ts';

export function RejectedInvoices() {
  const t = useOverviewTexts();
  return (
    <Section title={t('rejected')} query={rejectedQuery}>
      {({ results }) =>
        results.length === 0 ? (
          <Badge tone="good">{t('noneRejected')}</Badge>
        ) : (
          <>
            <ul>
              {results.map(({ id, number, source_ref, errors }) => (
                <li key={id}>
                  <Link to="/invoices/$id" params={{ id }}>
                    <bdi>{number ?? source_ref}</bdi>
                  </Link>{' '}
                  <bdi>{errors[0]?.message}</bdi>
                </li>
              ))}
            </ul>
            <ButtonLink to="/invoices" search={{ status: 'rejected' }}>
              {t('allRejected')}
            </ButtonLink>
          </>
        )
      }
    </Section>
  );
}

/** Invoices that wait for somebody's word; without any there is no card. */
export function HeldInvoices({ waitsFor }: { waitsFor: 'release' | 'approval' }) {
  const t = useOverviewTexts();
  return (
    <Section
      title={t(`held_${waitsFor}`)}
      query={heldQuery(waitsFor)}
      isWanted={({ results }) => results.length > 0}
    >
      {({ results }) => (
        <>
          <ul>
            {results.map(({ id, number, source_ref, buyer }) => (
              <li key={id}>
                <Link to="/invoices/$id" params={{ id }}>
                  <bdi>{number ?? source_ref}</bdi>
                </Link>{' '}
                <bdi>{buyer}</bdi>
              </li>
            ))}
          </ul>
          <ButtonLink to="/invoices" search={{ waits_for: waitsFor }}>
            {t('allHeld')}
          </ButtonLink>
        </>
      )}
    </Section>
  );
}

export function ReceivedDocuments() {
  const t = useOverviewTexts();
  return (
    <Section title={t('received')} query={receivedQuery}>
      {({ results }) =>
        results.length === 0 ? (
          <Badge tone="good">{t('noneReceived')}</Badge>
        ) : (
          <>
            <ul>
              {results.map(({ id, number, network_id, supplier }) => (
                <li key={id}>
                  <Link to="/received/$id" params={{ id }}>
                    <bdi>{number ?? network_id}</bdi>
                  </Link>{' '}
                  <bdi>{supplier?.name}</bdi>
                </li>
              ))}
            </ul>
            <ButtonLink to="/received" search={{ status: 'received' }}>
              {t('allReceived')}
            </ButtonLink>
          </>
        )
      }
    </Section>
  );
}

/** Drafts of documents that were cancelled meanwhile; without any there is no card. */
export function CancelledDocuments() {
  const t = useOverviewTexts();
  return (
    <Section
      title={t('cancelled')}
      query={cancelledQuery}
      isWanted={({ results }) => results.length > 0}
    >
      {({ results }) => (
        <>
          <ul>
            {results.map(({ id, number, network_id, supplier, import: imported }) => (
              <li key={id}>
                <Link to="/received/$id" params={{ id }}>
                  <bdi>{number ?? network_id}</bdi>
                </Link>{' '}
                <bdi>{supplier?.name}</bdi> <bdi>{imported?.reason}</bdi>
              </li>
            ))}
          </ul>
          <ButtonLink to="/received" search={{ status: 'imported', cancelled: true }}>
            {t('allCancelled')}
          </ButtonLink>
        </>
      )}
    </Section>
  );
}

export function OfflineAgents() {
  const t = useOverviewTexts();
  const formats = useFormats();
  return (
    <Section title={t('agents')} query={agentsQuery}>
      {({ results }) => {
        const offline = results.filter(({ online }) => !online);
        if (results.length === 0) return <p>{t('noAgents')}</p>;
        if (offline.length === 0) return <Badge tone="good">{t('allOnline')}</Badge>;
        return (
          <ul>
            {offline.map(({ id, hostname, last_seen_at }) => (
              <li key={id}>
                <Badge tone="bad">{t('offline')}</Badge> <bdi>{hostname}</bdi>{' '}
                {last_seen_at && t('lastSeen', { when: formats.instant(last_seen_at) })}
              </li>
            ))}
          </ul>
        );
      }}
    </Section>
  );
}

export function FailingWebhooks() {
  const t = useOverviewTexts();
  return (
    <Section title={t('webhooks')} query={webhooksQuery}>
      {({ results }) => {
        const failing = results.filter(({ state }) => state !== 'active');
        if (results.length === 0) return <p>{t('noWebhooks')}</p>;
        if (failing.length === 0) return <Badge tone="good">{t('allAnswer')}</Badge>;
        return (
          <ul>
            {failing.map(({ id, url, state }) => (
              <li key={id}>
                <Badge tone="bad">{t(state === 'degraded' ? 'degraded' : 'disabled')}</Badge>{' '}
                <Link to="/webhooks/$id" params={{ id }}>
                  <bdi dir="ltr">{url}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        );
      }}
    </Section>
  );
}
