import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Card, ProblemNote, Skeleton } from '../../design/page.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { FieldDialog } from './field-dialog.tsx';
import { FieldOrigin } from './field-origin.tsx';
import styles from './fields-view.module.css';
import { Lacking } from './lacking.tsx';
import { useMappingPlace } from './mapping-place.ts';
import {
  type Approval,
  approveMapping,
  type MappedField,
  type Mapping,
  mappingQuery,
  ofMapping,
} from './queries.ts';
import { useConnectorTexts } from './texts.ts';
import { ValueMaps } from './value-maps.tsx';

/** From this confidence on proposals are approved together. */
const sure = 0.8;

/** What each column means: the evidence, what a real document gives, and what is missing. */
export function FieldsView() {
  const t = useConnectorTexts();
  const place = useMappingPlace();
  const { data: mapping, error, refetch } = useQuery(mappingQuery(place));
  const [open, setOpen] = useState<string>();
  const mayWrite = mayDo(useSession(), 'einvoicing', 'connectors:write');
  if (mapping === undefined) {
    return (
      <Card title={t('mapping')}>
        {error ? (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton lines={6} />
        )}
      </Card>
    );
  }
  const change = mayWrite ? setOpen : undefined;
  return (
    <>
      <DocumentsWaiting mapping={mapping} />
      <Lacking mapping={mapping} onChange={change} />
      <ValueMaps mapping={mapping} mayWrite={mayWrite} />
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
      <MappedFields mapping={mapping} onChange={change} />
      {open !== undefined && (
        <FieldDialog mapping={mapping} target={open} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

/** Documents that are submitted as soon as a first mapping is approved, and the way there. */
function DocumentsWaiting({ mapping }: { mapping: Mapping }) {
  const t = useConnectorTexts();
  const { documents_waiting: count, fields } = mapping;
  const mayApprove = mayDo(useSession(), 'einvoicing', 'mappings:approve');
  if (count === 0 || fields.some(({ status }) => status === 'approved')) return null;
  return (
    <Card title={t('documentsWaiting', { count })}>
      <p>{t(mayApprove ? 'documentsWaitingNext' : 'documentsWaitingOther')}</p>
    </Card>
  );
}

interface MappedFieldsProps {
  readonly mapping: Mapping;
  /** Undefined for those who may not. */
  readonly onChange: ((target: string) => void) | undefined;
}

function MappedFields({ mapping, onChange }: MappedFieldsProps) {
  const t = useConnectorTexts();
  const queryClient = useQueryClient();
  const place = useMappingPlace();
  const mayApprove = mayDo(useSession(), 'einvoicing', 'mappings:approve');
  const approval = useMutation({
    mutationFn: (wanted: Omit<Approval, 'version'>) =>
      approveMapping(place, { version: mapping.version, ...wanted }),
    onSuccess: () => queryClient.invalidateQueries(ofMapping(place)),
  });
  const columns = useColumns(
    mapping,
    mayApprove ? (target) => approval.mutate({ targets: [target] }) : undefined,
    approval.isPending,
    onChange,
  );
  const proposed = mapping.fields.filter(({ status }) => status === 'proposed');
  const sureOnes = proposed.filter(({ confidence = 0 }) => confidence >= sure);
  return (
    <Card title={t('mapping')}>
      {mapping.sample_ref !== undefined && <p>{t('sampleOf', { ref: mapping.sample_ref })}</p>}
      {approval.error && (
        <>
          <ProblemNote error={approval.error} />
          <Link
            to="/sources/$id"
            params={{ id: place.id }}
            search={{ profile: place.profile, view: 'preview' }}
          >
            {t('toPreview')}
          </Link>
        </>
      )}
      {mayApprove && proposed.length > 0 && (
        <div>
          <Button
            kind="main"
            isBusy={approval.isPending}
            disabled={sureOnes.length === 0}
            onClick={() => approval.mutate({ min_confidence: sure })}
          >
            {t('approveSure', { count: sureOnes.length })}
          </Button>{' '}
          <ButtonLink
            to="/sources/$id"
            params={{ id: place.id }}
            search={{ profile: place.profile, view: 'preview' }}
          >
            {t('previewFirst')}
          </ButtonLink>
        </div>
      )}
      <Table
        label={t('mapping')}
        columns={columns}
        rows={mapping.fields}
        keyOf={({ target, from, value }) => `${target} ${from?.section}.${from?.column} ${value}`}
      />
    </Card>
  );
}

function useColumns(
  mapping: Mapping,
  approve: ((target: string) => void) | undefined,
  isApproving: boolean,
  change: ((target: string) => void) | undefined,
): readonly Column<MappedField>[] {
  const t = useConnectorTexts();
  const formats = useFormats();
  const names = new Map(mapping.coverage.fields.map(({ path, name }) => [path, name]));
  return [
    {
      name: 'target',
      title: t('target'),
      cell: ({ target }) => (
        <div className={styles.place}>
          {names.has(target) && <div lang="en">{names.get(target)}</div>}
          <code>{target}</code>
        </div>
      ),
    },
    {
      name: 'from',
      title: t('from'),
      cell: (field) => (
        <div className={styles.place}>
          <FieldOrigin field={field} />
        </div>
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
          {reason ?? t('byHand')}{' '}
          {confidence !== undefined &&
            t('percent', { percent: formats.number(Math.round(confidence * 100)) })}
        </>
      ),
    },
    {
      name: 'status',
      title: t('status'),
      cell: ({ target, status }) => (
        <div className={styles.state}>
          {status === 'approved' ? (
            <Badge tone="good">{t('approved')}</Badge>
          ) : (
            <Badge tone="warning">{t('proposed')}</Badge>
          )}
          {change && (
            <Button aria-label={t('changeOne', { target })} onClick={() => change(target)}>
              {t('change')}
            </Button>
          )}
          {approve && status === 'proposed' && (
            <Button
              aria-label={t('approveOne', { target })}
              isBusy={isApproving}
              onClick={() => approve(target)}
            >
              {t('approve')}
            </Button>
          )}
        </div>
      ),
    },
  ];
}
