/** Events of networks other than messages and reports: consents, templates, new addresses. */

import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { addEvents } from '../../../webhooks/store.ts';
import { recordConsent } from '../../contacts/consents/routes.ts';
import { addConsentEvent, addContactEvent } from '../../contacts/events.ts';
import { findContact } from '../../contacts/store.ts';
import { type TemplateChange, updateTemplate } from '../../templates/store.ts';
import { eventOf } from '../events.ts';
import { blockCorrespondent, recordCorrespondents } from '../store.ts';
import type { IntakeContext } from './intake-context.ts';
import { addressOf, contactOf } from './sender-contact.ts';
import { addIdentifier, changeAddress } from './store.ts';
import type { AppEvent } from './webhook-verdict.ts';

export async function applyConsents(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  items: readonly AppEvent<'consent'>[],
): Promise<void> {
  const { clock } = context;
  for (const { opened, event } of items) {
    const { channel, id: appId } = opened.row;
    const address = addressOf(event.person);
    const state = event.change === 'stop' ? 'revoked' : 'granted';
    if (opened.channel.access === 'started') {
      if (state === 'revoked') await blockCorrespondent(tx, scope, appId, address, clock());
      else
        await recordCorrespondents(tx, scope, [{ app_id: appId, address, channel, at: clock() }]);
    }
    const said = { channel, address, state, source: 'network', recorded_by: null } as const;
    const note = event.scope === 'marketing' ? 'marketing' : null;
    await recordConsent(tx, scope, context, { ...said, note });
    const update = { channel, address, source: 'network', scope: event.scope };
    await addConsentEvent(tx, scope, context, state, update);
  }
}

export async function applyIdentityChanges(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  items: readonly AppEvent<'identity'>[],
): Promise<void> {
  for (const { opened, event } of items) {
    const { channel, id: appId } = opened.row;
    const contactId = await contactOf(tx, scope, channel, event.from, context);
    const { userId } = event.to;
    if (userId !== undefined) await addIdentifier(tx, scope, contactId, channel, userId);
    const [from, to] = [addressOf(event.from), addressOf(event.to)];
    if (from !== to) await changeAddress(tx, scope, { appId, contactId, from, to });
    const { name, phone } = (await findContact(tx, scope, contactId))!;
    const changed = ['phone', 'channel_identifiers'];
    const update = { id: contactId, name, phone, channel, changed, source: 'network' };
    await addContactEvent(tx, scope, context, 'updated', update);
  }
}

export async function applyTemplateStatuses(
  tx: Tx,
  context: IntakeContext,
  scope: TenantScope,
  items: readonly AppEvent<'template'>[],
): Promise<void> {
  const { clock } = context;
  for (const { opened, event } of items) {
    const { name, language, templateId } = event;
    const by = { channel: opened.row.channel, name, language };
    const update = {
      provider_id: templateId,
      status: event.status ?? null,
      category: event.category ?? null,
      quality: event.quality ?? null,
      reason: event.reason ?? null,
    };
    const change = await updateTemplate(tx, scope, by, update, clock());
    if (change !== undefined) await announceTemplate(tx, context, scope, change);
  }
}

/** Adds the events that report a template's new status or category to customers. */
export async function announceTemplate(
  tx: Tx,
  { clock, random }: Pick<IntakeContext, 'clock' | 'random'>,
  scope: TenantScope,
  change: TemplateChange,
): Promise<void> {
  const { id, name, language, status, was, category, category_was, reason } = change;
  const data = { name, language, status, category, reason };
  const isTold = status === 'approved' || status === 'rejected' || status === 'paused';
  const events = [
    ...(isTold && status !== was ? [`template.${status}` as const] : []),
    ...(category === category_was ? [] : ['template.category_changed' as const]),
  ].map((event) => eventOf(scope, event, id, data, clock(), random));
  await addEvents(tx, scope.tenantId, events);
}
