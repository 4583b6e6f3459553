import { prepare, type Setup, sendAll, withSetup } from './campaigns.ts';
import { type Figure, figuresOf } from './figure.ts';
import { GrantWatch } from './grants.ts';
import { mostInSecond } from './timing.ts';

const figure = figuresOf('messaging');
const perSecond = 500;
const shareTarget = { is: 'at-least', value: 0.99 } as const;
const capTarget = { is: 'at-most', value: perSecond } as const;
/** What a receiver may read more than was granted, as messages do not all travel equally long. */
const arrivedTarget = { is: 'at-most', value: perSecond * 1.05 } as const;

/** How well one broadcast on one node uses and keeps the limit of 500 a second. */
export function heldByOne(seconds: number): Promise<Figure[]> {
  return withSetup({ rate: perSecond, nodeCount: 1 }, async (setup) => {
    const { share, mostGranted, mostArrived } = await measure(setup, seconds);
    return [
      figure(`of 500/s held over ${seconds} s`, share, '', shareTarget),
      figure('most granted in any 1,000 ms', mostGranted, 'messages', capTarget),
      figure('most in any 1,000 ms, as they arrive', mostArrived, 'messages', arrivedTarget),
    ];
  });
}

/** The same for nodes that share the limit, each with a broadcast of the same tenant. */
export function heldByMany(nodeCount: number, seconds: number): Promise<Figure[]> {
  return withSetup({ rate: perSecond, nodeCount }, async (setup) => {
    const { share, mostGranted, nodesAtWork } = await measure(setup, seconds);
    const name = `${nodeCount} nodes`;
    return [
      figure(`of 500/s held over ${seconds} s, ${name}`, share, '', shareTarget),
      figure(`most granted in any 1,000 ms, ${name}`, mostGranted, 'messages', capTarget),
      figure('nodes that sent', nodesAtWork, 'nodes', { is: 'at-least', value: 2 }),
    ];
  });
}

/** Measures one broadcast on each node, all of the same tenant and at the same time. */
async function measure(setup: Setup, seconds: number) {
  const { nodes, environment, callOf } = setup;
  const contacts = Math.ceil((perSecond * (seconds + 2)) / nodes.length);
  const campaigns = [];
  for (const [at, node] of nodes.entries()) {
    campaigns.push(await prepare(setup, callOf(node), `capped ${at}`, contacts));
  }
  const grants = await GrantWatch.start(environment.databaseUrl);
  const turns = () => Promise.all(nodes.map((node) => node.jobs('broadcast')));
  const before = await turns();
  const times = await sendAll(setup, campaigns);
  const after = await turns();
  // Without the first second, in which a new broadcast may send more at once.
  const [from, count] = [perSecond, perSecond * seconds];
  return {
    share: (seconds * 1_000) / (times[from + count]! - times[from]!),
    mostGranted: await grants.mostInSecond(times.length),
    mostArrived: mostInSecond(times),
    nodesAtWork: after.filter((count, at) => count > before[at]!).length,
  };
}
