import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { mayDo, useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import { EmptyState, Page, ProblemNote } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { addEndpoint, type Endpoint, endpointsQuery } from './queries.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookState } from './state.tsx';
import { useWebhooksTexts } from './texts.ts';

export function WebhooksPage() {
  const t = useWebhooksTexts();
  const mayWrite = mayDo(useSession(), 'einvoicing', 'webhooks:write');
  const [isAdding, setAdding] = useState(false);
  const columns: readonly Column<Endpoint>[] = [
    {
      name: 'url',
      title: t('url'),
      cell: ({ id, url }) => (
        <Link to="/webhooks/$id" params={{ id }}>
          <bdi>{url}</bdi>
        </Link>
      ),
    },
    { name: 'about', title: t('description'), cell: (row) => <bdi>{row.description}</bdi> },
    {
      name: 'events',
      title: t('events'),
      cell: ({ event_types }) =>
        event_types.length > 0 ? event_types.join(', ') : t('everyEvent'),
    },
    { name: 'state', title: t('state'), cell: ({ state }) => <WebhookState state={state} /> },
  ];
  const add = mayWrite && (
    <Button kind="main" onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={add}>
      <PagedList
        query={endpointsQuery}
        label={t('title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={t('noneTitle')}>{t('none')}</EmptyState>}
      />
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const t = useWebhooksTexts();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const add = useMutation({
    mutationFn: () => addEndpoint(url, description),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: endpointsQuery.queryKey }),
  });
  if (add.data?.secret) return <SecretDialog secret={add.data.secret} onClose={onClose} />;
  const ofUrl = add.error instanceof Problem ? add.error.fields.url?.[0] : undefined;
  return (
    <Dialog
      title={t('add')}
      onClose={onClose}
      staysOpen={add.isPending}
      onSubmit={() => add.mutate()}
      actions={
        <>
          <Button disabled={add.isPending} onClick={onClose}>
            {shared('cancel')}
          </Button>
          <Button type="submit" kind="main" isBusy={add.isPending}>
            {t('add')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('url')}
        hint={t('urlHint')}
        type="url"
        required
        dir="ltr"
        value={url}
        problem={ofUrl}
        onChange={({ target }) => setUrl(target.value)}
      />
      <TextField
        label={t('description')}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
      {add.error && ofUrl === undefined && <ProblemNote error={add.error} />}
    </Dialog>
  );
}
