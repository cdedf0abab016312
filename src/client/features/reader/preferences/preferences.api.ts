import { fieldQuery } from '#client/lib/calls.ts'
import { getPreferencesCall } from '#shared/contracts/reader/onboarding.ts'

export const preferencesQuery = fieldQuery(['preferences'], getPreferencesCall, {}, 'preferences')
