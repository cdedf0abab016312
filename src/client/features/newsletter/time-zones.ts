/** Time zones to choose from. Includes the stored one, since browsers don't list old names and offsets. */
export const zonesWith = (stored: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', stored])].toSorted()
