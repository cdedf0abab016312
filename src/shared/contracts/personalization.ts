import { z } from 'zod'
import { focusAreas } from '../domain/preferences.ts'
import { defineCall } from './define-call.ts'

/** The personalization entity of spec §3. Without preferences: empty lists, and nothing is re-ordered. */
const personalizationSchema = z.object({
  preferences: z.object({ focusAreas: z.array(z.enum(focusAreas)) }),
  recommendations: z.object({
    /** One line per focus area, saying why something stands first. */
    labels: z.array(z.string()),
    /** Keys of the prompt categories that come first. */
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
