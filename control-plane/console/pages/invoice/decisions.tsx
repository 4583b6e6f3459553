import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mayDo, useSession } from '../../api/session.ts';
import { Confirm } from '../../design/confirm.tsx';
import { TextField } from '../../design/field.tsx';
import { Card } from '../../design/page.tsx';
import {
  acknowledgeInvoice,
  approveInvoice,
  type Invoice,
  releaseInvoice,
  withdrawInvoice,
} from './queries.ts';
import { useInvoicePageTexts } from './texts.ts';

/** What a person may decide of an invoice now: let it go, withdraw it, or say that it has come to its end. */
export function Decisions({ invoice: { id, status, hold } }: { invoice: Invoice }) {
  const t = useInvoicePageTexts();
  const session = useSession();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const may = (permission: string) => mayDo(session, 'einvoicing', permission);
  const decide = (change: (id: string) => Promise<unknown>) => async () => {
    await change(id);
    await queryClient.invalidateQueries({ queryKey: ['invoice', id] });
    await queryClient.invalidateQueries({ queryKey: ['invoices'] });
  };
  const waitsFor = hold?.waits_for;
  const mayAcknowledge = may('invoices:write') && ['cleared', 'delivered'].includes(status);
  if (waitsFor === undefined && !mayAcknowledge) return null;
  return (
    <Card title={waitsFor ? t(`held_${waitsFor}`) : t('businessOutcome')}>
      {hold?.reason && waitsFor && <p>{hold.reason}</p>}
      <div>
        {waitsFor === 'release' && may('invoices:release') && (
          <Confirm action={t('release')} title={t('release')} onConfirm={decide(releaseInvoice)}>
            {t('releaseText')}
          </Confirm>
        )}
        {waitsFor === 'approval' && may('invoices:approve') && (
          <Confirm action={t('approve')} title={t('approve')} onConfirm={decide(approveInvoice)}>
            {t('approveText')}
          </Confirm>
        )}{' '}
        {waitsFor && may('invoices:release') && (
          <Confirm
            action={t('withdraw')}
            title={t('withdraw')}
            isDangerous
            onConfirm={decide((each) => withdrawInvoice(each, reason))}
          >
            {t('withdrawText')}
            <TextField
              label={t('withdrawReason')}
              maxLength={200}
              value={reason}
              onChange={({ target }) => setReason(target.value)}
            />
          </Confirm>
        )}
        {mayAcknowledge && (
          <Confirm
            action={t('acknowledge')}
            title={t('acknowledge')}
            onConfirm={decide(acknowledgeInvoice)}
          >
            {t('acknowledgeText')}
          </Confirm>
        )}
      </div>
    </Card>
  );
}
