import { portOf } from '../../simulation/command-line.ts';
import { startAsteriskSimulator } from './simulator.ts';

// The simulated PBX as a process of its own: `node simulate.ts [port]`.
const simulator = await startAsteriskSimulator({
  clock: () => new Date(),
  random: Math.random,
  port: portOf(process.argv.slice(2)),
});
console.log(`listening on ${simulator.url}`);
