import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { einvoicing, got, Problem } from '../api/client.ts';
import { onProofNeeded } from '../api/proof.ts';
import { onProven } from '../api/provider-sign-in.ts';
import type { Session } from '../api/session.ts';
import { Button } from '../design/button.tsx';
import { useDesignTexts } from '../design/design-texts.ts';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/field.tsx';
import { useShellTexts } from './shell-texts.ts';

/** Asks somebody to show who they are when a change wants it, and lets the change go on. */
export function ProofDialog({ session: { signed_in_by, user } }: { session: Session }) {
  const [answer, setAnswer] = useState<(isProven: boolean) => void>();
  useEffect(() => onProofNeeded(() => new Promise((resolve) => setAnswer(() => resolve))), []);
  if (answer === undefined) return null;
  const close = (isProven: boolean) => {
    answer(isProven);
    setAnswer(undefined);
  };
  return signed_in_by === 'provider' ? (
    <ByProvider close={close} />
  ) : (
    <ByPassword hasSecondFactor={user.has_second_factor} close={close} />
  );
}

interface Asking {
  close(isProven: boolean): void;
}

/** The provider's pages open in another window, so that what was typed here stays. */
function ByProvider({ close }: Asking) {
  const t = useShellTexts();
  const shared = useDesignTexts();
  useEffect(() => onProven(() => close(true)), [close]);
  return (
    <Dialog
      title={t('proofTitle')}
      onClose={() => close(false)}
      actions={<Button onClick={() => close(false)}>{shared('cancel')}</Button>}
    >
      <p>{t('proofByProvider')}</p>
      <a href={`${import.meta.env.BASE_URL}prove`} target="_blank" rel="noreferrer">
        {t('toProvider')}
      </a>
    </Dialog>
  );
}

function ByPassword({ hasSecondFactor, close }: Asking & { readonly hasSecondFactor: boolean }) {
  const t = useShellTexts();
  const shared = useDesignTexts();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const prove = useMutation({
    mutationFn: () => {
      const body = { password, ...(hasSecondFactor ? { code } : {}) };
      return got(einvoicing.POST('/v1/session/proof', { body }));
    },
    onSuccess: () => close(true),
  });
  const { error } = prove;
  const problem = error instanceof Problem ? error.message : shared('unreachable');

  return (
    <Dialog
      title={t('proofTitle')}
      onClose={() => close(false)}
      onSubmit={() => !prove.isPending && prove.mutate()}
      actions={
        <>
          <Button onClick={() => close(false)}>{shared('cancel')}</Button>
          <Button type="submit" kind="main" isBusy={prove.isPending}>
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
        problem={error === null ? undefined : problem}
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
