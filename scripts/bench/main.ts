/**
 * `npm run bench [-- name… --documents N]`: a JSON line a figure on stdout, a table on stderr.
 *
 * How to read it. Absolute figures are of this machine and of what else ran on it: `load` in the
 * first line above the number of `cores` means that they say little. Ratios (`×`) set two things
 * side by side that were measured in one run, and are what to compare between machines and
 * versions. A figure with a target is marked `met` or `MISSED`; nothing fails for it.
 *
 *   validation  (per second of CPU) model → XML → schema → rules, and XML → verdict, beside libxml2 alone on the same
 *               bytes; each part; the exponent of cost in lines (1: twice the lines, twice the time);
 *               the same on the authorities' own pretty-printed examples from `--authority FOLDER`, and
 *               the share of their documents that take the fast schema check;
 *               beside the official rules under Saxon-HE as it usually is on such a machine or, with
 *               `--saxon JAR` (Debian: libsaxonhe-java) and a JDK, as it is in the same run
 *   mapping     what is proposed for sample ERPs beside what a person found: sections, fields that are right of
 *               those that the ERP holds, wrong ones that bulk approval would take; `-- mapping FOLDER` scores
 *               any folder of sample ERPs (../shared/erp/README.md says the form), without one the layouts of this project;
 *               `--shuffled N` puts the columns of each table in another order, by that seed
 *   connect     (only when it is named) seconds from `drawbridge connect` to the first 202 in the sandbox, typed at a person's
 *               speed in a pseudo terminal (tmux), and the questions asked: `-- connect ../shared/erp`
 *   discovery   (only when it is named) PostgreSQL, MariaDB and SQLite with 200 tables and 10,000,000 rows (or `--rows`):
 *               how long it takes until sections are proposed, and until these are described and 50 documents
 *               read; and how much of the large table is read for it of which the most is read
 *   memory      resident memory over many documents (--documents, 100,000 unless told otherwise)
 *   intake      202 answers a second, each durable, alone and while the pipeline works on what was
 *               accepted, beside single-row commits of the same PostgreSQL (the disk's bound)
 *   pipeline    invoices a second to `delivered` with all their webhooks, by the control plane
 *               reading a file and by a bridge agent; CPU, and memory at rest and at its highest
 *   cost        CPU of the pipeline for one invoice, beside the sum of its parts measured alone:
 *               what is above 1 is spent between the parts
 *   traces      CPU of a validation within the steps that traces record, none being recorded, beside plain calls
 *   attack      what others wait for while one tenant sends what is meant to hold the process: /healthz,
 *               and submissions of another tenant beside what they take when all is quiet; documents a
 *               second by one and two threads alone
 *   agent       the installed agent: size, start beside `node -e 0`, memory and CPU while it is linked and idle
 *   reading     documents a second from a MariaDB with 100,000 invoices (or --documents) to durably stored
 *               by the control plane, beside the driver alone on the same rows; memory of the agent
 *   messaging   broadcast messages a second without a cap, of one tenant and of many, beside a plain
 *               HTTP client that sends to the same gateway; reports a second; how well 500/s is held
 *               by one node (for 32 s, or as `--seconds` says) and by three that share it
 *   simulators  messages a second that each simulated channel takes, and webhooks it brings
 *   contacts    rows a second of a bulk import (--contacts, 1,000,000 unless told otherwise), beside a
 *               COPY of the same file
 *   voice       calls a second ordered and placed through one provider configuration beside its limit
 *               of 50, by the provider's own log, and through many
 *   pdf         milliseconds and memory to print conversations of 100, 1,000 and 5,000 messages,
 *               and one with 300 photos
 *   console     200 people with the team inbox open, each with a stream of events: processor and memory that they
 *               take, how fast a message is on all streams, and the pipeline beside them
 *   inbox       (only when it is named) lists of the team inbox over HTTP with 10,000,000 messages, or
 *               as many as `--messages` says; `--kept FOLDER` leaves its database there, and a
 *               later run takes it as it is; `--only WORDS` measures the lists whose names begin so;
 *               the loader is inbox-rows.ts
 *
 * Benches that need a database start one of their own (durable, as in production), and the control
 * plane, access point and agent as processes, in a folder that is removed at the end.
 */

