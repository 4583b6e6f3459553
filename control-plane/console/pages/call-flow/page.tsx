import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { markupProviders } from '../../api/registered-kinds.ts';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { SelectField } from '../../design/field.tsx';
import { Card, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { Table } from '../../design/table.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { Graph } from '../call-flows/graph.tsx';
import type { FlowGraph } from '../call-flows/graph-layout.ts';
import {
  flowQuery,
  flowsKey,
  type Markup,
  removeFlow,
  type StoredFlow,
} from '../call-flows/queries.ts';
import { CallDialog } from '../calls/call-dialog.tsx';
import { useVoiceTexts } from '../calls/texts.ts';

const route = getRouteApi('/signed-in/call-flows/$id');

/** One call flow: as a graph, as each provider is given it, and what none can say. */
export function CallFlowPage() {
  const t = useVoiceTexts();
  const { id } = route.useParams();
  const [provider, setProvider] = useState(Object.keys(markupProviders)[0] as Markup);
  const { data, error, refetch } = useQuery({
    ...flowQuery(id, provider),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={data?.name ?? t('flow')} actions={data && <Actions flow={data} />}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={8} />}
      {data && (
        <>
          <Graph
            flow={data.flow as unknown as FlowGraph}
            marked={new Set(diagnosticsOf(data).map(({ node }) => node))}
          />
          <Diagnostics flow={data} />
          <Card title={t('markup')}>
            <SelectField
              label={t('provider')}
              value={provider}
              onChange={({ target }) => setProvider(target.value as Markup)}
            >
              {Object.entries(markupProviders).map(([id, title]) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </SelectField>
            {Object.entries(data.compiled?.documents ?? {}).map(([name, text]) => (
              <div key={name}>
                <h3>
                  <bdi>{name}</bdi>
                </h3>
                <Copyable label={name} text={text} />
              </div>
            ))}
          </Card>
        </>
      )}
    </Page>
  );
}

interface Diagnostic {
  readonly provider: string;
  readonly code: string;
  readonly node: string;
  readonly message: string;
}

const diagnosticsOf = ({ diagnostics }: StoredFlow): readonly Diagnostic[] =>
  Object.entries(diagnostics).flatMap(([provider, found]) =>
    found.map((each) => ({ provider, ...each })),
  );

function Diagnostics({ flow }: { flow: StoredFlow }) {
  const t = useVoiceTexts();
  const found = diagnosticsOf(flow);
  return (
    <Card title={t('diagnostics')}>
      {found.length === 0 ? (
        <p>
          <Badge tone="good">{t('noDiagnostics')}</Badge>
        </p>
      ) : (
        <Table
          label={t('diagnostics')}
          rows={found}
          keyOf={({ provider, code, node, message }) => `${provider} ${code} ${node} ${message}`}
          columns={[
            { name: 'provider', title: t('provider'), cell: ({ provider }) => provider },
            {
              name: 'code',
              title: t('code'),
              cell: ({ code }) => (
                <Badge tone={code.startsWith('E_') ? 'bad' : 'warning'}>{code}</Badge>
              ),
            },
            { name: 'node', title: t('node'), cell: ({ node }) => <bdi>{node}</bdi> },
            { name: 'message', title: t('says'), cell: ({ message }) => message },
          ]}
        />
      )}
    </Card>
  );
}

function Actions({ flow }: { flow: StoredFlow }) {
  const t = useVoiceTexts();
  const session = useSession();
  const navigate = useNavigate();
  const whileShown = useWhileShown();
  const queryClient = useQueryClient();
  const [isCalling, setCalling] = useState(false);
  return (
    <>
      {mayDo(session, 'messaging', 'calls:write') && (
        <Button kind="main" onClick={() => setCalling(true)}>
          {t('call')}
        </Button>
      )}
      {mayDo(session, 'messaging', 'templates:write') && (
        <>
          <ButtonLink to="/call-flows/$id/edit" params={{ id: flow.id }}>
            {t('changeFlow')}
          </ButtonLink>
          <Confirm
            action={t('removeFlow')}
            title={t('removeFlowTitle')}
            isDangerous
            onConfirm={async () => {
              await removeFlow(flow.id);
              await whileShown(() => navigate({ to: '/call-flows' }));
              await queryClient.invalidateQueries({ queryKey: flowsKey });
            }}
          >
            {t('removeFlowText')}
          </Confirm>
        </>
      )}
      {isCalling && (
        <CallDialog
          flowId={flow.id}
          onClose={() => setCalling(false)}
          onCalled={(id) => void navigate({ to: '/calls/$id', params: { id } })}
        />
      )}
    </>
  );
}
