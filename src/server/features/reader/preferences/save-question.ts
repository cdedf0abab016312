import type { Tx } from '#server/db/database.ts'
import { writePublicationSetting } from '#server/db/publication-setting.ts'
import { customField } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { updatedBy } from '#server/features/identity/auth/security/editor.ts'
import type { QuestionToSave, StoredQuestion } from '#shared/contracts/reader/questions.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { optionText } from '#shared/domain/custom-fields.ts'
import type { Question, QuestionName } from '#shared/domain/question-terms.ts'
import { maxKnownOptions, maxOfferedOptions } from '#shared/domain/questions.ts'
import { AppError } from '#shared/errors.ts'
import { arrangeOptions } from './arrange-options.ts'
import { applyQuestions, listQuestions, settingOf } from './question-store.ts'

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
