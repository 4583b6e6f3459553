import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import {
  removeSegment,
  type Segment,
  segmentQuery,
  segmentsKey,
  segmentsQuery,
} from './queries.ts';
import { SegmentDialog } from './segment-dialog.tsx';
import { useSegmentTexts } from './texts.ts';

export function SegmentsPage() {
  const t = useSegmentTexts();
  const mayWrite = mayDo(useSession(), 'messaging', 'contacts:write');
  const [edited, setEdited] = useState<Segment | 'new'>();
  const columns = useColumns(setEdited);
  const add = mayWrite && (
    <Button kind="main" onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={add}>
      <PagedList
        query={segmentsQuery}
        label={t('title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={t('noneTitle')}>{t('none')}</EmptyState>}
      />
      {edited && (
        <SegmentDialog
          {...(edited === 'new' ? {} : { segment: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

function useColumns(edit: (segment: Segment) => void): readonly Column<Segment>[] {
  const t = useSegmentTexts();
  const shared = useDesignTexts();
  const session = useSession();
  const queryClient = useQueryClient();
  const mayWrite = mayDo(session, 'messaging', 'contacts:write');
  const mayDelete = mayDo(session, 'messaging', 'contacts:delete');
  return [
    {
      name: 'name',
      title: t('name'),
      cell: ({ name }) => (
        <Link to="/contacts" search={{ segment: name }}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      name: 'kind',
      title: t('kind'),
      cell: ({ query }) => <Badge>{query === null ? t('list') : t('query')}</Badge>,
    },
    {
      name: 'contacts',
      title: t('contacts'),
      isAmount: true,
      cell: ({ id }) => <ContactCount id={id} />,
    },
    {
      name: 'actions',
      title: shared('actions'),
      cell: (segment) => (
        <>
          {mayWrite && <Button onClick={() => edit(segment)}>{t('change')}</Button>}{' '}
          {mayDelete && (
            <Confirm
              action={t('remove')}
              title={t('removeTitle', { name: segment.name })}
              isDangerous
              onConfirm={async () => {
                await removeSegment(segment.id);
                await queryClient.invalidateQueries({ queryKey: segmentsKey });
              }}
            >
              {t('removeText')}
            </Confirm>
          )}
        </>
      ),
    },
  ];
}

/** Counted when it is shown: a list and a query change by themselves. */
function ContactCount({ id }: { id: string }) {
  const formats = useFormats();
  const { data } = useQuery(segmentQuery(id));
  return data === undefined ? '…' : formats.number(data.contacts);
}
