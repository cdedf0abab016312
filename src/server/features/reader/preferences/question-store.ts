import { isDeepStrictEqual } from 'node:util'
import { inArray } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { publicationSettings } from '#server/db/schema/index.ts'
import { editorLabel } from '#server/features/identity/auth/security/editor.ts'
import { questionSchema, type StoredQuestion } from '#shared/contracts/reader/questions.ts'
import type { Question, QuestionName } from '#shared/domain/question-terms.ts'
import { questionDefaults, questionNames } from '#shared/domain/questions.ts'
import type { Publication } from '#shared/publication-defaults.ts'

/** Each question is a setting of its own, so that two people can edit two questions. */
export const settingOf = (question: QuestionName): string => `question.${question}`
const settingNames = questionNames.map(settingOf)

const readRows = (db: Db | Tx) =>
  db
    .select({
      name: publicationSettings.name,
      value: publicationSettings.value,
      version: publicationSettings.version,
      updatedAt: publicationSettings.updatedAt,
      updatedBy: editorLabel(publicationSettings.updatedBy, publicationSettings.updatedById),
    })
    .from(publicationSettings)
    .where(inArray(publicationSettings.name, settingNames))

/** Rows can come from an archive. One that can't be read counts as unchanged. */
const parseQuestion = (question: QuestionName, value: unknown): Question =>
  questionSchema.safeParse(value).data ?? questionDefaults[question]

/** All questions as owners edit them, in the order in which members are asked. */
export async function listQuestions(db: Db | Tx): Promise<{ items: StoredQuestion[] }> {
  const rows = await readRows(db)
  return {
    items: questionNames.map((question) => {
      const row = rows.find(({ name }) => name === settingOf(question))
      const { options, ...terms } = parseQuestion(question, row?.value)
      return {
        question,
        ...terms,
        options: [...options],
        version: row?.version ?? 0,
        updatedAt: row?.updatedAt.toISOString() ?? null,
        updatedBy: row?.updatedBy ?? null,
      }
    }),
  }
}

/** The questions that differ from the specification's. */
export async function readQuestions(db: Db | Tx): Promise<Publication['questions']> {
  const rows = await readRows(db)
  const changed = questionNames.flatMap((question) => {
    const row = rows.find(({ name }) => name === settingOf(question))
    const read = row && parseQuestion(question, row.value)
    return read && !isDeepStrictEqual(read, questionDefaults[question]) ? [[question, read] as const] : []
  })
  return Object.fromEntries(changed)
}

/** Puts the stored questions into the settings. */
export async function applyQuestions(db: Db, { settings }: Pick<Config, 'settings'>): Promise<void> {
  const questions = await readQuestions(db)
  settings.replace({ publication: { ...settings.publication, questions } })
}
