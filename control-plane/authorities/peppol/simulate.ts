import { portOf } from '../../simulation/command-line.ts';
import { startPeppolSimulator } from './simulator.ts';

// The simulated access point as a process of its own: `node simulate.ts --port 9100`.
const simulator = await startPeppolSimulator({
  clock: () => new Date(),
  random: Math.random,
  port: portOf(process.argv.slice(2)),
});
console.log(`listening on ${simulator.url}`);
