import type { Medium } from '../document.ts';
import { isPrinted, type PrintedFormat, pictureIn } from '../pictures/picture.ts';
import { thumbnailMm } from '../pictures/thumbnail.ts';
import { type Coverage, factsLine, type Paragraph } from './text.ts';

/** A picture in its printed size, or a labelled box for one that cannot be shown. */
export interface MediaBox {
  readonly path?: string;
  readonly format?: PrintedFormat;
  /** Millimetres. */
  readonly width?: number;
  readonly height?: number;
  readonly label: string;
  readonly caption: Paragraph;
}

export interface MediaBoxes {
  medium(medium: Medium): MediaBox;
  /** Null when it cannot be shown. */
  logo(bytes: Uint8Array): MediaBox | null;
  /** All pictures that are shown, by path. */
  readonly pictures: Map<string, Uint8Array>;
}

const logoMm = { width: 48, height: 15 };
const mmAPixel = 25.4 / 110;

/** Makes the boxes of one document, and collects their pictures. */
export function mediaBoxes(
  canDecode: (path: string, bytes: Uint8Array) => boolean,
  covers: Coverage,
): MediaBoxes {
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

  function medium({ type, filename, contentType, bytes, thumbnail, problem }: Medium): MediaBox {
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
