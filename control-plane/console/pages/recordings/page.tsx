import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Confirm } from '../../design/confirm.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { SelectField, TextField } from '../../design/field.tsx';
import { Filters } from '../../design/filters.tsx';
import { EmptyState, Page } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { callsKey } from '../calls/queries.ts';
import { Player } from './player.tsx';
import {
  type Recording,
  type RecordingFilters,
  recordingsQuery,
  removeRecording,
  soundOf,
  states,
} from './queries.ts';
import { useRecordingTexts } from './texts.ts';
import { TranscriptDialog } from './transcript-dialog.tsx';

const route = getRouteApi('/signed-in/calls/recordings');

/** What was recorded of all calls: listened to, read, and deleted. */
export function RecordingsPage() {
  const t = useRecordingTexts();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/calls/recordings' });
  const [read, setRead] = useState<Recording>();
  const columns = useColumns(setRead);
  const state = states.find((each) => each === search.state);
  const filters: RecordingFilters = {
    ...(search.call && { call_id: search.call }),
    ...(search.to && { to: search.to }),
    ...(state && { state }),
    ...(search.first && { since: beginOf(search.first, 0) }),
    ...(search.last && { until: beginOf(search.last, 1) }),
  };
  const find = (form: FormData) => {
    const typed = (name: string) => String(form.get(name)).trim() || undefined;
    const [first, last] = [typed('first'), typed('last')];
    const to = typed('to')?.replace(/[\s()-]/g, '');
    void navigate({ search: { call: typed('call'), to, state: typed('state'), first, last } });
  };
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={<ButtonLink to="/calls">{t('calls')}</ButtonLink>}
    >
      {/* Anew when a link leads here with other filters. */}
      <Filters key={JSON.stringify(search)} action={t('show')} onFind={find}>
        <TextField
          label={t('to')}
          name="to"
          type="search"
          dir="ltr"
          defaultValue={search.to ?? ''}
        />
        <TextField
          label={t('call')}
          name="call"
          type="search"
          dir="ltr"
          placeholder="call_…"
          defaultValue={search.call ?? ''}
        />
        <TextField label={t('first')} name="first" type="date" defaultValue={search.first ?? ''} />
        <TextField label={t('last')} name="last" type="date" defaultValue={search.last ?? ''} />
        <SelectField label={t('state')} name="state" defaultValue={state ?? ''}>
          <option value="">{t('all')}</option>
          {states.map((each) => (
            <option key={each} value={each}>
              {t(each)}
            </option>
          ))}
        </SelectField>
      </Filters>
      <PagedList
        query={recordingsQuery(filters)}
        label={t('title')}
        columns={columns}
        keyOf={({ id }) => id}
        empty={<EmptyState title={t('noneTitle')}>{t('none')}</EmptyState>}
      />
      {read && <TranscriptDialog recording={read} onClose={() => setRead(undefined)} />}
    </Page>
  );
}

/** When a day begins where the reader is, or one of the days after it. */
function beginOf(day: string, daysLater: number): string {
  const begin = new Date(`${day}T00:00:00`);
  begin.setDate(begin.getDate() + daysLater);
  return begin.toISOString();
}

function useColumns(read: (recording: Recording) => void): readonly Column<Recording>[] {
  const t = useRecordingTexts();
  const shared = useDesignTexts();
  const formats = useFormats();
  const mayDelete = mayDo(useSession(), 'messaging', 'recordings:delete');
  return [
    {
      name: 'to',
      title: t('to'),
      cell: ({ call_id, to, created_at }) => (
        <>
          <Link to="/calls/$id" params={{ id: call_id }}>
            <bdi dir="ltr">{to}</bdi>
          </Link>
          <br />
          <time dateTime={created_at}>{formats.instant(created_at)}</time>
        </>
      ),
    },
    {
      name: 'sound',
      title: t('sound'),
      cell: ({ id, to, state, error, duration_seconds: seconds }) =>
        state === 'stored' ? (
          <>
            <Player id={id} label={t('soundOf', { to })} />
            <br />
            {seconds !== null && t('seconds', { shown: formats.number(seconds) })}{' '}
            <a href={soundOf(id)} download>
              {t('download')}
            </a>
          </>
        ) : (
          <>
            <Badge tone={state === 'failed' ? 'bad' : 'neutral'}>{t(state)}</Badge> {error}
          </>
        ),
    },
    {
      name: 'text',
      title: t('text'),
      cell: (recording) =>
        recording.transcription_status !== 'not_configured' && (
          <Button onClick={() => read(recording)}>
            {t(`text_${recording.transcription_status}`)}
          </Button>
        ),
    },
    {
      name: 'actions',
      title: shared('actions'),
      cell: ({ id, to, state, delete_after }) =>
        state !== 'deleted' && (
          <>
            <p>{t('deletedAt', { when: formats.instant(delete_after) })}</p>
            {mayDelete && <Remove id={id} to={to} />}
          </>
        ),
    },
  ];
}

function Remove({ id, to }: { readonly id: string; readonly to: string }) {
  const t = useRecordingTexts();
  const queryClient = useQueryClient();
  return (
    <Confirm
      action={t('remove')}
      title={t('removeTitle', { to })}
      isDangerous
      onConfirm={async () => {
        await removeRecording(id);
        await queryClient.invalidateQueries({ queryKey: callsKey });
      }}
    >
      {t('removeText')}
    </Confirm>
  );
}
