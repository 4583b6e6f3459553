import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';
import { pagesOf } from '../../api/paging.ts';
import { Badge } from '../../design/badge.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Filters } from '../../design/filters.tsx';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { Change } from './change.tsx';
import { useAuditTexts } from './texts.ts';

const route = getRouteApi('/signed-in/audit-log');

type AuditEvent = components['schemas']['AuditEvent'];
type Wanted = {
  readonly action?: string;
  readonly actor?: string;
  readonly outcome?: 'done' | 'refused';
};

const eventsQuery = (wanted: Wanted) =>
  pagesOf(['audit-log', wanted], (page) =>
    got(einvoicing.GET('/v1/audit-log', { params: { query: { ...wanted, ...page } } })),
  );

/** A file of the events that are shown. */
const exportOf = (format: string, wanted: Wanted) =>
  `/v1/audit-log/export?${new URLSearchParams({ format, ...wanted })}`;

/** Who changed what, and who signed in. */
export function AuditLogPage() {
  const t = useAuditTexts();
  const { action, actor, outcome } = route.useSearch();
  const navigate = useNavigate({ from: '/audit-log' });
  const wanted: Wanted = {
    ...(action === undefined ? {} : { action }),
    ...(actor === undefined ? {} : { actor }),
    ...(outcome === 'done' || outcome === 'refused' ? { outcome } : {}),
  };
  const columns = useColumns();
  const find = (form: FormData) => {
    const typed = (name: string) => String(form.get(name)).trim() || undefined;
    void navigate({
      search: { action: typed('action'), actor: typed('actor'), outcome: typed('outcome') },
    });
  };
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={(['csv', 'jsonl'] as const).map((format) => (
        <a key={format} href={exportOf(format, wanted)} download={`audit-log.${format}`}>
          {t(format)}
        </a>
      ))}
    >
      <Filters key={JSON.stringify(wanted)} action={t('search')} onFind={find}>
        <TextField
          label={t('action')}
          name="action"
          placeholder="signIn"
          dir="ltr"
          defaultValue={action ?? ''}
        />
        <TextField
          label={t('actor')}
          name="actor"
          placeholder="usr_…"
          dir="ltr"
          defaultValue={actor ?? ''}
        />
        <SelectField label={t('outcome')} name="outcome" defaultValue={wanted.outcome ?? ''}>
          <option value="">{t('all')}</option>
          <option value="done">{t('done')}</option>
          <option value="refused">{t('refused')}</option>
        </SelectField>
      </Filters>
      <PagedList
        query={eventsQuery(wanted)}
        label={t('title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={t('noneTitle')}>{t('none')}</EmptyState>}
      />
    </Page>
  );
}

function useColumns(): readonly Column<AuditEvent>[] {
  const t = useAuditTexts();
  const formats = useFormats();
  return [
    { name: 'when', title: t('when'), cell: ({ timestamp }) => formats.instant(timestamp) },
    {
      name: 'actor',
      title: t('actor'),
      cell: ({ actor, ip }) => (
        <>
          {t(actor.kind)} <code>{actor.id}</code>
          {ip && (
            <>
              <br />
              <code>{ip}</code>
            </>
          )}
        </>
      ),
    },
    {
      name: 'action',
      title: t('action'),
      cell: ({ action, subject }) => (
        <>
          <code>{action}</code>
          <br />
          <code>{subject}</code>
        </>
      ),
    },
    {
      name: 'outcome',
      title: t('outcome'),
      cell: ({ outcome }) => (
        <Badge tone={outcome === 'done' ? 'neutral' : 'bad'}>{t(outcome)}</Badge>
      ),
    },
    {
      name: 'change',
      title: t('change'),
      cell: ({ before, after }) => (
        <>
          {before !== null && <Change sign="−" value={before} />}
          {after !== null && <Change sign="+" value={after} />}
        </>
      ),
    },
  ];
}
