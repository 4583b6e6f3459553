import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { SelectField } from '../../design/field.tsx';
import { Card, EmptyState, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useClock } from '../../texts/clock.ts';
import { useFormats } from '../../texts/formats.ts';
import {
  type Delivery,
  deliveriesQuery,
  endpointKey,
  endpointsQuery,
  getEndpoint,
  removeEndpoint,
  replayFailed,
  resendDelivery,
  rotateSecret,
  sendTest,
} from '../webhooks/queries.ts';
import { SecretDialog } from '../webhooks/secret-dialog.tsx';
import { WebhookState } from '../webhooks/state.tsx';
import { useWebhooksTexts } from '../webhooks/texts.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { Inspector } from './inspector.tsx';

const route = getRouteApi('/signed-in/webhooks/$id');
const states = ['pending', 'delivered', 'failed', 'held', 'set_aside'] as const;
const dayMs = 86_400_000;

export function WebhookPage() {
  const t = useWebhooksTexts();
  const { id } = route.useParams();
  const { data: endpoint, error } = useQuery({
    queryKey: endpointKey(id),
    queryFn: () => getEndpoint(id),
  });
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/webhooks/$id' });
  const state = states.find((each) => each === search.state);
  const [shown, setShown] = useState<Delivery>();
  const columns = useColumns(id, setShown);
  if (endpoint === undefined) {
    return <Page title={t('title')}>{error ? <ProblemNote error={error} /> : <Skeleton />}</Page>;
  }
  return (
    <Page
      title={endpoint.url}
      lead={<WebhookState state={endpoint.state} />}
      actions={<Actions id={id} />}
    >
      <Card title={t('deliveries')}>
        <SelectField
          label={t('state')}
          value={state ?? ''}
          onChange={({ target }) => void navigate({ search: { state: target.value || undefined } })}
        >
          <option value="">{t('all')}</option>
          {states.map((each) => (
            <option key={each} value={each}>
              {t(each)}
            </option>
          ))}
        </SelectField>
        <PagedList
          query={deliveriesQuery(id, state)}
          label={t('deliveries')}
          columns={columns}
          keyOf={(row) => row.id}
          empty={<EmptyState title={t('noDeliveries')}>{t('noDeliveriesText')}</EmptyState>}
        />
      </Card>
      <Inspector />
      {shown && <DeliveryDialog delivery={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

function Actions({ id }: { id: string }) {
  const t = useWebhooksTexts();
  const session = useSession();
  const navigate = useNavigate();
  const whileShown = useWhileShown();
  const clock = useClock();
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const test = useMutation({
    mutationFn: () => sendTest(id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: endpointKey(id) }),
  });
  if (!mayDo(session, 'einvoicing', 'webhooks:write')) return null;
  const rotate = async () => setSecret((await rotateSecret(id)).secret ?? undefined);
  const remove = async () => {
    await removeEndpoint(id);
    await queryClient.invalidateQueries({ queryKey: endpointsQuery.queryKey });
    await whileShown(() => navigate({ to: '/webhooks' }));
  };
  return (
    <>
      <Button kind="main" isBusy={test.isPending} onClick={() => test.mutate()}>
        {t('test')}
      </Button>
      <Confirm
        action={t('replay')}
        title={t('replayTitle')}
        onConfirm={() => replayFailed(id, new Date(clock().getTime() - dayMs).toISOString())}
      >
        {t('replayText')}
      </Confirm>
      <Confirm action={t('rotate')} title={t('rotateTitle')} onConfirm={rotate}>
        {t('rotateText')}
      </Confirm>
      <Confirm action={t('remove')} title={t('removeTitle')} isDangerous onConfirm={remove}>
        {t('removeText')}
      </Confirm>
      {test.error && <ProblemNote error={test.error} />}
      {test.isSuccess && <span role="status">{t('testSent')}</span>}
      {secret && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function useColumns(
  endpointId: string,
  show: (delivery: Delivery) => void,
): readonly Column<Delivery>[] {
  const t = useWebhooksTexts();
  const formats = useFormats();
  const shared = useDesignTexts();
  const mayWrite = mayDo(useSession(), 'einvoicing', 'webhooks:write');
  return [
    { name: 'event', title: t('event'), cell: ({ event }) => <code>{event}</code> },
    { name: 'subject', title: t('subject'), cell: (row) => <code>{row.subject_id}</code> },
    { name: 'when', title: t('when'), cell: (row) => formats.instant(row.created_at) },
    { name: 'state', title: t('state'), cell: ({ state }) => <WebhookState state={state} /> },
    {
      name: 'attempts',
      title: t('attempts'),
      isAmount: true,
      cell: ({ attempts }) => formats.number(attempts.length),
    },
    {
      name: 'actions',
      title: shared('actions'),
      cell: (row) => (
        <>
          <Button kind="plain" onClick={() => show(row)}>
            {t('show')}
          </Button>
          {mayWrite && <Resend endpointId={endpointId} deliveryId={row.id} />}
        </>
      ),
    },
  ];
}

interface ResendProps {
  readonly endpointId: string;
  readonly deliveryId: string;
}

function Resend({ endpointId, deliveryId }: ResendProps) {
  const t = useWebhooksTexts();
  const queryClient = useQueryClient();
  const resend = useMutation({
    mutationFn: () => resendDelivery(endpointId, deliveryId),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: endpointKey(endpointId) }),
  });
  return (
    <>
      <Button kind="plain" isBusy={resend.isPending} onClick={() => resend.mutate()}>
        {t('resend')}
      </Button>
      {resend.error && <ProblemNote error={resend.error} />}
    </>
  );
}
