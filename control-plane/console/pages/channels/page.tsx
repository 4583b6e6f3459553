import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { Card, EmptyState, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { useFormats } from '../../texts/formats.ts';
import { AddAppDialog } from './add-dialog.tsx';
import { AppCard } from './app-card.tsx';
import {
  type AppChannel,
  appChannels,
  appsQuery,
  replayUnrouted,
  unroutedQuery,
} from './queries.ts';
import { useAppTexts } from './texts.ts';

/** The accounts of every channel: their addresses, and whether anything comes in. */
export function ChannelsPage() {
  const t = useAppTexts();
  const mayWrite = mayDo(useSession(), 'messaging', 'channels:write');
  const [added, setAdded] = useState<AppChannel>();
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        mayWrite && (
          <Button kind="main" onClick={() => setAdded('wa')}>
            {t('connect')}
          </Button>
        )
      }
    >
      {appChannels.map((channel) => (
        <Apps
          key={channel}
          channel={channel}
          mayWrite={mayWrite}
          onConnect={() => setAdded(channel)}
        />
      ))}
      <Unrouted mayWrite={mayWrite} />
      {added && <AddAppDialog first={added} onClose={() => setAdded(undefined)} />}
    </Page>
  );
}

interface AppsProps {
  readonly channel: AppChannel;
  readonly mayWrite: boolean;
  onConnect(): void;
}

function Apps({ channel, mayWrite, onConnect }: AppsProps) {
  const t = useAppTexts();
  const channels = useChannelTexts();
  const { data, error, refetch } = useQuery(appsQuery(channel));
  return (
    <>
      <h2>{channels(channel)}</h2>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton />}
      {data?.results.length === 0 && (
        <p>
          {t('none')}{' '}
          {mayWrite && (
            <Button onClick={onConnect}>{t('connectTo', { channel: channels(channel) })}</Button>
          )}
        </p>
      )}
      {data?.results.map((app) => (
        <AppCard key={app.id} channel={channel} app={app} mayWrite={mayWrite} />
      ))}
    </>
  );
}

/** What came in for numbers without an app. */
function Unrouted({ mayWrite }: { mayWrite: boolean }) {
  const t = useAppTexts();
  const formats = useFormats();
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: replayUnrouted,
    onSettled: () => queryClient.invalidateQueries({ queryKey: unroutedQuery.queryKey }),
  });
  return (
    <Card title={t('unrouted')}>
      <p>{t('unroutedText')}</p>
      <PagedList
        query={unroutedQuery}
        label={t('unrouted')}
        keyOf={({ id }) => id}
        empty={<EmptyState title={t('noUnroutedTitle')}>{t('noUnrouted')}</EmptyState>}
        columns={[
          {
            name: 'number',
            title: t('number'),
            cell: ({ phone_number_id }) => <bdi dir="ltr">{phone_number_id}</bdi>,
          },
          {
            name: 'counts',
            title: t('events'),
            cell: ({ counts }) =>
              Object.entries(counts)
                .map(([name, count]) => `${name}: ${formats.number(count)}`)
                .join(', '),
          },
          {
            name: 'at',
            title: t('received'),
            cell: ({ received_at }) => (
              <time dateTime={received_at}>{formats.instant(received_at)}</time>
            ),
          },
        ]}
      />
      {replay.error && <ProblemNote error={replay.error} />}
      {replay.data && (
        <p role="status">{t('replayed', { shown: formats.number(replay.data.replayed) })}</p>
      )}
      {mayWrite && (
        <Button isBusy={replay.isPending} onClick={() => replay.mutate()}>
          {t('replay')}
        </Button>
      )}
    </Card>
  );
}
