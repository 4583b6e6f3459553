import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { ButtonLink } from '../../design/button.tsx';
import { Card, Cards, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import { agentsQuery, rejectedQuery, webhooksQuery } from './queries.ts';
import { useOverviewTexts } from './texts.ts';

/** What needs somebody now, each with the way to mend it. */
export function OverviewPage() {
  const t = useOverviewTexts();
  const session = useSession();
  const may = (permission: string) => mayDo(session, 'einvoicing', permission);
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Cards>
        {may('invoices:read') && <RejectedInvoices />}
        {may('agents:read') && <OfflineAgents />}
        {may('webhooks:read') && <FailingWebhooks />}
      </Cards>
    </Page>
  );
}

function RejectedInvoices() {
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
                    {number ?? source_ref}
                  </Link>{' '}
                  {errors[0]?.message}
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

function OfflineAgents() {
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
                <Badge tone="bad">{t('offline')}</Badge> {hostname}{' '}
                {last_seen_at && t('lastSeen', { when: formats.instant(last_seen_at) })}
              </li>
            ))}
          </ul>
        );
      }}
    </Section>
  );
}

function FailingWebhooks() {
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
                <Badge tone="bad">{t(state === 'degraded' ? 'degraded' : 'disabled')}</Badge> {url}
              </li>
            ))}
          </ul>
        );
      }}
    </Section>
  );
}

interface SectionProps<Data> {
  readonly title: string;
  // The options of each query have a key type of their own.
  // biome-ignore lint/suspicious/noExplicitAny: no other type takes every query
  readonly query: UseQueryOptions<Data, Error, Data, any>;
  readonly children: (data: Data) => ReactNode;
}

/** One subject that is looked at by itself: that one fails does not hide the others. */
function Section<Data>({ title, query, children }: SectionProps<Data>) {
  const { data, error, refetch } = useQuery(query);
  return (
    <Card title={title}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? !error && <Skeleton /> : children(data)}
    </Card>
  );
}
