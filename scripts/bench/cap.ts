import { type Ground, onGround, prepare, sendAll } from './campaigns.ts';
import { type Figure, figuresOf } from './figure.ts';
import { GrantWatch } from './grants.ts';
import { mostInSecond } from './timing.ts';

const figure = figuresOf('messaging');
const perSecond = 500;
const shareTarget = { is: 'at-least', value: 0.99 } as const;
const capTarget = { is: 'at-most', value: perSecond } as const;

/** How well the cap of 500 a second is used and kept by one broadcast on one node. */
export function heldByOne(seconds: number): Promise<Figure[]> {
  return onGround({ rate: perSecond, nodeCount: 1 }, async (ground) => {
    const { share, mostGranted, mostArrived } = await measure(ground, seconds);
    return [
      figure(`of 500/s held over ${seconds} s`, share, '', shareTarget),
      figure('most granted in any 1,000 ms', mostGranted, 'messages', capTarget),
      figure('most in any 1,000 ms, as they arrive', mostArrived, 'messages'),
    ];
  });
}

/** The same by nodes that share it, each with a broadcast of the same tenant. */
export function heldByMany(nodeCount: number, seconds: number): Promise<Figure[]> {
  return onGround({ rate: perSecond, nodeCount }, async (ground) => {
    const { share, mostGranted, nodesAtWork } = await measure(ground, seconds);
    const name = `${nodeCount} nodes`;
    return [
      figure(`of 500/s held over ${seconds} s, ${name}`, share, '', shareTarget),
      figure(`most granted in any 1,000 ms, ${name}`, mostGranted, 'messages', capTarget),
      figure('nodes that sent', nodesAtWork, 'nodes', { is: 'at-least', value: 2 }),
    ];
  });
}

/** One broadcast a node, all of the same tenant and at the same time. */
async function measure(ground: Ground, seconds: number) {
  const { nodes, stage, callOf } = ground;
  const contacts = Math.ceil((perSecond * (seconds + 2)) / nodes.length);
  const campaigns = [];
  for (const [at, node] of nodes.entries()) {
    campaigns.push(await prepare(ground, callOf(node), `capped ${at}`, contacts));
  }
  const grants = await GrantWatch.start(stage.databaseUrl);
  const turns = () => Promise.all(nodes.map((node) => node.jobs('broadcast')));
  const before = await turns();
  const times = await sendAll(ground, campaigns);
  const after = await turns();
  // From the second second on: what a new broadcast may send at once would flatter the rest.
  const [from, count] = [perSecond, perSecond * seconds];
  return {
    share: (seconds * 1_000) / (times[from + count]! - times[from]!),
    mostGranted: await grants.mostInSecond(times.length),
    mostArrived: mostInSecond(times),
    nodesAtWork: after.filter((count, at) => count > before[at]!).length,
  };
}
