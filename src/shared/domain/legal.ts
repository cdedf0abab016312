/** Switches under Settings > Legal. */
export type LegalSettings = {
  /** What a withdrawal refunds: everything, or the rest of the period if the buyer asked for immediate access. */
  withdrawal: 'off' | 'full' | 'prorated'
  /** Shows the terms of a plan with a box to agree to before checkout. */
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

/** Withdrawals with a partial refund need consent too. */
export const asksConsent = (legal: LegalSettings): boolean => legal.asksConsent || legal.withdrawal === 'prorated'
