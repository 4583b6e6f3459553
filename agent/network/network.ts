import { createSecureContext, type SecureContext } from 'node:tls';
import type { Network } from '@drawbridge/connectors/outbound/network.ts';
import { failed, type Opened } from '../outcome.ts';
import type { Settings } from '../settings.ts';
import { readTrustedCas, type TrustedCas } from './trusted-cas.ts';

/** How this host reaches its control plane. */
export interface AgentNetwork extends Network {
  readonly cas: TrustedCas;
}

/**
 * The network that the settings describe; `enrolledCaFile` is the file named at the enrolment, for
 * when the settings name none.
 */
export function openNetwork(settings: Settings, enrolledCaFile = ''): Opened<AgentNetwork> {
  const read = readTrustedCas(settings.caFile || enrolledCaFile, settings.sslCertFile);
  if (read.kind === 'unreadable') {
    return { kind: 'failed', outcome: failed('ca_unreadable', read.cause) };
  }
  const { cas } = read;
  const { httpsProxy: https, httpProxy: http, noProxy: exceptions } = settings;
  const proxies = { https: https.proxy, http: http.proxy, exceptions };
  let secureContext: SecureContext | undefined;
  const value: AgentNetwork = {
    proxies,
    cas,
    // Not before it is needed: hundreds of certificates are read for it.
    get secureContext() {
      const ca = secureContext ? [] : [...cas.all().certificates];
      return (secureContext ??= createSecureContext({ ca, minVersion: settings.tlsMin }));
    },
  };
  return { kind: 'opened', value };
}
