import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { MappingReview } from './mapping-review.tsx';
import { connectorQuery, testConnector } from './queries.ts';
import { useConnectorTexts } from './texts.ts';

const route = getRouteApi('/signed-in/sources/$id');

/** One connector: whether it answers, and what its columns mean. */
export function ConnectorPage() {
  const t = useConnectorTexts();
  const session = useSession();
  const { id } = route.useParams();
  const { data: connector, error, refetch } = useQuery(connectorQuery(id));
  const test = useMutation({ mutationFn: () => testConnector(id) });
  if (connector === undefined) {
    return (
      <Page title={t('title')}>
        {error ? <ProblemNote error={error} onRetry={() => void refetch()} /> : <Skeleton />}
      </Page>
    );
  }
  const mayTest = mayDo(session, 'einvoicing', 'connectors:write');
  return (
    <Page
      title={connector.name}
      lead={connector.next?.[0]?.why}
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
            [t('profile'), connector.default_profile, 'profile'],
            [t('agent'), connector.agent_id && <code>{connector.agent_id}</code>, 'agent'],
            [t('submitFrom'), connector.submit_from, 'submit'],
          ]}
        />
      </Card>
      <MappingReview id={id} />
    </Page>
  );
}
