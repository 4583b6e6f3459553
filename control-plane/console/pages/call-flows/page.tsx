import { Link } from '@tanstack/react-router';
import { mayDo, useSession } from '../../api/session.ts';
import { ButtonLink } from '../../design/button.tsx';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import { useFormats } from '../../texts/formats.ts';
import { useVoiceTexts } from '../calls/texts.ts';
import { flowsQuery } from './queries.ts';

export function CallFlowsPage() {
  const t = useVoiceTexts();
  const formats = useFormats();
  const mayWrite = mayDo(useSession(), 'messaging', 'templates:write');
  const write = mayWrite && (
    <ButtonLink kind="main" to="/call-flows/new">
      {t('writeFlow')}
    </ButtonLink>
  );
  return (
    <Page title={t('flows')} lead={t('flowsLead')} actions={write}>
      <PagedList
        query={flowsQuery}
        label={t('flows')}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={t('noFlows')} action={write}>
            {t('noFlowsText')}
          </EmptyState>
        }
        columns={[
          {
            name: 'name',
            title: t('name'),
            cell: ({ id, name }) => (
              <Link to="/call-flows/$id" params={{ id }}>
                <bdi>{name}</bdi>
              </Link>
            ),
          },
          {
            name: 'made',
            title: t('made'),
            cell: ({ created_at }) => (
              <time dateTime={created_at}>{formats.instant(created_at)}</time>
            ),
          },
        ]}
      />
    </Page>
  );
}
