import { describe, expect, test } from 'vitest'
import { detectImportSource, type ImportSource, suggestImportMapping, unansweredColumns } from './import-fields.ts'
import { createDateOrderDetector, readImportRow } from './read-import-row.ts'

const now = new Date('2026-03-01T12:00:00Z')

const read = (source: ImportSource, columns: Record<string, string>) => {
  const header = Object.keys(columns)
  return readImportRow(Object.values(columns), { source, header, mapping: suggestImportMapping(header, source), now })
}
const memberOf = (source: ImportSource, columns: Record<string, string>) => {
  const { member, problem } = read(source, columns)
  if (!member) throw new Error(problem)
  return member
}

describe('the header line tells the source', () => {
  test.each<[ImportSource, string]>([
    [
      'ghost',
      'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers',
    ],
    ['substack', 'email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at'],
    ['beehiiv', 'email,First Name,Last Name,status,tier,created_at,stripe_customer_id,unsubscribed_at'],
    ['buttondown', 'email_address,notes,tags,metadata,creation_date,type'],
    [
      'mailchimp',
      'Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,LEID,EUID,NOTES,TAGS',
    ],
    ['patreon', 'Name,Email,Discord,Patron Status,Follows You,Lifetime Amount,Pledge Amount,Charge Frequency,Tier'],
    ['other', 'E-mail,Vorname,Notiz'],
  ])('%s', (source, header) => {
    expect(detectImportSource(header.split(','))).toBe(source)
  })
})

describe('who may get email', () => {
  test.each<[string, ImportSource, Record<string, string>, string]>([
    ['Ghost, subscribed', 'ghost', { email: 'a@b.test', subscribed_to_emails: 'true' }, 'subscribed'],
    ['Ghost, turned off', 'ghost', { email: 'a@b.test', subscribed_to_emails: 'false' }, 'unsubscribed'],
    ['Substack, email turned off', 'substack', { email: 'a@b.test', email_disabled: 'true' }, 'unsubscribed'],
    ['beehiiv, inactive', 'beehiiv', { email: 'a@b.test', status: 'inactive' }, 'unsubscribed'],
    ['beehiiv, paused', 'beehiiv', { email: 'a@b.test', status: 'paused' }, 'unsubscribed'],
    ['beehiiv, pending', 'beehiiv', { email: 'a@b.test', status: 'pending' }, 'pending'],
    ['Buttondown, paused payments', 'buttondown', { email_address: 'a@b.test', type: 'paused' }, 'subscribed'],
    ['Buttondown, not activated', 'buttondown', { email_address: 'a@b.test', type: 'unactivated' }, 'pending'],
    ['Buttondown, undeliverable', 'buttondown', { email_address: 'a@b.test', type: 'undeliverable' }, 'bounced'],
    ['Buttondown, complained', 'buttondown', { email_address: 'a@b.test', type: 'complained' }, 'complained'],
    [
      'Mailchimp, unsubscribed',
      'mailchimp',
      { 'Email Address': 'a@b.test', UNSUB_TIME: '2023-06-06 12:56:15' },
      'unsubscribed',
    ],
    ['Mailchimp, cleaned', 'mailchimp', { 'Email Address': 'a@b.test', CLEAN_TIME: '2023-06-06 12:56:15' }, 'bounced'],
    ['Patreon, former', 'patreon', { Email: 'a@b.test', 'Patron Status': 'Former patron' }, 'unsubscribed'],
    [
      'the strictest of two columns',
      'other',
      { email: 'a@b.test', status: 'active', subscribed: 'no' },
      'unsubscribed',
    ],
  ])('%s', (_name, source, columns, mail) => {
    expect(memberOf(source, columns).mail).toBe(mail)
  })
})

test('an address counts as confirmed only if the source says so', () => {
  expect(memberOf('ghost', { email: 'a@b.test', subscribed_to_emails: 'true' }).confirmed).toBe(false)
  expect(memberOf('beehiiv', { email: 'a@b.test', status: 'active' }).confirmed).toBe(true)
  expect(memberOf('mailchimp', { 'Email Address': 'a@b.test', CONFIRM_TIME: '2023-04-21 11:16:57' }).confirmed).toBe(
    true,
  )
  const cleaned = {
    'Email Address': 'a@b.test',
    CONFIRM_TIME: '2023-04-21 11:16:57',
    CLEAN_TIME: '2024-04-21 11:16:57',
  }
  expect(memberOf('mailchimp', cleaned).confirmed).toBe(false)
  expect(memberOf('other', { email: 'a@b.test', confirmed: 'no' }).confirmed).toBe(false)
})

