/** MS-TDS 2.2.5.4 and 2.2.5.5: types, and values as bytes; between PostgreSQL's text and TDS. */
import { collation } from './tokens.kit.ts';

/** A type in T-SQL's words: `decimal(38,10)`, `nvarchar(max)`. */
export interface ValueType {
  readonly typeInfo: Buffer;
  readonly nullValue: Buffer;
  /** The value whose text PostgreSQL gives. */
  encode(text: string): Buffer;
}

const isMax = 0xffff;
const plpNull = Buffer.alloc(8, 0xff);
const shortNull = Buffer.from([0xff, 0xff]);
const zero = Buffer.from([0]);
const plpChunkBytes = 4_096;

/** The type of that name. */
export function valueType(name: string): ValueType {
  const [, base = '', first, second] = /^(\w+)(?:\((\w+)(?:,(\d+))?\))?$/.exec(name) ?? [];
  const size = Number(first);
  switch (base) {
    case 'tinyint':
      return integer(1);
    case 'smallint':
      return integer(2);
    case 'int':
      return integer(4);
    case 'bigint':
    case 'rowversion':
      return integer(8);
    case 'bit':
      return sized([0x68, 1], (text) => Buffer.from([text === '1' || text === 't' ? 1 : 0]));
    case 'decimal':
      return decimal(0x6a, size, Number(second ?? 0));
    case 'numeric':
      return decimal(0x6c, size, Number(second ?? 0));
    case 'money':
      return sized([0x6e, 8], moneyBytes);
    case 'smallmoney':
      return sized([0x6e, 4], (text) => littleEndian(unscaled(text, 4), 4));
    case 'real':
      return sized([0x6d, 4], (text) => floatBytes(text, 4));
    case 'float':
      return sized([0x6d, 8], (text) => floatBytes(text, 8));
    case 'date':
      return sized([0x28], (text) => littleEndian(daysSince(text, year1), 3));
    case 'time':
      return sized([0x29, 7], (text) => littleEndian(ticksOf(text), 5));
    case 'datetime2':
      return sized([0x2a, 7], (text) => momentBytes(text));
    case 'datetimeoffset':
      return sized([0x2b, 7], offsetMomentBytes);
    case 'datetime':
      return sized([0x6f, 8], datetimeBytes);
    case 'smalldatetime':
      return sized([0x6f, 4], smallDatetimeBytes);
    case 'uniqueidentifier':
      return sized([0x24, 16], guidBytes);
    case 'varchar':
      return characters(0xa7, first, 1);
    case 'char':
      return characters(0xaf, first, 1);
    case 'nvarchar':
      return characters(0xe7, first, 2);
    case 'nchar':
      return characters(0xef, first, 2);
    case 'varbinary':
      return bytes(first);
    default:
      throw new Error(`the test server sends no ${name}`);
  }
}

/** A type whose values begin with a byte of length. */
function sized(info: readonly number[], encode: (text: string) => Buffer): ValueType {
  const withLength = (text: string) => {
    const value = encode(text);
    return Buffer.concat([Buffer.from([value.length]), value]);
  };
  return { typeInfo: Buffer.from(info), nullValue: zero, encode: withLength };
}

function integer(length: number): ValueType {
  return sized([0x26, length], (text) => littleEndian(BigInt(text), length));
}

function decimal(token: number, precision: number, scale: number): ValueType {
  const length = precision <= 9 ? 4 : precision <= 19 ? 8 : precision <= 28 ? 12 : 16;
  return sized([token, length + 1, precision, scale], (text) => {
    const value = unscaled(text, scale);
    const magnitude = littleEndian(value < 0n ? -value : value, length);
    return Buffer.concat([Buffer.from([value < 0n ? 0 : 1]), magnitude]);
  });
}

function unscaled(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const value = BigInt(whole + fraction.padEnd(scale, '0').slice(0, scale));
  return text.startsWith('-') ? -value : value;
}

/** Two halves of four bytes, the higher one first. */
function moneyBytes(text: string): Buffer {
  const value = littleEndian(unscaled(text, 4), 8);
  return Buffer.concat([value.subarray(4), value.subarray(0, 4)]);
}

function floatBytes(text: string, length: 4 | 8): Buffer {
  const buffer = Buffer.alloc(length);
  if (length === 4) buffer.writeFloatLE(Number(text));
  else buffer.writeDoubleLE(Number(text));
  return buffer;
}

const year1 = Date.parse('0001-01-01T00:00:00Z');
const dayMs = 86_400_000;

function littleEndian(value: bigint, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let rest = BigInt.asUintN(length * 8, value);
  for (let at = 0; at < length; at += 1) {
    buffer.writeUInt8(Number(rest & 0xffn), at);
    rest >>= 8n;
  }
  return buffer;
}

function daysSince(day: string, epochMs: number): bigint {
  return BigInt(Math.floor((Date.parse(`${day.slice(0, 10)}T00:00:00Z`) - epochMs) / dayMs));
}

