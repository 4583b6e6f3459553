import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { mayDo, useSession } from '../../api/session.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { Card, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import { FindingNote } from '../invoice/finding.tsx';
import {
  importReceived,
  type Received,
  receivedOneQuery,
  undoImport,
} from '../received/queries.ts';
import { ReceivedStatus } from '../received/status.tsx';
import { useReceivedTexts } from '../received/texts.ts';
import { AnswerCard } from './answer-card.tsx';

const route = getRouteApi('/signed-in/received/$id');

export function ReceivedDocumentPage() {
  const t = useReceivedTexts();
  const { id } = route.useParams();
  const { data: document, error, refetch } = useQuery(receivedOneQuery(id));
  if (document === undefined) {
    return (
      <Page title={t('title')}>
        {error ? <ProblemNote error={error} onRetry={() => void refetch()} /> : <Skeleton />}
      </Page>
    );
  }
  const findings = [...document.errors, ...document.warnings];
  return (
    <Page
      title={t('documentTitle', { number: document.number ?? document.network_id })}
      lead={<ReceivedStatus {...document} />}
      actions={
        <>
          {document.status !== 'unreadable' && (
            <ButtonLink to="/received/$id/document" params={{ id }}>
              {t('toRead')}
            </ButtonLink>
          )}
          <Actions document={document} />
        </>
      }
    >
      <Card title={t('facts')}>
        <ReceivedFacts document={document} />
      </Card>
      {document.status !== 'unreadable' && <AnswerCard document={document} />}
      {findings.length > 0 && (
        <Card title={t('findings')}>
          {findings.map((finding) => (
            <FindingNote key={`${finding.rule} ${finding.field}`} finding={finding} />
          ))}
        </Card>
      )}
    </Page>
  );
}

function Actions({ document }: { document: Received }) {
  const t = useReceivedTexts();
  const mayWrite = mayDo(useSession(), 'einvoicing', 'received:write');
  const queryClient = useQueryClient();
  const again = () => queryClient.invalidateQueries({ queryKey: ['received'] });
  const importing = useMutation({
    mutationFn: () => importReceived(document.id, document.import_to),
    onSuccess: again,
  });
  if (!mayWrite) return null;
  const isOut =
    document.cancelled_at === undefined &&
    (document.status === 'received' || document.status === 'undone');
  const isOnItsWay = isOut && document.import?.outcome === 'waiting';
  return (
    <>
      {isOut && !isOnItsWay && (
        <Button kind="main" isBusy={importing.isPending} onClick={() => importing.mutate()}>
          {t('importIt')}
        </Button>
      )}
      {(document.status === 'imported' || isOnItsWay) && (
        <Confirm
          action={t(isOnItsWay ? 'takeBack' : 'undo')}
          title={t('undoTitle')}
          onConfirm={async () => {
            await undoImport(document.id);
            await again();
          }}
        >
          {t('undoText')}
        </Confirm>
      )}
      {importing.error && <ProblemNote error={importing.error} />}
    </>
  );
}

function ReceivedFacts({ document }: { document: Received }) {
  const t = useReceivedTexts();
  const formats = useFormats();
  const { id, supplier, issue_date, gross, currency, rejectable_until, duplicate_of } = document;
  const { cancelled_at, cancel_reason, import: imported } = document;
  return (
    <Facts
      facts={[
        [t('supplier'), supplier && <bdi>{`${supplier.name} (${supplier.id})`}</bdi>, 'supplier'],
        [t('issued'), issue_date && formats.day(issue_date), 'issued'],
        [t('gross'), gross && currency && formats.money(gross, currency), 'gross'],
        [t('source'), document.source, 'source'],
        [t('arrived'), formats.instant(document.received_at), 'arrived'],
        [t('rejectable'), rejectable_until && formats.instant(rejectable_until), 'rejectable'],
        [t('cancelledAt'), cancelled_at && formats.instant(cancelled_at), 'cancelled'],
        [t('cancelReason'), cancel_reason && <bdi>{cancel_reason}</bdi>, 'cancel-reason'],
        [
          t('draft'),
          imported &&
            [t(`import_${imported.outcome}`), imported.target, imported.reason]
              .filter(Boolean)
              .join(' · '),
          'draft',
        ],
        [
          t('repeats'),
          duplicate_of && (
            <Link to="/received/$id" params={{ id: duplicate_of }}>
              {duplicate_of}
            </Link>
          ),
          'repeats',
        ],
        [
          t('document'),
          <a
            key="xml"
            href={`/v1/received/${encodeURIComponent(id)}/document`}
            download={`${id}.xml`}
          >
            {t('asXml')}
          </a>,
          'document',
        ],
      ]}
    />
  );
}
