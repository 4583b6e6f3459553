/**
 * What the doctor of an agent can find, by code, and what helps. The command line and the console say
 * these words. Codes are added and never reused: older agents report them.
 */
export const findingActions = {
  not_enrolled: 'Run `drawbridge enroll`.',
  identity_unreadable: 'Restore the key file from its backup, or enrol again.',
  certificates_unreadable: 'Correct DRAWBRIDGE_CA_FILE or SSL_CERT_FILE.',
  disk_low: 'Free some space, or move the home folder.',
  queue_newer: 'Run the newer agent that wrote it.',
  queue_set_aside: 'Nothing: the control plane sends what was lost again. Look at the disk.',
  queue_damaged: 'Look at the disk, then restart.',
  name_unknown: 'Ask for this name at your name server.',
  proxy_unreachable:
    'Compare HTTPS_PROXY with what the network’s administrators say of their proxy.',
  private_ca:
    'Nothing if you know this CA: the link is sealed inside TLS and held to the control plane’s key.',
  control_plane_unreachable: 'Let this host dial out to that port, and trust the CA that it meets.',
  control_plane_silent: 'Let this host dial out to that address.',
  not_linked:
    'Do what the details say. Where the rows above are well the host of the control plane knows more.',
  clock_off: 'Switch on time synchronisation on this host.',
  upgrade_on_trial:
    'Start the agent, or carry a bundle: then it is well. `drawbridge upgrade --rollback` goes back.',
  rules_unused: 'Import it again: drawbridge rules import FILE.',
  rules_outdated: 'Get newer rules from the maker: drawbridge rules import FILE.',
  write_back_waits: 'Let an administrator run what `drawbridge connector grants` prints.',
  documents_set_aside:
    'Mend these documents at the source, then `drawbridge queue retry`; `drawbridge queue ls` names all.',
  source_fault: 'Correct it with `drawbridge connector edit`.',
  source_away:
    'It is tried again by itself. Where it stays so ask its administrator, or correct where it is with `drawbridge connector edit`.',
  source_denied:
    'Let an administrator run what `drawbridge connector grants` prints, or correct login and tables with `drawbridge connector edit`.',
} as const;

/** A code of a finding. */
export type FindingCode = keyof typeof findingActions;

/** What helps against a finding; undefined for a code that this build does not know. */
export function actionOf(code: string): string | undefined {
  return Object.hasOwn(findingActions, code) ? findingActions[code as FindingCode] : undefined;
}
