import { useQuery } from '@tanstack/react-query';
import { mayDo, useSession } from '../../api/session.ts';
import { ButtonLink } from '../../design/button.tsx';
import { Card, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { PermissionNote } from '../../design/permission-note.tsx';
import { HoursForm } from './form.tsx';
import { inboxSettingsQuery } from './queries.ts';
import { useHoursTexts } from './texts.ts';

/** When the team of the inbox is there, and how soon it promises an answer. */
export function InboxHoursPage() {
  const t = useHoursTexts();
  const mayManage = mayDo(useSession(), 'messaging', 'inbox:manage');
  const { data, error, refetch } = useQuery(inboxSettingsQuery);
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <ButtonLink to="/inbox">{t('inbox')}</ButtonLink>
          <ButtonLink to="/inbox/statistics">{t('statistics')}</ButtonLink>
        </>
      }
    >
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={8} />}
      {data && (
        <Card>
          {data.updated_at === null && <p>{t('never')}</p>}
          {!mayManage && <PermissionNote permission="inbox:manage" />}
          <HoursForm settings={data} mayManage={mayManage} />
        </Card>
      )}
    </Page>
  );
}
