import type { SettingValues } from '#shared/contracts/publishing/site-settings.ts'

/** A setting that two people changed to different texts. Undefined stands for the default. */
export type Clash = { name: string; mine: string | undefined; theirs: string | undefined }

/**
 * Merges unsaved changes into values that someone else has saved meanwhile. Their text wins where both changed it, until
 * the person decides otherwise.
 */
export function mergeSettings(base: SettingValues, mine: SettingValues, theirs: SettingValues) {
  const values: SettingValues = { ...theirs }
  const clashes: Clash[] = []
  for (const name of new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)])) {
    if (mine[name] === base[name] || mine[name] === theirs[name]) continue
    if (theirs[name] === base[name]) setOrReset(values, name, mine[name])
    else clashes.push({ name, mine: mine[name], theirs: theirs[name] })
  }
  return { values, clashes }
}

function setOrReset(values: SettingValues, name: string, value: string | undefined) {
  if (value === undefined) delete values[name]
  else values[name] = value
}
