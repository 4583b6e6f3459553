import { variablesOf } from '@drawbridge/messaging/template.ts';
import type { DltRegistration, TemplateRow } from './store.ts';

/** A template as an answer shows it. */
export function show(row: TemplateRow) {
  const { registration, definition } = row;
  return {
    id: row.id,
    channel: row.channel,
    app_id: row.app_id,
    name: row.name,
    language: row.language,
    category: row.category,
    status: row.status,
    reason: row.reason,
    quality: row.quality,
    body: definition.body,
    variables: [...variablesOf(definition.body)],
    definition: definition as unknown as Record<string, unknown>,
    registration: registration === null ? null : showRegistration(registration),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** The registration as a request gives it. */
export function showRegistration({ entityId, templateId, header, type }: DltRegistration) {
  return { entity_id: entityId, template_id: templateId, header, type };
}
