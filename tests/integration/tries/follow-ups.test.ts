import { and, asc, eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { simpleParser } from 'mailparser'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  contentItems,
  deliveries,
  emailPreferences,
  mailings,
  subscriptionState,
  tries,
} from '#server/db/schema/index.ts'
import { readChoices } from '#server/features/publishing/email-preferences/stored-email-choices.ts'
import { createFollowUps } from '#server/features/publishing/mailings/sending/create-follow-ups.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { recordTry, removeTry, startTry } from '#server/features/reader/tries/own-tries.ts'
import type { Principal } from '#server/http/principal.ts'
import type { TriedItem } from '#shared/contracts/reader/tries.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { call } from '#tests/support/client-for.ts'
import { startCrashableNode } from '#tests/support/crashable-node.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { sendingDeps, smtpNewsletterMailer, until } from '../mailings/sending/support.ts'
import { addItem, prompt, record, remove, section, start, subscriber } from './support.ts'

const server = openForTests(() => createTestApp())
/** 10 AM in New York. */
const now = new Date('2026-11-02T15:00:00.000Z')
const dayMs = 24 * 60 * 60_000
const long = { subscriptionFacts: { currentPeriodEnd: new Date('2027-11-02T00:00:00Z') } }

beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = now
  await addItem(server, prompt, 'Write the shift handover')
  await addItem(server, section, 'Sort by hand before you write')
})

const run = () => createFollowUps(server.deps)

/** Which items each reader was asked about, by mailing. */
async function asked() {
  const { db } = server.database
  const rows = await db
    .select({
      userId: deliveries.userId,
      reader: deliveries.reader,
      status: deliveries.status,
      at: mailings.createdAt,
      content: sql<{ sections: { path: string }[] }>`${mailings.content}`,
    })
    .from(deliveries)
    .innerJoin(mailings, eq(mailings.id, deliveries.mailingId))
    .orderBy(asc(mailings.createdAt), asc(deliveries.id))
  return rows.map(({ reader, content, ...row }) => {
    const { sections } = JSON.parse(reader) as { sections: number[] }
    return { ...row, items: sections.map((position) => content.sections[position]?.path.split('#')[1]) }
  })
}

describe('A reader who started something', () => {
  test('is asked seven days later, once, with up to three items in one email', async () => {
    const reader = await subscriber(server, long)
    const items: TriedItem[] = ['a', 'b', 'c', 'd'].map((id) => ({ kind: 'prompt', id }))
    for (const item of items) {
      await addItem(server, item)
      await start(server, reader, item)
      server.clock.advance(1000)
    }
    server.clock.now = new Date(now.getTime() + 6.9 * dayMs)
    expect(await run()).toBeNull()
    server.clock.now = new Date(now.getTime() + 7 * dayMs + 60_000)
    expect(await run()).not.toBeNull()
    expect(await run()).toBeNull()
    expect(await asked()).toMatchObject([{ userId: reader.id, items: ['a', 'b', 'c'], status: 'pending' }])
    server.clock.now = new Date(now.getTime() + 13 * dayMs)
    expect(await run()).toBeNull()
    server.clock.now = new Date(now.getTime() + 15 * dayMs)
    await run()
    expect((await asked()).map((each) => each.items)).toEqual([['a', 'b', 'c'], ['d']])
  })

  test('is not asked at night, nor about what is answered, removed, unpublished or old', async () => {
    const [answered, removed, unpublished, old, open] = await Promise.all(
      [1, 2, 3, 4, 5].map(() => subscriber(server, long)),
    )
    if (!answered || !removed || !unpublished || !old || !open) throw new Error('five readers')
    for (const reader of [answered, removed, open]) await start(server, reader, prompt)
    await start(server, unpublished, section)
    await start(server, old, prompt, new Date(now.getTime() - 40 * dayMs))
    await record(server, answered, prompt)
    await remove(server, removed, prompt, now)
    const isSection = and(eq(contentItems.kind, 'section'), eq(contentItems.id, section.id))
    await server.database.db.update(contentItems).set({ removedAt: now }).where(isSection)
    server.clock.now = new Date(now.getTime() + 8 * dayMs - 3 * 60 * 60_000)
    expect(await run()).toBeNull()
    server.clock.now = new Date(now.getTime() + 8 * dayMs)
    await run()
    expect(await asked()).toMatchObject([{ userId: open.id }])
  })

  test('is not asked without access, with follow-ups off, or at a suppressed address', async () => {
    const { db } = server.database
    const [ended, off, open] = await Promise.all([1, 2, 3].map(() => subscriber(server, long)))
    if (!ended || !off || !open) throw new Error('three readers')
    for (const reader of [ended, off, open]) await start(server, reader, prompt)
    await db.update(subscriptionState).set({ status: 'canceled' }).where(eq(subscriptionState.userId, ended.id))
    await db.insert(emailPreferences).values({ userId: off.id, followUps: false, updatedAt: now })
    server.clock.now = new Date(now.getTime() + 8 * dayMs)
    await run()
    expect(await asked()).toMatchObject([{ userId: open.id }])
  })
})

