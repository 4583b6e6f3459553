import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Filters } from '../../design/filters.tsx';
import { Card, EmptyState, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { SettingsDialog } from '../channels/settings-dialog.tsx';
import { AddProviderDialog } from './add-provider-dialog.tsx';
import { CallDialog } from './call-dialog.tsx';
import {
  type CallFilters,
  type CallItem,
  callsQuery,
  changeProvider,
  providersQuery,
  type VoiceProvider,
  voiceProviderKindsQuery,
} from './queries.ts';
import { CallState, states } from './state.tsx';
import { useVoiceTexts } from './texts.ts';

const route = getRouteApi('/signed-in/calls');

export function CallsPage() {
  const t = useVoiceTexts();
  const session = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/calls' });
  const columns = useColumns();
  const [isCalling, setCalling] = useState(false);
  const status = states.find((each) => each === search.status);
  const filters: CallFilters = {
    ...(status && { status }),
    ...(search.to === undefined ? {} : { to: search.to }),
  };
  return (
    <Page
      title={t('calls')}
      lead={t('lead')}
      actions={
        <>
          {mayDo(session, 'messaging', 'templates:read') && (
            <ButtonLink to="/call-flows">{t('flows')}</ButtonLink>
          )}
          <ButtonLink to="/calls/recordings">{t('recordings')}</ButtonLink>
          <ButtonLink to="/calls/rates">{t('rates')}</ButtonLink>
          {mayDo(session, 'messaging', 'calls:write') && (
            <Button kind="main" onClick={() => setCalling(true)}>
              {t('call')}
            </Button>
          )}
        </>
      }
    >
      <Filters
        key={JSON.stringify(search)}
        action={t('show')}
        onFind={(form) =>
          void navigate({
            search: {
              status: String(form.get('status')) || undefined,
              to: String(form.get('to')).trim() || undefined,
            },
          })
        }
      >
        <SelectField label={t('state')} name="status" defaultValue={status ?? ''}>
          <option value="">{t('all')}</option>
          {states.map((each) => (
            <option key={each} value={each}>
              {t(each)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('to')}
          name="to"
          type="search"
          dir="ltr"
          defaultValue={search.to ?? ''}
        />
      </Filters>
      <PagedList
        query={callsQuery(filters)}
        label={t('calls')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={t('noCallsTitle')}>{t('noCalls')}</EmptyState>}
      />
      {mayDo(session, 'messaging', 'channels:read') && <Providers />}
      {isCalling && (
        <CallDialog
          onClose={() => setCalling(false)}
          onCalled={(id) => void navigate({ to: '/calls/$id', params: { id } })}
        />
      )}
    </Page>
  );
}

function useColumns(): readonly Column<CallItem>[] {
  const t = useVoiceTexts();
  const formats = useFormats();
  return [
    {
      name: 'to',
      title: t('to'),
      cell: ({ id, to }) => (
        <Link to="/calls/$id" params={{ id }}>
          <bdi dir="ltr">{to}</bdi>
        </Link>
      ),
    },
    { name: 'state', title: t('state'), cell: ({ status }) => <CallState status={status} /> },
    {
      name: 'duration',
      title: t('duration'),
      isAmount: true,
      cell: ({ duration_seconds: seconds }) =>
        seconds !== null && t('seconds', { shown: formats.number(seconds) }),
    },
    {
      name: 'cost',
      title: t('cost'),
      isAmount: true,
      cell: ({ cost }) => cost && formats.money(cost.amount, cost.currency),
    },
    {
      name: 'when',
      title: t('when'),
      cell: ({ created_at }) => <time dateTime={created_at}>{formats.instant(created_at)}</time>,
    },
  ];
}

/** Accounts by which calls go. */
function Providers() {
  const t = useVoiceTexts();
  const mayWrite = mayDo(useSession(), 'messaging', 'channels:write');
  const { data, error, refetch } = useQuery(providersQuery);
  const kinds = useQuery({ ...voiceProviderKindsQuery, enabled: mayWrite });
  const kindOf = (id: string) => kinds.data?.find(({ provider }) => provider === id);
  const queryClient = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const [changed, setChanged] = useState<VoiceProvider>();
  const changedKind = changed && kindOf(changed.provider);
  return (
    <Card title={t('providers')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton />}
      {data?.results.length === 0 && <p>{t('noProviders')}</p>}
      {data && data.results.length > 0 && (
        <Table
          label={t('providers')}
          rows={data.results}
          keyOf={({ id }) => id}
          columns={[
            { name: 'name', title: t('name'), cell: ({ name }) => <bdi>{name}</bdi> },
            {
              name: 'provider',
              title: t('provider'),
              cell: ({ provider }) => kindOf(provider)?.title ?? provider,
            },
            {
              name: 'from',
              title: t('from'),
              cell: ({ from_number }) => <bdi dir="ltr">{from_number}</bdi>,
            },
            {
              name: 'policy',
              title: t('recordingPolicy'),
              cell: ({ recording_policy }) => t(recording_policy),
            },
            ...(mayWrite
              ? [
                  {
                    name: 'settings',
                    title: t('settings'),
                    cell: (row: VoiceProvider) => (
                      <Button
                        aria-label={`${t('settings')}: ${row.name}`}
                        onClick={() => setChanged(row)}
                      >
                        {t('settings')}
                      </Button>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {mayWrite && <Button onClick={() => setAdding(true)}>{t('addProvider')}</Button>}
      {isAdding && <AddProviderDialog onClose={() => setAdding(false)} />}
      {changed && changedKind && (
        <SettingsDialog
          title={t('changeSettings', { name: changed.name })}
          schema={changedKind.settings}
          held={changed.settings}
          save={async (settings) => {
            await changeProvider(changed.id, { settings });
            await queryClient.invalidateQueries(providersQuery);
          }}
          onClose={() => setChanged(undefined)}
        />
      )}
    </Card>
  );
}
