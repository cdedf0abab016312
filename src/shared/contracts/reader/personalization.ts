import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'

/** Without preferences the lists are empty and the order is unchanged. */
const personalizationSchema = z.object({
  preferences: z.object({ focusAreas: z.array(z.string()) }),
  recommendations: z.object({
    /** One line per focus area that explains why its content comes first. */
    labels: z.array(z.string()),
    /** Keys of the prompt categories to show first. */
    priorityCategories: z.array(z.string()),
  }),
  contextLabels: z.object({ focus: z.string(), aiLevel: z.string() }),
})
export type Personalization = z.infer<typeof personalizationSchema>

export const personalizeContentCall = defineCall({
  name: 'personalize-content',
  audience: 'user',
  input: z.object({ contentType: z.enum(['weekly-drops', 'prompt-packs']) }),
  output: personalizationSchema,
})
