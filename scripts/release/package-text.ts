import { makeUserHome } from '../../agent/service/systemd.ts';

/** What packages and images say of themselves. */
export const packageText = {
  summary: 'The bridge agent of Drawbridge',
  description: [
    'Lets a control plane read documents of the sources of this network, and write',
    'back what became of them. It opens one connection, outwards.',
  ],
  /** Shell, as root, after the files were put there. The service waits to be enabled, after the enrolment. */
  afterInstall: `if [ -d /run/systemd/system ]; then
  systemd-sysusers drawbridge.conf
  ${makeUserHome.join(' ')}
  systemctl daemon-reload
  systemctl try-restart drawbridge.service
fi`,
  /** Shell, as root, before the files are removed for good. */
  beforeRemoval: `if [ -d /run/systemd/system ]; then
  systemctl disable --now --quiet drawbridge.service
fi`,
  maintainer: 'Drawbridge maintainers <maintainers@drawbridge.invalid>',
} as const;