test('names, tags, notes, answers and free access are read', () => {
  expect(
    memberOf('other', {
      email: ' Robin@Example.TEST ',
      'First name': ' Robin ',
      'Last name': 'Rea\u202eder\u0000',
      joined: '3/9/2024',
      plan: 'Gold tier',
      complimentary: 'yes',
      'complimentary until': '2027-01-31',
      tags: '"VIP", "Denver";VIP',
      notes: '=HYPERLINK("x")',
      trade: 'Oil-change shop',
    }),
  ).toEqual({
    email: 'robin@example.test',
    name: 'Robin Reader',
    joinedAt: '2024-03-09T00:00:00.000Z',
    mail: 'subscribed',
    confirmed: false,
    complimentary: true,
    complimentaryUntil: '2027-01-31T00:00:00.000Z',
    stripeCustomerId: null,
    paying: false,
    tags: ['vip', 'denver', 'gold tier'],
    note: '=HYPERLINK("x")',
    answers: { business_type: 'Oil-change shop' },
  })
  expect(memberOf('substack', { email: 'a@b.test', plan: 'comp', email_disabled: 'false' }).complimentary).toBe(true)
  expect(memberOf('buttondown', { email_address: 'a@b.test', type: 'gifted' }).complimentary).toBe(true)
})

test.each([
  ['2023-03-24 10:23:10 UTC', '2023-03-24T10:23:10.000Z'],
  ['2018-02-12 9:54:27', '2018-02-12T09:54:27.000Z'],
  ['2018-08-27T15:06:27.713Z', '2018-08-27T15:06:27.713Z'],
  ['2018-08-27T15:06:27+02:00', '2018-08-27T13:06:27.000Z'],
  ['12/31/2024', '2024-12-31T00:00:00.000Z'],
  ['2099-01-01', now.toISOString()],
])('the date %s', (text, expected) => {
  expect(memberOf('other', { email: 'a@b.test', joined: text }).joinedAt).toBe(expected)
})

test.each<[string, Record<string, string>, string]>([
  ['no address', { email: ' ' }, 'There is no email address in this line.'],
  ['no address at all', { email: 'robin at example' }, 'This is not an email address.'],
  ['a formula', { email: '=cmd()' }, 'This is not an email address.'],
  ['an address with a NUL', { email: 'a\u0000b@c.test' }, 'This is not an email address.'],
  [
    'a day that doesn’t exist',
    { email: 'a@b.test', joined: '2024-02-30' },
    'The date “2024-02-30” can’t be read (joinedAt).',
  ],
  [
    'a month that doesn’t exist',
    { email: 'a@b.test', joined: '31/12/2024' },
    'The date “31/12/2024” can’t be read (joinedAt).',
  ],
  [
    'a wrong customer',
    { email: 'a@b.test', 'stripe customer id': 'sub_1' },
    'The Stripe customer id doesn’t look like cus_….',
  ],
])('a line with %s is refused', (_name, columns, problem) => {
  expect(read('other', columns).problem).toBe(problem)
})