type Op =
  | { kind: 'start' | 'answer' | 'remove'; reader: number; item: number }
  | { kind: 'wait'; days: number }
  | { kind: 'run'; crashAfter: number | null; when: 'before' | 'after' }
  | { kind: 'two nodes' }

const who = { reader: fc.nat({ max: 2 }), item: fc.nat({ max: 4 }) }
const ops = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record<Op & { kind: 'start' }>({ kind: fc.constant('start'), ...who }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('answer' as const, 'remove' as const), ...who }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 9 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('run' as const),
        crashAfter: fc.option(fc.nat({ max: 8 })),
        when: fc.constantFrom('before' as const, 'after' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('two nodes' as const) }) },
  ),
  { maxLength: 24 },
)

test('Over random histories with crashes, repeats and two nodes, each item is asked about once, a week after it was started', async () => {
  const items: TriedItem[] = ['i0', 'i1', 'i2', 'i3', 'i4'].map((id) => ({ kind: 'prompt', id }))
  await fc.assert(
    fc.asyncProperty(ops, async (history) => {
      await server.database.truncate()
      server.clock.now = now
      for (const item of items) await addItem(server, item)
      const readers = await Promise.all([0, 1, 2].map(() => subscriber(server, long)))
      const started = new Map<string, number>()
      const closed = new Map<string, number>()
      const perform = async (op: Op) => {
        if (op.kind === 'wait') return server.clock.advance(op.days * dayMs)
        if (op.kind === 'two nodes') return Promise.all([run(), run()])
        if (op.kind === 'run') {
          const node = startCrashableNode(
            server.deps,
            { ...server.deps.config.stripe, port: 9 } as Parameters<typeof startCrashableNode>[1],
            { network: () => 'up' },
          )
          if (op.crashAfter !== null) node.dieAfter(op.crashAfter, op.when)
          return createFollowUps(node.deps).catch(() => null)
        }
        const reader = readers[op.reader] as TestUser
        const item = items[op.item] as TriedItem
        const key = `${reader.id} ${item.id}`
        server.clock.advance(1000)
        if (!started.has(key)) started.set(key, server.clock.now.getTime())
        // Directly, because the readers' tokens expire on the way.
        const who = { userId: reader.id } as Principal
        const input = { ...item, at: server.clock.now.toISOString() }
        if (op.kind === 'start') return startTry(server.deps, who, input)
        if (!closed.has(key)) closed.set(key, server.clock.now.getTime())
        if (op.kind === 'remove') return removeTry(server.deps, who, input)
        const answer = { outcome: 'worked', minutesPerWeek: null, note: '', shared: false } as const
        return recordTry(server.deps, who, { ...input, ...answer })
      }
      for (const op of history) await perform(op)
      // Enough days for what is still open; five items are two emails.
      for (let day = 0; day < 16; day++) {
        server.clock.advance(dayMs)
        await run()
      }
      const emails = await asked()
      const seen = new Map<string, number>()
      const last = new Map<string, number>()
      for (const { userId, items: about, at } of emails) {
        expect(about.length).toBeGreaterThan(0)
        expect(about.length).toBeLessThanOrEqual(3)
        expect(at.getTime() - (last.get(userId) ?? 0)).toBeGreaterThanOrEqual(7 * dayMs)
        last.set(userId, at.getTime())
        for (const id of about) {
          const key = `${userId} ${id}`
          expect(seen.has(key)).toBe(false)
          seen.set(key, at.getTime())
          expect(at.getTime() - (started.get(key) ?? Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(7 * dayMs)
          expect(closed.get(key) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(at.getTime())
        }
      }
      const end = server.clock.now.getTime()
      for (const [key, at] of started) {
        // Rows that the long history made older than five weeks may have been dropped.
        if (!closed.has(key) && end - at < 35 * dayMs) expect(seen.has(key), key).toBe(true)
      }
      const marked = await server.database.db.select().from(tries).where(sql`${tries.askedAt} is not null`)
      expect(marked).toHaveLength(seen.size)
    }),
    { numRuns: caseCount(5, 20) },
  )
})

describe('Over real SMTP', () => {
  const closers: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  test('each reader gets their own items once, with links that only open a page, and one click unsubscribes', async () => {
    const smtp = await startSmtpServer()
    closers.push(() => smtp.close())
    const mia = await subscriber(server, { ...long, email: 'mia@example.test', data: { full_name: 'Mia Lopez' } })
    const ben = await subscriber(server, { ...long, email: 'ben@example.test' })
    await start(server, mia, prompt)
    await start(server, mia, section)
    await start(server, ben, section)
    server.clock.now = new Date(now.getTime() + 7 * dayMs)
    const mailingId = (await run()) ?? ''
    const deps = {
      ...sendingDeps(server.database, smtpNewsletterMailer(smtp.url), () => server.clock.now),
      secrets: server.deps.secrets,
      config: server.deps.config,
    }
    const senders = await Promise.all([1, 2].map(() => startSender(deps, { idleMs: 20 })))
    closers.push(async () => {
      for (const sender of senders) await sender.stop(1000)
      await deps.newsletterMailer.close()
    })
    const isSent = async () => {
      const [row] = await server.database.db.select().from(mailings).where(eq(mailings.id, mailingId))
      return row?.status === 'sent'
    }
    await until(isSent)
    expect(smtp.received.map(({ to }) => to).toSorted()).toEqual(['ben@example.test', 'mia@example.test'])
    const emailTo = async (to: string) => simpleParser(smtp.received.find((email) => email.to === to)?.raw ?? '')
    const email = await emailTo('mia@example.test')
    expect(email.subject).toBe('Did it work?')
    expect(email.text).toContain('Hi Mia, at least a week ago')
    expect(email.text).toContain('WRITE THE SHIFT HANDOVER')
    expect(email.text).toContain('SORT BY HAND BEFORE YOU WRITE')
    expect((await emailTo('ben@example.test')).text).not.toContain('SHIFT HANDOVER')
    const link = /href="([^"]*\/portal\/tried\?[^"]*outcome=worked-with-changes)"/.exec(String(email.html))?.[1]
    expect(link?.replaceAll('&#38;', '&')).toBe(
      `${server.deps.config.publicUrl}/portal/tried?kind=prompt&id=${prompt.id}&outcome=worked-with-changes`,
    )
    await server.request(`/portal/tried?kind=prompt&id=${prompt.id}&outcome=worked`)
    const answers = await server.database.db.select({ outcome: tries.outcome }).from(tries)
    expect(answers.every(({ outcome }) => outcome === null)).toBe(true)

    const oneClick = /<([^>]+)>/.exec(
      String(email.headerLines.find(({ key }) => key === 'list-unsubscribe')?.line),
    )?.[1]
    const path = new URL(oneClick ?? '').pathname
    expect((await server.request(path)).status).toBe(303)
    const preferences = () => readChoices(server.database.db, mia.id)
    expect(await preferences()).toMatchObject({ followUps: true })
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await server.request(path, { method: 'POST', body })).status).toBe(200)
    expect(await preferences()).toMatchObject({ followUps: false, drops: 'weekly', news: true })
    const page = await call(server, 'unsubscribe-page', { token: path.split('/').at(-1) })
    expect(page.body).toMatchObject({ stream: 'follow-ups', choices: { followUps: false } })
  })

  test('an address that is suppressed, or a plan that ends, between asking and sending gets nothing', async () => {
    const smtp = await startSmtpServer()
    closers.push(() => smtp.close())
    const reader = await subscriber(server, long)
    await start(server, reader, prompt)
    server.clock.now = new Date(now.getTime() + 7 * dayMs)
    await run()
    await server.database.db.update(subscriptionState).set({ status: 'canceled' })
    const deps = sendingDeps(server.database, smtpNewsletterMailer(smtp.url), () => server.clock.now)
    const sender = await startSender(deps, { idleMs: 20 })
    closers.push(async () => {
      await sender.stop(1000)
      await deps.newsletterMailer.close()
    })
    await until(async () => (await asked())[0]?.status === 'suppressed')
    expect(smtp.heard).toEqual([])
  })

  test('the list of mailings leaves follow-ups out, and a deleted reader leaves no trace of what they tried', async () => {
    const reader = await subscriber(server, long)
    await start(server, reader, prompt)
    server.clock.now = new Date(now.getTime() + 7 * dayMs)
    await run()
    const admin = await buildUser(server, { admin: true })
    expect((await call(server, 'admin-mailings', {}, admin.token)).body.items).toEqual([])
    const { db } = server.database
    // The reader's token would have expired.
    server.clock.now = now
    const deleted = await call(server, 'delete-account', { email: reader.email }, reader.token)
    expect(deleted.status, JSON.stringify(deleted.body)).toBe(200)
    const [row] = await db.select().from(deliveries)
    expect(row).toMatchObject({ email: null, name: null })
    expect(row?.reader).not.toContain('sections')
  })
})
