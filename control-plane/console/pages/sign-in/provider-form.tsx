import { type FormEvent, useState } from 'react';
import { Problem } from '../../api/client.ts';
import { keptWorkspace, leaveForProvider } from '../../api/provider-sign-in.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { TextField } from '../../design/field.tsx';
import styles from './page.module.css';
import { useSignInTexts } from './texts.ts';

/** The way through the identity provider of a workspace, which the person names. */
export function ProviderForm({
  workspace,
  next,
}: {
  workspace?: string | undefined;
  next: string;
}) {
  const t = useSignInTexts();
  const shared = useDesignTexts();
  const [name, setName] = useState(workspace ?? keptWorkspace());
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [isOpen, setOpen] = useState(name !== '');

  async function leave(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await leaveForProvider(name.trim().toLowerCase(), sentPath(next));
    } catch (error) {
      setBusy(false);
      setProblem(error instanceof Problem ? sentenceOf(error) : shared('unreachable'));
    }
  }

  function sentenceOf({ code, message }: Problem): string {
    if (code === 'sign_in_name_unknown' || code === 'invalid_request') return t('unknownWorkspace');
    return code === 'provider_unreachable' ? t('providerUnreachable') : message;
  }

  if (!isOpen) return <Button onClick={() => setOpen(true)}>{t('providerTitle')}</Button>;
  return (
    <form className={styles.form} onSubmit={(event) => void leave(event)}>
      <h2>{t('providerTitle')}</h2>
      <TextField
        label={t('workspace')}
        hint={t('workspaceHint')}
        dir="ltr"
        autoCapitalize="none"
        autoComplete="organization"
        spellCheck={false}
        required
        value={name}
        problem={problem}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" isBusy={isBusy}>
        {t('throughProvider')}
      </Button>
    </form>
  );
}

const pathLengthMax = 1_000;

/** The path as the API takes it: encoded, and not endless. */
function sentPath(next: string): string {
  const { pathname, search } = new URL(next, window.location.origin);
  const path = pathname + search;
  return path.length > pathLengthMax ? '/' : path;
}
