/** Sets parts of conversations with typst. Native code that works for seconds: see press.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import type { DocumentPart } from './document.ts';
import { fontCoverage, fontFamilies, fontFolders } from './fonts.ts';
import { sheetOf } from './sheet.ts';

export interface Typesetter {
  /** The PDF file; the same part gives the same bytes. */
  typeset(part: DocumentPart): Uint8Array;
}

/** There is nothing in it: whatever a template could read comes from us. */
const workspace = '/drawbridge-typesetter';

export function openTypesetter(): Typesetter {
  const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: fontFolders() }] });
  const template = readFileSync(join(import.meta.dirname, 'conversation.typ'), 'utf8');
  const covers = fontCoverage();

  /** The typesetter itself is asked, on a page apart: nothing else knows all that it refuses. */
  function canDecode(path: string, bytes: Uint8Array): boolean {
    compiler.mapShadow(workspace + path, Buffer.from(bytes));
    const { result } = compiled(`#set page(width: auto, height: auto)\n#image("${path}")`);
    if (result === null) return false;
    try {
      return compiler.pdf(result).length > 0;
    } catch {
      return false; // some faults show only when it is written
    }
  }

  return {
    typeset: (part) => {
      try {
        const { sheet } = sheetOf(part, { covers, families: fontFamilies, canDecode });
        const data = Buffer.from(JSON.stringify(sheet));
        compiler.mapShadow(`${workspace}/sheet.json`, data);
        const { result, problem } = compiled(template);
        if (result === null) throw new Error(`typst refused the sheet: ${problem}`);
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
