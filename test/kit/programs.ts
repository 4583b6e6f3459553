/**
 * What tests start as processes and threads: the agent, the control plane and what both start, from
 * a build that vitest's set-up makes once for the run, because a start from a thousand sources costs
 * twice the time. Outside vitest they are the sources.
 */
import { join, relative } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** What is started as a process or a thread. */
export const programs = [
  'agent/main.ts',
  'connectors/sqlite/process/program.ts',
  'control-plane/main.ts',
  'control-plane/einvoice/connectors/source-thread/program.ts',
  'control-plane/einvoice/document-checks/thread.ts',
  'control-plane/messaging/contacts/imports/sheet-thread.ts',
  'control-plane/messaging/team-inbox/export/pdf/worker/worker-process.ts',
].map((path) => join(root, path));

/** Names the folder of the build. */
export const buildVariable = 'DRAWBRIDGE_TEST_PROGRAMS';

/** `node agent/main.ts` */
export const agentMain = built(join(root, 'agent/main.ts'));

/** `node control-plane/main.ts` */
export const controlPlaneMain = built(join(root, 'control-plane/main.ts'));

function built(source: string): string {
  const folder = process.env[buildVariable];
  return folder === undefined ? source : builtFile(folder, source);
}

/** Where the build in a folder has a program. */
export function builtFile(folder: string, source: string): string {
  return join(folder, relative(root, source).replace(/\.ts$/, '.js'));
}
