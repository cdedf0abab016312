type Named = { friendly_name?: string }

/** Appends a number if the account already has a factor of that name. */
export function uniqueName(wanted: string, factors: readonly Named[]): string {
  const taken = new Set(factors.map((factor) => factor.friendly_name?.trim().toLowerCase()))
  if (!taken.has(wanted.toLowerCase())) return wanted
  let number = 2
  while (taken.has(`${wanted} ${number}`.toLowerCase())) number += 1
  return `${wanted} ${number}`
}
