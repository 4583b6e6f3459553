import {
  type CallFlow,
  callFlow,
  exitsOf,
  type FlowNode,
  flowLimits,
  isWait,
  nodeAt,
  savedVariables,
} from './flow.ts';
import { variablesIn } from './variables.ts';

/** What can be wrong with a flow on every target. */
export const faultCodes = {
  shape: 'a member is missing, unknown or of the wrong kind',
  too_large: 'too many nodes, or too much text',
  too_deep: 'a node too far from the start',
  too_long_a_run: 'too many nodes play one after another before one that waits',
  missing_target: 'it leads to a node that does not exist',
  unreachable: 'nothing leads to the node',
  loop_without_wait: 'a loop that never waits for the caller',
  dead_branch: 'keys that the input cannot give',
  undeclared_variable: 'a variable that is neither declared nor saved',
} as const;

/** One thing wrong with a flow, and where. */
interface FlowFault {
  readonly code: keyof typeof faultCodes;
  /** Where in the document: `nodes.menu.branches.1`. */
  readonly path: string;
  readonly message: string;
}

/** The flow, or everything that is wrong with it. */
export type FlowReading =
  | { readonly kind: 'flow'; readonly flow: CallFlow }
  | { readonly kind: 'faulty'; readonly faults: readonly FlowFault[] };

/** Reads a call flow from JSON, and reports everything that is wrong with it. Never throws. */
export function readFlow(input: unknown): FlowReading {
  const size = JSON.stringify(input)?.length ?? 0;
  if (size > flowLimits.size) {
    return faulty([fault('too_large', '', `${size} characters; at most ${flowLimits.size}`)]);
  }
  const read = callFlow.safeParse(input);
  if (!read.success) {
    return faulty(read.error.issues.map((i) => fault('shape', i.path.join('.'), i.message)));
  }
  const faults = faultsOf(read.data);
  return faults.length === 0 ? { kind: 'flow', flow: read.data } : faulty(faults);
}

function faultsOf(flow: CallFlow): readonly FlowFault[] {
  const count = Object.keys(flow.nodes).length;
  if (count > flowLimits.nodes) {
    return [fault('too_large', 'nodes', `${count} nodes; at most ${flowLimits.nodes}`)];
  }
  const missing = missingTargets(flow);
  if (missing.length > 0) return missing; // the checks below walk the graph
  return [
    ...reachFaults(flow),
    ...runFaults(flow),
    ...deadBranches(flow),
    ...undeclaredVariables(flow),
  ];
}

function missingTargets(flow: CallFlow): readonly FlowFault[] {
  const targets = [
    { path: 'start', to: flow.start },
    ...Object.entries(flow.nodes).flatMap(([name, node]) =>
      exitsOf(node).map(({ path, to }) => ({ path: `nodes.${name}.${path}`, to })),
    ),
  ];
  return targets
    .filter(({ to }) => nodeAt(flow, to) === undefined)
    .map(({ path, to }) => fault('missing_target', path, `there is no node ${to}`));
}

/** Breadth first from the start: nodes that are never reached, and nodes that are too deep. */
function reachFaults(flow: CallFlow): readonly FlowFault[] {
  const depths = new Map([[flow.start, 0]]);
  for (const [name, depth] of depths) {
    for (const { to } of exitsOf(flow.nodes[name]!)) {
      if (!depths.has(to)) depths.set(to, depth + 1);
    }
  }
  return Object.keys(flow.nodes).flatMap((name) => {
    const depth = depths.get(name);
    if (depth === undefined) {
      return [fault('unreachable', `nodes.${name}`, 'nothing leads to this node')];
    }
    const isDeep = depth > flowLimits.depth;
    return isDeep ? [fault('too_deep', `nodes.${name}`, `${depth} nodes from the start`)] : [];
  });
}

/**
 * Each run of nodes up to the first that waits: a run that returns to itself never ends, and a run
 * that is too long does not fit a document. A goto ends a document, but gives the caller nothing to
 * answer.
 */
function runFaults(flow: CallFlow): readonly FlowFault[] {
  const faults: FlowFault[] = [];
  for (const name of Object.keys(flow.nodes)) {
    const run = [name];
    let to = onward(flow.nodes[name]!);
    while (to !== undefined && to !== name && run.length <= flowLimits.nodes) {
      run.push(to);
      to = onward(flow.nodes[to]!);
    }
    if (to === name) {
      const way = [...run, name].join(' → ');
      faults.push(fault('loop_without_wait', `nodes.${name}`, `never waits: ${way}`));
    }
    const wordless = run.findIndex((each) => !isHeard(flow.nodes[each]!));
    if ((wordless < 0 ? run.length : wordless) > flowLimits.run) {
      const message = `more than ${flowLimits.run} nodes without a wait; put a goto between`;
      faults.push(fault('too_long_a_run', `nodes.${name}`, message));
    }
  }
  return faults;
}

function isHeard(node: FlowNode): boolean {
  return node.type === 'say' || node.type === 'play' || node.type === 'pause';
}

/** Where a node that does not wait goes on by itself. */
function onward(node: FlowNode): string | undefined {
  return isWait(node) || node.type === 'hangup' ? undefined : node.next;
}

function deadBranches(flow: CallFlow): readonly FlowFault[] {
  return Object.entries(flow.nodes).flatMap(([name, node]) => {
    if (node.type !== 'gather') return [];
    return Object.keys(node.branches)
      .filter((key) => key.length > node.max_digits || holdsAny(key, node.finish_keys))
      .map((key) =>
        fault('dead_branch', `nodes.${name}.branches.${key}`, 'the input cannot give these keys'),
      );
  });
}

function holdsAny(digits: string, keys: string): boolean {
  return [...digits].some((digit) => keys.includes(digit));
}

function undeclaredVariables(flow: CallFlow): readonly FlowFault[] {
  const declared = new Set([...Object.keys(flow.variables), ...savedVariables(flow)]);
  return Object.entries(flow.nodes).flatMap(([name, node]) =>
    variablesIn(JSON.stringify(node))
      .filter((variable) => !declared.has(variable))
      .map((variable) =>
        fault('undeclared_variable', `nodes.${name}`, `{{${variable}}} is not declared`),
      ),
  );
}

function fault(code: FlowFault['code'], path: string, message: string): FlowFault {
  return { code, path, message };
}

function faulty(faults: readonly FlowFault[]): FlowReading {
  return { kind: 'faulty', faults };
}
