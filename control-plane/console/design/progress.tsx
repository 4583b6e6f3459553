import styles from './progress.module.css';

/** How far something is, of all that is to be done. */
export function Progress({ label, done, of }: { label: string; done: number; of: number }) {
  return (
    <progress className={styles.progress} aria-label={label} max={Math.max(of, 1)} value={done} />
  );
}
