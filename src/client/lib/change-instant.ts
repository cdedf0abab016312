/** When the reader made a change: now, but after the change that it replaces, even if this device's clock is behind. */
export const changeInstant = (after: string | null | undefined): string =>
  new Date(Math.max(Date.now(), after ? Date.parse(after) + 1 : 0)).toISOString()
