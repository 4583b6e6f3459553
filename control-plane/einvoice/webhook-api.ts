import type { WebhookApi } from '../webhooks/endpoints/endpoint.ts';
import { fail } from './errors.ts';

/** The webhook endpoints of the e-invoicing service. */
export const webhookApi: WebhookApi = {
  service: 'einvoice',
  path: (below) => `/v1/webhook-endpoints${below === '' ? '' : `/${below}`}`,
  isOfOneEnvironment: false,
  fail,
};
