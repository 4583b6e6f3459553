import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
  /** The buttons; what submits the form comes last. */
  readonly actions: ReactNode;
  /** For forms with rows of fields. */
  readonly isWide?: boolean;
  onClose(): void;
  onSubmit?(): void;
}

/** A modal dialog, open while it is shown. Escape closes it. */
export function Dialog({ title, children, actions, isWide, onClose, onSubmit }: DialogProps) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    element.current?.showModal();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  return (
    <dialog
      ref={element}
      className={`${styles.dialog} ${isWide ? styles.wide : ''}`}
      aria-labelledby={id}
      onClose={onClose}
    >
      <form onSubmit={submit} className={styles.body}>
        <h2 id={id}>{title}</h2>
        {children}
        <div className={styles.actions}>{actions}</div>
      </form>
    </dialog>
  );
}
