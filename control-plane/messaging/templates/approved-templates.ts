/** Finds and fills the templates that messages use. */
import type { Channel, Content } from '@drawbridge/messaging/message.ts';
import { render, type TemplateUse } from '@drawbridge/messaging/template.ts';
import { faultOfUse, textOfUse } from '@drawbridge/messaging/template-use.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { AppRow } from '../apps/store.ts';
import { fail, invalid } from '../errors.ts';
import type { Registration } from '../messages/message-row.ts';
import type { FilledTemplate } from '../messages/sending/requested-content.ts';
import { findTemplatesByName, type TemplateRow } from './store.ts';

/** The approved template of that name. Throws when there is none, or several languages. */
async function approvedTemplate(
  tx: Tx,
  scope: TenantScope,
  channel: Channel,
  name: string,
  language: string | undefined,
): Promise<TemplateRow> {
  const rows = await findTemplatesByName(tx, scope, channel, name, language ?? null);
  if (rows.length === 0) {
    const inLanguage = language === undefined ? '' : ` in "${language}"`;
    throw fail('template_not_found', `There is no template "${name}"${inLanguage}.`);
  }
  const approved = rows.filter(({ status }) => status === 'approved');
  if (approved.length > 1) {
    const languages = approved.map((row) => row.language).join(', ');
    throw invalid('template.language', `is needed: "${name}" exists in ${languages}`);
  }
  const [row] = approved;
  if (row !== undefined) return row;
  const { status, reason } = rows[0]!;
  const why = reason === null ? status : `${status}: ${reason}`;
  throw fail('template_not_approved', `The template "${name}" may not be sent (${why}).`);
}

/** What a person reads of the template. Throws when the network would refuse this use of it. */
export async function readApproved(
  tx: Tx,
  scope: TenantScope,
  app: AppRow,
  { name, language, components }: TemplateUse,
): Promise<string> {
  const { definition } = await approvedTemplate(tx, scope, app.channel, name, language);
  const fault = faultOfUse(definition, components);
  if (fault !== undefined) throw invalid(fault.field, fault.message);
  return textOfUse(definition, components);
}

/** The filled text of a template, with its registration at the carriers. */
export async function fillTemplate(
  tx: Tx,
  scope: TenantScope,
  channel: Channel,
  { name, language, variables }: FilledTemplate,
): Promise<{ content: Content; registration: Registration | null }> {
  const row = await approvedTemplate(tx, scope, channel, name, language);
  return { content: filledContent(row, variables), registration: row.registration };
}

/** Throws `invalid_request` when a variable has no value. */
function filledContent(
  { definition }: Pick<TemplateRow, 'definition'>,
  variables: Readonly<Record<string, string>>,
): Content {
  const rendering = render(definition.body, variables);
  if (rendering.kind === 'rendered') return { kind: 'text', text: rendering.text };
  const { missing, surplus } = rendering;
  const problem =
    missing.length > 0
      ? `lacks a value for ${missing.join(', ')}`
      : `gives ${surplus.join(', ')}, which are not in the template`;
  throw invalid('template.variables', problem);
}
