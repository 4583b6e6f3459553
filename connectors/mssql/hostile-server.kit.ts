/** A server that keeps to TDS until somebody is logged in, and then says what it is told to. */
import type { Socket } from 'node:net';
import { encryption, preloginAnswer } from './tds/login.kit.ts';
import { packetTypes, Response, readMessages } from './tds/packets.kit.ts';
import { columnMetadata, done, doneTokens, environment, loginAck, row } from './tds/tokens.kit.ts';
import { valueType } from './tds/values.kit.ts';

export interface MssqlAnswers {
  /** The tokens that answer what the driver sets for a session, before anything is asked. */
  readonly settings?: readonly Buffer[];
  /** The tokens that answer each statement. */
  readonly statement: readonly Buffer[];
  /** Tokens that stand in the answer to the login, before its end; at that port. */
  login?(port: number): readonly Buffer[];
}

const packetBytes = 4_096;

/** Answers each statement so; transactions begin and end. */
export function answeringMssql({
  statement,
  settings = [done(doneTokens.batch)],
  login = () => [],
}: MssqlAnswers): (socket: Socket) => void {
  const admitted = [environment.database('erp', 'master'), loginAck()];
  const begun = environment.begun(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0]));
  return (socket) => {
    const answer = (...tokens: readonly Buffer[]) => {
      const response = new Response(socket, packetBytes);
      for (const token of tokens) response.add(token);
      response.end();
    };
    let isSet = false;
    readMessages(socket, ({ type, data }) => {
      if (type === packetTypes.prelogin) answer(preloginAnswer(encryption.notSupported));
      else if (type === packetTypes.login7) {
        answer(...admitted, ...login(socket.localPort!), done(doneTokens.batch));
      } else if (type === packetTypes.attention) {
        answer(done(doneTokens.batch, { isAttention: true }));
      } else if (type !== packetTypes.transactionManager) {
        answer(...(isSet ? statement : settings));
        isSet = true;
      } else if (data.readUInt16LE(data.readUInt32LE(0)) === beginTransaction) {
        answer(begun, done(doneTokens.batch));
      } else answer(environment.committed(Buffer.alloc(8)), done(doneTokens.batch));
    });
  };
}

const beginTransaction = 5;
const text = valueType('nvarchar(max)');
/** The end of a statement. */
export const statementEnd = done(doneTokens.procedure, { count: 1 });

/** Columns of texts. */
export function textColumns(...names: readonly string[]): Buffer {
  return columnMetadata(names.map((name) => ({ name, typeInfo: text.typeInfo })));
}

/** A column whose type is told by these bytes. */
export function typedColumn(...typeInfo: readonly number[]): Buffer {
  return columnMetadata([{ name: 'a', typeInfo: Buffer.from(typeInfo) }]);
}

/** A row of texts. */
export function textRow(...values: readonly string[]): Buffer {
  return row(
    values.map((value) => text.encode(value)),
    [],
  );
}

/** The bytes of a value in a row of one column. */
export function rowOf(...bytes: readonly number[]): Buffer {
  return Buffer.from([0xd1, ...bytes]);
}

/** Tells the client to go on at another server (MS-TDS 2.2.7.9, type 20). */
export function routing(port: number, host: string): Buffer {
  const name = Buffer.from(host, 'utf16le');
  const target = Buffer.alloc(5);
  target.writeUInt16LE(port, 1);
  target.writeUInt16LE(host.length, 3);
  const routed = Buffer.concat([target, name]);
  const head = Buffer.alloc(6);
  head.writeUInt8(0xe3);
  head.writeUInt16LE(routed.length + 5, 1);
  head.writeUInt8(20, 3);
  head.writeUInt16LE(routed.length, 4);
  return Buffer.concat([head, routed, Buffer.alloc(2)]);
}
