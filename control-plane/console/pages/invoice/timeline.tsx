import { useQuery } from '@tanstack/react-query';
import { ProblemNote, Skeleton } from '../../design/page.tsx';
import { useFormats } from '../../texts/formats.ts';
import { statuses } from '../invoices/status.tsx';
import { useInvoiceTexts } from '../invoices/texts.ts';
import { type Invoice, invoiceEventsQuery } from './queries.ts';
import styles from './timeline.module.css';

/** Each step of an invoice with its time. */
export function Timeline({ id, status }: Pick<Invoice, 'id' | 'status'>) {
  const t = useInvoiceTexts();
  const formats = useFormats();
  const { data, error } = useQuery(invoiceEventsQuery(id, status));
  if (error) return <ProblemNote error={error} />;
  if (data === undefined) return <Skeleton lines={4} />;
  return (
    <ol className={styles.timeline}>
      {data.results.map((event) => {
        const known = statuses.find((each) => each === event.status);
        return (
          <li key={event.id} className={styles.event}>
            <div>
              {known ? t(known) : event.status}
              <div className={styles.time}>
                <time dateTime={event.timestamp}>{formats.instant(event.timestamp)}</time> ·{' '}
                <code>{event.event}</code>
              </div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
