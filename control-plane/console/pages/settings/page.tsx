import { mayDo, useSession } from '../../api/session.ts';
import { Page } from '../../design/page.tsx';
import { ApprovalPolicyCard } from './approval-policy-card.tsx';
import { BroadcastReports } from './broadcast-reports.tsx';
import { LifeTimes } from './life-times.tsx';
import { invoiceLifeQuery, messageLifeQuery, setInvoiceLife, setMessageLife } from './queries.ts';
import { useSettingsTexts } from './texts.ts';
import { WaitingCard } from './waiting-card.tsx';

export function SettingsPage() {
  const t = useSettingsTexts();
  const session = useSession();
  return (
    <Page title={t('title')} lead={t('lead')}>
      {mayDo(session, 'einvoicing', 'retention:read') && (
        <LifeTimes
          title={t('invoiceLife')}
          text={t('invoiceLifeText')}
          names={['invoice_days']}
          query={invoiceLifeQuery}
          save={setInvoiceLife}
          mayWrite={mayDo(session, 'einvoicing', 'retention:write')}
        />
      )}
      {mayDo(session, 'messaging', 'retention:read') && (
        <LifeTimes
          title={t('messageLife')}
          text={t('messageLifeText')}
          names={['message_days', 'contact_days']}
          query={messageLifeQuery}
          save={setMessageLife}
          mayWrite={mayDo(session, 'messaging', 'retention:write')}
        />
      )}
      {mayDo(session, 'einvoicing', 'connectors:read') && (
        <>
          <ApprovalPolicyCard />
          <WaitingCard />
        </>
      )}
      {mayDo(session, 'messaging', 'broadcasts:read') && (
        <BroadcastReports mayWrite={mayDo(session, 'messaging', 'broadcasts:write')} />
      )}
    </Page>
  );
}
