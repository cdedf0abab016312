import { userPreferences } from '#server/db/schema/index.ts'
import { defineResource } from '#server/protocol/define-resource.ts'

/** One's own answers, read only: they are changed through a call that validates them. */
export const userPreferencesResource = defineResource({
  name: 'user_preferences',
  table: userPreferences,
  readable: ['user_id', 'focus_areas', 'ai_level', 'goals', 'franchise_type', 'created_at', 'updated_at'],
  owner: 'user_id',
})
