import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { einvoicing, got, Problem } from '../../api/client.ts';
import { domainBrandQuery } from '../../api/domain-brand.ts';
import { sessionQuery, tellSessionChanged } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { TextField } from '../../design/field.tsx';
import { problemKey, useSignInProblemTexts } from '../../texts/sign-in-problems.ts';
import styles from './page.module.css';
import { ProviderForm } from './provider-form.tsx';
import { useSignInTexts } from './texts.ts';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const t = useSignInTexts();
  const shared = useDesignTexts();
  const { next, workspace, problem: why, request_id } = route.useSearch();
  const problemTexts = useSignInProblemTexts();
  const router = useRouter();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { data: brand } = useQuery(domainBrandQuery);
  const name = brand?.name ?? 'Drawbridge';
  useEffect(() => {
    document.title = `${t('title')} · ${name}`;
  }, [t, name]);

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const body = { email, password, ...(needsCode ? { code } : {}) };
      const session = await got(einvoicing.POST('/v1/session', { body }));
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      tellSessionChanged();
      router.history.push(`/console${next ?? '/'}`);
    } catch (error) {
      if (error instanceof Problem && error.code === 'second_factor_required') setNeedsCode(true);
      else setProblem(error instanceof Problem ? sentenceOf(error) : shared('unreachable'));
    } finally {
      setBusy(false);
    }
  }

  function sentenceOf({ code: why, message }: Problem): string {
    switch (why) {
      case 'wrong_password':
        return t('wrongPassword');
      case 'wrong_code':
        return t('wrongCode');
      case 'password_not_allowed':
        return t('passwordNotAllowed');
      case 'too_many_attempts':
        return t('tooMany');
      default:
        return message;
    }
  }

  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={(event) => void signIn(event)}>
        <div className={styles.brand}>
          <img src={brand?.logo_url ?? `${import.meta.env.BASE_URL}icon.svg`} alt="" height="28" />
          {name}
        </div>
        <h1>{t('title')}</h1>
        {why && (
          <div role="alert" className={styles.problem}>
            <p>{problemTexts(problemKey(why))}</p>
            <code>
              {why} {request_id && `· ${request_id}`}
            </code>
          </div>
        )}
        <TextField
          label={t('email')}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <TextField
          label={t('password')}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        {needsCode && (
          <TextField
            label={t('code')}
            hint={t('codeHint')}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            autoFocus
            value={code}
            onChange={({ target }) => setCode(target.value)}
          />
        )}
        {problem && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
        <Button type="submit" kind="main" isBusy={isBusy}>
          {t('signIn')}
        </Button>
      </form>
      <ProviderForm workspace={workspace} next={next ?? '/'} />
    </main>
  );
}
