import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { IssueDialog } from './issue-dialog.tsx';
import { type ApiKey, keysQuery, revokeKey } from './queries.ts';
import { useKeysTexts } from './texts.ts';

export function KeysPage() {
  const t = useKeysTexts();
  const mayWrite = mayDo(useSession(), 'einvoicing', 'keys:write');
  const [isIssuing, setIssuing] = useState(false);
  const columns = useColumns(mayWrite);
  const issue = mayWrite && (
    <Button kind="main" onClick={() => setIssuing(true)}>
      {t('issue')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={issue}>
      <PagedList
        query={keysQuery}
        label={t('title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={t('noneTitle')}>{t('none')}</EmptyState>}
      />
      {isIssuing && <IssueDialog onClose={() => setIssuing(false)} />}
    </Page>
  );
}

function useColumns(mayWrite: boolean): readonly Column<ApiKey>[] {
  const t = useKeysTexts();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const revoke = async (id: string) => {
    await revokeKey(id);
    await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
  };
  return [
    { name: 'name', title: t('name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { name: 'shown', title: t('key'), cell: ({ shown }) => <code>{shown}</code> },
    {
      name: 'scopes',
      title: t('may'),
      cell: ({ scopes }) =>
        scopes.map((scope) => (scope === '*' ? t('everything') : scope)).join(', '),
    },
    {
      name: 'used',
      title: t('used'),
      cell: ({ last_used_at }) => (last_used_at ? formats.instant(last_used_at) : t('never')),
    },
    {
      name: 'state',
      title: t('state'),
      cell: ({ id, name, revoked_at }) => {
        if (revoked_at) return <Badge tone="bad">{t('revoked')}</Badge>;
        if (!mayWrite) return <Badge tone="good">{t('active')}</Badge>;
        return (
          <Confirm
            action={t('revoke')}
            title={t('revokeTitle', { name })}
            isDangerous
            onConfirm={() => revoke(id)}
          >
            {t('revokeText')}
          </Confirm>
        );
      },
    },
  ];
}
