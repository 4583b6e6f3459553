import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useSession } from '../api/session.ts';
import { Button } from '../design/button.tsx';
import { Account } from './account.tsx';
import { navigationOf } from './navigation.ts';
import { ProofDialog } from './proof-dialog.tsx';
import { SessionEndDialog } from './session-end.tsx';
import styles from './shell.module.css';
import { useShellTexts } from './shell-texts.ts';
import { TypedTexts } from './typed-texts.tsx';

/** What surrounds every page of somebody who is signed in. */
export function Shell() {
  const t = useShellTexts();
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => {
    if (path !== '') setOpen(false); // on a narrow screen the menu closes once a page was chosen
  }, [path]);
  const isSandbox = session.environment === 'sandbox';
  return (
    <div className={`${styles.shell} ${isSandbox ? styles.sandboxPage : styles.livePage}`}>
      <a href="#content" className={styles.skip}>
        {t('skip')}
      </a>
      <header className={styles.side} data-open={isOpen}>
        <div className={styles.brand}>
          <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="28" height="28" />
          Drawbridge
        </div>
        <div className={`${styles.environment} ${isSandbox ? styles.sandbox : ''}`}>
          <strong>{t(session.environment)}</strong>
          {isSandbox ? t('sandboxText') : t('liveText')}
        </div>
        <div className={styles.menuButton}>
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t('menu')}
          </Button>
        </div>
        <nav aria-label={t('navigation')}>
          {navigationOf(session).map(({ text, items }) => (
            <ul key={text ?? 'first'} className={styles.group}>
              {text && <li className={styles.groupTitle}>{t(text)}</li>}
              {items.map((item) => (
                <li key={item.text}>
                  <Link
                    to={item.to}
                    className={styles.link}
                    activeOptions={{ exact: item.to === '/' }}
                  >
                    {t(item.text)}
                  </Link>
                </li>
              ))}
            </ul>
          ))}
        </nav>
        <Account session={session} />
      </header>
      <main id="content" className={styles.main} tabIndex={-1}>
        <TypedTexts userId={session.user.id} />
        <Outlet />
      </main>
      <ProofDialog session={session} />
      <SessionEndDialog />
    </div>
  );
}
