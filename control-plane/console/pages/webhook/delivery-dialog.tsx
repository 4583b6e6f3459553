import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { useFormats } from '../../texts/formats.ts';
import type { Delivery } from '../webhooks/queries.ts';
import { useWebhooksTexts } from '../webhooks/texts.ts';

/** What was sent, and what each attempt was answered. */
export function DeliveryDialog({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const t = useWebhooksTexts();
  const shared = useDesignTexts();
  const formats = useFormats();
  return (
    <Dialog
      title={delivery.event}
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <Button type="submit" kind="main">
          {shared('close')}
        </Button>
      }
    >
      <h3>{t('payload')}</h3>
      <Copyable label={t('payload')} text={JSON.stringify(delivery.payload, null, 2)} />
      <h3>{t('answer')}</h3>
      <ol>
        {delivery.attempts.map(({ n, at, status, error, response_body }) => (
          <li key={n}>
            {formats.instant(at)} · {status ?? error ?? t('noAnswer')}
            {response_body !== '' && <pre dir="auto">{response_body}</pre>}
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
