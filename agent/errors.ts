/** Exit codes of every command. */
export const exits = {
  ok: 0,
  error: 1,
  auth: 2,
  validation: 3,
  missing: 4,
  fault: 5,
  upgrade_failed: 10,
  /** The executable is another one now. */
  upgraded: 11,
} as const;
type Exit = (typeof exits)[Exclude<keyof typeof exits, 'ok' | 'upgraded'>];

interface AgentError {
  /** A public contract: a code is never reused. */
  readonly code: `ERR_DRAWBRIDGE_${number}`;
  readonly exit: Exit;
  /** What a person should do next. */
  readonly next: string;
}

const { error, auth, validation, missing, fault } = exits;

/** Every error the agent can end with. */
export const errors = {
  unexpected: row(1001, error, 'This is a defect of the agent: report it with the line above.'),
  control_plane_unreachable: row(1002, error, 'Run `drawbridge doctor` to see which hop fails.'),
  control_plane_refused: row(1003, error, 'Compare the versions of agent and control plane.'),
  already_running: row(1004, error, 'Stop the other agent, or give this one its own home folder.'),
  home_unusable: row(
    1005,
    error,
    'Check that the agent’s user owns the home folder, and that its disk may be written to.',
  ),
  vault_unreadable: row(1006, error, 'Restore the key file from its backup, or enrol again.'),
  store_newer: row(1007, error, 'Run the newer agent that wrote this home folder.'),
  store_damaged: row(
    1015,
    error,
    'Restart the agent: it sets the queue aside and begins a new one, and sources are read again.',
  ),
  connector_failed: row(1008, error, 'Correct what the cause names and test the connector again.'),
  agent_fault: row(1009, fault, 'Look at the disk and its rights, then start the agent again.'),
  disk_full: row(1010, fault, 'Free some space, or move the home folder.'),
  ca_unreadable: row(
    1011,
    error,
    'Name a file of certificates in PEM form that the agent can read.',
  ),
  signature_refused: row(1020, error, 'Do not run it: get the release again from its maker.'),
  upgrade_failed: row(
    1021,
    exits.upgrade_failed,
    'The version from before is still installed. Correct what the cause names and try again.',
  ),
  upgrade_undone: row(
    1023,
    exits.upgrade_failed,
    'Start the agent again: it is the version from before.',
  ),
  service_failed: row(
    1024,
    error,
    'Run it as an administrator (sudo), or correct what the cause names.',
  ),
  release_unreadable: row(1022, error, 'Check the address or the folder of the release.'),
  not_enrolled: row(2001, auth, 'Run `drawbridge enroll --url URL --token-file FILE` first.'),
  token_refused: row(2002, auth, 'Ask for a new enrolment token: one works once, within the hour.'),
  already_enrolled: row(2003, auth, 'Add --replace to give up the present identity for a new one.'),
  link_refused: row(
    2004,
    auth,
    'If it is to be the agent, enrol it again: `drawbridge enroll --replace`, then `drawbridge connector take-over`.',
  ),
  control_plane_key_retired: row(
    2005,
    auth,
    'If the host of the control plane has changed its key, enrol again: `drawbridge enroll --replace`.',
  ),
  token_unbound: row(2006, auth, 'Ask for a new token at a control plane of this version.'),
  control_plane_forged: row(
    2007,
    auth,
    'Compare the address; try again, past any proxy that opens TLS. Nobody could read the token; if it is refused then, ask for a new one and revoke the agent that this host became.',
  ),
  api_key_missing: row(
    2010,
    auth,
    'Give --key-file FILE or DRAWBRIDGE_API_KEY; keys are made in the console, under API keys.',
  ),
  api_key_refused: row(2011, auth, 'Give a key that is valid at this address.'),
  not_permitted: row(2012, auth, 'Give the key of somebody who may do it.'),
  workspace_suspended: row(
    2016,
    auth,
    'Ask the host of the control plane; once it is resumed all goes on by itself.',
  ),
  second_person_needed: row(2013, auth, 'Have it approved by another person, with their own key.'),
  key_of_production: row(2015, auth, 'Give a key of the sandbox: it begins with sk_test_.'),
  key_reference_empty: row(
    4043,
    missing,
    'Set the variable, write the file or keep the secret that is named, or name another one.',
  ),
  api_address_other: row(
    2014,
    auth,
    'Give --url with the address that the key is for; `connect` takes it as --answer url=ADDRESS.',
  ),
  bundle_refused: row(
    3009,
    validation,
    'Carry the bundle that is named; `drawbridge bundle list` shows the inventory.',
  ),
  rules_refused: row(
    3010,
    validation,
    'Take another file; `drawbridge rules show` says what is in use, which stays.',
  ),
  usage: row(3001, validation, 'Run the command with --help for its arguments and examples.'),
  setting_invalid: row(
    3002,
    validation,
    'Correct it: `drawbridge config show` says where it comes from.',
  ),
  url_invalid: row(3003, validation, 'Give an https:// address; http:// is for this host only.'),
  token_missing: row(3004, validation, 'Give --token-file FILE, or the token on standard input.'),
  settings_invalid: row(3005, validation, 'Correct the settings that the cause names.'),
  name_taken: row(3006, validation, 'Choose another name; `connector add` also takes --replace.'),
  document_unreadable: row(3007, validation, 'Correct what the cause names and validate again.'),
  document_too_large: row(3008, validation, 'Split the document, or attach smaller files.'),
  not_a_release: row(3020, validation, 'Install a release: its folder has `install.sh`.'),
  package_managed: row(3021, validation, 'Do it with what installed the agent.'),
  upgrade_refused: row(3022, validation, 'Take another release.'),
  service_absent: row(4021, missing, 'Install it: `sudo drawbridge service install`.'),
  no_previous: row(4020, missing, 'Upgrade to the version that you want.'),
  file_unwritable: row(3033, validation, 'Name a file in a folder that you may write to.'),
  config_invalid: row(3030, validation, 'Correct the file and run `drawbridge config check`.'),
  secret_literal: row(
    3031,
    validation,
    'Keep it by `drawbridge secret set NAME` and write keyring:NAME, or name env:NAME or file:PATH.',
  ),
  connector_declared: row(3032, validation, 'Change it in the configuration file.'),
  secret_missing: row(
    4030,
    missing,
    'Keep it by `drawbridge secret set NAME`, or correct the name.',
  ),
  keyring_missing: row(4031, missing, 'Leave --system out: the home folder keeps it sealed.'),
  company_refused: row(
    3044,
    validation,
    'Fetch it again with `drawbridge company fetch`, or carry the file of GET /v1/company/signed.',
  ),
  mapping_file_invalid: row(3040, validation, 'Correct the file where the cause says.'),
  mapping_refused: row(
    3041,
    validation,
    'Correct the draft; `drawbridge mapping export NAME` writes it to a file, and `import` takes it.',
  ),
  mapping_changed: row(
    3042,
    validation,
    'Look at what is approved now with `drawbridge mapping diff NAME --remote`, then approve again.',
  ),
  objections_open: row(
    3043,
    validation,
    'Correct the mapping or the documents, or answer each with --answer ID=REASON.',
  ),
  mapping_absent: row(
    4040,
    missing,
    'Run `drawbridge mapping infer NAME --profile ID`, or import a file.',
  ),
  agent_not_serving: row(
    1040,
    error,
    'The control plane reads through the running agent: start it with `drawbridge run` or its service, then try again.',
  ),
  connector_of_former_agent: row(
    1043,
    error,
    'Run `drawbridge connector take-over`: connectors of the control plane name this agent then.',
  ),
  try_later: row(1041, error, 'Try again in a minute.'),
  api_missing: row(
    4042,
    missing,
    'Correct the id that the cause names; `list` shows those that are there.',
  ),
  api_refused: row(1042, error, 'Do what the cause says, then run the command again.'),
  channel_failed: row(
    1012,
    error,
    'Run it as the user of the agent; if the agent is of another version, start it again.',
  ),
  not_running: row(4033, missing, 'Start it: `drawbridge run`, or its service.'),
  key_in_use: row(
    1013,
    error,
    'Carry the bundles that `drawbridge bundle list` names and their receipts, then try again.',
  ),
  queue_item_unknown: row(4032, missing, 'Run `drawbridge queue ls` for what waits.'),
  connector_unknown: row(4001, missing, 'Run `drawbridge connector list` for the names.'),
  kind_unknown: row(4002, missing, 'Run `drawbridge connector add --help` for the kinds.'),
  file_missing: row(4003, missing, 'Check the path of the file.'),
  bundle_unknown: row(
    4005,
    missing,
    'Run `drawbridge bundle list` for those that are on their way.',
  ),
  rule_unknown: row(4004, missing, 'Copy the id from the report, profile and all.'),
} as const satisfies Record<string, AgentError>;

export type ErrorName = keyof typeof errors;

function row(number: number, exit: Exit, next: string): AgentError {
  return { code: `ERR_DRAWBRIDGE_${number}`, exit, next };
}
