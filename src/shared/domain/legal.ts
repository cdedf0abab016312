/** What laws ask of the publisher, as it is set under Settings > Legal. */
export type LegalSettings = {
  /** What is refunded after a withdrawal: everything, or the rest of the period if the buyer asked for access at once. */
  withdrawal: 'off' | 'full' | 'prorated'
  /** Checkout of a plan begins with its terms and a box to agree to them. */
  asksConsent: boolean
  /** Members of monthly plans are reminded once a year. */
  yearlyReminder: boolean
  /** Members are told before a discount ends. */
  discountNotice: boolean
}

export const legalDefaults: LegalSettings = {
  withdrawal: 'off',
  ...{ asksConsent: false, yearlyReminder: false },
  discountNotice: true,
}

/** Directive 2011/83/EU, Article 9. */
export const withdrawalDays = 14

/** True if a purchase begins with the terms and a box. */
export const asksConsent = (legal: LegalSettings): boolean => legal.asksConsent || legal.withdrawal === 'prorated'
