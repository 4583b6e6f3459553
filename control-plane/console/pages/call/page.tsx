import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { Table } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { type Call, callQuery, callsKey, eventsQuery, hangUp, isOver } from '../calls/queries.ts';
import { CallState } from '../calls/state.tsx';
import { useVoiceTexts } from '../calls/texts.ts';
import { Player } from '../recordings/player.tsx';

const route = getRouteApi('/signed-in/calls/$id');

/** One call: how it went, whom it dialled, what it cost, what was recorded. */
export function CallPage() {
  const t = useVoiceTexts();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(callQuery(id));
  return (
    <Page title={data?.to ?? t('calls')} actions={data && <HangUp call={data} />}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={8} />}
      {data && (
        <>
          <About call={data} />
          <Legs call={data} />
          <Recordings call={data} />
          <Events call={data} />
        </>
      )}
    </Page>
  );
}

function HangUp({ call }: { call: Call }) {
  const t = useVoiceTexts();
  const mayWrite = mayDo(useSession(), 'messaging', 'calls:write');
  const queryClient = useQueryClient();
  const ending = useMutation({
    mutationFn: () => hangUp(call.id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: callsKey }),
  });
  if (!mayWrite || isOver(call)) return null;
  return (
    <>
      {ending.error && <ProblemNote error={ending.error} />}
      <Button kind="dangerous" isBusy={ending.isPending} onClick={() => ending.mutate()}>
        {t('hangUp')}
      </Button>
    </>
  );
}

function About({ call }: { call: Call }) {
  const t = useVoiceTexts();
  const formats = useFormats();
  const { cost, reserved, rate, duration_seconds: seconds, error, transcription } = call;
  return (
    <Card title={t('about')}>
      <p>
        <CallState status={call.status} /> {call.answered_by && t(call.answered_by)}
      </p>
      {error && (
        <p>
          {error.detail} <code>{error.code}</code>
        </p>
      )}
      <Facts
        facts={[
          [
            t('flow'),
            <Link key="flow" to="/call-flows/$id" params={{ id: call.template_id }}>
              {call.template_id}
            </Link>,
            'flow',
          ],
          [t('from'), <bdi key="from">{call.from}</bdi>, 'from'],
          [t('when'), formats.instant(call.created_at), 'when'],
          [t('answeredAt'), call.answered_at && formats.instant(call.answered_at), 'answered'],
          [t('endedAt'), call.ended_at && formats.instant(call.ended_at), 'ended'],
          [
            t('duration'),
            seconds !== null && t('seconds', { shown: formats.number(seconds) }),
            'duration',
          ],
          [t('cause'), call.hangup_cause, 'cause'],
          [t('cost'), cost && formats.money(cost.amount, cost.currency), 'cost'],
          [
            t('reserved'),
            isOver(call) ? undefined : formats.money(reserved.amount, reserved.currency),
            'reserved',
          ],
          [
            t('rate'),
            t('rateText', {
              prefix: rate.prefix,
              price: formats.money(rate.per_minute, rate.currency),
              increment: rate.increment,
            }),
            'rate',
          ],
          [t('transcription'), transcription.text, 'transcription'],
        ]}
      />
    </Card>
  );
}

function Legs({ call: { legs } }: { call: Call }) {
  const t = useVoiceTexts();
  const formats = useFormats();
  if (legs.length === 0) return null;
  return (
    <Card title={t('legs')}>
      <Table
        label={t('legs')}
        rows={legs}
        keyOf={({ number }) => String(number)}
        columns={[
          { name: 'number', title: t('leg'), cell: ({ number }) => formats.number(number) },
          { name: 'to', title: t('to'), cell: ({ to }) => <bdi dir="ltr">{to}</bdi> },
          { name: 'node', title: t('node'), cell: ({ node }) => <bdi>{node}</bdi> },
          {
            name: 'state',
            title: t('state'),
            cell: ({ status, cause }) => (
              <>
                <CallState status={status} /> {cause}
              </>
            ),
          },
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
        ]}
      />
    </Card>
  );
}

function Recordings({ call: { id: call, recordings } }: { call: Call }) {
  const t = useVoiceTexts();
  const formats = useFormats();
  return (
    <Card title={t('recordings')}>
      {recordings.length === 0 ? (
        <p>{t('noRecordings')}</p>
      ) : (
        <Link to="/calls/recordings" search={{ call }}>
          {t('listRecordings')}
        </Link>
      )}
      <ul>
        {recordings.map(({ id, state, error, duration_seconds: seconds, delete_after }) => (
          <li key={id}>
            {state === 'stored' ? (
              <>
                <Player id={id} label={t('recordings')} />
                <p>
                  {seconds !== null && t('seconds', { shown: formats.number(seconds) })}{' '}
                  {t('deletedAt', { when: formats.instant(delete_after) })}
                </p>
              </>
            ) : (
              <>
                <Badge tone={state === 'failed' ? 'bad' : 'neutral'}>
                  {t(`recording_${state}`)}
                </Badge>{' '}
                {error}
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Events({ call }: { call: Call }) {
  const t = useVoiceTexts();
  const formats = useFormats();
  const { data, error, refetch } = useQuery(eventsQuery(call));
  return (
    <Card title={t('events')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton />}
      {data?.results.length === 0 && <p>{t('noEvents')}</p>}
      <ul>
        {data?.results.map(({ id, kind, at, data: more }) => (
          <li key={id}>
            <time dateTime={at}>{formats.instant(at)}</time> · {t(`event_${kind}`)}{' '}
            {Object.keys(more).length > 0 && <code dir="ltr">{JSON.stringify(more)}</code>}
          </li>
        ))}
      </ul>
    </Card>
  );
}
