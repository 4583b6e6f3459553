import type { ServiceDefinition } from './definition.ts';
import { xmlText } from './xml-text.ts';

/** A scheduled task that runs an agent from the start of Windows, as LOCAL SERVICE and never as SYSTEM. */
export function windowsTask(executable: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Task version="1.4" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Drawbridge agent</Description>
  </RegistrationInfo>
  <Triggers>
    <BootTrigger>
      <Enabled>true</Enabled>
    </BootTrigger>
  </Triggers>
  <Principals>
    <Principal id="Agent">
      <UserId>S-1-5-19</UserId>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>999</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Agent">
    <Exec>
      <Command>${xmlText(executable)}</Command>
      <Arguments>run</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

export function windowsDefinition(executable: string, programData: string): ServiceDefinition {
  const file = `${programData}\\Drawbridge\\task.xml`;
  const named = ['/TN', 'Drawbridge'];
  return {
    files: { [file]: windowsTask(executable) },
    install: [
      ['schtasks', '/Create', '/F', '/XML', file, ...named],
      ['schtasks', '/Run', ...named],
    ],
    uninstall: [
      ['schtasks', '/End', ...named],
      ['schtasks', '/Delete', '/F', ...named],
    ],
    forget: [],
    status: ['schtasks', '/Query', '/V', '/FO', 'LIST', ...named],
    restart: ['schtasks', '/Run', ...named],
  };
}
