import { z } from 'zod'
import { defineCall } from './define-call.ts'
import { preferencesSchema } from './preferences.ts'

/** The `email` in the body never reaches anybody's record: the session says who is asking. */
export const onboardingWelcomeCall = defineCall({
  name: 'onboarding-welcome',
  audience: 'user',
  input: preferencesSchema.extend({ email: z.string().max(320).nullish() }),
  output: z.object({ preferences: preferencesSchema }),
})

/** The same choices under /account. Only the first answers ever are followed by the welcome email. */
export const updatePreferencesCall = defineCall({
  name: 'update-preferences',
  audience: 'user',
  input: preferencesSchema,
  output: z.object({ preferences: preferencesSchema }),
})

export const getPreferencesCall = defineCall({
  name: 'get-preferences',
  audience: 'user',
  input: z.object({}),
  output: z.object({ preferences: preferencesSchema.nullable() }),
})
