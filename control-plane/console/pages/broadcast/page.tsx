import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { mayDo, useSession } from '../../api/session.ts';
import { Card, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import { Progress } from '../../design/progress.tsx';
import { Table } from '../../design/table.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { useClock } from '../../texts/clock.ts';
import { useFormats } from '../../texts/formats.ts';
import {
  type Broadcast,
  broadcastQuery,
  sentMessagesQuery,
  urlsQuery,
} from '../broadcasts/queries.ts';
import { Skipped } from '../broadcasts/skipped.tsx';
import { BroadcastState } from '../broadcasts/state.tsx';
import { useBroadcastTexts } from '../broadcasts/texts.ts';
import { BroadcastActions } from './actions.tsx';
import styles from './page.module.css';

const route = getRouteApi('/signed-in/broadcasts/$id');

/** One broadcast: how far it is, what failed and why, who opened what. */
export function BroadcastPage() {
  const t = useBroadcastTexts();
  const clock = useClock();
  const mayWrite = mayDo(useSession(), 'messaging', 'broadcasts:write');
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(broadcastQuery(id, clock));
  return (
    <Page
      title={data?.template ?? t('title')}
      actions={data && mayWrite && <BroadcastActions broadcast={data} />}
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={8} />}
      {data && <Content broadcast={data} />}
    </Page>
  );
}

const shownCounts = [
  'sent',
  'delivered',
  'read',
  'clicked',
  'replied',
  'failed',
  'unknown',
] as const;

function Content({ broadcast }: { broadcast: Broadcast }) {
  const t = useBroadcastTexts();
  const formats = useFormats();
  const { id, recipients, counts, rates, detail, reason } = broadcast;
  const through = recipients - counts.queued;
  return (
    <>
      <Card title={t('result')}>
        <p>
          <BroadcastState broadcast={broadcast} /> {detail ?? reason}
        </p>
        <Progress label={t('progress')} done={through} of={recipients} />
        <p role="status" className={styles.soft}>
          {t('progressText', { done: formats.number(through), all: formats.number(recipients) })}
        </p>
        <dl className={styles.counts}>
          {shownCounts.map((name) => {
            const rate = name in rates ? rates[name as keyof typeof rates] : null;
            return (
              <div key={name}>
                <dt>{t(name)}</dt>
                <dd>
                  <strong>{formats.number(counts[name])}</strong>
                  {rate !== null && <span> {formats.percent(rate)}</span>}
                </dd>
              </div>
            );
          })}
        </dl>
        <Skipped skipped={broadcast.skipped} />
        <div>
          <a href={`/broadcast/${encodeURIComponent(id)}/recipients/`} download>
            {t('export')}
          </a>
        </div>
      </Card>
      <About broadcast={broadcast} />
      <Failures broadcast={broadcast} />
      <Links broadcast={broadcast} />
    </>
  );
}

function About({ broadcast }: { broadcast: Broadcast }) {
  const t = useBroadcastTexts();
  const channels = useChannelTexts();
  const formats = useFormats();
  const { cost, quiet_hours: quiet, started_at, finished_at, segment, resend_of } = broadcast;
  return (
    <Card title={t('about')}>
      <Facts
        facts={[
          [t('channel'), channels(broadcast.channel), 'channel'],
          [
            t('segment'),
            segment && (
              <Link to="/contacts" search={{ segment }}>
                <bdi>{segment}</bdi>
              </Link>
            ),
            'segment',
          ],
          [
            t('again'),
            resend_of && (
              <Link to="/broadcasts/$id" params={{ id: resend_of }}>
                {resend_of}
              </Link>
            ),
            'resend',
          ],
          [
            t('cost'),
            cost === null ? t('free') : formats.money(cost.amount, cost.currency),
            'cost',
          ],
          [t('when'), formats.instant(broadcast.schedule_at), 'when'],
          [t('hours'), quiet && t('hoursText', { from: quiet.to, to: quiet.from }), 'hours'],
          [t('started'), started_at && formats.instant(started_at), 'started'],
          [t('finished'), finished_at && formats.instant(finished_at), 'finished'],
        ]}
      />
    </Card>
  );
}

function Failures({ broadcast: { id, counts } }: { broadcast: Broadcast }) {
  const t = useBroadcastTexts();
  const mayOpen = mayDo(useSession(), 'messaging', 'contacts:read');
  return (
    <Card title={t('failures')}>
      {counts.failed === 0 ? (
        <p>{t('noFailures')}</p>
      ) : (
        <PagedList
          // Anew whenever another one failed.
          key={counts.failed}
          query={sentMessagesQuery(id, 'failed')}
          label={t('failures')}
          keyOf={(message) => message.id}
          empty={<p>{t('noFailures')}</p>}
          columns={[
            {
              name: 'address',
              title: t('address'),
              cell: ({ address, contact_id }) =>
                contact_id !== null && mayOpen ? (
                  <Link to="/contacts/$id" params={{ id: contact_id }}>
                    <bdi dir="ltr">{address}</bdi>
                  </Link>
                ) : (
                  <bdi dir="ltr">{address}</bdi>
                ),
            },
            {
              name: 'reason',
              title: t('reason'),
              cell: ({ error }) => (
                <>
                  {error?.detail} <code>{error?.code}</code>
                </>
              ),
            },
          ]}
        />
      )}
    </Card>
  );
}

function Links({ broadcast: { id, counts } }: { broadcast: Broadcast }) {
  const t = useBroadcastTexts();
  const formats = useFormats();
  const { data, error, refetch } = useQuery({
    ...urlsQuery(id, counts),
    placeholderData: keepPreviousData,
  });
  return (
    <Card title={t('clicks')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton />}
      {data?.length === 0 && <p>{t('noClicks')}</p>}
      {data && data.length > 0 && (
        <Table
          label={t('clicks')}
          rows={data}
          keyOf={(row) => row.id}
          columns={[
            { name: 'link', title: t('link'), cell: ({ url }) => <bdi dir="ltr">{url}</bdi> },
            {
              name: 'people',
              title: t('people'),
              isAmount: true,
              cell: ({ unique_clicks }) => formats.number(unique_clicks),
            },
            {
              name: 'times',
              title: t('times'),
              isAmount: true,
              cell: ({ clicks }) => formats.number(clicks),
            },
            {
              name: 'bots',
              title: t('bots'),
              isAmount: true,
              cell: ({ bot_clicks }) => formats.number(bot_clicks),
            },
          ]}
        />
      )}
    </Card>
  );
}