/** A time of day in units of 100 ns. */
function ticksOf(time: string): bigint {
  const [, hours = '0', minutes = '0', seconds = '0', fraction = ''] =
    /(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?/.exec(time) ?? [];
  const whole = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return BigInt(whole) * 10_000_000n + BigInt(fraction.padEnd(7, '0').slice(0, 7));
}

function momentBytes(text: string): Buffer {
  const [day = '', time = ''] = text.split(' ');
  return Buffer.concat([littleEndian(ticksOf(time), 5), littleEndian(daysSince(day, year1), 3)]);
}

/** Kept with an offset of four hours, which readers have to leave aside: the instant is in UTC. */
function offsetMomentBytes(text: string): Buffer {
  const moment = momentBytes(text.replace(/[+-]\d{2}(:\d{2})?$/, ''));
  return Buffer.concat([moment, littleEndian(240n, 2)]);
}

const year1900 = Date.UTC(1900, 0, 1);

/** Days since 1900 and three-hundredths of seconds. */
function datetimeBytes(text: string): Buffer {
  const [day = '', time = ''] = text.split(' ');
  const parts = (ticksOf(time) * 300n + 5_000_000n) / 10_000_000n;
  return Buffer.concat([littleEndian(daysSince(day, year1900), 4), littleEndian(parts, 4)]);
}

function smallDatetimeBytes(text: string): Buffer {
  const [day = '', time = ''] = text.split(' ');
  const minutes = ticksOf(time) / 600_000_000n;
  return Buffer.concat([littleEndian(daysSince(day, year1900), 2), littleEndian(minutes, 2)]);
}

/** Its first three parts are little-endian. */
function guidBytes(text: string): Buffer {
  const [one = '', two = '', three = '', four = '', five = ''] = text.split('-');
  const reversed = [one, two, three].map((part) => Buffer.from(part, 'hex').reverse());
  return Buffer.concat([...reversed, Buffer.from(four + five, 'hex')]);
}

function characters(token: number, length: string | undefined, width: 1 | 2): ValueType {
  const bytesOf = (text: string) => Buffer.from(text, width === 2 ? 'utf16le' : 'latin1');
  const size = length === 'max' ? isMax : Number(length) * width;
  const typeInfo = Buffer.concat([Buffer.from([token]), littleEndian(BigInt(size), 2), collation]);
  return { typeInfo, ...lengthPrefixed(size, bytesOf) };
}

function bytes(length: string | undefined): ValueType {
  const size = length === 'max' ? isMax : Number(length);
  const typeInfo = Buffer.concat([Buffer.from([0xa5]), littleEndian(BigInt(size), 2)]);
  return { typeInfo, ...lengthPrefixed(size, (text) => Buffer.from(text.slice(2), 'hex')) };
}

function lengthPrefixed(
  size: number,
  bytesOf: (text: string) => Buffer,
): Pick<ValueType, 'nullValue' | 'encode'> {
  if (size === isMax) {
    return { nullValue: plpNull, encode: (text) => partiallyPrefixed(bytesOf(text)) };
  }
  return {
    nullValue: shortNull,
    encode(text) {
      const value = bytesOf(text);
      return Buffer.concat([littleEndian(BigInt(value.length), 2), value]);
    },
  };
}

/** In chunks with a length each, and an empty one at the end. */
function partiallyPrefixed(value: Buffer): Buffer {
  const parts = [littleEndian(BigInt(value.length), 8)];
  for (let at = 0; at < value.length; at += plpChunkBytes) {
    const chunk = value.subarray(at, at + plpChunkBytes);
    parts.push(littleEndian(BigInt(chunk.length), 4), chunk);
  }
  return Buffer.concat([...parts, Buffer.alloc(4)]);
}

/** Reads the type and the value of a parameter; what is read moves `at`. */
export class ParameterReader {
  readonly #data: Buffer;
  at: number;

  constructor(data: Buffer, at: number) {
    this.#data = data;
    this.at = at;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#data.length;
  }

  u8(): number {
    this.at += 1;
    return this.#data.readUInt8(this.at - 1);
  }

  u16(): number {
    this.at += 2;
    return this.#data.readUInt16LE(this.at - 2);
  }

  u32(): number {
    this.at += 4;
    return this.#data.readUInt32LE(this.at - 4);
  }

  take(length: number): Buffer {
    this.at += length;
    if (this.at > this.#data.length) throw new Error('the message ends within a value');
    return this.#data.subarray(this.at - length, this.at);
  }

  text(characterCount: number): string {
    return this.take(characterCount * 2).toString('utf16le');
  }

  /** The value of a parameter as text. */
  value(): string | null {
    const token = this.u8();
    switch (token) {
      case 0x26:
      case 0x68:
        this.u8();
        return this.#integer();
      case 0x6d:
        this.u8();
        return this.#float();
      case 0xe7:
      case 0xef:
        return this.#characters('utf16le');
      case 0xa7:
      case 0xaf:
        return this.#characters('latin1');
      default:
        throw new Error(`the test server takes no parameter of type 0x${token.toString(16)}`);
    }
  }

  #integer(): string | null {
    const value = this.take(this.u8());
    if (value.length === 0) return null;
    const magnitude = BigInt(`0x${Buffer.from(value).reverse().toString('hex')}`);
    return String(value.length === 1 ? magnitude : BigInt.asIntN(value.length * 8, magnitude));
  }

  #float(): string | null {
    const value = this.take(this.u8());
    if (value.length === 0) return null;
    return String(value.length === 4 ? value.readFloatLE() : value.readDoubleLE());
  }

  #characters(encoding: 'utf16le' | 'latin1'): string | null {
    const size = this.u16();
    this.take(collation.length);
    if (size !== isMax) {
      const length = this.u16();
      return length === isMax ? null : this.take(length).toString(encoding);
    }
    if (this.take(8).equals(plpNull)) return null;
    const parts: Buffer[] = [];
    for (let length = this.u32(); length > 0; length = this.u32()) parts.push(this.take(length));
    return Buffer.concat(parts).toString(encoding);
  }
}
