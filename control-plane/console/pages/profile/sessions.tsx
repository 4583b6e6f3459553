import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Badge } from '../../design/badge.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { ProblemNote, Skeleton } from '../../design/page.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { endOtherSessions, endSession, type Session, sessionsQuery } from './queries.ts';
import { useProfileTexts } from './texts.ts';

/** Where the person is signed in, in all workspaces. */
export function Sessions() {
  const t = useProfileTexts();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(sessionsQuery);
  const again = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const columns = useColumns(again);
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton lines={3} />;
  return (
    <>
      <p>{t('sessionsText')}</p>
      <Table label={t('sessions')} columns={columns} rows={data.results} keyOf={({ id }) => id} />
      {data.results.length > 1 && (
        <Confirm
          action={t('endOthers')}
          title={t('endOthers')}
          isDangerous
          onConfirm={() => endOtherSessions().then(again)}
        >
          {t('endOthersText')}
        </Confirm>
      )}
    </>
  );
}

function useColumns(again: () => Promise<void>): readonly Column<Session>[] {
  const t = useProfileTexts();
  const formats = useFormats();
  return [
    {
      name: 'client',
      title: t('client'),
      cell: ({ user_agent, ip }) => (
        <>
          <bdi>{user_agent ?? t('unknownClient')}</bdi> {ip && <code>{ip}</code>}
        </>
      ),
    },
    { name: 'workspace', title: t('workspace'), cell: (row) => <bdi>{row.tenant_name}</bdi> },
    { name: 'environment', title: t('environment'), cell: ({ environment }) => t(environment) },
    {
      name: 'begun',
      title: t('begun'),
      cell: ({ created_at }) => <time dateTime={created_at}>{formats.instant(created_at)}</time>,
    },
    {
      name: 'end',
      title: t('state'),
      cell: ({ id, is_current }) =>
        is_current ? (
          <Badge tone="good">{t('thisOne')}</Badge>
        ) : (
          <Confirm
            action={t('end')}
            title={t('end')}
            isDangerous
            onConfirm={() => endSession(id).then(again)}
          >
            {t('endText')}
          </Confirm>
        ),
    },
  ];
}
