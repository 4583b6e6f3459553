import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from './client.ts';
import { openTerminal } from './connect/terminal.ts';
import { type Script, typeAnswers } from './connect/typist.ts';
import { Environment } from './environment.ts';
import { type Bench, type Figure, figuresOf } from './figure.ts';

const figure = figuresOf('connect');
const run = promisify(execFile);

/** From `drawbridge connect` to the first accepted invoice, typed at a person's speed in a terminal. */
export const connect: Bench = {
  name: 'connect',
  title: 'connect: from a database to the first accepted invoice',
  isLarge: true,
  async run({ folder }) {
    if (!existsSync(join(folder, 'load.mjs'))) {
      console.error('connect: name a folder of sample ERPs, such as ../shared/erp');
      return [];
    }
    const erps = readdirSync(folder).filter((name) =>
      existsSync(join(folder, name, 'schema.json')),
    );
    const figures: Figure[] = [];
    for (const erp of erps) figures.push(...(await connectErp(folder, erp)));
    return figures;
  },
};

/** What somebody says who sends the invoices of a sample to Belgium; others take what is proposed. */
const script: Script = [
  { question: /e-invoices are they/, keys: ['Down', 'Down'] },
  { question: /^\? Legal name/, text: 'Sample Trading BV' },
  { question: /^\? VAT number/, text: 'BE0403019261' },
  { question: /^\? Currency/, text: 'USD' },
  { question: /^\? Unit/, text: 'H87' },
  { question: /Payment terms/, text: '30 days net' },
  { question: /Buyer electronic address/, text: '0208:0403019261' },
  { question: /Buyer country/, text: 'US' },
  { question: /VAT category/, text: 'Z' },
  { question: /Buyer reference/, text: 'none' },
  { question: /^\? charges.*reason/, text: 'Freight' },
];

async function connectErp(folder: string, erp: string): Promise<Figure[]> {
  const environment = await Environment.open();
  const terminal = await openTerminal();
  try {
    const file = join(environment.folder, `${erp}.sqlite`);
    await run(process.execPath, [join(folder, 'load.mjs'), erp, '--sqlite', file]);
    const control = await environment.startControlPlane({});
    const client = new Client(control.baseUrl, control.key, 1);
    const { token } = await client.send('POST', '/v1/agents/enrolment-tokens', {});
    await client.close();
    const home = join(environment.folder, 'agent');
    const agent = join(import.meta.dirname, '../../agent/main.ts');
    const env = { DRAWBRIDGE_AGENT_HOME: home, DRAWBRIDGE_API_KEY: control.key };
    await environment.run([agent, 'enroll', '--url', control.baseUrl], env, token);
    const startedAt = performance.now();
    await terminal.start([process.execPath, agent, 'connect', file], env);
    const { questions, isAccepted, screen } = await typeAnswers(terminal, script);
    const seconds = (performance.now() - startedAt) / 1_000;
    if (!isAccepted) console.error(`${erp}: not accepted\n${screen}`);
    return [
      figure(
        `${erp}: time to the first 202`,
        isAccepted ? seconds : Number.POSITIVE_INFINITY,
        's',
        {
          is: 'at-most',
          value: 300,
        },
      ),
      figure(`${erp}: questions`, questions, 'questions', { is: 'at-most', value: 15 }),
    ];
  } finally {
    await terminal.close();
    await environment.close();
  }
}
