import type { FormEvent, ReactNode } from 'react';
import styles from './form.module.css';

interface FormProps {
  readonly children: ReactNode;
  /** As wide as where it stands: for more than fields. */
  readonly isWide?: boolean;
  /** What is said of the last save goes with the next change. */
  readonly saving?: { readonly isSuccess: boolean; reset(): void };
  onSubmit(): void;
}

/** Fields that stand on a page, with the button that sends them last. */
export function Form({ children, isWide, saving, onSubmit }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form
      className={`${styles.form} ${isWide ? styles.wide : ''}`}
      onSubmit={submit}
      onChange={() => saving?.isSuccess && saving.reset()}
    >
      {children}
    </form>
  );
}
