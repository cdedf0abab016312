import { beforeAll, expect, test } from 'vitest'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { check, errorsOf, run, storedMembers } from './support.ts'

// The files follow the columns that docs/importing.md names for each source. Their contents are invented.

const server = openForTests(() => createTestApp())
let admin: TestUser
beforeAll(async () => {
  admin = await buildUser(server, { admin: true, email: 'owner@example.test' })
})

type Expected = { source: string; file: string; members: object[]; errors?: string[]; options?: object }

const inTwoYears = `${new Date().getFullYear() + 2}-06-30`

const sources: [string, Expected][] = [
  [
    'Ghost',
    {
      source: 'ghost',
      options: { complimentaryUntil: inTwoYears },
      file: `id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers
1,ana@ghost.test,Ana Alvarez,"Met in Denver, twice",true,false,cus_Ana1,2024-01-02T03:04:05.000Z,,"VIP,Denver",Gold
2,ben@ghost.test,,,false,false,,2023-05-06T00:00:00.000Z,,,
3,cleo@ghost.test,Cleo,,true,true,,2022-01-01T00:00:00.000Z,,,
4,dead@ghost.test,Dan,,true,false,,2022-01-01T00:00:00.000Z,2023-01-01T00:00:00.000Z,,
5,ANA@ghost.test,Ana again,,true,false,,2024-01-02T03:04:05.000Z,,,
`,
      members: [
        {
          email: 'ana@ghost.test',
          name: 'Ana Alvarez',
          joined: '2024-01-02 03:04:05+00',
          confirmed: false,
          hasNoPassword: true,
          identities: 1,
          getsEmail: true,
          tags: ['denver', 'gold', 'vip'],
          notes: ['Met in Denver, twice'],
          customer: 'cus_Ana1',
          complimentary: null,
          events: ['member_imported'],
        },
        { email: 'ben@ghost.test', name: null, getsEmail: false, suppressed: [] },
        { email: 'cleo@ghost.test', complimentary: inTwoYears, events: ['access_granted', 'member_imported'] },
      ],
      errors: [
        '"5","dead@ghost.test","This member was deleted before the export."',
        '"6","ana@ghost.test","This address is already in line 2."',
      ],
    },
  ],
  [
    'Substack',
    {
      source: 'substack',
      options: { complimentaryUntil: inTwoYears },
      file: `email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at
ana@substack.test,false,,other,false,2024-01-15T10:00:00.000Z,
ben@substack.test,true,2030-02-01T00:00:00.000Z,yearly,true,2024-02-01T10:00:00.000Z,2024-02-01T10:00:00.000Z
cleo@substack.test,true,${inTwoYears}T10:00:00.000Z,comp,false,2024-02-01T10:00:00.000Z,
x@deletion-request.substack.com,false,,other,false,2024-02-01T10:00:00.000Z,
`,
      members: [
        { email: 'ana@substack.test', getsEmail: true, confirmed: false, tags: [], complimentary: null },
        { email: 'ben@substack.test', getsEmail: false, tags: ['yearly'], complimentary: null },
        { email: 'cleo@substack.test', getsEmail: true, complimentary: inTwoYears },
      ],
      errors: ['"5","x@deletion-request.substack.com","This person asked to be deleted."'],
    },
  ],
  [
    'beehiiv',
    {
      source: 'beehiiv',
      file: `email,First Name,Last Name,status,tier,created_at,stripe_customer_id,unsubscribed_at,Trade
ana@beehiiv.test, Ana ,Alvarez,active,premium,2023-03-24 10:23:10 UTC,cus_B1,,Oil-change shop
ben@beehiiv.test,Ben,,inactive,free,2023-03-24 10:23:10 UTC,,2024-01-01 00:00:00 UTC,
cleo@beehiiv.test,,,pending,free,2023-03-24 10:23:10 UTC,,,
dan@beehiiv.test,,,hibernating,free,2023-03-24 10:23:10 UTC,,,
`,
      members: [
        {
          email: 'ana@beehiiv.test',
          name: 'Ana Alvarez',
          joined: '2023-03-24 10:23:10+00',
          confirmed: true,
          getsEmail: true,
          customer: 'cus_B1',
          answers: { business_type: 'Oil-change shop' },
        },
        { email: 'ben@beehiiv.test', getsEmail: false, confirmed: false },
        { email: 'cleo@beehiiv.test', getsEmail: false, confirmed: false },
        // Hibernating is a word that no one knows.
        { email: 'dan@beehiiv.test', getsEmail: false, confirmed: false },
      ],
    },
  ],
  [
    'Buttondown',
    {
      source: 'buttondown',
      file: `email_address,notes,tags,metadata,creation_date,type,unsubscription_date,undeliverability_date
ana@buttondown.test,Early reader,"vip,beta",{},2024-03-01T00:00:00Z,regular,,
ben@buttondown.test,,,{},2024-03-01T00:00:00Z,unactivated,,
cleo@buttondown.test,,,{},2024-03-01T00:00:00Z,undeliverable,,2024-04-01T00:00:00Z
dan@buttondown.test,,,{},2024-03-01T00:00:00Z,complained,,
eve@buttondown.test,,,{},2024-03-01T00:00:00Z,unsubscribed,2024-04-01T00:00:00Z,
`,
      members: [
        {
          email: 'ana@buttondown.test',
          confirmed: true,
          notes: ['Early reader'],
          tags: ['beta', 'vip'],
          getsEmail: true,
        },
        { email: 'ben@buttondown.test', confirmed: false, getsEmail: false, suppressed: [] },
        { email: 'cleo@buttondown.test', suppressed: ['all hard_bounce'] },
        {
          email: 'dan@buttondown.test',
          getsEmail: false,
          suppressed: ['drops complaint', 'follow-ups complaint', 'news complaint'],
        },
        { email: 'eve@buttondown.test', getsEmail: false, suppressed: [] },
      ],
    },
  ],
  [
    'Mailchimp, cleaned contacts',
    {
      source: 'mailchimp',
      file: `Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,CLEAN_TIME,LEID,EUID,NOTES,TAGS
ana@mailchimp.test,Ana,Alvarez,2,,,2018-02-12 10:54:27,,2020-03-23 17:30:05,1,a,,"""Denver"",""VIP"""
`,
      members: [
        {
          email: 'ana@mailchimp.test',
          name: 'Ana Alvarez',
          joined: '2018-02-12 10:54:27+00',
          confirmed: false,
          suppressed: ['all hard_bounce'],
          tags: ['denver', 'vip'],
        },
      ],
    },
  ],
  [
    'Patreon',
    {
      source: 'patreon',
      file: `Name,Email,Discord,Patron Status,Follows You,Lifetime Amount,Pledge Amount,Charge Frequency,Tier,Patronage Since Date,Additional Details
Ana Alvarez,ana@patreon.test,,Active patron,Yes,50,5,monthly,Regulars,2021-02-21 10:00:00,
Ben,ben@patreon.test,,Former patron,No,10,5,monthly,,2020-02-21 10:00:00,
`,
      members: [
        { email: 'ana@patreon.test', name: 'Ana Alvarez', tags: ['regulars'], getsEmail: true, confirmed: false },
        { email: 'ben@patreon.test', getsEmail: false },
      ],
    },
  ],
]

