/**
 * What `connect` says, by key, for people; `{name}` is filled in. A translation has the same keys.
 */
const texts = {
  keys: 'Enter takes what is proposed, Esc goes back, Ctrl-C stops: what was answered is kept.',
  resumed: 'Going on from where you stopped ({address}). `--restart` begins anew.',
  stopped: 'Stopped. `drawbridge connect` goes on from here.',

  'answer.choice': 'It is one of: {choices}.',
  'answer.open': 'The question "{id}" is open: {question}.',
  'answer.give': 'Answer it by `--answer {id}=…`.',
  'answer.give-or-yes': 'Answer it by `--answer {id}=…`, or take what is proposed by `--yes`.',

  'work.path': 'Looking at the path …',
  'work.source': 'Logging in, and looking for invoices …',
  'work.tables': 'Listing the tables …',
  'work.rows': 'Reading the first rows …',
  'work.documents': 'Reading the newest documents …',
  'work.kept': 'Keeping it …',
  'work.identity': 'Looking at this host …',
  'work.remote': 'Asking the control plane who you are …',
  'work.company': 'Telling the control plane who you are …',
  'work.proposed': 'Finding out what the columns mean …',
  'work.tried': 'Trying it on the newest documents …',
  'work.retried': 'Trying it once more …',
  'work.accepted': 'Approving the mapping, and submitting the first invoice …',
  'work.policy': 'Setting that …',

  kind: 'Where do your invoices stand?',
  'kind.why': 'The agent reads them there; nothing is changed, and the login stays on this host.',

  'address.server': 'Address of the database',
  'address.server.why': 'As user@host:port/database; a user that may only read is best.',
  'address.file': 'Path of the database file',
  'address.file.why': 'It is opened for reading alone.',
  'address.folder': 'Path of the folder',
  'address.folder.why': 'Files in it are read, and stay where they are.',
  'address.mailbox': 'Address of the mailbox',
  'address.mailbox.why': 'As user@host/MAILBOX; INBOX when no mailbox is named.',
  'address.password':
    'Leave the password out of the address, where others could see it: you are asked for it.',
  'address.database': 'Name the database too: user@host/database.',
  'address.user': 'Name the user too: user@host/MAILBOX.',
  'address.form': 'This is no address: write user@host:port/database, without anything after it.',
  'address.scheme': 'Begin it with {schemes}, or name a file or a folder.',
  'address.api':
    'An ERP that answers over HTTP needs more settings than an address: describe it in a file, and run `drawbridge connector add http --settings-file FILE`.',

  name: 'Under which name is it to be kept?',
  'name.why': 'The control plane asks for it by that name: lower-case letters, digits and hyphens.',
  'name.taken': 'There is a connector named "{name}", of another source.',
  'name.declared': '"{name}" is of the configuration file.',

  'answer.unknown': '--answer {id}: there is no such question.{near}',
  'answer.near': ' Perhaps {ids}?',

  'path.missing': '{path} does not exist, or this user may not see it.',
  'path.other':
    '{path} is neither a SQLite database nor a folder or file of invoices: files of them end in {endings}.',
  'path.empty': '{path} is empty: there is neither a database nor an invoice in it.',
  'path.unreadable': '{path} may not be read by this user.',
  'path.beside':
    '{file} stands in a folder of {files} files that look alike; all of them are read. For that file alone, put it into a folder of its own.',

  grants:
    'A login that may read and nothing else is enough. An administrator makes it by this script:',
  password: 'Password of {user}',
  'password.why':
    'It is sealed on this host. Or where it is kept: env:NAME, file:PATH or keyring:NAME.',
  'password.reference':
    'On a command line others can see it: give env:NAME, file:PATH or keyring:NAME.',

  mend: 'How do you want to go on?',
  'mend.why': 'Nothing is lost: what was answered before stays.',
  'mend.again': 'Try again',
  'mend.address': 'Another address',
  'mend.password': 'Another password',
  'mend.tls-verify': 'With TLS, and a certificate that is trusted here',
  'mend.tls-unverified': 'With TLS, whatever the certificate',
  'mend.tls-starttls': 'With TLS after the server offers it (STARTTLS)',
  'mend.tls-off': 'Without TLS: the password is sent readable',
  'mend.by-hand': 'Choose the tables by hand',

  'found.source': '{product}, {places} tables',
  'no-tables':
    'The login works, but sees no table. Run this as an administrator, or name another database:',
  'no-tables.file': 'The database has no tables: name another one.',
  'may-not-read': 'The login works, but: {message} Run this as an administrator:',
  note: 'Note: {note}',
  notes: 'Further notes: {count}.',

  sections: 'An invoice consists of: {sections}.',
  section: '{name} from "{table}"',
  filter: '{column} = {value}',
  'filter.empty': '{column} is empty',
  'section.where': '{section} where {filters}',
  documents: 'The {count} newest, as they would be read:',
  'documents.none': 'No document could be read that could be shown.',
  'document.number': 'Number {value}',
  'document.date': 'of {value}',
  'document.customer': 'to {value}',
  'document.total': 'total {value}',
  'document.line': '{quantity} × {name} at {price}',
  'document.lines': 'and {count} more lines',
  'document.no-lines': 'no lines',
  right: 'Are these your invoices?',
  'right.why': 'Compare them with what your ERP shows. Nothing is sent.',
  'right.yes': 'Yes',
  'right.layout': 'No: {title}',
  'right.other': 'No: the invoices are in "{table}"',
  'right.by-hand': 'No: I choose the tables',

  'right.by-hand-file': 'No: I say how the files are laid out',

  'hand.names-row': 'Which row holds the names of the columns?',
  'hand.names-row.why': 'These are the first rows of the newest file.',
  'hand.names-row.none': 'None: the columns have no names',
  'hand.row-is': 'What is one row below it?',
  'hand.row-is.why': 'So the rows of one invoice are put together.',
  'hand.row-is.line': 'One line of an invoice',
  'hand.row-is.invoice': 'One whole invoice',
  'hand.row-is.file': 'One line, and each file is one invoice',
  'hand.number-column': 'Which column is the invoice number?',
  'hand.number-column.why': 'Rows with the same number are one invoice.',

  'hand.header': 'Which table has one row for each invoice?',
  'hand.header.why': 'Its number, date and customer.',
  'hand.number': 'Which column is the invoice number?',
  'hand.number.why': 'By it an invoice is asked for.',
  'hand.lines': 'Which table has the lines?',
  'hand.lines.why': 'Items, quantities and prices.',
  'hand.lines-column': 'Which column of "{table}" says to which invoice a line belongs?',
  'hand.lines-column.why': 'It holds the same values as a column of "{header}".',
  'hand.header-column': 'Which column of "{table}" is that?',
  'hand.header-column.why': 'Lines are found by it.',
  'hand.customer': 'Which table has the customers?',
  'hand.customer.why': 'Names, addresses and tax numbers.',
  'hand.customer.none': 'None: they stand in the invoice itself',
  'hand.customer-column': 'Which column of "{table}" names the customer?',
  'hand.customer-column.why': 'It holds the key of "{customer}".',
  'hand.customer-key': 'Which column of "{table}" is that key?',
  'hand.customer-key.why': 'It holds the same values as "{column}" of the invoice.',

  'write-back': 'May the agent write what became of an invoice into the ERP?',
  'write-back.why': 'Into tables of its own (einv_status); those of the ERP are not touched.',
  'write-back.yes': 'Yes',
  'write-back.no': 'No: read alone',
  'write-back.lacking': 'What became of an invoice cannot be written into the ERP yet: {message}',

  'mend.api-key': 'Another API key',

  profile: 'Which e-invoices are they to become?',
  'profile.why': 'The country and the network of your customers; another one can be added later.',
  'kept.again':
    'The source was kept as "{name}" before: it is changed, and the drafts of its mapping are replaced.',
  url: 'Address of the sandbox',
  'url.why': 'As https://…; it is where the console of the sandbox is.',
  'url.other': '{cause} Give the address of the sandbox by `--answer url=…`.',
  'live-key': 'This is a key of production, and the first invoice goes to the sandbox.',
  'enrol-first':
    'The source is kept as "{name}". Enrol this host first: `drawbridge enroll --url URL --token-file FILE` (the console makes a token under Agents). Then `drawbridge connect` goes on from here.',
  'api-key': 'API key of the sandbox',
  'api-key.why':
    'A person approves, not this host. Typed (sk_test_…), or where it is kept: env:NAME, file:PATH. It is forgotten at the end.',
  'company-found': 'Is this your company?',
  'company-found.why': 'The source says so; it is kept once, for all sources. The rest is asked.',
  'company-found.take': 'Yes, all of it',
  'company-found.ask': 'Not quite: ask me for each',
  'company.why': '{help} Such as {example}',
  'company.why-found': '{help} The source has it in {from}',
  'company.empty': 'must not be empty',
  'company.follows': '{label} follows from it, and {problem}',
  'company.refused': '{cause} Answer it anew: {answers}',
  'mend.answer': 'Another answer: {label}',

  meaning: '{sure} fields are sure, from {columns} columns; they are taken.',
  'meaning.unsure':
    '{count} doubtful ones that are not required are left out: {targets}. `drawbridge mapping` shows them.',
  'meaning.columns':
    'What is open is asked: type a column as section.column, or a value for all invoices, or - for none.',
  field: '{name}: the ERP seems not to hold it',
  'field.from': '{name}: from {from} ({sample})?',
  'field.why': '{help}',
  'field.no-column':
    '"{text}" looks like a column and is none of this source. Near to it: {columns}.',
  'field.each-its-own':
    'Each invoice has its own {name}: name a column, as section.column, such as {columns}.',
  value: 'What is the code of "{value}" ({target})?',
  'value.why': '{list}: of the values {recognised} of {values} are recognised; - leaves it',
  'value.code': 'This is no code of the list of {list}.',

  preview: '{passed} of the {read} newest documents would pass.',
  'preview.refusal': '{documents} would be refused by {rule}: {message}',
  objection: 'Why is that right all the same?',
  'objection.why':
    'It stands against the mapping, and the answer goes to the audit log. Esc goes back.',
  'objection.known': 'Known, and accepted in the sandbox',

  'lacking.why': '{help} Without it rules refuse documents.',
  leave: 'Leave {target} out?',
  'leave.why': 'It need not be there, and its values are refused.',
  round: 'Round the amounts of {target} to two decimals?',
  'round.why': 'More are refused.',
  'round.no': 'No',
  scheme: '{name}, as scheme:number',
  'no-passing': 'No document would pass, so that none is submitted yet.',
  policy: 'What is to happen with new documents in the sandbox?',
  'policy.why': 'It can be changed at any time, and live is set for itself.',
  'policy.release': 'They are read by themselves, and wait until somebody releases them',
  'policy.approval': 'They are read by themselves, and wait until two persons have said yes',
  'policy.none': 'They are submitted when the ERP or a call asks for it; nothing is read by itself',
  'end.accepted': 'Invoice {ref} was accepted (202) as {id}, and is {status} in the sandbox.',
  'end.not-accepted':
    'The mapping is approved. Invoice {ref} of the source was not accepted in the sandbox now: {why}',
  'end.approved': 'The mapping is approved. {why}',
  'end.watched':
    'The source is watched: while the agent runs (drawbridge run, or its service), it reads new and changed documents, and those that are issued from {day} on are submitted in the sandbox. `drawbridge connector edit {name} --no-watch` ends that.',
  'end.unwatched':
    'The source is not watched: documents are read when a call asks for them. `drawbridge connector edit {name} --watch` has the agent tell of new and changed ones.',
  'end.live':
    'From here to live:\n  1. look at the invoice in the console, and at its confirmation in the ERP\n  2. submit some more, a credit note too\n  3. drawbridge service install, so that the agent runs for itself\n  4. say in the live environment who you are (its console, or PUT /v1/company with a live key): it has a company profile of its own; sources and mappings are the same\n  5. say from which day on documents are submitted there: PATCH /v1/connectors/{id} with a live key, {"submit_from":"YYYY-MM-DD","submission":{"hold":"release"}}\n  6. drawbridge cursor rewind {name} --to start --send-again, so that those of that day on come too that the agent told of before',
} as const;

export type TextKey = keyof typeof texts;

/** The text of a key, with its values. */
export function say(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
