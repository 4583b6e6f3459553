/** MS-SQLR: the SQL Server Browser, which tells the port of an instance by its name. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const port = 1_434;
const requests = { all: 0x02, allOfHost: 0x03 } as const;
const answerType = 0x05;

/** Answers on that address until it is closed. */
export async function startBrowser(
  host: string,
  instances: Readonly<Record<string, number>>,
): Promise<{ close(): Promise<void> }> {
  const socket = createSocket('udp4');
  const said = Object.entries(instances).map(([name, tcp]) =>
    ['ServerName', 'SQL', 'InstanceName', name, 'IsClustered', 'No', 'Version', '13.0.1601.5']
      .concat('tcp', String(tcp))
      .join(';'),
  );
  const text = Buffer.from(`${said.join(';;')};;`, 'latin1');
  const head = Buffer.from([answerType, 0, 0]);
  head.writeUInt16LE(text.length, 1);
  socket.on('message', ([type], from) => {
    if (type !== requests.all && type !== requests.allOfHost) return;
    socket.send(Buffer.concat([head, text]), from.port, from.address);
  });
  socket.bind(port, host);
  await once(socket, 'listening');
  return {
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}
