import { SaxesParser } from 'saxes';

const depthMax = 64;
const linesMax = 200;

/** The content of an ApplicationResponse: a message level status (MLS) or an invoice response. */
export interface ApplicationResponse {
  readonly code: string;
  readonly description: string | undefined;
  /**
   * The answered document: an SBDH instance id in an MLS, an invoice number in an invoice response.
   */
  readonly documentId: string;
  readonly sender: Party;
  readonly receiver: Party;
  /** When it was issued; undefined when it gives no day and time. */
  readonly issuedAt: Date | undefined;
  readonly lines: readonly ResponseLine[];
}

/** An electronic address. */
interface Party {
  readonly scheme: string;
  readonly id: string;
}

interface ResponseLine {
  /** XPath into the document; absent when the receiver wrote `NA`. */
  readonly location: string | undefined;
  readonly reason: string | undefined;
  readonly description: string | undefined;
}

/** Reads an ApplicationResponse, bare or in its SBDH; undefined when the text is not one. */
export function readApplicationResponse(xml: string): ApplicationResponse | undefined {
  const values = readValues(xml);
  const whole = values?.filter((row) => row.line === undefined) ?? [];
  const at = (ending: string) => whole.find((row) => row.path.endsWith(ending));
  const code = at('DocumentResponse/Response/ResponseCode')?.text;
  const documentId = at('DocumentResponse/DocumentReference/ID')?.text;
  if (values === undefined || code === undefined || documentId === undefined) return undefined;
  const party = (role: string): Party => {
    const endpoint = at(`${role}/EndpointID`);
    return { scheme: endpoint?.scheme ?? '', id: endpoint?.text ?? '' };
  };
  const byLine = [...Map.groupBy(values, (row) => row.line)];
  return {
    code,
    documentId,
    description: at('DocumentResponse/Response/Description')?.text,
    sender: party('SenderParty'),
    receiver: party('ReceiverParty'),
    issuedAt: instantOf(
      at('ApplicationResponse/IssueDate')?.text,
      at('ApplicationResponse/IssueTime')?.text,
    ),
    lines: byLine
      .filter(([line]) => line !== undefined)
      .slice(0, linesMax)
      .map(([, rows]) => readLine(rows)),
  };
}

/** The instant; a time without a zone counts as UTC. */
function instantOf(day: string | undefined, time: string | undefined): Date | undefined {
  if (day === undefined || time === undefined) return undefined;
  const zoned = /(Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}Z`;
  const instant = new Date(`${day}T${zoned}`);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

function readLine(rows: readonly Value[]): ResponseLine {
  const at = (ending: string) => rows.find((row) => row.path.endsWith(ending))?.text;
  const location = at('LineReference/LineID');
  return {
    location: location === 'NA' ? undefined : location,
    reason: at('Status/StatusReasonCode'),
    description: at('Response/Description'),
  };
}

interface Value {
  /** Local names from the root, joined by `/`. */
  readonly path: string;
  /** The LineResponse it is in, counted from 1; undefined outside. */
  readonly line: number | undefined;
  readonly scheme: string | undefined;
  readonly text: string;
}

function readValues(xml: string): readonly Value[] | undefined {
  const found: Value[] = [];
  const open: { name: string; scheme: string | undefined }[] = [];
  let text = '';
  let lines = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type declaration is not allowed');
  });
  parser.on('opentag', (tag) => {
    if (open.length >= depthMax) throw new Error('too deep');
    if (tag.local === 'LineResponse') lines += 1;
    open.push({ name: tag.local, scheme: tag.attributes.schemeID?.value });
    text = '';
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('closetag', () => {
    if (text.trim() !== '') {
      const names = open.map((element) => element.name);
      const line = names.includes('LineResponse') ? lines : undefined;
      const scheme = open.at(-1)?.scheme;
      found.push({ path: names.join('/'), line, scheme, text: text.trim() });
    }
    text = '';
    open.pop();
  });
  try {
    parser.write(xml).close();
  } catch {
    return undefined; // it may be any text; this is not a response
  }
  return found;
}
