import { type ServiceDefinition, serviceName } from './definition.ts';

/** The user of the service, and its home; the agent's own folder is below it, as for every user. */
export const serviceUser = 'drawbridge';
export const serviceUserHome = '/var/lib/drawbridge';

/** Seconds without a sign of life after which systemd starts the agent anew. */
const watchdogSeconds = 180;

/** For `systemd-sysusers`, which makes the user. */
export const sysusersText = `u ${serviceUser} - "Drawbridge agent" ${serviceUserHome}\n`;

/** Makes the user's home: systemd would at the first start, but the agent is enrolled before it. */
export const makeUserHome = [
  'install',
  '-d',
  '--mode=0700',
  `--owner=${serviceUser}`,
  `--group=${serviceUser}`,
  serviceUserHome,
];

/** The unit of an agent with that executable. */
export function systemdUnit(executable: string): string {
  return `[Unit]
Description=Drawbridge agent
Wants=network-online.target
After=network-online.target

[Service]
Type=notify
# Node cannot open the socket itself: systemd-notify does, as a child.
NotifyAccess=all
# As root, because the agent may not write to its own executable: goes back from a version that does not start.
ExecStartPre=+${executable} upgrade --settle --quiet
ExecStart=${executable} run
Restart=always
RestartSec=10
# Not enrolled or wrongly configured: starting again does not help.
RestartPreventExitStatus=2 3
WatchdogSec=${watchdogSeconds}
TimeoutStopSec=60

User=${serviceUser}
StateDirectory=${serviceName}
StateDirectoryMode=0700
Environment=HOME=${serviceUserHome}
# Settings of the agent, such as DRAWBRIDGE_FILE_ROOTS=/srv/erp
EnvironmentFile=-/etc/drawbridge/agent.env
UMask=0077

CapabilityBoundingSet=
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateMounts=yes
PrivateTmp=yes
PrivateUsers=yes
ProcSubset=pid
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RemoveIPC=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources

[Install]
WantedBy=multi-user.target
`;
}

export const unitFile = `/etc/systemd/system/${serviceName}.service`;

export function systemdDefinition(executable: string): ServiceDefinition {
  const unit = `${serviceName}.service`;
  return {
    manager: { name: 'systemd', folder: '/run/systemd/system' },
    files: {
      [`/etc/sysusers.d/${serviceName}.conf`]: sysusersText,
      [unitFile]: systemdUnit(executable),
    },
    install: [
      ['systemd-sysusers', `${serviceName}.conf`],
      makeUserHome,
      ['systemctl', 'daemon-reload'],
      ['systemctl', 'enable', '--quiet', unit],
    ],
    uninstall: [['systemctl', 'disable', '--now', '--quiet', unit]],
    forget: [['systemctl', 'daemon-reload']],
    status: ['systemctl', 'status', '--no-pager', unit],
    restart: ['systemctl', 'restart', unit],
  };
}