describe('someone whom a file doesn’t call subscribed gets no email', () => {
  const header = ['Email Address', 'OPTIN_TIME', 'CONFIRM_TIME', 'LEID']
  const mailOf = (values: string[], fileName: string) =>
    readImportRow(values, { source: 'mailchimp', mapping: suggestImportMapping(header, 'mailchimp'), now, fileName })
      .member?.mail
  const confirmed = ['a@b.test', '2021-05-03 12:00:00', '2021-05-03 12:00:00', '1']
  test.each([
    [['a@b.test', '', '', '1'], 'members.csv', 'unsubscribed'],
    [confirmed, 'nonsubscribed_members_export_abc123.csv', 'unsubscribed'],
    [confirmed, 'unsubscribed_members_export_abc123.csv', 'unsubscribed'],
    [confirmed, 'cleaned_members_export_abc123.csv', 'bounced'],
    [confirmed, 'subscribed_members_export_abc123.csv', 'subscribed'],
  ])('%j in %s', (values, fileName, mail) => {
    expect(mailOf(values, fileName)).toBe(mail)
  })
  test.each<Record<string, string>>([{ status: 'dormant' }, { subscribed: 'maybe' }, { 'email disabled': 'perhaps' }])(
    '%j',
    (columns) => {
      expect(memberOf('other', { email: 'a@b.test', ...columns }).mail).toBe('unsubscribed')
    },
  )
  test('an empty status', () => {
    expect(memberOf('other', { email: 'a@b.test', status: '' }).mail).toBe('unsubscribed')
    expect(memberOf('other', { email: 'a@b.test', status: 'Non-subscribed' }).mail).toBe('unsubscribed')
  })
})

test.each([
  ['"VIP","New York, NY"', ['vip', 'new york, ny']],
  ['VIP; New York, NY', ['vip', 'new york, ny']],
  ['New York, NY;', ['new york, ny']],
  ['VIP, early', ['vip', 'early']],
  ['"a;b",c', ['a;b', 'c']],
  ['VIP "gold", c', ['vip gold', 'c']],
])('the tags %s', (tags, expected) => {
  expect(memberOf('other', { email: 'a@b.test', tags }).tags).toEqual(expected)
})

test('an internationalized domain is stored as email servers expect it', () => {
  expect(memberOf('other', { email: 'Ana@Bücher.example' }).email).toBe('ana@xn--bcher-kva.example')
  expect(read('other', { email: 'ömil@example.com' }).problem).toMatch(/before the @/)
})

test.each([
  ['05.04.2023', '2023-04-05T00:00:00.000Z'],
  ['5.4.2023 14:30', '2023-04-05T18:30:00.000Z'],
  ['2023-04-05 14:30:00', '2023-04-05T18:30:00.000Z'],
  ['2023-04-05 14:30:00 UTC', '2023-04-05T14:30:00.000Z'],
  ['April 5, 2023 2:30 PM', '2023-04-05T18:30:00.000Z'],
  ['4/5/2023 2:30 PM', '2023-04-05T18:30:00.000Z'],
])('the date %s in New York', (text, expected) => {
  const format = { source: 'other', mapping: { email: 0, joinedAt: 1 }, now, timeZone: 'America/New_York' } as const
  expect(readImportRow(['a@b.test', text], format).member?.joinedAt).toBe(expected)
})

test.each([
  [['05/04/2023', '31/12/2023'], 'day-first'],
  [['05/04/2023', '12/31/2023'], 'month-first'],
  [['05/04/2023', '06/04/2023'], 'unknown'],
  [['31/12/2023', '12/31/2023'], 'unknown'],
])('the whole column %j decides the order of days and months: %s', (dates, order) => {
  const mapping = { email: 0, joinedAt: 1 }
  const detector = createDateOrderDetector(mapping)
  for (const date of dates) detector.read(['a@b.test', date])
  expect(detector.end()).toBe(order)
  const row = ['a@b.test', '05/04/2023']
  const readAs = (dateOrder: 'day-first' | 'unknown') =>
    readImportRow(row, { source: 'other', mapping, now, dateOrder })
  expect(readAs('day-first').member?.joinedAt).toBe('2023-04-05T00:00:00.000Z')
  expect(readAs('unknown').problem).toMatch(/month\/day or day\/month/)
})

test.each<[ImportSource, Record<string, string>, boolean]>([
  ['ghost', { email: 'a@b.test', stripe_customer_id: 'cus_1' }, true],
  ['buttondown', { email_address: 'a@b.test', type: 'premium' }, true],
  ['buttondown', { email_address: 'a@b.test', type: 'regular' }, false],
  ['other', { email: 'a@b.test', plan: 'Free' }, false],
  ['other', { email: 'a@b.test', plan: 'Complimentary yearly' }, false],
])('a line of %s that says %j pays: %s', (source, columns, paying) => {
  expect(memberOf(source, columns).paying).toBe(paying)
})

