/** Limits of the link; the close code names the one that a peer exceeded. */
export const limits = {
  /** Bytes of one frame before sealing. */
  frameBytesMax: 1_048_576,
  /** Characters of one part of a result; JSON escaping makes at most six bytes of each. */
  partLengthMax: 131_072,
  /** Characters of a whole result, joined. */
  resultLengthMax: 64 * 1_048_576,
  /** Calls that one agent may have open. */
  callsMax: 64,
  /** Commands or events sent and not yet acknowledged. */
  windowMax: 32,
  /** Refs of one `connector.readMany`. */
  refsMax: 200,
  /** Milliseconds until a handshake must be done. */
  handshakeMs: 10_000,
  /** Milliseconds until a socket is terminated when the peer does not answer a close. */
  closeMs: 2_000,
  /** Milliseconds between two pings, and of silence after which the peer counts as gone. */
  pingMs: 15_000,
  silenceMs: 45_000,
} as const;
