import { variablesOf } from '@drawbridge/messaging/template.ts';
import { invalid } from '../errors.ts';
import type { OwnTemplateRequest } from './schema.ts';
import type { DltRegistration } from './store.ts';

/** The most variables that the portals of Indian carriers accept in one text. */
const variablesMax = 3;

/**
 * Throws `invalid_request` for a registered text that the carriers would refuse: too many
 * variables, two side by side, or a kind of text that its sender may not send.
 */
export function checkRegistration({
  body,
  category,
  registration,
}: OwnTemplateRequest): DltRegistration | null {
  if (registration === undefined) return null;
  const { entity_id, template_id, header, type } = registration;
  if (variablesOf(body).length > variablesMax) {
    throw invalid('body', `a registered text has at most ${variablesMax} variables`);
  }
  if (/\}\}\s*\{\{/.test(body)) throw invalid('body', 'two variables stand side by side');
  const isPromotional = type === 'P';
  if (/^\d+$/.test(header) !== isPromotional) {
    throw invalid(
      'registration.header',
      isPromotional ? 'must be 6 digits for promotions' : 'must be 3 to 6 letters for this type',
    );
  }
  if (category === 'MARKETING' && (type === 'T' || type === 'SI')) {
    throw invalid('registration.type', 'marketing is promotional (P) or service explicit (SE)');
  }
  return { entityId: entity_id, templateId: template_id, header, type };
}
