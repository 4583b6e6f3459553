import type { Medium } from './document.ts';
import { isPrinted, type PrintedFormat, pictureIn } from './picture.ts';
import { type Coverage, factsLine, type Paragraph } from './text.ts';
import { thumbnailMm } from './thumbnail.ts';

/** A picture at its size on paper, or the box that stands for what cannot be shown. */
export interface Frame {
  readonly path?: string;
  readonly format?: PrintedFormat;
  /** Millimetres. */
  readonly width?: number;
  readonly height?: number;
  readonly label: string;
  readonly caption: Paragraph;
}

export interface Frames {
  medium(medium: Medium): Frame;
  /** Null when it cannot be shown. */
  logo(bytes: Uint8Array): Frame | null;
  /** All pictures shown, by path. */
  readonly pictures: Map<string, Uint8Array>;
}

const logoMm = { width: 48, height: 15 };
const mmAPixel = 25.4 / 110;

/** Makes frames, and keeps the pictures that go into them. */
export function framesOf(
  canDecode: (path: string, bytes: Uint8Array) => boolean,
  covers: Coverage,
): Frames {
  const pictures = new Map<string, Uint8Array>();

  function shown(bytes: Uint8Array, box: typeof logoMm) {
    const picture = pictureIn(bytes);
    if ('problem' in picture) return picture;
    const { width, height, format } = picture;
    if (!isPrinted(format)) return { problem: 'its format is not known' };
    const path = `/pictures/${pictures.size}.${format}`;
    if (!canDecode(path, picture.bytes)) return { problem: 'the picture is damaged' };
    pictures.set(path, picture.bytes);
    const scale = Math.min(mmAPixel, box.width / width, box.height / height);
    return { path, format, width: width * scale, height: height * scale };
  }

  function medium({ type, filename, contentType, bytes, thumbnail, problem }: Medium): Frame {
    const size = bytes === undefined ? undefined : sizeOf(bytes);
    const facts = [filename, contentType, size].filter((fact) => fact !== undefined);
    const caption = factsLine(facts, covers);
    const label = type.slice(0, 40);
    if (thumbnail === undefined) {
      return {
        label: problem === undefined ? label : `${label}: ${problem.slice(0, 200)}`,
        caption,
      };
    }
    const frame = shown(thumbnail, thumbnailMm);
    if ('problem' in frame) return { label: `${label}: ${frame.problem}`, caption };
    return { ...frame, label, caption };
  }

  return {
    medium,
    logo: (bytes) => {
      const frame = shown(bytes, logoMm);
      return 'problem' in frame ? null : { ...frame, label: '', caption: factsLine([], covers) };
    },
    pictures,
  };
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1e3).toFixed(0)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
