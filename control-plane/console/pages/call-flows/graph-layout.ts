/** Where the nodes of a call flow stand, and what leads from which to which. */

export interface FlowNode {
  readonly type: string;
  readonly next?: string;
  readonly otherwise?: string;
  readonly branches?: Readonly<Record<string, string>>;
}

export interface FlowGraph {
  readonly start: string;
  readonly nodes: Readonly<Record<string, FlowNode>>;
}

interface PlacedNode {
  readonly name: string;
  readonly type: string;
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  readonly from: PlacedNode;
  readonly to: PlacedNode;
  /** Keys or outcomes; `next` and `otherwise` are told by the page. */
  readonly label: string;
}

export interface Layout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

export const nodeWidth = 168;
export const nodeHeight = 56;
const gapX = 40;
const gapY = 64;
const margin = 24;

/** What leads on from a node, and by what. */
export function waysOf({
  next,
  otherwise,
  branches = {},
}: FlowNode): (readonly [string, string])[] {
  return [
    ...Object.entries(branches),
    ...(next === undefined ? [] : ([['next', next]] as const)),
    ...(otherwise === undefined ? [] : ([['otherwise', otherwise]] as const)),
  ];
}

/** Each node as far down as it is from the start; those that nothing leads to come last. */
export function layoutOf({ start, nodes }: FlowGraph): Layout {
  const rows: string[][] = [];
  const seen = new Set<string>();
  let row = Object.hasOwn(nodes, start) ? [start] : [];
  while (row.length > 0) {
    for (const name of row) seen.add(name);
    rows.push(row);
    const reached = row.flatMap((name) => waysOf(nodes[name]!).map(([, to]) => to));
    row = [...new Set(reached)].filter((name) => Object.hasOwn(nodes, name) && !seen.has(name));
  }
  const alone = Object.keys(nodes).filter((name) => !seen.has(name));
  if (alone.length > 0) rows.push(alone);
  const widest = Math.max(1, ...rows.map(({ length }) => length));
  const rowWidth = (count: number) => count * nodeWidth + (count - 1) * gapX;
  const placed = rows.flatMap((names, y) =>
    names.map((name, x) => ({
      name,
      type: nodes[name]!.type,
      x: margin + (rowWidth(widest) - rowWidth(names.length)) / 2 + x * (nodeWidth + gapX),
      y: margin + y * (nodeHeight + gapY),
    })),
  );
  const byName = new Map(placed.map((node) => [node.name, node]));
  const edges = placed.flatMap((from) =>
    waysOf(nodes[from.name]!).flatMap(([label, target]) => {
      const to = byName.get(target);
      return to === undefined ? [] : [{ from, to, label }];
    }),
  );
  return {
    nodes: placed,
    edges,
    width: rowWidth(widest) + 2 * margin + gapX,
    height: rows.length * (nodeHeight + gapY) - gapY + 2 * margin,
  };
}

/** How far below its row an edge to a neighbour bends. */
const dip = gapY * 0.6;
/** So that an edge to itself is seen. */
const inset = 20;

/** The line of an edge: down to what follows, below a neighbour, or around the side back up. */
export function pathOf({ from, to }: PlacedEdge): string {
  const x1 = from.x + nodeWidth / 2;
  const x2 = to.x + nodeWidth / 2;
  const y1 = from.y + nodeHeight;
  if (to.y > from.y) {
    const bend = (to.y - y1) / 2;
    return `M${x1},${y1} C${x1},${y1 + bend} ${x2},${to.y - bend} ${x2},${to.y}`;
  }
  if (to.y === from.y) {
    const low = y1 + dip;
    return `M${x1 + inset},${y1} C${x1 + inset},${low} ${x2 - inset},${low} ${x2 - inset},${y1}`;
  }
  const side = Math.max(from.x, to.x) + nodeWidth;
  const [startY, endY] = [from.y + nodeHeight / 2, to.y + nodeHeight / 2];
  const out = side + gapX;
  return `M${from.x + nodeWidth},${startY} C${out},${startY} ${out},${endY} ${to.x + nodeWidth},${endY}`;
}

/** Where the label of an edge stands. */
export function labelPlaceOf({ from, to }: PlacedEdge): { readonly x: number; readonly y: number } {
  if (to.y > from.y) {
    return {
      x: (from.x + to.x + nodeWidth) / 2,
      y: (from.y + nodeHeight + to.y) / 2 + 4,
    };
  }
  if (to.y === from.y) {
    return { x: (from.x + to.x + nodeWidth) / 2, y: from.y + nodeHeight + dip * 0.75 + 4 };
  }
  return {
    x: Math.max(from.x, to.x) + nodeWidth + gapX / 2,
    y: (from.y + to.y + nodeHeight) / 2,
  };
}
