import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  complimentaryAccess,
  emailPreferences,
  issueSections,
  issues,
  mailings,
  segmentMembers,
  segments,
  subscriptionState,
  suppressions,
  userPreferences,
  users,
} from '#server/db/schema/index.ts'
import { prepareMailing } from '#server/features/publishing/mailings/sending/prepare-mailing.ts'
import { createOutbox } from '#server/mail/outbox.ts'
import { createOutboxTransport } from '#server/mail/outbox-transport.ts'
import { type Audience, everyone, mailingContentSchema } from '#shared/contracts/publishing/newsletter.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/open-test-database.ts'
import {
  addIssue,
  addMailing,
  addMembers,
  mailerOver,
  queryRows,
  sendingDeps,
  startDraft,
  statusOf,
  sums,
} from './support.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
beforeEach(async () => {
  await database.truncate()
  await addIssue(database)
})
afterAll(() => database.close())

const now = new Date()
const deps = () =>
  sendingDeps(
    database,
    mailerOver(createOutboxTransport(createOutbox({ from: 'a@x.test', clock: () => now }))),
    () => now,
  )
const memberId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000)

const prepared = async (mailing: string) => {
  await prepareMailing(deps(), mailing)
  return sums(database, mailing)
}

test('Each member of the audience has one row, excluded ones with the reason, and the totals match', async () => {
  await addMembers(database, 20)
  const { db } = database
  await db.insert(emailPreferences).values([
    { userId: memberId(1), drops: 'off', updatedAt: now },
    { userId: memberId(2), drops: 'monthly', updatedAt: now },
  ])
  await db.insert(suppressions).values({ email: 'r3@d0.test', stream: 'all', reason: 'hard_bounce', createdAt: now })
  await db
    .update(users)
    .set({ bannedUntil: ago(-10) })
    .where(eq(users.id, memberId(4)))
  // Ineligible: no access, no address, deleted.
  await db
    .update(subscriptionState)
    .set({ status: 'canceled' })
    .where(eq(subscriptionState.userId, memberId(5)))
  await db
    .update(users)
    .set({ email: null })
    .where(eq(users.id, memberId(6)))
  await db
    .update(users)
    .set({ deletedAt: now })
    .where(eq(users.id, memberId(7)))
  const mailing = await addMailing(database)
  const wanted = {
    pending: 13,
    'suppressed unsubscribed': 1,
    'suppressed monthly': 1,
    'suppressed bounced': 1,
    'suppressed account_gone': 1,
  }
  expect(await prepared(mailing)).toEqual({ rows: wanted, counts: wanted })
  const [row] = await queryRows<{ name: string; domain: string; reader: string }>(
    database,
    sql`select name, domain, reader from deliveries where user_id = ${memberId(8)}::uuid`,
  )
  expect(row).toMatchObject({ name: 'Reader 8', domain: 'd2.test' })
  expect(Object.keys(JSON.parse(row?.reader ?? ''))).toEqual(['focusAreas', 'aiLevel', 'goals', 'franchiseType'])
})

test('A name that looks like a bot’s is not used', async () => {
  await addMembers(database, 2)
  const odd = { full_name: { first: 'A' }, name: 'Ada' }
  await database.db
    .update(users)
    .set({ rawUserMetaData: odd })
    .where(eq(users.id, memberId(1)))
  await database.db
    .update(users)
    .set({ rawUserMetaData: { full_name: ['x'], name: 5 } })
    .where(eq(users.id, memberId(2)))
  await prepared(await addMailing(database))
  const names = await queryRows(database, sql`select name from deliveries order by user_id`)
  expect(names).toEqual([{ name: 'Ada' }, { name: null }])
})

