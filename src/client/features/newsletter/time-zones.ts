/**
 * The zones to choose from, the stored one always among them: it may be an older name of a zone, or an offset, which a
 * browser takes and does not list.
 */
export const zonesWith = (stored: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', stored])].toSorted()
