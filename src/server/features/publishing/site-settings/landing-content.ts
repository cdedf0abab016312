import type { Db } from '#server/db/database.ts'
import { readLandingSamples } from '#server/features/library/content/read-landing-samples.ts'
import { readTrustSettings } from '#server/features/publishing/trust-pages/trust-settings.ts'
import type { LandingContent, SampleChoice } from '#shared/contracts/library/landing-samples.ts'
import type { SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { composeLandingTexts } from '#shared/domain/landing-texts.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { readSettings } from './setting-store.ts'

/** Content of the landing page. `draft`: unsaved values of the group `publication`, for a preview. */
export async function readLandingContent(
  db: Db,
  publication: Publication,
  choice: SampleChoice,
  now: Date,
  draft?: SettingValues,
): Promise<LandingContent> {
  const [samples, { values }, { editorName }] = await Promise.all([
    readLandingSamples(db, choice, now),
    draft ? { values: draft } : readSettings(db, 'publication'),
    readTrustSettings(db),
  ])
  return {
    ...samples,
    texts: composeLandingTexts(publication, values, samples),
    editor: editorName || null,
  }
}
