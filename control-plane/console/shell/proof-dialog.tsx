import { useEffect, useState } from 'react';
import { einvoicing, got, Problem } from '../api/client.ts';
import { onProofNeeded } from '../api/proof.ts';
import { Button } from '../design/button.tsx';
import { useDesignTexts } from '../design/design-texts.ts';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/field.tsx';
import { useShellTexts } from './shell-texts.ts';

/** Asks for the password when a change wants it, and lets the change go on. */
export function ProofDialog({ hasSecondFactor }: { hasSecondFactor: boolean }) {
  const t = useShellTexts();
  const shared = useDesignTexts();
  const [answer, setAnswer] = useState<(isProven: boolean) => void>();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  useEffect(() => onProofNeeded(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  if (answer === undefined) return null;

  function close(isProven: boolean): void {
    answer?.(isProven);
    setAnswer(undefined);
    setPassword('');
    setCode('');
    setProblem(undefined);
  }

  async function prove(): Promise<void> {
    try {
      const body = { password, ...(hasSecondFactor ? { code } : {}) };
      await got(einvoicing.POST('/v1/session/proof', { body }));
      close(true);
    } catch (error) {
      setProblem(error instanceof Problem ? error.message : shared('unreachable'));
    }
  }

  return (
    <Dialog
      title={t('proofTitle')}
      onClose={() => close(false)}
      onSubmit={() => void prove()}
      actions={
        <>
          <Button onClick={() => close(false)}>{shared('cancel')}</Button>
          <Button type="submit" kind="main">
            {t('confirm')}
          </Button>
        </>
      }
    >
      <p>{t('proofText')}</p>
      <TextField
        label={t('password')}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        problem={problem}
        onChange={({ target }) => setPassword(target.value)}
      />
      {hasSecondFactor && (
        <TextField
          label={t('code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
      )}
    </Dialog>
  );
}
