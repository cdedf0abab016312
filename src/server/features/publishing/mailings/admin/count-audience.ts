import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryRows } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { readViewFilters } from '#server/features/publishing/segments/views.ts'
import { type Audience, deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'
import { audienceSql } from '../sending/audience-sql.ts'
import { findMailing } from '../sending/mailing-row.ts'

const rowsSchema = z.array(
  z.object({
    cause: z.enum(Object.keys(deliveryCauses) as [keyof typeof deliveryCauses]).nullable(),
    entitled: z.boolean(),
    count: z.coerce.number(),
  }),
)

/** A mailing, or the drop whose email isn't written yet. */
type Counted = { id: string } | { issueId: string }

/** No mailing has it. */
export const noMailing = '00000000-0000-0000-0000-000000000000'

/** Counts who would get a mailing now and who would be suppressed, by the query that freezes the audience. */
export async function countAudience(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  of: Counted,
  audience: Audience,
) {
  const mailing =
    'id' in of ? await findMailing(database.db, of.id) : { id: noMailing, kind: 'issue' as const, issueId: of.issueId }
  const { joins, where, cause, entitled } = audienceSql(
    config,
    { ...mailing, audience },
    clock(),
    await readViewFilters(database.db, audience.viewIds),
  )
  const rows = await queryRows(
    database.db,
    sql`select cause, entitled, count(*) as count
      from (select ${cause} as cause, ${entitled} as entitled from auth.users u ${joins} where ${where}) as members
      group by cause, entitled order by count desc, cause`,
  )
  const groups = rowsSchema.parse(rows)
  const sum = (counted: typeof groups) => counted.reduce((total, { count }) => total + count, 0)
  const receiving = groups.filter(({ cause }) => cause === null)
  const byCause = Map.groupBy(groups, ({ cause }) => cause)
  return {
    total: sum(groups),
    receiving: sum(receiving),
    free: mailing.kind === 'issue' ? sum(receiving.filter(({ entitled: hasAccess }) => !hasAccess)) : 0,
    suppressed: [...byCause]
      .flatMap(([cause, counted]) => (cause ? [{ cause, count: sum(counted) }] : []))
      .toSorted((a, b) => b.count - a.count),
  }
}
