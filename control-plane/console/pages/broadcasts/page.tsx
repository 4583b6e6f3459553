import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { ButtonLink } from '../../design/button.tsx';
import { SelectField } from '../../design/field.tsx';
import { Filters } from '../../design/filters.tsx';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { useFormats } from '../../texts/formats.ts';
import { templateChannels } from '../templates/queries.ts';
import { type Broadcast, type BroadcastFilters, broadcastsQuery } from './queries.ts';
import { BroadcastState, states } from './state.tsx';
import { useBroadcastTexts } from './texts.ts';

const route = getRouteApi('/signed-in/broadcasts');

export function BroadcastsPage() {
  const t = useBroadcastTexts();
  const channelTexts = useChannelTexts();
  const columns = useColumns();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/broadcasts' });
  const mayWrite = mayDo(useSession(), 'messaging', 'broadcasts:write');
  const channel = templateChannels.find((each) => each === search.channel);
  const status = states.find((each) => each === search.status);
  const filters: BroadcastFilters = { ...(channel && { channel }), ...(status && { status }) };
  const isFiltered = channel !== undefined || status !== undefined;
  const write = mayWrite && (
    <ButtonLink kind="main" to="/broadcasts/new">
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
              channel: String(form.get('channel')) || undefined,
              status: String(form.get('status')) || undefined,
            },
          })
        }
      >
        <SelectField label={t('channel')} name="channel" defaultValue={channel ?? ''}>
          <option value="">{t('all')}</option>
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
        query={broadcastsQuery(filters)}
        label={t('title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <EmptyState title={t('noneTitle')} action={!isFiltered && write}>
            {t('none')}
          </EmptyState>
        }
      />
    </Page>
  );
}

function useColumns(): readonly Column<Broadcast>[] {
  const t = useBroadcastTexts();
  const channels = useChannelTexts();
  const formats = useFormats();
  return [
    {
      name: 'template',
      title: t('template'),
      cell: ({ id, template, is_test, resend_of }) => (
        <>
          <Link to="/broadcasts/$id" params={{ id }}>
            <bdi>{template}</bdi>
          </Link>{' '}
          {is_test && <Badge>{t('test')}</Badge>}
          {resend_of !== null && <Badge>{t('again')}</Badge>}
        </>
      ),
    },
    { name: 'channel', title: t('channel'), cell: ({ channel }) => channels(channel) },
    { name: 'segment', title: t('segment'), cell: ({ segment }) => <bdi>{segment}</bdi> },
    { name: 'state', title: t('state'), cell: (row) => <BroadcastState broadcast={row} /> },
    {
      name: 'when',
      title: t('when'),
      cell: ({ schedule_at }) => <time dateTime={schedule_at}>{formats.instant(schedule_at)}</time>,
    },
    {
      name: 'recipients',
      title: t('recipients'),
      isAmount: true,
      cell: ({ recipients }) => formats.number(recipients),
    },
    {
      name: 'delivered',
      title: t('delivered'),
      isAmount: true,
      cell: ({ rates }) => rates.delivered !== null && formats.percent(rates.delivered),
    },
  ];
}
