import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { franchisorRules, ruleTopics } from '#shared/domain/franchisor-rules.ts'
import { noteText } from './note-text.ts'

export const maxRuleNote = 2_000

/** PostgreSQL has no year 0. */
const day = z.iso.date().refine((value) => value >= '1900-01-01', 'Enter a date after 1900')

const recordedRuleSchema = z.object({
  topic: z.enum(ruleTopics),
  rule: z.enum(franchisorRules),
  /** The franchisor's answer. */
  note: z.string(),
  /** The day they said it. */
  saidOn: z.iso.date().nullable(),
  /** When the reader recorded it. */
  at: z.iso.datetime(),
})
export type RecordedRule = z.infer<typeof recordedRuleSchema>

/** The rules that the reader recorded. Topics that weren't answered are missing. */
export const franchisorRulesCall = defineCall({
  name: 'franchisor-rules',
  audience: 'subscriber',
  input: z.object({}).nullish(),
  output: z.object({ rules: z.array(recordedRuleSchema) }),
})

/** The newest `at` of each topic wins. Answers with what is stored now, which may be a newer change of another device. */
export const setFranchisorRuleCall = defineCall({
  name: 'set-franchisor-rule',
  audience: 'subscriber',
  input: z.object({
    topic: z.enum(ruleTopics),
    rule: z.enum(franchisorRules),
    /** Saved without a button, so pasted text is never rejected for its characters. */
    note: z
      .string()
      .transform((text) => text.toWellFormed())
      .pipe(noteText(maxRuleNote))
      .default(''),
    saidOn: day.nullable().default(null),
    at: z.iso.datetime(),
  }),
  output: recordedRuleSchema,
})
