/** How letters are named that somebody may report about: unguessable, in letters that fit before an @. */
const marked = /^<([0-9a-z]+-[0-9a-f]{32})@/

/**
 * The envelope sender of one letter: the address for bounces with the letter's own mark in it, so that what comes back is
 * about this letter, whatever the report forgets to say. Null for a mail without a mark, such as a test.
 */
export function returnPathOf(bounceAddress: string | null, messageId: string): string | null {
  const [, mark] = marked.exec(messageId) ?? []
  const [name, domain] = bounceAddress?.split('@') ?? []
  return mark && name && domain ? `${name}+${mark}@${domain}` : null
}
