import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { limits } from '@drawbridge/link/limits.ts';
import { WebSocketServer } from 'ws';
import type { Hub } from './hub.ts';

/** The path of the link, the same in both environments. */
export const linkPath = '/v1/agents/link';

/** Bytes of a frame with its header and seal. */
const payloadMax = limits.frameBytesMax + 64;

/** Takes over a socket when the request is for the link; false when it is for another path. */
export function linkUpgrade(
  hub: Hub,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: payloadMax,
    perMessageDeflate: false, // sealed bytes do not compress
  });
  return (request, socket, head) => {
    if (request.url?.split('?')[0] !== linkPath) return false;
    sockets.handleUpgrade(request, socket, head, (opened) => void hub.accept(opened));
    return true;
  };
}
