import { desc, inArray, isNotNull } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { issueSections, issues, questionAnswers } from '#server/db/schema/index.ts'
import { listEmptySearches } from '#server/features/library/search/empty-searches.ts'
import type { ReaderDemand } from '#shared/contracts/publishing/reader-demand.ts'
import { optionKeys, optionLabel, type Questions } from '#shared/domain/preferences.ts'
import { offeredVerticals, type Vertical, verticalLabels, verticalsOf } from '#shared/domain/verticals.ts'

/** The newest drops that are compared. */
const dropCount = 8
/** Answers that are searched for questions, and the questions that are shown. */
const maxAnswers = 200
const maxQuestions = 5

/** A section without trades, levels or areas of its own is for everyone, and serves no one in particular. */
export async function readReaderDemand(db: Db, publication: Questions, now: Date): Promise<ReaderDemand> {
  const newest = await db
    .select({ id: issues.id })
    .from(issues)
    .where(isNotNull(issues.publishedAt))
    .orderBy(desc(issues.date), desc(issues.id))
    .limit(dropCount)
  const ids = newest.map(({ id }) => id)
  const sections =
    ids.length > 0 ? await db.select().from(issueSections).where(inArray(issueSections.issueId, ids)) : []
  type Section = (typeof sections)[number]
  const group = (
    title: string,
    keys: readonly string[],
    labelOf: (key: string) => string,
    of: (section: Section) => readonly (string | null)[],
  ) => ({
    title,
    items: keys
      .map((key) => ({
        label: labelOf(key),
        drops: new Set(sections.filter((section) => of(section).includes(key)).map(({ issueId }) => issueId)).size,
      }))
      .toSorted((a, b) => a.drops - b.drops),
  })
  const groups = [
    group(
      'Trades',
      offeredVerticals(publication),
      (key) => verticalLabels[key as Vertical],
      (section) => [...Object.keys(section.examples), ...section.franchiseTypes.flatMap(verticalsOf)],
    ),
    group(
      'Levels',
      optionKeys(publication, 'aiLevel'),
      (key) => optionLabel(publication, 'aiLevel', key),
      ({ aiLevel }) => [aiLevel],
    ),
    group(
      'Focus areas',
      optionKeys(publication, 'focusAreas'),
      (key) => optionLabel(publication, 'focusAreas', key),
      ({ focusAreas }) => focusAreas,
    ),
  ]
  return {
    drops: ids.length,
    groups: groups.filter(({ items }) => items.length > 0),
    searches: await listEmptySearches(db, now),
    questions: await listQuestions(db),
  }
}

/** The first question of each answer that asks one. */
async function listQuestions(db: Db): Promise<ReaderDemand['questions']> {
  const answers = await db
    .select({ id: questionAnswers.id, text: questionAnswers.text })
    .from(questionAnswers)
    .orderBy(desc(questionAnswers.at), desc(questionAnswers.id))
    .limit(maxAnswers)
  return answers
    .flatMap(({ id, text }) => {
      const question = /[^.!?\n]*\?/.exec(text)?.[0].trim()
      return question && question.length > 1 ? [{ id, text: question.slice(0, 200) }] : []
    })
    .slice(0, maxQuestions)
}
