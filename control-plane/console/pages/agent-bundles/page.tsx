import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Problem } from '../../api/client.ts';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Card, EmptyState, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { PermissionNote } from '../../design/permission-note.tsx';
import { saveFile } from '../../design/save-file.ts';
import { type Column, Table } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { agentQuery } from '../sources/queries.ts';
import {
  type Bundle,
  bundleAgain,
  bundlesQuery,
  type CarriedBundle,
  nextBundle,
} from './queries.ts';
import { useBundleTexts } from './texts.ts';
import { BundleUpload } from './upload.tsx';

const route = getRouteApi('/signed-in/sources/agents/$id/bundles');

/** Files that are carried between an air-gapped agent and this control plane. */
export function AgentBundlesPage() {
  const t = useBundleTexts();
  const { id } = route.useParams();
  const mayWrite = mayDo(useSession(), 'einvoicing', 'agents:write');
  const { data: agent } = useQuery(agentQuery(id));
  const { data, error, refetch } = useQuery(bundlesQuery(id));
  const columns = useColumns(id);
  return (
    <Page
      title={t('title', { hostname: agent?.hostname ?? id })}
      lead={t('lead')}
      actions={<ButtonLink to="/sources">{t('sources')}</ButtonLink>}
    >
      {mayWrite ? (
        <>
          <Card title={t('fromAgent')}>
            <BundleUpload agent={id} />
          </Card>
          <Card title={t('toAgent')}>
            <NextBundle agent={id} />
          </Card>
        </>
      ) : (
        <PermissionNote permission="agents:write" />
      )}
      <Card title={t('inventory')}>
        {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
        {data === undefined && !error && <Skeleton lines={4} />}
        {data?.results.length === 0 && <EmptyState title={t('noneTitle')}>{t('none')}</EmptyState>}
        {data && data.results.length > 0 && (
          <Table
            label={t('inventory')}
            columns={columns}
            rows={data.results}
            keyOf={({ direction, number }) => `${direction} ${number}`}
          />
        )}
      </Card>
    </Page>
  );
}

const save = (bundle: Bundle) =>
  saveFile(
    new Blob([JSON.stringify(bundle)], { type: 'application/json' }),
    `drawbridge-${bundle.agent_id}-from-control-plane-${bundle.number}.json`,
  );

function NextBundle({ agent }: { agent: string }) {
  const t = useBundleTexts();
  const queryClient = useQueryClient();
  const next = useMutation({
    mutationFn: () => nextBundle(agent),
    onSuccess: (bundle) => {
      save(bundle);
      return queryClient.invalidateQueries(bundlesQuery(agent));
    },
  });
  const isEmpty = next.error instanceof Problem && next.error.code === 'bundle_empty';
  return (
    <>
      <p>{t('toAgentText')}</p>
      {isEmpty && <p role="status">{t('nothingToCarry')}</p>}
      {next.error && !isEmpty && <ProblemNote error={next.error} />}
      {next.data && <p role="status">{t('saved', { number: next.data.number })}</p>}
      <div>
        <Button isBusy={next.isPending} onClick={() => next.mutate()}>
          {t('download')}
        </Button>
      </div>
    </>
  );
}

function useColumns(agent: string): readonly Column<CarriedBundle>[] {
  const t = useBundleTexts();
  const shared = useDesignTexts();
  const formats = useFormats();
  return [
    { name: 'number', title: t('number'), cell: ({ number }) => formats.number(number) },
    { name: 'direction', title: t('direction'), cell: ({ direction }) => t(direction) },
    {
      name: 'messages',
      title: t('messages'),
      isAmount: true,
      cell: ({ messages }) => formats.number(messages),
    },
    { name: 'made', title: t('made'), cell: ({ made_at }) => formats.instant(made_at) },
    {
      name: 'taken',
      title: t('state'),
      cell: ({ taken_at }) =>
        taken_at === null ? (
          <Badge tone="warning">{t('onItsWay')}</Badge>
        ) : (
          <>
            <Badge tone="good">{t('taken')}</Badge> {formats.instant(taken_at)}
          </>
        ),
    },
    {
      name: 'digest',
      title: t('digest'),
      cell: ({ digest }) => (
        <code title={digest}>
          <bdi dir="ltr">{digest.slice(0, 16)}…</bdi>
        </code>
      ),
    },
    {
      name: 'actions',
      title: shared('actions'),
      cell: ({ direction, number, taken_at }) =>
        direction === 'to_agent' &&
        taken_at === null && <AgainButton agent={agent} number={number} />,
    },
  ];
}

function AgainButton({ agent, number }: { agent: string; number: number }) {
  const t = useBundleTexts();
  const again = useMutation({ mutationFn: () => bundleAgain(agent, number), onSuccess: save });
  return (
    <>
      <Button isBusy={again.isPending} onClick={() => again.mutate()}>
        {t('again')}
      </Button>
      {again.error && <ProblemNote error={again.error} />}
    </>
  );
}
