import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Card, ProblemNote, Skeleton } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import styles from './discovery-card.module.css';
import { useDiscoveryTexts } from './discovery-texts.ts';
import { FoundCompany } from './found-company.tsx';
import { type Connector, changeConnector, discover, type ProposedLayout } from './queries.ts';

/** Looks through a database for its invoices, and takes one of the ways in which they may be read. */
export function DiscoveryCard({ connector }: { connector: Connector }) {
  const t = useDiscoveryTexts();
  const looking = useMutation({ mutationFn: () => discover(connector.id) });
  const { data, error, isPending } = looking;
  return (
    <Card title={t('title')}>
      <p>{t('text')}</p>
      <Button isBusy={isPending} onClick={() => looking.mutate()}>
        {t('look')}
      </Button>
      {isPending && <Skeleton />}
      {error && <ProblemNote error={error} />}
      {data && (
        <>
          <p role="status">
            <bdi>{data.source}</bdi> · <bdi>{data.product}</bdi>
          </p>
          {data.layouts.length === 0 && <p>{t('none')}</p>}
          {data.layouts.map((layout) => (
            <Layout key={layout.title} connector={connector} layout={layout} />
          ))}
          <FoundCompany answers={data.company} />
          <Notes notes={data.notes} />
        </>
      )}
    </Card>
  );
}

function Layout({ connector, layout }: { connector: Connector; layout: ProposedLayout }) {
  const t = useDiscoveryTexts();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const { id, pattern } = connector;
  const accept = useMutation({
    mutationFn: () => changeConnector(id, { layout: { ...layout.layout } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['connectors', id] }),
  });
  return (
    <article className={styles.layout}>
      <h3>
        <bdi>{layout.title}</bdi> <Badge>{formats.percent(layout.confidence)}</Badge>
      </h3>
      <ul lang="en">
        {Object.entries(layout.reasons).map(([section, reason]) => (
          <li key={section}>
            <code>{section}</code> {reason}
          </li>
        ))}
      </ul>
      <Notes notes={layout.notes} />
      {pattern === 'agent' ? (
        // The settings of the source are the agent's: they are changed on its host.
        <Copyable label={t('atAgent')} text={JSON.stringify(layout.layout, null, 2)} />
      ) : (
        <Button isBusy={accept.isPending} onClick={() => accept.mutate()}>
          {t('accept')}
        </Button>
      )}
      {accept.isSuccess && <p role="status">{t('accepted')}</p>}
      {accept.error && <ProblemNote error={accept.error} />}
    </article>
  );
}

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul lang="en" className={styles.notes}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