test('The email contains what readers saw at preparation; a later edit changes no email', async () => {
  await addMembers(database, 1)
  const mailing = await addMailing(database)
  await prepared(mailing)
  await database.db.update(issueSections).set({ heading: 'Changed' })
  const [row] = await database.db.select().from(mailings).where(eq(mailings.id, mailing))
  const content = mailingContentSchema.parse(row?.content)
  expect(content).toMatchObject({
    kind: 'issue',
    subject: 'What to do this week',
    title: 'The drop issue-1',
    number: 1,
  })
  expect(content.sections.map(({ heading }) => heading)).toContain('Item 3 of issue-1')
})

test('However often it is requested, a mailing is prepared once', async () => {
  await addMembers(database, 10)
  const mailing = await addMailing(database)
  await Promise.all([1, 2, 3].map(() => prepareMailing(deps(), mailing)))
  await prepareMailing(deps(), mailing)
  expect((await sums(database, mailing)).rows).toEqual({ pending: 10 })
  expect(await statusOf(database, mailing)).toBe('sending')
})

test('After a crash nothing is half prepared, and the next poll prepares it in full', async () => {
  await addMembers(database, 10)
  const mailing = await addMailing(database)
  const { db } = database
  await db.execute(
    sql`create function die() returns trigger language plpgsql as $$ begin raise exception 'died'; end $$`,
  )
  // The last statement of preparing.
  await db.execute(sql`create trigger die before update on mailings for each row execute function die()`)
  await expect(prepareMailing(deps(), mailing)).rejects.toThrow()
  await db.execute(sql`drop trigger die on mailings`)
  await db.execute(sql`drop function die`)
  expect([await statusOf(database, mailing), await sums(database, mailing)]).toEqual([
    'preparing',
    { rows: {}, counts: {} },
  ])
  expect((await prepared(mailing)).rows).toEqual({ pending: 10 })
})

test('An issue that is unpublished just before is not sent: the mailing becomes a draft again and says why', async () => {
  await addMembers(database, 3)
  const mailing = await addMailing(database)
  await database.db.update(issues).set({ publishedAt: null })
  expect(await prepared(mailing)).toEqual({ rows: {}, counts: {} })
  const [row] = await database.db.select().from(mailings).where(eq(mailings.id, mailing))
  expect(row).toMatchObject({
    status: 'draft',
    frozenAt: null,
    content: null,
    sendFailure: { reason: 'unpublished', errors: [] },
  })
})

test('A reader gets an issue once, from any mailing, unless the earlier email did not reach them', async () => {
  await addMembers(database, 6)
  const first = await addMailing(database)
  await prepared(first)
  await database.db.execute(sql`update deliveries set status = (array['submitted', 'unknown', 'sending', 'failed', 'stopped'])[
    right(user_id::text, 1)::int] where right(user_id::text, 1)::int <= 5`)
  const second = await addMailing(database)
  expect((await prepared(second)).rows).toEqual({ pending: 2, 'suppressed already_received': 4 })
})

test('If two mailings of one issue are prepared concurrently, no reader is in both', async () => {
  await addMembers(database, 50)
  const both = [await addMailing(database), await addMailing(database)]
  await Promise.all(both.map((mailing) => prepareMailing(deps(), mailing)))
  const rows = await queryRows<{ n: number; readers: number }>(
    database,
    sql`select count(*)::int as n, count(distinct user_id)::int as readers from deliveries where status = 'pending'`,
  )
  expect(rows).toEqual([{ n: 50, readers: 50 }])
})

const membersOf = async (audience: Partial<Audience>, kind: 'issue' | 'news' | 'digest' = 'issue') => {
  await database.db.execute(sql`delete from deliveries`)
  const mailing = await addMailing(database, {
    kind,
    issueId: kind === 'issue' ? 'issue-1' : null,
    audience: { ...everyone, ...audience },
    content: {
      kind: 'news',
      subject: '',
      preheader: '',
      title: 'News',
      date: null,
      intro: '',
      sections: [],
      closing: '',
      path: null,
    },
  })
  await prepareMailing(deps(), mailing)
  const rows = await queryRows<{ n: number }>(
    database,
    sql`select right(user_id::text, 2)::int as n from deliveries where mailing_id = ${mailing}::uuid order by 1`,
  )
  return rows.map(({ n }) => n)
}

