import { z } from 'zod';
import type { AuthorityEndpoint } from '../contract.ts';

/** Credentials of a MyInvois endpoint. */
export const settings = z.object({
  client_id: z.string().min(1).describe('Client id of the ERP system or intermediary'),
  client_secret: z.string().min(1).describe('Its secret').meta({ secret: true }),
  on_behalf_of: z
    .string()
    .regex(/^(sender|[A-Z]{1,2}\d{5,12}(:[A-Za-z0-9]+)?)$/)
    .optional()
    .describe('Intermediaries: the represented TIN or TIN:ROB, or `sender` for each sender’s own'),
  portal_url: z.url().optional().describe('Base of the share link; known for the official hosts'),
});

export type Settings = z.infer<typeof settings>;

const portals: Readonly<Record<string, string>> = {
  'api.myinvois.hasil.gov.my': 'https://myinvois.hasil.gov.my',
  'preprod-api.myinvois.hasil.gov.my': 'https://preprod.myinvois.hasil.gov.my',
};

/** The link a buyer follows, and the content of the QR code. */
export function shareLink(
  endpoint: AuthorityEndpoint,
  portalUrl: string | undefined,
  uuid: string,
  longId: string,
): string {
  const portal = portalUrl ?? portals[new URL(endpoint.baseUrl).host] ?? endpoint.baseUrl;
  return `${portal.replace(/\/+$/, '')}/${uuid}/share/${longId}`;
}
