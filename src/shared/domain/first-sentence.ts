/** Splits a text after its first sentence. `rest` is empty if there is only one. */
export function splitFirstSentence(text: string): { first: string; rest: string } {
  const end = text.search(/[.!?]\s/) + 1
  return end === 0 ? { first: text, rest: '' } : { first: text.slice(0, end), rest: text.slice(end) }
}
