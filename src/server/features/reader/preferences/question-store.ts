import { isDeepStrictEqual } from 'node:util'
import { inArray } from 'drizzle-orm'
import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/database.ts'
import { writePublicationSetting } from '#server/db/publication-setting.ts'
import { customField, publicationSettings } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { editorLabel, updatedBy } from '#server/features/identity/auth/security/editor.ts'
import { type QuestionToSave, questionSchema, type StoredQuestion } from '#shared/contracts/reader/questions.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { optionText } from '#shared/domain/custom-fields.ts'
import type { Question, QuestionName } from '#shared/domain/question-terms.ts'
import { maxKnownOptions, maxOfferedOptions, questionDefaults, questionNames } from '#shared/domain/questions.ts'
import { AppError } from '#shared/errors.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { arrangeOptions } from './arrange-options.ts'

/** Each question is a setting of its own, so that two people can edit two questions. */
const settingOf = (question: QuestionName): string => `question.${question}`
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

const limits = { what: 'question', offered: maxOfferedOptions, stored: maxKnownOptions }

/**
 * Changes a question and its options. Answers and content keep the keys of their options.
 * @throws AppError edit_conflict, validation_failed with what to change
 */
export async function saveQuestion(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  who: Actor,
  given: QuestionToSave,
): Promise<void> {
  const { question, version, name, wording, hint, off } = given
  await database.db.transaction(async (tx) => {
    const { items } = await listQuestions(tx)
    const before = items.find((item) => item.question === question)
    if (before?.version !== version) throw new AppError('edit_conflict')
    await requireFreeName(tx, name, question, items)
    const options = arrangeOptions(before.options, given.options, limits)
    const after: Question = { name, wording, hint, options, ...(off && { off }) }
    const changes = changesBetween(asLogged(before), asLogged(after))
    if (changes.length === 0) return
    const now = clock()
    const write = { value: after, updatedAt: now, ...updatedBy(who) }
    if (!(await writePublicationSetting(tx, settingOf(question), version, write))) throw new AppError('edit_conflict')
    await recordAdminEvent(tx, who, {
      event: 'question_changed',
      object: { kind: 'question', id: question, name },
      changes,
      now,
    })
  })
  await applyQuestions(database.db, config)
}

/** Filters and exports show the names of questions and of the publisher's fields side by side. */
async function requireFreeName(tx: Tx, name: string, question: QuestionName, items: readonly StoredQuestion[]) {
  const isSame = (other: string) => other.toLowerCase() === name.toLowerCase()
  const fields = await tx.select({ label: customField.label, retiredAt: customField.retiredAt }).from(customField)
  const taken = [
    ...items.filter((item) => item.question !== question).map((item) => item.name),
    ...fields.filter(({ retiredAt }) => retiredAt === null).map(({ label }) => label),
  ]
  if (taken.some(isSame)) {
    throw new AppError('validation_failed', {
      message: `There’s already a question called “${name}”. Choose another name.`,
    })
  }
}

const asLogged = ({ name, wording, hint, options, off }: Question) => ({
  asked: off ? 'no' : 'yes',
  name,
  question: wording,
  help: hint,
  options: options.map((option) => withDescription(optionText(option), option.description)).join(', '),
})

const withDescription = (text: string, description: string) => (description ? `${text}: ${description}` : text)
