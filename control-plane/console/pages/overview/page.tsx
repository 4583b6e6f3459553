import { mayDo, useSession } from '../../api/session.ts';
import { Cards, Page } from '../../design/page.tsx';
import { WaitingCard } from '../settings/waiting-card.tsx';
import {
  CancelledDocuments,
  FailingWebhooks,
  HeldInvoices,
  OfflineAgents,
  ReceivedDocuments,
  RejectedInvoices,
} from './invoicing-sections.tsx';
import { RunningBroadcasts, WaitingPeople, WalletState } from './messaging-sections.tsx';
import { InvoicingChecklist, MessagingChecklist } from './setting-up.tsx';
import { useOverviewTexts } from './texts.ts';

/** What needs somebody now, each with the way to mend it; before that, what is to be set up. */
export function OverviewPage() {
  const t = useOverviewTexts();
  const session = useSession();
  const invoicing = (permission: string) => mayDo(session, 'einvoicing', permission);
  const messaging = (permission: string) => mayDo(session, 'messaging', permission);
  return (
    <Page title={t('title')} lead={t('lead')}>
      {invoicing('connectors:write') && invoicing('company:read') && <InvoicingChecklist />}
      {messaging('channels:write') && <MessagingChecklist />}
      <Cards>
        {invoicing('invoices:read') && <RejectedInvoices />}
        {invoicing('invoices:release') && <HeldInvoices waitsFor="release" />}
        {invoicing('invoices:approve') && <HeldInvoices waitsFor="approval" />}
        {(invoicing('mappings:approve') || invoicing('connectors:write')) && (
          <WaitingCard isHiddenWhenEmpty />
        )}
        {invoicing('received:read') && <CancelledDocuments />}
        {invoicing('received:read') && <ReceivedDocuments />}
        {messaging('inbox:read') && <WaitingPeople />}
        {messaging('broadcasts:read') && <RunningBroadcasts />}
        {messaging('wallet:read') && <WalletState />}
        {invoicing('agents:read') && <OfflineAgents />}
        {invoicing('webhooks:read') && <FailingWebhooks />}
      </Cards>
    </Page>
  );
}
