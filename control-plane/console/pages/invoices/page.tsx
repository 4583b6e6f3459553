import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { mayDo, useSession } from '../../api/session.ts';
import { SelectField, TextField } from '../../design/field.tsx';
import { Filters } from '../../design/filters.tsx';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { connectorsQuery } from '../sources/queries.ts';
import styles from './page.module.css';
import { type Invoice, type InvoiceFilters, invoicesQuery } from './queries.ts';
import { SavedViews } from './saved-views.tsx';
import type { InvoiceSearch } from './search.ts';
import { InvoiceStatus, statuses } from './status.tsx';
import { useInvoiceTexts } from './texts.ts';

const route = getRouteApi('/signed-in/invoices');

export function InvoicesPage() {
  const t = useInvoiceTexts();
  const columns = useColumns();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/invoices' });
  const mayReadConnectors = mayDo(useSession(), 'einvoicing', 'connectors:read');
  const connectors = useInfiniteQuery({ ...connectorsQuery, enabled: mayReadConnectors });
  const { status, waits_for, connector_id, number, buyer, amount_min, amount_max } = search;
  const { since, until } = search;
  const filters = filtersOf(search);
  const isFiltered = Object.keys(filters).length > 0;
  const find = (form: FormData) => {
    const wanted = Object.fromEntries(form) as Record<string, string>;
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ''));
    void navigate({ search: given });
  };

  return (
    <Page title={t('title')} lead={t('lead')}>
      <Filters key={JSON.stringify(search)} onFind={find} action={t('search')}>
        <SelectField label={t('status')} name="status" defaultValue={status ?? ''}>
          <option value="">{t('all')}</option>
          {statuses.map((each) => (
            <option key={each} value={each}>
              {t(each)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('waitsFor')} name="waits_for" defaultValue={waits_for ?? ''}>
          <option value="">{t('anything')}</option>
          <option value="release">{t('release')}</option>
          <option value="approval">{t('approval')}</option>
        </SelectField>
        <TextField label={t('find')} name="number" type="search" defaultValue={number ?? ''} />
        {mayReadConnectors && (
          <SelectField label={t('from')} name="connector_id" defaultValue={connector_id ?? ''}>
            <option value="">{t('allSources')}</option>
            {connectors.data?.pages
              .flatMap(({ results }) => results)
              .map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
          </SelectField>
        )}
        <TextField label={t('findBuyer')} name="buyer" type="search" defaultValue={buyer ?? ''} />
        <TextField
          label={t('amountMin')}
          name="amount_min"
          inputMode="decimal"
          pattern={amountPattern}
          defaultValue={amount_min ?? ''}
        />
        <TextField
          label={t('amountMax')}
          name="amount_max"
          inputMode="decimal"
          pattern={amountPattern}
          defaultValue={amount_max ?? ''}
        />
        <TextField label={t('since')} name="since" type="date" defaultValue={since ?? ''} />
        <TextField label={t('until')} name="until" type="date" defaultValue={until ?? ''} />
      </Filters>
      <SavedViews
        isFiltered={isFiltered}
        search={search}
        onChoose={(chosen) => void navigate({ search: chosen })}
      />
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

/** What the API is asked for; days are days of the reader's zone, the last one included. */
function filtersOf(search: InvoiceSearch) {
  const { status, waits_for, connector_id, number, buyer, amount_min, amount_max } = search;
  const { since, until } = search;
  const filters: InvoiceFilters = {
    ...(isStatus(status) ? { status } : {}),
    ...(waits_for === 'release' || waits_for === 'approval' ? { waits_for } : {}),
    ...(connector_id === undefined ? {} : { connector_id }),
    ...(number === undefined ? {} : { number }),
    ...(buyer === undefined ? {} : { buyer }),
    ...(amount_min === undefined ? {} : { amount_min }),
    ...(amount_max === undefined ? {} : { amount_max }),
    ...(isDay(since) ? { since: startOf(since) } : {}),
    ...(isDay(until) ? { until: startOf(until, 1) } : {}),
  };
  return filters;
}

/** A decimal, as the API takes it: with a point, without signs between thousands. */
const amountPattern = '-?[0-9]{1,12}([.][0-9]{1,6})?';

const isDay = (text: string | undefined): text is string =>
  text !== undefined && !Number.isNaN(new Date(`${text}T00:00`).getTime());

/** When a day begins in the zone of the reader, or one so many days later. */
function startOf(day: string, later = 0): string {
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
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
          <bdi className={styles.whole}>{number ?? source_ref}</bdi>
        </Link>
      ),
    },
    { name: 'status', title: t('status'), cell: (row) => <InvoiceStatus status={row.status} /> },
    { name: 'buyer', title: t('buyer'), cell: ({ buyer }) => <bdi>{buyer}</bdi> },
    {
      name: 'gross',
      title: t('gross'),
      isAmount: true,
      cell: ({ gross, currency }) => gross && currency && formats.money(gross, currency),
    },
    {
      name: 'profile',
      title: t('profile'),
      cell: ({ profile }) => <bdi className={styles.whole}>{profile}</bdi>,
    },
    {
      name: 'problem',
      title: t('problem'),
      cell: ({ errors: [first, ...more] }) =>
        first && (
          <>
            <bdi>{first.message}</bdi>
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
