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
      <Fold controls={id} active={active} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      <form ref={form} id={id} className={styles.filters} data-open={isOpen} onSubmit={find}>
        {children}
        <Button type="submit">{action}</Button>
      </form>
    </search>
  );
}

interface ChoiceFiltersProps {
  readonly children: ReactNode;
  /** How many narrow the list now. */
  readonly active: number;
  readonly className?: string | undefined;
}

/** As `Filters`, of a list that follows each choice at once. */
export function ChoiceFilters({ children, active, className }: ChoiceFiltersProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <search className={className}>
      <Fold controls={id} active={active} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      <div id={id} className={styles.choices} data-open={isOpen}>
        {children}
      </div>
    </search>
  );
}

interface FoldProps {
  /** The id of what is folded. */
  readonly controls: string;
  readonly active: number;
  readonly isOpen: boolean;
  onToggle(): void;
}

/** Seen on a narrow screen alone. */
function Fold({ controls, active, isOpen, onToggle }: FoldProps) {
  const t = useDesignTexts();
  return (
    <div className={styles.fold}>
      <Button aria-expanded={isOpen} aria-controls={controls} onClick={onToggle}>
        {active === 0 ? t('filters') : t('filtersActive', { active })}
      </Button>
    </div>
  );
}

const filledOf = (form: FormData) => [...form.values()].filter((value) => value !== '').length;
