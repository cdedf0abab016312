import type { PlanKey } from '#shared/domain/plans.ts'
import { type Publication, publicationDefaults } from '#shared/publication-defaults.ts'

/** Freezes an object with the plain objects and lists in it. */
export function deepFreeze<T>(value: T): T {
  const isPlain = Array.isArray(value) || (value !== null && Object.getPrototypeOf(Object(value)) === Object.prototype)
  if (!isPlain || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const each of Object.values(value as object)) deepFreeze(each)
  return value
}

export type PlanIds = { productId: string; priceId: string }

/** The publisher's settings, as pages and emails need them (decision 78). */
export type Settings = {
  /** The same object until a value of it changes. */
  readonly publication: Publication
  /** Changed texts of emails by "email.text", such as "confirmation.subject". */
  readonly emailTexts: Readonly<Record<string, string>>
  /** Path of the uploaded app icon, such as "/media/0f….png"; empty for the bell. */
  readonly appIcon: string
  /** Stripe's ids of the plans, as the table `plan` has them. */
  readonly planIds: ReadonlyMap<PlanKey, PlanIds>
}

/**
 * The settings as they are at the moment of reading: they are replaced while the server runs, so read one where it's used
 * instead of keeping it. Each value is immutable (decision 129).
 */
export type SettingsStore = Settings & {
  /** All settings of one moment. */
  read(): Settings
  replace(values: Partial<Settings>): void
}

/** The settings of a new publication. */
export function defaultSettings(): SettingsStore {
  let current: Settings = deepFreeze({
    publication: publicationDefaults,
    emailTexts: {},
    appIcon: '',
    planIds: new Map(),
  })
  return Object.freeze({
    get publication() {
      return current.publication
    },
    get emailTexts() {
      return current.emailTexts
    },
    get appIcon() {
      return current.appIcon
    },
    get planIds() {
      return current.planIds
    },
    read: () => current,
    replace(values: Partial<Settings>) {
      const { publication } = current
      // An equal publication stays the same object, so that nothing is rendered again for it.
      const isSame = JSON.stringify(values.publication ?? publication) === JSON.stringify(publication)
      current = deepFreeze({ ...current, ...values, ...(isSame && { publication }) })
    },
  })
}
