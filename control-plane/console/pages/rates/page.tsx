import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { TextField } from '../../design/field.tsx';
import { Filters } from '../../design/filters.tsx';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import { PermissionNote } from '../../design/permission-note.tsx';
import type { Column } from '../../design/table.tsx';
import { useClock } from '../../texts/clock.ts';
import { useFormats } from '../../texts/formats.ts';
import { RateDialog } from './dialog.tsx';
import { endRate, type Rate, type RateFilters, ratesKey, ratesQuery } from './queries.ts';
import { useRateTexts } from './texts.ts';

const route = getRouteApi('/signed-in/calls/rates');

/** What calls cost, by the first digits of the number. */
export function RatesPage() {
  const t = useRateTexts();
  const mayWrite = mayDo(useSession(), 'messaging', 'channels:write');
  const { prefix, number } = route.useSearch();
  const navigate = useNavigate({ from: '/calls/rates' });
  const filters: RateFilters = { ...(prefix && { prefix }), ...(number && { number }) };
  const [edited, setEdited] = useState<Rate | 'new'>();
  const columns = useColumns(mayWrite ? setEdited : undefined);
  const find = (form: FormData) => {
    const typed = (name: string) => String(form.get(name)).replace(/[\s()-]/g, '') || undefined;
    void navigate({ search: { prefix: typed('prefix'), number: typed('number') } });
  };
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <ButtonLink to="/calls">{t('calls')}</ButtonLink>
          {mayWrite && (
            <>
              <ButtonLink to="/calls/rates/import">{t('import')}</ButtonLink>
              <Button kind="main" onClick={() => setEdited('new')}>
                {t('add')}
              </Button>
            </>
          )}
        </>
      }
    >
      {!mayWrite && <PermissionNote permission="channels:write" />}
      <Filters key={JSON.stringify(filters)} action={t('show')} onFind={find}>
        <TextField
          label={t('prefix')}
          name="prefix"
          type="search"
          dir="ltr"
          placeholder="+60"
          defaultValue={prefix ?? ''}
        />
        <TextField
          label={t('number')}
          name="number"
          type="search"
          dir="ltr"
          placeholder="+60312345678"
          defaultValue={number ?? ''}
        />
      </Filters>
      <PagedList
        query={ratesQuery(filters)}
        label={t('title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={t('noneTitle')}>{t('none')}</EmptyState>}
      />
      {edited && (
        <RateDialog
          {...(edited === 'new' ? {} : { rate: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

function useColumns(change: ((rate: Rate) => void) | undefined): readonly Column<Rate>[] {
  const t = useRateTexts();
  const shared = useDesignTexts();
  const formats = useFormats();
  const clock = useClock();
  const columns: readonly Column<Rate>[] = [
    { name: 'prefix', title: t('prefix'), cell: ({ prefix }) => <bdi dir="ltr">{prefix}</bdi> },
    {
      name: 'price',
      title: t('price'),
      cell: (rate) => (
        <>
          {t('perMinute', { price: formats.money(rate.per_minute, rate.currency) })}
          {Number(rate.connection_fee) > 0 && (
            <> {t('andFee', { price: formats.money(rate.connection_fee, rate.currency) })}</>
          )}
        </>
      ),
    },
    {
      name: 'increment',
      title: t('increment'),
      cell: ({ increment }) => t('seconds', { increment }),
    },
    {
      name: 'valid',
      title: t('valid'),
      cell: (rate) => (
        <>
          <Badge tone={stateOf(rate, clock()) === 'inForce' ? 'good' : 'neutral'}>
            {t(stateOf(rate, clock()))}
          </Badge>{' '}
          {t('since', { when: formats.instant(rate.valid_from) })}{' '}
          {rate.valid_until && t('until', { when: formats.instant(rate.valid_until) })}
        </>
      ),
    },
  ];
  if (change === undefined) return columns;
  return [
    ...columns,
    {
      name: 'actions',
      title: shared('actions'),
      cell: (rate) =>
        stateOf(rate, clock()) !== 'over' && (
          <>
            <Button onClick={() => change(rate)}>{t('change')}</Button> <EndRate rate={rate} />
          </>
        ),
    },
  ];
}

function EndRate({ rate: { id, prefix } }: { readonly rate: Rate }) {
  const t = useRateTexts();
  const queryClient = useQueryClient();
  return (
    <Confirm
      action={t('end')}
      title={t('endTitle', { prefix })}
      isDangerous
      onConfirm={async () => {
        await endRate(id);
        await queryClient.invalidateQueries({ queryKey: ratesKey });
      }}
    >
      {t('endText')}
    </Confirm>
  );
}

function stateOf({ valid_from, valid_until }: Rate, now: Date): 'toCome' | 'inForce' | 'over' {
  if (new Date(valid_from) > now) return 'toCome';
  return valid_until !== null && new Date(valid_until) <= now ? 'over' : 'inForce';
}
