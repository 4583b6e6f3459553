import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { SelectField, TextField } from '../../design/field.tsx';
import { Filters } from '../../design/filters.tsx';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { useFormats } from '../../texts/formats.ts';
import { segmentChoicesQuery } from '../segments/queries.ts';
import { ContactDialog } from './contact-dialog.tsx';
import { type Contact, type ContactFilters, contactsQuery } from './queries.ts';
import { useContactTexts } from './texts.ts';

const route = getRouteApi('/signed-in/contacts');

export function ContactsPage() {
  const t = useContactTexts();
  const columns = useColumns();
  const mayWrite = mayDo(useSession(), 'messaging', 'contacts:write');
  const { text, segment } = route.useSearch();
  const navigate = useNavigate({ from: '/contacts' });
  const { data: segments } = useQuery(segmentChoicesQuery);
  const [isAdding, setAdding] = useState(false);
  const filters: ContactFilters = {
    ...(text === undefined ? {} : { text }),
    ...(segment === undefined ? {} : { segment }),
  };
  const isFiltered = text !== undefined || segment !== undefined;
  const find = (form: FormData) =>
    void navigate({
      search: {
        text: String(form.get('text')).trim() || undefined,
        segment: String(form.get('segment')) || undefined,
      },
    });
  const importLink = <ButtonLink to="/contacts/import">{t('import')}</ButtonLink>;
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        <>
          <ButtonLink to="/contacts/segments">{t('segments')}</ButtonLink>
          <ButtonLink to="/contacts/opt-outs">{t('optOuts')}</ButtonLink>
          {mayWrite && importLink}
          {mayWrite && (
            <Button kind="main" onClick={() => setAdding(true)}>
              {t('add')}
            </Button>
          )}
        </>
      }
    >
      <Filters onFind={find} action={t('search')} key={`${text} ${segment}`}>
        <TextField
          label={t('find')}
          name="text"
          type="search"
          dir="auto"
          maxLength={200}
          defaultValue={text ?? ''}
        />
        <SelectField label={t('segment')} name="segment" defaultValue={segment ?? ''}>
          <option value="">{t('everybody')}</option>
          {segments?.results.map(({ id, name }) => (
            <option key={id} value={name}>
              {name}
            </option>
          ))}
          {segment !== undefined && !segments?.results.some(({ name }) => name === segment) && (
            <option value={segment}>{segment}</option>
          )}
        </SelectField>
      </Filters>
      <PagedList
        query={contactsQuery(filters)}
        label={t('title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState
            title={isFiltered ? t('noMatchTitle') : t('noneTitle')}
            action={!isFiltered && mayWrite && importLink}
          >
            {isFiltered ? t('noMatch') : t('none')}
          </EmptyState>
        }
      />
      {isAdding && (
        <ContactDialog
          onClose={() => setAdding(false)}
          onKept={({ id }) => void navigate({ to: '/contacts/$id', params: { id } })}
        />
      )}
    </Page>
  );
}

function useColumns(): readonly Column<Contact>[] {
  const t = useContactTexts();
  const channels = useChannelTexts();
  const formats = useFormats();
  return [
    {
      name: 'name',
      title: t('name'),
      cell: ({ id, name, phone }) => (
        <Link to="/contacts/$id" params={{ id }}>
          <bdi>{name ?? phone ?? t('unnamed')}</bdi>
        </Link>
      ),
    },
    { name: 'phone', title: t('phone'), cell: ({ phone }) => <bdi dir="ltr">{phone}</bdi> },
    {
      name: 'channels',
      title: t('channels'),
      cell: ({ channel_identifiers: own }) =>
        [...new Set(own.map(({ channel }) => channels(channel)))].join(', '),
    },
    {
      name: 'segments',
      title: t('segments'),
      cell: ({ segments }) => <bdi>{segments.join(', ')}</bdi>,
    },
    {
      name: 'since',
      title: t('since'),
      cell: ({ created_at }) => <time dateTime={created_at}>{formats.instant(created_at)}</time>,
    },
  ];
}
