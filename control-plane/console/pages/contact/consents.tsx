import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge, type Tone } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { useDesignTexts } from '../../design/design-texts.ts';
import { Card, ProblemNote, Skeleton } from '../../design/page.tsx';
import { Table } from '../../design/table.tsx';
import { useChannelTexts } from '../../texts/channels.ts';
import { useFormats } from '../../texts/formats.ts';
import { type Channel, consentsQuery, recordConsent } from '../contacts/queries.ts';
import { useContactTexts } from '../contacts/texts.ts';

const tones: Readonly<Record<string, Tone>> = { granted: 'good', revoked: 'bad' };

/** What somebody agreed to on each channel, and how it is known. */
export function Consents({ contactId }: { contactId: string }) {
  const t = useContactTexts();
  const shared = useDesignTexts();
  const channels = useChannelTexts();
  const formats = useFormats();
  const mayWrite = mayDo(useSession(), 'messaging', 'contacts:write');
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(consentsQuery(contactId));
  const record = useMutation({
    mutationFn: ({ channel, state }: { channel: Channel; state: 'granted' | 'revoked' }) =>
      recordConsent(contactId, channel, state),
    onSettled: () => queryClient.invalidateQueries(consentsQuery(contactId)),
  });
  return (
    <Card title={t('consents')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {record.error && <ProblemNote error={record.error} />}
      {data === undefined && !error && <Skeleton />}
      {data?.results.length === 0 && <p>{t('noConsents')}</p>}
      {data && data.results.length > 0 && (
        <Table
          label={t('consents')}
          rows={data.results}
          keyOf={({ channel, address }) => `${channel} ${address}`}
          columns={[
            {
              name: 'channel',
              title: t('channels'),
              cell: ({ channel, address }) => (
                <>
                  {channels(channel)} <bdi dir="ltr">{address}</bdi>
                </>
              ),
            },
            {
              name: 'state',
              title: t('consents'),
              cell: ({ state, source, note, at }) => (
                <>
                  <Badge tone={tones[state] ?? 'neutral'}>{t(state)}</Badge>{' '}
                  {at && formats.instant(at)} {[source, note].filter(Boolean).join(' · ')}
                </>
              ),
            },
            ...(mayWrite
              ? [
                  {
                    name: 'record',
                    title: shared('actions'),
                    cell: ({ channel, state }: (typeof data.results)[number]) => {
                      const next = state === 'granted' ? 'revoke' : 'grant';
                      return (
                        <Button
                          aria-label={`${t(next)}: ${channels(channel)}`}
                          isChanging
                          isBusy={record.isPending}
                          onClick={() =>
                            record.mutate({
                              channel,
                              state: next === 'grant' ? 'granted' : 'revoked',
                            })
                          }
                        >
                          {t(next)}
                        </Button>
                      );
                    },
                  },
                ]
              : []),
          ]}
        />
      )}
    </Card>
  );
}
