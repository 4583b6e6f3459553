import { Badge, type Tone } from '../../design/badge.tsx';
import type { Delivery, Endpoint } from './queries.ts';
import { useWebhooksTexts } from './texts.ts';

const tones: Readonly<Record<Endpoint['state'] | Delivery['state'], Tone>> = {
  active: 'good',
  degraded: 'bad',
  disabled: 'bad',
  pending: 'neutral',
  delivered: 'good',
  failed: 'bad',
  held: 'warning',
  set_aside: 'warning',
};

export function WebhookState({ state }: { state: Endpoint['state'] | Delivery['state'] }) {
  const t = useWebhooksTexts();
  return <Badge tone={tones[state]}>{t(state)}</Badge>;
}
