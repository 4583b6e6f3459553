import { homedir } from 'node:os';
import { configSchema } from '@drawbridge/agent/config/schema.ts';
import { mappingFileJsonSchema } from '@drawbridge/agent/mapping/mapping-file.ts';
import { settingRows } from '@drawbridge/agent/settings.ts';
import { settingsHelp } from '@drawbridge/control-plane/settings.ts';
import type { Written } from './written.ts';

/** Every setting of both programs, as their `--help` prints them, and the schemas of the agent's files. */
export function settings(): Written {
  return {
    'docs/settings.md': `# Settings

Printed by \`npm run write\` from the settings' own tables. All are environment variables; an empty
one counts as not given. The default is in brackets.

## Control plane

\`\`\`text
${settingsHelp()}
\`\`\`

## Agent

They stand in a configuration file too ([agent.md](agent.md#configuration-file)), under the names that \`drawbridge config show\` prints.

\`\`\`text
${agentSettings()}
\`\`\`
`,
    'docs/agent-config.schema.json': `${JSON.stringify(configSchema(), null, 2)}\n`,
    'docs/mapping.schema.json': `${JSON.stringify(mappingFileJsonSchema(), null, 2)}\n`,
  };
}

function agentSettings(): string {
  const rows = Object.values(settingRows);
  const width = Math.max(...rows.map(({ env }) => env.length));
  return rows
    .map(({ env, default: value, help }) => {
      // The path of the user's home folder differs between machines.
      const shown = value.replace(homedir(), '~');
      return `  ${env.padEnd(width)}  ${help}${shown === '' ? '' : ` (${shown})`}`;
    })
    .join('\n');
}
