import type { FormEvent, ReactNode } from 'react';
import styles from './form.module.css';

/** Fields that stand on a page, with the button that sends them last. */
export function Form({ children, onSubmit }: { children: ReactNode; onSubmit: () => void }) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {children}
    </form>
  );
}
