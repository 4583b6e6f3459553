import { Badge, type Tone } from '../../design/badge.tsx';
import type { Template } from './queries.ts';
import { useTemplateTexts } from './texts.ts';

export const states = ['pending', 'approved', 'rejected', 'paused', 'disabled', 'deleted'] as const;

const tones: Readonly<Record<Template['status'], Tone>> = {
  pending: 'neutral',
  approved: 'good',
  rejected: 'bad',
  paused: 'warning',
  disabled: 'bad',
  deleted: 'neutral',
};

/** Whether the network has approved it. */
export function TemplateState({ status }: { status: Template['status'] }) {
  const t = useTemplateTexts();
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}
