import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { ButtonLink } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Filters } from '../../design/filters.tsx';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { type Received, type ReceivedFilters, receivedQuery } from './queries.ts';
import { ReceivedStatus, statuses } from './status.tsx';
import { useReceivedTexts } from './texts.ts';

const route = getRouteApi('/signed-in/received');

export function ReceivedPage() {
  const t = useReceivedTexts();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/received' });
  const status = statuses.find((each) => each === search.status);
  const filters: ReceivedFilters = {
    ...(status && { status }),
    ...(search.number === undefined ? {} : { number: search.number }),
    ...(search.cancelled === undefined ? {} : { cancelled: 'true' }),
  };
  const columns = useColumns();
  const isFiltered = Object.keys(filters).length > 0;
  const find = (form: FormData) => {
    const typed = (name: string) => String(form.get(name)).trim() || undefined;
    const [status, number, cancelled] = ['status', 'number', 'cancelled'].map(typed);
    void navigate({ search: { status, number, cancelled: cancelled ? true : undefined } });
  };
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={<ButtonLink to="/received/participants">{t('addresses')}</ButtonLink>}
    >
      <Filters key={JSON.stringify(search)} action={t('search')} onFind={find}>
        <SelectField label={t('status')} name="status" defaultValue={status ?? ''}>
          <option value="">{t('all')}</option>
          {statuses.map((each) => (
            <option key={each} value={each}>
              {t(each)}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t('cancelledOrNot')}
          name="cancelled"
          defaultValue={search.cancelled ? 'true' : ''}
        >
          <option value="">{t('all')}</option>
          <option value="true">{t('cancelled')}</option>
        </SelectField>
        <TextField
          label={t('number')}
          name="number"
          type="search"
          defaultValue={search.number ?? ''}
        />
      </Filters>
      <PagedList
        query={receivedQuery(filters)}
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

function useColumns(): readonly Column<Received>[] {
  const t = useReceivedTexts();
  const formats = useFormats();
  return [
    {
      name: 'number',
      title: t('number'),
      cell: ({ id, number, network_id }) => (
        <Link to="/received/$id" params={{ id }}>
          <bdi>{number ?? network_id}</bdi>
        </Link>
      ),
    },
    { name: 'supplier', title: t('supplier'), cell: ({ supplier }) => <bdi>{supplier?.name}</bdi> },
    {
      name: 'issued',
      title: t('issued'),
      cell: ({ issue_date }) => issue_date && formats.day(issue_date),
    },
    {
      name: 'gross',
      title: t('gross'),
      isAmount: true,
      cell: ({ gross, currency }) => gross && currency && formats.money(gross, currency),
    },
    {
      name: 'status',
      title: t('status'),
      cell: (row) => <ReceivedStatus {...row} />,
    },
    { name: 'arrived', title: t('arrived'), cell: (row) => formats.instant(row.received_at) },
  ];
}
