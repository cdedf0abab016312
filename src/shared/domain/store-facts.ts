import { isProfileVariable, type ProfileVariable, type Values } from './business-profile.ts'
import type { FilledPart } from './fill-placeholders.ts'

/** The facts of a store and its business that fill in a text, not those that were typed for it. */
export const factsUsed = (parts: readonly FilledPart[]): Values<ProfileVariable> =>
  Object.fromEntries(
    parts.flatMap(({ placeholder, value, source }) => {
      const name = placeholder?.name
      const isFact = name && isProfileVariable(name) && (source === 'location' || source === 'profile')
      return isFact ? [[name, value ?? '']] : []
    }),
  ) as Values<ProfileVariable>

export type ChangedFact = { name: ProfileVariable; from: string; to: string }

/** Facts that a text was filled in with and that say something else now; empty if it is gone. */
export const changedFacts = (used: Values, current: Values): ChangedFact[] =>
  Object.entries(used).flatMap(([name, from = '']) => {
    const to = current[name]?.trim() ?? ''
    return isProfileVariable(name) && to !== from.trim() ? [{ name, from, to }] : []
  })
