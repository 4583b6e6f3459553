import type { Preview } from './queries.ts';
import { useConnectorTexts } from './texts.ts';

type ErrorSource = NonNullable<Preview['refusals'][number]['example']['source']>;

/** The column and row that a person can open in the ERP, and what stands there. */
export function ErpPlace({ source: { origin, column, key, value } }: { source: ErrorSource }) {
  const t = useConnectorTexts();
  return (
    <div>
      <code>
        {origin}.{column}
      </code>{' '}
      {t('row', { key })}: <bdi>{value ?? t('empty')}</bdi>
    </div>
  );
}
