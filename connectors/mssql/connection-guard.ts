/** What the package believes of any server, and what a hostile one could do with it. */

/** Parts of a connection of the package that it does not declare. */
export interface GuardedConnection extends NodeJS.EventEmitter {
  messageIo?: MessageIo;
  close(): void;
}

interface MessageIo {
  packetSize(bytes?: number): number;
}

/** Bytes of a packet, as MS-TDS 2.2.6.4 has them. */
const packetBytes = { min: 512, max: 32_767 } as const;

/** Other servers that one may send us on to, one after another: a gateway, then the replica that is read. */
const routesMax = 2;

/**
 * Ends a connection whose server sets a size of packets that there is not, for which the package
 * would cut a message into empty pieces without end, or which sends on and on to other servers.
 */
export function guardConnection(connection: GuardedConnection): void {
  let routes = 0;
  connection.on('rerouting', () => {
    routes += 1;
    if (routes > routesMax) connection.close();
  });
  let messageIo: MessageIo | undefined;
  // The package makes one for each server that it connects to.
  Object.defineProperty(connection, 'messageIo', {
    get: () => messageIo,
    set(made: MessageIo) {
      const change = made.packetSize.bind(made);
      made.packetSize = (bytes) => {
        if (bytes === undefined) return change();
        if (bytes >= packetBytes.min && bytes <= packetBytes.max) return change(bytes);
        // Fails as an answer that cannot be read.
        throw new Error(`the server wants packets of ${bytes} bytes`);
      };
      messageIo = made;
    },
  });
}
