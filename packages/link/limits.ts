/** Limits of the link; the close code names the one that a peer exceeded. */
export const limits = {
  /** Bytes of one frame before sealing. */
  frameBytesMax: 1_048_576,
  /** Characters of one part of a result; JSON escaping makes at most six bytes of each. */
  partLengthMax: 131_072,
  /** Characters of a whole result, joined. */
  resultLengthMax: 64 * 1_048_576,
  /** Milliseconds that a call may take: no timer holds more. */
  deadlineMsMax: 2_147_483_647,
  /** Calls that one agent may have open. */
  callsMax: 64,
  /** Commands or events sent and not yet acknowledged. */
  windowMax: 32,
  /** Refs of one `connector.readMany`, and of `documents.changed` before version 4. */
  refsMax: 200,
  /** Refs of a page of `connector.list`, and of a batch. */
  pageRefsMax: 1_000,
  /** Bytes of the refs of a batch as JSON. */
  batchRefsBytesMax: 262_144,
  /** Bytes of the documents of a batch, compressed; with the refs it fits a frame as base64. */
  batchBytesMax: 524_288,
  /** Bytes of the documents of a batch as JSON text. */
  batchTextBytesMax: 16 * 1_048_576,
  /** Sources of one agent whose state the welcome tells. */
  sourcesMax: 200,
  /** Examples that a reconciliation names. */
  examplesMax: 100,
  /** Findings, and sources that wait, of an agent's status. */
  statusRowsMax: 100,
  /** Characters of an agent's status as JSON. */
  statusLengthMax: 131_072,
  /** Milliseconds between two statuses of an agent. */
  statusMs: 60_000,
  /** The highest epoch that an agent may name; the next one is still a number of the database. */
  epochMax: 2_147_483_646,
  /** Milliseconds until a handshake must be done. */
  handshakeMs: 10_000,
  /** Milliseconds until a socket is terminated when the peer does not answer a close. */
  closeMs: 2_000,
  /** Milliseconds between two pings, and of silence after which the peer counts as gone. */
  pingMs: 15_000,
  silenceMs: 45_000,
} as const;
