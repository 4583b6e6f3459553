import { Link, type LinkProps } from '@tanstack/react-router';
import styles from './tabs.module.css';

interface TabsProps {
  /** What they are parts of, for readers of screens. */
  readonly label: string;
  readonly tabs: readonly {
    readonly key: string;
    readonly title: string;
    readonly isCurrent: boolean;
    readonly link: LinkProps;
  }[];
}

/** Parts of a page, each with an address of its own. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map(({ key, title, isCurrent, link }) => (
        <Link
          key={key}
          {...link}
          className={styles.tab}
          activeProps={{}}
          aria-current={isCurrent ? 'page' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  );
}
