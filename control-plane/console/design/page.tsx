import { type ReactNode, useEffect } from 'react';
import { Problem } from '../api/client.ts';
import { Button } from './button.tsx';
import { useDesignTexts } from './design-texts.ts';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page: its title, what it is for, its main actions, its content. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Drawbridge`;
  }, [title]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div>
          <h1>{title}</h1>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Nothing is here yet: what it will be, and the next step. */
export function EmptyState(props: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{props.title}</h2>
      <p>{props.children}</p>
      {props.action}
    </div>
  );
}

export function Card({ title, children }: { title?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.card}>
      {title && <h2>{title}</h2>}
      {children}
    </section>
  );
}

export function Cards({ children }: { children: ReactNode }) {
  return <div className={styles.cards}>{children}</div>;
}

/** Names and values; a fact without a value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [ReactNode, ReactNode, string])[] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(
          ([, value]) => value !== undefined && value !== null && value !== '' && value !== false,
        )
        .map(([name, value, key]) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** The room that content will take, while it comes. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  const t = useDesignTexts();
  return (
    <div role="status" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <div key={at} className={styles.skeleton} style={{ marginBlockEnd: '0.75rem' }} />
      ))}
    </div>
  );
}

/** What went wrong, with its code and the id of the request. */
export function ProblemNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const t = useDesignTexts();
  const problem = error instanceof Problem ? error : undefined;
  return (
    <div className={styles.problem} role="alert">
      <p>{problem?.message ?? t('unreachable')}</p>
      {problem && (
        <p>
          <code>
            {problem.code}
            {problem.requestId && ` · ${problem.requestId}`}
          </code>
        </p>
      )}
      {onRetry && (
        <div>
          <Button onClick={onRetry}>{t('tryAgain')}</Button>
        </div>
      )}
    </div>
  );
}
