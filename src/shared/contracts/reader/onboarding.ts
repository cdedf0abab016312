import { z } from 'zod'
import { defineCall } from '#shared/contracts/define-call.ts'
import { preferencesSchema, savedPreferencesSchema } from './preferences.ts'

/** Ignores `email` in the body; the session identifies the user. */
export const onboardingWelcomeCall = defineCall({
  name: 'onboarding-welcome',
  audience: 'user',
  input: preferencesSchema.extend({ email: z.string().max(320).nullish() }),
  output: z.object({ preferences: savedPreferencesSchema }),
})

/** Saves the preferences from the account page. Sends the welcome email only with a user’s first answers. */
export const updatePreferencesCall = defineCall({
  name: 'update-preferences',
  audience: 'user',
  input: preferencesSchema,
  output: z.object({ preferences: savedPreferencesSchema }),
})

export const getPreferencesCall = defineCall({
  name: 'get-preferences',
  audience: 'user',
  input: z.object({}),
  output: z.object({ preferences: savedPreferencesSchema.nullable() }),
})
