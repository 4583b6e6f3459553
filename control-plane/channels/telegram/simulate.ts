import { simulate } from '../simulation/program.ts';
import { program } from './simulator.ts';

// The simulated Telegram as a process of its own: `node simulate.ts --help`.
await simulate(program, process.argv.slice(2), () => new Date(), Math.random);
