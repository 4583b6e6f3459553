import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { einvoicing, got } from '../../api/client.ts';
import { mayDo, useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { Card, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { useWhileShown } from '../../design/use-while-shown.ts';
import { useFormats } from '../../texts/formats.ts';
import { InvoiceStatus } from '../invoices/status.tsx';
import { Decisions } from './decisions.tsx';
import { FindingNote } from './finding.tsx';
import { type Invoice, invoiceQuery } from './queries.ts';
import { useInvoicePageTexts } from './texts.ts';
import { Timeline } from './timeline.tsx';

const route = getRouteApi('/signed-in/invoices/$id');

export function InvoicePage() {
  const t = useInvoicePageTexts();
  const { id } = route.useParams();
  const { data: invoice, error, refetch } = useQuery(invoiceQuery(id));
  const title = t('title', { number: invoice?.number ?? invoice?.source_ref ?? id });
  if (invoice === undefined) {
    return (
      <Page title={title}>
        {error ? (
          <ProblemNote error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton lines={8} />
        )}
      </Page>
    );
  }
  return (
    <Page title={title} lead={<InvoiceStatus status={invoice.status} />}>
      <Decisions invoice={invoice} />
      {invoice.errors.length > 0 && (
        <Card title={t('findings')}>
          {invoice.errors.map((finding) => (
            <FindingNote key={`${finding.rule} ${finding.field}`} finding={finding} />
          ))}
          <Resubmission invoice={invoice} />
        </Card>
      )}
      {invoice.warnings.length > 0 && (
        <Card title={t('warnings')}>
          {invoice.warnings.map((finding) => (
            <FindingNote key={`${finding.rule} ${finding.field}`} finding={finding} />
          ))}
        </Card>
      )}
      <Card title={t('facts')}>
        <InvoiceFacts invoice={invoice} />
      </Card>
      <Card title={t('timeline')}>
        <Timeline id={invoice.id} status={invoice.status} />
      </Card>
    </Page>
  );
}

function InvoiceFacts({ invoice }: { invoice: Invoice }) {
  const t = useInvoicePageTexts();
  const formats = useFormats();
  const document = `/v1/invoices/${encodeURIComponent(invoice.id)}/document`;
  const { uin, validation_url, waiting, duplicate_of, buyer_response: answer } = invoice;
  const { hold, forwarding } = invoice;
  return (
    <Facts
      facts={[
        [t('profile'), invoice.profile, 'profile'],
        [t('source'), <code key="ref">{invoice.source_ref}</code>, 'source'],
        [t('created'), formats.instant(invoice.created_at), 'created'],
        [t('waiting'), waiting?.reason, 'waiting'],
        [t('uin'), uin && <code>{uin}</code>, 'uin'],
        [
          t('authority'),
          invoice.authority_status && (
            <>
              {invoice.authority_status}{' '}
              {validation_url && isWebAddress(validation_url) && (
                <a href={validation_url} target="_blank" rel="noreferrer noopener">
                  {t('check')}
                </a>
              )}
            </>
          ),
          'authority',
        ],
        [
          t('cancellable'),
          invoice.cancellable_until && formats.instant(invoice.cancellable_until),
          'cancellable',
        ],
        [t('held'), hold?.released_by && t('releasedBy', { by: hold.released_by }), 'released'],
        [t('approved'), hold?.approved_by && t('approvedBy', { by: hold.approved_by }), 'approved'],
        [
          t('forwarded'),
          forwarding && `${forwarding.status} ${forwarding.reason ?? ''}`,
          'forwarded',
        ],
        [t('buyer'), answer && `${answer.code} ${answer.note ?? ''}`, 'buyer'],
        [
          t('duplicate'),
          duplicate_of && (
            <Link to="/invoices/$id" params={{ id: duplicate_of }}>
              {duplicate_of}
            </Link>
          ),
          'duplicate',
        ],
        [
          t('document'),
          invoice.number !== undefined && (
            <>
              <Link to="/invoices/$id/document" params={{ id: invoice.id }}>
                {t('readable')}
              </Link>
              {' · '}
              <a href={document} download={`${invoice.id}.xml`}>
                {t('asXml')}
              </a>
              {' · '}
              <a href={`${document}?stage=cim`} download={`${invoice.id}.json`}>
                {t('asCim')}
              </a>
            </>
          ),
          'document',
        ],
      ]}
    />
  );
}

/** An authority's answer must not become a link that runs a script. */
const isWebAddress = (text: string) =>
  URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);

/** A rejected invoice stays as it is; its document can be submitted again. */
function Resubmission({ invoice }: { invoice: Invoice }) {
  const t = useInvoicePageTexts();
  const session = useSession();
  const navigate = useNavigate();
  const whileShown = useWhileShown();
  const { connector_id, source_ref, profile } = invoice;
  const submission = useMutation({
    mutationFn: () =>
      got(einvoicing.POST('/v1/invoices', { body: { connector_id, source_ref, profile } })),
    onSuccess: ({ id }) => whileShown(() => navigate({ to: '/invoices/$id', params: { id } })),
  });
  if (invoice.status !== 'rejected' || !mayDo(session, 'einvoicing', 'invoices:write')) return null;
  return (
    <>
      <p>{t('resubmitText')}</p>
      {submission.error && <ProblemNote error={submission.error} />}
      <Button kind="main" isBusy={submission.isPending} onClick={() => submission.mutate()}>
        {t('resubmit')}
      </Button>
    </>
  );
}
