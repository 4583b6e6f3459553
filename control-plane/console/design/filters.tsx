import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { useDesignTexts } from './design-texts.ts';
import styles from './filters.module.css';

interface FiltersProps {
  readonly children: ReactNode;
  /** What its button says. */
  readonly action: string;
  onFind(form: FormData): void;
}

/** What a list is narrowed by: fields with a `name` each. On a narrow screen a button folds them away. */
export function Filters({ children, action, onFind }: FiltersProps) {
  const t = useDesignTexts();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  useEffect(() => setActive(filledOf(new FormData(form.current!))), []);
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const asked = new FormData(event.currentTarget);
    setActive(filledOf(asked));
    setOpen(false);
    onFind(asked);
  };
  return (
    <search>
      <div className={styles.fold}>
        <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {active === 0 ? t('filters') : t('filtersActive', { active })}
        </Button>
      </div>
      <form ref={form} id={id} className={styles.filters} data-open={isOpen} onSubmit={find}>
        {children}
        <Button type="submit">{action}</Button>
      </form>
    </search>
  );
}

const filledOf = (form: FormData) => [...form.values()].filter((value) => value !== '').length;
