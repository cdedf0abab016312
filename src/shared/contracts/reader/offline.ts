import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'

const maxKnownAnswers = 500

/** One stored call. `output` is missing if the device has this version already. */
const offlineAnswerSchema = z.object({
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
  version: z.string(),
  output: z.unknown().optional(),
})

/**
 * Everything that a reader's device keeps for reading offline, as answers of other calls. Answers that aren't in the list
 * are no longer part of it.
 */
export const offlineLibraryCall = defineCall({
  name: 'offline-library',
  audience: 'subscriber',
  input: z.object({
    /** Versions that the device has, by `answerKey`. */
    known: z
      .record(z.string().max(400), z.string().max(64))
      .refine((known) => Object.keys(known).length <= maxKnownAnswers, 'Too many known answers')
      .default({}),
  }),
  output: z.object({ answers: z.array(offlineAnswerSchema) }),
})
export type OfflineAnswer = z.infer<typeof offlineAnswerSchema>
