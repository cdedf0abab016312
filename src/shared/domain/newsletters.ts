/*
 * Newsletters that the publisher adds to the ones that come with every publication: drops, news, follow-ups and emails
 * about assignments. Those keep their own columns; an added one is a row, and its stream is `newsletter:` and its id.
 */

export const maxNewsletters = 20
/** Includes retired ones. */
export const maxStoredNewsletters = 100
/** In characters. */
export const newsletterLimits = { name: 60, description: 200 }

export type NewsletterStream = `newsletter:${number}`
export const newsletterStream = (id: number): NewsletterStream => `newsletter:${id}`

/** The id of a newsletter's stream; null for the other streams. */
export function newsletterOfStream(stream: string): number | null {
  const [, id] = /^newsletter:([1-9]\d{0,6})$/.exec(stream) ?? []
  return id ? Number(id) : null
}

/** Streams that the members list can be filtered by: those with regular issues. */
export const isFilteredStream = (stream: string): boolean =>
  stream === 'drops' || stream === 'news' || newsletterOfStream(stream) !== null

/** Names of the streams to filter by, in order. */
export const filteredStreams = (added: readonly { id: number; name: string }[]): Record<string, string> => ({
  drops: 'Weekly drops',
  news: 'Product news',
  ...Object.fromEntries(added.map(({ id, name }) => [newsletterStream(id), name])),
})

/** Names that readers know from the emails that come with every publication. */
const reservedNames = [
  'weekly drop',
  'weekly drops',
  'drops',
  'product news',
  'monthly digest',
  'did it work?',
  'assignments',
  'free edition',
  'all',
]
export const isReservedNewsletterName = (name: string): boolean => reservedNames.includes(name.toLowerCase())
