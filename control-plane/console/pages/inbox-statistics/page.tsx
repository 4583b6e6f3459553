import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ButtonLink } from '../../design/button.tsx';
import { Card, Cards, EmptyState, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { useClock } from '../../texts/clock.ts';
import { useFormats } from '../../texts/formats.ts';
import { useNames } from '../inbox/names.ts';
import { DayGraph } from './day-graph.tsx';
import styles from './page.module.css';
import { type Day, daysQuery, periods, type Stats, statsQuery, type Times } from './queries.ts';
import { useStatisticsTexts } from './texts.ts';

const route = getRouteApi('/signed-in/inbox/statistics');

/** How much the team answers, and how fast: in all, by day, by member and by channel. */
export function InboxStatisticsPage() {
  const t = useStatisticsTexts();
  const formats = useFormats();
  const clock = useClock();
  const search = route.useSearch();
  const period = periods.find((each) => each === search.days) ?? 30;
  const { data, error, refetch } = useQuery(daysQuery(period, clock()));
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <ButtonLink to="/inbox">{t('inbox')}</ButtonLink>
          <ButtonLink to="/inbox/hours">{t('hours')}</ButtonLink>
        </>
      }
    >
      <Tabs
        label={t('period')}
        tabs={periods.map((each) => ({
          key: String(each),
          title: t('days', { count: each, shown: formats.number(each) }),
          isCurrent: each === period,
          link: { to: '/inbox/statistics', search: { days: each } },
        }))}
      />
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={8} />}
      {data && <Content days={data.results} timeZone={data.time_zone} />}
    </Page>
  );
}

function Content({ days, timeZone }: { readonly days: readonly Day[]; readonly timeZone: string }) {
  const t = useStatisticsTexts();
  const { data, error, refetch } = useQuery(statsQuery(days[0]!.begins));
  return (
    <>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={8} />}
      {data && <Figures stats={data} />}
      <Card title={t('byDay')}>
        <p>{t('zone', { timeZone })}</p>
        <DayGraph days={days} />
        <details>
          <summary>{t('table')}</summary>
          <Days days={days} />
        </details>
      </Card>
      {data && <Members rows={data.by_agent} />}
      {data && <Channels rows={data.by_channel} />}
    </>
  );
}

function Figures({ stats }: { readonly stats: Stats }) {
  const t = useStatisticsTexts();
  const { number } = useFormats();
  const { conversations, sla, unanswered } = stats;
  const counted = (names: readonly (keyof typeof conversations)[]) =>
    names.map((name) => [t(name), number(conversations[name]), name] as const);
  return (
    <Cards>
      <TimesCard title={t('firstResponse')} times={stats.first_response.business} />
      <TimesCard title={t('response')} times={stats.response.business} />
      <TimesCard title={t('resolution')} times={stats.resolution} />
      <Card title={t('conversations')}>
        <Facts
          facts={[
            ...counted(['opened', 'closed']),
            [t('unanswered'), number(unanswered), 'unanswered'],
          ]}
        />
      </Card>
      <Card title={t('now')}>
        <Facts facts={counted(['open', 'waiting', 'unassigned', 'snoozed'])} />
      </Card>
      <Card title={t('promises')}>
        {sla.promised === 0 ? (
          <p>{t('noPromises')}</p>
        ) : (
          <Facts
            facts={[
              [t('promised'), number(sla.promised), 'promised'],
              [t('breached'), number(sla.breached), 'breached'],
            ]}
          />
        )}
      </Card>
    </Cards>
  );
}

function TimesCard({ title, times }: { readonly title: string; readonly times: Times }) {
  const t = useStatisticsTexts();
  const { number, duration } = useFormats();
  const shown = (seconds: number | null) => (seconds === null ? undefined : duration(seconds));
  return (
    <Card title={title}>
      {times.count === 0 ? (
        <p>{t('noTimes')}</p>
      ) : (
        <Facts
          facts={[
            [t('median'), shown(times.median_seconds), 'median'],
            [t('mean'), shown(times.mean_seconds), 'mean'],
            [t('ninety'), shown(times.p90_seconds), 'ninety'],
            [t('count'), number(times.count), 'count'],
          ]}
        />
      )}
    </Card>
  );
}

function Days({ days }: { readonly days: readonly Day[] }) {
  const t = useStatisticsTexts();
  const { day, number } = useFormats();
  const counts = (['inbound', 'outbound', 'opened', 'closed'] as const).map(
    (name): Column<Day> => ({
      name,
      title: t(name),
      isAmount: true,
      cell: (row) => number(row[name]),
    }),
  );
  return (
    <Table
      label={t('byDay')}
      keepsColumns
      rows={days.toReversed()}
      keyOf={(row) => row.day}
      columns={[
        {
          name: 'day',
          title: t('day'),
          cell: (row) => <time className={styles.day}>{day(row.day)}</time>,
        },
        ...counts,
      ]}
    />
  );
}

function Members({ rows }: { readonly rows: Stats['by_agent'] }) {
  const t = useStatisticsTexts();
  const { number, duration } = useFormats();
  const nameOf = useNames();
  if (rows.length === 0) return <EmptyState title={t('byMember')}>{t('noMembers')}</EmptyState>;
  return (
    <Card title={t('byMember')}>
      <p>{t('byMemberText')}</p>
      <Table
        label={t('byMember')}
        keepsColumns
        rows={rows}
        keyOf={({ agent_id }) => agent_id}
        columns={[
          {
            name: 'member',
            title: t('member'),
            cell: ({ agent_id }) => <bdi>{nameOf(agent_id)}</bdi>,
          },
          {
            name: 'messages',
            title: t('messages'),
            isAmount: true,
            cell: ({ messages }) => number(messages),
          },
          {
            name: 'responses',
            title: t('responses'),
            isAmount: true,
            cell: ({ responses }) => number(responses),
          },
          {
            name: 'median',
            title: t('median'),
            isAmount: true,
            cell: ({ median_seconds: seconds }) => (seconds === null ? '–' : duration(seconds)),
          },
          {
            name: 'late',
            title: t('breached'),
            isAmount: true,
            cell: ({ breached }) => number(breached),
          },
        ]}
      />
    </Card>
  );
}

function Channels({ rows }: { readonly rows: Stats['by_channel'] }) {
  const t = useStatisticsTexts();
  const { number } = useFormats();
  const channels = useChannelTexts();
  if (rows.length === 0) return null;
  return (
    <Card title={t('byChannel')}>
      <Table
        label={t('byChannel')}
        keepsColumns
        rows={rows}
        keyOf={({ channel }) => channel}
        columns={[
          { name: 'channel', title: t('channel'), cell: ({ channel }) => channels(channel) },
          {
            name: 'inbound',
            title: t('inbound'),
            isAmount: true,
            cell: ({ inbound }) => number(inbound),
          },
          {
            name: 'outbound',
            title: t('outbound'),
            isAmount: true,
            cell: ({ outbound }) => number(outbound),
          },
        ]}
      />
    </Card>
  );
}
