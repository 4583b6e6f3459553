import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { invoiceQuery } from '../invoice/queries.ts';
import { InvoiceStatus } from '../invoices/status.tsx';
import { isCreditNote } from './document.ts';
import styles from './page.module.css';
import { documentQuery } from './queries.ts';
import { ReadableDocument } from './readable-document.tsx';
import { useDocumentTexts } from './texts.ts';

const route = getRouteApi('/signed-in/invoices/$id/document');

/** An invoice as people read it: made of the canonical model, for the screen and for paper. */
export function InvoiceDocumentPage() {
  const t = useDocumentTexts();
  const { id } = route.useParams();
  const { data: document, error, refetch } = useQuery(documentQuery(id));
  const { data: invoice } = useQuery(invoiceQuery(id));
  const title = t(isCreditNote(document) ? 'creditNote' : 'title', {
    number: document?.number ?? id,
  });
  const tools = (
    <span className={styles.tools}>
      <ButtonLink to="/invoices/$id" params={{ id }}>
        {t('back')}
      </ButtonLink>{' '}
      <Button kind="main" onClick={() => window.print()}>
        {t('print')}
      </Button>
    </span>
  );
  return (
    <Page title={title} lead={invoice && <InvoiceStatus status={invoice.status} />} actions={tools}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {document === undefined && !error && <Skeleton lines={10} />}
      {document && <ReadableDocument document={document} uin={invoice?.uin} />}
    </Page>
  );
}
