import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { EmptyState, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { CannedReplyDialog } from './dialog.tsx';
import { type CannedReply, cannedRepliesQuery, removeCannedReply } from './queries.ts';
import { useCannedReplyTexts } from './texts.ts';

/** What the team answers with often: written, changed and removed. */
export function CannedRepliesPage() {
  const t = useCannedReplyTexts();
  const mayManage = mayDo(useSession(), 'messaging', 'inbox:manage');
  const [edited, setEdited] = useState<CannedReply | 'new'>();
  const { data, error, refetch } = useQuery(cannedRepliesQuery);
  const columns = useColumns(mayManage ? setEdited : undefined);
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <ButtonLink to="/inbox">{t('inbox')}</ButtonLink>
          {mayManage && (
            <Button kind="main" onClick={() => setEdited('new')}>
              {t('add')}
            </Button>
          )}
        </>
      }
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={6} />}
      {data?.results.length === 0 && <EmptyState title={t('noneTitle')}>{t('none')}</EmptyState>}
      {data && data.results.length > 0 && (
        <Table label={t('title')} columns={columns} rows={data.results} keyOf={({ id }) => id} />
      )}
      {edited && (
        <CannedReplyDialog
          {...(edited === 'new' ? {} : { reply: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

function useColumns(
  edit: ((reply: CannedReply) => void) | undefined,
): readonly Column<CannedReply>[] {
  const t = useCannedReplyTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const columns: readonly Column<CannedReply>[] = [
    {
      name: 'shortcut',
      title: t('shortcut'),
      cell: ({ shortcut }) => (
        <code>
          <bdi dir="ltr">/{shortcut}</bdi>
        </code>
      ),
    },
    { name: 'title', title: t('name'), cell: ({ title }) => <bdi>{title}</bdi> },
    { name: 'text', title: t('text'), cell: ({ text }) => <p dir="auto">{text}</p> },
  ];
  if (edit === undefined) return columns;
  return [
    ...columns,
    {
      name: 'actions',
      title: shared('actions'),
      cell: (reply) => (
        <>
          <Button onClick={() => edit(reply)}>{t('change')}</Button>{' '}
          <Confirm
            action={t('remove')}
            title={t('removeTitle', { name: reply.title })}
            isDangerous
            onConfirm={async () => {
              await removeCannedReply(reply.id);
              await queryClient.invalidateQueries(cannedRepliesQuery);
            }}
          >
            {t('removeText')}
          </Confirm>
        </>
      ),
    },
  ];
}
