import type { ReactNode } from 'react';
import styles from './check-list.module.css';

interface CheckListProps {
  readonly label: ReactNode;
  readonly options: readonly string[];
  readonly chosen: readonly string[];
  onChange(chosen: readonly string[]): void;
}

/** Several of a list. */
export function CheckList({ label, options, chosen, onChange }: CheckListProps) {
  const toggle = (option: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, option] : chosen.filter((each) => each !== option));
  return (
    <fieldset className={styles.list}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option} className={styles.option}>
          <input
            type="checkbox"
            checked={chosen.includes(option)}
            onChange={({ target }) => toggle(option, target.checked)}
          />
          {option}
        </label>
      ))}
    </fieldset>
  );
}
