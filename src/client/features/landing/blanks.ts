export type PromptPart = { text: string; isBlank: boolean; at: number }

/** Splits a prompt at its blanks, the parts in single square brackets, so that they can be marked. `at` counts characters. */
export function splitBlanks(body: string): PromptPart[] {
  let at = 0
  return body
    .split(/(\[[^[\]]+\])/)
    .filter((text) => text !== '')
    .map((text) => {
      const part = { text, isBlank: text.startsWith('[') && text.endsWith(']'), at }
      at += text.length
      return part
    })
}
