import { desc, isNotNull } from 'drizzle-orm'
import { issues } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { welcomeExample } from '#server/features/publishing/site-settings/email-examples.ts'
import { readLandingContent } from '#server/features/publishing/site-settings/page-texts.ts'
import {
  asEmailPreview,
  asPreview,
  draftConfig,
  type Theme,
} from '#server/features/publishing/site-settings/previews.ts'
import { renderLanding } from '#server/http/landing-page.ts'
import { pageStyles, pageStylesAddress } from '#server/pages/page-styles.ts'
import type { PreviewPart, SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { AppError } from '#shared/errors.ts'
import { dropPage, listPage } from './drop-pages.ts'
import { listDrops, listGroups, readNeighbors, readOpenDrop } from './open-drops.ts'
import { paths } from './public-addresses.ts'
import { publicLayout } from './public-layout.ts'

/** The landing page, the latest drop or an email as these values would make it, in one theme and without scripts. */
export async function previewPublication(
  deps: Pick<Deps, 'database' | 'clock' | 'config'>,
  { values, theme, part }: { values: SettingValues; theme: Theme; part: PreviewPart },
): Promise<{ html: string }> {
  const { db } = deps.database
  const { config, draft } = await draftConfig(deps, values)
  const { publication } = config.settings
  if (part === 'email') return { html: asEmailPreview(welcomeExample(config).html, theme) }
  if (part === 'drop') {
    const site = { origin: config.publicUrl, allowsAiCrawlers: false, isAnnouncementDismissed: false }
    const production = { ...config, mode: 'production' } as const
    const page = String(await publicLayout(await readDropPage(deps, config), { ...site, config: production }))
    // The style sheet of the site has what is saved.
    const link = `<link rel="stylesheet" href="${pageStylesAddress(publication)}">`
    return {
      html: asPreview(
        page.replace(link, () => `<style>${pageStyles(publication)}</style>`),
        theme,
      ),
    }
  }
  const html = await renderLanding((choice) => readLandingContent(db, publication, choice, deps.clock(), draft), config)
  if (!html) throw new AppError('not_found', { message: 'The client isn’t built, so there is no page to show.' })
  return { html: asPreview(html, theme) }
}

/** The latest drop, or the list while there is none. */
async function readDropPage({ database: { db } }: Pick<Deps, 'database'>, { publicUrl, settings }: Deps['config']) {
  const { publication } = settings
  const [latest] = await db
    .select({ slug: issues.slug })
    .from(issues)
    .where(isNotNull(issues.publishedAt))
    .orderBy(desc(issues.date))
    .limit(1)
  const drop = latest && (await readOpenDrop(db, latest.slug))
  if (drop) return dropPage(publication, drop, await readNeighbors(db, drop.slug), publicUrl)
  const list = { ...(await listDrops(db, {}, 1)), ...(await listGroups(db, publication)) }
  return listPage(publication, list, { title: publication.tabTitles['weekly-drops'], path: paths.drops, page: 1 })
}
