import type { Command } from 'commander';
import type { Runtime } from '../runtime.ts';

/**
 * All commands by name. Each is loaded when it is asked for: loading all of them takes longer than most of
 * them run.
 */
export const commands: Readonly<Record<string, () => Promise<(runtime: Runtime) => Command>>> = {
  enroll: async () => (await import('./enroll.ts')).enrollCommand,
  connect: async () => (await import('./connect.ts')).connectCommand,
  unenroll: async () => (await import('./unenroll.ts')).unenrollCommand,
  run: async () => (await import('./run.ts')).runCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  connector: async () => (await import('./connector.ts')).connectorCommand,
  company: async () => (await import('./company.ts')).companyCommand,
  mapping: async () => (await import('./mapping.ts')).mappingCommand,
  invoice: async () => (await import('./invoice.ts')).invoiceCommand,
  config: async () => (await import('./config.ts')).configCommand,
  secret: async () => (await import('./secret.ts')).secretCommand,
  bundle: async () => (await import('./bundle.ts')).bundleCommand,
  cursor: async () => (await import('./cursor.ts')).cursorCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  queue: async () => (await import('./queue.ts')).queueCommand,
  completion: async () => {
    const { completionCommand } = await import('./completion.ts');
    return (runtime) => completionCommand(runtime, commands);
  },
  logs: async () => (await import('./logs.ts')).logsCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  tap: async () => (await import('./tap.ts')).tapCommand,
  diag: async () => (await import('./diag.ts')).diagCommand,
  validate: async () => (await import('./validate.ts')).validateCommand,
  explain: async () => (await import('./explain.ts')).explainCommand,
  rules: async () => (await import('./rules.ts')).rulesCommand,
  service: async () => (await import('./service.ts')).serviceCommand,
  upgrade: async () => (await import('./upgrade.ts')).upgradeCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
};
