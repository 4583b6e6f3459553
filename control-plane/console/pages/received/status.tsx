import { Badge, type Tone } from '../../design/badge.tsx';
import type { Received } from './queries.ts';
import { useReceivedTexts } from './texts.ts';

export const statuses = ['received', 'imported', 'undone', 'duplicate', 'unreadable'] as const;

const tones: Readonly<Record<Received['status'], Tone>> = {
  received: 'warning',
  imported: 'good',
  undone: 'neutral',
  duplicate: 'neutral',
  unreadable: 'bad',
};

export function ReceivedStatus({ status }: Pick<Received, 'status'>) {
  const t = useReceivedTexts();
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}
