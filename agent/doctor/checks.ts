import { checkClock } from './clock.ts';
import { checkConnectors } from './connectors.ts';
import { checkDisk } from './disk.ts';
import { checkDns } from './dns.ts';
import type { Check } from './finding.ts';
import { checkIdentity } from './identity.ts';
import { checkLink } from './link.ts';
import { checkProxy } from './proxy.ts';
import { checkRules } from './rules.ts';
import { checkStore } from './store.ts';
import { checkTls } from './tls.ts';
import { checkUpgrade } from './upgrade.ts';

/** All checks of the doctor. A fault in one can cause faults in those after it. */
export const checks: readonly Check[] = [
  checkIdentity,
  checkDisk,
  checkStore,
  checkDns,
  checkProxy,
  checkTls,
  checkClock,
  checkLink,
  checkRules,
  checkUpgrade,
  checkConnectors,
];

const checksOfNetwork: readonly Check[] = [checkDns, checkProxy, checkTls, checkClock, checkLink];

/** For a host without a way to the control plane, whose messages people carry. */
export const checksOffline: readonly Check[] = checks.filter(
  (check) => !checksOfNetwork.includes(check),
);

/**
 * Those that a running agent makes of itself now and then. Its queue is not among them: opening it
 * may set it aside, and reading it whole takes long; its link is how it tells them.
 */
export const checksOfRunning: readonly Check[] = checks.filter(
  (check) => check !== checkStore && check !== checkLink,
);
