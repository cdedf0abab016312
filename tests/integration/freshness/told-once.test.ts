import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { queryRows, type Tx } from '#server/db/database.ts'
import { contentItems, deliveries, emailedChanges, itemUses, savedItems, seenChanges } from '#server/db/schema/index.ts'
import { recordItemUse } from '#server/features/library/content/record-item-use.ts'
import { announceChanges } from '#server/features/library/freshness/announce-changes.ts'
import { dismissChange } from '#server/features/library/freshness/feature.ts'
import { saveItem } from '#server/features/reader/saved/saved-items.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
const items = ['a', 'b', 'c'].map((id) => ({ kind: 'prompt' as const, id: `once-${id}` }))
const readers: string[] = []
beforeAll(async () => {
  for (let n = 0; n < 3; n += 1) readers.push((await buildUser(server, { subscription: 'active' })).id)
})

const pick = <T>(list: readonly T[], index: number): T => {
  const found = list[index]
  if (found === undefined) throw new Error(`nothing at ${index}`)
  return found
}

const start = Date.parse('2026-11-01T12:00:00Z')

async function reset() {
  const { db } = server.database
  for (const table of [emailedChanges, deliveries, seenChanges, itemUses, savedItems]) await db.delete(table)
  await db.execute(sql`delete from item_changes`)
  await db.delete(contentItems)
  const at = new Date(start)
  await db.insert(contentItems).values(
    items.map((item) => ({
      ...item,
      title: item.id,
      path: `/portal/prompt-packs#${item.id}`,
      publishedAt: at,
      changedAt: at,
    })),
  )
}

const publish = (item: (typeof items)[number], now: Date) =>
  server.database.db.transaction(async (tx) => {
    const [row] = await queryRows<{ version: number }>(
      tx,
      sql`update content_items set version = version + 1, changed_at = ${now.toISOString()}::timestamptz
        where kind = ${item.kind} and id = ${item.id} returning version`,
    )
    await tx.execute(sql`insert into item_changes (kind, item_id, version, changed_at, note)
      values (${item.kind}, ${item.id}, ${row?.version ?? 0}, ${now.toISOString()}::timestamptz, 'New wording.')`)
  })

/** Freezes a mailing to all readers, as `prepareMailing` does. */
async function freeze(tx: Tx, id: string, now: Date) {
  await tx.insert(deliveries).values(
    readers.map((userId) => ({
      mailingId: id,
      userId,
      email: `${userId}@example.test`,
      domain: 'example.test',
      reader: '{}',
      status: 'pending',
      changedAt: now,
    })),
  )
  await announceChanges(tx, { id, kind: 'issue' }, now)
}

const index = fc.nat({ max: 2 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('publish' as const), item: index }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('save', 'unsave', 'copy', 'dismiss'),
      reader: index,
      item: index,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('mail' as const),
      /** Crashes before the preparation is committed, then the next poll repeats it. */
      crashes: fc.nat({ max: 2 }),
      /** The outcome of each reader's delivery. */
      outcomes: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom('submitted', 'unknown', 'failed', 'suppressed'))),
    }),
  },
)

test('every change is told once to each reader who kept the item, over any history of publishing, saving, sending and crashing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (history) => {
      await reset()
      const changedAts = items.map((): number[] => [])
      const kept = readers.map(() => items.map(() => ({ saved: 0, copied: 0 })))
      const seen = readers.map(() => items.map(() => 0))
      const told = new Set<string>()
      const { db } = server.database
      for (const [place, action] of history.entries()) {
        const now = new Date(start + (place + 1) * 60_000)
        const at = now.toISOString()
        if (action.do === 'publish') {
          await publish(pick(items, action.item), now)
          pick(changedAts, action.item).push(now.getTime())
        } else if (action.do === 'mail') {
          const id = randomUUID()
          for (let crash = 0; crash < action.crashes; crash += 1) {
            const crashed = db.transaction(async (tx) => {
              await freeze(tx, id, now)
              throw new Error('crash')
            })
            await expect(crashed).rejects.toThrow('crash')
          }
          await db.transaction((tx) => freeze(tx, id, now))
          for (const [reader, status] of action.outcomes.entries()) {
            const rows = await queryRows<{ item_id: string; version: number }>(
              db,
              sql`select item_id, version from emailed_changes
                where mailing_id = ${id}::uuid and user_id = ${readers[reader]}::uuid order by item_id, version`,
            )
            const expected = items.flatMap((item, index) => {
              const { saved, copied } = pick(pick(kept, reader), index)
              const since = Math.max(saved, copied)
              return pick(changedAts, index).flatMap((changedAt, place) => {
                const version = place + 2
                const isDue = since > 0 && changedAt > since && version > pick(pick(seen, reader), index)
                return isDue && !told.has(`${reader} ${index} ${version}`) ? [{ item_id: item.id, version }] : []
              })
            })
            expect(rows).toEqual(expected)
            for (const row of rows) {
              const key = `${reader} ${items.findIndex((item) => item.id === row.item_id)} ${row.version}`
              if (status === 'submitted' || status === 'unknown') told.add(key)
            }
            await db.execute(sql`update deliveries set status = ${status}
              where mailing_id = ${id}::uuid and user_id = ${readers[reader]}::uuid`)
          }
        } else {
          const reader = readers[action.reader] ?? ''
          const item = pick(items, action.item)
          const own = pick(pick(kept, action.reader), action.item)
          if (action.do === 'save' || action.do === 'unsave') {
            await saveItem(db, reader, { ...item, saved: action.do === 'save', at }, now)
            own.saved = action.do === 'save' ? now.getTime() : 0
          } else if (action.do === 'copy') {
            // Twice, as a change that is sent again after a lost answer.
            await recordItemUse(db, reader, { ...item, use: 'copied' }, now)
            await recordItemUse(db, reader, { ...item, use: 'copied' }, now)
            own.copied = now.getTime()
          } else {
            await dismissChange(db, reader, { ...item, version: 99 })
            pick(seen, action.reader)[action.item] = 1 + pick(changedAts, action.item).length
          }
        }
      }
    }),
    { numRuns: caseCount(8, 25) },
  )
})
