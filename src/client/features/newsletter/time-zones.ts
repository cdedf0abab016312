/** Time zones to choose from, including the stored one: browsers don't list old names and offsets. */
export const zonesWith = (stored: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', stored])].toSorted()
