import { existsSync } from 'node:fs';
import { authority } from '@drawbridge/rules/rule-coverage.suite.ts';
import { officialXsd } from '@drawbridge/validation/official-xsd.fixture.ts';
import { SchemaStage } from '@drawbridge/validation/xsd.ts';
import { expect, test } from 'vitest';
import { readApplicationResponse } from './application-response.ts';
import { type InvoiceResponse, writeInvoiceResponse } from './invoice-response.ts';

const response: InvoiceResponse = {
  id: 'rsp_1',
  issuedAt: new Date('2027-03-01T08:09:10.123Z'),
  sender: { scheme: '0208', id: '0884000001', name: 'Buyer & <Sons>' },
  receiver: { scheme: '0208', id: '0403019261', name: 'Brouwerij' },
  code: 'RE',
  note: 'See "mail"',
  clarifications: [
    { list: 'OPStatusReason', code: 'PRI', text: 'twice the agreed price' },
    { list: 'OPStatusAction', code: 'NIN', text: undefined },
  ],
  document: { number: 'R-1 & 2', issueDate: '2027-02-28', typeCode: '380' },
};

test('is read as what it says, also by those who answer it', () => {
  expect(readApplicationResponse(writeInvoiceResponse(response))).toMatchObject({
    code: 'RE',
    documentId: 'R-1 & 2',
    sender: { scheme: '0208', id: '0884000001' },
    receiver: { scheme: '0208', id: '0403019261' },
    issuedAt: new Date('2027-03-01T08:09:10Z'),
  });
});

/** The root as UBL 2.1 describes it; OASIS's schemas of its content are among the artefacts. */
const root = `<?xml version="1.0" encoding="UTF-8"?>
<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"
  xmlns="urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2"
  xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
  xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
  targetNamespace="urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2"
  elementFormDefault="qualified">
  <xsd:import namespace="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
    schemaLocation="UBL-CommonAggregateComponents-2.1.xsd"/>
  <xsd:import namespace="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
    schemaLocation="UBL-CommonBasicComponents-2.1.xsd"/>
  <xsd:element name="ApplicationResponse"><xsd:complexType><xsd:sequence>
    <xsd:element ref="cbc:CustomizationID"/><xsd:element ref="cbc:ProfileID"/>
    <xsd:element ref="cbc:ID"/><xsd:element ref="cbc:IssueDate"/>
    <xsd:element ref="cbc:IssueTime" minOccurs="0"/><xsd:element ref="cbc:Note" minOccurs="0"/>
    <xsd:element ref="cac:SenderParty"/><xsd:element ref="cac:ReceiverParty"/>
    <xsd:element ref="cac:DocumentResponse"/>
  </xsd:sequence></xsd:complexType></xsd:element>
</xsd:schema>`;

test("keeps OASIS's schema", (context) => {
  if (!existsSync(authority)) context.skip(`the official schemas are not at ${authority}`);
  const { imports } = officialXsd('Invoice');
  const stage = new SchemaStage('invoice-response.test', { main: root, imports });
  expect(stage.check(writeInvoiceResponse(response))).toEqual([]);
  const bare = { ...response, note: undefined, clarifications: [], code: 'AP' };
  expect(stage.check(writeInvoiceResponse(bare))).toEqual([]);
  const broken = writeInvoiceResponse(response).replace(
    '</cac:Response>',
    '<cbc:ID>1</cbc:ID></cac:Response>',
  );
  expect(stage.check(broken)).not.toEqual([]);
});
