import { Badge, type Tone } from '../../design/badge.tsx';
import type { Invoice } from './queries.ts';
import { useInvoiceTexts } from './texts.ts';

export const statuses = [
  'received',
  'validating',
  'validated',
  'submitted',
  'cleared',
  'delivered',
  'acknowledged',
  'rejected',
] as const satisfies readonly Invoice['status'][];

const tones: Readonly<Record<Invoice['status'], Tone>> = {
  received: 'neutral',
  validating: 'neutral',
  validated: 'neutral',
  submitted: 'neutral',
  cleared: 'good',
  delivered: 'good',
  acknowledged: 'good',
  rejected: 'bad',
};

export function InvoiceStatus({ status }: Pick<Invoice, 'status'>) {
  const t = useInvoiceTexts();
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}
