import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { SelectField, TextField } from '../../design/field.tsx';
import { Filters } from '../../design/filters.tsx';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import { PermissionNote } from '../../design/permission-note.tsx';
import type { Column } from '../../design/table.tsx';
import { channels, useChannelTexts } from '../../texts/channels.ts';
import { useFormats } from '../../texts/formats.ts';
import { AddOptOutDialog } from './add-dialog.tsx';
import { type OptOut, type OptOutFilters, optOutsQuery } from './queries.ts';
import { RemoveOptOutDialog } from './remove-dialog.tsx';
import { useOptOutTexts } from './texts.ts';

const route = getRouteApi('/signed-in/contacts/opt-outs');

/** Addresses that nobody writes to any more, on each channel. */
export function OptOutsPage() {
  const t = useOptOutTexts();
  const channelTexts = useChannelTexts();
  const mayWrite = mayDo(useSession(), 'messaging', 'contacts:write');
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/contacts/opt-outs' });
  const channel = channels.find((each) => each === search.channel);
  const filters: OptOutFilters = {
    ...(channel && { channel }),
    ...(search.address === undefined ? {} : { address: search.address }),
  };
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<OptOut>();
  const columns = useColumns(mayWrite ? setRemoved : undefined);
  const isFiltered = Object.keys(filters).length > 0;
  const find = (form: FormData) => {
    const typed = (name: string) => String(form.get(name)).trim() || undefined;
    void navigate({ search: { channel: typed('channel'), address: typed('address') } });
  };
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <ButtonLink to="/contacts">{t('contacts')}</ButtonLink>
          {mayWrite && (
            <Button kind="main" onClick={() => setAdding(true)}>
              {t('add')}
            </Button>
          )}
        </>
      }
    >
      {!mayWrite && <PermissionNote permission="contacts:write" />}
      <Filters key={JSON.stringify(search)} action={t('show')} onFind={find}>
        <SelectField label={t('channel')} name="channel" defaultValue={channel ?? ''}>
          <option value="">{t('all')}</option>
          {channels.map((each) => (
            <option key={each} value={each}>
              {channelTexts(each)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t('address')}
          name="address"
          type="search"
          dir="ltr"
          placeholder="+60123456789"
          maxLength={200}
          defaultValue={search.address ?? ''}
        />
      </Filters>
      <PagedList
        query={optOutsQuery(filters)}
        label={t('title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={isFiltered ? t('noMatchTitle') : t('noneTitle')}>
            {isFiltered ? t('noMatch') : t('none')}
          </EmptyState>
        }
      />
      {isAdding && <AddOptOutDialog onClose={() => setAdding(false)} />}
      {removed && <RemoveOptOutDialog optOut={removed} onClose={() => setRemoved(undefined)} />}
    </Page>
  );
}

function useColumns(remove: ((optOut: OptOut) => void) | undefined): readonly Column<OptOut>[] {
  const t = useOptOutTexts();
  const channelTexts = useChannelTexts();
  const formats = useFormats();
  const shared = useDesignTexts();
  const columns: readonly Column<OptOut>[] = [
    {
      name: 'address',
      title: t('address'),
      cell: ({ address }) => <bdi dir="ltr">{address}</bdi>,
    },
    { name: 'channel', title: t('channel'), cell: ({ channel }) => channelTexts(channel) },
    {
      name: 'reason',
      title: t('reason'),
      cell: ({ source, note }) => <bdi>{[source, note].filter(Boolean).join(' · ')}</bdi>,
    },
    { name: 'since', title: t('since'), cell: (row) => formats.instant(row.created_at) },
  ];
  if (remove === undefined) return columns;
  return [
    ...columns,
    {
      name: 'actions',
      title: shared('actions'),
      cell: (optOut) => <Button onClick={() => remove(optOut)}>{t('remove')}</Button>,
    },
  ];
}
