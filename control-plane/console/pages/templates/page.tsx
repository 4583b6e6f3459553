import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { mayDo, useSession } from '../../api/session.ts';
import { ButtonLink } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { Filters } from '../../design/filters.tsx';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { useFormats } from '../../texts/formats.ts';
import {
  type Template,
  type TemplateChannel,
  templateChannels,
  templatesQuery,
} from './queries.ts';
import { states, TemplateState } from './state.tsx';
import { useTemplateTexts } from './texts.ts';

const route = getRouteApi('/signed-in/templates');

export function TemplatesPage() {
  const t = useTemplateTexts();
  const channelTexts = useChannelTexts();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/templates' });
  const mayWrite = mayDo(useSession(), 'messaging', 'templates:write');
  const channel = templateChannels.find((each) => each === search.channel) ?? 'wa';
  const status = states.find((each) => each === search.status);
  const columns = useColumns(channel);
  const write = mayWrite && (
    <ButtonLink kind="main" to="/templates/new" search={{ channel }}>
      {t('write')}
    </ButtonLink>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={write}>
      <Filters
        key={JSON.stringify(search)}
        action={t('show')}
        onFind={(form) =>
          void navigate({
            search: {
              channel: String(form.get('channel')),
              status: String(form.get('status')) || undefined,
            },
          })
        }
      >
        <SelectField label={t('channel')} name="channel" defaultValue={channel}>
          {templateChannels.map((each) => (
            <option key={each} value={each}>
              {channelTexts(each)}
            </option>
          ))}
        </SelectField>
        <SelectField label={t('state')} name="status" defaultValue={status ?? ''}>
          <option value="">{t('all')}</option>
          {states.map((each) => (
            <option key={each} value={each}>
              {t(each)}
            </option>
          ))}
        </SelectField>
      </Filters>
      <PagedList
        query={templatesQuery(channel, status === undefined ? {} : { status })}
        label={t('title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={t('noneTitle')} action={write}>
            {channel === 'wa' ? t('noneReviewed') : t('none')}
          </EmptyState>
        }
      />
    </Page>
  );
}

function useColumns(channel: TemplateChannel): readonly Column<Template>[] {
  const t = useTemplateTexts();
  const formats = useFormats();
  return [
    {
      name: 'name',
      title: t('name'),
      cell: ({ id, name }) => (
        <Link to="/templates/$channel/$id" params={{ channel, id }}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    { name: 'language', title: t('language'), cell: ({ language }) => language },
    { name: 'category', title: t('category'), cell: ({ category }) => t(category) },
    {
      name: 'state',
      title: t('state'),
      cell: ({ status, reason }) => (
        <>
          <TemplateState status={status} /> {reason}
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
