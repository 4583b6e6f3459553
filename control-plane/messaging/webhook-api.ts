import type { WebhookApi } from '../webhooks/endpoints/endpoint.ts';
import { fail } from './errors.ts';

/** The webhook endpoints of this service. */
export const webhookApi: WebhookApi = {
  service: 'messaging',
  path: (below) => `/webhook-endpoints/${below === '' ? '' : `${below}/`}`,
  isOfOneEnvironment: true,
  fail,
};
