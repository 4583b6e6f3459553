import { Fragment } from 'react';
import { useVoiceTexts } from '../calls/texts.ts';
import styles from './graph.module.css';
import {
  type FlowGraph,
  labelPlaceOf,
  layoutOf,
  nodeHeight,
  nodeWidth,
  pathOf,
  waysOf,
} from './graph-layout.ts';

interface GraphProps {
  readonly flow: FlowGraph;
  /** Nodes of which something is said. */
  readonly marked: ReadonlySet<string>;
}

/** A call flow as a graph; for readers of screens, as sentences. */
export function Graph({ flow, marked }: GraphProps) {
  const t = useVoiceTexts();
  const { nodes, edges, width, height } = layoutOf(flow);
  const wayName = (label: string) =>
    label === 'next' || label === 'otherwise' ? t(`way_${label}`) : label;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.frame} tabIndex={0} aria-label={t('graph')}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        className={styles.graph}
        aria-hidden="true"
        direction="ltr"
      >
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path d="M0,0 L8,4 L0,8 z" className={styles.arrow} />
          </marker>
        </defs>
        {[...Map.groupBy(edges, ({ from, to }) => `${from.name} ${to.name}`)].map(([key, same]) => {
          // Ways to the same node share a line, or one would hide the name of another.
          const { x, y } = labelPlaceOf(same[0]!);
          const names = same.filter(({ label }) => label !== 'next');
          return (
            <Fragment key={key}>
              <path d={pathOf(same[0]!)} className={styles.edge} markerEnd="url(#arrow)" />
              <text x={x} y={y} className={styles.label}>
                {names.map(({ label }) => wayName(label)).join(', ')}
              </text>
            </Fragment>
          );
        })}
        {nodes.map(({ name, type, x, y }) => (
          <g key={name} transform={`translate(${x} ${y})`}>
            <rect
              width={nodeWidth}
              height={nodeHeight}
              rx="8"
              className={
                marked.has(name) ? styles.marked : name === flow.start ? styles.start : styles.node
              }
            />
            <text x={nodeWidth / 2} y="23" className={styles.name}>
              {shortened(name)}
            </text>
            <text x={nodeWidth / 2} y="42" className={styles.type}>
              {type}
            </text>
          </g>
        ))}
      </svg>
      <ul className={styles.hidden}>
        {nodes.map(({ name, type }) => (
          <li key={name}>
            {name} ({type}){' '}
            {waysOf(flow.nodes[name]!)
              .map(([label, to]) => `${wayName(label)}: ${to}`)
              .join(', ')}
          </li>
        ))}
      </ul>
    </section>
  );
}

const shownMax = 20;
const shortened = (name: string) =>
  name.length > shownMax ? `${name.slice(0, shownMax - 1)}…` : name;