test('An audience is chosen by plan, focus area, franchise type, activity and segment, all conditions together', async () => {
  await addMembers(database, 12)
  const { db } = database
  const set = (n: number, values: Partial<typeof userPreferences.$inferInsert>) =>
    db
      .update(userPreferences)
      .set(values)
      .where(eq(userPreferences.userId, memberId(n)))
  await db.update(userPreferences).set({ focusAreas: ['Operations'], franchiseType: 'Retail' })
  await set(1, { focusAreas: ['Marketing', 'Operations'] })
  await set(2, { focusAreas: ['Marketing'], franchiseType: 'Health & Fitness' })
  await db
    .update(subscriptionState)
    .set({ productId: 'prod_pro_yearly' })
    .where(eq(subscriptionState.userId, memberId(1)))
  await db.delete(subscriptionState).where(eq(subscriptionState.userId, memberId(2)))
  await db
    .insert(complimentaryAccess)
    .values({ userId: memberId(2), until: ago(-5), grantedBy: 'a@x.test', grantedAt: now })
  await db
    .update(users)
    .set({ lastSignInAt: ago(3) })
    .where(eq(users.id, memberId(2)))
  await db
    .update(users)
    .set({ lastSignInAt: ago(40) })
    .where(eq(users.id, memberId(3)))
  const segmentId = crypto.randomUUID()
  await db.insert(segments).values({ id: segmentId, name: 'Friends', createdAt: now })
  await db.insert(segmentMembers).values([2, 3].map((n) => ({ segmentId, userId: memberId(n), addedAt: now })))
  expect(await membersOf({})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(await membersOf({ plans: ['pro_yearly'] })).toEqual([1])
  expect(await membersOf({ plans: ['pro_yearly', 'complimentary'] })).toEqual([1, 2])
  expect(await membersOf({ focusAreas: ['Marketing'] })).toEqual([1, 2])
  expect(await membersOf({ focusAreas: ['Marketing'], franchiseTypes: ['Health & Fitness'] })).toEqual([2])
  expect(await membersOf({ active: { within: true, days: 7 } })).toEqual([2])
  expect(await membersOf({ active: { within: false, days: 7 } })).not.toContain(2)
  expect(await membersOf({ segmentIds: [segmentId] })).toEqual([2, 3])
  expect(await membersOf({ segmentIds: [segmentId], active: { within: false, days: 7 } })).toEqual([3])
})

test('News goes to verified addresses, drops to subscribers, and the digest to those who chose it', async () => {
  await addMembers(database, 4)
  const { db } = database
  await db.delete(subscriptionState).where(eq(subscriptionState.userId, memberId(1)))
  await db
    .update(users)
    .set({ emailConfirmedAt: null })
    .where(eq(users.id, memberId(2)))
  await db.insert(emailPreferences).values({ userId: memberId(3), drops: 'monthly', updatedAt: now })
  await db
    .update(issues)
    .set({ date: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15)).toISOString().slice(0, 10) })
  expect(await membersOf({}, 'news')).toEqual([1, 3, 4])
  expect(await membersOf({})).toEqual([2, 3, 4])
  expect(await membersOf({}, 'digest')).toEqual([3])
})

test('Of any number of clicks on Send one succeeds, and only for the draft that was previewed', async () => {
  const mailing = await addMailing(database, { status: 'draft', version: 3 })
  const clicks = await Promise.allSettled([3, 3, 2, 3].map((version) => startDraft(deps(), mailing, { version })))
  expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const late = await addMailing(database, { status: 'draft', version: 3 })
  await expect(startDraft(deps(), late, { version: 2 })).rejects.toMatchObject({
    code: 'mailing_changed',
  })
  expect(await statusOf(database, late)).toBe('draft')
})
