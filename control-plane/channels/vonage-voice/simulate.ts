import { portOf } from '../../simulation/command-line.ts';
import { startVonageVoiceSimulator } from './simulator.ts';

// The simulated provider as a process of its own: `node simulate.ts [port]`.
const simulator = await startVonageVoiceSimulator({
  clock: () => new Date(),
  random: Math.random,
  isSending: true,
  port: portOf(process.argv.slice(2)),
});
console.log(`listening on ${simulator.url}`);
