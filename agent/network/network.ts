import { createSecureContext } from 'node:tls';
import type { Network } from '@drawbridge/connectors/outbound/network.ts';
import { failed, type Outcome } from '../output.ts';
import type { Settings } from '../settings.ts';
import { readTrustedCas, type TrustedCas } from './trusted-cas.ts';

/** How this host reaches its control plane. */
export interface AgentNetwork extends Network {
  readonly cas: TrustedCas;
}

type NetworkOutcome =
  | { readonly kind: 'opened'; readonly value: AgentNetwork }
  | { readonly kind: 'failed'; readonly outcome: Outcome; readonly cause: string };

/**
 * The network that the settings describe; `enrolledCaFile` is the file named at the enrolment, for
 * when the settings name none.
 */
export function openNetwork(settings: Settings, enrolledCaFile = ''): NetworkOutcome {
  const read = readTrustedCas(settings.caFile || enrolledCaFile, settings.sslCertFile);
  if (read.kind === 'unreadable') {
    const { cause } = read;
    return { kind: 'failed', outcome: failed('ca_unreadable', cause), cause };
  }
  const { cas } = read;
  const { httpsProxy: https, httpProxy: http, noProxy: exceptions } = settings;
  const secureContext = createSecureContext({
    ca: [...cas.certificates],
    minVersion: settings.tlsMin,
  });
  const proxies = { https: https.proxy, http: http.proxy, exceptions };
  return { kind: 'opened', value: { proxies, secureContext, cas } };
}
