import { agent } from './agent/connector.ts';
import type { ConnectorKind } from './contract.ts';
import { files } from './files/connector.ts';
import { http } from './http/connector.ts';
import { imap } from './imap/connector.ts';
import { mssql } from './mssql/connector.ts';
import { myinvois } from './myinvois/connector.ts';
import { mysql } from './mysql/connector.ts';
import { postgres } from './postgres/connector.ts';
import { sqlite } from './sqlite/connector.ts';

/** Every kind of source, one line for each, in the order in which they are offered. */
export const connectorKinds: readonly ConnectorKind[] = [
  mysql as ConnectorKind,
  postgres as ConnectorKind,
  mssql as ConnectorKind,
  sqlite as ConnectorKind,
  files as ConnectorKind,
  imap as ConnectorKind,
  http as ConnectorKind,
  myinvois as ConnectorKind,
  agent as ConnectorKind,
];

/** The kind of that name, or undefined. */
export function connectorKind(kind: string): ConnectorKind | undefined {
  return connectorKinds.find((one) => one.kind === kind);
}
