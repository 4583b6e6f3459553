import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/field.tsx';
import styles from './saved-views.module.css';
import type { InvoiceSearch } from './search.ts';
import { useInvoiceTexts } from './texts.ts';

interface View {
  readonly name: string;
  readonly search: InvoiceSearch;
}

interface SavedViewsProps {
  readonly search: InvoiceSearch;
  readonly isFiltered: boolean;
  onChoose(search: InvoiceSearch): void;
}

/** Searches that the person has given a name. They are kept in this browser, and hold no invoice. */
export function SavedViews({ search, isFiltered, onChoose }: SavedViewsProps) {
  const t = useInvoiceTexts();
  const shared = useDesignTexts();
  const { user, tenant } = useSession();
  const place = `drawbridge-invoice-views ${tenant.id} ${user.id}`;
  const [views, setViews] = useState(() => readViews(place));
  const [name, setName] = useState<string>();
  const keep = (next: readonly View[]) => {
    localStorage.setItem(place, JSON.stringify(next));
    setViews(next);
  };
  const current = views.find((view) => isSame(view.search, search));
  if (views.length === 0 && !isFiltered) return null;
  return (
    <nav className={styles.views} aria-label={t('views')}>
      {views.map((view) => (
        <Button
          key={view.name}
          aria-current={view === current || undefined}
          onClick={() => onChoose(view.search)}
        >
          <bdi>{view.name}</bdi>
        </Button>
      ))}
      {current && (
        <Button kind="plain" onClick={() => keep(views.filter((view) => view !== current))}>
          {t('forgetView')}
        </Button>
      )}
      {isFiltered && !current && views.length < viewsMax && (
        <Button kind="plain" onClick={() => setName('')}>
          {t('keepView')}
        </Button>
      )}
      {name !== undefined && (
        <Dialog
          title={t('keepView')}
          onClose={() => setName(undefined)}
          onSubmit={() => {
            keep([...views.filter((view) => view.name !== name), { name, search }]);
            setName(undefined);
          }}
          actions={
            <>
              <Button onClick={() => setName(undefined)}>{shared('cancel')}</Button>
              <Button type="submit" kind="main">
                {t('keepView')}
              </Button>
            </>
          }
        >
          <TextField
            label={t('viewName')}
            required
            maxLength={60}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Dialog>
      )}
    </nav>
  );
}

const viewsMax = 20;

function readViews(place: string): readonly View[] {
  return JSON.parse(localStorage.getItem(place) ?? '[]') as readonly View[];
}

const isSame = (one: InvoiceSearch, other: InvoiceSearch) =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

const sorted = (search: InvoiceSearch) =>
  Object.entries(search)
    .filter(([, value]) => value !== undefined)
    .sort();
