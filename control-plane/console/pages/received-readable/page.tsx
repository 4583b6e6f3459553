import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { isCreditNote } from '../invoice-document/document.ts';
import styles from '../invoice-document/page.module.css';
import { ReadableDocument } from '../invoice-document/readable-document.tsx';
import { useDocumentTexts } from '../invoice-document/texts.ts';
import { receivedOneQuery } from '../received/queries.ts';
import { ReceivedStatus } from '../received/status.tsx';
import { useReceivedTexts } from '../received/texts.ts';
import { receivedModelQuery } from './queries.ts';

const route = getRouteApi('/signed-in/received/$id/document');

/** A supplier's document as people read it, for the screen and for paper. */
export function ReadableReceivedPage() {
  const t = useDocumentTexts();
  const received = useReceivedTexts();
  const { id } = route.useParams();
  const { data: document, error, refetch } = useQuery(receivedModelQuery(id));
  const { data: facts } = useQuery(receivedOneQuery(id));
  const title = t(isCreditNote(document) ? 'creditNote' : 'title', {
    number: document?.number ?? id,
  });
  const tools = (
    <span className={styles.tools}>
      <ButtonLink to="/received/$id" params={{ id }}>
        {received('backToDocument')}
      </ButtonLink>{' '}
      <Button kind="main" onClick={() => window.print()}>
        {t('print')}
      </Button>
    </span>
  );
  return (
    <Page title={title} lead={facts && <ReceivedStatus status={facts.status} />} actions={tools}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {document === undefined && !error && <Skeleton lines={10} />}
      {document && <ReadableDocument document={document} />}
    </Page>
  );
}
