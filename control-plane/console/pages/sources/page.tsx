import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Card, EmptyState, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { AddConnectorDialog } from './add-dialog.tsx';
import { AgentSources } from './agent-sources.tsx';
import { AgentState } from './agent-state.tsx';
import { EnrolDialog } from './enrol-dialog.tsx';
import {
  type Agent,
  agentsQuery,
  type Connector,
  connectorsQuery,
  revokeAgent,
} from './queries.ts';
import { useSourcesTexts } from './texts.ts';

/** Where documents come from: the agents in the company's network, and what they and we read. */
export function SourcesPage() {
  const t = useSourcesTexts();
  const session = useSession();
  const [isEnrolling, setEnrolling] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const may = (permission: string) => mayDo(session, 'einvoicing', permission);
  const enrol = may('agents:write') && (
    <Button kind="main" onClick={() => setEnrolling(true)}>
      {t('enrol')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={enrol}>
      {may('agents:read') && (
        <Card title={t('agents')}>
          <Agents />
        </Card>
      )}
      {may('connectors:read') && (
        <Card title={t('connectors')}>
          <Connectors />
          {may('connectors:write') && <Button onClick={() => setAdding(true)}>{t('add')}</Button>}
        </Card>
      )}
      {isAdding && <AddConnectorDialog onClose={() => setAdding(false)} />}
      {isEnrolling && <EnrolDialog onClose={() => setEnrolling(false)} />}
    </Page>
  );
}

function Agents() {
  const t = useSourcesTexts();
  const formats = useFormats();
  const shared = useDesignTexts();
  const queryClient = useQueryClient();
  const mayWrite = mayDo(useSession(), 'einvoicing', 'agents:write');
  const { data, error, refetch } = useQuery(agentsQuery);
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton />;
  if (data.results.length === 0) {
    return <EmptyState title={t('noAgents')}>{t('noAgentsText')}</EmptyState>;
  }
  const columns: readonly Column<Agent>[] = [
    { name: 'host', title: t('host'), cell: ({ hostname }) => <bdi>{hostname}</bdi> },
    {
      name: 'link',
      title: t('link'),
      cell: ({ online, last_seen_at }) =>
        online ? (
          <Badge tone="good">{t('linked')}</Badge>
        ) : (
          <>
            <Badge tone="bad">{t('offline')}</Badge>{' '}
            {last_seen_at && t('lastSeen', { when: formats.instant(last_seen_at) })}
          </>
        ),
    },
    { name: 'version', title: t('version'), cell: ({ version }) => version },
    { name: 'sources', title: t('read'), cell: ({ id }) => <AgentSources id={id} /> },
    { name: 'state', title: t('state'), cell: ({ id }) => <AgentState id={id} /> },
    {
      name: 'actions',
      title: shared('actions'),
      cell: ({ id, hostname }) => (
        <>
          <ButtonLink to="/sources/agents/$id/bundles" params={{ id }}>
            {t('bundles')}
          </ButtonLink>{' '}
          {mayWrite && (
            <Confirm
              action={t('revoke')}
              title={t('revokeTitle', { hostname })}
              isDangerous
              onConfirm={async () => {
                await revokeAgent(id);
                await queryClient.invalidateQueries({ queryKey: agentsQuery.queryKey });
              }}
            >
              {t('revokeText')}
            </Confirm>
          )}
        </>
      ),
    },
  ];
  return <Table label={t('agents')} columns={columns} rows={data.results} keyOf={({ id }) => id} />;
}

function Connectors() {
  const t = useSourcesTexts();
  const formats = useFormats();
  const columns: readonly Column<Connector>[] = [
    {
      name: 'name',
      title: t('name'),
      cell: ({ id, name }) => (
        <Link to="/sources/$id" params={{ id }}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    { name: 'kind', title: t('kind'), cell: ({ kind }) => kind },
    { name: 'profile', title: t('profile'), cell: ({ default_profile }) => default_profile },
    {
      name: 'submits',
      title: t('submits'),
      cell: ({ submit_from, receives }) => {
        if (receives !== undefined) return t('receives');
        if (submit_from === undefined) return t('byHand');
        return <Badge tone="good">{t('submitsFrom', { day: formats.day(submit_from) })}</Badge>;
      },
    },
  ];
  return (
    <PagedList
      query={connectorsQuery}
      label={t('connectors')}
      columns={columns}
      keyOf={({ id }) => id}
      empty={<EmptyState title={t('noConnectors')}>{t('noConnectorsText')}</EmptyState>}
    />
  );
}
