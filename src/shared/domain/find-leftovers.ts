/** Words that stand for a text that is still to be written. */
const leftoverWord = /\b(?:TODO|FIXME|TBD|TKTK|X{3,})\b|\blorem\b(?: ipsum)?/i
/** "TK" in capitals alone, since "tk" may be a name. */
const allCaps = /^[A-Z ]+$/
/** In brackets. */
const bracketed = /\[(?:insert|add|your|name|date|link|tbd|tk|x+)\b[^\]]{0,200}\](?!\()/i
const exampleHost = /https?:\/\/(?:[\w-]+\.)*example\.(?:com|org|net)\b/i

/**
 * Leftovers of writing in a line: "TODO", "[insert name]", "https://example.com". In quoted prompts and code, brackets
 * and example addresses are part of the text.
 */
export function findLeftovers(line: string, isQuoted: boolean): string[] {
  const word = leftoverWord.exec(line)?.[0]
  const isLeftover = word !== undefined && (allCaps.test(word) || /^lorem/i.test(word))
  const own = isQuoted ? undefined : bracketed.exec(line)?.[0]
  const host = isQuoted ? undefined : exampleHost.exec(line)?.[0]
  return [...(isLeftover ? [word] : []), ...(own ? [own] : []), ...(host ? [host] : [])]
}
