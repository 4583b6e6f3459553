import { Badge, type Tone } from '../../design/badge.tsx';
import { useClock } from '../../texts/clock.ts';
import type { Broadcast } from './queries.ts';
import { useBroadcastTexts } from './texts.ts';

export const states = ['queued', 'running', 'paused', 'completed', 'failed', 'canceled'] as const;

const tones: Readonly<Record<Broadcast['status'], Tone>> = {
  queued: 'neutral',
  running: 'warning',
  paused: 'warning',
  completed: 'good',
  failed: 'bad',
  canceled: 'neutral',
};

export function BroadcastState({ broadcast }: { broadcast: Broadcast }) {
  const t = useBroadcastTexts();
  const clock = useClock();
  const { status, schedule_at } = broadcast;
  const isLater = status === 'queued' && new Date(schedule_at) > clock();
  return <Badge tone={tones[status]}>{t(isLater ? 'scheduled' : status)}</Badge>;
}
