import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { ButtonLink } from '../../design/button.tsx';
import { companyQuery } from '../company/queries.ts';
import { Checklist, type Step } from './checklist.tsx';
import {
  hasAcceptedQuery,
  hasBroadcastQuery,
  hasConnectorQuery,
  messagingSetUpQuery,
  submitsQuery,
  webhooksQuery,
} from './queries.ts';
import { useOverviewTexts } from './texts.ts';

/** From nothing to the first accepted invoice, and on to the live environment. */
export function InvoicingChecklist() {
  const t = useOverviewTexts();
  const { environment, addresses } = useSession();
  const isSandbox = environment === 'sandbox';
  const company = useDone(companyQuery, (data) => data.company !== undefined);
  const connected = useDone(hasConnectorQuery, Boolean);
  const accepted = useDone(hasAcceptedQuery, Boolean);
  const told = useDone(webhooksQuery, ({ results }) => results.length > 0);
  const submits = useDone(submitsQuery, Boolean);
  const steps: Step[] = [
    {
      name: 'company',
      text: t('stepCompany'),
      why: t('stepCompanyWhy'),
      isDone: company,
      action: <ButtonLink to="/company">{t('toCompany')}</ButtonLink>,
    },
    {
      name: 'source',
      text: t('stepSource'),
      why: t('stepSourceWhy'),
      isDone: connected,
      action: <ButtonLink to="/sources">{t('toSources')}</ButtonLink>,
    },
    ...(isSandbox
      ? []
      : [
          {
            name: 'submits',
            text: t('stepSubmits'),
            why: t('stepSubmitsWhy'),
            isDone: submits || accepted,
            action: <ButtonLink to="/sources">{t('toSources')}</ButtonLink>,
          },
        ]),
    {
      name: 'accepted',
      text: t(isSandbox ? 'stepAccepted' : 'stepAcceptedLive'),
      why: t('stepAcceptedWhy'),
      isDone: accepted,
      action: <ButtonLink to="/sources">{t('toMapping')}</ButtonLink>,
    },
    {
      name: 'told',
      text: t('stepTold'),
      why: t('stepToldWhy'),
      isDone: told,
      action: <ButtonLink to="/webhooks">{t('toWebhooks')}</ButtonLink>,
    },
    ...(isSandbox
      ? [
          {
            name: 'live',
            text: t('stepLive'),
            why: t('stepLiveWhy'),
            // What is done there is seen there.
            isDone: accepted === undefined ? undefined : false,
            action: accepted && <a href={`${addresses.live}/console/`}>{t('toLive')}</a>,
          },
        ]
      : []),
  ];
  return <Checklist name="invoicing" title={t('settingUpInvoicing')} steps={steps} />;
}

/** From nothing to the first broadcast. */
export function MessagingChecklist() {
  const t = useOverviewTexts();
  const app = useDone(messagingSetUpQuery, ({ hasApp }) => hasApp);
  const contact = useDone(messagingSetUpQuery, ({ hasContact }) => hasContact);
  const sent = useDone(hasBroadcastQuery, Boolean);
  const steps: readonly Step[] = [
    {
      name: 'app',
      text: t('stepApp'),
      why: t('stepAppWhy'),
      isDone: app,
      action: <ButtonLink to="/channels">{t('toChannels')}</ButtonLink>,
    },
    {
      name: 'contacts',
      text: t('stepContacts'),
      why: t('stepContactsWhy'),
      isDone: contact,
      action: <ButtonLink to="/contacts/import">{t('toImport')}</ButtonLink>,
    },
    {
      name: 'broadcast',
      text: t('stepBroadcast'),
      why: t('stepBroadcastWhy'),
      isDone: sent,
      action: <ButtonLink to="/broadcasts/new">{t('toBroadcast')}</ButtonLink>,
    },
  ];
  return <Checklist name="messaging" title={t('settingUpMessaging')} steps={steps} />;
}

/** Whether what was asked for says that a step is done; undefined until it is here. */
function useDone<Data>(
  // biome-ignore lint/suspicious/noExplicitAny: the options of each query have a key type of their own
  query: UseQueryOptions<Data, Error, Data, any>,
  isDone: (data: Data) => boolean,
): boolean | undefined {
  const { data } = useQuery(query);
  return data === undefined ? undefined : isDone(data);
}
