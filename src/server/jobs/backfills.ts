import { setTimeout as delay } from 'node:timers/promises'
import { inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { backfills } from '#server/db/schema/index.ts'
import { defineRunKind, type Run } from './runs.ts'

/**
 * Fills new columns or tables of existing rows in batches, behind the running servers, so that no migration keeps them
 * locked. Servers of the previous version may write meanwhile. To add one, list it in `allBackfills`, and ask for it in
 * the migration: `insert into backfills (name) values ('…')`.
 */
export type Backfill = {
  name: string
  /** For the status page, such as “Filling in the members list”. */
  title: string
  /**
   * Handles some hundred rows after `cursor`, in its order. May run twice for the same rows. A null cursor ends the
   * backfill.
   */
  batch(tx: Tx, cursor: string | null): Promise<{ cursor: string | null; rows: number }>
}

export const allBackfills: readonly Backfill[] = []

/** Leaves at least half of the time to requests. */
const maxPauseMs = 1_000

/** A server leaves backfills that only a newer version knows to the servers of that version. */
export function backfillSteps(known: readonly Backfill[] = allBackfills): Run<typeof backfills> {
  const byName = new Map(known.map((backfill) => [backfill.name, backfill]))
  const kind = defineRunKind({
    name: 'backfill',
    table: backfills,
    openStatuses: ['open'],
    mayRun: known.length > 0 ? inArray(backfills.name, [...byName.keys()]) : sql`false`,
  })
  return {
    kind,
    async step({ commit }) {
      const startedAt = performance.now()
      await commit(async (tx, { name, cursor, handledRows }) => {
        const result = await byName.get(name)?.batch(tx, cursor)
        if (!result) throw new Error(`The backfill ${name} isn’t known`)
        return {
          cursor: result.cursor ?? cursor,
          status: result.cursor === null ? 'done' : 'open',
          handledRows: handledRows + result.rows,
          updatedAt: new Date(),
        }
      })
      await delay(Math.min(performance.now() - startedAt, maxPauseMs))
    },
  }
}
