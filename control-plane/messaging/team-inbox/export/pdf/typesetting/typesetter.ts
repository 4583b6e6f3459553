/**
 * Typesets parts of conversations with typst: native code that runs for seconds, see pdf-worker.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { DocumentPart } from '../document.ts';
import { fontCoverage, fontFamilies, fontFolders } from './fonts.ts';
import { templateDataOf } from './template-data.ts';

export interface Typesetter {
  /** The PDF file; the same part gives the same bytes. */
  typeset(part: DocumentPart): Uint8Array;
}

/** An empty folder, so that a template can only read files that we map into it. */
const workspace = '/drawbridge-typesetter';

export function openTypesetter(): Typesetter {
  const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: fontFolders() }] });
  const template = readFileSync(join(import.meta.dirname, 'conversation.typ'), 'utf8');
  const covers = fontCoverage();

  /** Asks typst itself, on a separate page, because only typst knows what it refuses. */
  function canDecode(path: string, bytes: Uint8Array): boolean {
    compiler.mapShadow(workspace + path, Buffer.from(bytes));
    const { result } = compiled(`#set page(width: auto, height: auto)\n#image("${path}")`);
    if (result === null) return false;
    try {
      return compiler.pdf(result).length > 0;
    } catch {
      return false; // some faults appear only when the PDF is written
    }
  }

  return {
    typeset: (part) => {
      try {
        const { sheet } = templateDataOf(part, { covers, families: fontFamilies, canDecode });
        const data = Buffer.from(JSON.stringify(sheet));
        compiler.mapShadow(`${workspace}/sheet.json`, data);
        const { result, problem } = compiled(template);
        if (result === null) throw new Error(`typst refused the document: ${problem}`);
        return compiler.pdf(result);
      } finally {
        compiler.resetShadow();
        compiler.evictCache(0);
      }
    },
  };

  function compiled(source: string) {
    const outcome = compiler.compile({ mainFileContent: source });
    if (!outcome.hasError()) return { result: outcome.result, problem: '' };
    const { shortDiagnostics = [] } = outcome.takeError() ?? {};
    return { result: null, problem: JSON.stringify(shortDiagnostics) };
  }
}
