import { useState } from 'react';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { ProblemNote } from '../../design/page.tsx';
import { CodeField, PasswordField } from './proof-fields.tsx';
import { useProfileTexts } from './texts.ts';

export interface Proof {
  readonly password: string;
  readonly code: string;
}

interface ProveDialogProps {
  /** What is done, and what its button says. */
  readonly title: string;
  readonly change: {
    readonly error: unknown;
    readonly isPending: boolean;
    mutate(proof: Proof): void;
  };
  readonly isDangerous?: boolean;
  onClose(): void;
}

/** Asks for password and code before something is done. */
export function ProveDialog({ title, change, isDangerous = false, onClose }: ProveDialogProps) {
  const t = useProfileTexts();
  const shared = useDesignTexts();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => change.mutate({ password, code })}
      actions={
        <>
          <Button onClick={onClose}>{shared('cancel')}</Button>
          <Button type="submit" kind={isDangerous ? 'dangerous' : 'main'} isBusy={change.isPending}>
            {title}
          </Button>
        </>
      }
    >
      <PasswordField value={password} onChange={setPassword} />
      <CodeField label={t('codeOrRecovery')} value={code} onChange={setCode} />
      {change.error !== null && <ProblemNote error={change.error} />}
    </Dialog>
  );
}
