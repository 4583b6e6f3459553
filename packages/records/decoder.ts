/** Decodes bytes that may come in pieces. */
export interface Decoder {
  readonly encoding: string;
  /** Throws where bytes are not of the encoding, if it is strict. */
  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string;
}

/** A decoder of one text in one of the `encodings`; a strict one refuses bytes that are not of it. */
export function decoderOf(encoding: string, { isStrict }: { readonly isStrict: boolean }): Decoder {
  return encoding === 'ibm850' ? ibm850 : new TextDecoder(encoding, { fatal: isStrict });
}

/** What the bytes from 0x80 on are in code page 850 of DOS, which TextDecoder does not know. */
const upperHalf =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ' +
  'áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀' +
  'ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/** It keeps nothing between two pieces: each byte is a character. */
const ibm850: Decoder = {
  encoding: 'ibm850',
  decode: (bytes = new Uint8Array()) =>
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString('latin1')
      .replace(/[\x80-\xff]/g, (character) => upperHalf[character.charCodeAt(0) - 0x80]!),
};
