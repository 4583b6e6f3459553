import type { Authority, AuthorityContext, OutboundDocument } from '../contract.ts';
import { inGroups, misconfigured } from '../grouping.ts';
import type { Session } from './exchange.ts';
import { lookUpDocuments } from './look-up.ts';
import { type Settings, settings } from './settings.ts';
import { submissionLimits, submitDocuments } from './submission.ts';

/**
 * MyInvois, the clearance platform of LHDN Malaysia: takes MyInvois UBL, gives each document its
 * UIN.
 */
export const myinvois: Authority = {
  id: 'myinvois',
  title: 'MyInvois of Malaysia',
  settings,
  batchMax: submissionLimits.documentsMax,

  async submit(documents, context) {
    const parsed = settings.safeParse(context.endpoint.credentials);
    if (!parsed.success) return misconfigured(documents, parsed.error);
    return inGroups(
      documents,
      (document) => representedTaxpayer(document, parsed.data),
      (group, onBehalfOf) => submitDocuments(group, session(parsed.data, onBehalfOf, context)),
    );
  },

  async lookUp(questions, context) {
    const parsed = settings.safeParse(context.endpoint.credentials);
    if (!parsed.success) return misconfigured(questions, parsed.error);
    return inGroups(
      questions,
      ({ document }) => representedTaxpayer(document, parsed.data),
      (group, onBehalfOf) => lookUpDocuments(group, session(parsed.data, onBehalfOf, context)),
    );
  },
};

function representedTaxpayer(
  document: OutboundDocument,
  { on_behalf_of }: Settings,
): string | undefined {
  return on_behalf_of === 'sender' ? document.sender.tin : on_behalf_of;
}

function session(
  credentials: Settings,
  onBehalfOf: string | undefined,
  context: AuthorityContext,
): Session {
  return {
    context,
    clientId: credentials.client_id,
    clientSecret: credentials.client_secret,
    portalUrl: credentials.portal_url,
    onBehalfOf,
  };
}
