import type { WebhookFace } from '../webhooks/endpoints/endpoint.ts';
import { fail } from './errors.ts';

/** Webhook endpoints as this service has them. */
export const webhookFace: WebhookFace = {
  service: 'messaging',
  path: (below) => `/webhook-endpoints/${below === '' ? '' : `${below}/`}`,
  isOfOneEnvironment: true,
  fail,
};