describe('status columns of other services', () => {
  test.each([
    ['Kit', 'id,first_name,email,state,created_at', '1,Ana,a@b.test,cancelled,2024-01-02T00:00:00Z', 'unsubscribed'],
    ['Kit', 'id,first_name,email,state,created_at', '1,Ana,a@b.test,active,2024-01-02T00:00:00Z', 'subscribed'],
    [
      'Mailchimp',
      'Email Address,OPTIN_TIME,Email Marketing',
      'a@b.test,2021-05-03 12:00:00,Non-Subscribed',
      'unsubscribed',
    ],
    ['Mailchimp', 'Email Address,OPTIN_TIME,Email Marketing', 'a@b.test,2021-05-03 12:00:00,', 'unsubscribed'],
    ['MemberPress', 'ID,email,membership,status,registered', '1,a@b.test,Pro,none,0000-00-00 00:00:00', 'unsubscribed'],
    ['a shop', 'Email,Accepts Email Marketing', 'a@b.test,no', 'unsubscribed'],
    ['a shop', 'Email,Subscribed', 'a@b.test,Opted_In', 'subscribed'],
    ['a shop', 'Email,Subscribed', 'a@b.test,Unsubscribed', 'unsubscribed'],
    ['a CRM', 'Email,Email Opt Out', 'a@b.test,1', 'unsubscribed'],
    ['a membership site', 'emailAddress,status,emailStatus', 'a@b.test,active,hard-bounced', 'bounced'],
    [
      'a database',
      'email,unsubscribed_at,bounced_at,deleted_at',
      'a@b.test,NULL,\\N,0000-00-00 00:00:00',
      'subscribed',
    ],
  ])('%s: %s %s', (_name, header, line, mail) => {
    const columns = header.split(',')
    const source = detectImportSource(columns)
    const format = { source, mapping: suggestImportMapping(columns, source), now }
    expect(readImportRow(line.split(','), format)).toMatchObject({ problem: null, member: { mail } })
  })

  test.each([
    ['unsubscribed.csv', 'unsubscribed'],
    ['my-suppression-list.csv', 'unsubscribed'],
    ['Bounced contacts.csv', 'bounced'],
    ['subscribers.csv', 'subscribed'],
  ])('without one, the file name %s counts', (fileName, mail) => {
    expect(readImportRow(['a@b.test'], { source: 'other', mapping: { email: 0 }, now, fileName }).member?.mail).toBe(
      mail,
    )
  })
})

