import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { Card, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { connectorKindsQuery } from './connector-kinds.ts';
import { DiscoveryCard } from './discovery-card.tsx';
import { DocumentView } from './document-view.tsx';
import { FieldsView } from './fields-view.tsx';
import { PreviewView } from './preview-view.tsx';
import { type Connector, connectorQuery, type Profile, testConnector } from './queries.ts';
import { profiles, type View, views } from './search.ts';
import { SettingsCard } from './settings-card.tsx';
import { SubmissionCard } from './submission-card.tsx';
import { useConnectorTexts } from './texts.ts';

const route = getRouteApi('/signed-in/sources/$id');

const viewParts: Readonly<Record<View, () => React.ReactNode>> = {
  fields: FieldsView,
  document: DocumentView,
  preview: PreviewView,
};

/** One connector: whether it answers, and what its columns mean. */
export function ConnectorPage() {
  const t = useConnectorTexts();
  const { id } = route.useParams();
  const { view = 'fields', profile } = route.useSearch();
  const { data: connector, error, refetch } = useQuery(connectorQuery(id));
  if (connector === undefined) {
    return (
      <Page title={t('title')}>
        {error ? <ProblemNote error={error} onRetry={() => void refetch()} /> : <Skeleton />}
      </Page>
    );
  }
  const isMapped = profile !== undefined || connector.default_profile !== undefined;
  const Part = viewParts[view];
  return (
    <Source connector={connector}>
      {isMapped && (
        <>
          <Tabs
            label={t('mapping')}
            tabs={views.map((each) => ({
              key: each,
              title: t(`view_${each}`),
              isCurrent: each === view,
              link: { to: '/sources/$id', params: { id }, search: { profile, view: each } },
            }))}
          />
          <Part key={profile} />
        </>
      )}
    </Source>
  );
}

interface SourceProps {
  readonly connector: Connector;
  readonly children: React.ReactNode;
}

function Source({ connector, children }: SourceProps) {
  const t = useConnectorTexts();
  const session = useSession();
  const test = useMutation({ mutationFn: () => testConnector(connector.id) });
  const mayTest = mayDo(session, 'einvoicing', 'connectors:write');
  const { data: kinds } = useQuery(connectorKindsQuery);
  const isDiscovered =
    connector.pattern === 'agent' ||
    kinds?.some(({ kind, layout }) => kind === connector.kind && layout.length > 0);
  return (
    <Page
      title={connector.name}
      actions={
        mayTest && (
          <Button isBusy={test.isPending} onClick={() => test.mutate()}>
            {t('test')}
          </Button>
        )
      }
    >
      {test.error && <ProblemNote error={test.error} />}
      {test.data && (
        <Card title={t('test')}>
          <p role="status">
            <Badge tone={test.data.ok ? 'good' : 'bad'}>{t(test.data.ok ? 'ok' : 'failed')}</Badge>{' '}
            {test.data.detail}
          </p>
          {test.data.write_back && <p>{test.data.write_back}</p>}
        </Card>
      )}
      <Card title={t('facts')}>
        <Facts
          facts={[
            [t('kind'), connector.kind, 'kind'],
            [t('agent'), connector.agent_id && <code>{connector.agent_id}</code>, 'agent'],
          ]}
        />
        <ProfileField connector={connector} />
      </Card>
      {children}
      {mayTest && <SettingsCard connector={connector} />}
      {mayTest && isDiscovered && <DiscoveryCard connector={connector} />}
      <SubmissionCard key={connector.id} connector={connector} />
    </Page>
  );
}

/** The profile that is looked at: the connector's own at first. */
function ProfileField({ connector }: { connector: Connector }) {
  const t = useConnectorTexts();
  const navigate = useNavigate();
  const { profile = connector.default_profile, view } = route.useSearch();
  return (
    <SelectField
      label={t('mappingFor')}
      value={profile ?? ''}
      onChange={({ target }) =>
        void navigate({
          to: '/sources/$id',
          params: { id: connector.id },
          search: { view, profile: target.value as Profile },
        })
      }
    >
      {profile === undefined && <option value="">{t('choose')}</option>}
      {profiles.map((each) => (
        <option key={each}>{each}</option>
      ))}
    </SelectField>
  );
}
