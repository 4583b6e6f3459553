/** MS-TDS 2.2.7: the tokens of an answer. */

const u16 = (value: number) => {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16LE(value);
  return buffer;
};
const u32 = (value: number) => {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return buffer;
};
const byteText = (text: string) => Buffer.concat([Buffer.from([text.length]), utf16(text)]);
const shortText = (text: string) => Buffer.concat([u16(text.length), utf16(text)]);

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le');
}

function withLength(token: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([token]), u16(data.length), data]);
}

/** The collation SQL_Latin1_General_CP1_CI_AS: code page 1252. */
export const collation = Buffer.from([0x09, 0x04, 0xd0, 0x00, 0x34]);

/** TDS 7.4 is accepted. */
export function loginAck(): Buffer {
  const version = Buffer.from([0x74, 0x00, 0x00, 0x04]);
  const program = Buffer.concat([byteText('Microsoft SQL Server'), Buffer.from([13, 0, 0x10, 0])]);
  return withLength(0xad, Buffer.concat([Buffer.from([1]), version, program]));
}

/** A message of a login that takes several. */
export function sspi(message: Buffer): Buffer {
  return withLength(0xed, message);
}

/** What changed of the session. */
export const environment = {
  database: (now: string, before: string) => textChange(1, now, before),
  language: (now: string) => textChange(2, now, ''),
  packetSize: (now: number, before: number) => textChange(4, String(now), String(before)),
  collation: () => bytesChange(7, collation, Buffer.alloc(0)),
  begun: (transaction: Buffer) => bytesChange(8, transaction, Buffer.alloc(0)),
  committed: (transaction: Buffer) => bytesChange(9, Buffer.alloc(0), transaction),
  rolledBack: (transaction: Buffer) => bytesChange(10, Buffer.alloc(0), transaction),
};

function textChange(type: number, now: string, before: string): Buffer {
  return withLength(0xe3, Buffer.concat([Buffer.from([type]), byteText(now), byteText(before)]));
}

function bytesChange(type: number, now: Buffer, before: Buffer): Buffer {
  const [nowLength, beforeLength] = [Buffer.from([now.length]), Buffer.from([before.length])];
  return withLength(
    0xe3,
    Buffer.concat([Buffer.from([type]), nowLength, now, beforeLength, before]),
  );
}

/** A message of the server. */
export interface ServerMessage {
  readonly number: number;
  /** From 11 on it is an error. */
  readonly severity: number;
  readonly message: string;
}

export function serverMessage({ number, severity, message }: ServerMessage): Buffer {
  const data = Buffer.concat([
    u32(number),
    Buffer.from([1, severity]),
    shortText(message.slice(0, 2_000)),
    byteText('tds-test-server'),
    byteText(''),
    u32(1),
  ]);
  return withLength(severity > 10 ? 0xaa : 0xab, data);
}

export const doneTokens = { batch: 0xfd, procedure: 0xfe, inProcedure: 0xff } as const;
const doneFlags = { more: 0x01, error: 0x02, count: 0x10, attention: 0x20 } as const;

/** The end of a statement, or of all of them. */
export function done(
  token: (typeof doneTokens)[keyof typeof doneTokens],
  state: {
    readonly hasMore?: boolean;
    readonly isError?: boolean;
    readonly isAttention?: boolean;
    readonly count?: number;
  } = {},
): Buffer {
  const { hasMore = false, isError = false, isAttention = false, count } = state;
  const status =
    (hasMore ? doneFlags.more : 0) |
    (isError ? doneFlags.error : 0) |
    (isAttention ? doneFlags.attention : 0) |
    (count === undefined ? 0 : doneFlags.count);
  const rows = Buffer.alloc(8);
  rows.writeBigUInt64LE(BigInt(count ?? 0));
  const select = u16(count === undefined ? 0 : 0xc1);
  return Buffer.concat([Buffer.from([token]), u16(status), select, rows]);
}

export function returnStatus(value: number): Buffer {
  return Buffer.concat([Buffer.from([0x79]), u32(value)]);
}

/** A column: its name and TYPE_INFO. */
export interface ColumnToken {
  readonly name: string;
  readonly typeInfo: Buffer;
}

const nullable = 0x0001;

export function columnMetadata(columns: readonly ColumnToken[]): Buffer {
  const each = columns.map(({ name, typeInfo }) =>
    Buffer.concat([u32(0), u16(nullable), typeInfo, byteText(name)]),
  );
  return Buffer.concat([Buffer.from([0x81]), u16(columns.length), ...each]);
}

/** A row; where NULLs are, in the form that has a bit for each column. */
export function row(values: readonly (Buffer | undefined)[], nulls: readonly Buffer[]): Buffer {
  const isCompressed = values.length > 1 && values.includes(undefined);
  if (!isCompressed) {
    return Buffer.concat([
      Buffer.from([0xd1]),
      ...values.map((value, index) => value ?? nulls[index] ?? Buffer.alloc(0)),
    ]);
  }
  const bits = Buffer.alloc(Math.ceil(values.length / 8));
  for (const [index, value] of values.entries()) {
    const at = index >> 3;
    if (value === undefined) bits.writeUInt8((bits[at] ?? 0) | (1 << (index & 7)), at);
  }
  return Buffer.concat([Buffer.from([0xd2]), bits, ...values.flatMap((value) => value ?? [])]);
}
