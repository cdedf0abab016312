import type { PlanKey } from '#shared/domain/plans.ts'
import { type Publication, publicationDefaults } from '#shared/publication-defaults.ts'

export type PlanIds = { productId: string; priceId: string }

/**
 * The publisher's settings, as pages and emails need them (decision 78). `applySettings` replaces the values while the server
 * runs, so read one where it's used instead of keeping it.
 */
export type Settings = {
  /** Replaced as a whole, and only if a value has changed. */
  publication: Publication
  /** Changed texts of emails by "email.text", such as "confirmation.subject". */
  emailTexts: Readonly<Record<string, string>>
  /** Path of the uploaded app icon, such as "/media/0f….png"; empty for the bell. */
  appIcon: string
  /** Stripe's ids of the plans, as the table `plan` has them. */
  planIds: ReadonlyMap<PlanKey, PlanIds>
}

/** Those of a new publication. */
export const defaultSettings = (): Settings => ({
  publication: publicationDefaults,
  emailTexts: {},
  appIcon: '',
  planIds: new Map(),
})

/** An equal publication stays the same object, so that nothing is rendered again for it. */
export function replacePublication(settings: Settings, publication: Publication): void {
  if (JSON.stringify(publication) !== JSON.stringify(settings.publication)) settings.publication = publication
}
