import { Link, type LinkProps } from '@tanstack/react-router';
import type { ButtonHTMLAttributes, ReactNode } from 'react';
import styles from './button.module.css';

/** `main`: what the page is for, one at most. `dangerous`: what cannot be undone. */
type Kind = 'main' | 'usual' | 'dangerous' | 'plain';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: Kind;
  /** While it works it takes no further click, and keeps the focus. */
  readonly isBusy?: boolean;
  /** A click makes it do something else: the second one of a double click does not count. */
  readonly isChanging?: boolean;
}

const classOf = (kind: Kind) => `${styles.button} ${styles[kind] ?? ''}`;

export function Button(props: ButtonProps) {
  const { kind = 'usual', isBusy = false, isChanging = false, onClick, onKeyDown, ...rest } = props;
  return (
    <button
      type="button"
      {...rest}
      className={classOf(kind)}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        const isIgnored = isBusy || (isChanging && event.detail > 1);
        return isIgnored ? event.preventDefault() : onClick?.(event);
      }}
      onKeyDown={(event) => {
        // A key that is held down presses once.
        if (event.repeat && event.key === 'Enter') event.preventDefault();
        onKeyDown?.(event);
      }}
    />
  );
}

/** A link that looks like a button: it goes to a page, and changes nothing. */
export function ButtonLink({
  kind = 'usual',
  children,
  ...link
}: LinkProps & { readonly kind?: Kind; readonly children: ReactNode }) {
  return (
    <Link {...link} className={classOf(kind)}>
      {children}
    </Link>
  );
}
