import { Badge, type Tone } from '../../design/badge.tsx';
import type { Received } from './queries.ts';
import { useReceivedTexts } from './texts.ts';

export const statuses = [
  'received',
  'imported',
  'undone',
  'duplicate',
  'unreadable',
  'cancelled',
] as const;

const tones: Readonly<Record<Received['status'], Tone>> = {
  received: 'warning',
  imported: 'good',
  undone: 'neutral',
  duplicate: 'neutral',
  unreadable: 'bad',
  cancelled: 'neutral',
};

/** Beside its state stands that its supplier has cancelled it, where something of it may still be in the ERP. */
export function ReceivedStatus({
  status,
  cancelled_at,
}: Pick<Received, 'status' | 'cancelled_at'>) {
  const t = useReceivedTexts();
  return (
    <>
      <Badge tone={tones[status]}>{t(status)}</Badge>
      {cancelled_at !== undefined && status !== 'cancelled' && (
        <>
          {' '}
          <Badge tone="bad">{t('cancelled')}</Badge>
        </>
      )}
    </>
  );
}
