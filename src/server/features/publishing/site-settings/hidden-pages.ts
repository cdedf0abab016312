import { eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { seedState } from '#server/db/schema/index.ts'
import { pageTexts } from '#server/features/library/content/page-texts.ts'
import { readTrustSettings } from '#server/features/publishing/trust-pages/trust-settings.ts'
import type { SettingValues } from '#shared/contracts/publishing/site-settings.ts'
import { type BuiltInPage, builtInPageNames } from '#shared/domain/built-in-pages.ts'
import { portalAddressOf } from '#shared/domain/page-addresses.ts'
import type { PageAddresses } from './compose-navigation.ts'

/** Row of `seed_state` that exists while the samples are removed. The seed then loads no documents. */
export const samplesRemovedKey = 'samples-removed'

/**
 * Pages of the product that readers don't see. Unless the publisher decides, a page goes with the samples, and comes back
 * with a text of the publisher's own. A page that the publisher added at the same address replaces it.
 * @param values of the group `pages`
 */
export async function readHiddenPages(
  db: Db | Tx,
  values: SettingValues,
  addresses: ReadonlyMap<string, PageAddresses>,
): Promise<BuiltInPage[]> {
  const [areSamplesRemoved, { editorName, corrections }] = [await readSamplesRemoved(db), await readTrustSettings(db)]
  const isEdited = (page: BuiltInPage): boolean => {
    if (page === 'editor') return editorName !== ''
    if (page === 'corrections') return corrections.length > 0
    if (page === 'about') return editorName !== '' || corrections.length > 0
    return Boolean(values[page]) || pageTexts.some((text) => text.page === page && values[text.name] !== undefined)
  }
  const replaced = new Set([...addresses.values()].map(({ members }) => members))
  return builtInPageNames.filter((page) => {
    const choice = values[`page.${page}`]
    if (replaced.has(portalAddressOf(page)) || choice === 'hidden') return true
    return choice !== 'shown' && areSamplesRemoved && !isEdited(page)
  })
}

export const readSamplesRemoved = async (db: Db | Tx): Promise<boolean> =>
  (await db.$count(seedState, eq(seedState.name, samplesRemovedKey))) > 0
