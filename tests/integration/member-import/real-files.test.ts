import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { emailPreferences, memberTags, suppressions, users } from '#server/db/schema/index.ts'
import type { ImportOptions } from '#shared/contracts/operations/member-import.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { check, run, storedMembers, upload } from './support.ts'

const server = openForTests(() => createTestApp())
let owner: TestUser
beforeEach(async () => {
  await server.database.truncate()
  owner = await buildUser(server, { admin: true, email: 'owner@staff.invalid' })
})

const file = (name: string) => readFileSync(new URL(`files/${name}`, import.meta.url))
const importFile = async (name: string, options = {}) =>
  run(server, owner, await check(server, owner, file(name), options))

test('MailPoet: only those whom both statuses call subscribed get email', async () => {
  expect((await importFile('mailpoet.csv')).counts).toMatchObject({ new: 6, refused: 0, subscribed: 1 })
  const members = await storedMembers(server, '@example.com')
  expect(members.filter(({ getsEmail, suppressed }) => getsEmail && String(suppressed) === '')).toMatchObject([
    { email: 'on@example.com', confirmed: true },
  ])
})

test('quotation marks after a backslash are part of the name', async () => {
  await importFile('mailpoet-nickname.csv')
  expect(await storedMembers(server, '@example.com')).toMatchObject([
    { email: 'nick@example.com', name: 'Ann "Annie" Lee, Jr. "JR"', getsEmail: false },
    { email: 'plain@example.com', name: 'Per Lund', getsEmail: true },
  ])
})

test('our own list is read back: suppressed members stay so, whatever plan they have', async () => {
  expect((await importFile('own-list-suppressed.csv')).counts).toMatchObject({ new: 3, refused: 0, subscribed: 2 })
  expect(await storedMembers(server, '@example.com')).toMatchObject([
    { email: 'past@example.com', suppressed: [] },
    { email: 'stopped@example.com', suppressed: ['all hard_bounce'] },
    { email: 'trial@example.com', suppressed: [] },
  ])
})

test('protective apostrophes are removed, and addresses at any domain are taken', async () => {
  await importFile('own-export-apostrophes.csv')
  expect(await storedMembers(server, '@example.com')).toMatchObject([
    { name: '-5', notes: ['+44 20 5550 1234'], tags: ['=vip', 'plain'] },
    { name: 'Lia', notes: ['Called on Monday\n- wants an invoice\n- moved'] },
  ])
  expect((await importFile('idn-top-level.csv')).counts).toMatchObject({ new: 5, refused: 0 })
})

test('gifts of Ghost and subscriptions of Substack’s app give free access if the publisher grants it', async () => {
  const until = '2100-01-31'
  expect((await importFile('ghost-6.65-members-gift.csv', { complimentaryUntil: until })).counts).toMatchObject({
    complimentary: 3,
  })
  expect(await storedMembers(server, 'noname@')).toMatchObject([{ complimentary: until }])
  expect((await importFile('substack-subscribers-ios.csv')).counts).toMatchObject({
    complimentary: 0,
    paying: 1,
    unlinkable: 1,
  })
  await importFile('substack-subscribers-ios.csv', { complimentaryUntil: until })
  expect(await storedMembers(server, 'ios@')).toMatchObject([{ complimentary: '2027-07-06' }])
})

test.each([
  [
    'Substack',
    'email,expiry,email_disabled,stripe_connected_customer_id,type',
    ',2099-07-06T16:20:44.000Z,false,,paid',
  ],
  ['beehiiv', 'email,status,tier,created_at,stripe_customer_id', ',active,premium,2023-03-24 10:23:10 UTC,'],
])(
  'a paid plan of %s without a Stripe customer isn’t counted as paying, and the check says what it is',
  async (_, header, row) => {
    const file = `${header}\ngroup@paid.example${row}\n`
    const rowOf = async (options: Partial<ImportOptions> = {}) => {
      const { id, counts } = await check(server, owner, file, { freeEdition: true, vouchConfirmed: true, ...options })
      const { body } = await call(server, 'admin-member-import-errors', { id, all: true }, owner.token)
      return { counts, line: String(body.csv).split('\r\n')[1] }
    }
    const { counts, line } = await rowOf()
    expect(counts).toMatchObject({ new: 1, paying: 0, unlinkable: 1, complimentary: 0 })
    expect(counts.newsletters[0]?.outcomes).toEqual([{ outcome: 'free', count: 1 }])
    expect(line).toContain('paid, but no Stripe customer to link; no access unless you give it')
    const granted = await rowOf({ complimentaryUntil: '2100-01-01' })
    const hasEnd = row.includes('2099')
    expect(granted.counts).toMatchObject({ paying: 0, unlinkable: 1, complimentary: hasEnd ? 1 : 0 })
    expect(granted.line?.includes('no Stripe customer')).toBe(!hasEnd)
  },
)

