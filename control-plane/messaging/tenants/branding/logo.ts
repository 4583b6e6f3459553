import { invalid } from '../../errors.ts';
import { logoBytesMax } from '../schema.ts';

export interface Logo {
  readonly bytes: Buffer;
  readonly type: 'image/png' | 'image/jpeg';
}

const pngHead = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const jpegHead = Buffer.from('ffd8ff', 'hex');
const jpegTail = Buffer.from('ffd9', 'hex');

/**
 * The image in a base64 text, recognised by its bytes. A browser must never show it as anything
 * other than a picture, so SVG and HTML are refused. Throws `invalid_request`.
 */
export function readLogo(base64: string): Logo {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > logoBytesMax) throw invalid('logo', `must be at most ${logoBytesMax} bytes`);
  if (bytes.subarray(0, pngHead.length).equals(pngHead)) return { bytes, type: 'image/png' };
  const isJpeg = bytes.subarray(0, 3).equals(jpegHead) && bytes.subarray(-2).equals(jpegTail);
  if (isJpeg) return { bytes, type: 'image/jpeg' };
  throw invalid('logo', 'must be a PNG or JPEG file');
}
