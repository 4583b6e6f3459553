import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useProfileTexts } from './texts.ts';

interface RecoveryCodesDialogProps {
  readonly codes: readonly string[];
  onClose(): void;
}

export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const t = useProfileTexts();
  return (
    <Dialog
      title={t('recoveryCodes')}
      onClose={onClose}
      onSubmit={onClose}
      actions={
        <Button type="submit" kind="main">
          {t('kept')}
        </Button>
      }
    >
      <p>{t('recoveryCodesText')}</p>
      <Copyable label={t('recoveryCodes')} text={codes.join('\n')} />
    </Dialog>
  );
}