import { argumentsOf } from '../arguments.ts';
import { agent } from './agent.ts';
import { attack } from './attack.ts';
import { connect } from './connect.ts';
import { contacts } from './contacts.ts';
import { cost } from './cost.ts';
import { discovery } from './discovery.ts';
import { type Bench, type BenchOptions, type Figure, isMet, machine } from './figure.ts';
import { inbox } from './inbox.ts';
import { intake } from './intake.ts';
import { mapping } from './mapping.ts';
import { memory } from './memory.ts';
import { messaging } from './messaging.ts';
import { openInboxes } from './open-inboxes.ts';
import { pdf } from './pdf.ts';
import { pipeline } from './pipeline.ts';
import { reading } from './reading.ts';
import { simulators } from './simulators.ts';
import { traces } from './traces.ts';
import { validation } from './validation.ts';
import { voice } from './voice.ts';

const benches: readonly Bench[] = [
  validation, // documents a second, by lines and by way
  mapping, // what is proposed for sample ERPs
  connect, // from a database to the first accepted invoice
  discovery, // of large databases
  memory, // of many documents
  intake, // submissions a second
  pipeline, // invoices a second
  cost, // CPU of an invoice, part by part
  traces, // what they cost where none is recorded
  attack, // what others wait for while one tenant attacks
  agent, // the installed agent at its start and at rest
  reading, // documents of a source a second
  simulators, // how fast the other side is
  pdf, // conversations on paper
  openInboxes, // people who have the inbox open
  inbox, // lists of a team inbox with much in it
  contacts, // rows of a file a second
  messaging, // messages a second
  voice, // calls a second
];

const usage = `Usage: npm run bench -- [NAME…] [mapping|connect FOLDER] [--documents N] [--contacts N] [--messages N]
                         [--rows N] [--shuffled N] [--kept FOLDER] [--only WORDS] [--seconds N]
                         [--saxon JAR] [--authority FOLDER]

  NAME   ${benches.map(({ name }) => name).join(', ')}; all but connect, discovery and inbox when none is named

What each measures, and how to read it, stands at the head of scripts/bench/main.ts.`;

const { values, positionals } = argumentsOf(usage, {
  options: {
    documents: { type: 'string', default: '100000' },
    contacts: { type: 'string', default: '1000000' },
    messages: { type: 'string', default: '10000000' },
    rows: { type: 'string', default: '10000000' },
    shuffled: { type: 'string', default: '0' },
    kept: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '32' },
    saxon: { type: 'string', default: '' },
    authority: { type: 'string', default: '../shared/authority' },
  },
});
const reader = positionals.find((name) => name === 'mapping' || name === 'connect') ?? '';
const after = positionals[positionals.indexOf(reader) + 1];
const isFolder =
  reader !== '' && after !== undefined && !benches.some(({ name }) => name === after);
const folder = isFolder ? after : undefined;
const named = positionals.filter((name) => name !== folder);
process.exitCode = await main(named, {
  folder: folder ?? '',
  documents: Number(values.documents),
  contacts: Number(values.contacts),
  messages: Number(values.messages),
  rows: Number(values.rows),
  shuffled: Number(values.shuffled),
  kept: values.kept,
  only: values.only,
  seconds: Number(values.seconds),
  saxon: values.saxon,
  authority: values.authority,
});

async function main(names: readonly string[], options: BenchOptions): Promise<number> {
  const unknown = names.filter((name) => benches.every((bench) => bench.name !== name));
  if (unknown.length > 0) {
    console.error(`no such bench: ${unknown.join(', ')}`);
    console.error(`there are: ${benches.map(({ name }) => name).join(', ')}`);
    return 2;
  }
  console.log(JSON.stringify({ machine: machine() }));
  console.error(
    Object.entries(machine())
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  );
  for (const bench of benches) {
    const isWanted = names.length > 0 ? names.includes(bench.name) : !bench.isLarge;
    if (!isWanted) continue;
    const startedAt = performance.now();
    const figures = await bench.run(options);
    for (const each of figures) console.log(JSON.stringify({ ...each, met: isMet(each) }));
    print(bench, figures, (performance.now() - startedAt) / 1_000);
  }
  return 0;
}

function print({ title }: Bench, figures: readonly Figure[], seconds: number): void {
  console.error(`\n${title} (${seconds.toFixed(0)} s)`);
  const width = Math.max(...figures.map(({ name }) => name.length));
  for (const each of figures) {
    const met = isMet(each);
    const verdict = met === undefined ? '' : met ? '  met' : '  MISSED';
    const target =
      each.target === undefined
        ? ''
        : `  (${each.target.is === 'at-least' ? '≥' : '≤'} ${each.target.value.toPrecision(3)})`;
    console.error(
      `  ${each.name.padEnd(width)}  ${String(each.value).padStart(9)} ${each.unit}${target}${verdict}`,
    );
  }
}
