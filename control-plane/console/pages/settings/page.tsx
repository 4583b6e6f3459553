import { mayDo, useSession } from '../../api/session.ts';
import { Page } from '../../design/page.tsx';
import { LifeTimes } from './life-times.tsx';
import { invoiceLifeQuery, messageLifeQuery, setInvoiceLife, setMessageLife } from './queries.ts';
import { useSettingsTexts } from './texts.ts';

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
    </Page>
  );
}
