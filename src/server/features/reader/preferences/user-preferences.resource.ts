import { userPreferences } from '#server/db/schema/index.ts'
import { defineResource } from '#server/protocol/define-resource.ts'

/** Users can read their own preferences. A call validates and writes them. */
export const userPreferencesResource = defineResource({
  name: 'user_preferences',
  table: userPreferences,
  readable: ['user_id', 'focus_areas', 'ai_level', 'goals', 'franchise_type', 'created_at', 'updated_at'],
  owner: 'user_id',
})
