import { type FormEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';

interface DialogProps {
  readonly title: ReactNode;
  readonly children: ReactNode;
  /** The buttons; what submits the form comes last. */
  readonly actions: ReactNode;
  /** For forms with rows of fields. */
  readonly isWide?: boolean;
  /** What is on its way must be seen, as a key that is shown once: Escape does not close it meanwhile. */
  readonly staysOpen?: boolean;
  onClose(): void;
  onSubmit?(): void;
}

/** A modal dialog, open while it is shown. Escape closes it. */
export function Dialog(props: DialogProps) {
  const { title, children, actions, isWide, staysOpen, onClose, onSubmit } = props;
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    // Closed before it is taken out of the page: the focus goes back to where it was.
    return () => dialog.close();
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
      onCancel={(event) => staysOpen && event.preventDefault()}
      onClose={({ currentTarget }) => currentTarget.open || onClose()}
    >
      <form onSubmit={submit} className={styles.body}>
        <h2 id={id}>{title}</h2>
        {children}
        <div className={styles.actions}>{actions}</div>
      </form>
    </dialog>
  );
}
