import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/client.ts';
import { mayDo, useSession } from '../../api/session.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Card, EmptyState, Facts, Page, ProblemNote, Skeleton } from '../../design/page.tsx';
import { PagedList } from '../../design/paged-list.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormats } from '../../texts/formats.ts';
import { type Entry, entriesQuery, setLowAt, type Wallet, walletQuery } from './queries.ts';
import { useWalletTexts } from './texts.ts';

export function WalletPage() {
  const t = useWalletTexts();
  const mayWrite = mayDo(useSession(), 'messaging', 'wallet:write');
  const { data: wallet, error, refetch } = useQuery(walletQuery);
  return (
    <Page title={t('title')} lead={t('lead')}>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {wallet === undefined && !error && <Skeleton lines={4} />}
      {wallet?.currency === null && <EmptyState title={t('noneTitle')}>{t('none')}</EmptyState>}
      {wallet?.currency && (
        <>
          <Balance wallet={wallet} currency={wallet.currency} />
          {mayWrite && <LowAt wallet={wallet} currency={wallet.currency} />}
          <Entries currency={wallet.currency} />
        </>
      )}
    </Page>
  );
}

interface WalletProps {
  readonly wallet: Wallet;
  readonly currency: string;
}

function Balance({ wallet: { balance, reserved, available, is_low }, currency }: WalletProps) {
  const t = useWalletTexts();
  const formats = useFormats();
  return (
    <Card title={t('credit')}>
      <Facts
        facts={[
          [
            t('available'),
            <>
              <strong>{formats.money(available, currency)}</strong>{' '}
              {is_low && <Badge tone="warning">{t('isLow')}</Badge>}
            </>,
            'available',
          ],
          [t('reserved'), formats.money(reserved, currency), 'reserved'],
          [t('balance'), formats.money(balance, currency), 'balance'],
        ]}
      />
    </Card>
  );
}

function LowAt({ wallet, currency }: WalletProps) {
  const t = useWalletTexts();
  const queryClient = useQueryClient();
  const [amount, setAmount] = useState(wallet.low_at ?? '');
  const change = useMutation({
    mutationFn: () => setLowAt(amount === '' ? null : amount),
    onSuccess: (now) => queryClient.setQueryData(walletQuery.queryKey, now),
  });
  const { error } = change;
  return (
    <Card title={t('warning')}>
      <Form saving={change} onSubmit={() => change.mutate()}>
        <TextField
          label={t('lowAt', { currency })}
          hint={t('lowAtHint')}
          inputMode="decimal"
          dir="ltr"
          value={amount}
          problem={error instanceof Problem ? error.fields.low_at?.join(' ') : undefined}
          onChange={({ target }) => setAmount(target.value.trim())}
        />
        {error && <ProblemNote error={error} />}
        {change.isSuccess && <p role="status">{t('saved')}</p>}
        <Button type="submit" isBusy={change.isPending}>
          {t('save')}
        </Button>
      </Form>
    </Card>
  );
}

function Entries({ currency }: { currency: string }) {
  const t = useWalletTexts();
  const formats = useFormats();
  const columns: readonly Column<Entry>[] = [
    {
      name: 'when',
      title: t('when'),
      cell: ({ created_at }) => <time dateTime={created_at}>{formats.instant(created_at)}</time>,
    },
    { name: 'kind', title: t('kind'), cell: ({ kind }) => t(kind) },
    { name: 'reference', title: t('reference'), cell: (row) => <bdi>{row.reference}</bdi> },
    {
      name: 'amount',
      title: t('amount'),
      isAmount: true,
      cell: ({ amount }) => formats.money(amount, currency),
    },
    {
      name: 'after',
      title: t('after'),
      isAmount: true,
      cell: ({ balance_after }) => formats.money(balance_after, currency),
    },
  ];
  return (
    <PagedList
      query={entriesQuery}
      label={t('entries')}
      columns={columns}
      keyOf={({ id }) => id}
      empty={<EmptyState title={t('noEntriesTitle')}>{t('noEntries')}</EmptyState>}
    />
  );
}
