import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { queryRows } from '#server/db/query-rows.ts'
import { maxCountedValues } from '#shared/contracts/reader/custom-fields.ts'
import { optionKeys, type Questions } from '#shared/domain/preferences.ts'
import type { QuestionName } from '#shared/domain/question-terms.ts'

/** Before the key in the tokens of `member_facts`. */
const tokenPrefix: Record<QuestionName, string> = {
  focusAreas: 'area',
  aiLevel: 'level',
  goals: 'goal',
  franchiseType: 'type',
}

const inSections = (condition: SQL) => sql`select 1 from issue_sections s join issues i on i.id = s.issue_id
  where i.published_at is not null and ${condition}`
const inItems = (condition: SQL) => sql`select 1 from content_items c
  where c.kind in ('section', 'prompt') and c.removed_at is null and ${condition}`

const itemsWith: Record<QuestionName, (key: string) => SQL> = {
  focusAreas: (key) => inItems(sql`${key} = any(c.focus_areas)`),
  aiLevel: (key) => inItems(sql`c.level = ${key}`),
  goals: (key) => inSections(sql`${key} = any(s.goals)`),
  franchiseType: (key) => inSections(sql`${key} = any(s.franchise_types)`),
}

/** For each option, members are counted up to a limit, so that a count costs no more than reading so many rows. */
export async function countQuestionUse(db: Db, publication: Questions, question: QuestionName) {
  const options: Record<string, { members: number; items: number }> = {}
  for (const key of optionKeys(publication, question)) {
    const token = `${tokenPrefix[question]}:${key}`
    const [row] = await queryRows<{ members: number; items: number }>(
      db,
      sql`select (select count(*)::int from (select 1 from member_facts f
            where f.tokens && array[${token}::text] limit ${maxCountedValues + 1}) counted) as members,
          (select count(*)::int from (${itemsWith[question](key)}) found) as items`,
    )
    if (row) options[key] = row
  }
  return { options }
}
