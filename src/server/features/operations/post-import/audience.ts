/**
 * Who could read a post at the source. `public`: everyone, and a divider has no effect. `open-until-divider`: everyone, but
 * what is below a divider is closed. `limited`: only what is above a divider is open, and nothing without one. `closed`: for
 * readers that we don't have, such as those of one tier, so nothing is open.
 */
export type Audience = 'public' | 'open-until-divider' | 'limited' | 'closed'

/** A mark in a post's text: a divider, or the beginning or end of a part with readers of its own. */
export type Mark = 'divider' | 'begin-closed' | 'begin-open' | 'end'

const divider =
  /^\/?\s*(?:wp:)?(?:jetpack\/)?(?:kg-card:?\s*)?(?:(?:free\s*|paid\s*|premium\s*)?(?:members?|subscribers?|patrons?|supporters?|paid|premium)[\s_-]*only|pay[\s_-]*wall)\b/i

/** Reads an HTML comment. Ghost writes who may read a part only there. */
export function readMark(given: string): Mark | null {
  const comment = given.trim().slice(0, 1_000)
  const [, edge = ''] = /^kg-gated-block\s*:\s*(\w*)/i.exec(comment) ?? []
  if (/^kg-gated-block\b/i.test(comment)) {
    if (edge.toLowerCase() === 'end') return 'end'
    // Parts that people without an account couldn't read are closed.
    return /\bnonMember["']?\s*[:=]\s*["']?true\b/i.test(comment) ? 'begin-open' : 'begin-closed'
  }
  return divider.test(comment) ? 'divider' : null
}

/** Decides what is open, from the first mark to the last. What can't be decided is closed. */
export function createGate(audience: Audience, hasDivider: boolean) {
  let isAboveDivider = true
  const parts: boolean[] = []
  return {
    pass(mark: Mark) {
      if (mark === 'divider') isAboveDivider = false
      else if (mark === 'end') parts.pop()
      else parts.push(mark === 'begin-open')
    },
    isOpen: () =>
      parts.every(Boolean) &&
      (audience === 'public' ||
        (isAboveDivider && (audience === 'open-until-divider' || (audience === 'limited' && hasDivider)))),
  }
}

const off = new Set(['', 'false', 'no', 'n', 'off', '0', 'none', 'null', 'never'])
const everyone = new Set(['public', 'everyone', 'everybody', 'anyone', 'all', 'open', 'world'])

/** Fields that name the readers. */
const readersField =
  /^(?:post|content|page)?(?:visibility|audience|emailtype|access(?:level|type|control)?|readers?|visibleto|availableto|availability|accessibleto)$/
/** Fields that close a post unless they are off or empty. */
const closingField =
  /^(?:is|has|for|requires?|needs?|post|content)*(?:paywall(?:ed)?|paid|premium|pro|vip|plus|members?(?:hip)?|subscribers?|subscription|patrons?|patreon|supporters?|sponsorsonly|gated?|lock(?:ed)?|restrict(?:ed|ion|ions)?|restrictedto|exclusive|private|protected|password|log(?:ged)?in|authentication|tiers?|plans?)(?:only|required|content|posts?|access|exclusive|level|tiers?|plans?|users?)*$/
/** Fields that are on for public posts. Off or unknown closes a post. */
const openingField = /^(?:is)?(?:public|open|freetoread|openaccess)$/

/** Reads front matter. A post that no field opens is limited, as is one whose fields contradict each other. */
export function readAudience(fields: Readonly<Record<string, unknown>>): Audience {
  const said = Object.entries(fields).flatMap(([name, value]): boolean[] => {
    const key = name.toLowerCase().replaceAll(/[^a-z]/g, '')
    const words = wordsOf(value)
    const isOff = words.every((word) => off.has(word))
    if (readersField.test(key)) return words.length === 0 ? [] : [words.every((word) => everyone.has(word))]
    if (openingField.test(key))
      return words.length === 0 ? [] : [words.every((word) => word === 'true' || word === 'yes')]
    if (closingField.test(key)) return words.length === 0 ? [] : [isOff]
    return []
  })
  return said.length > 0 && said.every(Boolean) ? 'open-until-divider' : 'limited'
}

/** Single values of a field in lowercase. An object is a value that nothing knows. */
const wordsOf = (value: unknown): string[] => {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.length === 0 ? [] : value.flatMap(wordsOf)
  return [typeof value === 'object' ? '(object)' : String(value).trim().toLowerCase()].filter((word) => word !== '')
}
