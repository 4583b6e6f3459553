import { z } from 'zod';
import { authorities } from '../../authorities/registry.ts';
import { retryAfter } from '../../platform/http/retry-after.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { fail } from '../errors.ts';
import type { AuthorityGateway } from '../pipeline/submission/authority-gateway.ts';
import { type NetworkContext, takeInbound } from './network-polling.ts';

export interface NetworkRouteContext extends Omit<NetworkContext, 'authorities' | 'log'> {
  readonly authorities: Pick<AuthorityGateway, 'pushed'>;
}

const networks = authorities.filter((each) => each.pushed !== undefined).map(({ id }) => id);
/** As an access point takes it, with its attachments. */
const bodyBytesMax = 20_000_000;
const busyRetryMs = 30_000;

/** Where an access point brings a document, in place of being asked for it. */
export function networkRoutes({
  authorities: gateway,
  ...context
}: NetworkRouteContext): AnyRoute[] {
  return [
    route({
      method: 'post',
      path: '/v1/networks/{network}/documents',
      operationId: 'receiveNetworkDocument',
      summary: 'Take a document that an access point received',
      description:
        'For access points that keep no list of what they received (phase4). The body is the ' +
        'StandardBusinessDocument, `X-Token` the `inbound_token` of the endpoint. Once it is answered with ' +
        '202 the document is kept, and the same message may come again; 404: the participant is nobody’s here.',
      tag: 'Received documents',
      auth: { public: 'Access points call it; each call proves itself by the endpoint’s token.' },
      unaudited: 'a received document has a timeline of its own',
      request: {
        params: z.strictObject({ network: z.string().max(40) }),
        headers: z.object({ 'x-token': z.string().max(500).optional() }),
      },
      responses: { 202: { description: 'It is kept.' } },
      errors: [
        'network_not_found',
        'network_refused',
        'message_unreadable',
        'participant_not_found',
        'unavailable',
        'payload_too_large',
      ],
      handler: async ({ params: { network }, headers, environment, readRaw, log }) => {
        if (!networks.includes(network)) {
          throw fail('network_not_found', `There are: ${networks.join(', ')}.`);
        }
        // Before the body is read: of strangers there is nothing to hold.
        const read = gateway.pushed(network, environment, headers['x-token'] ?? '');
        if (read === undefined) {
          throw fail('network_refused', 'X-Token is not the "inbound_token" of this network here.');
        }
        const document = read(Buffer.from(await readRaw(bodyBytesMax)).toString('utf8'));
        const taken = await takeInbound({ ...context, log }, environment, network, document);
        switch (taken.kind) {
          case 'kept':
            return { status: 202 };
          case 'busy':
            throw fail('unavailable', 'Too much is being read now: send it again.', {
              headers: retryAfter(busyRetryMs),
            });
          case 'unreadable':
            throw fail('message_unreadable', taken.reason);
          case 'unrouted':
            throw fail('participant_not_found', `${taken.participant} is nobody’s here.`);
        }
      },
    }),
  ];
}
