import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deleteAccountRows } from '#server/db/account-rows.ts'
import { customField, customFieldValues, memberTags, seriesEvent } from '#server/db/schema/index.ts'
import type { SeriesStep } from '#shared/domain/series.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { dyingAfter } from '#tests/support/dying-database.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { createSeriesHelpers, dayMs, draft, email, filter, hourMs, runMinute, stepId, wait } from './support.ts'

/*
 * Random lives of three members in one series, while its steps are edited, its field is retired and put back, it is paused, the clock jumps in both
 * directions, processes are killed between any two statements, and two nodes work at once.
 */

const server = openForTests(() => createTestApp())
const start = new Date('2026-11-25T15:00:00Z')
const people = 3
const leaving = 'leaving'

const action = fc.oneof(
  fc.record({ kind: fc.constant('enter' as const), who: fc.nat(people - 1) }),
  fc.record({ kind: fc.constant('leave' as const), who: fc.nat(people - 1) }),
  fc.record({ kind: fc.constant('delete' as const), who: fc.constant(people - 1) }),
  fc.record({
    kind: fc.constant('edit' as const),
    order: fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
  }),
  fc.record({ kind: fc.constant('pause' as const) }),
  fc.record({ kind: fc.constant('retire' as const) }),
  fc.record({ kind: fc.constant('resume' as const) }),
  fc.record({ kind: fc.constant('clock' as const), hours: fc.integer({ min: -12, max: 96 }) }),
  fc.record({ kind: fc.constant('run' as const) }),
  fc.record({ kind: fc.constant('race' as const) }),
  fc.record({ kind: fc.constant('kill' as const), moments: fc.nat(40) }),
)

const allSteps: Record<number, SeriesStep> = {
  1: email(1),
  2: wait(2, 2),
  3: email(3),
  4: { kind: 'condition', id: stepId(4), filter: filter({ tags: ['seen'] }), otherwise: 'skip' },
  5: { kind: 'tag', id: stepId(5), tag: 'seen', change: 'add' },
  6: wait(6, 5, 'hours'),
  7: { kind: 'field', id: stepId(7), field: 1, value: 'seen' },
}
const stepsOf = (order: readonly number[]) => order.flatMap((n) => allSteps[n] ?? [])

test('nobody gets a step twice or after leaving, and nobody is forgotten', { timeout: 1_200_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 25 }), async (actions) => {
      await server.database.truncate()
      server.clock.now = start
      const { db } = server.database
      const owner = await buildUser(server, { admin: true })
      const helpers = createSeriesHelpers(server, () => owner)
      const leavesWhen = filter({ tags: [leaving] })
      await helpers.createField('text')
      // Waits for what the other one sets.
      const follows = await helpers.turnOn(
        draft({
          name: 'Follows',
          trigger: { kind: 'field_set', field: 1, value: null },
          steps: [wait(8, 1)],
          reentryDays: 30,
        }),
      )
      let saved = await helpers.turnOn(
        draft({ trigger: { kind: 'tried' }, steps: stepsOf([1, 2, 3, 4, 5, 6, 7]), leavesWhen }),
      )
      const members = [await buildUser(server), await buildUser(server), await buildUser(server)]
      const left = new Map<string, number>()
      const entered = new Set<string>()
      const deleted = new Set<string>()
      const emailsOf = async (address: string) => (await helpers.delivered())[address]?.length ?? 0

      for (const each of actions) {
        const member = 'who' in each ? members[each.who] : undefined
        if (member && deleted.has(member.id)) continue
        switch (each.kind) {
          case 'enter':
            if (!member) break
            entered.add(member.id)
            await db.insert(seriesEvent).values({ kind: 'tried', userId: member.id, at: server.clock.now })
            break
          case 'leave':
            if (!member || left.has(member.id)) break
            await db
              .insert(memberTags)
              .values({ userId: member.id, tag: leaving, joinedMicros: 0, addedAt: server.clock.now })
            left.set(member.id, await emailsOf(member.email))
            break
          case 'delete':
            if (!member) break
            deleted.add(member.id)
            await db.transaction(async (tx) => deleteAccountRows(tx, member.id))
            break
          case 'edit': {
            const edited = await helpers.invoke(
              'admin-save-series',
              draft({ ...saved, trigger: { kind: 'tried' }, steps: stepsOf(each.order), leavesWhen }),
            )
            if (edited.status === 200) saved = edited.body
            break
          }
          case 'pause':
            await helpers.setStatus(saved, 'paused')
            break
          case 'retire':
            await db.update(customField).set({ retiredAt: sql`case when retired_at is null then now() end` })
            break
          case 'resume':
            await db.execute(sql`update series set status = 'on'`)
            break
          case 'clock':
            server.clock.advance(each.hours * hourMs)
            break
          case 'run':
            await runMinute(server.deps)
            break
          case 'race':
            await Promise.all([runMinute(server.deps), runMinute(server.deps)])
            break
          case 'kill': {
            const dying = dyingAfter(db, each.moments)
            await runMinute({ ...server.deps, database: { ...server.database, db: dying.db } }).catch(() => null)
          }
        }
      }
      // Time passes until everyone is at an end.
      await db.execute(sql`update series set status = 'on'`)
      for (let round = 0; round < 12; round += 1) {
        server.clock.advance(3 * dayMs)
        await runMinute(server.deps)
      }

      const delivered = await helpers.delivered()
      const entries = await helpers.entries()
      expect(await db.$count(seriesEvent)).toBe(0)
      const results = await helpers.results()
      const values = await db.select().from(customFieldValues)
      for (const { id, email: address } of members) {
        const subjects = delivered[address] ?? []
        expect(new Set(subjects).size).toBe(subjects.length)
        expect(subjects.length).toBeLessThanOrEqual(left.get(id) ?? 2)
        const own = entries.filter((entry) => entry.userId === id && entry.seriesId === saved.id)
        const wasSet = results.some(
          (result) => result.entryId === own[0]?.id && result.stepId === stepId(7) && result.outcome === 'done',
        )
        if (!deleted.has(id)) {
          expect(values.filter(({ userId }) => userId === id)).toHaveLength(wasSet ? 1 : 0)
          const followed = entries.filter((entry) => entry.userId === id && entry.seriesId === follows.id)
          expect(followed).toHaveLength(wasSet ? 1 : 0)
          for (const entry of followed) expect(entry).toMatchObject({ endReason: 'finished' })
        }
        expect(own).toHaveLength(entered.has(id) && !deleted.has(id) ? 1 : 0)
        for (const entry of own) expect(entry).toMatchObject({ dueAt: null, endedAt: expect.any(Date) })
        if (own[0]?.endReason === 'left') expect(left.has(id)).toBe(true)
      }
      const [row] = await db
        .select({ count: sql<number>`count(*)::int` })
        .from(memberTags)
        .where(eq(memberTags.tag, 'seen'))
      expect(row?.count).toBeLessThanOrEqual(people)
    }),
    { numRuns: caseCount(50, 1_000, 'SERIES_LIVES') },
  )
})
