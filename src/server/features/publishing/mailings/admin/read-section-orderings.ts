import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryRows } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { readViewFilters } from '#server/features/publishing/segments/views.ts'
import type { SectionOrderings } from '#shared/contracts/publishing/mailing-preview.ts'
import { parseReader } from '#shared/contracts/reader/reader.ts'
import { type ReaderGroup, summarizeOrderings } from '../compose/summarize-orderings.ts'
import { audienceSql, readerSql } from '../sending/audience-sql.ts'
import { type FullMailing, findMailing } from '../sending/mailing-row.ts'
import { contentOf } from './read-mailing.ts'

/** Groups to list; the totals cover all of them. */
const maxGroups = 12
const rowsSchema = z.array(z.object({ reader: z.string(), count: z.coerce.number() }))

/** The section orderings of the frozen audience, or of the current one before preparation. */
export async function readSectionOrderings(
  deps: Pick<Deps, 'config' | 'database' | 'clock'>,
  id: string,
): Promise<SectionOrderings> {
  const { db } = deps.database
  const mailing = await findMailing(db, id)
  const content = await contentOf(db, mailing)
  const overview = summarizeOrderings(
    deps.config.settings.publication,
    content.sections,
    await readerGroups(deps, mailing),
  )
  return {
    readers: overview.readers,
    orderings: overview.distinctOrderings,
    sections: content.sections.length,
    completeReaders: overview.complete,
    groups: overview.groups.slice(0, maxGroups).map(({ reader, readers, first, reason }) => ({
      reader,
      readers,
      first: (first !== null && content.sections[first]?.heading) || content.title,
      reason,
    })),
  }
}

async function readerGroups(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  mailing: FullMailing,
) {
  const rows = await queryRows(
    database.db,
    mailing.preparedAt
      ? frozenGroups(mailing.id)
      : groupsNow(config, mailing, clock(), await readViewFilters(database.db, mailing.audience.viewIds)),
  )
  return rowsSchema.parse(rows).map(
    ({ reader, count }): ReaderGroup => ({
      reader: parseReader(config.settings.publication, JSON.parse(reader)),
      count,
    }),
  )
}

const frozenGroups = (id: string) =>
  sql`select reader, count(*) as count from deliveries where mailing_id = ${id}::uuid and status <> 'suppressed'
    group by reader order by count desc, reader`

function groupsNow(
  config: Deps['config'],
  mailing: FullMailing,
  now: Date,
  views: Awaited<ReturnType<typeof readViewFilters>>,
) {
  const { joins, where, cause } = audienceSql(config, mailing, now, views)
  return sql`select reader, count(*) as count from (
      select ${readerSql} as reader, ${cause} as cause from auth.users u ${joins} where ${where}) as members
    where cause is null group by reader order by count desc, reader`
}