/** Each line's last cell isn't part of the file: it says whether the member may get email. */
test.each<[string, string, string[]]>([
  [
    'MailPoet, German',
    'E-Mail;Vorname;Nachname;Listenstatus;Globaler Status;Liste',
    [
      'a@b.test;A;B;subscribed;subscribed;L;on',
      'c@b.test;A;B;subscribed;unsubscribed;L;off',
      'd@b.test;A;B;unsubscribed;subscribed;L;off',
      'e@b.test;A;B;subscribed;inactive;L;off',
    ],
  ],
  [
    'MailPoet, French',
    'Adresse e-mail;Prénom;Nom;Statut de la liste;Statut global',
    [
      'a@b.test;A;B;abonné;abonné;on',
      'c@b.test;A;B;abonné;désabonné;off',
      'd@b.test;A;B;désinscrit;abonné;off',
      'e@b.test;A;B;abonné;non confirmé;off',
    ],
  ],
  ['Kit', 'first_name;email;status', ['A;a@b.test;active;on', 'A;c@b.test;cancelled;off', 'A;d@b.test;complained;off']],
  [
    'Brevo',
    'CONTACT ID;EMAIL;FIRSTNAME;EMAIL_BLACKLISTED;SMS_BLACKLISTED',
    ['1;a@b.test;A;false;true;on', '2;c@b.test;A;true;false;off', '3;d@b.test;A;vielleicht;;off'],
  ],
  ['Brevo, French', 'Identifiant;E-mail;Prénom;E-mail bloqué', ['1;a@b.test;A;non;on', '2;c@b.test;A;oui;off']],
  [
    'ActiveCampaign, Spanish',
    'Correo electrónico;Nombre;Estado',
    ['a@b.test;A;Activo;on', 'c@b.test;A;Dado de baja;off', 'd@b.test;A;Rebotado;off', 'e@b.test;A;Sin confirmar;off'],
  ],
  [
    'Klaviyo',
    'Email;First Name;Email Marketing Consent;SMS Marketing Consent',
    [
      'a@b.test;A;SUBSCRIBED;UNSUBSCRIBED;on',
      'c@b.test;A;NEVER_SUBSCRIBED;;off',
      'd@b.test;A;UNSUBSCRIBED;SUBSCRIBED;off',
      'e@b.test;A;;;off',
    ],
  ],
  [
    'MailerLite',
    'Subscriber;Status;Subscribed;Opens',
    [
      'a@b.test;active;2023-01-02 10:00:00;3;on',
      'c@b.test;unsubscribed;2023-01-02 10:00:00;0;off',
      'd@b.test;junk;2023-01-02 10:00:00;0;off',
    ],
  ],
  [
    'Mailchimp, German merge fields',
    'E-Mail-Adresse;Vorname;OPTIN_TIME;CONFIRM_TIME;UNSUB_TIME;UNSUB_REASON;LEID',
    [
      'a@b.test;A;2021-05-03 12:00:00;2021-05-03 12:00:00;;;1;on',
      'c@b.test;A;2021-05-03 12:00:00;2021-05-03 12:00:00;2022-01-01 10:00:00;NORMAL;2;off',
    ],
  ],
  ['a German list', 'Mail;Abgemeldet am', ['a@b.test;;on', 'c@b.test;03.05.2021;off']],
  ['a German newsletter', 'E-Mail;Newsletter', ['a@b.test;ja;on', 'c@b.test;nein;off', 'd@b.test;;off']],
  [
    'an Italian list',
    'Indirizzo e-mail;Situazione',
    ['a@b.test;iscritto;on', 'c@b.test;disiscritta;off', 'd@b.test;boh;off'],
  ],
  [
    'a list without a name for its addresses',
    'Kontakt;Wer;Zustand',
    ['a@b.test;A;aktiv;on', 'c@b.test;B;abgemeldet;off'],
  ],
  ['a Dutch list', 'E-mailadres;Uitgeschreven', ['a@b.test;nee;on', 'c@b.test;ja;off']],
  [
    'a US state beside a status',
    'Email;State;Email status',
    ['a@b.test;CA;subscribed;on', 'c@b.test;NY;unsubscribed;off'],
  ],
  [
    'Buttondown',
    'email_address;creation_date;type',
    [
      'a@b.test;2024-03-01T00:00:00Z;regular;on',
      'c@b.test;2024-03-01T00:00:00Z;unsubscribed;off',
      'd@b.test;2024-03-01T00:00:00Z;churning;on',
    ],
  ],
])('%s: only those whom the file calls subscribed get email', (_name, header, lines) => {
  const columns = header.split(';')
  const rows = lines.map((line) => line.split(';'))
  const samples = rows.map((row) => row.slice(0, columns.length))
  const source = detectImportSource(columns)
  const mapping = suggestImportMapping(columns, source, [], undefined, samples)
  expect(unansweredColumns({ header: columns, samples, mapping }, [])).toEqual([])
  const results = samples.map((row) => readImportRow(row, { source, mapping, now }))
  expect(results.map(({ member, problem }) => problem ?? (member?.mail === 'subscribed' ? 'on' : 'off'))).toEqual(
    rows.map((row) => row.at(-1)),
  )
})

test('a column of unclear status words under an unknown name is asked about, until it has a meaning or is left out', () => {
  const header = ['Email', 'Stage']
  const samples = [
    ['a@b.test', 'active'],
    ['c@b.test', 'inactive'],
  ]
  const mapping = suggestImportMapping(header, 'other', [], undefined, samples)
  expect(mapping).toEqual({ email: 0 })
  expect(unansweredColumns({ header, samples, mapping }, [])).toEqual([1])
  expect(unansweredColumns({ header, samples, mapping }, [1])).toEqual([])
  expect(unansweredColumns({ header, samples, mapping: { ...mapping, status: 1 } }, [])).toEqual([])
})

