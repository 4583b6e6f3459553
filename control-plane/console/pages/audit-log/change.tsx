import styles from './change.module.css';

/** A longer one is folded away. */
const charactersMax = 120;

interface ChangeProps {
  /** How it stands in a list of changes: − for before, + for after. */
  readonly sign: string;
  readonly value: unknown;
}

/** What somebody changed, as it was before or is afterwards. */
export function Change({ sign, value }: ChangeProps) {
  const text = `${sign} ${JSON.stringify(value)}`;
  if (text.length <= charactersMax) {
    return (
      <div className={styles.change} dir="ltr">
        {text}
      </div>
    );
  }
  return (
    <details className={styles.change} dir="ltr">
      <summary>{text.slice(0, charactersMax)}…</summary>
      {text}
    </details>
  );
}
