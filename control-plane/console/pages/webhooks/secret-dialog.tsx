import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useWebhooksTexts } from './texts.ts';

/** A signing secret, shown once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useWebhooksTexts();
  return (
    <Dialog
      title={t('secret')}
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <Button type="submit" kind="main">
          {t('kept')}
        </Button>
      }
    >
      <p>{t('secretText')}</p>
      <Copyable label={t('secret')} text={secret} />
    </Dialog>
  );
}
