/**
 * The files of a browser application, as a build left them:
 *
 *     app.use('/console', staticFiles(folder));
 *
 * All are read and compressed when it starts. A path that no file has answers the start page, which
 * knows the pages itself.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RequestHandler, Response } from 'express';
import { commonFail } from './errors.ts';

interface StaticFile {
  readonly bytes: Buffer;
  /** Undefined where it would not get smaller. */
  readonly gzip: Buffer | undefined;
  readonly type: string;
  /** Its name has a hash of its content, so it never changes. */
  readonly isHashed: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** Files of this address only, nothing inline, in no frame. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Throws when the folder cannot be read. */
export function staticFiles(folder: string): RequestHandler {
  const files = new Map(filesOf(folder).map((path) => [path, readFile(folder, path)]));
  const start = files.get('/index.html');
  if (start === undefined) throw new Error(`${folder} has no index.html`);
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const { path } = request;
    const file = files.get(path);
    if (file !== undefined) return sendFile(file, request.headers['accept-encoding'], response);
    // A name with a dot is a file: of another build, or mistyped.
    if (extname(path) !== '') throw commonFail('not_found', 'There is no such file.');
    sendFile(start, request.headers['accept-encoding'], response);
  };
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/'))
    .map((path) => (path.startsWith('/') ? path : `/${path}`));
}

function readFile(folder: string, path: string): StaticFile {
  const bytes = readFileSync(join(folder, path));
  const zipped = gzipSync(bytes, { level: 9 });
  return {
    bytes,
    gzip: zipped.length < bytes.length * 0.9 ? zipped : undefined,
    type: types[extname(path)] ?? 'application/octet-stream',
    isHashed: path.startsWith('/assets/'),
  };
}

function sendFile(
  { bytes, gzip, type, isHashed }: StaticFile,
  accepted: string | string[] | undefined,
  response: Response,
): void {
  const isZipped = gzip !== undefined && /\bgzip\b/.test(String(accepted ?? ''));
  response.set({
    'content-type': type,
    'content-security-policy': pagePolicy,
    // The start page names the files of one build; kept, it would ask for those of another. And what is
    // shown in it a browser must not keep for the way back, where it would be after the sign-out.
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-store',
    vary: 'accept-encoding',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
  });
  response.end(isZipped ? gzip : bytes);
}
