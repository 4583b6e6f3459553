import { agentSections, mappings } from '../../scripts/demo/mappings.ts';

const mappingTo = (status: 'proposed' | 'approved') => ({
  mapping: {
    profile: 'PINT-AE',
    fields: mappings['PINT-AE'].fields.map((field) => ({ ...field, status })),
  },
});

/** A call flow. */
const greeting = {
  version: 1,
  variables: { name: { default: 'x' } },
  start: 'say',
  nodes: {
    say: { type: 'say', text: 'Hello {{name}}', language: 'en-US', next: 'bye' },
    bye: { type: 'hangup' },
  },
};

/**
 * Bodies that are accepted, for routes whose schema alone does not lead to one. `#` becomes a number
 * that no other body has; `$name` a value of that field seen in answers, `$/path.name` one of that
 * collection.
 */
export const examples: Readonly<Record<string, readonly unknown[]>> = {
  'POST /v1/connectors': [
    {
      pattern: 'agent',
      kind: 'agent',
      name: 'n#',
      agent_id: '$/v1/agents.id',
      settings: { connector: 'erp' },
    },
    {
      pattern: 'database',
      kind: 'postgres',
      name: 'n#',
      default_profile: 'PINT-AE',
      settings: { host: 'erp.example.com', database: 'erp', user: 'u', password: 'p' },
    },
    ...Array(3).fill({
      pattern: 'database',
      kind: 'sqlite',
      name: 'n#',
      default_profile: 'PINT-AE',
      settings: { file: 'erp.db', sections: agentSections },
    }),
    { pattern: 'file', kind: 'files', name: 'n#', settings: { folder: '.' } },
  ],
  'PUT /v1/connectors/{id}/mapping': [mappingTo('approved'), mappingTo('proposed')],
  'PUT /v1/approval-policy': [{ mappings: 'one', live_submission: 'one' }],
  'POST /v1/connectors/{id}/discover': [{}, { header: 'OSALES' }],
  'POST /v1/connectors/{id}/mapping/approve': [{}],
  'POST /v1/connectors/{id}/mapping/preview': [{}, { documents: 2 }, mappingTo('proposed')],
  'POST /v1/invoices': [
    { connector_id: '$/v1/connectors.id', source_ref: '$source_ref', profile: 'PINT-AE' },
    { connector_id: '$/v1/connectors.id', source_ref: 'INV-#', profile: 'BIS-3.0' },
  ],
  'POST /v1/webhook-endpoints': [{ url: 'https://r.example.com/#', event_types: ['invoice.*'] }],
  'POST /v1/webhook-endpoints/{id}/replay': [{ since: '2026-01-01T00:00:00Z', only: 'all' }],
  'POST /v1/agents/enrol': [
    { control_plane_key: `${'A'.repeat(43)}=`, sealed: Buffer.alloc(200).toString('base64') },
  ],
  'POST /v1/api-keys': [{ name: 'k#', scopes: ['invoices:read'] }],
  'POST /contacts/': [
    {
      phone: '+9715012#',
      name: 'N#',
      segments: ['VIP'],
      attributes: { city: 'Dubai', born: '1990-02-28' },
    },
  ],
  'POST /contacts/segments/': [
    { name: 's#', query: { attribute: 'city', is: ['Dubai'] } },
    { name: 's#', query: { all: [{ attribute: 'born', below: '2000-01-01' }, { text: 'n' }] } },
    { name: 's#' },
  ],
  'POST /contacts/opt-outs/': [{ channel: 'sms', address: '+9715013#' }],
  'POST /contacts/{id}/consents/': [{ channel: 'sms', state: 'granted', note: '#' }],
  'POST /contacts/{id}/merge/': [{ contact_id: '$/contacts.id' }],
  'POST /tenants/tenant-tags/': [{ name: 't#' }],
  'POST /tenants/api-keys/': [{ name: 'k#', role: 'agent' }],
  'POST /tenants/members/invite/': [{ email: 'p#@example.com', role: 'agent' }],
  'POST /wa/v1/apps/': [{ name: 'a#' }],
  'POST /sms/v1/apps/': [
    { name: 'a#' },
    ...Array(2).fill({
      name: 'a#',
      provider: 'generic-http-sms',
      allow_unsigned: true,
      settings: {},
    }),
  ],
  'POST /botchat/v1/bots/': [{ name: 'a#' }, { name: 'a#', allow_unsigned: true }],
  'POST /rcs/v1/apps/': [{ name: 'a#' }],
  'POST /wa/v1/templates/': [
    {
      name: 't#',
      body: 'Good morning, {{1}}.',
      language: 'en',
      category: 'UTILITY',
      body_examples: ['A'],
      app_id: '$/wa/v1/apps.id',
    },
  ],
  'POST /sms/v1/templates/': [{ name: 't#', body: 'Good morning, {{name}} {{__proto__}}.' }],
  'POST /botchat/v1/templates/': [{ name: 't#', body: 'Good morning, {{constructor}}.' }],
  'POST /rcs/v1/templates/': [{ name: 't#', body: 'Good morning.' }],
  'POST /wa/v1/messages/': [
    { to: '+9715012#', type: 'text', text: { body: 'hello #' }, app_id: '$/wa/v1/apps.id' },
    {
      to: '+9715012#',
      type: 'template',
      template: {
        name: '$/wa/v1/templates.name',
        language: 'en',
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'A' }] }],
      },
      app_id: '$/wa/v1/apps.id',
    },
  ],
  'POST /sms/v1/messages/': [
    { to: '+9715012#', text: 'hello #', app_id: '$/sms/v1/apps.id' },
    { to: '+9715012#', template: { name: '$/sms/v1/templates.name' }, app_id: '$/sms/v1/apps.id' },
  ],
  'POST /botchat/v1/messages/': [{ to: '12345', text: 'hello #', app_id: '$/botchat/v1/bots.id' }],
  'POST /sms/v1/webhooks/{app_id}/inbound/': [
    { id: 'in#', from: '+9715012#', to: '+9715019999', text: 'hello #' },
  ],
  'POST /sms/v1/webhooks/{app_id}/dlr/': [
    { id: '$provider_id', reference: '$/sms/v1/messages.message_id', status: 'delivered' },
  ],
  'POST /botchat/v1/webhooks/{app_id}/': [
    {
      update_id: 1,
      message: { message_id: '#', chat: { id: '12#', type: 'private' }, text: 'hello #' },
    },
  ],
  'POST /rcs/v1/messages/': [{ to: '+9715012#', text: 'hello #', app_id: '$/rcs/v1/apps.id' }],
  'POST /rcs/v1/capabilities/': [{ phones: ['+9715012#'], app_id: '$/rcs/v1/apps.id' }],
  'POST /broadcast/': [
    {
      template: '$/sms/v1/templates.name',
      segment: 'VIP',
      channel: 'sms',
      app_id: '$/sms/v1/apps.id',
      schedule_at: new Date(Date.now() + 86_400_000).toISOString(),
      variables: { name: { value: 'x' }, __proto__x: { attribute: 'y' } },
    },
    {
      template: '$/sms/v1/templates.name',
      segment: 'VIP',
      channel: 'sms',
      app_id: '$/sms/v1/apps.id',
      dry_run: true,
      variables: { name: { value: 'x' } },
    },
  ],
  'POST /broadcast/test/': [
    { template: '$/sms/v1/templates.name', app_id: '$/sms/v1/apps.id', to: ['$/contacts.id'] },
  ],
  'POST /broadcast/{id}/resend/': [{ to: ['failed', 'unknown'] }],
  'POST /sms/v1/broadcast/': [
    { template: '$/sms/v1/templates.name', segment: 'VIP', app_id: '$/sms/v1/apps.id' },
    { template: 't9', segment: 'VIP', app_id: '$/sms/v1/apps.id', track_urls: true },
  ],
  'POST /rcs/v1/broadcast/': [
    { template: '$/rcs/v1/templates.name', segment: 'VIP', app_id: '$/rcs/v1/apps.id' },
  ],
  'POST /botchat/v1/broadcast/': [
    { template: '$/botchat/v1/templates.name', segment: 'VIP', app_id: '$/botchat/v1/bots.id' },
  ],
  'POST /team-inbox/api/export-pdf/': [
    { conversation_id: '$/team-inbox/api/conversations.id', include_notes: true },
  ],
  'POST /team-inbox/api/conversations/{id}/reply/': [{ text: 'hello #' }],
  'POST /team-inbox/api/conversations/{id}/notes/': [{ text: 'note #' }],
  'PATCH /team-inbox/api/conversations/': [
    { ids: ['$/team-inbox/api/conversations.id'], state: 'closed' },
  ],
  'POST /team-inbox/api/canned-replies/': [
    { shortcut: 'r#', title: 't', text: 'Hello {{contact.first_name}}, {{agent.name}}' },
    { shortcut: 'r#', title: 't', text: '{{contact.attributes.city}}' },
  ],
  'PUT /team-inbox/api/settings/': [
    { time_zone: 'Asia/Dubai', weekly_hours: [{ day: 'mon', from: '09:00', to: '17:00' }] },
  ],
  'POST /v1/validate': [{ profile: 'PINT-AE', invoice: { number: 'INV-#' } }, { xml: '<a/>' }],
  'POST /voice/api/provider-configs/': [
    { name: 'v#', provider: 'twilio-voice', from_number: '+60312345678' },
    { name: 'v#', provider: 'plivo-voice', from_number: '+60312345678', settings: {} },
    { name: 'v#', provider: 'vonage-voice', from_number: '+60312345678', settings: { a: 'b' } },
  ],
  'POST /voice/api/templates/': [{ name: 'f#', flow: greeting }],
  'PATCH /voice/api/templates/{id}/': [
    { name: 'f#' },
    { flow: { ...greeting, variables: { name: { default: 'y#' } } } },
    { name: 'f#', flow: greeting },
  ],
  'POST /voice/api/calls/': [
    {
      to: '+60123456#',
      template_id: '$/voice/api/templates.id',
      provider_config: '$/voice/api/provider-configs.name',
      variables: { name: 'x' },
    },
  ],
  'POST /voice/api/recording-consents/': [
    { phone: '+9715012#', state: 'granted', method: 'written', evidence: '#' },
  ],
  'POST /voice/api/rate-cards/': [{ prefix: '+97#', currency: 'USD', per_minute: '0.05' }],
  'POST /webhook-endpoints/': [{ url: 'https://r.example.com/#' }],
  'POST /webhook-endpoints/{id}/replay/': [{ since: '2026-01-01T00:00:00Z', only: 'all' }],
};

/** Files that are accepted, by the path that takes them. */
export const uploads: Readonly<Record<string, string>> = {
  '/contacts/bulk-import/':
    'phone,name,segments\n+971501234567,Amal,VIP\n+971501234568,Bilal,VIP\n',
  '/contacts/bulk-import/preview/': 'mobile;name\n+971501234567;Amal\n12;Bilal\n',
  '/voice/api/rate-cards/import/': 'prefix,currency,per_minute\n+971,USD,0.05\n+972,USD,0.06\n',
  '/voice/api/rate-cards/import/preview/': 'prefix,currency,per_minute\n+971,USD,0.05\n972,USD,6\n',
};
