import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePagedRows } from '../../api/paging.ts';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { EmptyState, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { PermissionNote } from '../../design/permission-note.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { connectorsQuery } from '../sources/queries.ts';
import { ParticipantDialog } from './dialog.tsx';
import { type Participant, participantsQuery, removeParticipant } from './queries.ts';
import { useParticipantTexts } from './texts.ts';

/** The addresses in a network to which suppliers send. */
export function ParticipantsPage() {
  const t = useParticipantTexts();
  const session = useSession();
  const mayWrite = mayDo(session, 'einvoicing', 'participants:write');
  const [edited, setEdited] = useState<Participant | 'new'>();
  const { data, error, refetch } = useQuery(participantsQuery);
  const columns = useColumns(mayWrite ? setEdited : undefined);
  const add = mayWrite && (
    <Button kind="main" onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <ButtonLink to="/received">{t('received')}</ButtonLink>
          {add}
        </>
      }
    >
      {!mayWrite && <PermissionNote permission="participants:write" />}
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={4} />}
      {data?.results.length === 0 && (
        <EmptyState title={t('noneTitle')}>
          {t(session.environment === 'live' ? 'noneLive' : 'none')}
        </EmptyState>
      )}
      {data && data.results.length > 0 && (
        <Table label={t('title')} columns={columns} rows={data.results} keyOf={({ id }) => id} />
      )}
      {edited && (
        <ParticipantDialog
          {...(edited === 'new' ? {} : { participant: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

function useColumns(
  edit: ((participant: Participant) => void) | undefined,
): readonly Column<Participant>[] {
  const t = useParticipantTexts();
  const formats = useFormats();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const { rows: connectors } = usePagedRows(connectorsQuery);
  const columns: readonly Column<Participant>[] = [
    {
      name: 'address',
      title: t('address'),
      cell: ({ id }) => (
        <code>
          <bdi dir="ltr">{id}</bdi>
        </code>
      ),
    },
    {
      name: 'state',
      title: t('state'),
      cell: ({ status }) =>
        status === 'confirmed' ? (
          <Badge tone="good">{t('confirmed')}</Badge>
        ) : (
          <>
            <Badge tone="warning">{t('unconfirmed')}</Badge> {t('unconfirmedText')}
          </>
        ),
    },
    {
      name: 'importTo',
      title: t('importTo'),
      cell: ({ import_to }) => {
        if (import_to === undefined) return t('nowhere');
        return <bdi>{connectors.find(({ id }) => id === import_to)?.name ?? import_to}</bdi>;
      },
    },
    { name: 'since', title: t('since'), cell: (row) => formats.instant(row.created_at) },
  ];
  if (edit === undefined) return columns;
  return [
    ...columns,
    {
      name: 'actions',
      title: shared('actions'),
      cell: (participant) => (
        <>
          <Button onClick={() => edit(participant)}>{t('change')}</Button>{' '}
          <Confirm
            action={t('remove')}
            title={t('removeTitle', { address: participant.id })}
            isDangerous
            onConfirm={async () => {
              await removeParticipant(participant.id);
              await queryClient.invalidateQueries(participantsQuery);
            }}
          >
            {t('removeText')}
          </Confirm>
        </>
      ),
    },
  ];
}
