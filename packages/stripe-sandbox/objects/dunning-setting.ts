import type { Store } from '../store/store.ts'

/** The fate of a subscription after the last failed attempt of a renewal. At Stripe this is an account setting. */
export const endings = ['canceled', 'unpaid', 'past_due'] as const
export type Ending = (typeof endings)[number]

export const readEnding = (store: Store): Ending =>
  endings.find((each) => each === store.setting('after_last_try')) ?? 'canceled'

export const saveEnding = (store: Store, ending: Ending): void => store.saveSetting('after_last_try', ending)