test('the check asks what a column of status words means under a name that it doesn’t know', async () => {
  const { body } = await upload(server, owner, 'Email,Stage\na@b.example,active\nc@b.example,inactive\n')
  const { id, source, mapping } = body
  const options = {
    fillExisting: false,
    unsubscribeExisting: false,
    complimentaryUntil: null,
    vouchConfirmed: false,
    invite: false,
    tag: null,
  }
  const ask = (more: object) =>
    call(server, 'admin-check-members', { id, source, mapping, options: { ...options, ...more } }, owner.token)
  expect(await ask({})).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/“Stage” seems to say who gets email/) },
  })
  expect((await ask({ leftOut: [1] })).status).toBe(200)
})

async function exportMembers(): Promise<string> {
  const { body } = await call(server, 'admin-export-members', { target: { filter: {} } }, owner.token)
  const answer = await server.request(new URL(String(body.url)).pathname)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer())
}

const word = fc.string({ unit: fc.constantFrom(...'aZé-=+@\'", ;0'), minLength: 1, maxLength: 8 })
const tidy = (text: string) => text.replace(/\s+/g, ' ').trim()
const members = fc.uniqueArray(
  fc.record({
    name: word.map(tidy).filter((name) => name !== ''),
    tags: fc.uniqueArray(
      word.map((tag) => tidy(tag.replaceAll(',', '')).toLowerCase()).filter((tag) => /\w/.test(tag)),
      { maxLength: 3 },
    ),
    isOff: fc.boolean(),
    isSuppressed: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8, selector: ({ name }) => name },
)

test('whatever members there are, our own list is read back as it was exported', async () => {
  await fc.assert(
    fc.asyncProperty(members, async (given) => {
      await server.database.truncate()
      owner = await buildUser(server, { admin: true, email: 'owner@staff.invalid' })
      const { db } = server.database
      for (const [index, { name, tags, isOff, isSuppressed }] of given.entries()) {
        const user = await buildUser(server, { email: `m${index}@before.example` })
        await db
          .update(users)
          .set({ rawUserMetaData: { full_name: name } })
          .where(eq(users.id, user.id))
        const now = server.clock.now
        const rows = tags.map((tag) => ({ userId: user.id, tag, joinedMicros: 0, addedAt: now }))
        if (rows.length > 0) await db.insert(memberTags).values(rows)
        const off = { drops: 'off', news: false, followUps: false } as const
        if (isOff) await db.insert(emailPreferences).values({ userId: user.id, ...off, updatedAt: now })
        const suppression = {
          email: `m${index}@before.example`,
          stream: 'all',
          reason: 'hard_bounce',
          createdAt: now,
        } as const
        if (isSuppressed) await db.insert(suppressions).values(suppression)
      }
      const text = await exportMembers()
      expect(text.startsWith('\ufeff"Email"')).toBe(true)
      await run(server, owner, await check(server, owner, text.replaceAll('before.example', 'after.example')))
      const linesOf = async (domain: string) =>
        (await exportMembers())
          .split('\r\n')
          .flatMap((line) => (line.includes(`@${domain}`) ? [line.replace(domain, '')] : []))
          .toSorted()
      const before = await storedMembers(server, '@before.example')
      const after = await storedMembers(server, '@after.example')
      const facts = (found: typeof before) =>
        found.map(({ name, joined, tags, getsEmail, suppressed, confirmed }) => {
          const isOn = getsEmail && String(suppressed) === ''
          return { name, joined, tags, isOn, confirmed: isOn && confirmed }
        })
      expect(facts(after)).toEqual(facts(before))
      expect(await linesOf('after.example')).toHaveLength(given.length)
    }),
    { numRuns: 5 },
  )
})
