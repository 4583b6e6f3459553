/** Bounds of the link; a peer that crosses one is refused, by name. */
export const limits = {
  /** Bytes of one frame before sealing. */
  frameBytesMax: 1_048_576,
  /** Characters of one part of a result: JSON escaping makes of each at most six bytes. */
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
  /** Milliseconds that a peer has to take a close; then the socket is cut. */
  closeMs: 2_000,
  /** Milliseconds between two pings, and of silence after which the peer counts as gone. */
  pingMs: 15_000,
  silenceMs: 45_000,
} as const;
