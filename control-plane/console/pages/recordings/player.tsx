import styles from './player.module.css';
import { soundOf } from './queries.ts';

/** Plays a stored recording; nothing is loaded before somebody does. */
export function Player({ id, label }: { readonly id: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/useMediaCaption: what people say on a call has no captions
    <audio controls preload="none" className={styles.player} aria-label={label} src={soundOf(id)} />
  );
}
