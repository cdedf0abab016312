import { z } from 'zod'
import { defineAdminCall } from '#shared/contracts/define-call.ts'
import { optionKeySchema } from '#shared/contracts/reader/option-key.ts'
import {
  maxDescriptionLength,
  maxOptionLabelLength,
  maxQuestionHintLength,
  maxQuestionNameLength,
  maxWordingLength,
  questionNames,
} from '#shared/domain/questions.ts'
import { fieldLine } from '#shared/domain/read-field-value.ts'

const text = z.string()
const question = z.enum(questionNames)
const line = (max: number, what: string) => fieldLine(max, `Use at most ${max} characters for ${what}`)

/** A question as it is stored; texts may come from an archive. */
export const questionSchema = z.object({
  name: text.min(1),
  wording: text.min(1),
  hint: text,
  options: z
    .array(z.object({ key: optionKeySchema, label: text.min(1), description: text, retired: z.boolean() }))
    .min(1),
  off: z.boolean().optional(),
})

const storedQuestionSchema = questionSchema.extend({
  question,
  version: z.number().int(),
  /** Null while it is as in the specification. */
  updatedAt: z.iso.datetime().nullable(),
  updatedBy: text.nullable(),
})
export type StoredQuestion = z.output<typeof storedQuestionSchema>

const questionsOutput = z.object({ items: z.array(storedQuestionSchema) })

/** The questions that come with the product, in the publisher's words, with retired options. */
export const adminQuestionsCall = defineAdminCall({
  name: 'admin-questions',
  roles: ['owner'],
  input: z.object({}),
  output: questionsOutput,
})

/**
 * Changes a question. Options that are left out are retired: members and content that have one keep it. Fails with
 * `edit_conflict` if someone else has saved the question.
 */
export const adminSaveQuestionCall = defineAdminCall({
  name: 'admin-save-question',
  roles: ['owner'],
  input: z.object({
    question,
    /** The version that was edited; 0 until it is changed for the first time. */
    version: z.number().int().nonnegative(),
    name: line(maxQuestionNameLength, 'the name').refine(Boolean, 'Enter a name'),
    wording: line(maxWordingLength, 'the question').refine(Boolean, 'Enter the question'),
    hint: line(maxQuestionHintLength, 'the help line'),
    /** In order. A key of null adds an option. */
    options: z
      .array(
        z.object({
          key: optionKeySchema.nullable(),
          label: line(maxOptionLabelLength, 'an option').refine(Boolean, 'Enter the text of each option'),
          description: line(maxDescriptionLength, 'a description'),
        }),
      )
      .max(500),
    off: z.boolean().optional(),
  }),
  output: questionsOutput,
})
export type QuestionToSave = z.output<typeof adminSaveQuestionCall.input>

const count = z.number().int()

/** For each option, how many members chose it, up to a limit, and how many published sections and prompts have it. */
export const adminQuestionUseCall = defineAdminCall({
  name: 'admin-question-use',
  roles: ['owner'],
  input: z.object({ question }),
  output: z.object({ options: z.record(z.string(), z.object({ members: count, items: count })) }),
})
