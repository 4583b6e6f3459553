import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { einvoicing, got } from '../api/client.ts';
import { forgetDrafts } from '../api/kept-drafts.ts';
import { leaveForSignIn, type Session, tellSessionChanged } from '../api/session.ts';
import { Button } from '../design/button.tsx';
import { SelectField } from '../design/field.tsx';
import { ProblemNote } from '../design/page.tsx';
import { type Language, languages, setLanguage, useLanguage } from '../texts/language.ts';
import styles from './shell.module.css';
import { useShellTexts } from './shell-texts.ts';
import { currentTheme, setTheme, type Theme, themes } from './theme.ts';

const themeTexts = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;

/** Who is signed in, where, and how the console looks to them. */
export function Account({ session }: { session: Session }) {
  const t = useShellTexts();
  const language = useLanguage();
  const [theme, showTheme] = useState(currentTheme);
  const { environment, addresses, user, tenant, tenants } = session;
  const other = environment === 'live' ? 'sandbox' : 'live';

  const move = useMutation({
    mutationFn: (tenant_id: string) =>
      got(einvoicing.PATCH('/v1/session', { body: { tenant_id } })),
    onSuccess: () => {
      tellSessionChanged();
      // Nothing of the former workspace is left in memory.
      window.location.assign(import.meta.env.BASE_URL);
    },
  });
  const signOut = useMutation({
    mutationFn: () => got(einvoicing.DELETE('/v1/session')),
    onSuccess: (ended) => {
      tellSessionChanged('signed_out');
      forgetDrafts();
      // On to the provider, which ends its own session and sends the browser back to the sign-in page.
      if (ended?.provider_sign_out_url) window.location.assign(ended.provider_sign_out_url);
      else leaveForSignIn();
    },
  });

  return (
    <section className={styles.account} aria-label={t('account')}>
      <div className={styles.person}>
        <strong>{user.name}</strong>
        <br />
        {user.email}
        <br />
        <Link to="/profile">{t('profile')}</Link>
      </div>
      {tenants.length > 1 ? (
        <SelectField
          label={t('workspace')}
          value={tenant.id}
          disabled={move.isPending}
          onChange={({ target }) => move.mutate(target.value)}
        >
          {tenants.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      ) : (
        <div>{tenant.name}</div>
      )}
      <a href={`${addresses[other]}/console/`}>{other === 'live' ? t('goLive') : t('goSandbox')}</a>
      <SelectField
        label={t('language')}
        value={language}
        onChange={({ target }) => void setLanguage(target.value as Language)}
      >
        {Object.entries(languages).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t('theme')}
        value={theme}
        onChange={({ target }) => {
          setTheme(target.value as Theme);
          showTheme(target.value as Theme);
        }}
      >
        {themes.map((each) => (
          <option key={each} value={each}>
            {t(themeTexts[each])}
          </option>
        ))}
      </SelectField>
      {move.error && <ProblemNote error={move.error} />}
      {signOut.error && <ProblemNote error={signOut.error} />}
      <Button isBusy={signOut.isPending} onClick={() => signOut.mutate()}>
        {t('signOut')}
      </Button>
    </section>
  );
}
