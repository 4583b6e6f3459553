import { portOf } from '../../simulation/command-line.ts';
import { startMyInvoisSimulator } from './simulator.ts';

// The simulated MyInvois as a process of its own: `node simulate.ts --port 9100`.
const simulator = await startMyInvoisSimulator({
  clock: () => new Date(),
  random: Math.random,
  port: portOf(process.argv.slice(2)),
});
console.log(`listening on ${simulator.url}`);
