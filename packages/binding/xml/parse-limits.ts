/** Limits of a document to read; a larger one is refused, never cut. */
export const limits = { bytesMax: 20_000_000, depthMax: 64, nodesMax: 500_000 } as const;
