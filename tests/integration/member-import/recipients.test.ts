import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { newsletter } from '#server/db/schema/index.ts'
import { audienceSql } from '#server/features/publishing/mailings/sending/audience-sql.ts'
import type { EmailOutcome } from '#shared/contracts/operations/member-import.ts'
import { everyone, type MailingKind } from '#shared/contracts/publishing/newsletter.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { check, run } from './support.ts'

const server = openForTests(() => createTestApp())
let owner: TestUser
beforeEach(async () => {
  await server.database.truncate()
  owner = await buildUser(server, { admin: true, email: 'owner@staff.invalid' })
})

const addNewsletter = (
  id: number,
  name: string,
  more: { membersOnly?: boolean; subscribesNewMembers?: boolean } = {},
) =>
  server.database.db.insert(newsletter).values({
    id,
    name,
    membersOnly: false,
    subscribesNewMembers: true,
    position: id,
    createdAt: server.clock.now,
    updatedAt: server.clock.now,
    ...more,
  })

const outcomesOf = ({ counts }: { counts: { newsletters: Counted } }) =>
  Object.fromEntries(
    counts.newsletters.map(({ name, outcomes }) => [
      name,
      Object.fromEntries(outcomes.map(({ outcome, count }) => [outcome, count])),
    ]),
  )
type Counted = { name: string; outcomes: { outcome: EmailOutcome; count: number }[] }[]

const file = `email,status,confirmed,plan,complimentary
yes@list.test,active,yes,,
open@list.test,active,,,
former@list.test,active,yes,Premium,
free@list.test,active,,,yes
off@list.test,unsubscribed,,,
gone@list.test,bounced,,,
`

test('the check says of each newsletter, weekly drops too, who gets it and why the others don’t', async () => {
  await addNewsletter(1, 'Letter')
  await addNewsletter(2, 'Members’ letter', { membersOnly: true })
  await addNewsletter(3, 'On request', { subscribesNewMembers: false })
  const off = { unsubscribed: 1, suppressed: 1 }
  const checked = await check(server, owner, file, { freeEdition: true, complimentaryUntil: '2100-01-01' })
  expect(outcomesOf(checked)).toEqual({
    'Weekly drops': { gets: 1, free: 2, unconfirmed: 1, ...off },
    'Product news': { gets: 2, unconfirmed: 2, ...off },
    Letter: { gets: 2, unconfirmed: 2, ...off },
    'Members’ letter': { unconfirmed: 1, unlinked: 1, no_access: 2, ...off },
    'On request': { not_for_everyone: 4, ...off },
  })
  expect(outcomesOf(await check(server, owner, file))['Weekly drops']).toEqual({
    unlinked: 1,
    no_free_edition: 3,
    ...off,
  })
  const all = await call(server, 'admin-member-import-errors', { id: checked.id, all: true }, owner.token)
  expect(String(all.body.csv).trim().split('\r\n').slice(1)).toEqual([
    '"2","yes@list.test","new","Gets the free edition, product news, and “Letter”"',
    '"3","open@list.test","new","Gets the free edition, product news, and “Letter” once confirmed"',
    '"4","former@list.test","new","Gets the free edition, product news, and “Letter” · Gets “Members’ letter” once the subscription is linked"',
    '"5","free@list.test","new","Gets every drop · Gets product news, “Letter”, and “Members’ letter” once confirmed"',
    '"6","off@list.test","new","Gets no email (unsubscribed)"',
    '"7","gone@list.test","new","Gets no email (bounced)"',
  ])
})

