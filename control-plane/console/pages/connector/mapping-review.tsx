import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card, ProblemNote, Skeleton } from '../../design/page.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import {
  type Approval,
  approveMapping,
  connectorQuery,
  type MappedField,
  mappingQuery,
} from './queries.ts';
import { useConnectorTexts } from './texts.ts';

/** From this confidence on proposals are approved together. */
const sure = 0.8;

/** What each column means: the evidence, what a real document gives, and what is missing. */
export function MappingReview({ id }: { id: string }) {
  const t = useConnectorTexts();
  const queryClient = useQueryClient();
  const session = useSession();
  const mayApprove = mayDo(session, 'einvoicing', 'mappings:approve');
  const maySeeCompany = mayDo(session, 'einvoicing', 'company:read');
  const { data: mapping, error, refetch } = useQuery(mappingQuery(id));
  const approval = useMutation({
    mutationFn: (wanted: Omit<Approval, 'version'>) =>
      approveMapping(id, { version: mapping!.version, ...wanted }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: connectorQuery(id).queryKey }),
  });
  const columns = useColumns(
    mayApprove ? (target) => approval.mutate({ targets: [target] }) : undefined,
  );
  if (error) {
    return (
      <Card title={t('mapping')}>
        <ProblemNote error={error} onRetry={() => void refetch()} />
      </Card>
    );
  }
  if (mapping === undefined) {
    return (
      <Card title={t('mapping')}>
        <Skeleton lines={6} />
      </Card>
    );
  }
  const fields = mapping.fields as readonly MappedField[];
  const proposed = fields.filter(({ status }) => status === 'proposed');
  const sureOnes = proposed.filter(({ confidence = 0 }) => confidence >= sure);
  const { missing } = mapping.coverage;
  return (
    <>
      {missing.length > 0 && (
        <Card title={t('missing')}>
          <p>{t('missingText')}</p>
          <ul>
            {missing.map((reason) => (
              <li key={reason}>
                <Badge tone="bad">{t('lacks')}</Badge> {reason}
              </li>
            ))}
          </ul>
          {maySeeCompany && <Link to="/company">{t('company')}</Link>}
        </Card>
      )}
      {mapping.problems.length > 0 && (
        <Card title={t('problems')}>
          <ul>
            {mapping.problems.map((problem) => (
              <li key={problem} dir="auto">
                {problem}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title={t('mapping')}>
        <p>{mapping.sample_ref && t('sampleOf', { ref: mapping.sample_ref })}</p>
        {approval.error && <ProblemNote error={approval.error} />}
        {mayApprove && proposed.length > 0 && (
          <div>
            <Button
              kind="main"
              isBusy={approval.isPending}
              disabled={sureOnes.length === 0}
              onClick={() => approval.mutate({ min_confidence: sure })}
            >
              {t('approveSure', { count: sureOnes.length })}
            </Button>
          </div>
        )}
        <Table
          label={t('mapping')}
          columns={columns}
          rows={fields}
          keyOf={({ target, from, value }) => `${target} ${from?.section}.${from?.column} ${value}`}
        />
      </Card>
    </>
  );
}

function useColumns(
  approve: ((target: string) => void) | undefined,
): readonly Column<MappedField>[] {
  const t = useConnectorTexts();
  const formats = useFormats();
  return [
    { name: 'target', title: t('target'), cell: ({ target }) => <code>{target}</code> },
    {
      name: 'from',
      title: t('from'),
      cell: ({ from, value }) =>
        from ? (
          <code>
            {from.section}.{from.column}
          </code>
        ) : (
          <>
            {t('constant')} <code>{value}</code>
          </>
        ),
    },
    {
      name: 'sample',
      title: t('sample'),
      cell: ({ sample }) => {
        if (sample === undefined) return null;
        return <bdi>{typeof sample === 'string' ? sample : JSON.stringify(sample)}</bdi>;
      },
    },
    {
      name: 'evidence',
      title: t('evidence'),
      cell: ({ reason, confidence }) => (
        <>
          {reason}{' '}
          {confidence !== undefined &&
            t('percent', { percent: formats.number(Math.round(confidence * 100)) })}
        </>
      ),
    },
    {
      name: 'status',
      title: t('status'),
      cell: ({ target, status }) => {
        if (status === 'approved') return <Badge tone="good">{t('approved')}</Badge>;
        if (approve === undefined) return <Badge tone="warning">{t('proposed')}</Badge>;
        return (
          <Button aria-label={t('approveOne', { target })} onClick={() => approve(target)}>
            {t('approve')}
          </Button>
        );
      },
    },
  ];
}
