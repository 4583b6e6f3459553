import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { eventually } from './eventually.ts';

/** Passes bytes between an agent and the control plane, and keeps them back when told to. */
export interface Relay {
  readonly url: string;
  /** From now on, of the connections there are, nothing that the agent sends arrives. */
  holdFromAgent(): void;
  /** From now on, of the connections there are, nothing that the control plane sends arrives. */
  holdToAgent(): void;
  /** Resolves when bytes for the agent are being held. */
  held(): Promise<void>;
  /** Ends all connections. */
  cut(): void;
  close(): Promise<void>;
}

export async function startRelay(port: number): Promise<Relay> {
  const sockets = { agent: new Set<Socket>(), controlPlane: new Set<Socket>() };
  /** What these send is kept back. */
  const silenced = new Set<Socket>();
  let heldBytes = 0;
  const silence = (ends: ReadonlySet<Socket>) => {
    for (const end of ends) silenced.add(end);
  };
  const cut = () => {
    for (const end of [...sockets.agent, ...sockets.controlPlane]) end.destroy();
  };
  const forward = (from: Socket, to: Socket, all: Set<Socket>) => {
    all.add(from);
    from.on('data', (bytes) => {
      if (silenced.has(from)) heldBytes += bytes.length;
      else to.write(bytes);
    });
    from.on('error', () => {}); // a close follows
    from.on('close', () => {
      all.delete(from);
      to.destroy();
    });
  };
  const server = createServer((agentEnd) => {
    const controlPlaneEnd = connect(port, '127.0.0.1');
    forward(agentEnd, controlPlaneEnd, sockets.agent);
    forward(controlPlaneEnd, agentEnd, sockets.controlPlane);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdFromAgent: () => silence(sockets.agent),
    holdToAgent: () => silence(sockets.controlPlane),
    held: () =>
      eventually(() => {
        if (heldBytes === 0) throw new Error('nothing is held');
      }),
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
