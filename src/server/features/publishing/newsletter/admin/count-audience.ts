import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryRows } from '#server/db/query-rows.ts'
import type { Deps } from '#server/deps.ts'
import { readViewFilters } from '#server/features/publishing/segments/views.ts'
import { type Audience, deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'
import { audienceSql } from '../sending/audience-sql.ts'
import { findMailing } from '../sending/mailing-row.ts'

const rowsSchema = z.array(
  z.object({
    cause: z.enum(Object.keys(deliveryCauses) as [keyof typeof deliveryCauses]).nullable(),
    count: z.coerce.number(),
  }),
)

/** Counts who would get a mailing now and who would be suppressed, by the query that freezes the audience. */
export async function countAudience(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  id: string,
  audience: Audience,
) {
  const mailing = await findMailing(database.db, id)
  const { joins, where, cause } = audienceSql(
    config,
    { ...mailing, audience },
    clock(),
    await readViewFilters(database.db, audience.viewIds),
  )
  const rows = await queryRows(
    database.db,
    sql`select cause, count(*) as count from (select ${cause} as cause from auth.users u ${joins} where ${where}) as members
      group by cause order by count desc, cause`,
  )
  const groups = rowsSchema.parse(rows)
  return {
    total: groups.reduce((sum, { count }) => sum + count, 0),
    receiving: groups.find(({ cause }) => cause === null)?.count ?? 0,
    suppressed: groups.flatMap(({ cause, count }) => (cause ? [{ cause, count }] : [])),
  }
}