test.each(sources)('%s', async (_name, { source, file, members, errors = [], options }) => {
  const checked = await check(server, admin, file, options)
  expect(checked).toMatchObject({ source, status: 'checked', counts: { new: members.length, refused: errors.length } })
  const domain = `@${source}.test`
  expect(await storedMembers(server, domain)).toEqual([])

  const finished = await run(server, admin, checked)
  expect(finished).toMatchObject({ status: 'finished', counts: checked.counts })
  expect(await storedMembers(server, domain)).toMatchObject(members)
  expect(await errorsOf(server, admin, checked)).toEqual(errors)

  const again = await run(server, admin, await check(server, admin, file, options))
  expect(again.counts).toMatchObject({ new: 0, changed: 0, unchanged: members.length, differing: 0 })
  expect(await storedMembers(server, domain)).toMatchObject(members)
  expect(server.outbox.list()).toEqual([])
})

test('Mailchimp’s non-subscribed contacts get no email', async () => {
  const file = `Email Address,First Name,OPTIN_TIME,CONFIRM_TIME,LAST_CHANGED,LEID,EUID,NOTES,TAGS
shopper@nonsubscribed.test,Ana,,,2021-05-03 12:00:00,1,abc,,"""VIP"",""New York, NY"""
`
  const checked = await check(server, admin, file)
  expect(checked.counts).toMatchObject({ new: 1, subscribed: 0, unsubscribed: 1 })
  expect(checked.examples[0]?.detail).toBe('Gets no email (unsubscribed) · tags “vip”, “new york, ny”')
  await run(server, admin, checked)
  expect(await storedMembers(server, '@nonsubscribed.test')).toMatchObject([
    { getsEmail: false, tags: ['new york, ny', 'vip'] },
  ])
})

test('The dates of the whole file decide whether the day or the month comes first, or the publisher does', async () => {
  const file = (last: string) =>
    `sep=;\nemail;name;joined\nana@dates.test;Ana;05/04/2023\nben@bücher.dates.test;Ben;${last}\n`
  const unclear = file('06/04/2023')
  expect((await check(server, admin, unclear)).counts).toMatchObject({ new: 0, refused: 2 })
  expect((await check(server, admin, unclear, { dateOrder: 'month-first' })).counts).toMatchObject({ new: 2 })
  const decided = await check(server, admin, file('31/12/2023'))
  expect(decided.examples[0]?.detail).toBe('Gets product news once confirmed · No drops · joined Apr 5, 2023')
  await run(server, admin, decided)
  expect(await storedMembers(server, 'dates.test')).toMatchObject([
    { email: 'ana@dates.test', joined: '2023-04-05 00:00:00+00' },
    { email: 'ben@xn--bcher-kva.dates.test', joined: '2023-12-31 00:00:00+00' },
  ])
})