test('imported unsubscribes have the date of the file and aren’t this month’s, those of newsletters too', async () => {
  await addNewsletter(1, 'Letter')
  await addNewsletter(2, 'Second')
  const known = await buildUser(server, { email: 'known@off.test' })
  const { db } = server.database
  server.clock.advance(10 * 60_000)
  const file = `email,status,unsubscribed at,newsletters
dated@off.test,unsubscribed,2024-05-03,Letter
undated@off.test,unsubscribed,,
named@off.test,active,,Second
${known.email},unsubscribed,,
`
  await run(server, owner, await check(server, owner, file, { unsubscribeExisting: true }))
  const rows = await queryRows<{ email: string; letters: string[]; at: string | null }>(
    db,
    sql`select u.email, p.unsubscribed_at::date::text as at, array(select n.name || ' ' || s.subscribed || ' ' || (s.changed_at = 'epoch')
        from newsletter_subscription s join newsletter n on n.id = s.newsletter_id where s.user_id = u.id order by 1) as letters
      from auth.users u left join email_preferences p on p.user_id = u.id where u.email like '%@off.test' order by 1`,
  )
  expect(rows).toEqual([
    { email: 'dated@off.test', at: '2024-05-03', letters: ['Letter false false', 'Second false false'] },
    { email: 'known@off.test', at: null, letters: ['Letter false true', 'Second false true'] },
    { email: 'named@off.test', at: null, letters: ['Letter false true', 'Second true false'] },
    { email: 'undated@off.test', at: null, letters: ['Letter false true', 'Second false true'] },
  ])
  const overview = await call(server, 'admin-overview', {}, owner.token)
  expect(overview.body).toMatchObject({ listHealth: { last30Days: { unsubscribes: 0 } } })
})

const line = fc.record({
  status: fc.constantFrom('active', 'unsubscribed', 'pending', 'bounced', 'complained'),
  confirmed: fc.constantFrom('yes', ''),
  plan: fc.constantFrom('', 'Premium'),
  complimentary: fc.constantFrom('yes', ''),
  newsletters: fc.constantFrom('', 'Letter', 'On request; Members’ letter'),
})
const options = fc.record({
  freeEdition: fc.boolean(),
  vouchConfirmed: fc.boolean(),
  complimentaryUntil: fc.constantFrom(null, '2100-01-01'),
})

/** How many imported members a mailing would reach now. */
async function reached(kind: MailingKind, newsletterId: number | null) {
  const audience = { ...everyone, newsletterId }
  const { config, clock } = server.deps
  const { joins, where, cause } = audienceSql(
    config,
    { id: crypto.randomUUID(), kind, issueId: null, audience },
    clock(),
  )
  const [row] = await queryRows<{ count: number }>(
    server.database.db,
    sql`select count(*)::int as count from auth.users u ${joins}
      where u.email like '%@list.test' and ${where} and ${cause} is null`,
  )
  return row?.count
}

test('whatever a file contains, as many get each newsletter as the check said', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      options,
      fc.boolean(),
      async (lines, given, namesNewsletters) => {
        await server.database.truncate()
        owner = await buildUser(server, { admin: true, email: 'owner@staff.invalid' })
        await addNewsletter(1, 'Letter')
        await addNewsletter(2, 'Members’ letter', { membersOnly: true })
        await addNewsletter(3, 'On request', { subscribesNewMembers: false })
        const columns = ['status', 'confirmed', 'plan', 'complimentary', ...(namesNewsletters ? ['newsletters'] : [])]
        const text = [
          ['email', ...columns].join(','),
          ...lines.map((each, n) =>
            [`m${n}@list.test`, ...columns.map((name) => each[name as keyof typeof each])].join(','),
          ),
        ].join('\n')
        const checked = await check(server, owner, text, given)
        const finished = await run(server, owner, checked)
        expect(outcomesOf(finished)).toEqual(outcomesOf(checked))
        const said = outcomesOf(checked)
        const gets = (name: string) => (said[name]?.gets ?? 0) + (said[name]?.free ?? 0)
        expect({
          drops: await reached('issue', null),
          news: await reached('news', null),
          letters: await Promise.all([1, 2, 3].map((id) => reached('news', id))),
        }).toEqual({
          drops: gets('Weekly drops'),
          news: gets('Product news'),
          letters: ['Letter', 'Members’ letter', 'On request'].map(gets),
        })
        for (const { outcomes } of checked.counts.newsletters) {
          expect(outcomes.reduce((sum, { count }) => sum + count, 0)).toBe(checked.counts.new)
        }
      },
    ),
    { numRuns: 15 },
  )
})