test.each([
  ["'-5", '-5'],
  ["''-5", "'-5"],
  ["a\n'- b\n'- c", 'a\n- b\n- c'],
  ["@home; '=x", "@home; '=x"],
  ["'quoted'", "'quoted'"],
])('the apostrophe that protects %j from formulas is removed', (note, expected) => {
  expect(memberOf('other', { email: 'a@b.test', note }).note).toBe(expected)
})

test('Ghost’s gifts and Substack’s app subscriptions are complimentary', () => {
  expect(
    memberOf('ghost', { email: 'a@b.test', subscribed_to_emails: 'true', complimentary_plan: '', gift_id: '6b0b' }),
  ).toMatchObject({ complimentary: true, complimentaryUntil: null, paying: false })
  expect(
    memberOf('ghost', { email: 'a@b.test', subscribed_to_emails: 'true', complimentary_plan: '', gift_id: '' })
      .complimentary,
  ).toBe(false)
  const ios = memberOf('substack', {
    email: 'a@b.test',
    expiry: '2027-07-06T16:20:44.000Z',
    email_disabled: 'false',
    type: 'ios_app',
  })
  expect(ios).toMatchObject({
    complimentary: true,
    complimentaryUntil: '2027-07-06T16:20:44.000Z',
    paying: false,
    tags: [],
  })
})

test('beehiiv’s original dates and named tiers are kept', () => {
  const columns = {
    email: 'a@b.test',
    status: 'active',
    tier: 'premium',
    created_at: '2025-01-01 00:00:00',
    original_created_at: '2021-03-04 00:00:00',
    premium_tier_names: 'Gold',
  }
  expect(memberOf('beehiiv', columns)).toMatchObject({
    joinedAt: '2021-03-04T00:00:00.000Z',
    tags: ['gold'],
    paying: true,
  })
})

test('beehiiv’s dates of the service before it and its columns of tiers are kept, and others have its own date', () => {
  const columns = (original: string, gold: string) => ({
    email: 'a@b.test',
    status: 'active',
    tier: 'free',
    created_at: '2025-01-01 00:00:00',
    'Subscription Date (Substack)': original,
    'Gold Tier': gold,
  })
  expect(memberOf('beehiiv', columns('2021-03-04 00:00:00', 'Yes'))).toMatchObject({
    joinedAt: '2021-03-04T00:00:00.000Z',
    tags: ['gold'],
    paying: true,
  })
  expect(memberOf('beehiiv', columns('', 'No'))).toMatchObject({
    joinedAt: '2025-01-01T00:00:00.000Z',
    tags: [],
    paying: false,
  })
})

test('an address is read from a link, with a name, and without invisible characters', () => {
  for (const email of ['mailto:a@b.test', 'Ana <A@b.test>', '\u200ba@b.test\u00a0']) {
    expect(memberOf('other', { email }).email).toBe('a@b.test')
  }
})

test('tags in lists of JSON and PostgreSQL, or separated by bars', () => {
  for (const tags of ['["vip","new york, ny"]', '{vip,"new york, ny"}', 'VIP|New York, NY']) {
    expect(memberOf('other', { email: 'a@b.test', tags }).tags).toEqual(['vip', 'new york, ny'])
  }
})

test('nothing is cut in the middle of a character', () => {
  const long = `x${'😀'.repeat(2_000)}`
  const { name, tags, note, answers } = memberOf('other', {
    email: 'a@b.test',
    name: long,
    tags: long,
    note: long,
    city: long,
  })
  for (const text of [name, note, answers.city, ...tags]) expect(text?.isWellFormed()).toBe(true)
  const refusedLines: Record<string, string>[] = [
    { email: long },
    { email: 'a@b.test', status: long },
    { email: 'a@b.test', joined: long },
  ]
  for (const columns of refusedLines) {
    const refused = read('other', columns)
    expect(JSON.stringify(refused)).not.toMatch(/\\ud83d"|\\ud83d”/)
  }
})

test('a note keeps its line breaks, whichever a file has', () => {
  expect(memberOf('other', { email: 'a@b.test', note: 'one\r\ntwo\rthree' }).note).toBe('one\ntwo\nthree')
})
