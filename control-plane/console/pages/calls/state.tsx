import { Badge, type Tone } from '../../design/badge.tsx';
import type { Call } from './queries.ts';
import { useVoiceTexts } from './texts.ts';

export const states = [
  'queued',
  'ringing',
  'in_progress',
  'completed',
  'busy',
  'no_answer',
  'canceled',
  'failed',
  'machine',
  'unknown',
] as const;

const tones: Readonly<Record<Call['status'], Tone>> = {
  queued: 'neutral',
  ringing: 'warning',
  in_progress: 'warning',
  completed: 'good',
  busy: 'neutral',
  no_answer: 'neutral',
  canceled: 'neutral',
  failed: 'bad',
  machine: 'neutral',
  unknown: 'bad',
};

export function CallState({ status }: { status: Call['status'] }) {
  const t = useVoiceTexts();
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}
