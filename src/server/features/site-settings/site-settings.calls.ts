import type { Deps } from '#server/deps.ts'
import { actorOf } from '#server/features/auth/security/admin-event.ts'
import { requireStepUp } from '#server/features/auth/security/step-up.ts'
import { type Implementation, implement } from '#server/http/product-calls.ts'
import {
  adminEmailSettingsCall,
  adminPageSettingsCall,
  adminPreviewEmailTextCall,
  adminPreviewPageCall,
  adminPreviewPublicationCall,
  adminPublicationSettingsCall,
} from '#shared/contracts/site-settings.ts'
import { applySettings } from './apply-settings.ts'
import { previewEmailText, previewPageText, previewPublication } from './previews.ts'
import { readSettingsPage, saveSettings } from './setting-store.ts'

const calls = {
  publication: adminPublicationSettingsCall,
  pages: adminPageSettingsCall,
  emails: adminEmailSettingsCall,
} as const

export const siteSettingsCalls = (deps: Deps): Implementation[] => [
  ...(Object.keys(calls) as (keyof typeof calls)[]).map((group) =>
    implement(calls[group], async ({ save, historyBefore }, who, request) => {
      if (save) {
        await requireStepUp(deps, who)
        await saveSettings(deps, group, save, actorOf(who, request))
        await applySettings(deps.database.db)
      }
      return readSettingsPage(deps.database.db, group, historyBefore)
    }),
  ),
  implement(adminPreviewPublicationCall, (draft) => previewPublication(deps, draft)),
  implement(adminPreviewPageCall, async (draft) => previewPageText(draft)),
  implement(adminPreviewEmailTextCall, async (draft) => previewEmailText(deps, draft)),
]
