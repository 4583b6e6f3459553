import type { ClientRequestArgs } from 'node:http';
import { type Network, openConnection } from '@drawbridge/connectors/outbound/network.ts';
import { limits } from '@drawbridge/link/limits.ts';
import { destinationOf } from '@drawbridge/outbound/proxy.ts';
import { WebSocket } from 'ws';

/** Bytes of a sealed frame: the frame, and room for its header and seal. */
const payloadMax = limits.frameBytesMax + 64;

/** A websocket to the control plane that has begun to connect, through the proxy if there is one. */
export function openSocket(linkUrl: string, network: Network): WebSocket {
  const destination = destinationOf(linkUrl);
  const createConnection: ClientRequestArgs['createConnection'] = (_, connected) => {
    openConnection(network, destination, limits.handshakeMs).then(
      (socket) => connected(null, socket),
      (error: Error) => connected(error, undefined as never), // typed as if there were a socket
    );
    return undefined;
  };
  return new WebSocket(linkUrl, {
    maxPayload: payloadMax,
    perMessageDeflate: false, // sealed bytes do not compress
    followRedirects: false,
    handshakeTimeout: limits.handshakeMs,
    createConnection: createConnection as never, // typed as if it had to answer at once
  });
}
