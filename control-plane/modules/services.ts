import { errors } from '../einvoice/errors.ts';
import { einvoicePayloads } from '../einvoice/webhook-payloads.ts';
import { errors as messagingErrors } from '../messaging/errors.ts';
import { messagingPayloads } from '../messaging/webhook-payloads.ts';
import { examples } from '../openapi/examples.ts';
import type { Family } from '../platform/auth/api-key.ts';
import type { Described } from '../platform/http/openapi.ts';
import type { ServiceName } from './contract.ts';

/** A service without its routes. */
export interface ServiceRow extends Omit<Described, 'routes'> {
  readonly name: ServiceName;
  /** Prefix of its API keys. */
  readonly family: Family;
  /** Where its OpenAPI file is served. */
  readonly contractPath: string;
}

export const services: readonly ServiceRow[] = [
  {
    name: 'einvoice',
    family: 'sk',
    contractPath: '/v1/openapi.json',
    title: 'Drawbridge E-Invoicing',
    version: '1.0.0',
    description:
      'Submits invoices of an ERP to tax authorities and networks, and reports each step by signed ' +
      'webhooks. Systems call with an API key; people with the session that ' +
      'POST /v1/token begins.',
    errors,
    webhooks: einvoicePayloads,
    examples,
  },
  {
    name: 'messaging',
    family: 'jc',
    contractPath: '/openapi.json',
    title: 'Drawbridge Messaging',
    version: '1.0.0',
    description:
      'Workspaces of many tenants: members and roles, branding, wallet, contacts and consents, ' +
      'and messages over every channel.',
    errors: messagingErrors,
    webhooks: messagingPayloads,
    examples,
  },
];
