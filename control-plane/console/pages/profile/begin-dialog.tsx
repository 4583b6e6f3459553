import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { QrCode } from '../../design/qr-code.tsx';
import { CodeField, PasswordField } from './proof-fields.tsx';
import { beginSecondFactor, confirmSecondFactor } from './queries.ts';
import { useProfileTexts } from './texts.ts';

interface BeginDialogProps {
  onClose(): void;
  onConfirmed(recoveryCodes: readonly string[]): Promise<void>;
}

/** First the password; then the secret, which an app answers with a code. */
export function BeginDialog({ onClose, onConfirmed }: BeginDialogProps) {
  const t = useProfileTexts();
  const shared = useDesignTexts();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const begin = useMutation({ mutationFn: () => beginSecondFactor(password) });
  const confirm = useMutation({
    mutationFn: () => confirmSecondFactor(code),
    onSuccess: ({ recovery_codes }) => onConfirmed(recovery_codes),
  });
  const begun = begin.data;
  const error = begun ? confirm.error : begin.error;
  return (
    <Dialog
      title={t('turnOn')}
      onClose={onClose}
      onSubmit={() => (begun ? confirm.mutate() : begin.mutate())}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={begin.isPending || confirm.isPending}>
            {begun ? t('confirm') : t('next')}
          </Button>
        </>
      }
    >
      {begun ? (
        <>
          <p>{t('scan')}</p>
          <QrCode text={begun.uri} label={t('qrCode')} />
          <Copyable label={t('textKey')} text={begun.secret} />
          <CodeField label={t('code')} value={code} onChange={setCode} />
        </>
      ) : (
        <PasswordField value={password} onChange={setPassword} />
      )}
      {error && <ProblemNote error={error} />}
    </Dialog>
  );
}
