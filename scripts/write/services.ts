import { systemdUnit, sysusersText } from '@drawbridge/agent/service/systemd.ts';
import type { Written } from './written.ts';

/** The unit that packages install, where people look for it. */
export function services(): Written {
  return {
    'deploy/systemd/drawbridge.service': systemdUnit('/usr/bin/drawbridge'),
    'deploy/systemd/drawbridge.sysusers.conf': sysusersText,
  };
}
