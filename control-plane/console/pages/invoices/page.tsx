import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { SelectField, TextField } from '../../design/field.tsx';
import { Filters } from '../../design/filters.tsx';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { type Invoice, type InvoiceFilters, invoicesQuery } from './queries.ts';
import { InvoiceStatus, statuses } from './status.tsx';
import { useInvoiceTexts } from './texts.ts';

const route = getRouteApi('/signed-in/invoices');

export function InvoicesPage() {
  const t = useInvoiceTexts();
  const columns = useColumns();
  const { status, number } = route.useSearch();
  const navigate = useNavigate({ from: '/invoices' });
  const filters: InvoiceFilters = {
    ...(number === undefined ? {} : { number }),
    ...(isStatus(status) ? { status } : {}),
  };
  const isFiltered = Object.keys(filters).length > 0;
  const find = (form: FormData) => {
    const wanted = { status: String(form.get('status')), number: String(form.get('number')) };
    const search = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ''));
    void navigate({ search });
  };

  return (
    <Page title={t('title')} lead={t('lead')}>
      <Filters onFind={find} action={t('search')}>
        <SelectField label={t('status')} name="status" defaultValue={status ?? ''}>
          <option value="">{t('all')}</option>
          {statuses.map((each) => (
            <option key={each} value={each}>
              {t(each)}
            </option>
          ))}
        </SelectField>
        <TextField label={t('find')} name="number" type="search" defaultValue={number ?? ''} />
      </Filters>
      <PagedList
        query={invoicesQuery(filters)}
        label={t('title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={isFiltered ? t('noMatchTitle') : t('noneTitle')}>
            {isFiltered ? t('noMatch') : t('none')}
          </EmptyState>
        }
      />
    </Page>
  );
}

const isStatus = (text: string | undefined): text is Invoice['status'] =>
  statuses.some((each) => each === text);

function useColumns(): readonly Column<Invoice>[] {
  const t = useInvoiceTexts();
  const formats = useFormats();
  return [
    {
      name: 'number',
      title: t('number'),
      cell: ({ id, number, source_ref }) => (
        <Link to="/invoices/$id" params={{ id }}>
          {number ?? source_ref}
        </Link>
      ),
    },
    { name: 'status', title: t('status'), cell: (row) => <InvoiceStatus status={row.status} /> },
    { name: 'profile', title: t('profile'), cell: ({ profile }) => profile },
    {
      name: 'problem',
      title: t('problem'),
      cell: ({ errors: [first, ...more] }) =>
        first && (
          <>
            {first.message}
            {more.length > 0 && ` ${t('moreProblems', { count: more.length })}`}
          </>
        ),
    },
    {
      name: 'changed',
      title: t('changed'),
      cell: ({ updated_at }) => <time dateTime={updated_at}>{formats.instant(updated_at)}</time>,
    },
  ];
}
