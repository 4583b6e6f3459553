import { type ReactNode, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import styles from './checklist.module.css';
import { useOverviewTexts } from './texts.ts';

export interface Step {
  readonly name: string;
  readonly text: string;
  /** What it is good for. */
  readonly why: string;
  /** Undefined until it is known. */
  readonly isDone: boolean | undefined;
  /** The way to do it. */
  readonly action: ReactNode;
}

interface ChecklistProps {
  readonly name: string;
  readonly title: string;
  readonly steps: readonly Step[];
}

/**
 * What is to be done until a workspace works, and what of it is done. Once it was begun only the next
 * step stands there, with the way to all. It goes when all is done, or it is hidden.
 */
export function Checklist({ name, title, steps }: ChecklistProps) {
  const t = useOverviewTexts();
  const { tenant, user, environment } = useSession();
  const place = `drawbridge-checklist ${name} ${environment} ${tenant.id} ${user.id}`;
  const [isHidden, setHidden] = useState(() => localStorage.getItem(place) !== null);
  const [isWhole, setWhole] = useState(false);
  const isKnown = steps.every(({ isDone }) => isDone !== undefined);
  const next = steps.find(({ isDone }) => isDone === false);
  if (!isKnown || next === undefined || isHidden) return null;
  const done = steps.filter(({ isDone }) => isDone).length;
  const shown = isWhole || done === 0 ? steps : [next];
  const hide = () => {
    localStorage.setItem(place, 'hidden');
    setHidden(true);
  };
  return (
    <section className={styles.checklist} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        <span className={styles.tools}>
          {t('progress', { done, count: steps.length })}
          {shown.length < steps.length && (
            <Button kind="plain" onClick={() => setWhole(true)}>
              {t('showAll')}
            </Button>
          )}
          <Button kind="plain" onClick={hide}>
            {t('hide')}
          </Button>
        </span>
      </div>
      <ol className={styles.steps}>
        {shown.map((step) => (
          <li key={step.name} className={`${styles.step} ${step.isDone ? styles.done : ''}`}>
            <span className={styles.mark} aria-hidden="true">
              {step.isDone ? '✓' : steps.indexOf(step) + 1}
            </span>
            <div className={styles.text}>
              {step.text}
              {step.isDone && <span className={styles.unseen}> {t('isDone')}</span>}
              {step === next && <p className={styles.why}>{step.why}</p>}
            </div>
            {!step.isDone && step.action}
          </li>
        ))}
      </ol>
    </section>
  );
}
