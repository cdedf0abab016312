import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { queryRows } from '#server/db/database.ts'
import { contentItems, itemUses, seenChanges, tools, users } from '#server/db/schema/index.ts'
import { syncContentItems } from '#server/features/library/content/sync-content-items.ts'
import { seedContent } from '#server/seed/seed-content.ts'
import type { ItemMarks } from '#shared/contracts/reader/item-marks.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
beforeAll(() => seedContent(server.deps))
let reader: TestUser
beforeEach(async () => {
  await server.database.db.delete(users)
  reader = await buildUser(server, { subscription: 'active' })
})

const ask = async <T>(name: string, input: unknown, status = 200, of = reader) => {
  const answer = await call(server, name, input, of.token)
  expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  return answer.body as T
}
const now = () => server.clock.now.toISOString()
const tool = { kind: 'tool', id: 'canva' } as const
const marks = () => ask<ItemMarks>('item-marks', { scope: { kind: 'tools' } })
const changedOf = async () => (await marks()).items.find(({ id }) => id === tool.id)?.changed ?? null
const versionOf = async () => (await marks()).versions.find(({ id }) => id === tool.id) ?? null

/** Publishes the tool with another text, a minute later. */
async function change(values: Partial<typeof tools.$inferInsert>) {
  server.clock.now = new Date(server.clock.now.getTime() + 60_000)
  await server.database.db.transaction(async (tx) => {
    await tx.update(tools).set(values).where(eq(tools.id, tool.id))
    await syncContentItems(tx, server.clock.now, { kind: 'tool', id: tool.id })
  })
}
const words = (n: number) => ({ verdict: `Verdict ${n} ${Math.random()}` })

describe('versions', () => {
  test('another text is a new version with its note; another date or note alone is none', async () => {
    const before = (await versionOf())?.version ?? 1
    await change({ ...words(1), changeNote: 'Prices moved.' })
    await change({ checkedOn: '2026-11-21', changeNote: 'Unused.' })
    expect(await versionOf()).toMatchObject({ version: before + 1 })
    const { changes } = await ask<{ changes: { version: number; note: string }[] }>('item-changes', tool)
    expect(changes[0]).toMatchObject({ version: before + 1, note: 'Prices moved.' })
  })

  test('a note that an earlier version had is not repeated', async () => {
    await change({ ...words(2), changeNote: 'New limits.' })
    await change({ ...words(3), changeNote: 'New limits.' })
    const { changes } = await ask<{ changes: { note: string }[] }>('item-changes', tool)
    expect(changes.slice(0, 2).map(({ note }) => note)).toEqual(['', 'New limits.'])
  })

  test('an item is valid through its last day in the publication’s zone', async () => {
    await change({ validUntil: '2026-12-31' })
    const at = server.clock.now
    server.clock.now = new Date('2027-01-01T04:59:00Z') // 11:59 PM in New York
    reader = await buildUser(server, { subscription: 'active' })
    expect(await versionOf()).toMatchObject({ validUntil: '2026-12-31', outdated: false })
    server.clock.now = new Date('2027-01-01T05:01:00Z')
    expect(await versionOf()).toMatchObject({ outdated: true })
    await change({ validUntil: null })
    expect((await versionOf())?.validUntil ?? null).toBe(null)
    server.clock.now = at
  })
})

describe('a change since the reader kept an item', () => {
  test('shows on its page until it is dismissed, and again for the next one', async () => {
    await ask('save-item', { ...tool, saved: true, at: now() })
    expect(await changedOf()).toBe(null)
    await change({ ...words(4), changeNote: 'First.' })
    await change({ ...words(5), changeNote: 'Second.' })
    const changed = await changedOf()
    expect(changed).toMatchObject({ note: 'First. Second.' })
    await ask('dismiss-change', { ...tool, version: changed?.version })
    await ask('dismiss-change', { ...tool, version: 1 })
    expect(await changedOf()).toBe(null)
    await change({ ...words(6), changeNote: 'Third.' })
    expect(await changedOf()).toMatchObject({ version: (changed?.version ?? 0) + 1 })
  })

  test('counts from the last copy or download, whatever arrives last', async () => {
    const before = now()
    await change(words(7))
    await ask('record-item-use', { ...tool, use: 'copied', at: before })
    expect(await changedOf()).not.toBe(null)
    await ask('record-item-use', { ...tool, use: 'downloaded', at: now() })
    await ask('record-item-use', { ...tool, use: 'copied', at: before })
    expect(await changedOf()).toBe(null)
  })

  test('is nothing to readers who kept nothing, and not shown for what was removed', async () => {
    await change(words(8))
    expect(await changedOf()).toBe(null)
    await ask('save-item', { ...tool, saved: true, at: now() })
    server.clock.now = new Date(server.clock.now.getTime() + 1_000)
    await ask('save-item', { ...tool, saved: false, at: now() })
    await change(words(9))
    expect(await changedOf()).toBe(null)
  })

  test('a download of a guide counts as kept', async () => {
    await ask('download-guide', { id: 'ai-use-policy' })
    const rows = await queryRows<{ use: string }>(
      server.database.db,
      sql`select use from item_uses where user_id = ${reader.id}::uuid and kind = 'guide' and item_id = 'ai-use-policy'`,
    )
    expect(rows).toEqual([{ use: 'downloaded' }])
  })
})

describe('bad input', () => {
  test.each([
    ['record-item-use', { ...tool, use: 'eaten', at: '2026-11-01T00:00:00Z' }, 400],
    ['record-item-use', { ...tool, use: 'copied', at: 'now' }, 400],
    ['record-item-use', { kind: 'tool', id: 'none', use: 'copied', at: '2026-11-01T00:00:00Z' }, 404],
    ['record-item-use', { kind: 'tool', id: 'a\0b', use: 'copied', at: '2026-11-01T00:00:00Z' }, 400],
    ['dismiss-change', { ...tool, version: 0 }, 400],
    ['dismiss-change', { ...tool, version: 99_999_999_999 }, 400],
    ['dismiss-change', { kind: 'tool', id: '\uD800', version: 1 }, 400],
    ['item-changes', { kind: 'recipe', id: 'x' }, 400],
  ])('%s %j is refused and changes nothing', async (name, input, status) => {
    await ask(name, input, status)
    expect(await server.database.db.$count(itemUses)).toBe(0)
    expect(await server.database.db.$count(seenChanges)).toBe(0)
  })

  test('readers without a plan get nothing', async () => {
    const ended = await buildUser(server, { subscription: 'canceled' })
    await ask('item-changes', tool, 403, ended)
    await ask('record-item-use', { ...tool, use: 'copied', at: now() }, 403, ended)
    await ask('dismiss-change', { ...tool, version: 1 }, 403, ended)
  })

  test('everything about a reader goes with the account, and nothing about the items', async () => {
    await ask('record-item-use', { ...tool, use: 'copied', at: now() })
    await ask('dismiss-change', { ...tool, version: 1 })
    await server.database.db.delete(users).where(eq(users.id, reader.id))
    expect(await server.database.db.$count(itemUses)).toBe(0)
    expect(await server.database.db.$count(seenChanges)).toBe(0)
    expect(await server.database.db.$count(contentItems, eq(contentItems.id, tool.id))).toBe(1)
  })
})
