import type { FormEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './filters.module.css';

interface FiltersProps {
  readonly children: ReactNode;
  /** What its button says. */
  readonly action: string;
  onFind(form: FormData): void;
}

/** What a list is narrowed by: fields with a `name` each. */
export function Filters({ children, action, onFind }: FiltersProps) {
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onFind(new FormData(event.currentTarget));
  };
  return (
    <search>
      <form className={styles.filters} onSubmit={find}>
        {children}
        <Button type="submit">{action}</Button>
      </form>
    </search>
  );
}
