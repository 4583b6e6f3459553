import { type ServiceDefinition, serviceName } from './definition.ts';
import { xmlText } from './xml-text.ts';

/** The property list of an agent with that executable, for macOS. */
export function launchdPlist(executable: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${serviceName}</string>
  <key>ProgramArguments</key>
  <array>
    <string>${xmlText(executable)}</string>
    <string>run</string>
  </array>
  <key>UserName</key>
  <string>_${serviceName}</string>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <true/>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>ExitTimeOut</key>
  <integer>60</integer>
  <key>Umask</key>
  <integer>63</integer>
  <key>ProcessType</key>
  <string>Background</string>
  <key>StandardErrorPath</key>
  <string>/var/log/${serviceName}.log</string>
</dict>
</plist>
`;
}

export function launchdDefinition(executable: string): ServiceDefinition {
  const file = `/Library/LaunchDaemons/${serviceName}.plist`;
  const target = `system/${serviceName}`;
  return {
    files: { [file]: launchdPlist(executable) },
    install: [['launchctl', 'bootstrap', 'system', file]],
    uninstall: [['launchctl', 'bootout', target]],
    forget: [],
    status: ['launchctl', 'print', target],
    restart: ['launchctl', 'kickstart', '-k', target],
  };
}
