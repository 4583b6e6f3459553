import { expect, test } from 'vitest';
import { mediaTypeOf } from './media-type.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

test.each([
  ['a PNG', latin1('\x89PNG\r\n\x1a\n....'), 'image/png'],
  ['a JPEG', latin1('\xff\xd8\xff\xe0..JFIF'), 'image/jpeg'],
  ['a WebP', latin1('RIFF....WEBPVP8 '), 'image/webp'],
  ['a WAV', latin1('RIFF....WAVEfmt '), 'audio/wav'],
  ['an AVI, which begins the same way', latin1('RIFF\x24\0\0\0AVI LIST'), undefined],
  ['an MP3 of low rate, without a tag', latin1('\xff\xf3\x40\xc4....'), 'audio/mpeg'],
  ['a PDF', latin1('%PDF-1.7\n%\xe2\xe3'), 'application/pdf'],
  ['an MP4', latin1('\0\0\0\x18ftypmp42'), 'video/mp4'],
  ['plain text', Buffer.from('name,phone\nAsha,+97150\n'), 'text/plain; charset=utf-8'],
  ['text in another script', Buffer.from('السلام عليكم'), 'text/plain; charset=utf-8'],
  [
    'text cut inside a character',
    Buffer.from(`${'a'.repeat(4_095)}é`),
    'text/plain; charset=utf-8',
  ],
  ['a page', Buffer.from('  <!doctype html><script>'), undefined],
  ['a page after a byte order mark', Buffer.from('\ufeff<html>'), undefined],
  ['SVG', Buffer.from('<svg xmlns="…" onload="…">'), undefined],
  ['a script', Buffer.from('#!/bin/sh\nrm -rf /'), undefined],
  ['a program', latin1('MZ\x90\0\x03'), undefined],
  ['an archive', latin1('PK\x03\x04\x14'), undefined],
  ['bytes that are not text', latin1('caf\xe9 au lait'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
])('%s', (_, head, type) => {
  expect(mediaTypeOf(head)).toBe(type);
});
