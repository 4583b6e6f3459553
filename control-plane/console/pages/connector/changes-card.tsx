import { Card } from '../../design/page.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { FieldOrigin } from './field-origin.tsx';
import type { Mapping } from './queries.ts';
import { useConnectorTexts } from './texts.ts';

type Change = Mapping['changes'][number];

/** What differs from what was last approved, beside each other. */
export function ChangesCard({ mapping }: { mapping: Mapping }) {
  const t = useConnectorTexts();
  if (mapping.changes.length === 0) return null;
  const columns: readonly Column<Change>[] = [
    { name: 'target', title: t('target'), cell: ({ target }) => <code>{target}</code> },
    {
      name: 'was',
      title: t('was'),
      cell: ({ was }) => (was ? <FieldOrigin field={was} /> : t('isNew')),
    },
    {
      name: 'now',
      title: t('now'),
      cell: ({ now }) => (now ? <FieldOrigin field={now} /> : t('takenOut')),
    },
  ];
  return (
    <Card title={t('changes')}>
      <Table
        label={t('changes')}
        columns={columns}
        rows={mapping.changes}
        keyOf={(change) => JSON.stringify(change)}
      />
    </Card>
  );
}
