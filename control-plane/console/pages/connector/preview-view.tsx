import { useQuery } from '@tanstack/react-query';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card, ProblemNote, Skeleton } from '../../design/page.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { ChangesCard } from './changes-card.tsx';
import { ErpPlace } from './erp-place.tsx';
import { useMappingPlace } from './mapping-place.ts';
import { mappingQuery, type Preview, previewQuery } from './queries.ts';
import { useConnectorTexts } from './texts.ts';

type Refusal = Preview['refusals'][number];
type Total = Preview['totals'][number];

/** What the newest documents would come to, and the approval that answers what stands against it. */
export function PreviewView() {
  const t = useConnectorTexts();
  const place = useMappingPlace();
  const { data: mapping } = useQuery(mappingQuery(place));
  const { data: preview, error, isFetching, refetch } = useQuery(previewQuery(place));
  return (
    <>
      <Card title={t('preview')}>
        <p>{t('previewText')}</p>
        <div>
          <Button
            kind={preview === undefined ? 'main' : 'usual'}
            isBusy={isFetching}
            onClick={() => void refetch()}
          >
            {t(preview === undefined ? 'runPreview' : 'runAgain')}
          </Button>
        </div>
        {error && !isFetching && <ProblemNote error={error} />}
        {isFetching && <Skeleton lines={4} />}
        {preview && !isFetching && <Outcome preview={preview} />}
      </Card>
      {mapping && <ChangesCard mapping={mapping} />}
      {mapping && (
        <ApprovalCard key={preview?.documents.read ?? 0} mapping={mapping} preview={preview} />
      )}
    </>
  );
}

function Outcome({ preview }: { preview: Preview }) {
  const t = useConnectorTexts();
  const { documents, refusals, totals, stopped } = preview;
  return (
    <>
      <p role="status">
        <Badge tone={documents.refused === 0 ? 'good' : 'warning'}>
          {t('wouldPass', { passed: documents.passed, count: documents.read })}
        </Badge>{' '}
        {stopped}
      </p>
      {refusals.length > 0 && <Refusals refusals={refusals} />}
      {totals.length > 0 && <Totals totals={totals} />}
      {documents.read > 0 && totals.length === 0 && <p>{t('noTotals')}</p>}
    </>
  );
}

function Refusals({ refusals }: { refusals: readonly Refusal[] }) {
  const t = useConnectorTexts();
  const columns: readonly Column<Refusal>[] = [
    {
      name: 'documents',
      title: t('documents'),
      cell: ({ documents }) => documents,
      isAmount: true,
    },
    {
      name: 'message',
      title: t('why'),
      cell: ({ message, rule }) => (
        <>
          <div lang="en" dir="auto">
            {message}
          </div>
          <code>{rule}</code>
        </>
      ),
    },
    {
      name: 'example',
      title: t('example'),
      cell: ({ example: { source_ref: ref, source } }) => (
        <>
          <bdi>{ref}</bdi>
          {source && <ErpPlace source={source} />}
        </>
      ),
    },
  ];
  return (
    <>
      <h3>{t('refusals')}</h3>
      <Table
        label={t('refusals')}
        columns={columns}
        rows={refusals}
        keyOf={({ rule, field }) => `${rule} ${field}`}
      />
    </>
  );
}

function Totals({ totals }: { totals: readonly Total[] }) {
  const t = useConnectorTexts();
  const columns: readonly Column<Total>[] = [
    { name: 'total', title: t('total'), cell: ({ total }) => t(`total_${total}`) },
    {
      name: 'place',
      title: t('from'),
      cell: ({ origin, column }) =>
        column !== undefined && (
          <code>
            {origin}.{column}
          </code>
        ),
    },
    {
      name: 'equal',
      title: t('sameAsErp'),
      cell: ({ equal, compared }) => (
        <Badge tone={equal === compared ? 'good' : 'bad'}>
          {t('equalOf', { equal, count: compared })}
        </Badge>
      ),
    },
    {
      name: 'differences',
      title: t('differences'),
      cell: ({ differences }) => (
        <ul>
          {differences.map(({ source_ref: ref, ours, erp, currency }) => (
            <li key={ref}>
              <bdi>{ref}</bdi>:{' '}
              <bdi>{t('oursTheirs', { ours, erp, currency: currency ?? '' })}</bdi>
            </li>
          ))}
        </ul>
      ),
    },
  ];
  return (
    <>
      <h3>{t('totals')}</h3>
      <Table label={t('totals')} columns={columns} rows={totals} keyOf={({ total }) => total} />
    </>
  );
}
